"""The dual-process gate (FlowReader 3.5.2): is the first pass good enough, and if not, which edit is called for?"""

from __future__ import annotations

from collections.abc import Sequence

from flowreader.config import GateConfig
from flowreader.consistency import Consistency
from flowreader.records import Gate, Report, Trigger


def check_triggers(reports: Sequence[Report], consistency: Consistency, saturation: float, config: GateConfig) -> Gate:
    """T3: no supported answer. T2: c < tau. T1: sigma < xi. The first that holds, in this order, is acted on."""
    supported = sum(report.status == "supported" for report in reports)
    conditions: tuple[tuple[Trigger, bool], ...] = (
        ("T3", supported == 0),
        ("T2", consistency.value < config.consistency),
        ("T1", saturation < config.saturation),
    )
    holding = tuple(trigger for trigger, holds in conditions if holds)
    fired = holding[0] if holding else None
    return Gate(
        consistency.value,
        consistency.contradictions,
        consistency.pairs,
        round(saturation, 6),
        supported,
        holding,
        fired,
    )
