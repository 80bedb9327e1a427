"""Cell boxes of a table with drawn lines, by img2table on its picture."""

from __future__ import annotations

from io import BytesIO

import cv2
import numpy as np
from img2table.document import Image

from common.documents.geometry import Box


def ruled_cells(picture: np.ndarray, scale: float, origin: tuple[float, float]) -> list[list[list[Box]]]:
    """Grids of cell boxes (points, page origin), one per table in an RGB crop; `scale` is pixels per point."""
    ok, data = cv2.imencode(".png", picture[:, :, ::-1])
    if not ok:
        return []
    tables = Image(src=BytesIO(data.tobytes()), detect_rotation=False).extract_tables()
    grids = []
    for table in tables:
        rows = [[_box(cell.bbox, scale, origin) for cell in row] for row in table.content.values()]
        if len(rows) >= 2 and min(map(len, rows)) >= 2:
            grids.append(rows)
    return grids


def _box(bbox: object, scale: float, origin: tuple[float, float]) -> Box:
    x1, y1, x2, y2 = (getattr(bbox, side) / scale for side in ("x1", "y1", "x2", "y2"))
    return origin[0] + x1, origin[1] + y1, origin[0] + x2, origin[1] + y2
