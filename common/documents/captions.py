"""Which lines caption which figure or table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from common.documents.geometry import Box, holds_centre, inside_share, vertical_gap, x_overlap
from common.documents.page import Line, Region
from common.documents.reading_order import next_in_column

FIGURE_WORDS = r"figure|fig|chart|exhibit|graph|plate|map|diagram|scheme|photo|image|illustration"
# "Figure 3: ...", "Table II Results", "Fig. 4" alone; not "Figure 3 shows that", which is prose
START = re.compile(
    rf"^\W{{0,2}}(?P<word>{FIGURE_WORDS}|table|tab)s?\.?\s*(?P<number>[A-Z]?\d+([.\-–]\d+)*[a-z]?|[IVXL]+)"
    r"(\s*[.:|)\]–—-]|\s*$|\s+(?=[A-Z(\"“]))",
    re.IGNORECASE,
)
REACH = 60.0  # points between a box and its caption
BOX_REACH = 40.0  # the same for a caption the layout model marks
MAX_LINES = 6
LEAST_WORDS = 3  # of an unnumbered caption
RUNNING_WORDS = 5


def is_caption_start(text: str) -> bool:
    match = START.match(text)
    if match is None:
        return False
    rest = text[match.end() :].lstrip()
    return not rest or not rest[0].islower() or not text[: match.end()].rstrip()[-1].isalnum()


def caption_lines(start: int, lines: Sequence[Line], media: Sequence[Box]) -> tuple[int, ...]:
    """The caption that starts at a line: it and the lines right below it, up to the next caption or picture."""
    taken = [start]
    for index in range(start + 1, min(start + MAX_LINES, len(lines))):
        line, last = lines[index], lines[taken[-1]]
        inside = any(holds_centre(box, line.box) and not holds_centre(box, lines[start].box) for box in media)
        if inside or is_caption_start(line.text) or not next_in_column(last, line):
            break
        taken.append(index)
    return tuple(taken)


def assign_captions(
    media: Sequence[tuple[str, Box]], lines: Sequence[Line], regions: Sequence[Region]
) -> list[tuple[int, ...]]:
    """Caption line numbers for each (kind, box). A numbered caption serves one box, nearest first; a figure left
    without one may share it (two panels, one caption); then a caption box of the layout model is taken."""
    boxes = [box for _, box in media]
    starts = [index for index in range(len(lines)) if _starts_caption(index, lines, boxes)]
    pairs = sorted(
        (mismatch, gap, owner, start)
        for owner, (kind, box) in enumerate(media)
        for start in starts
        for mismatch, gap in [_distance(kind, box, lines[start])]
        if gap <= REACH
    )
    chosen: dict[int, int] = {}
    for _, _, owner, start in pairs:
        if owner not in chosen and start not in chosen.values():
            chosen[owner] = start
    for mismatch, _, owner, start in pairs:
        if owner not in chosen and media[owner][0] == "image" and not mismatch:
            chosen[owner] = start
    return [
        caption_lines(chosen[owner], lines, boxes) if owner in chosen else _from_region(box, lines, regions)
        for owner, box in enumerate(boxes)
    ]


def _starts_caption(index: int, lines: Sequence[Line], media: Sequence[Box]) -> bool:
    """A line worded as one that does not go on a sentence of the line above ("... are shown in / Table 4. We ...")."""
    if not is_caption_start(lines[index].text):
        return False
    above = lines[index - 1] if index else None
    if above is None or not next_in_column(above, lines[index]) or any(holds_centre(box, above.box) for box in media):
        return True
    return len(above.text.split()) < RUNNING_WORDS or above.text.endswith((".", "!", "?", ":"))


def _distance(kind: str, box: Box, line: Line) -> tuple[bool, float]:
    match = START.match(line.text)
    is_table = match is not None and match["word"].lower().startswith("tab")
    if x_overlap(box, line.box) < 0.3:
        return True, float("inf")
    return is_table != (kind == "table"), vertical_gap(box, line.box)


def _from_region(box: Box, lines: Sequence[Line], regions: Sequence[Region]) -> tuple[int, ...]:
    near = [
        region.box
        for region in regions
        if region.kind == "caption"
        and inside_share(region.box, box) < 0.5
        and x_overlap(region.box, box) > 0.3
        and vertical_gap(region.box, box) <= BOX_REACH
    ]
    if not near:
        return ()
    nearest = min(near, key=lambda region: (vertical_gap(region, box), region))
    found = tuple(index for index, line in enumerate(lines) if holds_centre(nearest, line.box))[:MAX_LINES]
    return found if sum(len(lines[index].text.split()) for index in found) >= LEAST_WORDS else ()
