"""Text normalisation and token overlap shared by the answer scorers."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

_PUNCTUATION_TO_SPACE = str.maketrans(dict.fromkeys(string.punctuation, " "))
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_REFUSAL = re.compile(r"not (available|found|present|answerable)|no information|unable to", re.IGNORECASE)
_SHORT = 2_000  # characters; a longer text is a pool, which comes once
_FINAL_LINE = re.compile(r"^.*FINAL ANSWER\s*[:：]\s*", re.IGNORECASE)


def normalise(text: object) -> str:
    """SQuAD normalisation with ASCII punctuation turned into spaces (not deleted): "U.S.-born" -> "u s born"."""
    text = str(text)
    return _normalised(text) if len(text) <= _SHORT else _normalised.__wrapped__(text)


@lru_cache(maxsize=20_000)  # the same answers and fragments come back for every system and table
def _normalised(text: str) -> str:
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION_TO_SPACE)).split())


def token_f1(predicted: object, gold: object) -> float:
    """Multiset token F1 in [0, 1] of two strings; 1.0 when both normalise to nothing, 0.0 when one does."""
    return overlap_f1(normalise(predicted).split(), normalise(gold).split())


def overlap_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """Multiset F1 of two token lists."""
    if not predicted or not gold:
        return float(not predicted and not gold)
    common = sum((Counter(predicted) & Counter(gold)).values())
    return 2 * common / (len(predicted) + len(gold))


def is_refusal(text: str) -> bool:
    """Whether an answer says that there is none; M3DocVQA, where every question has one, scores it as empty."""
    return _REFUSAL.search(text) is not None


def parse_answer(text: str) -> tuple[str, ...]:
    """The elements of a final answer: a JSON or Python list literal has several, anything else one, "" none."""
    text = text.strip().strip("*").strip()
    if text.startswith("["):
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if isinstance(value, list):
            return tuple(str(element) for element in value)
    return (text,) if text else ()


def final_answer(response: str) -> tuple[str, ...]:
    """Elements of the last line that says FINAL ANSWER; a response without such a line has no answer."""
    lines = [line for line in response.splitlines() if "FINAL ANSWER" in line.upper()]
    return parse_answer(_FINAL_LINE.sub("", lines[-1])) if lines else ()


def answer_visible(pool_text: str, answers: Sequence[str], *, every: bool = False) -> bool:
    """Whether a normalised gold string stands in the normalised pool text as whole tokens.

    Whole tokens, so that gold "4" is not seen inside "1944". `every` asks for all elements of a list
    answer instead of one. A gold string that normalises to nothing is never visible.
    """
    pool = f" {normalise(pool_text)} "
    golds = [normalise(answer) for answer in answers]
    seen = [bool(gold) and f" {gold} " in pool for gold in golds]
    return bool(seen) and (all(seen) if every else any(seen))
