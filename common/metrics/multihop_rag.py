"""MultiHop-RAG: the official word intersection, with exact match and token F1 beside it.

The official rule counts an answer right when it shares one lower-cased, space-separated word with the gold
answer, so a shared "the" is enough; read it next to the token F1.
"""

from __future__ import annotations

import re
import string

from common.metrics.m3docvqa import ListScore
from common.metrics.text import overlap_f1

NULL_ANSWER = "insufficient information"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Lower case, punctuation deleted (this benchmark's runner does not turn it into spaces), articles removed."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_DELETE_PUNCTUATION)).split())


def is_null(answer: str) -> bool:
    """Whether an answer is the benchmark's refusal."""
    return normalise(answer).startswith(NULL_ANSWER)


def word_intersection(predicted: str, gold: str) -> float:
    """1.0 when the answers share a word. A null question is right only when it is refused."""
    if is_null(gold):
        return float(is_null(predicted))
    return float(bool(set(predicted.lower().split()) & set(gold.lower().split())))


def score(predicted: str, gold: str) -> ListScore:
    """Exact match and token F1 of one answer; a null question scores 1 or 0 on both."""
    if is_null(gold):
        return ListScore(word_intersection(predicted, gold), word_intersection(predicted, gold))
    p, g = normalise(predicted), normalise(gold)
    return ListScore(float(p == g), overlap_f1(p.split(), g.split()))


def released_script_accuracy(correct: int, total: int) -> float:
    """What the first released evaluation script prints as accuracy: (tp + tn) / (tp + tn + fp + fn).

    It sets fp = fn = tn = total - tp, so the figure differs from tp / total, which the KnowForge paper reports.
    """
    if not 0 <= correct <= total or total == 0:
        raise ValueError(f"need 0 <= correct <= total and total > 0, got {correct} of {total}")
    wrong = total - correct
    return (correct + wrong) / (correct + 3 * wrong)
