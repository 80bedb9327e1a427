"""A graph as one ring: documents side by side, their nodes in reading order, links as chords, wider the more alike."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.path import Path as Outline

from common.characters import for_xml
from common.plotting import encoded, figure
from flowreader.description import described
from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph, Node
from flowreader.svg import shortened

# Lengths are inches, which the axis has as its unit; sizes of letters are points.
SPACING, SMALLEST, LARGEST = 0.085, 1.4, 13.0  # room of a node on the ring, radius of the ring
GAP = 1.6  # empty places between two documents
MARKER = 0.15  # a node, where there is room
FULLY_NAMED, UPRIGHT = 48, 10  # up to so many nodes and documents have whole, and horizontal, names
LETTERS, LETTERS_PAGE, LETTERS_ROOM = 7.0, 5.0, 0.09
SHAPES = {"txt": ("o", "#4c78a8"), "vis": ("s", "#f28e2b"), "tbl": ("^", "#3f8f3f")}
WITHIN, BETWEEN, BAND = "#4a6284", "#b5498f", "#e4e7ec"
THINNEST, WIDEST = 0.4, 2.4


@dataclass(frozen=True)
class _Spot:
    """A node on the ring; `first` of its page in its document."""

    node: Node
    angle: float
    first: bool


def draw_graph(graph: EvidenceGraph, form: str) -> bytes:
    """The picture as `svg`, `png` or `pdf`; the same bytes for the same graph."""
    ring, radius = _ring(graph)
    with figure(2 * radius, 2 * radius) as (drawn, axis), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a script the font lacks is drawn as boxes
        axis.set_position((0, 0, 1, 1))
        axis.set(xlim=(-radius, radius), ylim=(-radius, radius))
        axis.axis("off")
        _draw_links(axis, graph, {spot.node.node_id: _at(spot.angle, radius) for spot in ring}, radius)
        _draw_nodes(axis, ring, radius)
        reach = radius + _name_nodes(axis, ring, radius)
        _name_documents(axis, ring, radius, reach)
        _frame(axis, graph)
        return encoded(drawn, form)


def _ring(graph: EvidenceGraph) -> tuple[list[_Spot], float]:
    """The nodes clockwise from the top, documents by name, and the ring's radius."""
    nodes = sorted(graph.nodes, key=lambda node: (node.document_id, node.order, node.node_id))
    places, at = [], (1 + GAP) / 2
    for before, node in zip([nodes[0], *nodes], nodes, strict=False):
        at += GAP * (node.document_id != before.document_id)
        places.append(at)
        at += 1
    turn = 2 * math.pi / (at - 1 + (1 + GAP) / 2)
    seen: set[tuple[str, int]] = set()
    ring = []
    for node, place in zip(nodes, places, strict=True):
        page = (node.document_id, node.page)
        ring.append(_Spot(node, math.pi / 2 - turn * place, page not in seen))
        seen.add(page)
    return ring, min(LARGEST, max(SMALLEST, SPACING / turn))


def _at(angle: float, distance: float) -> tuple[float, float]:
    return distance * math.cos(angle), distance * math.sin(angle)


def _draw_links(axis: Axes, graph: EvidenceGraph, places: dict[str, tuple[float, float]], radius: float) -> None:
    """Each linked pair as one chord, the weakest lowest; the farther apart, the nearer it passes to the middle."""
    home = {node.node_id: node.document_id for node in graph.nodes}
    directed = {(edge.source, edge.target): edge.weight for edge in graph.graph.edges()}
    weights = {(min(pair), max(pair)): 0.0 for pair in directed}
    for (one, other), weight in directed.items():
        pair = (min(one, other), max(one, other))
        weights[pair] = max(weights[pair], weight)
    pairs = sorted(weights, key=lambda pair: (weights[pair], pair))
    if not pairs:
        return
    share = np.array([_share(weights[pair], weights[pairs[0]]) for pair in pairs])
    crowded = max(0.35, min(1.0, 12 / math.sqrt(len(pairs))))  # many chords are fainter, so that the strong ones show
    axis.add_collection(
        PathCollection(
            [_chord(places[one], places[other], radius) for one, other in pairs],
            facecolors="none",
            edgecolors=[WITHIN if home[one] == home[other] else BETWEEN for one, other in pairs],
            linewidths=THINNEST + (WIDEST - THINNEST) * share,
            linestyles=["-" if pair in directed and pair[::-1] in directed else (0, (4, 2)) for pair in pairs],
            alpha=crowded * (0.3 * crowded + 0.6 * share),
            zorder=1,
        ),
        autolim=False,
    )


def _share(weight: float, weakest: float) -> float:
    """0 for the weakest link, 1 for similarity 1."""
    return (weight - weakest) / (1.0 - weakest) if weakest < 1.0 else 1.0


def _chord(start: tuple[float, float], end: tuple[float, float], radius: float) -> Outline:
    inward = 1.0 - (0.1 + 0.75 * math.dist(start, end) / (2 * radius))
    bend = ((start[0] + end[0]) / 2 * inward, (start[1] + end[1]) / 2 * inward)
    return Outline([start, bend, end], [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3])


def _draw_nodes(axis: Axes, ring: list[_Spot], radius: float) -> None:
    """A band for each document, on it its nodes by shape and colour of their kind."""
    size = 72 * min(MARKER, 0.8 * _room(ring, radius))
    for name in dict.fromkeys(spot.node.document_id for spot in ring):
        angles = [spot.angle for spot in ring if spot.node.document_id == name]
        along = np.linspace(angles[0], angles[-1], 2 + len(angles) * 8)
        axis.plot(
            radius * np.cos(along), radius * np.sin(along), color=BAND, linewidth=size * 1.3, zorder=2,
            solid_capstyle="round", clip_on=False,
        )  # fmt: skip
    for modality, (shape, colour) in SHAPES.items():
        at = [_at(spot.angle, radius) for spot in ring if spot.node.modality == modality]
        if at:
            axis.plot(
                *zip(*at, strict=True), shape, color=colour, markersize=size, markeredgecolor="white",
                markeredgewidth=size / 12, zorder=3, clip_on=False,
            )  # fmt: skip


def _room(ring: list[_Spot], radius: float) -> float:
    """Inches of the ring between two neighbours."""
    return radius * min((a.angle - b.angle for a, b in zip(ring, ring[1:], strict=False)), default=1.0)


def _name_nodes(axis: Axes, ring: list[_Spot], radius: float) -> float:
    """Page and kind beside every node of a small graph, else the number of each page that has room.

    Returns how far outward the names reach.
    """
    small = len(ring) <= FULLY_NAMED
    last = math.inf
    for spot in ring:
        if small:
            _outward(axis, f"p. {spot.node.page} {KIND[spot.node.modality]}", spot.angle, radius + 0.14, LETTERS)
        elif spot.first and radius * (last - spot.angle) >= LETTERS_ROOM:
            _outward(axis, str(spot.node.page), spot.angle, radius + 0.1, LETTERS_PAGE, "#555555")
            last = spot.angle
    return 0.85 if small else 0.3


def _name_documents(axis: Axes, ring: list[_Spot], radius: float, reach: float) -> None:
    """Names at the middle of their bands, horizontal where documents are few; those without room are left out."""
    counts = Counter(spot.node.document_id for spot in ring)
    last = math.inf
    for name in counts:
        angles = [spot.angle for spot in ring if spot.node.document_id == name]
        angle = (angles[0] + angles[-1]) / 2
        label = for_xml(shortened(name, 44))
        if len(counts) <= UPRIGHT:
            x, y = _at(angle, reach)
            side = "center" if abs(math.cos(angle)) < 0.25 else "left" if x > 0 else "right"
            height = "center" if abs(math.sin(angle)) < 0.5 else "bottom" if y > 0 else "top"
            axis.text(x, y, label, ha=side, va=height, fontsize=LETTERS + 1, weight="bold", parse_math=False)
        elif radius * (last - angle) >= LETTERS_ROOM * 1.3:
            _outward(axis, label, angle, reach, LETTERS)
            last = angle


def _outward(axis: Axes, words: str, angle: float, distance: float, size: float, colour: str = "black") -> None:
    """Words along the ray, upright on both sides."""
    degrees = math.degrees(angle) % 360
    left = 90 < degrees < 270
    axis.text(
        *_at(angle, distance), words, fontsize=size, color=colour, rotation=degrees - 180 * left,
        rotation_mode="anchor", ha="right" if left else "left", va="center", parse_math=False,
    )  # fmt: skip


def _frame(axis: Axes, graph: EvidenceGraph) -> None:
    """What there is above all names, the legend below them."""
    dots = [
        Line2D([], [], marker=shape, color=colour, linestyle="", label=KIND[modality])
        for modality, (shape, colour) in SHAPES.items()
    ]
    lines = [
        Line2D([], [], color=WITHIN, linewidth=2, label="link in a document"),
        Line2D([], [], color=BETWEEN, linewidth=2, label="link across documents"),
        Line2D([], [], color=WITHIN, linewidth=1.2, linestyle=(0, (4, 2)), label="named by one end only"),
    ]
    weights = [edge.weight for edge in graph.graph.edges()]
    for weight in sorted({min(weights), max(weights)}) if weights else []:
        wide = THINNEST + (WIDEST - THINNEST) * _share(weight, min(weights))
        lines.append(Line2D([], [], color="black", linewidth=wide, label=f"similarity {weight:.2f}"))
    renderer = axis.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    names = axis.get_tightbbox(renderer)
    assert names is not None  # the axis is visible
    box = names.transformed(axis.transData.inverted())
    middle = (box.x0 + box.x1) / 2
    axis.text(middle, box.y1 + 0.15, "\n".join(described(graph)), ha="center", va="bottom", fontsize=LETTERS + 1)
    axis.legend(
        handles=[*dots, *lines], loc="upper center", bbox_to_anchor=(middle, box.y0 - 0.1), fontsize=LETTERS,
        bbox_transform=axis.transData, ncols=3, borderaxespad=0,
    )  # fmt: skip
