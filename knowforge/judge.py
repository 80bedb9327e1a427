"""The bridge judge: a code-scheduled check that every hop is covered (KnowForge 3.3). It only ever adds."""

from __future__ import annotations

from common.llm import EmptyReply
from common.loose_json import json_objects
from common.records import Verdict
from common.text import folded
from knowforge.session import Session

JUDGE_SCHEMA = {
    "type": "object",
    "properties": {
        "need_more": {"type": "boolean"},
        "bridge_entities": {"type": "array", "items": {"type": "string"}, "maxItems": 8},
        "queries": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
        "reason": {"type": "string", "maxLength": 300},
    },
    "required": ["need_more", "bridge_entities", "queries", "reason"],
}


async def run_judge(session: Session) -> Verdict:
    """Ask the judge, then issue its follow-up searches, which are outside every cap."""
    system = session.system
    searched = "\n".join(f"- {query}" for query in session.queries) or "- (none)"
    messages = session.materials_prompt("judge", limit=system.judge_chars, queries=searched, most=system.judge_queries)
    try:
        reply = await session.ask(
            "judge", messages, temperature=0.0, max_tokens=system.judge_tokens, schema=JUDGE_SCHEMA
        )
    except EmptyReply as error:
        session.errors.append(f"judge: {error}")
        verdict = Verdict(need_more=False, reason="the judge gave no usable reply")
    else:
        verdict = read_verdict(reply.text, session.queries, system.judge_queries)
    session.verdict = verdict
    session.emit("judge", "judge", verdict.reason)
    for query in verdict.queries:
        session.search(query, "judge")
    return verdict


def read_verdict(text: str, searched: list[str], most: int) -> Verdict:
    """The verdict in a reply: at most `most` queries, none searched before; unreadable means nothing is missing.

    Where more is needed and no query is given, the bridge entities are the queries.
    """
    data = next((d for d in json_objects(text) if "need_more" in d), None)
    if data is None:
        return Verdict(need_more=False, reason="the judge's reply could not be read")
    entities = _strings(data.get("bridge_entities"))
    reason = str(data.get("reason", ""))
    if data["need_more"] is not True:
        return Verdict(False, entities, (), reason)
    known = {folded(query) for query in searched}
    queries: list[str] = []
    for query in _strings(data.get("queries")) or entities:
        if folded(query) not in known:
            known.add(folded(query))
            queries.append(query)
    return Verdict(True, entities, tuple(queries[:most]), reason)


def _strings(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return tuple(str(item).strip() for item in items if str(item).strip())
