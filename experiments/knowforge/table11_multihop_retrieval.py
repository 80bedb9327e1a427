"""KnowForge, Table 11: document-level retrieval of the full pipeline on MultiHop-RAG, by question type.

    python -m experiments regenerate table11_multihop_retrieval

Reads the run records of M5 on the corpus that stands for MultiHop-RAG (`artefact.replicas`). Hits@4, Hits@10, MAP@10
and MRR@10 are the benchmark's own measures on the first search, with gold articles in the place of gold facts.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from omegaconf import DictConfig

from common.artefact import Artefact, Column
from common.benchmarks.question import Question
from common.metrics import Ranking, Retrieval, mean_ranking, rank_documents
from experiments.artefacts import script_main
from experiments.knowforge._transfer import Cells, Replica, load_replicas, printed_cells, system_name
from experiments.printed import cell

RECALL: dict[str, Callable[[Retrieval], float]] = {
    "R@1": lambda found: found.r1, "R@3": lambda found: found.r3, "R@8": lambda found: found.r8,
    "R@all": lambda found: found.r_all,
}  # fmt: skip
RANKED: dict[str, Callable[[Ranking], float]] = {
    "Hits@4": lambda ranked: ranked.hits4, "Hits@10": lambda ranked: ranked.hits10,
    "MAP@10": lambda ranked: ranked.map10, "MRR@10": lambda ranked: ranked.mrr10,
}  # fmt: skip
BUCKETS: dict[str, Callable[[Question], bool]] = {
    "Inference": lambda q: q.question_type == "inference_query",
    "Comparison": lambda q: q.question_type == "comparison_query",
    "Temporal": lambda q: q.question_type == "temporal_query",
    "All non-null": lambda q: q.answerable,
}


def run(cfg: DictConfig) -> Artefact:
    """One row per type: the printed recalls, then the replica's recalls and ranking measures."""
    spec = cfg.artefact
    [replica] = load_replicas(cfg).values()
    [system] = map(system_name, spec.reads.knowforge)
    names = [*RECALL, *RANKED]
    columns = [
        Column("question type", "label"),
        *(Column(name, "published", "text") for name in ("n", *RECALL)),
        Column("n", "replica", "count", replica.source),
        *(Column(name, "replica", "score", replica.source) for name in names),
    ]
    rows = [
        [label, *printed_cells(spec.name, label, ("n", *RECALL)), *_measured(replica, system, keep)]
        for label, keep in BUCKETS.items()
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=(*_notes(), *replica.notes())
    )


def _measured(replica: Replica, system: str, keep: Callable[[Question], bool]) -> Cells:
    """n, then the means of recall and ranking in percent over the questions that have gold articles."""
    found = [row.retrieval for row in replica.rows_of(system, keep) if row.retrieval is not None]
    pairs = zip(replica.paired.questions, replica.records[system], strict=True)
    ranked = [r for q, record in pairs if keep(q) and (r := rank_documents(record, q.gold_documents)) is not None]
    if not found:
        return [0, *[None] * (len(RECALL) + len(RANKED))]
    mean = mean_ranking(ranked)
    recalls: Cells = [100 * fmean(map(take, found)) for take in RECALL.values()]
    return [len(found), *recalls, *(100 * take(mean) for take in RANKED.values())]


def _notes() -> tuple[str, ...]:
    best = cell("knowforge", "text_appendix_transfer", "official Hits", "best published")
    return (
        "R@k: gold articles among the first k of the first search; R@all: in the union of all searches.",
        f"Hits, MAP and MRR are the benchmark's, on articles; the benchmark counts text chunks that hold a gold fact, "
        f"for which the paper names {best.value} as the best published Hits@10. Articles give an upper bound.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
