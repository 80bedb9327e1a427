"""Which values a variant's numbers may take, and whether its budget leaves a call for the workers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flowreader.config import FlowReaderConfig


@dataclass(frozen=True)
class Range:
    """An interval; `above` and `below` leave its ends out."""

    low: float = 0.0
    high: float = math.inf
    above: bool = False
    below: bool = False

    def __contains__(self, value: float) -> bool:
        over = value > self.low if self.above else value >= self.low
        return over and (value < self.high if self.below else value <= self.high)

    def __str__(self) -> str:
        low = f"{'above' if self.above else 'at least'} {self.low:g}"
        return low if math.isinf(self.high) else f"{low} and {'below' if self.below else 'at most'} {self.high:g}"


SHARE, FROM_0, FROM_1, ABOVE_0 = Range(high=1.0), Range(), Range(1.0), Range(above=True)
BELOW_1, PART = Range(high=1.0, below=True), Range(high=1.0, above=True)
RANGES: dict[str, dict[str, Range]] = {
    "scoring": {
        "alpha": SHARE, "alpha_phi": BELOW_1, "phi_tolerance": ABOVE_0, "phi_rounds": FROM_1, "damping": BELOW_1,
        "psi_tolerance": ABOVE_0, "psi_seeds": FROM_1, "weights": FROM_0, "visual_bonus": FROM_0,
    },
    "routing": {
        "sources": FROM_1, "sinks": FROM_1, "trade_off": PART, "source_share": PART,
        "demand": Range(high=1e6, above=True), "most_paths": FROM_1,
    },
    "replicator": {
        "exponents": FROM_0, "epsilon": BELOW_1, "tolerance": FROM_0, "iterations": FROM_0, "extinct": BELOW_1,
        "most": FROM_1,
    },
    "reading": {
        "worker_chars": FROM_1, "node_chars": FROM_1, "worker_tokens": FROM_1, "worker_timeout_s": ABOVE_0,
        "pairs": FROM_0, "consistency_tokens": FROM_1, "evidence_nodes": FROM_0, "evidence_chars": FROM_0,
        "synthesis_chars": FROM_1, "synthesis_tokens": FROM_1, "keyword_tokens": FROM_1, "zero_shot_chars": FROM_1,
    },
    "gate": {"consistency": SHARE, "saturation": SHARE},
    "refinement": {
        "bridge_pairs": FROM_0, "bridge_above": SHARE, "decile": SHARE, "rescored": FROM_0, "seeds": FROM_0,
        "bfs_roots": FROM_0, "bfs_depth": FROM_0, "damping": SHARE, "bound": SHARE, "boost": SHARE,
        "passage_chars": FROM_1, "bridge_tokens": FROM_1, "edge_tokens": FROM_1, "temperature": FROM_0,
    },
    "budget": {"system1": FROM_1, "total": FROM_1},
}  # fmt: skip


def check_ranges(config: FlowReaderConfig) -> None:
    """Raises `ValueError` naming the first field out of its range."""
    for group, ranges in RANGES.items():
        for name, range_ in ranges.items():
            value = getattr(getattr(config, group), name)
            if any(number not in range_ for number in _numbers(value)):
                raise ValueError(f"variant {config.name}: field '{group}.{name}' is {value!r}, {range_} is needed")
    if not any(config.scoring.weights):
        raise ValueError(f"variant {config.name}: field 'scoring.weights' is all 0, no node would have a score")


def check_budget(config: FlowReaderConfig) -> None:
    """Raises `ValueError` for limits that contradict each other, or under which no path could be read.

    Consistency and synthesis keep their calls, so what they and the keywords take is not the workers'.
    """
    budget, reading = config.budget, config.reading
    if budget.system1 > budget.total:
        raise ValueError(
            f"variant {config.name}: field 'budget.system1' is {budget.system1}, more than budget.total {budget.total}"
        )
    if config.shape == "zero_shot":
        return
    others = {"keywords": int(reading.keywords), "reading.pairs": reading.pairs, "synthesis": 1}
    if budget.system1 <= sum(others.values()):
        taken = ", ".join(f"{name} {calls}" for name, calls in others.items())
        raise ValueError(
            f"variant {config.name}: field 'budget.system1' is {budget.system1} and leaves no call for a worker "
            f"({taken}): set it to {sum(others.values()) + 1} or more, or lower reading.pairs"
        )


def _numbers(value: Any) -> Sequence[float]:
    if value is None:  # a limit that is not set
        return ()
    return value if isinstance(value, tuple) else (value,)
