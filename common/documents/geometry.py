"""Boxes: (x0, y0, x1, y1), origin top left, PDF points."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[float, float, float, float]


def area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def intersection(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def inside_share(inner: Box, outer: Box) -> float:
    """Share of `inner` that lies in `outer`; 0 for an empty `inner`."""
    own = area(inner)
    return area(intersection(inner, outer)) / own if own > 0 else 0.0


def holds_centre(outer: Box, inner: Box, margin: float = 1.0) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] - margin <= x <= outer[2] + margin and outer[1] - margin <= y <= outer[3] + margin


def union(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def vertical_gap(a: Box, b: Box) -> float:
    """Points of free height between two boxes, 0 when their heights overlap."""
    return max(0.0, max(a[1], b[1]) - min(a[3], b[3]))


def x_overlap(a: Box, b: Box) -> float:
    """Share of the narrower box's width that both have in common."""
    narrow = min(a[2] - a[0], b[2] - b[0])
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) / narrow if narrow > 0 else 0.0


def merge_overlapping(boxes: Iterable[Box], share: float = 0.5) -> list[Box]:
    """Unite boxes of which one lies in another by more than `share` of its area, until none do."""
    merged = list(boxes)
    index = 0
    while index < len(merged):
        for other in range(index + 1, len(merged)):
            a, b = merged[index], merged[other]
            if max(inside_share(a, b), inside_share(b, a)) > share:
                merged[index] = union((a, b))
                del merged[other]
                index = -1
                break
        index += 1
    return merged


def rounded(box: Box) -> Box:
    x0, y0, x1, y1 = (round(float(value), 1) for value in box)
    return x0, y0, x1, y1
