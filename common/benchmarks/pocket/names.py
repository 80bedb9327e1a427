"""Made-up names: seeded syllables and word pairs, each handed out once per world.

No model can know them by heart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from common.benchmarks.pocket.lexicon import word_list


class NameForge:
    """Hands out unique names of each kind, in an order fixed by the seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"names-{seed}")
        self._taken: set[str] = set()
        self._surnames = [a + b for a in word_list("surname_start") for b in word_list("surname_end")]
        self._places = self._stream(word_list("place_start"), word_list("place_end"), "")
        self._rivers = self._stream(word_list("place_start"), word_list("river_end"), "", elide=True)
        self._titles = self._stream(word_list("adjectives"), word_list("nouns"), " ")
        self._trades = self._stream(word_list("trade_a"), word_list("trade_b"), " ")
        self._mottos = self._stream(word_list("motto_a"), word_list("motto_b"), " ")
        self._banners = self._stream(word_list("banner_a"), word_list("banner_b"), " ")
        self._songs = self._stream(word_list("song_a"), word_list("song_b"), " ")

    def _stream(
        self, first: tuple[str, ...], second: tuple[str, ...], glue: str, *, elide: bool = False
    ) -> Iterator[str]:
        pairs = [(a.rstrip("aeiou") if elide else a) + glue + b for a in first for b in second]
        self._random.shuffle(pairs)
        return iter(pairs)

    @staticmethod
    def _next(stream: Iterator[str]) -> str:
        name = next(stream, None)
        if name is None:
            raise ValueError("the invented world has run out of names of one kind; ask for fewer documents")
        return name

    def surname(self) -> str:
        return self._random.choice(self._surnames)

    def person(self, surname: str | None = None) -> str:
        """A full name. With `surname`, a namesake: another first name before a family name in use."""
        while True:
            name = f"{self._random.choice(word_list('first'))} {surname or self.surname()}"
            if name not in self._taken:
                self._taken.add(name)
                return name

    def place(self) -> str:
        return self._next(self._places)

    def river(self) -> str:
        return self._next(self._rivers)

    def film(self) -> str:
        return "The " + self._next(self._titles)

    def album(self) -> str:
        return self._next(self._titles)

    def song(self) -> str:
        return self._next(self._songs)

    def sponsor(self) -> str:
        return self._next(self._trades)

    def motto(self) -> str:
        return self._next(self._mottos)

    def banner(self) -> str:
        return self._next(self._banners)

    def tagline(self) -> str:
        while True:
            line = " ".join(
                self._random.choice(words)
                for words in (word_list("shout_a"), word_list("shout_b"), word_list("shout_c"))
            )
            if line not in self._taken:
                self._taken.add(line)
                return line
