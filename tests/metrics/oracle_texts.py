"""Texts of the scorers' second implementations, written from the described behaviour and sharing no code with ours.

Everything here goes by characters and runs of characters, where the scorers go by regular expressions; similarities
are exact fractions, the best pairing is found over bit masks, edit distances come from bit-parallel columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby

ASCII_PUNCTUATION = {chr(c) for c in range(33, 127) if not chr(c).isalnum()}


def word_runs(text: str) -> list[str]:
    """Runs of letters, digits and underscores, and runs of the rest."""
    return ["".join(run) for _, run in groupby(text, lambda c: c.isalnum() or c == "_")]


def without_articles(text: str) -> str:
    return "".join(" " if run in ("a", "an", "the") else run for run in word_runs(text))


def plain(text: str, *, punctuation: str) -> list[str]:
    """Lower-case words without articles; ASCII punctuation becomes `punctuation`, a space or nothing."""
    return without_articles("".join(punctuation if c in ASCII_PUNCTUATION else c for c in text.lower())).split()


def multiset_f1(first: Sequence[str], second: Sequence[str]) -> Fraction:
    """Walks two sorted lists side by side, counting equal words."""
    if not first or not second:
        return Fraction(int(not first and not second))
    left, right, i, j, same = sorted(first), sorted(second), 0, 0, 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            i, j, same = i + 1, j + 1, same + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    return Fraction(2 * same, len(left) + len(right))


def best_pairing(rows: Sequence, columns: Sequence, similarity: Callable[..., Fraction]) -> Fraction:
    """Largest total of a one-to-one pairing: row by row, over the set of columns taken (a bit mask)."""
    if len(rows) > len(columns):
        return best_pairing(columns, rows, lambda a, b: similarity(b, a))
    table = [[similarity(row, column) for column in columns] for row in rows]
    best = {0: Fraction(0)}
    for row in table:
        reached: dict[int, Fraction] = {}
        for taken, total in best.items():
            for bit, value in enumerate(row):
                mask = taken | 1 << bit
                if mask != taken and total + value >= reached.get(mask, Fraction(0)):
                    reached[mask] = total + value
        best = reached
    return max(best.values(), default=Fraction(0))


@cache
def edit_distance(pattern: str, text: str) -> int:
    """Myers' bit-parallel edit distance: one column of the table is two integers of vertical differences."""
    if not pattern:
        return len(text)
    where: dict[str, int] = {}
    for bit, char in enumerate(pattern):
        where[char] = where.get(char, 0) | 1 << bit
    full, last = (1 << len(pattern)) - 1, 1 << len(pattern) - 1
    up, down, distance = full, 0, len(pattern)
    for char in text:
        match = where.get(char, 0)
        diagonal = (((match & up) + up) ^ up) | match | down
        rise, fall = down | (full & ~(diagonal | up)), up & diagonal
        distance += bool(rise & last) - bool(fall & last)
        rise, fall = (rise << 1 | 1) & full, fall << 1 & full
        up, down = fall | (full & ~(diagonal | rise)), rise & diagonal
    return distance
