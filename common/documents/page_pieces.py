"""A read page -> pieces in reading order: headings, paragraphs, examples, media."""

from __future__ import annotations

from collections.abc import Sequence

from common.documents.examples import opens_example
from common.documents.headings import Heading
from common.documents.page import Line, Media, Page, Piece
from common.documents.paragraphs import join_lines, paragraphs


def page_pieces(
    page: Page, media: Sequence[Media], headings: Sequence[Heading], furniture: frozenset[int]
) -> list[Piece]:
    """Lines the media replace and running heads are left out; each medium stands where its lines stood."""
    dropped = set(furniture)
    for item in media:
        dropped |= item.lines | set(item.caption_lines)
    starts = {heading.line: heading for heading in headings}
    places = _places(page, media)
    pieces = [Piece(page.number, "heading", h.title, h.level) for h in headings if h.line < 0]
    run: list[Line] = []
    skip = -1
    for index in range(len(page.lines) + 1):
        here = [item for item, place in zip(media, places, strict=True) if place == index]
        heading = starts.get(index)
        if here or heading is not None:
            pieces += _prose(page.number, run)
            run = []
        pieces += [_media_piece(page.number, item) for item in here]
        if heading is not None:
            pieces.append(Piece(page.number, "heading", heading.title, heading.level))
            skip = index + heading.span
        if index < len(page.lines) and index >= skip and index not in dropped:
            run.append(page.lines[index])
    return pieces + _prose(page.number, run)


def _places(page: Page, media: Sequence[Media]) -> list[int]:
    """Line number each medium stands before: its first own line, else the first line that starts below its top."""
    places = []
    for item in media:
        own = sorted(item.lines | set(item.caption_lines))
        below = (i for i, line in enumerate(page.lines) if line.box[1] >= item.box[1])
        places.append(own[0] if own else next(below, len(page.lines)))
    return places


def _prose(number: int, lines: Sequence[Line]) -> list[Piece]:
    pieces = []
    for group in paragraphs(lines):
        text = join_lines(group)
        pieces.append(Piece(number, "example" if opens_example(text) else "text", text))
    return pieces


def _media_piece(number: int, item: Media) -> Piece:
    return Piece(number, item.kind, item.inner, 0, item.caption, item.box, item.png, item.table)
