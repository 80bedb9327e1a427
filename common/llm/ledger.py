"""Who used how many calls, tokens, seconds and how much money."""

from __future__ import annotations

from collections.abc import Iterable

from common.llm.reply import Reply
from common.records import Usage


def add(spent: Usage, reply: Reply) -> Usage:
    """Usage with one more reply."""
    return Usage(
        spent.calls + 1,
        spent.prompt_tokens + reply.prompt_tokens,
        spent.cached_tokens + reply.cached_tokens,
        spent.completion_tokens + reply.completion_tokens,
        round(spent.seconds + reply.seconds, 3),
        round(spent.cost + reply.cost, 9),
    )


class Ledger:
    """Usage per (question, stage). Replayed replies count with what they took when they were recorded."""

    def __init__(self) -> None:
        self._usage: dict[tuple[str, str], Usage] = {}

    def note(self, question_id: str, stage: str, reply: Reply) -> None:
        self._usage[question_id, stage] = add(self._usage.get((question_id, stage), Usage()), reply)

    def question(self, question_id: str) -> dict[str, Usage]:
        """Usage of one question by stage."""
        return {stage: usage for (question, stage), usage in self._usage.items() if question == question_id}

    def take(self, question_id: str) -> dict[str, Usage]:
        """Usage of one question by stage, which then starts again at nothing (the next system's run)."""
        usage = self.question(question_id)
        for stage in usage:
            del self._usage[question_id, stage]
        return usage

    def total(self) -> Usage:
        return summed(self._usage.values())


def summed(usages: Iterable[Usage]) -> Usage:
    """What all of these took together."""
    total = Usage()
    for usage in usages:
        total = Usage(
            total.calls + usage.calls,
            total.prompt_tokens + usage.prompt_tokens,
            total.cached_tokens + usage.cached_tokens,
            total.completion_tokens + usage.completion_tokens,
            round(total.seconds + usage.seconds, 3),
            round(total.cost + usage.cost, 9),
        )
    return total
