"""Boxes of figures, tables and captions by RapidLayout (its model ships in the wheel)."""

from __future__ import annotations

import logging
import os
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from common.documents.geometry import Box
from common.documents.page import Region, RegionKind

if TYPE_CHECKING:
    from rapid_layout import RapidLayout

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # onnxruntime reads it at import
LOWEST_SCORE = 0.4
KINDS: dict[str, RegionKind] = {
    "figure": "figure",
    "table": "table",
    "figure_caption": "caption",
    "table_caption": "caption",
}


@lru_cache(maxsize=2)
def _engine(threads: int) -> RapidLayout:
    from rapid_layout import RapidLayout

    logging.disable(logging.INFO)  # it announces its files at each start, whatever the level of its loggers
    try:
        return RapidLayout(conf_thresh=LOWEST_SCORE, engine_cfg={"intra_op_num_threads": threads})
    finally:
        logging.disable(logging.NOTSET)


def find_regions(image: np.ndarray, scale: float, *, threads: int = 2) -> tuple[Region, ...]:
    """Regions of a rendered RGB page (h, w, 3), in points; `scale` is pixels per point."""
    result = _engine(threads)(np.ascontiguousarray(image[:, :, ::-1]))
    if result.boxes is None or result.class_names is None or result.scores is None:
        return ()
    regions = []
    for corners, name, score in zip(result.boxes, result.class_names, result.scores, strict=True):
        kind = KINDS.get(name)
        if kind is not None:
            x0, y0, x1, y1 = (float(value) / scale for value in corners)
            box: Box = (x0, y0, x1, y1)
            regions.append(Region(kind, box, float(score)))
    return tuple(sorted(regions, key=lambda region: (-region.score, region.box)))
