"""The paths of one answer as an SVG: sources left, sinks right, flow as width.

Read paths are blue, those whose worker gave the answer orange, pruned ones grey; below, what each worker said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flowreader.consistency import answer_key
from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph, Node
from flowreader.records import FlowRecord, Pass, Report
from flowreader.svg import COLOURS, document, shortened, text
from flowreader.synthesis import REFUSED

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y, MARGIN, TOP = 190, 44, 70, 12, 24, 96
END = 26  # half the width of s* and t*
WIDEST, THINNEST = 11.0, 1.2
LINE = 15  # height of one line of what the workers said
SOURCE, SINK = "#1f5fa8", "#2e7d32"
STROKES = {  # the first that holds for a path on a line is the line's
    "gave the answer": 'stroke="#d9730d" stroke-opacity="0.8"',
    "read": 'stroke="#1f5fa8" stroke-opacity="0.55"',
    "pruned": 'stroke="#b0b0b0" stroke-dasharray="5 3"',
}


@dataclass(frozen=True)
class _Link:
    """One drawn line between two places; `flow` of the paths along it, by the names of `STROKES`."""

    start: str
    end: str
    flow: dict[str, float]

    @property
    def total(self) -> float:
        return sum(self.flow.values())

    @property
    def stroke(self) -> str:
        return next(name for name in STROKES if name in self.flow)


def draw(graph: EvidenceGraph, record: FlowRecord, question: str, *, pass_: int = -1, asked: bool = True) -> str:
    """The SVG text of one pass of a record. Raises `ValueError` for a record without passes (zero-shot).

    `asked` False: no model was, so there is no answer, and the paths are those that would be read.
    """
    if not record.passes:
        raise ValueError(
            f"question {record.run.question_id}: the run made no pass over the graph; there is nothing to draw"
        )
    facts = record.passes[pass_]
    nodes = {node.node_id: node for node in graph.nodes}
    kept = {name for path in facts.read for name in facts.ids_of(path)}
    giving = {report.nodes for report in facts.reports if gave_answer(report, record.run.answer)}
    columns = _columns(facts, kept)
    places, links = _places(columns), _links(facts, giving)
    greatest = max((link.total for link in links), default=1.0)
    width = 2 * MARGIN + 4 * END + 2 * GAP_X + max(1, len(columns)) * (BOX_WIDTH + GAP_X) - GAP_X
    bottom = TOP + max((len(c) for c in columns), default=1) * (BOX_HEIGHT + GAP_Y) + 2 * MARGIN
    middle = TOP + (bottom - TOP - MARGIN) / 2
    ends: dict[str, tuple[float, float]] = {"s*": (MARGIN + END, middle), "t*": (width - MARGIN - END, middle)}
    parts = [
        *_heading(record, facts, question, width, asked),
        *(_line(link, places, ends, greatest) for link in links),
        *(_end(name, *at) for name, at in ends.items()),
        *(_box(nodes[name], facts, at, name in kept) for name, at in places.items()),
        *_said(facts, nodes, giving, bottom, width, asked),
    ]
    return document(width, bottom + LINE * len(facts.reports), parts)


def gave_answer(report: Report, answer: Sequence[str]) -> bool:
    """Whether the final answer is a worker's: one of the two holds the other, whatever their case and closing marks."""
    final, said = answer_key("; ".join(answer)), answer_key(report.answer)
    return report.status == "supported" and bool(final and said) and (said in final or final in said)


def _columns(facts: Pass, kept: Collection[str]) -> list[list[str]]:
    """Node ids by column: sources first, ends of paths last, others at their latest place on a path; `kept` on top."""
    latest: dict[str, int] = {}
    length = max((len(path.nodes) for path in facts.paths), default=1)
    for path in facts.paths:
        for place, row in enumerate(path.nodes):
            name = facts.nodes[row]
            at = length - 1 if place == len(path.nodes) - 1 and name in facts.sinks else place
            latest[name] = max(at, latest.get(name, 0))
    for name in facts.sources:
        if name in latest:
            latest[name] = 0
    columns: list[list[str]] = [[] for _ in range(length)]
    weight = dict.fromkeys(latest, 0.0)
    for path in facts.paths:
        for name in facts.ids_of(path):
            weight[name] += path.flow
    for name in sorted(latest, key=lambda name: (name not in kept, -weight[name], name)):
        columns[latest[name]].append(name)
    return [column for column in columns if column]


def _places(columns: Sequence[Sequence[str]]) -> dict[str, tuple[float, float]]:
    """Top left corners of the boxes, columns centred."""
    tallest = max((len(column) for column in columns), default=1)
    places: dict[str, tuple[float, float]] = {}
    for number, column in enumerate(columns):
        x = MARGIN + 2 * END + GAP_X + number * (BOX_WIDTH + GAP_X)
        offset = (tallest - len(column)) * (BOX_HEIGHT + GAP_Y) / 2
        for row, name in enumerate(column):
            places[name] = (x, TOP + MARGIN / 2 + offset + row * (BOX_HEIGHT + GAP_Y))
    return places


def _links(facts: Pass, giving: Collection[tuple[str, ...]]) -> list[_Link]:
    """Lines with the flow of the paths along them; pruned ones first, so that those of the answer lie on top."""
    flow: dict[tuple[str, str], dict[str, float]] = {}
    for path in facts.paths:
        names = facts.ids_of(path)
        stroke = "pruned" if path.kept is None else "gave the answer" if names in giving else "read"
        for pair in pairwise(["s*", *names, "t*"]):
            amounts = flow.setdefault(pair, {})
            amounts[stroke] = amounts.get(stroke, 0.0) + max(path.flow, 1e-9)
    links = [_Link(start, end, amounts) for (start, end), amounts in flow.items()]
    order = list(reversed(STROKES))
    return sorted(links, key=lambda link: (order.index(link.stroke), link.start, link.end))


def _line(
    link: _Link, places: dict[str, tuple[float, float]], ends: dict[str, tuple[float, float]], greatest: float
) -> str:
    def at(name: str, side: int) -> tuple[float, float]:
        if name in ends:
            return ends[name][0] + (END if side else -END), ends[name][1]
        return places[name][0] + side * BOX_WIDTH, places[name][1] + BOX_HEIGHT / 2

    (x0, y0), (x1, y1) = at(link.start, 1), at(link.end, 0)
    bend = max(40.0, abs(x1 - x0) / 2)
    thick = THINNEST + (WIDEST - THINNEST) * min(1.0, link.total / greatest)
    parts = ", ".join(f"{amount:.3f} {name}" for name, amount in link.flow.items())
    tip = f"{link.start} to {link.end}: flow {link.total:.3f} ({parts})"
    return (
        f'<path d="M{x0:.1f},{y0:.1f} C{x0 + bend:.1f},{y0:.1f} {x1 - bend:.1f},{y1:.1f} {x1:.1f},{y1:.1f}" '
        f'fill="none" stroke-width="{thick:.2f}" {STROKES[link.stroke]}><title>{text(tip)}</title></path>'
    )


def _box(node: Node, facts: Pass, at: tuple[float, float], kept: bool) -> str:
    x, y = at
    role = "source" if node.node_id in facts.sources else "sink" if node.node_id in facts.sinks else ""
    border = {"source": SOURCE, "sink": SINK}.get(role, "#888888")
    label = f"{KIND[node.modality]}, p. {node.page}, {shortened(node.document_id, 17)}"
    summary = shortened(node.summary or node.text, 32)
    tip = f"{node.node_id} ({role or 'between'})\n{node.summary}"
    return (
        f'<g opacity="{1.0 if kept else 0.5}"><title>{text(tip)}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="4" '
        f'fill="{COLOURS[node.modality]}" stroke="{border}" stroke-width="{2.2 if role else 0.8}"/>'
        f'<text x="{x + 6:.1f}" y="{y + 16:.1f}" font-weight="bold">{text(label)}</text>'
        f'<text x="{x + 6:.1f}" y="{y + 32:.1f}">{text(summary)}</text></g>'
    )


def _end(name: str, x: float, y: float) -> str:
    star = {"s*": "s⋆", "t*": "t⋆"}[name]
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{END - 6}" fill="#f2f2f2" stroke="#555555"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="12">{star}</text>'
    )


def _said(
    facts: Pass, nodes: Mapping[str, Node], giving: Collection[tuple[str, ...]], top: float, width: float, asked: bool
) -> Iterator[str]:
    """One line for each read path: its pages and what its worker said; bold where it gave the answer."""
    for number, report in enumerate(facts.reports):
        pages = " → ".join(f"{shortened(nodes[n].document_id, 20)} p. {nodes[n].page}" for n in report.nodes)
        said = (report.answer or REFUSED.get(report.status, report.status)) if asked else "was not asked"
        weight = "bold" if report.nodes in giving else "normal"
        line = shortened(f"{number + 1}. {pages}: {said}", max(40, int(width / 6)))
        yield f'<text x="{MARGIN}" y="{top + LINE * number:.1f}" font-weight="{weight}">{text(line)}</text>'


def _heading(record: FlowRecord, facts: Pass, question: str, width: float, asked: bool) -> list[str]:
    """Question, answer, what the gate saw, and the legend."""
    gate = record.gate
    seen = f"c = {gate.consistency:.2f}, trigger: {gate.fired or 'none'}, " if gate else ""
    paths = f"{len(facts.read)} of {len(facts.paths)} paths {'read' if asked else 'would be read'}"
    state = f"σ = {facts.saturation:.2f}, {seen}{paths}. {facts.note}".strip()
    answer = ("; ".join(record.run.answer) or "(none)") if asked else "(no model was asked)"
    chars = max(40, int(width / 7))
    lines = [
        f'<text x="{MARGIN}" y="22" font-size="13" font-weight="bold">{text(shortened(question, chars))}</text>',
        f'<text x="{MARGIN}" y="40" font-size="12">Answer: {text(shortened(answer, chars))}</text>',
        f'<text x="{MARGIN}" y="56">{text(state)}</text>',
    ]
    boxes = [(KIND[modality], colour, "#888888") for modality, colour in COLOURS.items()]
    legend = [*boxes, ("source", "white", SOURCE), ("sink", "white", SINK)]
    for number, (name, fill, stroke) in enumerate(legend):
        x = MARGIN + 66 * number
        lines.append(
            f'<rect x="{x}" y="66" width="12" height="12" fill="{fill}" stroke="{stroke}" stroke-width="1.6"/>'
        )
        lines.append(f'<text x="{x + 16}" y="76">{name}</text>')
    x = MARGIN + 66 * len(legend)
    for name, style in STROKES.items():
        lines.append(
            f'<line x1="{x}" y1="72" x2="{x + 20}" y2="72" stroke-width="3" {style}/>'
            f'<text x="{x + 24}" y="76">{name}</text>'
        )
        x += 40 + 6 * len(name)
    return lines
