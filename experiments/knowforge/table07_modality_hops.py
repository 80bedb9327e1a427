"""KnowForge, Table 7: F1 by evidence modality, by number of hops, and by what became of M5's searches and pool.

    python -m experiments regenerate table07_modality_hops

Reads the run records of the table's systems on the questions that all recorded ones finished. A question with
several evidence modalities counts in each of them; every column has its own n. The paper's text splits M4 and M5 by
whether M5's pool was trimmed, and the loss without the Deep Reader by M5's first hit: these buckets go by M5's record.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import Question
from common.metrics import Row
from common.records import RunRecord
from experiments.artefacts import script_main
from experiments.knowforge._rows import Measured, measured, printed, verdicts

BUCKETS: dict[str, Callable[[Question], bool]] = {
    "image": lambda question: "image" in question.modalities,
    "table": lambda question: "table" in question.modalities,
    "text": lambda question: "text" in question.modalities,
    "multi": lambda question: question.multi_hop,
    "single": lambda question: not question.multi_hop,
}
OF_M5: dict[str, Callable[[RunRecord, Row], bool]] = {
    "trimmed": lambda record, row: record.pool is not None and record.pool.dropped > 0,
    "untrimmed": lambda record, row: record.pool is not None and record.pool.dropped == 0,
    "first-hit": lambda record, row: row.retrieval is not None and row.retrieval.r1 > 0,
}
# Bucket -> row of Section 5.3 that prints it; what the table calls a system's size, the text calls its questions.
IN_TEXT = {"trimmed": "pool over the cap", "untrimmed": "pool under the cap"}
SIZES, M5 = "bucket size", "M5"


def run(cfg: DictConfig) -> Artefact:
    """One row per system and one with the buckets' sizes; printed cells, then the replica's."""
    spec = cfg.artefact
    table = measured(cfg, spec.name)
    inside = _inside(table)
    scores = {name: _scores(table, chosen) for name, chosen in inside.items()}
    columns = [
        Column("system", "label"),
        *(Column(name, "published") for name in inside),
        *(Column(name, "replica", "score", table.on(sum(chosen))) for name, chosen in inside.items()),
    ]
    rows: list[list[object]] = []
    for label in [*(label for label in table.labels if label != SIZES), SIZES]:
        means = [_mean(bucket.get(label)) for bucket in scores.values()]
        ours = [str(sum(chosen)) for chosen in inside.values()] if label == SIZES else means
        rows.append([label, *(_printed(spec.name, label, name) for name in inside), *ours])
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows,
        notes=(*_notes(), *table.paired.notes()),
        claims=verdicts(spec, table, {f"F1 of {name} questions": bucket for name, bucket in scores.items()}),
    )  # fmt: skip


def _inside(table: Measured) -> dict[str, list[bool]]:
    """Bucket -> whether each question is in it; without runs of M5 none is in a bucket that goes by them."""
    chosen = {name: [test(question) for question in table.paired.questions] for name, test in BUCKETS.items()}
    runs = list(zip(table.records.get(M5, ()), table.rows.get(M5, ()), strict=True))
    nobody = [False] * len(table.paired.questions)
    return chosen | {name: [test(*run) for run in runs] or nobody for name, test in OF_M5.items()}


def _printed(item: str, label: str, bucket: str) -> str | None:
    if bucket not in IN_TEXT:
        return printed(item, label, bucket)
    return printed("text_main_results", IN_TEXT[bucket], "questions" if label == SIZES else label)


def _scores(table: Measured, chosen: list[bool]) -> dict[str, list[float]]:
    return {
        label: [score for score, inside in zip(f1, chosen, strict=True) if inside] for label, f1 in table.f1().items()
    }


def _mean(scores: list[float] | None) -> float | None:
    return fmean(scores) if scores else None


def _notes() -> tuple[str, ...]:
    loss = printed("text_main_results", "without the Deep Reader", "questions with the document first")
    return (
        "A question counts in the bucket of each modality of its evidence; multi and single are by its number of hops.",
        "trimmed, untrimmed: whether M5's pool was too large for its cap, printed in Section 5.3 for M4 and M5.",
        "first-hit: the first hit of M5's first search is of a gold document; Section 5.2 prints the difference "
        f"P1 - M5 alone, {loss}.",
        "Rows named 7B or Flash ran on other models: the recording model stands for none of them.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
