"""What a question says about where its answer stands (page numbers, labels, kinds of picture), and what to search for.

A question about one document often names the place ("the figure on page 5", "slide 14", "Table 3", "the cover page").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["image", "table"]

_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_NUMBER = {word: number for number, word in enumerate(_NUMBER_WORDS, start=1)}
_ORDINAL_WORDS = "first 1st second 2nd third 3rd fourth 4th fifth 5th".split()
_ORDINAL = {word: 1 + place // 2 for place, word in enumerate(_ORDINAL_WORDS)}
_SPAN = rf"(?:\d{{1,4}}|(?:{'|'.join(_NUMBER_WORDS)})\b)"
_PAGES = re.compile(
    rf"\b(?:pages?|pg\.?|slides?)\s*(?:no\.?|number|#)?\s*(?P<list>{_SPAN}(?:\s*(?:,|-|–|and|to|&)\s*(?:page\s*)?{_SPAN})*)",
    re.IGNORECASE,
)
_ORDINAL_PAGE = re.compile(rf"\b(?P<place>{'|'.join(_ORDINAL)}|last|final|cover|title|front)\s+(?:page|slide)\b", re.I)
_LABEL = re.compile(
    r"\b(?P<word>(?i:fig(?:ure)?|table|chart|exhibit|appendix|section|chapter|algorithm))s?\.?\s*"
    r"(?P<number>\d+(?:\.\d+)*|[A-Z](?:\.?\d+)?\b)"
)
_IMAGE = re.compile(
    r"\b(?:figures?|fogure|charts?|graphs?|diagrams?|pictures?|images?|photo(?:graph)?s?|maps?|logos?|icons?|cartoons?|"
    r"illustrations?|screenshots?|plots?|bars?|legends?|colou?rs?|drawn|waveforms?)\b",
    re.IGNORECASE,
)
_TABLE = re.compile(r"\b(?:tables?|rows?|columns?)\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"(?:(?:,|\b)\s*(?:e\.g\.|for example|such as|like)\s*,?\s*)?\[[^\]]*\]", re.IGNORECASE)
# How the answer is wanted and how the document is spoken of: words that match any page.
_NOISE = (
    re.compile(
        r"\b(?:please\s+)?(?:write|list|give|return|answer|round|format|enumerate|present|output|directly answer)"
        r"(?:\s+\w+){0,3}\s+(?:in|as|with|to)\b[^.?!]*?\b(?:format|lists?|decimals?|decimal places?|places?|terms?|"
        r"integers?|int|float|strings?|str|order|thousands?|millions?|percentages?|number)\b[^?!]*",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:the\s+)?(?:answer|output)\s+should\s+be\b[^?!]*", re.IGNORECASE),
    _EXAMPLE,
    re.compile(
        r"\b(?:according to|based on|from|in|of|on|by|throughout)\s+(?:this|the|these)\s+(?:whole\s+)?"
        r"(?:report|paper|documents?|article|slides?|guidebook|presentation|brochure|survey|passage|manual|file)\b",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True)
class Cues:
    """`words` is what to search for; `pages` are named by number, negative from the end, `labels` by (word, number)."""

    words: str
    pages: tuple[int, ...]
    labels: tuple[tuple[str, str], ...]
    kinds: tuple[Kind, ...]


def read_cues(question: str) -> Cues:
    """Cues of a question; its words are the whole question when nothing else would be left."""
    words = question
    for pattern in _NOISE:
        words = pattern.sub(" ", words)
    words = " ".join(words.split())
    kinds: list[Kind] = []
    if _IMAGE.search(words):
        kinds.append("image")
    if _TABLE.search(words):
        kinds.append("table")
    labels = tuple(dict.fromkeys((m["word"].lower()[:3], m["number"].rstrip(".")) for m in _LABEL.finditer(question)))
    return Cues(words or question, _pages(_EXAMPLE.sub(" ", question)), labels, tuple(kinds))


def _pages(question: str) -> tuple[int, ...]:
    found: list[int] = []
    for match in _PAGES.finditer(question):
        numbers = [_NUMBER.get(part.lower()) or int(part) for part in re.findall(_SPAN, match["list"], re.IGNORECASE)]
        dash = re.fullmatch(rf"\s*{_SPAN}\s*(?:-|–|to)\s*{_SPAN}\s*", match["list"], re.IGNORECASE)
        found += range(numbers[0], numbers[1] + 1) if dash and 0 <= numbers[1] - numbers[0] < 50 else numbers
    for match in _ORDINAL_PAGE.finditer(question):
        place = match["place"].lower()
        found.append(_ORDINAL.get(place) or (-1 if place in ("last", "final") else 1))
    return tuple(dict.fromkeys(number for number in found if number))
