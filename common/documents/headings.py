"""Headings of a PDF: its outline where it has a usable one, else the headings of its blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from common.documents.geometry import holds_centre
from common.documents.model import Section
from common.documents.page import Line, Page

MAX_WORDS = 16
MAX_LINES = 4
NUMBERED = re.compile(r"^(\d+(?:\.\d+)*)\.?\s+\S")
RUN_IN = re.compile(r"[a-z)]\. +[A-Z]")  # "Data. We use ...": a bold start of a paragraph, not a heading
USABLE_OUTLINE = 0.5  # of its entries must stand as a line on their page


@dataclass(frozen=True)
class Heading:
    """`line` is the first of `span` lines on the page; -1 when only the outline tells the place."""

    page: int
    line: int
    span: int
    level: int
    title: str


def document_headings(pages: Sequence[Page], outline: Sequence[Section]) -> tuple[Heading, ...]:
    """Headings in reading order."""
    placed = [_locate(section, pages) for section in outline]
    found = sum(heading.line >= 0 for heading in placed)
    if placed and found >= USABLE_OUTLINE * len(placed):
        return tuple(sorted(placed, key=lambda heading: (heading.page, heading.line)))
    return tuple(heading for page in pages for heading in _block_headings(page))


def _locate(section: Section, pages: Sequence[Page]) -> Heading:
    wanted = _key(section.title)
    lines = pages[section.page - 1].lines if 1 <= section.page <= len(pages) else ()
    for index in range(len(lines)):
        span = _span(wanted, lines, index)
        if span:
            return Heading(section.page, index, span, section.level, section.title)
    return Heading(section.page, -1, 0, section.level, section.title)


def _span(wanted: str, lines: Sequence[Line], index: int) -> int:
    """How many lines from `index` on spell the title (a number may stand before it); 0 when they do not."""
    text, span = _key(lines[index].text), 1
    if not text or not (wanted.startswith(text) or text.endswith(wanted)):
        return 0
    while len(text) < len(wanted) and index + span < len(lines) and span < MAX_LINES:
        text += _key(lines[index + span].text)
        span += 1
    return span if text.endswith(wanted) and len(text) <= len(wanted) + 12 else 0


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _block_headings(page: Page) -> list[Heading]:
    found = []
    for block in page.headings:
        lines = [index for index, line in enumerate(page.lines) if holds_centre(block.box, line.box)]
        title = " ".join(block.text.split())
        span = _span(_key(title), page.lines, lines[0]) if lines else 0
        if span and reads_as_heading(title):
            number = NUMBERED.match(title)
            level = 2 + number[1].count(".") if number else block.level
            found.append(Heading(page.number, lines[0], span, min(level, 6), title))
    return sorted(found, key=lambda heading: heading.line)


def reads_as_heading(title: str) -> bool:
    letters = sum(char.isalpha() for char in title)
    short = len(title.split()) <= MAX_WORDS and letters >= 3 and letters >= 0.4 * len(title.replace(" ", ""))
    return short and title[-1] not in ",;-" and not RUN_IN.search(title)


class HeadingPath:
    """The headings in force: a new one closes those of its own and deeper levels."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> None:
        self._open = [item for item in self._open if item[0] < level]
        self._open.append((level, title))

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._open)
