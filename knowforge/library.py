"""Read-only look-ups in a knowledge base: books, tables, media, figures, context. No model call.

The tools and the HTTP service are two views of these functions. A look-up that cannot be answered
raises `LookupFailed` with the code the service answers: book_required, ambiguous, bad_label, bad_argument, not_found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from common.documents.model import MEDIA_KINDS, Document, Fragment, Section, Table
from common.text import folded
from knowforge.base import KnowledgeBase, UnknownFragment

LIST_LIMIT = 40
ROW_LIMIT = 30
_LABEL = re.compile(r"^\s*(fig(?:ure)?|table|tab|chart|image|photo)?\.?\s*([A-Za-z]?\d+(?:[.\-]\d+)*[a-z]?)\s*$", re.I)


class LookupFailed(Exception):
    """A look-up without an answer; `code` and `candidates`, the first of `matched`, go back to whoever asked."""

    def __init__(self, code: str, message: str, candidates: Sequence[str] = (), matched: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.candidates = tuple(candidates)
        self.matched = len(self.candidates) if matched is None else matched


@dataclass(frozen=True)
class FigureMatch:
    """Where a labelled figure or table stands: pages, captions, other mentions, and its media fragments."""

    book: str
    label: str
    captions: tuple[Fragment, ...]
    mentions: tuple[Fragment, ...]
    media: tuple[Fragment, ...]

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(sorted({f.page for f in (*self.captions, *self.media)}))


@dataclass(frozen=True)
class TableRows:
    """Rows of one table that were asked for, out of `matched` that fit."""

    fragment: Fragment
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    matched: int

    @property
    def truncated(self) -> bool:
        return len(self.rows) < self.matched


def find_fragment(base: KnowledgeBase, name: str) -> Fragment:
    """A fragment by id or unique abbreviation; not_found otherwise."""
    try:
        return base.resolve(name)
    except UnknownFragment as error:
        raise LookupFailed("not_found", str(error)) from error


def find_book(base: KnowledgeBase, name: str) -> Document:
    """The one document whose id or title is `name`, or contains its words."""
    wanted = folded(name)
    if not wanted:
        if len(base.documents) == 1:
            return next(iter(base.documents.values()))
        raise LookupFailed("book_required", "name a book; list_books shows them")
    documents = base.documents.values()
    exact = [d for d in documents if wanted in (d.document_id.casefold(), folded(d.title))]
    if len(exact) == 1:
        return exact[0]
    words = set(wanted.split())
    partial = [d for d in documents if words <= set(re.findall(r"\w+", f"{d.title} {d.document_id}".casefold()))]
    if len(partial) == 1:
        return partial[0]
    fitting = exact or partial
    if fitting:
        message = f"{name!r} fits {len(fitting)} books; give the full title"
        raise LookupFailed("ambiguous", message, _names(fitting[:LIST_LIMIT]), len(fitting))
    raise LookupFailed("not_found", f"no book is called {name!r}; list_books shows their titles")


def _names(documents: Sequence[Document]) -> list[str]:
    """What each document can be asked for by: its title, or its id where others have that title too."""
    bearers = Counter(folded(document.title) for document in documents)
    return [d.title if bearers[folded(d.title)] == 1 else d.document_id for d in documents]


def list_books(base: KnowledgeBase, contains: str = "") -> list[Document]:
    """Documents by title, all or those whose title contains a text."""
    part = contains.casefold()
    return sorted(
        (d for d in base.documents.values() if part in d.title.casefold()), key=lambda d: (d.title, d.document_id)
    )


def book_toc(base: KnowledgeBase, book: str) -> tuple[Document, tuple[Section, ...]]:
    document = find_book(base, book)
    return document, document.sections


def tables_of(base: KnowledgeBase, book: str = "") -> list[Fragment]:
    """Table fragments that have cells, in one book or in all."""
    documents = [find_book(base, book)] if book else list_books(base)
    return [f for d in documents for f in d.fragments if f.kind == "table" and f.table is not None]


def cells_of(fragment: Fragment) -> Table:
    if fragment.table is None:
        raise LookupFailed("not_found", f"{fragment.fragment_id} has no readable cells; use read_media on it")
    return fragment.table


def get_table(base: KnowledgeBase, table_id: str, limit: int = ROW_LIMIT) -> TableRows:
    fragment = find_fragment(base, table_id)
    table = cells_of(fragment)
    return TableRows(fragment, table.columns, table.rows[:limit], len(table.rows))


def query_table(base: KnowledgeBase, item: str, table_id: str = "", limit: int = ROW_LIMIT) -> list[TableRows]:
    """Rows that contain every word of `item`, in one table or in all; tables without such a row are left out."""
    words = re.findall(r"\w+", item.casefold())
    if not words:
        raise LookupFailed("not_found", "item is empty; give the words a row must contain")
    fragments = [find_fragment(base, table_id)] if table_id else tables_of(base)
    found = []
    for fragment in fragments:
        table = cells_of(fragment)
        rows = [row for row in table.rows if _row_has(row, words)]
        if rows:
            found.append(TableRows(fragment, table.columns, tuple(rows[:limit]), len(rows)))
    return found


def _row_has(row: Sequence[str], words: Sequence[str]) -> bool:
    held = set(re.findall(r"\w+", " ".join(row).casefold()))
    return all(word in held for word in words)


def list_media(
    base: KnowledgeBase, book: str, kind: str = "", page: int | None = None, heading: str = ""
) -> tuple[Document, list[Fragment]]:
    """The figures and tables of a book in reading order, filtered by kind, page or heading text."""
    if kind and kind not in MEDIA_KINDS:
        raise LookupFailed("bad_argument", f"kind must be {' or '.join(MEDIA_KINDS)}, not {kind!r}")
    document = find_book(base, book)
    part = heading.casefold()
    return document, [
        f
        for f in document.fragments
        if f.is_media
        and (not kind or f.kind == kind)
        and (page is None or f.page == page)
        and (not part or any(part in title.casefold() for title in f.heading))
    ]


def find_figure(base: KnowledgeBase, label: str, book: str = "") -> FigureMatch:
    """Where "Figure 5" or "Table 3" stands: captions that start with it, mentions, and media next to its caption."""
    match = _LABEL.match(label)
    if match is None:
        raise LookupFailed("bad_label", f"{label!r} is not a figure or table label; give one like 'Figure 5'")
    document = find_book(base, book)
    word, number = (match.group(1) or "").casefold(), match.group(2)
    names = {"fig": "fig(?:ure)?", "figure": "fig(?:ure)?", "tab": "tab(?:le)?", "table": "tab(?:le)?"}
    stem = names.get(word, word or r"(?:fig(?:ure)?|tab(?:le)?|chart|image|photo)")
    mention = re.compile(rf"\b{stem}\.?\s*{re.escape(number)}(?![\w])(?!\.\d)", re.I)
    media = [f for f in document.fragments if f.is_media and mention.match(f.caption.strip())]
    captions = [f for f in document.fragments if not f.is_media and mention.match(f.text.strip())]
    mentions = [f for f in document.fragments if f not in captions and f not in media and mention.search(f.text)]
    if not media:
        pages = {f.page for f in captions} or {f.page for f in mentions}
        media = [f for f in document.fragments if f.is_media and f.page in pages]
    if not (media or captions or mentions):
        raise LookupFailed("not_found", f"{document.title} has no {label!r}; list_media shows what it has")
    return FigureMatch(document.title, f"{word} {number}".strip(), tuple(captions), tuple(mentions), tuple(media))


def fragment_context(base: KnowledgeBase, fragment_id: str, window: int = 1) -> list[Fragment]:
    """A fragment and its neighbours in reading order; for media the full description stands in `text`."""
    fragment = find_fragment(base, fragment_id)
    window = max(0, min(window, 5))
    return [f for f in base.around(fragment, window) if abs(f.order - fragment.order) <= window]


def media_context(base: KnowledgeBase, fragment_id: str) -> tuple[Fragment, list[Fragment], list[Fragment]]:
    """A figure or table, the body text of its page, and the other media there."""
    fragment = find_fragment(base, fragment_id)
    page = [f for f in base.documents[fragment.document_id].fragments if f.page == fragment.page]
    texts = [f for f in page if not f.is_media]
    return fragment, texts, [f for f in page if f.is_media and f.fragment_id != fragment.fragment_id]
