"""M3DocVQA exact match and list F1, in the two variants in use.

`score` is the rule of the released KnowForge runner, the one behind the paper's numbers. `score_official`
is the evaluation of MultimodalQA, whose dev questions M3DocVQA asks. Where they part:

| | runner | MultimodalQA |
|---|---|---|
| punctuation | becomes a space | deleted inside each token (split at spaces and hyphens), kept in numbers |
| numbers | plain tokens, so "2.0" is "2 0" | rewritten as floats, number words too ("three" = "3" = "3.0") |
| tokens | multiset | set: a repeated word counts once |
| number gate | none | an item with numbers scores 0 unless the prediction shares one of them |
| list F1 | F1 of matched mass over both lengths | matched mass over the longer length, rounded to 2 decimals |
| EM | equal sets of items | equal sets of items and equal lengths |
| refusals | emptied before scoring | scored as text |
| long lists | greedy above 8 items | optimal at any length |

Here the alignment is optimal at any length in both (the runner's greedy step can only score lower).
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from common.metrics.text import is_refusal, normalise, token_f1

Item = TypeVar("Item")
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# "point" counts as the number 0: a quirk of the word parser that the official evaluation stands on.
_NUMBER_WORDS: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(_UNITS)},
    **{word: 10.0 * value for value, word in enumerate(_TENS, start=2)},
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "point": 0.0,
}


@dataclass(frozen=True)
class ListScore:
    """Exact match (0 or 1) and list F1 (0 to 1) of one answer."""

    em: float
    f1: float


def best_alignment(predicted: Sequence[Item], gold: Sequence[Item], similarity: Callable[[Item, Item], float]) -> float:
    """Largest sum of `similarity` over one-to-one pairings of the two lists (0.0 when either is empty)."""
    if not predicted or not gold:
        return 0.0
    from scipy.optimize import linear_sum_assignment  # here, not above: commands that score nothing import this module

    scores = np.array([[similarity(p, g) for g in gold] for p in predicted], dtype=float)
    rows, columns = linear_sum_assignment(scores, maximize=True)
    return float(scores[rows, columns].sum())


def list_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Runner's list F1: harmonic mean of matched mass over |predicted| and over |gold|; two empty lists score 1."""
    if not predicted or not gold:
        return float(not predicted and not gold)
    return 2 * best_alignment(predicted, gold, token_f1) / (len(predicted) + len(gold))


def score(predicted: Sequence[str], gold: Sequence[str]) -> ListScore:
    """Runner variant; the paper's EM and F1. A predicted refusal counts as no answer."""
    if any(is_refusal(item) for item in predicted):
        predicted = ()
    em = {normalise(item) for item in predicted} == {normalise(item) for item in gold}
    return ListScore(float(em), list_f1(predicted, gold))


def _as_number(token: str) -> float | None:
    try:
        return float(token)
    except ValueError:
        return None


def _official_token(token: str) -> str:
    token = token.lower()
    if _as_number(token) is None:
        token = token.translate(_DELETE_PUNCTUATION)
    number = _as_number(token)
    if number is None:
        # The word parser reads any whitespace-separated number word of the token; a token holds one word at most
        # unless it carries tabs or line breaks, which neither the questions nor one-line answers do.
        number = _NUMBER_WORDS.get(token.strip())
    return str(number) if number is not None else _ARTICLE.sub(" ", token)


def normalise_official(text: str) -> str:
    """MultimodalQA's normal form of one answer item."""
    return " ".join(" ".join(_official_token(token) for token in re.split(r"[ -]", text)).split())


def _bag_f1(predicted: frozenset[str], gold: frozenset[str]) -> float:
    numbers = {token for token in gold if _as_number(token) is not None}
    if numbers and not numbers & predicted:
        return 0.0
    shared = len(predicted & gold)
    precision = shared / len(predicted) if predicted else 1.0
    recall = shared / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score_official(predicted: Sequence[str], gold: Sequence[str]) -> ListScore:
    """MultimodalQA's list EM and list F1 (rounded to 2 decimals as it does). No prediction scores 0."""
    if not gold:
        raise ValueError("MultimodalQA's evaluation needs at least one gold item")
    if not predicted:
        return ListScore(0.0, 0.0)
    predicted_items, gold_items = [normalise_official(p) for p in predicted], [normalise_official(g) for g in gold]
    em = set(predicted_items) == set(gold_items) and len(predicted_items) == len(gold_items)
    bags = [frozenset(item.split()) for item in predicted_items], [frozenset(item.split()) for item in gold_items]
    f1 = best_alignment(bags[0], bags[1], _bag_f1) / max(len(predicted), len(gold))
    return ListScore(float(em), round(f1, 2))
