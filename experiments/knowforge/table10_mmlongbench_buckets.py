"""KnowForge, Table 10: MMLongBench-Doc by evidence pages, answer format, evidence source and kind of document.

    python -m experiments regenerate table10_mmlongbench_buckets

Reads the run records of the four systems on the corpus that stands for MMLongBench-Doc (`artefact.replicas`), on the
questions that all recorded systems finished. All values are mean scores of the benchmark's rules (judge accuracy). The
benchmark's script has buckets by document type too; the paper prints none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import Question
from experiments.artefacts import script_main
from experiments.knowforge._transfer import (
    SYSTEMS,
    Bucket,
    bucket_cells,
    bucket_verdicts,
    load_replicas,
    printed_cells,
    replica_columns,
)

FORMATS = ("Int", "Str", "Float", "List")
SOURCES = ("Text", "Table", "Chart", "Figure", "Layout")


def run(cfg: DictConfig) -> Artefact:
    """One row per printed bucket: the printed cells, then n and the systems of the replica."""
    spec = cfg.artefact
    replicas = load_replicas(cfg)
    [(title, replica)] = replicas.items()
    buckets = {bucket.label: bucket for bucket in [*table_buckets(), *document_buckets(replica.paired.questions)]}
    columns = [
        Column("bucket", "label"),
        *(Column(name, "published", "text") for name in ("n", *SYSTEMS)),
        *replica_columns(replicas, SYSTEMS),
    ]
    rows = [
        [label, *printed_cells(spec.name, label, ("n", *SYSTEMS)), *bucket_cells(replica, SYSTEMS, bucket)]
        for label, bucket in buckets.items()
    ]
    named = {f"{title} {label}": bucket for label, bucket in buckets.items()}
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=(*_notes(), *replica.notes()),
        claims=bucket_verdicts(cfg, replicas, named),
    )  # fmt: skip


def table_buckets() -> list[Bucket]:
    """The table's rows. Formats and sources are of answerable questions; one with several sources counts in each."""
    return [
        Bucket("Single-page", lambda q: q.question_type == "single-page"),
        Bucket("Cross-page", lambda q: q.question_type == "cross-page"),
        Bucket("Unanswerable", lambda q: not q.answerable),
        *(Bucket(f"Format {name}", _format(name)) for name in FORMATS),
        *(Bucket(f"Source {name}", _source(name.lower())) for name in SOURCES),
    ]


def document_buckets(questions: Sequence[Question]) -> list[Bucket]:
    """One row for each document type of the questions, by name; unanswerable questions count, as in the script."""
    kinds = sorted({str(question.extra.get("doc_type", "")) for question in questions} - {""})
    return [Bucket(f"Document {kind}", _document(kind)) for kind in kinds]


def _document(kind: str) -> Callable[[Question], bool]:
    return lambda question: question.extra.get("doc_type") == kind


def _format(name: str) -> Callable[[Question], bool]:
    return lambda question: question.answerable and question.answer_format == name


def _source(kind: str) -> Callable[[Question], bool]:
    return lambda question: question.answerable and kind in question.modalities


def _notes() -> tuple[str, ...]:
    return (
        "Single-page holds the answerable questions with an empty list of evidence pages too: the printed 499 is the "
        "official file's 487 with one page and 12 with none.",
        "A question with several evidence sources counts in each of them.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
