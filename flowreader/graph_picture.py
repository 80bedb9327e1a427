"""A graph as an SVG: each document a block of nodes in reading order, links as arcs, darker the more alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scipy.sparse.csgraph import connected_components

from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph, Node
from flowreader.svg import COLOURS, document, shortened, text

ACROSS = 32  # nodes in a row; a longer document goes on in the next
STEP_X, STEP_Y, RADIUS = 34, 74, 11
MARGIN, TOP, NAME, WIDTH_LEAST = 28, 96, 30, 620
WITHIN, BETWEEN = "#7a8aa0", "#c77b30"  # links inside a document, and from one to another
HALO = 'stroke="white" stroke-width="4" paint-order="stroke"'  # keeps names legible over the lines
Point = tuple[float, float]


@dataclass(frozen=True)
class _Arc:
    """Two linked nodes; `both` where each names the other."""

    one: str
    other: str
    weight: float
    both: bool


def draw_graph(graph: EvidenceGraph) -> str:
    """The SVG text, the same for the same graph. Titles hold page and summary of a node, similarity of a link."""
    places, names, height = _places(graph)
    nodes = {node.node_id: node for node in graph.nodes}
    longest = max(Counter(node.document_id for node in graph.nodes).values())
    width = max(WIDTH_LEAST, 2 * MARGIN + min(longest, ACROSS) * STEP_X)
    arcs = _arcs(graph)
    weakest = min((arc.weight for arc in arcs), default=0.0)
    parts = [
        *_heading(graph),
        *(_line(arc, nodes, places, weakest) for arc in sorted(arcs, key=lambda arc: arc.weight)),
        *names,
        *(_circle(node, places[node.node_id]) for node in graph.nodes),
    ]
    return document(width, height, parts)


def described(graph: EvidenceGraph) -> list[str]:
    """What a graph holds: documents and nodes, then links and how far they reach; a line each."""
    kinds = Counter(KIND[node.modality] for node in graph.nodes)
    documents = {node.document_id for node in graph.nodes}
    parts, part_of = connected_components(graph.arcs, directed=False)
    alone = sum(size == 1 for size in Counter(part_of.tolist()).values())
    of_kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return [
        f"{len(documents)} documents, {len(graph)} nodes: {of_kinds}",
        f"{graph.graph.edge_count} links between {graph.arcs.nnz // 2} pairs; "
        f"{parts} connected parts, {alone} nodes alone",
    ]


def _places(graph: EvidenceGraph) -> tuple[dict[str, Point], list[str], float]:
    """Centres of the nodes, the documents' names as SVG, and the height of it all."""
    places: dict[str, Point] = {}
    names = []
    top = float(TOP)
    for name in sorted({node.document_id for node in graph.nodes}):
        members = sorted((n for n in graph.nodes if n.document_id == name), key=lambda n: (n.order, n.node_id))
        label = f"{shortened(name, 60)}: {len(members)} nodes, {len({n.page for n in members})} pages"
        names.append(f'<text x="{MARGIN}" y="{top + 12:.1f}" font-weight="bold" {HALO}>{text(label)}</text>')
        for place, node in enumerate(members):
            row, column = divmod(place, ACROSS)
            places[node.node_id] = (MARGIN + STEP_X * (column + 0.5), top + NAME + STEP_Y * (row + 0.5))
        top += NAME + STEP_Y * (1 + (len(members) - 1) // ACROSS) + 10
    return places, names, top + MARGIN


def _arcs(graph: EvidenceGraph) -> list[_Arc]:
    """Each linked pair once; the weight does not depend on the direction."""
    directed = {(edge.source, edge.target): edge.weight for edge in graph.graph.edges()}
    pairs = sorted({(min(pair), max(pair)) for pair in directed})
    return [
        _Arc(
            one, other, max(directed.get((one, other), 0.0), directed.get((other, one), 0.0)),
            (one, other) in directed and (other, one) in directed,
        )
        for one, other in pairs
    ]  # fmt: skip


def _line(arc: _Arc, nodes: dict[str, Node], places: dict[str, Point], weakest: float) -> str:
    """Inside a row an arc above the nodes, as high as it is long; otherwise a curve from row to row."""
    (x0, y0), (x1, y1) = sorted((places[arc.one], places[arc.other]))
    if y0 == y1:
        rise = min(STEP_Y * 0.75, 8 + abs(x1 - x0) * 0.22)
        path = f"M{x0:.1f},{y0 - RADIUS:.1f} Q{(x0 + x1) / 2:.1f},{y0 - RADIUS - rise:.1f} {x1:.1f},{y1 - RADIUS:.1f}"
    else:
        half = (y0 + y1) / 2
        path = f"M{x0:.1f},{y0:.1f} C{x0:.1f},{half:.1f} {x1:.1f},{half:.1f} {x1:.1f},{y1:.1f}"
    same = nodes[arc.one].document_id == nodes[arc.other].document_id
    share = (arc.weight - weakest) / (1.0 - weakest) if weakest < 1.0 else 1.0
    dashes = "" if arc.both else ' stroke-dasharray="4 3"'
    tip = f"{_called(nodes[arc.one])} and {_called(nodes[arc.other])}: similarity {arc.weight:.2f}"
    return (
        f'<path d="{path}" fill="none" stroke="{WITHIN if same else BETWEEN}" stroke-width="{0.7 + 1.8 * share:.2f}" '
        f'stroke-opacity="{0.25 + 0.6 * share:.2f}"{dashes}><title>{text(tip)}</title></path>'
    )


def _circle(node: Node, at: Point) -> str:
    x, y = at
    tip = f"{_called(node)}\n{node.summary or shortened(node.text, 200)}"
    return (
        f'<g><title>{text(tip)}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{COLOURS[node.modality]}" '
        f'stroke="#555555"/>'
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" font-size="9">{node.page}</text></g>'
    )


def _called(node: Node) -> str:
    return f"{node.document_id} p.{node.page} {KIND[node.modality]}"


def _heading(graph: EvidenceGraph) -> list[str]:
    """What there is, and the legend."""
    nodes, links = map(text, described(graph))
    lines = [
        f'<text x="{MARGIN}" y="20" font-size="13" font-weight="bold">{nodes}</text>',
        f'<text x="{MARGIN}" y="34">{links}; the number in a node is its page</text>',
    ]
    x = MARGIN
    for modality, colour in COLOURS.items():
        lines.append(f'<circle cx="{x + 6}" cy="52" r="6" fill="{colour}" stroke="#555555"/>')
        lines.append(f'<text x="{x + 16}" y="56">{KIND[modality]}</text>')
        x += 66
    x = MARGIN
    for label, style in (
        ("link in a document", f'stroke="{WITHIN}" stroke-width="2"'),
        ("link between documents", f'stroke="{BETWEEN}" stroke-width="2"'),
        ("named by one end only", f'stroke="{WITHIN}" stroke-width="2" stroke-dasharray="4 3"'),
    ):
        lines.append(f'<line x1="{x}" y1="74" x2="{x + 20}" y2="74" {style}/><text x="{x + 24}" y="78">{label}</text>')
        x += 175
    return lines
