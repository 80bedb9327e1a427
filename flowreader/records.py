"""What a FlowReader run did beyond `common.records.RunRecord`: paths, saturation, gate, edits, calls.

`FlowRecord` holds both. Node ids are fragment ids; all floats are rounded to 6 digits.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any, Literal

from common.records import RunRecord
from flowreader.grading import Judgement

WorkerStatus = Literal["supported", "not_reported", "unreadable", "lost", "over_budget"]
Trigger = Literal["T1", "T2", "T3"]

# Fields whose texts are ids, labels, answers or sentences of ours: `redact` leaves them, and hashes all others.
OPEN = (
    "question_id", "model", "nodes", "sources", "sinks", "seeds", "bridges", "rescored", "status", "answer", "trigger",
    "holding", "fired", "note",
)  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What a worker said of one path. Only `supported` and `not_reported` are answers that could be read."""

    nodes: tuple[str, ...]
    status: WorkerStatus
    answer: str = ""
    evidence: str = ""
    raw: str = ""  # the reply of an unreadable one


@dataclass(frozen=True)
class PathFacts:
    """One candidate path; `nodes` are places in the pass's `nodes`, `kept` its rank among the chosen or None."""

    nodes: tuple[int, ...]
    flow: float
    quality: float
    population: float
    kept: int | None = None


@dataclass(frozen=True)
class Pass:
    """One solve. `steps` are iterations of phi, psi and the replicator; `note` says why nothing was routed."""

    nodes: tuple[str, ...]  # every node on a path
    sources: tuple[str, ...]
    sinks: tuple[str, ...]
    saturation: float
    routed: float
    cost: float
    leftover: float
    paths: tuple[PathFacts, ...]
    extinct: int
    capped: int
    overlap_with_quality: float
    steps: dict[str, int]
    reports: tuple[Report, ...] = ()
    note: str = ""

    @property
    def read(self) -> list[PathFacts]:
        """The chosen paths, which workers were given, by their rank."""
        return sorted((path for path in self.paths if path.kept is not None), key=lambda path: path.kept or 0)

    def ids_of(self, path: PathFacts) -> tuple[str, ...]:
        """The node ids along a path of this pass."""
        return tuple(self.nodes[place] for place in path.nodes)


@dataclass(frozen=True)
class Gate:
    """What the gate saw: c over `pairs` judged pairs, sigma, the triggers that hold, and the one acted on."""

    consistency: float
    contradictions: int
    pairs: int
    saturation: float
    supported: int
    holding: tuple[Trigger, ...] = ()
    fired: Trigger | None = None


@dataclass(frozen=True)
class Edit:
    """What System 2 changed. Links and arcs are (node id, node id, score by the model)."""

    trigger: Trigger
    bridges: tuple[tuple[str, str, float], ...] = ()  # accepted ones
    bridges_scored: int = 0
    rescored: tuple[tuple[str, str, float], ...] = ()
    seeds: tuple[str, ...] = ()
    note: str = ""

    @property
    def changed(self) -> bool:
        return bool(self.bridges or self.rescored or self.seeds)


@dataclass(frozen=True)
class FlowRecord:
    """One question's run. `calls` and `skipped` are the ledger by stage; the limits are those of its config.

    `judgements` are the accuracy judge's, made after the run: they are in no ledger.
    """

    run: RunRecord
    keywords: str = ""  # the BM25 query
    passes: tuple[Pass, ...] = ()
    gate: Gate | None = None
    edit: Edit | None = None
    calls: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    judgements: tuple[Judgement, ...] = ()

    @property
    def calls_made(self) -> int:
        return sum(self.calls.values())

    @property
    def points(self) -> float | None:
        """The share of its verdicts that say right, per cent; None without a verdict or with an unreadable one."""
        verdicts = [judgement.correct for judgement in self.judgements]
        return 100.0 * fmean(map(bool, verdicts)) if verdicts and None not in verdicts else None

    def to_run(self) -> RunRecord:
        """As one record of a trace: what is FlowReader's own goes into its `facts`."""
        facts = {name: value for name, value in self.to_json().items() if name != "run"}
        return replace(self.run, facts={"open": list(OPEN), **facts})

    @classmethod
    def from_run(cls, run: RunRecord) -> FlowRecord:
        """Inverse of `to_run`, of a redacted record too. Raises `ValueError` for a record of another method."""
        if run.method != "flowreader" or "passes" not in run.facts:
            raise ValueError(f"question {run.question_id}: a record of {run.method}-{run.system} is none of FlowReader")
        bare = replace(run, facts={})
        return cls.from_json({**run.facts, "run": bare.to_json()})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> FlowRecord:
        """Inverse of `to_json`. Raises `KeyError`/`TypeError` on fields that do not fit."""
        gate, edit = data["gate"], data["edit"]
        return cls(
            run=RunRecord.from_json(data["run"]),
            keywords=data["keywords"],
            passes=tuple(_pass(p) for p in data["passes"]),
            gate=Gate(**{**gate, "holding": tuple(gate["holding"])}) if gate is not None else None,
            edit=_edit(edit) if edit is not None else None,
            calls=dict(data["calls"]),
            skipped=dict(data["skipped"]),
            judgements=tuple(Judgement(**j) for j in data["judgements"]),
        )


def _pass(data: dict[str, Any]) -> Pass:
    paths = tuple(PathFacts(**{**p, "nodes": tuple(p["nodes"])}) for p in data["paths"])
    reports = tuple(Report(**{**r, "nodes": tuple(r["nodes"])}) for r in data["reports"])
    ids = {name: tuple(data[name]) for name in ("nodes", "sources", "sinks")}
    return Pass(**{**data, **ids, "paths": paths, "reports": reports})


def _edit(data: dict[str, Any]) -> Edit:
    scored = {name: tuple((u, v, s) for u, v, s in data[name]) for name in ("bridges", "rescored")}
    return Edit(**{**data, **scored, "seeds": tuple(data["seeds"])})
