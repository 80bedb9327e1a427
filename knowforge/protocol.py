"""The loop's wire format: one JSON object a round, read tolerantly (KnowForge appendix A)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from common.loose_json import json_objects

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
