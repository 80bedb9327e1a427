"""KnowForge, Table 7: F1 by evidence modality and by number of hops.

    python -m experiments regenerate table07_modality_hops

Reads the run records of the table's systems on the questions that all recorded ones finished. A question with
several evidence modalities counts in each of them; every column has its own n.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import Question
from experiments.artefacts import script_main
from experiments.knowforge._rows import Measured, measured, printed, verdicts

BUCKETS: dict[str, Callable[[Question], bool]] = {
    "image": lambda question: "image" in question.modalities,
    "table": lambda question: "table" in question.modalities,
    "text": lambda question: "text" in question.modalities,
    "multi": lambda question: question.multi_hop,
    "single": lambda question: not question.multi_hop,
}
SIZES = "bucket size"


def run(cfg: DictConfig) -> Artefact:
    """One row per system and one with the buckets' sizes; printed cells, then the replica's."""
    spec = cfg.artefact
    table = measured(cfg, spec.name)
    scores = {name: _scores(table, test) for name, test in BUCKETS.items()}
    sizes = {name: sum(map(test, table.paired.questions)) for name, test in BUCKETS.items()}
    columns = [
        Column("system", "label"),
        *(Column(name, "published") for name in BUCKETS),
        *(Column(name, "replica", "score", table.on(sizes[name])) for name in BUCKETS),
    ]
    rows: list[list[object]] = []
    for label in [*(label for label in table.labels if label != SIZES), SIZES]:
        means = [_mean(scores[name].get(label)) for name in BUCKETS]
        ours = [str(size) for size in sizes.values()] if label == SIZES else means
        rows.append([label, *(printed(spec.name, label, name) for name in BUCKETS), *ours])
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows,
        notes=(*_notes(), *table.paired.notes()),
        claims=verdicts(spec, table, {f"F1 of {name} questions": inside for name, inside in scores.items()}),
    )  # fmt: skip


def _scores(table: Measured, test: Callable[[Question], bool]) -> dict[str, list[float]]:
    chosen = [test(question) for question in table.paired.questions]
    return {
        label: [score for score, inside in zip(f1, chosen, strict=True) if inside] for label, f1 in table.f1().items()
    }


def _mean(scores: list[float] | None) -> float | None:
    return fmean(scores) if scores else None


def _notes() -> tuple[str, ...]:
    return (
        "A question counts in the bucket of each modality of its evidence; multi and single are by its number of hops.",
        "Rows named 7B or Flash ran on other models: the recording model stands for none of them.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
