"""Text of pictures by RapidOCR (PP-OCR models that ship in its wheel)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from common.documents.errors import DocumentError
from common.documents.geometry import Box
from common.documents.page import Word
from common.documents.reading_order import lines_of

if TYPE_CHECKING:
    from rapidocr import RapidOCR

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # onnxruntime reads it at import
LONG_SIDE = 1280  # pixels the text detector sees; larger costs time, smaller loses small print


@lru_cache(maxsize=2)
def _engine(threads: int) -> RapidOCR:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,  # upside-down scans are rare and the check is paid on every line
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "Det.limit_type": "max",
            "Det.limit_side_len": LONG_SIDE,
        }
    )


def read_words(image: np.ndarray, *, threads: int = 2) -> tuple[Word, ...]:
    """Text boxes of an RGB picture (h, w, 3), in pixels; one Word may hold several words."""
    if min(image.shape[:2]) < 8:
        return ()
    result = _engine(threads)(np.ascontiguousarray(image[:, :, ::-1]))
    boxes, texts = getattr(result, "boxes", None), getattr(result, "txts", None)  # the result's type varies by mode
    if boxes is None or texts is None:
        return ()
    words = []
    for corners, text in zip(boxes, texts, strict=True):
        (x0, y0), (x1, y1) = np.min(corners, axis=0), np.max(corners, axis=0)
        box: Box = (float(x0), float(y0), float(x1), float(y1))
        if text.strip():
            words.append(Word(" ".join(text.split()), box))
    return tuple(words)


def read_picture(image: np.ndarray, *, threads: int = 2) -> str:
    """The text of an RGB picture, one text line per line, in reading order."""
    return join(read_words(image, threads=threads))


def join(words: Sequence[Word]) -> str:
    """Text of OCR boxes, one line per text line, in reading order."""
    return "\n".join(line.text for line in lines_of(words))


def decode_picture(data: bytes, name: str) -> np.ndarray:
    """RGB pixels of an encoded picture; DocumentError when it is none."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if pixels is None:
        raise DocumentError(f"{name}: not a picture that can be decoded (PNG, JPEG, WebP, BMP, TIFF)")
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
