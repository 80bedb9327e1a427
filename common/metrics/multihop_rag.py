"""MultiHop-RAG: the official word intersection, with exact match and token F1 beside it.

The official rule counts an answer right when it shares one lower-cased, space-separated word with the gold
answer, so a shared "the" is enough; read it next to the token F1 and the count of matches that stop words alone make.
On null questions the runner behind the KnowForge paper asks for the refusal, where the official rule is content with
one of its words ("information").
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from common.metrics.m3docvqa import ListScore
from common.metrics.text import overlap_f1

NULL_ANSWER = "insufficient information"
# Function words that carry no answer. "no", "yes", "before" and "after" are answers here and not among them.
STOP_WORDS = frozenset(
    "a an the and or but nor of in on at by for from to with as is are was were be been being it its this that these "
    "those he she they them his her their there which who whom whose what when where while has have had do does did "
    "not than then so if into about over under between i we you our your".split()
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Lower case, punctuation deleted (this benchmark's runner does not turn it into spaces), articles removed."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_DELETE_PUNCTUATION)).split())


def is_null(answer: str) -> bool:
    """Whether an answer is the benchmark's refusal."""
    return normalise(answer).startswith(NULL_ANSWER)


def shared_words(predicted: str, gold: str) -> frozenset[str]:
    """The lower-cased words, split at white space, that both answers hold; punctuation sticks to its word."""
    return frozenset(predicted.lower().split()) & frozenset(gold.lower().split())


def official_match(predicted: str, gold: str) -> bool:
    """The released script's rule, null questions included: one shared word."""
    return bool(shared_words(predicted, gold))


def stop_word_match(predicted: str, gold: str) -> bool:
    """Whether an answer counts as right by stop words alone: read without them, it shares nothing with the gold."""
    shared = shared_words(predicted, gold)
    return bool(shared) and all(word.strip(string.punctuation) in STOP_WORDS for word in shared)


def word_intersection(predicted: str, gold: str) -> float:
    """1.0 when the answers share a word. A null question is right only when it is refused."""
    if is_null(gold):
        return float(is_null(predicted))
    return float(official_match(predicted, gold))


def score(predicted: str, gold: str) -> ListScore:
    """Exact match and token F1 of one answer; a null question scores 1 or 0 on both."""
    if is_null(gold):
        return ListScore(word_intersection(predicted, gold), word_intersection(predicted, gold))
    p, g = normalise(predicted), normalise(gold)
    return ListScore(float(p == g), overlap_f1(p.split(), g.split()))


def released_script_accuracy(correct: int, total: int) -> float:
    """What the first released evaluation script prints as accuracy: (tp + tn) / (tp + tn + fp + fn).

    It sets fp = fn = tn = total - tp, so the figure differs from its precision, tp / total, which the KnowForge paper
    reports; a later version of the script prints tp / total for both.
    """
    if not 0 <= correct <= total or total == 0:
        raise ValueError(f"need 0 <= correct <= total and total > 0, got {correct} of {total}")
    wrong = total - correct
    return (correct + wrong) / (correct + 3 * wrong)


@dataclass(frozen=True)
class Report:
    """What one run scores: shares in [0, 1], and how many of the right answers stop words alone make.

    `precision` is the released script's (right / n), `script_accuracy` what its first version printed beside it;
    `runner` asks null questions for the refusal. `stop_word_only` counts answers right by `precision` only.
    """

    n: int
    precision: float
    script_accuracy: float
    runner: float
    em: float
    f1: float
    stop_word_only: int


def report(predicted: Sequence[str], gold: Sequence[str]) -> Report:
    """All scores of a run, answers and gold in the same order. Raises ValueError on none or on unequal lengths."""
    pairs = list(zip(predicted, gold, strict=True))
    if not pairs:
        raise ValueError("no answers to report on")
    n, right, scores = len(pairs), sum(official_match(p, g) for p, g in pairs), [score(p, g) for p, g in pairs]
    return Report(
        n,
        right / n,
        released_script_accuracy(right, n),
        sum(word_intersection(p, g) for p, g in pairs) / n,
        sum(s.em for s in scores) / n,
        sum(s.f1 for s in scores) / n,
        sum(stop_word_match(p, g) for p, g in pairs),
    )
