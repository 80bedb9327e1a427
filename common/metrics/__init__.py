"""Official scorers, re-implemented, and the measures read from run records."""

from common.metrics.answers import SCORERS, AnswerScore, score_answer
from common.metrics.behaviour import READER_TOOLS, AtCap, Behaviour, at_cap, behaviour
from common.metrics.ranking import Ranking, mean_ranking, rank_documents, rank_facts
from common.metrics.retrieval import Retrieval, documents_in_rank_order, retrieval
from common.metrics.scoring import is_refused, score_record, scored_answer, was_extracted
from common.metrics.summary import Row, Summary, measure, summarise
from common.metrics.text import answer_visible, final_answer, normalise, parse_answer, token_f1

__all__ = [
    "READER_TOOLS",
    "SCORERS",
    "AnswerScore",
    "AtCap",
    "Behaviour",
    "Ranking",
    "Retrieval",
    "Row",
    "Summary",
    "answer_visible",
    "at_cap",
    "behaviour",
    "documents_in_rank_order",
    "final_answer",
    "is_refused",
    "mean_ranking",
    "measure",
    "normalise",
    "parse_answer",
    "rank_documents",
    "rank_facts",
    "retrieval",
    "score_answer",
    "score_record",
    "scored_answer",
    "summarise",
    "token_f1",
    "was_extracted",
]
