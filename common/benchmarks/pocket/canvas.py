"""A supersampled drawing surface; the one place that touches PIL, so that pictures are the same bytes everywhere.

Fonts: PIL's built-in scalable face, laid out by its basic engine (never the system's). JPEG comes from the codec inside
the Pillow wheel; the standard library's zlib, which differs between systems, is kept out.
"""

from __future__ import annotations

import io
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
SCALE = 2  # drawn at twice the size, then reduced: smooth edges
PIXELS_PER_POINT = 2  # pictures are placed at 144 dpi


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    face = ImageFont.load_default(size)
    if not isinstance(face, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType; install the pinned Pillow wheel")
    return face


def text_width(words: str, size: int) -> float:
    """Width of a line of lettering in final pixels."""
    return font(size * SCALE).getlength(words) / SCALE


class Canvas:
    """Coordinates and sizes are in final pixels, origin top left."""

    def __init__(self, width: int, height: int, background: Colour = (255, 255, 255)) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * SCALE, height * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)

    def _scaled(self, values: tuple[float, ...]) -> list[float]:
        return [round(value * SCALE) for value in values]

    def box(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: int = 2,
    ) -> None:
        self._draw.rectangle(self._scaled((x0, y0, x1, y1)), fill=fill, outline=outline, width=width * SCALE)

    def oval(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: int = 2,
    ) -> None:
        self._draw.ellipse(self._scaled((x0, y0, x1, y1)), fill=fill, outline=outline, width=width * SCALE)

    def shape(self, points: list[tuple[float, float]], fill: Colour, outline: Colour | None = None) -> None:
        self._draw.polygon(
            [(round(x * SCALE), round(y * SCALE)) for x, y in points], fill=fill, outline=outline, width=2 * SCALE
        )

    def line(self, points: list[tuple[float, float]], fill: Colour, width: int = 2) -> None:
        self._draw.line([(round(x * SCALE), round(y * SCALE)) for x, y in points], fill=fill, width=width * SCALE)

    def text(self, x: float, y: float, words: str, size: int, fill: Colour = (25, 25, 25), anchor: str = "mm") -> None:
        self._draw.text((round(x * SCALE), round(y * SCALE)), words, font=font(size * SCALE), fill=fill, anchor=anchor)

    def jpeg(self) -> bytes:
        """The finished picture; quality 85 without chroma subsampling keeps small lettering legible."""
        out = io.BytesIO()
        self._image.reduce(SCALE).save(out, "JPEG", quality=85, subsampling=0)
        return out.getvalue()
