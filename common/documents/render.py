"""Pixels of a page and crops of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pypdfium2 as pdfium

from common.documents.geometry import Box

MAX_SIDE = 3200  # pixels; a poster at full resolution would not fit in memory
PNG_LEVEL = 2  # higher takes longer and saves a twentieth


@dataclass(frozen=True)
class Rendering:
    """A page as RGB pixels (h, w, 3); `scale` is pixels per point."""

    pixels: np.ndarray
    scale: float

    def crop(self, box: Box) -> tuple[np.ndarray, tuple[float, float]]:
        """Pixels of a box, and the crop's true top left corner in points."""
        height, width = self.pixels.shape[:2]
        x0, y0 = max(0, int(box[0] * self.scale)), max(0, int(box[1] * self.scale))
        x1, y1 = min(width, int(box[2] * self.scale) + 1), min(height, int(box[3] * self.scale) + 1)
        return self.pixels[y0:y1, x0:x1], (x0 / self.scale, y0 / self.scale)


def render(page: pdfium.PdfPage, dpi: int) -> Rendering:
    width, height = page.get_size()
    scale = min(dpi / 72, MAX_SIDE / max(width, height, 1.0))
    bitmap = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False)
    pixels = np.array(bitmap.to_numpy()[:, :, :3]) if bitmap.n_channels >= 3 else _grey(bitmap.to_numpy())
    return Rendering(pixels, pixels.shape[1] / width)


def _grey(pixels: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(np.ascontiguousarray(pixels.reshape(pixels.shape[:2])), cv2.COLOR_GRAY2RGB)


def to_png(pixels: np.ndarray) -> bytes:
    ok, data = cv2.imencode(".png", pixels[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, PNG_LEVEL])
    if not ok:
        raise ValueError(f"cannot encode a picture of shape {pixels.shape} as PNG")
    return bytes(data)


def thumbnail(pixels: np.ndarray) -> bytes:
    """16x16 grey levels in steps of 32: equal for the same picture rendered at two places of a document."""
    small = cv2.cvtColor(cv2.resize(pixels, (16, 16), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    return bytes((small // 32).astype(np.uint8).tobytes())
