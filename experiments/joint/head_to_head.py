"""Both papers, no table of theirs: KnowForge and FlowReader on the same documents, questions, encoder and model.

    python -m experiments regenerate head_to_head
    python -m experiments.joint.head_to_head benchmark=pocket_mmlb

Reads the run records of both methods on the questions that all recorded systems finished. The score is the
benchmark's; a run that took more model calls than the common budget scores 0 in the column that holds it to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.metrics import AnswerScore, is_refused, score_record, scored_answer, was_extracted
from common.records import RunRecord, Usage
from experiments.artefacts import script_main
from experiments.direction import direction_claims, paired_settings, tested, tested_columns
from experiments.paired import PairedRuns, paired_across

METHODS = {"knowforge": "KnowForge", "flowreader": "FlowReader"}
LONG = 5  # words; more are a sentence, no short answer
SCORES = (("accuracy", "score"), ("strict", "score"), ("within budget", "score"))
REFUSED = (("answerable", "count"), ("refused", "count"), ("refused, answerable", "count"))
COSTS = (
    ("calls/q", "mean"), ("most calls", "count"), ("prompt tokens/q", "count"), ("output tokens/q", "count"),
    ("model s/q", "seconds"),
)  # fmt: skip


def run(cfg: DictConfig) -> Artefact:
    """One row per system of either method: score, refusals, cost per question, paired test against the reference."""
    spec = cfg.artefact
    names = {
        f"{METHODS[str(method)]} {system}": (str(method), str(system))
        for method, systems in spec.reads.items()
        for system in systems
    }
    paired = paired_across(cfg, names)
    scores = {
        name: [
            score_record(cfg.benchmark.scorer, q, record) for q, record in zip(paired.questions, records, strict=True)
        ]
        for name, records in paired.runs.items()
    }
    points = {name: [100 * score.primary for score in values] for name, values in scores.items()}
    rows: list[list[Any]] = []
    for name in names:
        if name not in paired.runs:
            rows.append([name, *[None] * (1 + len(SCORES) + len(REFUSED) + len(COSTS) + 3)])
            continue
        test = tested(None if name == spec.reference else points[name], points.get(spec.reference), spec)
        cells = [len(paired.questions), *_scores(scores[name], paired.runs[name], int(spec.budget))]
        refused = _refused(paired, name, str(cfg.benchmark.refusal))
        rows.append([name, *cells, *refused, *_costs(paired.runs[name]), *test])
    claims = direction_claims(spec.claims, points, paired.source, measure="accuracy", **paired_settings(spec))  # type: ignore[arg-type]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(paired.source, str(spec.reference)), rows,
        notes=(*_notes(cfg, paired), *spec.remarks, *paired.notes()), claims=claims,
    )  # fmt: skip


def _columns(source: Source, reference: str) -> list[Column]:
    measured = (("n", "count"), *SCORES, *REFUSED, *COSTS)
    return [
        Column("system", "label"),
        *(Column(name, "replica", kind, source) for name, kind in measured),  # type: ignore[arg-type]
        *tested_columns(reference, source),
    ]


def _scores(scores: Sequence[AnswerScore], records: Sequence[RunRecord], budget: int) -> list[float]:
    inside = [s.primary if spent(r).calls <= budget else 0.0 for s, r in zip(scores, records, strict=True)]
    return [100 * fmean(s.primary for s in scores), 100 * fmean(s.em for s in scores), 100 * fmean(inside)]


def _refused(paired: PairedRuns, name: str, refusal: str) -> list[int]:
    """Answerable questions, refusals, and refusals of answerable questions, by the answer that is scored."""
    said = [is_refused(scored_answer(record), refusal) for record in paired.runs[name]]
    answerable = [question.answerable for question in paired.questions]
    return [sum(answerable), sum(said), sum(s and a for s, a in zip(said, answerable, strict=True))]


def _costs(records: Sequence[RunRecord]) -> list[float]:
    used = [spent(record) for record in records]
    return [
        fmean(u.calls for u in used), max(u.calls for u in used), fmean(u.prompt_tokens for u in used),
        fmean(u.completion_tokens for u in used), fmean(u.seconds for u in used),
    ]  # fmt: skip


def _long_answers(paired: PairedRuns) -> str:
    """How many scored answers of each method are sentences by their length."""
    counts = []
    for title in METHODS.values():
        answers = [scored_answer(r) for name, runs in paired.runs.items() if name.startswith(title) for r in runs]
        long = sum(len(" ".join(answer).split()) > LONG for answer in answers)
        counts.append(f"{long} of {title}'s {len(answers)}")
    return " and ".join(counts)


def spent(record: RunRecord) -> Usage:
    """What one run took over all its stages."""
    return sum(record.usage.values(), Usage())


def _notes(cfg: DictConfig, paired: PairedRuns) -> tuple[str, ...]:
    runs = [record for records in paired.runs.values() for record in records]
    extracted = sum(map(was_extracted, runs))
    closed = all(question.document_id for question in paired.questions)
    return (
        f"Both methods stand on the same parsed fragments, {cfg.encoder.name} embeddings, model and questions; "
        + ("each question is asked of its own document alone." if closed else "all documents are searched at once."),
        f"within budget: a run of more than {cfg.artefact.budget} model calls scores 0. Calls to build an index are in "
        "no column: neither method made any.",
        "model s/q: seconds of model calls one after another, as recorded; the prefix cache of the server counts.",
        f"Of {len(runs)} scored answers {extracted} were taken out of the reply by an extractor, any other is the "
        f"run's own final answer. Longer than {LONG} words are still {_long_answers(paired)}, and the rules compare "
        "with a short gold answer: KnowForge ends on a final line in the benchmark's form, FlowReader on its "
        "synthesiser's sentence, so part of their distance is form.",
        "Neither paper compares the two methods, so there is no printed column.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
