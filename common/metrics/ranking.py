"""MultiHop-RAG's retrieval metrics: Hits@4, Hits@10, MAP@10 and MRR@10 of one ranked list and their means.

Behaviour of the released script kept on purpose, so that scores compare with published ones:
- a fact counts as retrieved where it is a substring of a retrieved text, both without blanks and line breaks;
- Hits@k is 1 as soon as one of the query's facts stands in the first k texts, however many it has;
- "precision at a rank" is the share of facts found there for the first time, not of all found so far. MAP@10 is thus
  the sum of 1 / (rank of first sight) over the distinct facts, divided by min(facts, 10); a fact listed twice counts
  once above and twice below the line;
- null queries, which have no facts, are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from common.metrics.retrieval import documents_in_rank_order
from common.records import RunRecord

DEPTH = 10
_BLANKS = str.maketrans("", "", " \n")


@dataclass(frozen=True)
class Ranking:
    """Retrieval scores in [0, 1] of one query, or their means over queries."""

    hits4: float
    hits10: float
    map10: float
    mrr10: float


def rank_facts(texts: Sequence[str], facts: Sequence[str]) -> Ranking:
    """Scores of the retrieved texts, best first, against the query's evidence facts. Raises ValueError on no facts."""
    wanted = [fact.translate(_BLANKS) for fact in facts]
    shown = [text.translate(_BLANKS) for text in texts[:DEPTH]]
    return _ranking([{fact for fact in wanted if fact in text} for text in shown], len(facts))


def rank_documents(record: RunRecord, gold: Collection[str]) -> Ranking | None:
    """The same scores with documents in the place of facts, on the first search of a run; None without gold documents.

    Run records hold no texts. A gold document is found earlier than a fact of it can be, so these scores are
    upper bounds of `rank_facts`.
    """
    if not gold:
        return None
    ranked = documents_in_rank_order(record.searches[0].hits) if record.searches else ()
    return _ranking([{document} & set(gold) for document in ranked[:DEPTH]], len(set(gold)))


def mean_ranking(rankings: Sequence[Ranking]) -> Ranking:
    """Means over queries. Raises ValueError on none."""
    if not rankings:
        raise ValueError("no rankings to average: the run has no question with evidence")
    n = len(rankings)
    return Ranking(
        sum(r.hits4 for r in rankings) / n,
        sum(r.hits10 for r in rankings) / n,
        sum(r.map10 for r in rankings) / n,
        sum(r.mrr10 for r in rankings) / n,
    )


def _ranking(found_at: Sequence[set[str]], gold_count: int) -> Ranking:
    """Scores from the gold items seen at each rank, best first."""
    if gold_count == 0:
        raise ValueError("a ranking needs at least one gold item; leave null queries out")
    seen: set[str] = set()
    first, precision = 0, 0.0
    for rank, found in enumerate(found_at, start=1):
        precision += len(found - seen) / rank
        first = first or (rank if found else 0)
        seen |= found
    return Ranking(
        float(0 < first <= 4), float(first > 0), precision / min(gold_count, DEPTH), 1 / first if first else 0.0
    )
