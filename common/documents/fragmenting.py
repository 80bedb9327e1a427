"""Pieces -> fragments with ids, heading paths and assets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from common.documents.describe import describe_picture, describe_table, page_context
from common.documents.examples import mark_examples
from common.documents.geometry import rounded
from common.documents.headings import HeadingPath
from common.documents.model import Fragment, FragmentKind
from common.documents.options import ParseOptions
from common.documents.page import Piece
from common.documents.paragraphs import count_words, split_text

CLOSE_AT = 0.25  # a heading closes a fragment that has this share of its words; smaller ones go on, heading included


@dataclass(frozen=True)
class Draft:
    """A fragment without its place in the document."""

    kind: FragmentKind
    text: str
    heading: tuple[str, ...]
    piece: Piece | None = None


def make_fragments(
    document_id: str, pieces: Sequence[Piece], options: ParseOptions
) -> tuple[tuple[Fragment, ...], dict[str, bytes]]:
    """Fragments in reading order, none across pages, and the PNG of each asset name."""
    path = HeadingPath()
    fragments: list[Fragment] = []
    assets: dict[str, bytes] = {}
    for number, group in groupby(mark_examples(pieces), key=lambda piece: piece.page):
        for place, draft in enumerate(_drafts(list(group), path, options)):
            asset = _asset_name(document_id, number, draft)
            if asset is not None and draft.piece is not None and draft.piece.png is not None:
                assets[asset] = draft.piece.png
            fragments.append(_fragment(document_id, number, place, len(fragments), draft, asset))
    return tuple(fragments), assets


def _fragment(document_id: str, page: int, place: int, order: int, draft: Draft, asset: str | None) -> Fragment:
    payload = "\x1f".join((document_id, str(page), draft.kind, str(place), draft.text))
    piece = draft.piece
    return Fragment(
        fragment_id="frag_" + hashlib.sha256(payload.encode()).hexdigest()[:16],
        document_id=document_id,
        page=page,
        kind=draft.kind,
        text=draft.text,
        order=order,
        heading=draft.heading,
        caption=piece.caption if piece else "",
        bbox=rounded(piece.box) if piece and piece.box else None,
        asset=asset,
        table=piece.table if piece else None,
    )


def _asset_name(document_id: str, page: int, draft: Draft) -> str | None:
    """Named by content: a newer parse never overwrites a picture an older document file still points to."""
    if draft.piece is None or draft.piece.png is None:
        return None
    return f"{document_id}/page_{page}_{draft.kind}_{hashlib.sha256(draft.piece.png).hexdigest()[:12]}.png"


def _drafts(pieces: Sequence[Piece], path: HeadingPath, options: ParseOptions) -> Iterator[Draft]:
    """Drafts of one page. A medium inside a running text comes right after the fragment it interrupts."""
    held: list[Draft] = []
    for draft in _in_place(pieces, path, options):
        if draft.piece is not None:
            held.append(draft)
            continue
        yield draft
        yield from held
        held = []
    yield from held


def _in_place(pieces: Sequence[Piece], path: HeadingPath, options: ParseOptions) -> Iterator[Draft]:
    page_text = " ".join(piece.text for piece in pieces if piece.kind in ("text", "example"))
    run = _Run(options.words_per_fragment)
    before = ""
    for piece in pieces:
        if piece.kind == "heading":
            if run.words >= CLOSE_AT * options.words_per_fragment or run.kind == "example":
                yield from run.close()
            path.enter(piece.level, piece.text)
            yield from run.add("heading", piece.text, path.titles)
        elif piece.kind in ("text", "example"):
            yield from run.add(piece.kind, piece.text, path.titles)
            before = piece.text
        else:
            if run.words >= CLOSE_AT * options.words_per_fragment:
                yield from run.close()
            yield Draft(piece.kind, _describe(piece, path.titles, before, page_text, options), path.titles, piece)
    yield from run.close()


def _describe(piece: Piece, heading: tuple[str, ...], before: str, page_text: str, options: ParseOptions) -> str:
    if piece.kind == "table":
        return describe_table(piece.caption, piece.table, piece.text)
    context = page_context(piece.caption, before, page_text, options.context_words)
    return describe_picture(piece.caption, piece.text, heading, context)


class _Run:
    """Paragraphs gathered for the next text or example fragment."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.kind: FragmentKind = "text"
        self._parts: list[str] = []
        self._has_body = False
        self._heading: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        return count_words(self._parts)

    def add(self, kind: str, text: str, heading: tuple[str, ...]) -> Iterator[Draft]:
        """Take a paragraph, or a heading, which belongs to whatever follows it."""
        body: FragmentKind | None = None if kind == "heading" else "example" if kind == "example" else "text"
        if self._has_body and body is not None and body != self.kind:
            yield from self.close()
        for part in _stretches(kind, text, self.limit):
            if self._parts and self.words + count_words([part]) > self.limit:
                yield from self.close()
            if not self._parts:
                self._heading = heading
            if not self._has_body:
                self.kind = body or "text"
                self._heading = heading if body is not None else self._heading
            self._has_body = self._has_body or body is not None
            self._parts.append(part)

    def close(self) -> Iterator[Draft]:
        if self._parts:
            yield Draft(self.kind, "\n".join(self._parts), self._heading)
        self._parts, self._has_body, self.kind = [], False, "text"


def _stretches(kind: str, text: str, limit: int) -> list[str]:
    """Code keeps its lines; prose is cut at sentences."""
    if kind == "example" and "\n" in text:
        return text.splitlines() if count_words([text]) > limit else [text]
    return split_text(text, limit)
