"""How an evidence graph is built: every choice the paper leaves open is a field (FlowReader appendix A)."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ConstructionOptions:
    """`model` off: extractive summaries and semantic links, no call. Lengths in words unless named otherwise."""

    model: bool = True
    rounds: int = 3  # T
    window: int = 2  # reading-order links |i - j| <= window: three chunks, w = 3
    neighbours: int = 5  # semantic neighbours offered to Evolve
    r_min: float = 0.22
    prune_each_round: bool = False  # off: weak links go once, after the last round
    across_documents: bool = True  # semantic links may leave a document
    vision: Literal["ocr", "endpoint"] = "ocr"  # Analyze sees the text read from a picture, or the picture
    text_chars: int = 4_000  # of a unit shown to Analyze
    neighbour_chars: int = 240  # of a neighbour's summary shown to Evolve
    most_keywords: int = 40
    extract_keywords: int = 8
    extract_words: int = 40
    analysis_words: int = 60
    summary_words: int = 30  # longest summary Evolve may write
    analyze_tokens: int = 400
    evolve_tokens: int = 300
    concurrency: int = 16  # nodes in flight; the model's profile has its own limit

    def __post_init__(self) -> None:
        if not 0.0 <= self.r_min < 1.0 or self.rounds < 0 or self.window < 0 or self.concurrency < 1:
            raise ValueError("construction: r_min in [0, 1), rounds >= 0, window >= 0 and concurrency >= 1 are needed")

    def digest(self) -> str:
        """16 hex digits over everything that changes the graph."""
        fields = {name: value for name, value in dataclasses.asdict(self).items() if name != "concurrency"}
        return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]
