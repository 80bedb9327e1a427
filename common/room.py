"""What a model's context leaves for evidence beside instructions, question and reply."""

from __future__ import annotations

import math

CHARS_PER_TOKEN = 2.5  # careful: tables, numbers and names take more tokens than prose
QUESTION_CHARS = 500  # of a question that the instructions' allowance covers
LEAST_CHARS = 2_000  # of evidence; below it an answer is not worth asking for


class ContextTooSmall(ValueError):
    """A model whose context leaves no room for evidence; the message says what is needed."""


def evidence_room(name: str, context: int, *, instructions: int, reply: int, question: str = "") -> int:
    """Characters of evidence that fit a prompt of `name`; `context`, `instructions` and `reply` are in tokens.

    Raises `ContextTooSmall` where less than `LEAST_CHARS` are left.
    """
    beyond = max(0, len(question) - QUESTION_CHARS)
    room = int((context - instructions - reply) * CHARS_PER_TOKEN) - beyond
    if room >= LEAST_CHARS:
        return room
    needed = instructions + reply + math.ceil((LEAST_CHARS + beyond) / CHARS_PER_TOKEN)
    asked = f" and a question of {len(question):,} characters: shorten it, or" if beyond else ";"
    raise ContextTooSmall(
        f"context of {context:,} tokens: too small for {name}{asked} use a model with {needed:,} or more "
        "(--context says what a server given by URL has)"
    )
