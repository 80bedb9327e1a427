"""Which pages an answer stands on, the likeliest support first. Each method says what it read and why it cites it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Reason = Literal["holds the answer", "read", "found"]


@dataclass(frozen=True)
class Citation:
    """One page of one file. `score` is the method's own, higher is better: it orders citations of one reason."""

    file: str
    page: int
    kind: str
    fragment_id: str
    reason: Reason
    score: float

    def __str__(self) -> str:
        return f"{self.file}, page {self.page} ({self.kind}, {self.reason})"


def likeliest(citations: Iterable[Citation], limit: int = 5) -> list[Citation]:
    """At most `limit` of them by reason and score; each page once."""
    order = get_args(Reason)
    pages: dict[tuple[str, int], Citation] = {}
    for citation in sorted(citations, key=lambda c: (order.index(c.reason), -c.score, c.fragment_id)):
        pages.setdefault((citation.file, citation.page), citation)
    return list(pages.values())[:limit]
