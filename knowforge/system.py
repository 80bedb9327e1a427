"""What makes one system of the paper differ from another: a frozen config, one YAML each."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from common.prompting import Prompts

PROMPTS = Path(__file__).with_name("prompts")
Shape = Literal["closed_book", "one_shot", "pipeline", "single_agent"]


@dataclass(frozen=True)
class SearchConfig:
    """One retrieval round (KnowForge 3.1): hybrid anchors, one hop along typed relations, context."""

    topk: int = 8  # anchors
    candidates: int = 64  # depth of each ranking before fusion
    bm25: bool = True
    dense: bool = True
    fusion: Literal["rrf", "minmax"] = "rrf"
    graph: bool = True
    graph_hits: int = 4  # neighbours that may join the list
    context_window: int = 1  # adjacent text fragments on each side of a hit
    media_window: int = 2  # how far, in reading order, an attached figure or table may stand


@dataclass(frozen=True)
class PoolConfig:
    """The typed evidence pool (KnowForge 3.4). Sizes in `unit`; the text sub-pool takes the rest."""

    cap: int = 30_000
    unit: Literal["chars", "tokens"] = "chars"
    typed: bool = True
    image: int = 3_000
    table: int = 3_000
    example: int = 2_000
    text_floor: int = 4_000
    protected: int = 3  # top hits of each search and type that go last

    def scaled(self, share: float) -> PoolConfig:
        """The pool with its cap and every sub-pool at `share` of its size."""
        sizes = {
            name: round(getattr(self, name) * share) for name in ("cap", "image", "table", "example", "text_floor")
        }
        return dataclasses.replace(self, **sizes)


@dataclass(frozen=True)
class LoopConfig:
    """The agent loop: what a round may cost and how much of a result the agent sees."""

    max_tokens: int = 300
    hits_shown: int = 8
    snippet_chars: int = 240
    result_chars: int = 4_000  # longest tool result shown to the agent
    tools: Literal["released", "strict"] = "released"


@dataclass(frozen=True)
class SystemConfig:
    """A system: its shape, its caps, and the settings of every job.

    `convention` names the benchmark's rule paragraph, guardrail and checker; `vision` is `endpoint` (image
    parts to a vision model) or `ocr` (the embedded reader: the text model answers from the asset's OCR).
    """

    name: str
    shape: Shape = "pipeline"
    locator_rounds: int = 4
    reader_rounds: int = 4
    judge: bool = True
    judge_chars: int = 8_000
    judge_queries: int = 2
    template: Literal["ours", "short"] = "ours"
    convention: str = "m3docvqa"
    vision: Literal["endpoint", "ocr"] = "ocr"
    read_limit: int = 40  # images one read_media call may name
    judge_tokens: int = 300
    vision_tokens: int = 200
    answer_tokens: int = 1_000
    checker_tokens: int = 200
    answer_temperature: float = 0.3
    prompts: str | None = None  # a folder that overrides the packaged prompt files
    search: SearchConfig = field(default_factory=SearchConfig)
    pool: PoolConfig = field(default_factory=PoolConfig)
    loop: LoopConfig = field(default_factory=LoopConfig)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> SystemConfig:
        """Build from a parsed YAML. Raises `ValueError` naming an unknown or missing field."""
        return _build(cls, data, "system")

    def load_prompts(self) -> Prompts:
        """The packaged texts, or those of the folder `prompts` where it has a file of the same name."""
        return Prompts.load(PROMPTS, self.prompts)

    def to_mapping(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def config_hash(system: SystemConfig, prompts_sha256: str, base_sha256: str = "") -> str:
    """16 hex digits over the system's fields, its prompt texts and the knowledge base it ran on."""
    fields = system.to_mapping()
    fields["prompts"] = prompts_sha256
    fields["base"] = base_sha256
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


Config = TypeVar("Config", SystemConfig, SearchConfig, PoolConfig, LoopConfig)
_NESTED: dict[str, type[Any]] = {"search": SearchConfig, "pool": PoolConfig, "loop": LoopConfig}


def _build(cls: type[Config], data: Mapping[str, Any], place: str) -> Config:
    known = {f.name for f in dataclasses.fields(cls)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise ValueError(f"{place}: unknown field {', '.join(unknown)}; known fields: {', '.join(sorted(known))}")
    if cls is SystemConfig and "name" not in data:
        raise ValueError(f"{place}: field 'name' is missing")
    values = {
        name: _build(_NESTED[name], value, f"{place}.{name}") if name in _NESTED and cls is SystemConfig else value
        for name, value in data.items()
    }
    return cls(**values)
