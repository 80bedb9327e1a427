"""KnowForge, Table 8: what the agents use of their round caps, and the time that takes.

    python -m experiments regenerate table08_cap_usage

Reads the run records of S4 (0+0), M5 (4+4) and M5-L+R on the questions that all recorded ones finished. The paper
does not say what "at cap" is, so both readings stand beside the printed share.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import summarise
from experiments.artefacts import script_main
from experiments.knowforge._rows import (
    Measured,
    cap,
    locator_calls,
    mean_where,
    measured,
    percent,
    percentiles,
    printed,
    timed_note,
    verdicts,
)

PUBLISHED = ("Loc. calls", "Loc. at cap", "Read calls", "Zero reads", "Read at cap", "p50", "p90")
STOPPED, CALLS = "stopped by cap", "calls = cap"
REPLICA = [
    ("n", "count"), ("Loc. calls", "mean"), ("searches", "mean"), (f"Loc. {STOPPED}", "percent"),
    (f"Loc. {CALLS}", "percent"), ("Read calls", "mean"), ("Zero reads", "percent"), (f"Read {STOPPED}", "percent"),
    (f"Read {CALLS}", "percent"), ("model calls", "mean"), ("p50", "seconds"), ("p90", "seconds"),
]  # fmt: skip


def run(cfg: DictConfig) -> Artefact:
    """One row per cap: printed use, then the replica's with both readings of "at cap"."""
    spec = cfg.artefact
    table = measured(cfg, spec.name, cap)
    seconds = table.seconds(spec.timed)
    rows = [
        [label, *(printed(spec.name, label, column) for column in PUBLISHED),
         *_replica(table, label), *percentiles(seconds.get(label))]
        for label in table.labels
    ]  # fmt: skip
    measures = {
        "reads": table.scores(lambda row: float(row.behaviour.reads)),
        "Locator calls": {label: [float(locator_calls(r)) for r in runs] for label, runs in table.records.items()},
        "model calls": table.scores(lambda row: float(row.behaviour.model_calls)),
        "seconds": seconds,
    }
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table.source), rows,
        notes=(*_notes(spec.name), *timed_note(spec.timed), *table.paired.notes()),
        claims=verdicts(spec, table, measures),
    )  # fmt: skip


def _columns(source: Source) -> list[Column]:
    return [
        Column("caps L+R", "label"),
        *(Column(name, "published") for name in PUBLISHED),
        *(Column(name, "replica", kind, source) for name, kind in REPLICA),  # type: ignore[arg-type]
    ]


def _replica(table: Measured, label: str) -> list[Any]:
    if label not in table.rows:
        return [None] * (len(REPLICA) - 2)
    mean, records = summarise(table.rows[label]), table.records[label]
    located = mean_where(records, "locator", locator_calls)
    agents = located is not None  # one shot calls no tool of any role
    return [
        mean.n, located, mean.searches, percent(mean.locator_stopped_at_cap), percent(mean.locator_calls_at_cap),
        mean.reads if agents else None, 100 * mean.no_read if agents else None,
        percent(mean.reader_stopped_at_cap), percent(mean.reader_calls_at_cap), mean.model_calls,
    ]  # fmt: skip


def _notes(item: str) -> tuple[str, ...]:
    at_cap, zero = printed(item, "1+1", "Read at cap"), printed(item, "1+1", "Zero reads")
    return (
        "Loc. calls: tool calls of the Locator and the judge's follow-up searches (caption of Table 8); searches: "
        "those of both alone.",
        f"At cap: {STOPPED} = the agent still went on in its last round; {CALLS} = at least as many tool calls as the "
        f"cap, follow-ups not among them. The printed Read at cap cannot be the second: at 1+1 it is {at_cap} % of "
        f"questions, beside {zero} % without any read.",
        "p50 and p90 in seconds: printed under four questions at once, the replica's as its own server took.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
