"""What `record` and `verify` drive, whichever method it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from common.benchmarks.question import Question
from common.records import RunLabel, RunRecord
from common.traces import TraceKey


class Runner(Protocol):
    """Runs one question under one system; model failures are in the record, a replay miss is raised."""

    @property
    def method(self) -> str: ...

    @property
    def systems(self) -> Sequence[str]: ...

    def config(self, system: str) -> dict[str, Any]:
        """What the system's runs depend on: `config_hash`, and its parts `system`, `prompts` (hashes) and `base`."""
        ...

    async def run(self, question: Question, system: str, sample: int) -> RunRecord: ...


def run_label(label: RunLabel, method: str, system: str, sample: int) -> RunLabel:
    """A runner's label for one of its runs: its sample, and its trace as the context of replay misses."""
    return replace(label, sample=sample, context=str(TraceKey(label.benchmark, label.model, method, system)))
