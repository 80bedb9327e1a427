"""From run records back to the released runner's records; its own tools can score what comes out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from common.benchmarks.mmlongbench import KINDS
from common.benchmarks.question import Question
from common.metrics.text import final_answer
from common.records import Hit, RunRecord, Search
from experiments.interchange.patch import difference
from experiments.interchange.records import BRIDGE, SEARCH, Names, to_record

_FINAL = re.compile(r"FINAL ANSWER", re.IGNORECASE)
_KIND_NAMES = {short: official for official, short in KINDS.items()}
_BRIEF = 160  # longest brief of a tool call
_IN_MEMORY = Path("(exported record)")


def to_raw(record: RunRecord, question: Question) -> dict[str, Any]:
    """One record of a result file. What a run record holds beyond the runner's fields goes into `run_record`."""
    raw = _fields(record, question)
    names = Names(record.benchmark, record.model, record.system)
    beyond = difference(to_record(raw, record.question_id, names, _IN_MEMORY).to_json(), record.to_json())
    return raw if beyond is None else {**raw, "run_record": beyond}


def _fields(record: RunRecord, question: Question) -> dict[str, Any]:
    tools = _tools(record)
    raw: dict[str, Any] = {
        "qid": record.question_id,
        **_gold(question),
        "question": question.question,
        "response": _response(record),
        "search_hits": [row for call, search in enumerate(record.searches) for row in _hits(call, search)],
        "bridge": _bridge(record),
        "fit": _fit(record),
        "tools": [name for name, _ in tools],
        "briefs": [brief for _, brief in tools if brief is not None],
        "final_check": _check(record),
        "mode": _mode(record),
        "error": "; ".join(record.errors) if record.status == "failed" else None,
        "elapsed_s": record.elapsed_s,
        "timing": _present(first_event_s=record.first_event_s, ttft_s=record.answer_start_s),
        "read_media_calls": sum(call.model_calls for call in record.tools),
    }
    return {**raw, **_found(record, question)}


def _gold(question: Question) -> dict[str, Any]:
    extra = question.extra
    if "doc_id" in extra:
        pages = sorted({item.page for item in question.evidence if item.page is not None})
        return {
            "doc_id": extra["doc_id"], "doc_type": extra.get("doc_type"), "gold": extra["gold"],
            "answer": extra["gold"], "answer_format": question.answer_format, "evidence_pages": str(pages),
            "evidence_sources": str([_KIND_NAMES.get(kind, kind) for kind in question.modalities]),
        }  # fmt: skip
    documents = list(question.gold_documents)
    if question.question_type.endswith("_query"):
        kind = question.question_type
        return {"answer": question.answers[0], "question_type": kind, "supporting_doc_ids": documents}
    return {
        "answers": list(question.answers), "qtype": question.question_type,
        "modalities": extra.get("modalities_as_listed", list(question.modalities)), "supporting_doc_ids": documents,
    }  # fmt: skip


def _response(record: RunRecord) -> str:
    """The answer's text, its final line replaced where the checker changed it; a redacted record has that line only."""
    text = "" if record.redacted else record.answer_text
    if not record.answer or final_answer(text) == record.answer:
        return text
    lines = text.rstrip().splitlines()
    line = f"FINAL ANSWER: {_line(record.answer)}"
    marked = [number for number, written in enumerate(lines) if _FINAL.search(written)]
    if marked:
        lines[marked[-1]] = line
    return "\n".join(lines if marked else [*lines, line])


def _line(answer: tuple[str, ...]) -> str:
    return answer[0] if len(answer) == 1 else str(list(answer))


def _hits(call: int, search: Search) -> list[dict[str, Any]]:
    head = {"call": call, "query": search.query, "bridge": search.issuer == "judge"}
    return [{**head, **_hit(hit)} for hit in search.hits]


def _hit(hit: Hit) -> dict[str, Any]:
    page = {"page": hit.page or None} if hit.kind == "text" or hit.page else {}
    return {
        "fragment_id": hit.fragment_id, "kind": hit.kind, "score": hit.score, "from_graph": hit.from_graph,
        "doc": hit.document_id, **page, "vec": hit.cosine, "raw": hit.bm25,
    }  # fmt: skip


def _bridge(record: RunRecord) -> dict[str, Any]:
    verdict = record.verdict
    if verdict is None:
        return {}
    return {
        "need_more": verdict.need_more, "queries": list(verdict.queries),
        "bridge_entities": list(verdict.bridge_entities), "reason": verdict.reason,
    }  # fmt: skip


def _fit(record: RunRecord) -> dict[str, Any]:
    pool = record.pool
    if pool is None:
        return {}
    used = {"sub_used": pool.used} if pool.used else {}
    return {
        "total_chars": pool.total, "cap": pool.cap, "kept_chars": pool.kept, "dropped": pool.dropped, **used,
        "kept_fids": list(pool.kept_ids),
    }  # fmt: skip


def _tools(record: RunRecord) -> list[tuple[str, str | None]]:
    """Names and briefs in order, the judge's searches between the roles, where the runner logs them."""
    calls = [(call.stage, call.tool, _brief(call.args)) for call in record.tools]
    if not any(stage == "judge" for stage, _, _ in calls):
        asked = [f"{BRIDGE}1] {search.query[:60]}" for search in record.searches if search.issuer == "judge"]
        place = next((i for i, (stage, _, _) in enumerate(calls) if stage == "reader"), len(calls))
        calls[place:place] = [("judge", SEARCH, brief) for brief in asked]
    return [(tool, brief) for _, tool, brief in calls]


def _brief(args: dict[str, Any]) -> str | None:
    if set(args) <= {"brief"}:
        return args.get("brief")
    first = next(iter(args.values()))
    return (first if isinstance(first, str) else json.dumps(first, ensure_ascii=False))[:_BRIEF]


def _check(record: RunRecord) -> dict[str, Any]:
    if not record.answer_before:
        return {}
    return {"before": record.answer_before, "after": _line(record.answer) if record.answer else ""}


def _mode(record: RunRecord) -> str | None:
    """The runner's status text for the shapes it has; for an imported record its own text is in the side dict."""
    if record.system.startswith("S4"):
        return "s4"
    stops = {stage.name: stage.stop for stage in record.stages}
    first = next(iter(stops.values()), "final")
    ending = next((f"+{name.lower()}" for name in ("P0", "P1") if record.system.startswith(name)), None)
    return first + (ending or f"+{stops.get('reader', 'final')}")


def _found(record: RunRecord, question: Question) -> dict[str, Any]:
    """Document hits of questions with gold documents, pages found of questions about one document."""
    gold = set(question.gold_documents)
    if "doc_id" in question.extra:
        return {"found_pages": sorted({hit.page for search in record.searches for hit in search.hits if hit.page})}
    if not gold:
        return {}
    per_search = [{hit.document_id for hit in search.hits} for search in record.searches]
    found, first = gold & set().union(*per_search), gold & (per_search[0] if per_search else set())
    return {
        "doc_hit": sorted(found), "doc_hit_rate": len(found) / len(gold), "doc_hit_first": len(first) / len(gold),
    }  # fmt: skip


def _present(**values: float | None) -> dict[str, float]:
    return {name: value for name, value in values.items() if value is not None}
