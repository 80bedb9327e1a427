"""What a reader may change about parsing, and which of it changes the result."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

PARSER_VERSION = 1  # raise when the same bytes and options give other fragments: stored documents are then redone
THROUGHPUT = ("threads", "workers")  # change the speed, not the result: no part of the key


@dataclass(frozen=True)
class ParseOptions:
    """Settings of a parse. Lengths are PDF points unless named otherwise."""

    ocr: bool = True  # read pages without a text layer, and the text inside pictures
    layout: bool = True  # find figures and tables with the layout model; off: raster images and text tables only
    words_per_fragment: int = 180
    render_dpi: int = 144  # of layout input and crops
    ocr_pages_below: int = 80  # a page with fewer characters of its own is read by OCR
    ocr_media_below: int = 20  # a crop with fewer characters of its own is read by OCR
    figure_score: float = 0.45  # least confidence of a figure box
    table_score: float = 0.5
    repeated_share: float = 0.4  # a line or picture on this share of the pages is furniture
    context_words: int = 40  # of page prose given to a media fragment
    threads: int = 2  # of each ONNX session
    workers: int = 1  # documents parsed at a time; more than one starts processes

    def digest(self) -> str:
        """sha256 of everything that changes the result."""
        fields = {name: value for name, value in asdict(self).items() if name not in THROUGHPUT}
        payload = json.dumps({"version": PARSER_VERSION, **fields}, sort_keys=True)
        return hashlib.sha256(payload.encode()).hexdigest()
