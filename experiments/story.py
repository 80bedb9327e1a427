"""One run told step by step from its record: KnowForge's in the words of its appendix F, FlowReader's by passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from common.metrics.behaviour import is_read
from common.metrics.retrieval import documents_in_rank_order
from common.records import RunRecord, Search, ToolCall
from flowreader.records import FlowRecord, Pass

Step = tuple[str, str, str]  # step, what, evidence
_LONGEST = 300


def steps(record: RunRecord, documents_shown: int) -> Iterator[Step]:
    """Searches in order, verdict, reads, pool, and the answer before and after the checker."""
    for number, search in enumerate(record.searches, start=1):
        yield _search(number, search, documents_shown)
    if record.verdict is not None:
        verdict = record.verdict
        asked = f"follow-ups: {' / '.join(verdict.queries)}" if verdict.queries else "no follow-up"
        yield "judge", f"need_more={str(verdict.need_more).lower()}; {asked}", _short(verdict.reason)
    for number, call in enumerate(filter(is_read, record.tools), start=1):
        yield _read(number, call)
    if record.pool is not None:
        pool = record.pool
        kept = f"{pool.kept:,} of {pool.total:,} {pool.unit} kept (cap {pool.cap:,})"
        yield (
            "pool",
            f"{kept}, {pool.dropped} blocks dropped",
            ", ".join(f"{k} {v:,}" for k, v in sorted(pool.used.items())),
        )
    for stage in record.stages:
        yield f"stop of {stage.name}", f"{stage.stop} after {stage.rounds} of {stage.cap} rounds", ""
    yield (
        "answer",
        f"before the checker: {_short(record.answer_before)}",
        f"after: {'; '.join(record.answer) or 'none'}",
    )


def flow_steps(record: FlowRecord, places: Mapping[str, str]) -> Iterator[Step]:
    """Query words, each pass with the paths it read, the gate and what System 2 changed, the answer, its judgements.

    `places` says what stands for a node's id.
    """
    yield "keywords", _short(record.keywords), ""
    for number, facts in enumerate(record.passes, start=1):
        yield from _pass(number, facts, places)
    if record.gate is not None:
        gate = record.gate
        seen = f"consistency {gate.consistency:.2f} over {gate.pairs} pairs, sigma {gate.saturation:.2f}"
        yield "gate", f"{seen}, {gate.supported} supported", f"fired: {gate.fired or 'nothing'}"
    if record.edit is not None:
        edit = record.edit
        changed = f"{len(edit.bridges)} bridges, {len(edit.rescored)} edges scored again, {len(edit.seeds)} new seeds"
        yield f"System 2, {edit.trigger}", changed, edit.note
    yield "answer", "; ".join(record.run.answer) or "none", _short(record.run.answer_text)
    for judgement in record.judgements:
        verdict = {True: "right", False: "wrong", None: "no verdict"}[judgement.correct]
        yield f"judge, run {judgement.sample + 1}", verdict, _short(judgement.reason)


def _pass(number: int, facts: Pass, places: Mapping[str, str]) -> Iterator[Step]:
    solved = f"sigma {facts.saturation:.2f}, cost {facts.cost:.2f}; {len(facts.paths)} paths, {len(facts.read)} read"
    yield f"pass {number}", solved, facts.note
    said = {report.nodes: report for report in facts.reports}
    for path in facts.read:
        nodes = facts.ids_of(path)
        report = said.get(nodes)
        told = f"{report.status}: {_short(report.answer)}" if report is not None else "not read"
        way = " > ".join(places.get(node, node) for node in nodes)
        yield f"path {(path.kept or 0) + 1}", f"flow {path.flow:.3f}, x {path.population:.3f}: {way}", told


def _search(number: int, search: Search, documents_shown: int) -> Step:
    found = documents_in_rank_order(search.hits)[:documents_shown]
    return f"search {number} ({search.issuer})", _short(search.query), ", ".join(found) or "nothing found"


def _read(number: int, call: ToolCall) -> Step:
    arguments = ", ".join(f"{name}={_short(str(value))}" for name, value in call.args.items())
    outcome = f"{call.model_calls} images read" if call.model_calls else f"{len(call.fragments)} fragments"
    return f"read {number} ({call.tool})", _short(arguments), outcome if call.ok else "the tool failed"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
