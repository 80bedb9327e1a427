"""What both methods do with a text: compare it loosely, take its first sentence."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")


def folded(text: str) -> str:
    """Without regard to case and to how blanks are set, to be compared."""
    return " ".join(text.casefold().split())


def first_sentence(text: str) -> str:
    """The first sentence in one line; one ends where a capital, a digit, a quote or a bracket follows the stop."""
    return _SENTENCE_END.split(" ".join(text.split()), maxsplit=1)[0]
