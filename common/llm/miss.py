"""Why a replay missed: the nearest stored request and the fields, or the characters, that differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from common.llm.errors import Difference, ReplayMiss
from common.llm.request import Request, canonical

_WINDOW = 40  # characters shown on each side of the first difference


@dataclass(frozen=True)
class Candidate:
    """A stored request near to the one asked for."""

    key: str
    identity: dict[str, Any]
    stage: str
    question_id: str


def closest(request: Request, stage: str, question_id: str, rows: Iterable[dict[str, Any]]) -> Candidate | None:
    """Best of the stored rows: same stage and question, then same stage, then the longest common prefix of messages.

    Messages decide before the other fields: a changed `max_tokens` must not make every prompt look equally far.
    """
    wanted = canonical(request.identity["messages"])
    best: tuple[tuple[bool, bool, int, int], Candidate] | None = None
    for row in rows:
        stored = row["request"]
        alike = sum(stored.get(name) == value for name, value in request.identity.items() if name != "messages")
        prefix = common_prefix(wanted, canonical(stored["messages"]))
        rank = (row["stage"] == stage and row["question_id"] == question_id, row["stage"] == stage, prefix, alike)
        if best is None or rank > best[0]:
            best = rank, Candidate(row["key"], stored, row["stage"], row["question_id"])
    return None if best is None else best[1]


def differences(stored: dict[str, Any], asked: dict[str, Any]) -> tuple[Difference, ...]:
    """Fields in which two requests differ, message by message up to the first that does."""
    fields = [name for name in sorted(stored.keys() | asked.keys()) if name != "messages"]
    changed = [name for name in fields if stored.get(name) != asked.get(name)]
    found = [Difference(name, _show(stored, name), _show(asked, name)) for name in changed]
    return (*found, *_message_differences(stored["messages"], asked["messages"]))


def explain(request: Request, context: str, stage: str, question_id: str, nearest: Candidate | None) -> ReplayMiss:
    """The error of a missed replay, ready to be raised."""
    who = f"{context or 'replay'}, question {question_id or '-'}, stage {stage}"
    head = f"{who}: no stored reply for request {request.key[:12]}"
    remedy = "To do: undo the change, or record what is missing against a model server (make record)."
    found: tuple[Difference, ...] = ()
    if nearest is None:
        text = "The call cache is empty."
    else:
        found = differences(nearest.identity, request.identity)
        lines = "\n".join(f"  {d.field}: stored {d.stored}\n  {' ' * len(d.field)}  asked  {d.asked}" for d in found)
        place = f"question {nearest.question_id or '-'}, stage {nearest.stage}"
        text = f"Nearest stored request {nearest.key[:12]} ({place}) differs in:\n{lines}"
    return ReplayMiss(
        f"{head}\n{text}\n{remedy}", context=context, question_id=question_id, stage=stage, key=request.key,
        nearest=None if nearest is None else nearest.key, differences=found,
    )  # fmt: skip


def common_prefix(one: str, other: str) -> int:
    """Length of the common prefix, by bisection: slices compare at memory speed, a Python loop does not."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _message_differences(stored: list[Any], asked: list[Any]) -> list[Difference]:
    for index, (old, new) in enumerate(zip(stored, asked, strict=False)):
        if old != new:
            return _inside(index, old, new)
    if len(stored) == len(asked):
        return []
    shared = min(len(stored), len(asked))
    return [Difference("messages", _count(stored, shared), _count(asked, shared))]


def _count(messages: list[Any], shared: int) -> str:
    more = f", the first beyond the shared ones: {_clip(_text(messages[shared]))}" if len(messages) > shared else ""
    return f"{len(messages)} messages{more}"


def _inside(index: int, old: dict[str, Any], new: dict[str, Any]) -> list[Difference]:
    if old.get("role") != new.get("role"):
        return [Difference(f"messages[{index}].role", str(old.get("role")), str(new.get("role")))]
    before, after = _text(old), _text(new)
    at = common_prefix(before, after)
    return [Difference(f"messages[{index}] at character {at}", _around(before, at), _around(after, at))]


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else canonical(content)


def _around(text: str, at: int) -> str:
    start, end = max(0, at - _WINDOW), at + _WINDOW
    return f"{'...' if start else ''}{text[start:end]!r}{'...' if end < len(text) else ''}"


def _clip(text: str) -> str:
    return repr(text[: 2 * _WINDOW]) + ("..." if len(text) > 2 * _WINDOW else "")


def _show(identity: dict[str, Any], name: str) -> str:
    return canonical(identity[name])[: 4 * _WINDOW] if name in identity else "(not set)"
