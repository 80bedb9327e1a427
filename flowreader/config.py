"""What makes one variant of FlowReader differ from another: a frozen config, one YAML each.

The defaults are the paper's (table 5, 6) and, where it is silent or contradicts itself, the decisions of README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from common.benchmarks.question import NOT_ANSWERABLE
from common.settings import Count, CountFrom1, NonNegative, Positive, Range, Share, ShareAbove0, check, from_mapping
from flowreader.replicator import ReplicatorConfig
from flowreader.scoring import ScoringConfig

Shape = Literal["flow", "topk", "zero_shot", "gold", "gold_agree", "gold_contrary"]
CONTROLS: tuple[Shape, ...] = ("gold", "gold_agree", "gold_contrary")


@dataclass(frozen=True)
class RoutingConfig:
    """Anchors and flow network (3.4, table 5)."""

    sources: CountFrom1 = 8
    sinks: CountFrom1 = 8
    overlap: bool = False  # sinks among all nodes, sources too, as 3.4 prints it
    trade_off: ShareAbove0 = 0.70  # lambda of MMR
    source_share: ShareAbove0 = 0.5  # S takes at most this share of the scored nodes, so that a small graph keeps sinks
    demand: Annotated[float, Range(high=1e6, above=True)] = 6.0  # F
    most_paths: CountFrom1 = 60  # taken off the flow
    within_documents: bool = True  # a question that names its documents is answered from them alone
    length_of: Literal["summary", "text"] = "summary"  # what rho measures
    when_unrouted: Literal["sources", "nothing"] = "sources"  # read the sources alone when no flow reaches a sink


@dataclass(frozen=True)
class ReadingConfig:
    """Workers, consistency and synthesis (3.5.2). Sizes in characters and tokens."""

    worker_chars: CountFrom1 = 6_000  # of evidence given to one worker
    node_chars: CountFrom1 = 2_500  # of one node in it
    vision: Literal["ocr", "endpoint"] = "ocr"
    worker_tokens: CountFrom1 = 250
    worker_timeout_s: Positive | None = None  # None: the model profile's own limit
    pairs: Count = 3  # consistency calls, over the largest clusters of answers
    consistency_tokens: CountFrom1 = 5
    evidence_nodes: Count = 2  # key evidence of a path for the synthesiser: its nodes of highest h
    evidence_chars: Count = 600
    synthesis_chars: CountFrom1 = 12_000
    synthesis_tokens: CountFrom1 = 500
    keywords: bool = True  # ask the model for the BM25 query; off: the question itself
    keyword_tokens: CountFrom1 = 120
    answer_guide: str = ""  # on the wanted length of the answer
    refusal: str = NOT_ANSWERABLE  # when there is no evidence at all
    zero_shot_chars: CountFrom1 = 20_000


@dataclass(frozen=True)
class GateConfig:
    """When System 2 starts (3.5.2, table 5)."""

    consistency: Share = 0.65  # tau
    saturation: Share = 0.60  # xi


@dataclass(frozen=True)
class RefinementConfig:
    """The edits of System 2 (appendix C, table 5)."""

    bridge_pairs: Count = 16  # scored pairs across the min cut
    bridge_candidates: Literal["boundary", "cut_arcs"] = "boundary"
    bridge_above: Share = 0.10
    decile: Share = 0.10  # share of the arcs with flow that T2 scores again
    rescored: Count = 16  # edge-scorer calls at most
    seeds: Count = 8  # new sources of T3
    bfs_roots: Count = 1
    bfs_depth: Count = 2
    damping: Share = 0.6
    bound: Share = 0.30
    boost: Share = 0.10  # added to h of nodes cited by supported answers, for the second choice of paths
    passage_chars: CountFrom1 = 1_200  # of a passage shown to a scorer
    bridge_tokens: CountFrom1 = 20
    edge_tokens: CountFrom1 = 8
    temperature: NonNegative = 0.2


@dataclass(frozen=True)
class BudgetConfig:
    """Model calls a query may make: in System 1 alone, and in all."""

    system1: CountFrom1 = 16
    total: CountFrom1 = 48


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
        check(self, f"variant {self.name}: field ")
        if not any(self.scoring.weights):
            raise ValueError(f"variant {self.name}: field scoring.weights: all are 0, no node would have a score")
        _check_budget(self)

    @property
    def reads_paths(self) -> bool:
        return self.shape in ("flow", "topk")

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> FlowReaderConfig:
        """Build from a parsed YAML. Raises `ValueError` naming an unknown or missing field."""
        return from_mapping(cls, data, "variant")


def _check_budget(config: FlowReaderConfig) -> None:
    """Raises `ValueError` for limits that contradict each other, or under which no path could be read.

    Consistency and synthesis keep their calls, so what they and the keywords take is not the workers'.
    """
    budget, reading = config.budget, config.reading
    place = f"variant {config.name}: field budget.system1: {budget.system1}"
    if budget.system1 > budget.total:
        raise ValueError(f"{place} is more than budget.total, {budget.total}")
    if not config.reads_paths:
        return
    others = {"keywords": int(reading.keywords), "reading.pairs": reading.pairs, "synthesis": 1}
    if budget.system1 <= sum(others.values()):
        taken = ", ".join(f"{name} {calls}" for name, calls in others.items())
        raise ValueError(
            f"{place} leaves no call for a worker ({taken}): set it to {sum(others.values()) + 1} or more, or lower "
            "reading.pairs"
        )
