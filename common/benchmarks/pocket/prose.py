"""What the article writers share: seeded choice of wording, articles and pronouns, charts of pairs."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence

from common.benchmarks.pocket.article import Chart, Paragraph


class Voice:
    """Chooses between wordings; seeded by world and document, so that one article never depends on another.

    An article's choices are drawn one after another: sections written in another order come out in other words.
    """

    def __init__(self, seed: int, title: str) -> None:
        self.rng = random.Random(zlib.crc32(f"{seed}|{title}".encode()))

    def say(self, *variants: str) -> str:
        return self.rng.choice(variants)

    def some(self, count: int, *sentences: str) -> str:
        """`count` of the sentences in their given order, as running text."""
        kept = sorted(self.rng.sample(range(len(sentences)), min(count, len(sentences))))
        return " ".join(sentences[index] for index in kept)

    def paragraph(self, anchor: str, *sentences: str) -> Paragraph:
        return Paragraph(anchor, " ".join(sentence for sentence in sentences if sentence))


def article_for(noun: str) -> str:
    return ("an " if noun[0].lower() in "aeiou" else "a ") + noun


def pronouns(woman: bool) -> tuple[str, str, str]:
    """Subject (capitalised), object and possessive."""
    return ("She", "her", "her") if woman else ("He", "him", "his")


def chart_of(kind: str, title: str, points: Sequence[tuple[str | int, int]], colour: str) -> Chart:
    """A chart of (label, value) pairs."""
    return Chart(kind, title, tuple(str(label) for label, _ in points), tuple(value for _, value in points), colour)
