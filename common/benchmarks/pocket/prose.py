"""Small helpers the article writers share: seeded choice of wording, joining, quantities in words."""

from __future__ import annotations

import random
import zlib

from common.benchmarks.pocket.article import Paragraph


class Voice:
    """Chooses between wordings; seeded by world and document, so that one article never depends on another."""

    def __init__(self, seed: int, title: str) -> None:
        self.rng = random.Random(zlib.crc32(f"{seed}|{title}".encode()))

    def say(self, *variants: str) -> str:
        return self.rng.choice(variants)

    def some(self, sentences: list[str], count: int) -> str:
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
