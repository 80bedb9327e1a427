"""KnowForge, Table 6: every system on one set of questions, each against the reference the paper names.

    python -m experiments regenerate table06_full_runs

Reads the run records of all systems that were recorded, on the questions that all of these finished. Rows with
another model (7B, Flash) and systems never recorded keep their printed cells.
"""

from __future__ import annotations

from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import summarise
from experiments.artefacts import script_main
from experiments.direction import tested
from experiments.knowforge._rows import Measured, measured, percent, percentiles, printed, timed_note, verdicts

RETRIEVAL = ("R@1", "R@3", "R@8", "R@all", "Doc found", "Ans. visible")
FLIPS, TIME = "flips vs ref.", "Time p50"


def run(cfg: DictConfig) -> Artefact:
    """One row per printed run: the printed cells, the replica's, and its paired test against the printed reference."""
    spec = cfg.artefact
    table = measured(cfg, spec.name)
    f1, seconds = table.f1(), table.seconds(spec.timed)
    measures = {
        "F1": f1,
        "documents found": table.found(),
        "answer visible": table.scores(lambda row: 100.0 * row.answer_visible),
        "first-search R@8": table.first_recall(),
    }
    rows = []
    for label in table.labels:
        reference = printed(spec.name, label, "reference")
        ours = [*_replica(table, label, seconds.get(label)), *tested(f1.get(label), f1.get(str(reference)), spec)]
        rows.append([label, *_printed(spec.name, label), reference, *ours])
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(table.source), rows,
        notes=(*_notes(spec.margin), *timed_note(spec.timed), *table.paired.notes()),
        claims=verdicts(spec, table, measures),
    )  # fmt: skip


def _columns(source: Source) -> list[Column]:
    tests = [(FLIPS, "text"), ("sign test p", "p"), ("95% CI", "interval")]
    scores = [("EM", "score"), ("F1", "score"), (TIME, "seconds")]
    kinds = [("n", "count"), *((name, "percent") for name in RETRIEVAL), *scores]
    return [
        Column("system", "label"),
        *(Column(name, "published") for name in (*RETRIEVAL, "EM", "F1", TIME, FLIPS, "ref.")),
        *(Column(name, "replica", kind, source) for name, kind in [*kinds, *tests]),  # type: ignore[arg-type]
    ]


def _printed(item: str, label: str) -> list[str | None]:
    won, lost = (printed(item, label, column) for column in ("won", "lost"))
    cells = [printed(item, label, column) for column in (*RETRIEVAL, "EM", "F1", TIME)]
    return [*cells, f"{won}:{lost}" if won and lost else None]


def _replica(table: Measured, label: str, seconds: list[float] | None) -> list[Any]:
    if label not in table.rows:
        return [None] * (len(RETRIEVAL) + 4)
    mean, records = summarise(table.rows[label]), table.records[label]
    shares = [mean.r1, mean.r3, mean.r8, mean.r_all, mean.document_found, mean.answer_visible]
    searched = any(record.searches for record in records)  # a closed book finds and shows nothing
    return [
        mean.n, *(percent(share) if searched else None for share in shares), 100 * mean.em, 100 * mean.f1,
        percentiles(seconds)[0],
    ]  # fmt: skip


def _notes(margin: float) -> tuple[str, ...]:
    return (
        f"Flips at a margin of {margin / 100:g} F1, the one margin the paper states (Section 5.1).",
        "Rows named 7B or Flash ran on other models: the recording model stands for none of them.",
        "Time p50 in seconds: printed under four questions at once, the replica's as its own server took.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
