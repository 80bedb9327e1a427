"""What makes one variant of FlowReader differ from another: a frozen config, one YAML each.

The defaults are the paper's (table 5, 6) and, where it is silent or contradicts itself, the decisions of README.md.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from common.field_types import check_types
from flowreader.limits import check_budget, check_ranges
from flowreader.replicator import ReplicatorConfig
from flowreader.scoring import ScoringConfig

Shape = Literal["flow", "topk", "zero_shot"]


@dataclass(frozen=True)
class RoutingConfig:
    """Anchors and flow network (3.4, table 5)."""

    sources: int = 8
    sinks: int = 8
    trade_off: float = 0.70  # lambda of MMR
    source_share: float = 0.5  # S takes at most this share of the scored nodes, so that a small graph keeps sinks
    demand: float = 6.0  # F
    most_paths: int = 60  # taken off the flow
    within_documents: bool = True  # a question that names its documents is answered from them alone
    length_of: Literal["summary", "text"] = "summary"  # what rho measures
    when_unrouted: Literal["sources", "nothing"] = "sources"  # read the sources alone when no flow reaches a sink


@dataclass(frozen=True)
class ReadingConfig:
    """Workers, consistency and synthesis (3.5.2). Sizes in characters and tokens."""

    worker_chars: int = 6_000  # of evidence given to one worker
    node_chars: int = 2_500  # of one node in it
    vision: Literal["ocr", "endpoint"] = "ocr"
    worker_tokens: int = 250
    worker_timeout_s: float | None = None  # None: the model profile's own limit
    pairs: int = 3  # consistency calls, over the largest clusters of answers
    consistency_tokens: int = 5
    evidence_nodes: int = 2  # key evidence of a path for the synthesiser: its nodes of highest h
    evidence_chars: int = 600
    synthesis_chars: int = 12_000
    synthesis_tokens: int = 500
    keywords: bool = True  # ask the model for the BM25 query; off: the question itself
    keyword_tokens: int = 120
    answer_guide: str = ""  # on the wanted length of the answer
    refusal: str = "Not answerable"  # when there is no evidence at all
    zero_shot_chars: int = 20_000


@dataclass(frozen=True)
class GateConfig:
    """When System 2 starts (3.5.2, table 5)."""

    consistency: float = 0.65  # tau
    saturation: float = 0.60  # xi


@dataclass(frozen=True)
class RefinementConfig:
    """The edits of System 2 (appendix C, table 5)."""

    bridge_pairs: int = 16  # scored pairs across the min cut
    bridge_candidates: Literal["boundary", "cut_arcs"] = "boundary"
    bridge_above: float = 0.10
    decile: float = 0.10  # share of the arcs with flow that T2 scores again
    rescored: int = 16  # edge-scorer calls at most
    seeds: int = 8  # new sources of T3
    bfs_roots: int = 1
    bfs_depth: int = 2
    damping: float = 0.6
    bound: float = 0.30
    boost: float = 0.10  # added to h of nodes cited by supported answers, for the second choice of paths
    passage_chars: int = 1_200  # of a passage shown to a scorer
    bridge_tokens: int = 20
    edge_tokens: int = 8
    temperature: float = 0.2


@dataclass(frozen=True)
class BudgetConfig:
    """Model calls a query may make: in System 1 alone, and in all."""

    system1: int = 16
    total: int = 48


@dataclass(frozen=True)
class FlowReaderConfig:
    """A variant: its shape, whether System 2 exists, and the settings of every stage."""

    name: str
    shape: Shape = "flow"
    system2: bool = True
    prompts: str | None = None  # a folder that overrides the packaged prompt files
    scoring: ScoringConfig = field(default_factory=ScoringConfig)
    routing: RoutingConfig = field(default_factory=RoutingConfig)
    replicator: ReplicatorConfig = field(default_factory=ReplicatorConfig)
    reading: ReadingConfig = field(default_factory=ReadingConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    refinement: RefinementConfig = field(default_factory=RefinementConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)

    def __post_init__(self) -> None:
        """Raises `ValueError` naming a field of another type, out of its range, or against the budget."""
        check_types(self, f"variant {self.name}: field ")
        check_ranges(self)
        check_budget(self)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> FlowReaderConfig:
        """Build from a parsed YAML. Raises `ValueError` naming an unknown or missing field."""
        if not data.get("name"):
            raise ValueError("variant: field 'name' is missing")
        return cls(**{key: _value(_field_type(cls, key, "variant"), key, value) for key, value in data.items()})

    def to_mapping(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def config_hash(config: FlowReaderConfig, prompts_sha256: str, graph_sha256: str = "") -> str:
    """16 hex digits over the variant's fields, its prompt texts and the graph it ran on."""
    fields = {**config.to_mapping(), "prompts": prompts_sha256, "graph": graph_sha256}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


_GROUPS: dict[str, type[Any]] = {
    "scoring": ScoringConfig, "routing": RoutingConfig, "replicator": ReplicatorConfig, "reading": ReadingConfig,
    "gate": GateConfig, "refinement": RefinementConfig, "budget": BudgetConfig,
}  # fmt: skip


def _value(group: type[Any] | None, place: str, value: Any) -> Any:
    if group is None:
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"variant.{place}: {value!r} is no mapping of fields")
    known = {
        name: _plain(inner) for name, inner in value.items() if _field_type(group, name, f"variant.{place}") is None
    }
    return group(**known)


def _field_type(cls: type[Any], name: str, place: str) -> type[Any] | None:
    """The nested config of a field, None for a plain one. Raises `ValueError` for an unknown field."""
    known = sorted(f.name for f in dataclasses.fields(cls))
    if name not in known:
        raise ValueError(f"{place}: unknown field {name!r}; known fields: {', '.join(known)}")
    return _GROUPS.get(name) if cls is FlowReaderConfig else None


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
