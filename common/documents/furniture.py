"""What repeats on most pages and says nothing: running heads, page numbers, logos, backgrounds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from common.documents.page import Line, Media, Page

BAND = 0.11  # of the page height, at the top and at the bottom
LEAST_PAGES = 3
PAGE_NUMBER = re.compile(r"^\W*(page\s*)?(\d{1,4}|[ivxlc]{1,6})(\s*(of|/)\s*\d{1,4})?\W*$", re.IGNORECASE)


def repeated_lines(pages: Sequence[Page], share: float) -> dict[int, frozenset[int]]:
    """Line numbers of running heads and feet, by page number."""
    counts = Counter(key for page in pages for key in _single_keys(page))
    least = max(LEAST_PAGES, share * len(pages))
    found = {}
    for page in pages:
        single = {key for key in _single_keys(page) if counts[key] >= least}
        drop = {i for i in _band(page) if _key(page.lines[i]) in single or _is_folio(page.lines[i], pages)}
        found[page.number] = frozenset(drop)
    return found


def _band(page: Page) -> list[int]:
    top, bottom = BAND * page.height, (1 - BAND) * page.height
    return [i for i, line in enumerate(page.lines) if line.box[3] <= top or line.box[1] >= bottom]


def _single_keys(page: Page) -> set[str]:
    """Keys that stand once in the bands of a page: rows of a list that differ in numbers alone are no running head."""
    return {key for key, count in Counter(_key(page.lines[i]) for i in _band(page)).items() if count == 1}


def _key(line: Line) -> str:
    """Letters alone, each number one mark: OCR spaces and page numbers differ from page to page."""
    return re.sub(r"[\W_]+", "", re.sub(r"\d+", "0", line.text.casefold()))


def _is_folio(line: Line, pages: Sequence[Page]) -> bool:
    return len(pages) >= LEAST_PAGES and bool(PAGE_NUMBER.match(line.text))


def without_repeats(pages: Sequence[Page], share: float) -> list[tuple[Media, ...]]:
    """Media of each page without the pictures that stand on most pages. Tables always stay."""
    counts = Counter(look for page in pages for look in {item.look for item in page.media if item.kind == "image"})
    least = max(LEAST_PAGES, share * len(pages))
    return [tuple(item for item in page.media if item.kind == "table" or counts[item.look] < least) for page in pages]
