"""KnowForge, Table 11: document-level retrieval on MultiHop-RAG by question type, of one-shot and the full pipeline.

    python -m experiments regenerate table11_multihop_retrieval

Reads the run records of S4 and M5 on the corpus that stands for MultiHop-RAG (`artefact.replicas`). The table prints
M5; of S4 the text of Section 5.7 prints two recalls, and claims how M5 differs. Hits@4, Hits@10, MAP@10 and MRR@10 are
the benchmark's own measures on the first search, with gold articles in the place of gold facts.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import Question
from common.metrics import Ranking, Retrieval, mean_ranking, rank_documents
from experiments.artefacts import script_main
from experiments.knowforge._rows import PAPER, printed
from experiments.knowforge._transfer import (
    MULTIHOP,
    Bucket,
    Cells,
    Replica,
    bucket_verdicts,
    load_replicas,
    printed_cells,
)
from experiments.printed import cell

PIPELINE, ONE_SHOT, EVERYTHING = "M5", "S4", "All non-null"

RECALL: dict[str, Callable[[Retrieval], float]] = {
    "R@1": lambda found: found.r1, "R@3": lambda found: found.r3, "R@8": lambda found: found.r8,
    "R@all": lambda found: found.r_all,
}  # fmt: skip
RANKED: dict[str, Callable[[Ranking], float]] = {
    "Hits@4": lambda ranked: ranked.hits4, "Hits@10": lambda ranked: ranked.hits10,
    "MAP@10": lambda ranked: ranked.map10, "MRR@10": lambda ranked: ranked.mrr10,
}  # fmt: skip
TEXT = "text_transfer_efficiency"
IN_TEXT = {"R@8": "R@8 one-shot", "R@all": "union one-shot"}  # recall -> printed cell of Section 5.7, of all non-null
BUCKETS: dict[str, Callable[[Question], bool]] = {
    "Inference": lambda q: q.question_type == "inference_query",
    "Comparison": lambda q: q.question_type == "comparison_query",
    "Temporal": lambda q: q.question_type == "temporal_query",
    EVERYTHING: lambda q: q.answerable,
}


def run(cfg: DictConfig) -> Artefact:
    """One row per system and type: the printed recalls, then the replica's recalls and ranking measures."""
    spec = cfg.artefact
    replicas = load_replicas(cfg)
    [replica] = replicas.values()
    columns = [
        Column("question type", "label"),
        Column("system", "label"),
        *(Column(name, "published", "text") for name in ("n", *RECALL)),
        Column("n", "replica", "count", replica.source),
        *(Column(name, "replica", "score", replica.source) for name in (*RECALL, *RANKED)),
    ]
    rows = [
        [label, system, *_printed(spec.name, label, system), *_measured(replica, system, keep)]
        for label, keep in BUCKETS.items()
        for system in (ONE_SHOT, PIPELINE)
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=(*_notes(), *replica.notes()),
        claims=bucket_verdicts(cfg, replicas, {f"{MULTIHOP} {name}": _recall(name) for name in RECALL}),
    )  # fmt: skip


def _recall(name: str) -> Bucket:
    """A recall of every question that has gold articles."""
    take = RECALL[name]
    return Bucket(name, BUCKETS[EVERYTHING], lambda row: None if row.retrieval is None else take(row.retrieval))


def _printed(item: str, label: str, system: str) -> Cells:
    if system == PIPELINE:
        return printed_cells(item, label, ("n", *RECALL))
    named = IN_TEXT if label == EVERYTHING else {}
    return [None, *(printed(TEXT, "retrieval", named[name]) if name in named else None for name in RECALL)]


def _measured(replica: Replica, system: str, keep: Callable[[Question], bool]) -> Cells:
    """n, then the means of recall and ranking in percent over the questions that have gold articles."""
    blank: Cells = [None] * (len(RECALL) + len(RANKED))
    if system not in replica.records:
        return [None, *blank]
    found = [row.retrieval for row in replica.rows_of(system, keep) if row.retrieval is not None]
    pairs = zip(replica.paired.questions, replica.records[system], strict=True)
    ranked = [r for q, record in pairs if keep(q) and (r := rank_documents(record, q.gold_documents)) is not None]
    if not found:
        return [0, *blank]
    mean = mean_ranking(ranked)
    recalls: Cells = [100 * fmean(map(take, found)) for take in RECALL.values()]
    return [len(found), *recalls, *(100 * take(mean) for take in RANKED.values())]


def _notes() -> tuple[str, ...]:
    best = cell(PAPER, "text_appendix_transfer", "official Hits", "best published")
    return (
        "R@k: share of a question's gold articles among the first k of its first search; R@all: in the union of all "
        "its searches.",
        f"{ONE_SHOT}: printed in Section 5.7 for all non-null questions; its rise of the share with every article "
        "found is tested in table04_transfer.",
        f"Hits, MAP and MRR are the benchmark's, on articles; the benchmark counts text chunks that hold a gold fact, "
        f"for which the paper names {best.value} as the best published Hits@10. Articles give an upper bound.",
        "MAP@10 as the benchmark's script has it: the sum of 1 / rank over the gold articles found, divided by how "
        "many there are. Two gold articles on the first two ranks give 75, not the 100 of average precision.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
