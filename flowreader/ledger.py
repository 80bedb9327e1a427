"""The call ledger of one query: every model call is counted before it is made, and none is made over a limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from flowreader.config import BudgetConfig


class OverBudget(Exception):
    """A call that was not made because the query's limit is reached."""


@dataclass
class Ledger:
    """Calls by stage. System 1 may make `limits.system1`, the whole query `limits.total`.

    A request counts once, however often the model client has to repeat it.
    """

    limits: BudgetConfig
    calls: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)  # calls that would have been over a limit
    refining: bool = False  # System 2 has begun

    @property
    def made(self) -> int:
        return sum(self.calls.values())

    @property
    def left(self) -> int:
        """Calls that may still be made in the current system."""
        return (self.limits.total if self.refining else self.limits.system1) - self.made

    def spend(self, stage: str) -> None:
        """Count one call. Raises `OverBudget`, having counted it as skipped, when the limit is reached."""
        if self.left <= 0:
            self.skipped[stage] += 1
            limit = self.limits.total if self.refining else self.limits.system1
            raise OverBudget(f"stage {stage}: {limit} calls are made, the limit of this query")
        self.calls[stage] += 1
