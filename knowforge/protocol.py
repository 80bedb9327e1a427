"""The loop's wire format: one JSON object a round, read tolerantly (KnowForge appendix A)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_FENCE = re.compile(r"```[a-zA-Z]*\n?|```")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


THOUGHT_CHARS = 140  # longest thought a schema lets through: one or two sentences


def round_schema(tools: Sequence[str]) -> dict[str, Any]:
    """JSON schema of one round: a call of one of `tools`, or the stop. The model's profile may enforce it."""
    thought = {"type": "string", "maxLength": THOUGHT_CHARS}
    call = {"thought": thought, "tool": {"enum": list(tools)}, "args": {"type": "object"}}
    stop = {"thought": thought, "final": {"const": "ok"}}
    return {
        "anyOf": [
            {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
            for fields in (call, stop)
        ]
    }


@dataclass(frozen=True)
class Step:
    """One parsed round: a tool call, or the stop (`final`)."""

    thought: str
    tool: str | None = None
    args: dict[str, Any] = field(default_factory=dict)

    @property
    def stops(self) -> bool:
        return self.tool is None

    @property
    def signature(self) -> str:
        """Equal for calls of the same tool with the same arguments."""
        return f"{self.tool} {json.dumps(self.args, sort_keys=True, ensure_ascii=False)}"


def parse_step(reply: str) -> Step | None:
    """The round's step, or None when the reply holds no usable object.

    Of several objects the first that names a tool or a stop counts; fences, surrounding prose, trailing
    commas and a cut-off tail are forgiven.
    """
    for data in json_objects(reply):
        thought = str(data.get("thought", ""))
        tool = data.get("tool")
        if isinstance(tool, str) and tool.strip():
            args = data.get("args", {})
            return Step(thought, tool.strip(), args if isinstance(args, dict) else {"query": args})
        if "final" in data:
            return Step(thought)
    return None


def json_objects(text: str) -> list[dict[str, Any]]:
    """Every top-level JSON object in `text`, repaired where a small repair is enough."""
    text = _FENCE.sub("", text)
    found = [data for data in map(_load, _spans(text)) if isinstance(data, dict)]
    return found


def _spans(text: str) -> list[str]:
    """Substrings from each top-level `{` to its matching `}`; the last one may lack its end."""
    spans: list[str] = []
    start, depth, in_string, escaped = -1, 0, False, False
    for position, char in enumerate(text):
        if depth and in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif depth and char == '"':
            in_string = True
        elif char == "{":
            start = position if depth == 0 else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                spans.append(text[start : position + 1])
    if depth:
        spans.append(text[start:])
    return spans


def _load(span: str) -> Any:
    for candidate in (span, _TRAILING_COMMA.sub(r"\1", span), _close(span)):
        try:
            return json.loads(candidate, strict=False)
        except json.JSONDecodeError:
            continue
    return None


def _close(span: str) -> str:
    """`span` with the quotes and brackets that a cut-off reply left open."""
    stack: list[str] = []
    in_string, escaped = False, False
    for char in span:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]" and stack:
            stack.pop()
    closed = span + '"' if in_string else span.rstrip().rstrip(",:")
    return _TRAILING_COMMA.sub(r"\1", closed + "".join(reversed(stack)))
