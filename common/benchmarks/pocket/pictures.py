"""Drawn pictures: cars, portraits, stages, posters, covers, crests, signs, trophies, with some lettering in each."""

from __future__ import annotations

import math
from collections.abc import Callable

from common.benchmarks.pocket.article import Picture
from common.benchmarks.pocket.canvas import Canvas, Colour
from common.benchmarks.pocket.lexicon import COLOURS

WHITE: Colour = (255, 255, 255)
DARK: Colour = (30, 30, 36)
GREY: Colour = (150, 155, 160)
SKIN: Colour = (226, 190, 160)


def draw_picture(picture: Picture) -> Canvas:
    """Draws one picture. Raises KeyError naming its kind or motif where that is unknown."""
    return _DRAWERS[picture.kind](picture)


def _ink(background: Colour) -> Colour:
    return DARK if sum(background) > 400 else WHITE


def _car(picture: Picture) -> Canvas:
    canvas, body = Canvas(560, 300, (206, 226, 240)), COLOURS[picture.colour]
    canvas.box(0, 215, 560, 300, (120, 122, 125))
    canvas.box(0, 200, 560, 216, (110, 160, 90))
    canvas.shape(
        [
            (30, 200),
            (60, 130),
            (190, 120),
            (240, 85),
            (330, 85),
            (360, 120),
            (500, 140),
            (535, 200),
            (520, 235),
            (40, 235),
        ],
        body,
        DARK,
    )
    canvas.oval(262, 48, 306, 94, COLOURS["yellow" if picture.colour != "yellow" else "blue"], DARK)
    canvas.box(282, 64, 308, 76, DARK)
    for x in (90, 400):
        canvas.oval(x, 190, x + 82, 272, DARK)
        canvas.oval(x + 24, 214, x + 58, 248, GREY)
    canvas.oval(64, 138, 136, 196, WHITE, DARK)
    canvas.text(100, 167, picture.motif, 34)
    canvas.text(282, 172, picture.lettering[0], 27, _ink(body))
    return canvas


def _portrait(picture: Picture) -> Canvas:
    canvas, coat = Canvas(400, 360, (236, 226, 206)), COLOURS[picture.colour]
    canvas.box(0, 300, 400, 360, (150, 118, 84))
    canvas.box(238, 60, 376, 300, (120, 84, 60), DARK)
    canvas.box(250, 96, 364, 142, WHITE, DARK)
    canvas.text(307, 119, picture.lettering[0], 24)
    canvas.oval(350, 186, 362, 198, (220, 190, 80))
    canvas.shape([(60, 330), (78, 190), (168, 190), (186, 330)], coat, DARK)
    canvas.oval(88, 100, 158, 192, SKIN, DARK)
    canvas.box(78, 88, 168, 108, coat, DARK)
    canvas.box(96, 56, 150, 92, coat, DARK)
    for x in (106, 134):
        canvas.oval(x, 134, x + 7, 141, DARK)
    canvas.line([(110, 166), (123, 171), (137, 166)], DARK, 3)
    return canvas


def _stage(picture: Picture) -> Canvas:
    canvas, curtain = Canvas(560, 320, (58, 46, 60)), COLOURS[picture.colour]
    for x in (0, 500):
        canvas.box(x, 0, x + 60, 320, curtain)
    canvas.box(0, 262, 560, 320, (134, 100, 66))
    canvas.box(84, 30, 476, 96, WHITE, GREY)
    canvas.text(280, 63, picture.lettering[0], 33)
    canvas.oval(252, 122, 304, 184, SKIN, DARK)
    canvas.shape([(236, 284), (250, 184), (306, 184), (320, 284)], (224, 224, 228), DARK)
    canvas.line([(350, 284), (350, 172)], GREY, 5)
    canvas.oval(336, 150, 364, 178, DARK)
    return canvas


def _motif(canvas: Canvas, name: str, x: float, y: float, size: float, fill: Colour) -> None:
    """One countable thing inside a square of `size` centred at (x, y)."""
    _MOTIFS[name](canvas, x, y, size / 2, fill)


def _balloon(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    canvas.line([(x, y + half * 0.3), (x, y + half)], DARK, 2)
    canvas.oval(x - half * 0.6, y - half, x + half * 0.6, y + half * 0.4, fill, DARK)


def _star(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    points = [
        (
            x + math.cos(math.pi * (i / 5 - 0.5)) * half * (1 if i % 2 == 0 else 0.42),
            y + math.sin(math.pi * (i / 5 - 0.5)) * half * (1 if i % 2 == 0 else 0.42),
        )
        for i in range(10)
    ]
    canvas.shape(points, fill, DARK)


def _boat(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    deck, keel = y + half * 0.3, y + half
    canvas.shape([(x - half, deck), (x + half, deck), (x + half * 0.6, keel), (x - half * 0.6, keel)], fill, DARK)
    canvas.shape([(x, y - half), (x, y + half * 0.2), (x + half * 0.7, y + half * 0.2)], WHITE, DARK)


def _key(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    canvas.oval(x - half, y - half * 0.4, x - half * 0.2, y + half * 0.4, None, fill, 5)
    canvas.line([(x - half * 0.2, y), (x + half, y), (x + half, y + half * 0.4)], fill, 5)


def _tree(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    canvas.box(x - half * 0.12, y, x + half * 0.12, y + half, (110, 80, 50))
    canvas.shape([(x, y - half), (x - half * 0.7, y + half * 0.4), (x + half * 0.7, y + half * 0.4)], fill, DARK)


def _umbrella(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    shoulder = y - half * 0.7
    canvas.line([(x, y - half * 0.2), (x, y + half)], DARK, 3)
    canvas.shape(
        [(x - half, y), (x - half * 0.5, shoulder), (x, y - half), (x + half * 0.5, shoulder), (x + half, y)],
        fill,
        DARK,
    )


def _candle(canvas: Canvas, x: float, y: float, half: float, fill: Colour) -> None:
    canvas.box(x - half * 0.25, y - half * 0.3, x + half * 0.25, y + half, fill, DARK)
    canvas.oval(x - half * 0.15, y - half, x + half * 0.15, y - half * 0.35, (250, 170, 40), DARK)


_MOTIFS: dict[str, Callable[[Canvas, float, float, float, Colour], None]] = {
    "balloons": _balloon,
    "stars": _star,
    "boats": _boat,
    "keys": _key,
    "trees": _tree,
    "umbrellas": _umbrella,
    "candles": _candle,
}


def _poster(picture: Picture) -> Canvas:
    background = COLOURS[picture.colour]
    canvas, ink = Canvas(400, 500, background), _ink(background)
    canvas.box(14, 14, 386, 486, None, ink, 3)
    for index in range(picture.count):
        _motif(canvas, picture.motif, 86 + 114 * (index % 3), 84 + 112 * (index // 3), 78, (240, 226, 190))
    words = picture.lettering[0].split()
    canvas.text(200, 406, " ".join(words[:2]), 32, ink)
    canvas.text(200, 450, " ".join(words[2:]), 32, ink)
    return canvas


def _cover(picture: Picture) -> Canvas:
    background = COLOURS[picture.colour]
    canvas, ink = Canvas(380, 380, (240, 234, 220)), _ink(background)
    canvas.oval(60, 40, 320, 300, background)
    for index in range(picture.count):
        angle = 2 * math.pi * index / picture.count
        _motif(canvas, picture.motif, 190 + 86 * math.cos(angle), 170 + 86 * math.sin(angle), 50, (250, 244, 232))
    canvas.box(0, 330, 380, 380, background)
    canvas.text(190, 355, picture.lettering[0], 26, ink)
    return canvas


def _crest(picture: Picture) -> Canvas:
    canvas, field = Canvas(400, 400), COLOURS[picture.colour]
    canvas.shape([(60, 30), (340, 30), (340, 220), (200, 340), (60, 220)], field, DARK)
    _motif(canvas, picture.motif, 200, 112, 110, (245, 240, 220))
    canvas.box(140, 184, 260, 232, WHITE, DARK)
    canvas.text(200, 208, picture.lettering[1], 32)
    canvas.box(20, 342, 380, 390, (245, 240, 220), DARK)
    canvas.text(200, 366, picture.lettering[0], 24)
    return canvas


def _sign(picture: Picture) -> Canvas:
    canvas, plate = Canvas(520, 290, (206, 226, 240)), COLOURS[picture.colour]
    canvas.box(0, 232, 520, 290, (120, 170, 96))
    for x in (120, 390):
        canvas.box(x, 150, x + 14, 276, GREY)
    canvas.box(50, 30, 470, 190, plate, DARK)
    canvas.box(58, 38, 462, 182, None, WHITE, 3)
    canvas.text(260, 82, picture.lettering[0], 30, WHITE)
    canvas.text(260, 140, picture.lettering[1], 34, WHITE)
    return canvas


def _statuette(picture: Picture) -> Canvas:
    canvas, metal = Canvas(400, 380, (232, 232, 236)), COLOURS[picture.colour]
    canvas.box(0, 320, 400, 380, (176, 150, 120))
    if picture.motif == "cup":
        canvas.oval(96, 50, 304, 190, None, metal, 10)
        canvas.shape([(130, 40), (270, 40), (246, 180), (154, 180)], metal, DARK)
    else:
        canvas.oval(176, 26, 224, 80, metal, DARK)
        canvas.shape([(150, 200), (176, 84), (224, 84), (250, 200)], metal, DARK)
    canvas.box(188, 180, 212, 236, metal, DARK)
    canvas.box(40, 236, 360, 322, (72, 56, 48), DARK)
    canvas.box(56, 254, 344, 304, (236, 222, 176))
    canvas.text(200, 279, picture.lettering[0], 24)
    return canvas


_DRAWERS: dict[str, Callable[[Picture], Canvas]] = {
    "car": _car,
    "portrait": _portrait,
    "stage": _stage,
    "poster": _poster,
    "cover": _cover,
    "crest": _crest,
    "sign": _sign,
    "statuette": _statuette,
}
