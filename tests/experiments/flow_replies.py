"""What a made-up model says to FlowReader's prompts."""

from __future__ import annotations

import json
from typing import Any


def reply_to(messages: list[dict[str, Any]]) -> str:
    """One worker finds a winner, the others refuse; scorers are content; the answer is always the same, once right."""
    told, last = str(messages[0]["content"]), str(messages[-1]["content"])
    if last.startswith("Turn a question into search terms"):
        return '["race", "won"]'
    if told.startswith("You read a few passages"):
        return _worker(last)
    if "Can both answers be right" in last:
        return "YES"
    if "EXISTS: YES or NO" in last:
        return "EXISTS: YES\nSCORE: 0.7"
    if "How much does this step help" in last:
        return "0.8"
    if last.startswith("Mark an answer"):
        right = "Expected answer: Name 1" in last
        return json.dumps({"accuracy": int(right), "reasoning": "compared with the same name"})
    return "<thought>The paths agree.</thought>\n<output>Name 1</output>"


def _worker(prompt: str) -> str:
    if "won by Name 1." in prompt:
        return '{"status": "supported", "answer": "Name 1", "evidence": "Race 1 was won by Name 1."}'
    return '{"status": "not_reported", "answer": "", "evidence": ""}'
