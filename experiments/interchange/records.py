"""From the released runner's records to questions and run records.

What its file cannot say: rounds and caps (no stages), tokens and model calls, the pool's text (whether the answer was
visible). Its `tools` list has no roles: in a two-role run, calls up to the last one that only the Locator owns are the
Locator's, later ones the Reader's; find_figure, which both own, follows its place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from common.benchmarks import m3docvqa, mmlongbench, multihop_rag
from common.benchmarks.question import Evidence, Question
from common.benchmarks.release import BenchmarkError
from common.metrics.behaviour import READER_TOOLS
from common.metrics.text import final_answer, parse_answer
from common.records import Hit, PoolStats, RunRecord, Search, ToolCall, Verdict
from experiments.interchange.patch import patched
from experiments.interchange.schema import RunnerHit, RunnerRecord, check_record

SEARCH = "search_knowledge"
BRIDGE = "[bridge"  # how the brief of the judge's search begins
IMPORTED = "imported"  # commit and configuration of a run whose code is not ours
_POSITION = re.compile(r"full-(\d+)")


@dataclass(frozen=True)
class Names:
    """What a result file does not say of itself."""

    benchmark: str
    model: str
    system: str


def to_question(raw: dict[str, Any], question_id: str, position: int, benchmark: str, path: Path) -> Question:
    """The question with the gold fields of its record; `position` counts where the id gives no official position."""
    record = check_record(raw, question_id, path)
    if record.answer_format is not None:
        return _long_document_question(record, question_id, position, benchmark, f"{path}, question {question_id!r}")
    gold = tuple(record.supporting_doc_ids or ())
    kind = record.question_type or record.qtype or ""
    if record.answers is None:
        return Question(
            question_id, benchmark, record.question, (str(_gold(record)),), gold,
            tuple(Evidence(document, None, "text") for document in gold), kind, ("text",), max(1, len(gold)),
            answerable=kind != multihop_rag.NULL_TYPE,
        )  # fmt: skip
    modalities = record.modalities or []
    return Question(
        question_id, benchmark, record.question, tuple(map(str, record.answers)), gold,
        tuple(Evidence(document, None, "") for document in gold), kind, tuple(dict.fromkeys(modalities)),
        m3docvqa.hops(kind), "List" if len(record.answers) > 1 else "Str", extra={"modalities_as_listed": modalities},
    )  # fmt: skip


def _gold(record: RunnerRecord) -> Any:
    return record.gold if record.answer is None else record.answer


def _long_document_question(
    record: RunnerRecord, question_id: str, position: int, benchmark: str, where: str
) -> Question:
    entry = {
        "doc_id": record.doc_id, "doc_type": record.doc_type or "", "question": record.question,
        "answer": str(record.gold if record.gold is not None else record.answer),
        "evidence_pages": record.evidence_pages or [], "evidence_sources": record.evidence_sources or [],
        "answer_format": record.answer_format,
    }  # fmt: skip
    official = _POSITION.fullmatch(question_id)
    question = mmlongbench.question_from_entry(entry, int(official.group(1)) if official else position, where)
    return replace(question, question_id=question_id, benchmark=benchmark)


def to_record(raw: dict[str, Any], question_id: str, names: Names, path: Path) -> RunRecord:
    """The run record of one entry; a record with an error or without a response is a failed run."""
    record = check_record(raw, question_id, path)
    base = _record(record, question_id, names)
    if record.run_record is None:
        return base
    try:
        return RunRecord.from_json(patched(base.to_json(), record.run_record))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BenchmarkError(
            f"{path}, question {question_id!r}: field 'run_record': does not fit the record ({error}); delete the field"
        ) from error


def _record(record: RunnerRecord, question_id: str, names: Names) -> RunRecord:
    shape = _shape(record, names.system)
    return RunRecord(
        question_id, names.benchmark, "knowforge", names.system, names.model, IMPORTED, IMPORTED,
        status="failed" if record.error or not record.response.strip() else "done",
        answer=_answer(record),
        answer_before=record.final_check.before,
        answer_text=record.response,
        searches=_searches(record, shape),
        tools=_tools(record, shape),
        verdict=_verdict(record),
        pool=_pool(record),
        first_event_s=record.timing.first_event_s,
        answer_start_s=record.timing.ttft_s,
        elapsed_s=record.elapsed_s or 0.0,
        errors=(record.error,) if record.error else (),
    )  # fmt: skip


def _answer(record: RunnerRecord) -> tuple[str, ...]:
    """The final line's elements. On a news question the runner's scorer takes the last line where none is marked."""
    answer = final_answer(record.response)
    if answer or record.answers is not None or record.answer_format is not None:
        return answer
    lines = [line.strip() for line in record.response.splitlines() if line.strip()]
    return parse_answer(lines[-1]) if lines else ()


def _shape(record: RunnerRecord, system: str) -> str:
    """one_shot, single (P0), locator (P1) or pipeline, from the runner's status text, else from the system's name."""
    mode = (record.mode or "").lower()
    for shape, ending, name in (("one_shot", "s4", "S4"), ("single", "+p0", "P0"), ("locator", "+p1", "P1")):
        if mode.endswith(ending) or (not mode and system.startswith(name)):
            return shape
    return "pipeline"


def _searches(record: RunnerRecord, shape: str) -> tuple[Search, ...]:
    """Hits by call. A search that found nothing or failed left no hit; its event in `tools` counts as a search."""
    by_call: dict[int, list[RunnerHit]] = defaultdict(list)
    for hit in record.search_hits:
        by_call[hit.call].append(hit)
    briefs = [brief or "" for name, brief in zip_longest(record.tools, record.briefs) if name == SEARCH]
    count = max(len(briefs), max(by_call, default=-1) + 1)
    if len(briefs) != count:
        briefs = [""] * count  # an unannounced search (the fallback): events and calls cannot be lined up
    return tuple(_search(by_call.get(number, []), briefs[number], shape) for number in range(count))


def _search(hits: list[RunnerHit], brief: str, shape: str) -> Search:
    judge = hits[0].bridge if hits else brief.startswith(BRIDGE)
    issuer = "judge" if judge else {"one_shot": "system", "single": "agent"}.get(shape, "locator")
    return Search(hits[0].query if hits else brief, issuer, tuple(map(_hit, hits)))


def _hit(hit: RunnerHit) -> Hit:
    """A missing page is 0, a missing document "": recall passes over such a hit, as the runner's does."""
    return Hit(
        hit.fragment_id or "", hit.doc or "", hit.page or 0, hit.kind, hit.score or 0.0, hit.vec or 0.0, hit.raw or 0.0,
        hit.from_graph,
    )  # fmt: skip


def _tools(record: RunnerRecord, shape: str) -> tuple[ToolCall, ...]:
    handed_over = max((i for i, name in enumerate(record.tools) if name not in READER_TOOLS), default=-1)
    images, calls = record.read_media_calls or 0, []
    for number, (name, brief) in enumerate(zip_longest(record.tools, record.briefs[: len(record.tools)])):
        stage = {"one_shot": "system", "single": "agent", "locator": "locator"}.get(shape)
        stage = stage or ("locator" if number <= handed_over else "reader")
        stage = "judge" if name == SEARCH and (brief or "").startswith(BRIDGE) else stage
        seen = images if name == "read_media" else 0  # the file has one total a question: the first call carries it
        images -= seen
        calls.append(ToolCall(stage, name, {} if brief is None else {"brief": brief}, True, (), seen))
    return tuple(calls)


def _verdict(record: RunnerRecord) -> Verdict | None:
    bridge = record.bridge
    if bridge.need_more is None:
        return None
    return Verdict(bridge.need_more, tuple(bridge.bridge_entities), tuple(bridge.queries), bridge.reason)


def _pool(record: RunnerRecord) -> PoolStats | None:
    fit = record.fit
    if fit.cap is None or fit.total_chars is None:
        return None
    return PoolStats("chars", fit.cap, fit.total_chars, fit.kept_chars, fit.dropped, tuple(fit.kept_fids), fit.sub_used)
