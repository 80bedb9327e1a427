"""The run record: everything one question's run did, and all that the tables read.

One record is one JSON line of a trace. Fields map onto the released KnowForge runner's result
file (`search_hits`, `bridge`, `fit`, `final_check`, ...).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal


@dataclass(frozen=True)
class Hit:
    """One ranked hit. `score` is the fused score on 0-10; `anchor` is the hit a graph neighbour came from."""

    fragment_id: str
    document_id: str
    page: int
    kind: str
    score: float
    cosine: float
    bm25: float
    from_graph: bool = False
    anchor: str | None = None


@dataclass(frozen=True)
class Search:
    """One search call. `issuer`: locator, judge, agent (P0), system (one shot) or fallback."""

    query: str
    issuer: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class Verdict:
    """The bridge judge's decision (KnowForge 3.3)."""

    need_more: bool
    bridge_entities: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class PoolStats:
    """The evidence pool as it was handed to the synthesizer; sizes in `unit`."""

    unit: str
    cap: int
    total: int  # size of everything offered, before trimming
    kept: int
    dropped: int  # blocks evicted
    kept_ids: tuple[str, ...]
    used: dict[str, int] = field(default_factory=dict)  # sub-pool -> size


@dataclass(frozen=True)
class ToolCall:
    """One tool call of an agent, searches included. `fragments` are the ids it named or returned."""

    stage: str
    tool: str
    args: dict[str, Any]
    ok: bool
    fragments: tuple[str, ...] = ()
    model_calls: int = 0  # vision calls made by the tool


@dataclass(frozen=True)
class Stage:
    """One agent loop: rounds used, its cap, why it stopped (final, cap, bad_json, repeat, failed)."""

    name: str
    rounds: int
    cap: int
    stop: str


@dataclass(frozen=True)
class Usage:
    """Model calls and tokens of one stage; `seconds` is recorded latency, the same in replay."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """What both took together; `sum(usages, Usage())` is what all took."""
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            round(self.seconds + other.seconds, 3),
            round(self.cost + other.cost, 9),
        )


@dataclass(frozen=True)
class RunLabel:
    """What a run is filed under; `context` is how a replay miss names it."""

    benchmark: str
    model: str
    commit: str = "unknown"
    sample: int = 0
    context: str = ""


@dataclass(frozen=True)
class RunRecord:
    """One question's run. `answer_before` is the synthesizer's final line, `answer` the checker's.

    `facts` is what the method alone knows and its own tables read, as plain JSON values. A text in it counts as free
    text, which a redacted record may not hold, unless it stands below a field that `facts["open"]` lists by name.
    """

    question_id: str
    benchmark: str
    method: str
    system: str
    model: str
    config_hash: str
    commit: str
    status: Literal["done", "failed"]
    answer: tuple[str, ...] = ()
    answer_before: str = ""
    answer_text: str = ""
    answer_visible: bool = False  # a gold string stands in the pool's text
    searches: tuple[Search, ...] = ()
    tools: tuple[ToolCall, ...] = ()
    stages: tuple[Stage, ...] = ()
    verdict: Verdict | None = None
    pool: PoolStats | None = None
    usage: dict[str, Usage] = field(default_factory=dict)  # stage -> usage
    first_event_s: float | None = None
    answer_start_s: float | None = None
    elapsed_s: float = 0.0
    sample: int = 0
    errors: tuple[str, ...] = ()
    redacted: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        if not data["facts"]:
            del data["facts"]  # a method without facts writes the lines it always wrote
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> RunRecord:
        """Inverse of `to_json`. Raises `KeyError`/`TypeError` on fields that do not fit."""
        data = dict(data)
        data["searches"] = tuple(Search(s["query"], s["issuer"], tuple(map(_hit, s["hits"]))) for s in data["searches"])
        data["tools"] = tuple(ToolCall(**{**t, "fragments": tuple(t["fragments"])}) for t in data["tools"])
        data["stages"] = tuple(Stage(**s) for s in data["stages"])
        if data["verdict"] is not None:
            verdict = data["verdict"]
            data["verdict"] = Verdict(
                verdict["need_more"], tuple(verdict["bridge_entities"]), tuple(verdict["queries"]), verdict["reason"]
            )
        if data["pool"] is not None:
            data["pool"] = PoolStats(**{**data["pool"], "kept_ids": tuple(data["pool"]["kept_ids"])})
        data["usage"] = {stage: Usage(**usage) for stage, usage in data["usage"].items()}
        for name in ("answer", "errors"):
            data[name] = tuple(data[name])
        return cls(**data)


_HIT_FIELDS = frozenset(f.name for f in fields(Hit))


def _hit(data: dict[str, Any]) -> Hit:
    """`Hit(**data)`, without the frozen class's setter for each field: a large trace holds a million hits."""
    if data.keys() != _HIT_FIELDS:
        return Hit(**data)
    hit = object.__new__(Hit)
    hit.__dict__.update(data)
    return hit
