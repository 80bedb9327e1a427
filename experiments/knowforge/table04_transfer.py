"""KnowForge, Table 4: transfer to MMLongBench-Doc and MultiHop-RAG, by bucket.

    python -m experiments regenerate table04_transfer
    python -m experiments.knowforge.table04_transfer artefact.replicas.MMLongBench-Doc=pocket-mmlb

Reads the run records of the four systems on the corpora that stand for the two benchmarks (`artefact.replicas`), on
the questions that all recorded systems of a corpus finished. Each corpus has its own columns.
"""

from __future__ import annotations

from collections.abc import Callable

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import NOT_ANSWERABLE, Question
from common.metrics import Row
from common.metrics.mmlongbench import aggregate
from common.metrics.multihop_rag import report
from experiments.artefacts import script_main
from experiments.knowforge._transfer import (
    MMLONG,
    MULTIHOP,
    SYSTEMS,
    Bucket,
    Cells,
    Replica,
    absent,
    bucket_cells,
    bucket_verdicts,
    load_replicas,
    printed_cells,
    replica_columns,
)
from experiments.printed import value

F1 = f"{MMLONG} F1"
FALSE_REFUSALS = f"{MULTIHOP} False refusals"
TYPES = {"Inference": "inference_query", "Comparison": "comparison_query", "Temporal": "temporal_query"}
SOURCES = {"Table": "table", "Chart": "chart", "Figure": "figure", "Pure text": "text"}


def run(cfg: DictConfig) -> Artefact:
    """One row per printed bucket: the printed cells, then those of each corpus."""
    spec = cfg.artefact
    replicas = load_replicas(cfg)
    buckets = table_buckets()
    columns = [
        Column("bucket", "label"),
        *(Column(name, "published", "text") for name in ("n", *SYSTEMS)),
        *replica_columns(replicas, SYSTEMS),
    ]
    rows: list[Cells] = []
    for label, bucket in buckets.items():
        ours = [
            _cells(replica, bucket) if label.startswith(title) else [None] * (1 + len(SYSTEMS))
            for title, replica in replicas.items()
        ]
        rows.append([label, *_printed(spec.name, label), *(cell for part in ours for cell in part)])
    own = (*_notes(), *_released_script(replicas.get(MULTIHOP)))
    notes = (*own, *absent(cfg, replicas), *(note for replica in replicas.values() for note in replica.notes()))
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=notes,
        claims=bucket_verdicts(cfg, replicas, buckets),
    )  # fmt: skip


def table_buckets() -> dict[str, Bucket]:
    """The table's rows by label. Below the first row the printed values fit strict accuracy, so ours are strict."""
    made = [
        Bucket(f"{MMLONG} All", _all),
        Bucket(f"{MMLONG} All strict", _all, _strict),
        Bucket(F1, _all),
        Bucket(f"{MMLONG} Answerable", _answerable, _strict),
        Bucket(f"{MMLONG} Unanswerable", lambda q: not q.answerable, _strict),
        *(Bucket(f"{MMLONG} {name}", _only(kind), _strict) for name, kind in SOURCES.items()),
        Bucket(f"{MULTIHOP} All", _all),
        *(Bucket(f"{MULTIHOP} {name}", _typed(kind)) for name, kind in TYPES.items()),
        Bucket(f"{MULTIHOP} Null", lambda q: not q.answerable),
        Bucket(f"{MULTIHOP} All evidence found", _answerable, _evidence),
        Bucket(FALSE_REFUSALS, _answerable),
    ]
    return {bucket.label: bucket for bucket in made}


def _all(question: Question) -> bool:
    return True


def _answerable(question: Question) -> bool:
    return question.answerable


def _only(kind: str) -> Callable[[Question], bool]:
    """Answerable questions whose evidence is of this kind alone: the paper's sizes are those of the official file."""
    return lambda question: question.answerable and question.modalities == (kind,)


def _typed(kind: str) -> Callable[[Question], bool]:
    return lambda question: question.question_type == kind


def _strict(row: Row) -> float:
    return row.score.em


def _evidence(row: Row) -> float | None:
    return None if row.retrieval is None else float(row.retrieval.document_found)


def _cells(replica: Replica, bucket: Bucket) -> Cells:
    if bucket.label == F1:
        return [len(replica.paired.questions), *(_f1(replica, system) for system in SYSTEMS)]
    if bucket.label == FALSE_REFUSALS:
        return false_refusals(replica)
    return bucket_cells(replica, SYSTEMS, bucket)


def _f1(replica: Replica, system: str) -> float | None:
    """The benchmark's F1: recall over answerable questions, precision over answers that are given."""
    if system not in replica.rows:
        return None
    scores = [row.score.primary for row in replica.rows[system]]
    given = [NOT_ANSWERABLE if refused else "" for refused in replica.refused(system)]
    gold = ["" if question.answerable else NOT_ANSWERABLE for question in replica.paired.questions]
    return 100 * aggregate(scores, given, gold).f1


def false_refusals(replica: Replica) -> Cells:
    """Number of answerable questions, and the share of them that each system refuses."""
    answerable = [question.answerable for question in replica.paired.questions]
    shares: Cells = [sum(answerable)]
    for system in SYSTEMS:
        refused = [r for r, wanted in zip(replica.refused(system), answerable, strict=False) if wanted]
        shares.append(100 * sum(refused) / len(refused) if refused else None)
    return shares


def _printed(item: str, label: str) -> Cells:
    cells = printed_cells(item, label, ("n", *SYSTEMS))
    if label == F1:  # printed in the text, for M5 alone
        cells[1 + SYSTEMS.index("M5")] = value("knowforge", "text_transfer_efficiency", MMLONG, "F1")
    return cells


def _notes() -> tuple[str, ...]:
    return (
        f"{MMLONG}: All is the mean score of the rules (judge accuracy), strict the share of score 1. The rows below "
        "carry no mark in the paper and average to its strict totals, so the replica's are strict too.",
        "Table, Chart, Figure and Pure text: answerable questions whose evidence is of that kind alone.",
        f"{MULTIHOP}: a shared word with the gold answer; null questions ask for the refusal. All evidence found: "
        "every gold article in some search. False refusals: of the answerable questions.",
    )


def _released_script(replica: Replica | None) -> tuple[str, ...]:
    """What MultiHop-RAG's own script makes of the same answers, beside what the paper reports."""
    if replica is None:
        return ()
    gold = [" ".join(question.answers) for question in replica.paired.questions]
    made = {s: report([" ".join(r.answer) for r in runs], gold) for s, runs in replica.records.items()}
    cells = "; ".join(
        f"{system} {100 * score.precision:.1f}, {100 * score.script_accuracy:.1f}, {score.stop_word_only}"
        for system, score in made.items()
    )
    return (
        f"{MULTIHOP} by the released script, which takes a shared word for right on null questions too. Right / n, as "
        "the paper reports; what the script's first version prints as accuracy, (tp + tn) / (tp + tn + fp + fn) with "
        f"fp = fn = tn = n - tp; and how many answers are right by stop words alone: {cells}.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
