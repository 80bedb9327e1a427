"""What makes one system of the paper differ from another: a frozen config, one YAML each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from common.prompting import Prompts
from common.settings import Count, CountFrom1, NonNegative, check, from_mapping

PROMPTS = Path(__file__).with_name("prompts")
Shape = Literal["closed_book", "one_shot", "pipeline", "single_agent"]


@dataclass(frozen=True)
class SearchConfig:
    """One retrieval round (KnowForge 3.1): hybrid anchors, one hop along typed relations, context."""

    topk: CountFrom1 = 8  # anchors
    candidates: CountFrom1 = 64  # fused entries among which the anchors are looked for: points share fragments
    bm25: bool = True
    dense: bool = True
    fusion: Literal["rrf", "minmax"] = "rrf"
    graph: bool = True
    graph_hits: Count = 4  # neighbours that may join the list
    context_window: Count = 1  # adjacent text fragments on each side of a hit
    media_window: Count = 2  # how far, in reading order, an attached figure or table may stand


@dataclass(frozen=True)
class PoolConfig:
    """The typed evidence pool (KnowForge 3.4). Sizes in `unit`; the text sub-pool takes the rest."""

    cap: CountFrom1 = 30_000
    unit: Literal["chars", "tokens"] = "chars"
    typed: bool = True
    image: Count = 3_000
    table: Count = 3_000
    example: Count = 2_000
    text_floor: Count = 4_000
    protected: Count = 3  # top hits of each search and type that go last

    def scaled(self, share: float) -> PoolConfig:
        """The pool with its cap and every sub-pool at `share` of its size."""
        sizes = {
            name: round(getattr(self, name) * share) for name in ("cap", "image", "table", "example", "text_floor")
        }
        return replace(self, **sizes)


@dataclass(frozen=True)
class LoopConfig:
    """The agent loop: what a round may cost and how much of a result the agent sees."""

    max_tokens: CountFrom1 = 300
    hits_shown: CountFrom1 = 8
    snippet_chars: CountFrom1 = 240
    result_chars: CountFrom1 = 4_000  # longest tool result shown to the agent
    tools: Literal["released", "strict"] = "released"


@dataclass(frozen=True)
class SystemConfig:
    """A system: its shape, its caps, and the settings of every job.

    `convention` names the benchmark's rule paragraph, guardrail and checker; `vision` is `endpoint` (image
    parts to a vision model) or `ocr` (the embedded reader: the text model answers from the asset's OCR).
    """

    name: str
    shape: Shape = "pipeline"
    locator_rounds: Count = 4
    reader_rounds: Count = 4
    judge: bool = True
    judge_chars: CountFrom1 = 8_000
    judge_queries: Count = 2
    template: Literal["ours", "short"] = "ours"
    convention: str = "m3docvqa"
    vision: Literal["endpoint", "ocr"] = "ocr"
    read_limit: CountFrom1 = 40  # images one read_media call may name
    judge_tokens: CountFrom1 = 300
    vision_tokens: CountFrom1 = 200
    answer_tokens: CountFrom1 = 1_000
    checker_tokens: CountFrom1 = 200
    answer_temperature: NonNegative = 0.3
    prompts: str | None = None  # a folder that overrides the packaged prompt files
    search: SearchConfig = field(default_factory=SearchConfig)
    pool: PoolConfig = field(default_factory=PoolConfig)
    loop: LoopConfig = field(default_factory=LoopConfig)

    def __post_init__(self) -> None:
        """Raises `ValueError` naming a field of another type or out of its range."""
        check(self, f"system {self.name}: field ")

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> SystemConfig:
        """Build from a parsed YAML. Raises `ValueError` naming an unknown or missing field."""
        return from_mapping(cls, data, "system")

    def load_prompts(self) -> Prompts:
        """The packaged texts, or those of the folder `prompts` where it has a file of the same name."""
        return Prompts.load(PROMPTS, self.prompts)
