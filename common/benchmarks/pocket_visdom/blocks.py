"""What a document is before it becomes a PDF: pages of blocks, some with anchors that questions point to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from common.benchmarks.pocket.article import slug

Style = Literal["paper", "wiki", "slides"]


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph, or a bullet point on a slide."""

    anchor: str
    text: str


@dataclass(frozen=True)
class Table:
    """A table whose cells are text. A table may go on under the next page's heading row, as a block of its own."""

    anchor: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Graph:
    """A chart with its values written at bars or points.

    A picture in papers, so that its text is not in the text layer; drawn with lines and letters on slides.
    """

    anchor: str
    caption: str
    kind: Literal["bar", "hbar", "line"]
    title: str
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[int, ...]], ...]

    def strings(self) -> tuple[str, ...]:
        """Everything the chart shows in writing."""
        values = [str(value) for _, row in self.series for value in row]
        return (self.title, *self.labels, *(name for name, _ in self.series), *values)


@dataclass(frozen=True)
class Infobox:
    """Key and value pairs beside the opening text of a wiki page."""

    rows: tuple[tuple[str, str], ...]


Block = Heading | Text | Table | Graph | Infobox
Pages = tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Document:
    """One PDF. Each element of `pages` is laid out as exactly one page, so an anchor's page is known beforehand."""

    title: str
    style: Style
    byline: str
    pages: Pages

    @property
    def document_id(self) -> str:
        return slug(self.title)

    def page_of(self, anchor: str) -> int:
        """1-based page of an anchor. Raises ValueError where it stands on no page or on several."""
        found = [number for number, blocks in enumerate(self.pages, start=1) if anchor in map(_anchor, blocks)]
        if len(found) != 1:
            raise ValueError(f"{self.document_id}: the anchor {anchor!r} stands on {len(found)} pages")
        return found[0]

    def graphs(self, page: int) -> tuple[Graph, ...]:
        return tuple(block for block in self.pages[page - 1] if isinstance(block, Graph))


def _anchor(block: Block) -> str:
    return getattr(block, "anchor", "")
