"""MMLongBench-Doc: the rule scorer by answer format that follows the judge's extraction of a short answer.

Behaviour of the official script kept on purpose, so that scores compare with published ones:
- Int: the prediction goes through float and is cut to an integer ("3.9" is 3); a gold that is no integer
  (two in the official file) can never be matched.
- Float: equal at min(decimals) digits, at least 2, or within 1 % of the prediction or gold, whichever is larger;
  gold / 100 and gold * 100 count as well, so percent and fraction are interchangeable.
- Str and None: exact for URLs, code files, "page ...", numbers like telephone numbers, times, dates and addresses;
  else ANLS (case ignored), 0 at or below .5.
- List: both sides sorted as strings, then compared position by position, the worst pair counts; a different
  length scores 0; a list whose first gold item is a number or of an exact class must match altogether.
- One parenthesis group, one quote at each end, "$" in front and "%" behind are dropped; units are not.
The official script runs eval() on gold and prediction. Here lists are read as literals; a prediction that is
no literal list scores 0, as it does there through the caught exception.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from common.benchmarks.question import NOT_ANSWERABLE

FORMATS = ("Int", "Str", "Float", "List", "None")
_EXACT_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\d+(-\d+|\s\d+)?",  # telephone numbers, plain integers
        r"\d{4}[-\s]\d{2}[-\s]\d{2}",  # dates
        r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}",  # mail addresses
    )
)


def levenshtein(first: str, second: str) -> int:
    """Edit distance of two strings (insert, delete, replace cost 1)."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(second, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


def anls(predicted: str, gold: str, *, threshold: float = 0.5) -> float:
    """Normalised Levenshtein similarity in [0, 1]; 0 at or below `threshold`. Lengths are those of the upper case."""
    length = max(len(gold.upper()), len(predicted.upper()))
    similarity = 1.0 - (levenshtein(predicted, gold) / length if length else 0.0)
    return similarity if similarity > threshold else 0.0


def clean(text: object) -> str:
    """Lower case without parentheses, outer quotes, leading "$" and trailing "%"."""
    cleaned = re.sub(r"\s*\([^)]*\)", "", str(text).lower().strip()).strip()
    cleaned = re.sub(r"^['\"]|['\"]$", "", cleaned).strip()
    return cleaned.lstrip("$").strip().rstrip("%").strip()


def needs_exact_match(gold: str) -> bool:
    """Whether a cleaned gold string is of a class that near misses do not satisfy."""
    return (
        "https://" in gold
        or gold.endswith((".py", "ipynb"))
        or gold.startswith("page")
        or "a.m." in gold
        or "p.m." in gold
        or any(pattern.fullmatch(gold) for pattern in _EXACT_PATTERNS)
    )


def _number(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None


def _decimals(value: float) -> int:
    text = str(value)
    return len(text.split(".")[-1]) if "." in text else 3


def floats_equal(predicted: float, gold: float) -> bool:
    """Equal up to 1 % or up to the coarser printed precision, for gold as it is, / 100 and * 100."""
    for target in (gold / 100, gold, gold * 100):
        digits = max(min(_decimals(predicted), _decimals(target)), 2)
        if math.isclose(target, predicted, rel_tol=0.01) or round(predicted, digits) == round(target, digits):
            return True
    return False


def _score_int(predicted: str, gold: str) -> float:
    value = _number(predicted)
    if value is None or not math.isfinite(value):
        return 0.0
    try:
        return float(int(gold) == int(value))
    except ValueError:  # the gold is no integer
        return 0.0


def _score_float(predicted: str, gold: str) -> float:
    value, target = _number(clean(predicted)), _number(clean(gold))
    if value is None or target is None:
        return 0.0
    return float(floats_equal(value, target))


def _score_text(predicted: str, gold: str) -> float:
    predicted, gold = clean(predicted), clean(gold)
    return float(predicted == gold) if needs_exact_match(gold) else anls(predicted, gold)


def _items(text: str) -> list[object] | None:
    """Elements of a list answer; text that starts no list is one element, a broken list is None."""
    if not text.startswith("["):
        return [text]
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else [value]


def _score_list(predicted: str, gold: str) -> float:
    predicted_items, gold_items = _items(predicted), _items(gold)
    if not predicted_items or not gold_items or len(predicted_items) != len(gold_items):
        return 0.0
    ours, theirs = sorted(map(clean, predicted_items)), sorted(map(clean, gold_items))
    if _number(theirs[0]) is not None or needs_exact_match(theirs[0]):
        return float("-".join(ours) == "-".join(theirs))
    return min(anls(o, t) for o, t in zip(ours, theirs, strict=True))


_SCORERS = {"Int": _score_int, "Float": _score_float, "Str": _score_text, "None": _score_text, "List": _score_list}


def score(predicted: str, gold: str, answer_format: str) -> float:
    """Score in [0, 1] of an extracted short answer against the official gold string of its format.

    Raises ValueError on a format that is none of `FORMATS`.
    """
    if answer_format not in _SCORERS:
        raise ValueError(f"answer format {answer_format!r} is none of {', '.join(FORMATS)}")
    return _SCORERS[answer_format](predicted, gold)


@dataclass(frozen=True)
class Aggregate:
    """Judge accuracy (mean score), strict (share of score 1) and the benchmark's F1 over answerable questions."""

    n: int
    accuracy: float
    strict: float
    f1: float


def aggregate(scores: Sequence[float], predicted: Sequence[str], gold: Sequence[str]) -> Aggregate:
    """Accuracy, strict accuracy and F1; recall is over answerable questions, precision over answers that are given.

    Whether a question is answerable, or an answer given, is read from the exact string "Not answerable".
    """
    rows = list(zip(scores, predicted, gold, strict=True))
    if not rows:
        return Aggregate(0, 0.0, 0.0, 0.0)
    mass = sum(value for value, _, truth in rows if truth != NOT_ANSWERABLE)
    answerable = sum(truth != NOT_ANSWERABLE for _, _, truth in rows)
    given = sum(answer != NOT_ANSWERABLE for _, answer, _ in rows)
    recall, precision = (mass / answerable if answerable else 0.0), (mass / given if given else 0.0)
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
    return Aggregate(len(rows), sum(scores) / len(rows), sum(value == 1 for value in scores) / len(rows), f1)
