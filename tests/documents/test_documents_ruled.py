"""Cells of a table with drawn lines; also holds that the installed opencv has what img2table needs."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from common.documents.ruled import ruled_cells

XS, YS = (20, 170, 320, 470), (20, 70, 120, 170, 220)


def picture() -> np.ndarray:
    image = Image.new("RGB", (500, 250), "white")
    draw = ImageDraw.Draw(image)
    for x in XS:
        draw.line([(x, YS[0]), (x, YS[-1])], fill="black", width=2)
    for y in YS:
        draw.line([(XS[0], y), (XS[-1], y)], fill="black", width=2)
    for row, y in enumerate(YS[:-1]):
        for column, x in enumerate(XS[:-1]):
            draw.text((x + 20, y + 12), f"cell {row}{column}", fill="black", font=ImageFont.load_default(20))
    return np.asarray(image)


def test_drawn_lines_give_the_grid_in_page_points() -> None:
    [grid] = ruled_cells(picture(), 2.0, (100.0, 50.0))
    assert [len(row) for row in grid] == [3] * 4
    assert grid[0][0] == pytest.approx((110, 60, 185, 85), abs=3)
    assert grid[3][2] == pytest.approx((260, 135, 335, 160), abs=3)


def test_a_blank_picture_has_no_table() -> None:
    assert ruled_cells(np.full((120, 200, 3), 255, dtype=np.uint8), 2.0, (0.0, 0.0)) == []
