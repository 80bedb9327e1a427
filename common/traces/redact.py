"""Records of corpora that may not be passed on: ids, ranks, scores, counts, answers and hashes, no text.

Which texts of a method's own facts are ids, labels or answers, its records say themselves: `RunRecord.facts`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from common.records import RunRecord, ToolCall


def redact(record: RunRecord) -> RunRecord:
    """The record with every free text but the answers replaced by its hash; idempotent."""
    if record.redacted:
        return record
    verdict = record.verdict
    if verdict is not None:
        verdict = replace(
            verdict,
            reason=text_hash(verdict.reason),
            queries=tuple(map(text_hash, verdict.queries)),
            bridge_entities=tuple(map(text_hash, verdict.bridge_entities)),
        )
    return replace(
        record,
        verdict=verdict,
        answer_text=text_hash(record.answer_text),
        searches=tuple(replace(search, query=text_hash(search.query)) for search in record.searches),
        tools=tuple(map(_redact_call, record.tools)),
        facts=_redact_facts(record.facts, frozenset(record.facts.get("open", ()))),
        redacted=True,
    )


def text_hash(text: str) -> str:
    """`sha256:` and 16 hex digits; equal texts stay recognisably equal. Empty stays empty."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:16]}" if text else ""


def _redact_call(call: ToolCall) -> ToolCall:
    return replace(call, args={name: _redact_value(value) for name, value in call.args.items()})


def _redact_facts(value: Any, open_fields: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {
            name: inner if name == "open" or name in open_fields else _redact_facts(inner, open_fields)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_redact_facts(inner, open_fields) for inner in value]
    return text_hash(value) if isinstance(value, str) else value


def _redact_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    return text_hash(value if isinstance(value, str) else json.dumps(value, sort_keys=True))
