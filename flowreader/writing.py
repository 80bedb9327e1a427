"""The record of a run, written from the session's state when it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from common.metrics.text import answer_visible
from common.records import Hit, RunRecord, Search
from flowreader.graph import EvidenceGraph
from flowreader.records import Edit, FlowRecord, Gate, Pass, PathFacts, Report
from flowreader.routing import Routing
from flowreader.scoring import Scores
from flowreader.session import Session
from flowreader.synthesis import Answer

FRAGMENT_KIND = {"txt": "text", "vis": "image", "tbl": "table"}


@dataclass
class Run:
    """What a question's run has come to so far."""

    keywords: str = ""
    scores: Scores | None = None
    passes: tuple[tuple[Routing, tuple[Report, ...]], ...] = ()
    gate: Gate | None = None
    edit: Edit | None = None


def write_record(session: Session, run: Run, answer: Answer, *, config_hash: str) -> FlowRecord:
    """The run as a record; failed when a call was lost, whatever could still be answered."""
    label, config, graph, scores = session.label, session.config, session.graph, run.scores
    searches: tuple[Search, ...] = ()
    passes: tuple[Pass, ...] = ()
    if scores is not None:
        searches = tuple(
            Search(run.keywords, f"system{number}", hits_of(graph, routing, scores))
            for number, (routing, _) in enumerate(run.passes, start=1)
        )
        passes = tuple(facts_of(graph, routing, scores, reports) for routing, reports in run.passes)
    read = {row for routing, _ in run.passes for path in routing.kept for row in path.nodes}
    evidence = "\n".join(graph.nodes[row].text for row in sorted(read))
    record = RunRecord(
        question_id=session.question.question_id,
        benchmark=label.benchmark,
        method="flowreader",
        system=config.name,
        model=label.model,
        config_hash=config_hash,
        commit=label.commit,
        status="failed" if session.lost else "done",
        answer=(answer.answer,) if answer.answer else (),
        answer_before=answer.source,
        answer_text=answer.text,
        answer_visible=answer_visible(evidence, session.question.answers),
        searches=searches,
        usage=session.usage(),
        answer_start_s=session.answer_start,
        elapsed_s=session.clock,
        sample=label.sample,
        errors=tuple(session.errors),
    )
    calls, skipped = (dict(sorted(counter.items())) for counter in (session.ledger.calls, +session.ledger.skipped))
    return FlowRecord(record, run.keywords, passes, run.gate, run.edit, calls, skipped)


def hits_of(graph: EvidenceGraph, routing: Routing, scores: Scores) -> tuple[Hit, ...]:
    """The nodes of the kept paths as hits, by h: what page recall is measured on. `score` is 10 h."""
    rows = sorted({row for path in routing.kept for row in path.nodes}, key=lambda row: (-scores.h[row], row))
    anchors = set(routing.sources.tolist())
    return tuple(
        Hit(
            graph.nodes[row].node_id, graph.nodes[row].document_id, graph.nodes[row].page,
            FRAGMENT_KIND[graph.nodes[row].modality], _digits(10.0 * scores.h[row]), _digits(scores.cosine[row]),
            _digits(scores.bm25[row]), from_graph=row not in anchors,
        )
        for row in rows
    )  # fmt: skip


def facts_of(graph: EvidenceGraph, routing: Routing, scores: Scores, reports: Sequence[Report]) -> Pass:
    """All candidate paths with their quality and population, so that figures 2 and 3a can be drawn from the record."""
    rows = sorted({row for path in routing.paths for row in path.nodes})
    place = {row: position for position, row in enumerate(rows)}
    rank = {k: position for position, k in enumerate(routing.selection.chosen)}
    selection, flow = routing.selection, routing.flow
    paths = tuple(
        PathFacts(
            tuple(place[row] for row in path.nodes), _digits(path.flow), _digits(selection.quality[k]),
            _digits(selection.population[k]), rank.get(k),
        )
        for k, path in enumerate(routing.paths)
    )  # fmt: skip
    return Pass(
        nodes=_names(graph, rows),
        sources=_names(graph, routing.sources.tolist()),
        sinks=_names(graph, routing.sinks.tolist()),
        saturation=_digits(routing.saturation),
        routed=_digits(flow.routed) if flow is not None else 0.0,
        cost=_digits(flow.cost) if flow is not None else 0.0,
        leftover=_digits(routing.leftover),
        paths=paths,
        extinct=selection.extinct,
        capped=selection.capped,
        overlap_with_quality=_digits(selection.overlap_with_quality),
        steps={"phi": scores.phi_rounds, "psi": scores.psi_steps, "replicator": selection.iterations},
        reports=tuple(reports),
        note=routing.note,
    )


def _names(graph: EvidenceGraph, rows: Sequence[int]) -> tuple[str, ...]:
    return tuple(graph.nodes[row].node_id for row in rows)


def _digits(value: float) -> float:
    return round(float(value), 6)
