"""One question from keywords to answer (FlowReader figure 1): System 1, the gate, at most one pass of System 2."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from common.benchmarks.question import Question
from common.llm import LLM
from common.prompting import Prompts
from common.records import RunLabel
from common.retrieval import Encoder
from common.settings import settings_hash
from common.text import folded
from flowreader.baselines import answer_zero_shot
from flowreader.config import CONTROLS, FlowReaderConfig
from flowreader.consistency import check_consistency
from flowreader.controls import answer_control
from flowreader.gate import check_triggers
from flowreader.graph import EvidenceGraph
from flowreader.keywords import lexical_query
from flowreader.records import FlowRecord, Report, Trigger
from flowreader.refinement import refine
from flowreader.routing import Arcs, Routing, choose_anchors, flat_routing, route, score_query
from flowreader.scoring import Scores
from flowreader.session import PACKAGED, Event, Session, ignore
from flowreader.synthesis import Answer, Reading, synthesise
from flowreader.workers import read_paths
from flowreader.writing import Run, write_record

SYNTHESIS = 1  # the call every query keeps for its answer


async def answer_question(
    question: Question,
    graph: EvidenceGraph,
    llm: LLM,
    config: FlowReaderConfig,
    encoder: Encoder,
    label: RunLabel,
    *,
    assets: Mapping[str, Path] | None = None,
    on_event: Callable[[Event], None] = ignore,
) -> FlowRecord:
    """Run a variant on one question; one closed to some documents sees their part of the graph only.

    A call that was lost leaves the answer standing and makes the record failed; a replay miss is raised.
    """
    whole = graph.sha256
    documents = documents_of(question)
    if documents and config.routing.within_documents:
        graph = graph.restricted(documents)
    prompts = Prompts.load(PACKAGED, config.prompts)
    hash_ = settings_hash(config, prompts=prompts.sha256, graph=whole)
    session = Session(question, graph, llm, config, prompts, label, assets or {}, on_event)
    run = Run()
    if config.shape == "zero_shot":
        answer = await answer_zero_shot(session)
    elif config.shape in CONTROLS:
        answer, run.gate = await answer_control(session)
    else:
        answer = await _read_and_answer(session, encoder, run)
    session.emit("answer", answer.answer)
    return write_record(session, run, answer, config_hash=hash_)


def documents_of(question: Question) -> frozenset[str]:
    """The documents a question is closed to: one (MMLongBench-Doc), a few (VisDoMBench), or none: all are open."""
    if question.document_id is not None:
        return frozenset({question.document_id})
    return frozenset(question.extra.get("documents", ()))


async def _read_and_answer(session: Session, encoder: Encoder, run: Run) -> Answer:
    run.keywords = await lexical_query(session)
    scores = score_query(session.graph, session.question.question, run.keywords, encoder, session.config)
    run.scores = scores
    if session.config.shape == "topk":
        routing, arcs = flat_routing(scores, session.config), None
    else:
        arcs = Arcs.of(session.graph)
        routing = route(
            session.graph, scores, arcs, *choose_anchors(session.graph, scores, session.config), session.config
        )
    reports = await _read(session, run, routing, reserve=session.config.reading.pairs + SYNTHESIS)
    if arcs is not None:
        trigger = await _gate(session, run, routing, reports)
        if session.config.system2 and trigger is not None:
            await _second_pass(session, run, trigger, scores, arcs, routing, reports)
    return await synthesise(session, readings(run.passes), scores.h)


async def _read(session: Session, run: Run, routing: Routing, *, reserve: int) -> tuple[Report, ...]:
    session.emit("route", f"{len(routing.paths)} paths, {len(routing.kept)} read, sigma {routing.saturation:.2f}")
    reports = await read_paths(session, routing.kept, reserve=reserve)
    run.passes = (*run.passes, (routing, reports))
    return reports


async def _gate(session: Session, run: Run, routing: Routing, reports: Sequence[Report]) -> Trigger | None:
    consistency = await check_consistency(session, reports, reserve=SYNTHESIS)
    run.gate = check_triggers(reports, consistency, routing.saturation, session.config.gate)
    held = ", ".join(run.gate.holding) or "none"
    session.emit("gate", f"c = {run.gate.consistency:.2f}, sigma = {run.gate.saturation:.2f}, triggers: {held}")
    return run.gate.fired


async def _second_pass(
    session: Session, run: Run, trigger: Trigger, scores: Scores, arcs: Arcs, routing: Routing,
    reports: Sequence[Report],
) -> None:  # fmt: skip
    """Edit, solve, choose and read once more. Without a change of the graph there is nothing to solve again."""
    session.ledger.refining = True
    reserve = session.config.replicator.most + SYNTHESIS
    refined = await refine(session, trigger, routing, scores, arcs, reserve=reserve)
    run.edit = refined.edit
    done = refined.edit.note or ("changed" if refined.edit.changed else "no change")
    session.emit("edit", f"{trigger}: {done}")
    if not refined.edit.changed:
        return
    cited = cited_nodes(session.graph, reports)
    again = route(session.graph, scores, refined.arcs, refined.sources, routing.sinks, session.config, cited=cited)
    await _read(session, run, again, reserve=SYNTHESIS)


def cited_nodes(graph: EvidenceGraph, reports: Sequence[Report]) -> frozenset[int]:
    """Rows of nodes whose text holds a supported answer's evidence phrase; of the whole path when none does."""
    rows = {node.node_id: row for row, node in enumerate(graph.nodes)}
    cited: set[int] = set()
    for report in reports:
        if report.status != "supported":
            continue
        on_path = [rows[name] for name in report.nodes]
        phrase = folded(report.evidence)
        holding = [row for row in on_path if phrase and phrase in folded(graph.nodes[row].text)]
        cited.update(holding or on_path)
    return frozenset(cited)


def readings(passes: Sequence[tuple[Routing, tuple[Report, ...]]]) -> list[Reading]:
    """What the synthesiser sees: the last pass, then supported answers of the first on paths not read again."""
    found: list[Reading] = []
    for routing, reports in reversed(passes):
        last = not found
        seen = {read.nodes for read in found if read.report.status == "supported"}
        for path, report in zip(routing.kept, reports, strict=True):
            if last or (report.status == "supported" and path.nodes not in seen):
                found.append(Reading(path.nodes, path.flow, report))
    return found
