"""KnowForge, Appendix F: one two-document question traced through S4, P1, P0 and M5, from the run records.

    python -m experiments regenerate appendixF_worked_example
    python -m experiments.knowforge.appendixF_worked_example artefact.question=pm3-012

The question: `artefact.question`, else the first multi-hop question of the smoke subset, in recording order, with
two gold documents that all four systems finished (the first such question at all where there is no smoke subset).
"""

from __future__ import annotations

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.benchmarks.question import Question
from common.metrics import score_answer
from common.records import RunRecord
from experiments.artefacts import script_main
from experiments.paired import NoTraces, PairedRuns, paired_runs, subset_ids
from experiments.printed import published
from experiments.story import steps

COLUMNS = ("step", "what", "evidence")
PRINTED = {"searches": ("search", "searches"), "read calls": ("read call", "read calls"), "seconds": ("s", "s")}


def run(cfg: DictConfig) -> Artefact:
    """One row per step of each system's run: searches, verdict, reads, pool, answers."""
    spec = cfg.artefact
    paired = paired_runs(cfg, "knowforge", list(spec.reads.knowforge))
    position = choose(paired, spec.question, subset_ids(cfg, spec.subset))
    question = paired.questions[position]
    rows = []
    for system, records in paired.runs.items():
        rows += [[system, None, *step] for step in steps(records[position], spec.documents_shown)]
        outcome = _outcome(cfg.benchmark.scorer, question, records[position])
        rows.append([system, _printed(spec.paper, spec.published, system), *outcome])
    source = Source(paired.benchmark, paired.model, 1)
    columns = [
        Column("system", "label"),
        Column("run", "published"),
        *(Column(name, "replica", "text", source) for name in COLUMNS),
    ]
    return Artefact.from_rows(spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=_notes(question))


def choose(paired: PairedRuns, wanted: str | None, subset: tuple[str, ...]) -> int:
    """Position of the question to show, by the rule above. Raises `NoTraces` if none fits."""
    ids = [question.question_id for question in paired.questions]
    if wanted is not None:
        if wanted not in ids:
            raise NoTraces(f"question {wanted} was not finished by all systems; finished: {', '.join(ids)}")
        return ids.index(wanted)
    fitting = [i for i, q in enumerate(paired.questions) if q.multi_hop and len(q.gold_documents) == 2]
    if not fitting:
        raise NoTraces(
            f"none of the {len(ids)} questions finished by all systems needs two documents; record more of them"
        )
    order = {question_id: rank for rank, question_id in enumerate(subset)}
    return min(fitting, key=lambda i: (order.get(ids[i], len(order)), i))


def _printed(paper: str, item: str, system: str) -> str:
    """The paper's counts of the same system on its own question, as printed."""
    cells = {cell.column: cell.value for cell in published().select(paper, item, system, "*")}
    shown = {column: cells[column] for column in PRINTED if column in cells}
    return ", ".join(f"{value} {PRINTED[column][value != '1']}" for column, value in shown.items())


def _outcome(scorer: str, question: Question, record: RunRecord) -> list[str]:
    score = score_answer(scorer, question, record.answer)
    return [
        "outcome",
        "correct" if score.em == 1 else "wrong",
        f"F1 {100 * score.f1:.1f}, {record.elapsed_s:.1f} s of model time",
    ]


def _notes(question: Question) -> tuple[str, ...]:
    gold = f"Gold answer: {'; '.join(question.answers)}. Gold documents: {', '.join(question.gold_documents)}."
    return (
        f"Question {question.question_id}: {question.question}",
        gold,
        "The paper's own trace is of another question and model.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
