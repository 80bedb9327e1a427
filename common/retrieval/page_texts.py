"""The texts by which the pages of one document are found: plain windows, whole pages, and pieces with their context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from common.documents.model import Document, Fragment, Table

AROUND = "On the page: "  # the line of a picture's description that repeats prose of the page
HEADINGS = 2  # innermost titles of a heading path that a piece carries


@dataclass(frozen=True)
class PageText:
    """One text that stands for a page; several may stand for the same one."""

    key: str
    page: int
    text: str


def pages_of(document: Document) -> list[tuple[int, list[Fragment]]]:
    """Pages that hold anything, with their fragments in reading order."""
    ordered = sorted(document.fragments, key=lambda fragment: (fragment.page, fragment.order))
    return [(page, list(group)) for page, group in groupby(ordered, key=lambda fragment: fragment.page)]


def plain_windows(document: Document, words: int = 180) -> list[PageText]:
    """The text of each page, that of tables and pictures included, cut every `words` words: the plain baseline."""
    found = []
    for page, fragments in pages_of(document):
        joined = " ".join(own_text(fragment) for fragment in fragments).split()
        parts = [" ".join(joined[start : start + words]) for start in range(0, len(joined), words)]
        found += [PageText(f"p{page:04d}.{place:03d}", page, part) for place, part in enumerate(parts)]
    return found


def titled_fragments(document: Document) -> list[PageText]:
    """Each fragment under the document's title and its heading path, as a knowledge base indexes it."""
    return [
        PageText(f.fragment_id, f.page, "\n".join((" / ".join((document.title, *f.heading)), f.text)))
        for _, fragments in pages_of(document)
        for f in fragments
    ]


def whole_pages(document: Document) -> list[PageText]:
    """Each page as one text: the titles it stands under, then everything on it."""
    found = []
    for page, fragments in pages_of(document):
        titles = dict.fromkeys(title for fragment in fragments for title in fragment.heading)
        text = "\n".join([*titles, *(own_text(fragment) for fragment in fragments)])
        found.append(PageText(f"p{page:04d}", page, text))
    return found


def context_pieces(document: Document, words: int = 90) -> list[PageText]:
    """Every fragment in pieces of about `words` words, each under its section titles and caption.

    Rows of a table are written with their column names and never cut.
    """
    found = []
    for page, fragments in pages_of(document):
        for place, fragment in enumerate(fragments):
            head = " > ".join(fragment.heading[-HEADINGS:])
            parts = list(_packed(_units(fragment), words)) or [fragment.caption]
            for number, part in enumerate(parts):
                text = "\n".join(line for line in (head, fragment.caption, part) if line)
                if text:
                    found.append(PageText(f"p{page:04d}.{place:03d}.{number:03d}", page, text))
    return found


def own_text(fragment: Fragment) -> str:
    """What stands in the fragment itself: a picture's description without the prose around it."""
    if fragment.kind != "image":
        return fragment.text
    return "\n".join(line for line in fragment.text.splitlines() if not line.startswith(AROUND))


def _units(fragment: Fragment) -> list[list[str]]:
    """Runs of words that stay together: rows of a table, else single words."""
    if fragment.table is not None:
        return [row.split() for row in named_rows(fragment.table)]
    text = own_text(fragment)
    if fragment.caption and text.startswith(fragment.caption):
        text = text[len(fragment.caption) :]
    return [[word] for word in text.split()]


def named_rows(table: Table) -> Iterator[str]:
    """`column: value; column: value` for each row; values alone where the table has no header."""
    for row in table.rows:
        names = [*table.columns, *[""] * (len(row) - len(table.columns))]
        cells = [f"{name}: {cell}" if name else cell for name, cell in zip(names, row, strict=True) if cell.strip()]
        if cells:
            yield "; ".join(cells)


def _packed(units: Iterable[list[str]], limit: int) -> Iterator[str]:
    held: list[str] = []
    for unit in units:
        if held and len(held) + len(unit) > limit:
            yield " ".join(held)
            held = []
        held += unit
    if held:
        yield " ".join(held)
