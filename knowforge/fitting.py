"""Sizes of a system for a model of limited context: the paper's 30,000-character pool wants 16,000 tokens and more."""

from __future__ import annotations

from dataclasses import replace

from knowforge.system import SystemConfig

CHARS_PER_TOKEN = 2.5  # careful: tables, numbers and names take more tokens than prose
PROMPT_TOKENS = 2_000  # instructions, tool descriptions, question, the agent's own rounds


class ContextTooSmall(ValueError):
    """A model whose context leaves no room for evidence; the message says what is needed."""


def fit_to_context(system: SystemConfig, context: int) -> SystemConfig:
    """`system` with pool, judge view and tool results scaled down so that every prompt fits `context` tokens.

    Unchanged where the context is large enough. Raises `ContextTooSmall` where no room is left for evidence.
    """
    room = int((context - PROMPT_TOKENS - system.answer_tokens) * CHARS_PER_TOKEN)
    if room < 2_000:
        raise ContextTooSmall(
            f"context of {context:,} tokens: too small for {system.name}; use a model with 4,096 or more"
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
