"""One run told step by step from its record, in the words of the paper's appendix F."""

from __future__ import annotations

from collections.abc import Iterator

from common.metrics.behaviour import is_read
from common.metrics.retrieval import documents_in_rank_order
from common.records import RunRecord, Search, ToolCall

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
