"""Parallel evidence readers, one a kept path (FlowReader 3.5.2; appendix F, B.2). What came back is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from common.llm import EmptyReply, LLMError
from common.loose_json import json_objects
from flowreader.decomposition import Path
from flowreader.evidence import path_images, path_text
from flowreader.ledger import OverBudget
from flowreader.records import Report
from flowreader.session import Session

WORKER_SCHEMA = {
    "type": "object",
    "properties": {
        "status": {"enum": ["supported", "not_reported"]},
        "answer": {"type": "string", "maxLength": 400},
        "evidence": {"type": "string", "maxLength": 300},
    },
    "required": ["status", "answer", "evidence"],
}
RAW_CHARS = 300


async def read_paths(session: Session, paths: Sequence[Path], *, reserve: int) -> tuple[Report, ...]:
    """One report for each path, in their order; `reserve` calls are left for the stages to come.

    A worker that fails gives a report that says how, and never takes another's with it. Raises only what must not
    be swallowed: a replay miss, or a defect.
    """
    room = max(0, session.ledger.left - reserve)
    read = await asyncio.gather(*(_read(session, path) for path in paths[:room]), return_exceptions=True)
    reports: list[Report] = []
    for path, result in zip(paths, read, strict=False):
        if isinstance(result, LLMError | TimeoutError | OverBudget):
            reports.append(_failed(session, path, result))
        elif isinstance(result, BaseException):
            raise result
        else:
            reports.append(result)
    for path in paths[room:]:
        session.ledger.skipped["worker"] += 1
        reports.append(Report(_names(session, path), "over_budget"))
    return tuple(reports)


async def _read(session: Session, path: Path) -> Report:
    reading = session.config.reading
    text = session.prompts.render("worker", question=session.question.question, evidence=path_text(session, path.nodes))
    images = path_images(session, path.nodes)
    content: str | list[dict[str, Any]] = [*images, {"type": "text", "text": text}] if images else text
    async with asyncio.timeout(reading.worker_timeout_s):
        reply = await session.ask(
            "worker", content, system=session.prompts.render("worker_rules"), temperature=0.0,
            max_tokens=reading.worker_tokens, schema=WORKER_SCHEMA,
        )  # fmt: skip
    report = read_report(reply.text, _names(session, path))
    session.emit("worker", f"{report.status}: {report.answer or report.raw}")
    return report


def read_report(text: str, nodes: tuple[str, ...]) -> Report:
    """The report in a reply; one without status, or supported without an answer, is unreadable, not a refusal."""
    for data in json_objects(text):
        status, answer = str(data.get("status", "")).strip().lower(), _text(data.get("answer"))
        if status == "supported" and answer:
            return Report(nodes, "supported", answer, _text(data.get("evidence")))
        if status == "not_reported":
            return Report(nodes, "not_reported")
    return Report(nodes, "unreadable", raw=" ".join(text.split())[:RAW_CHARS])


def _failed(session: Session, path: Path, error: Exception) -> Report:
    nodes = _names(session, path)
    if isinstance(error, OverBudget):
        return Report(nodes, "over_budget")
    if isinstance(error, LLMError):
        session.note_failure("worker", error)
        return Report(nodes, "unreadable" if isinstance(error, EmptyReply) else "lost")
    session.lost = True
    session.note("worker", f"no reply within {session.config.reading.worker_timeout_s} s; path of {nodes[0]}")
    return Report(nodes, "lost")


def _names(session: Session, path: Path) -> tuple[str, ...]:
    return tuple(session.graph.nodes[row].node_id for row in path.nodes)


def _text(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(_text(item) for item in value)
    return " ".join(str(value).split()) if value is not None else ""
