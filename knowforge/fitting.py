"""Sizes of a system for a model of limited context: the paper's 30,000-character pool wants 16,000 tokens and more."""

from __future__ import annotations

from dataclasses import replace

from common.room import evidence_room
from knowforge.system import SystemConfig

PROMPT_TOKENS = 2_000  # instructions, tool descriptions, question, the agent's own rounds


def fit_to_context(system: SystemConfig, context: int, question: str = "") -> SystemConfig:
    """`system` with pool, judge view and tool results scaled down so that every prompt fits `context` tokens.

    Unchanged where the context is large enough. Raises `ContextTooSmall` where no room is left for evidence.
    """
    room = evidence_room(
        system.name, context, instructions=PROMPT_TOKENS, reply=system.answer_tokens, question=question
    )
    per_char = 1.0 if system.pool.unit == "chars" else 4.0  # the pool's unit in characters
    results = system.loop.result_chars
    single = (system.locator_rounds + system.reader_rounds) * results
    rounds = system.locator_rounds if system.shape == "pipeline" else 0
    wanted = max(
        system.pool.cap * per_char + (system.reader_rounds * results if system.shape == "pipeline" else 0),
        single if system.shape == "single_agent" else rounds * results,
    )
    if wanted <= room:
        return system
    share = room / wanted
    pool = system.pool.scaled(share)
    return replace(
        system,
        judge_chars=min(system.judge_chars, pool.cap),
        pool=pool,
        loop=replace(system.loop, result_chars=int(results * share)),
    )
