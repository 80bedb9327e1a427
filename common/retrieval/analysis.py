"""From text to index terms."""

from __future__ import annotations

import re
import unicodedata

import Stemmer
from bm25s.stopwords import STOPWORDS_EN

VERSION = "english-1"  # part of every saved index: change it with the rules below

# Single letters and digits stay ("Figure 4", "type B"); 1,234.5 is one term; don't and author's are one word.
_TERM = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_STOPWORDS = frozenset(STOPWORDS_EN)


def words(text: str) -> list[str]:
    """Lower-cased words and numbers after NFKC; thousands separators dropped, stop words still in."""
    folded = unicodedata.normalize("NFKC", text).replace("\u2019", "'").lower()
    return [
        term.replace(",", "") if term[0].isdigit() and _THOUSANDS.fullmatch(term) else term
        for term in _TERM.findall(folded)
    ]


class Analyser:
    """Words to stems with a memory, stop words dropped. Not safe for threads: make one where it is used."""

    def __init__(self) -> None:
        self._stemmer = Stemmer.Stemmer("english", 0)
        self._stems: dict[str, str] = dict.fromkeys(_STOPWORDS, "")

    def terms(self, text: str) -> list[str]:
        stems = self._stems
        found: list[str] = []
        for word in words(text):
            stem = stems.get(word)
            if stem is None:
                stem = stems[word] = self._stemmer.stemWord(word)
            if stem:
                found.append(stem)
        return found
