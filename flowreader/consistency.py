"""Do the workers contradict each other? c in [0, 1] over few pairs (FlowReader 3.5.2; appendix F, B.4)."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from common.llm import EmptyReply, LLMError
from common.text import folded
from flowreader.ledger import OverBudget
from flowreader.records import Report
from flowreader.session import Session

_EDGE = " .,;:!?\"'"
_YES = re.compile(r"\byes\b", re.IGNORECASE)
_NO = re.compile(r"\bno\b", re.IGNORECASE)


@dataclass(frozen=True)
class Consistency:
    """c = 1 - contradictions / pairs; 1 when fewer than two distinct supported answers could be compared."""

    contradictions: int
    pairs: int

    @property
    def value(self) -> float:
        return round(1.0 - self.contradictions / self.pairs, 6) if self.pairs else 1.0


def clusters(reports: Sequence[Report]) -> list[str]:
    """Distinct supported answers, those given most often first, then in the order of the paths."""
    groups: dict[str, list[str]] = {}
    for report in reports:
        if report.status == "supported":
            groups.setdefault(answer_key(report.answer), []).append(report.answer)
    ordered = sorted(groups.values(), key=len, reverse=True)  # stable: the first seen stays first
    return [answers[0] for answers in ordered]


def answer_key(answer: str) -> str:
    """Answers that differ in case, spaces or closing marks only are one; signs and digits count."""
    return folded(answer).strip(_EDGE)


async def check_consistency(session: Session, reports: Sequence[Report], *, reserve: int) -> Consistency:
    """Judge pairs of the largest clusters, at most `reading.pairs` of them, leaving `reserve` calls.

    A pair whose judge gave no usable reply is no contradiction; a pair whose call was lost is not counted.
    """
    reading = session.config.reading
    most = min(reading.pairs, max(0, session.ledger.left - reserve))
    pairs = _largest_first(clusters(reports))[:most]
    judged = await asyncio.gather(*(_contradict(session, a, b) for a, b in pairs), return_exceptions=True)
    contradictions = counted = 0
    for result in judged:
        if isinstance(result, LLMError):
            session.note_failure("consistency", result)
            counted += isinstance(result, EmptyReply)
        elif isinstance(result, BaseException) and not isinstance(result, OverBudget):
            raise result
        elif isinstance(result, bool):
            contradictions, counted = contradictions + result, counted + 1
    return Consistency(contradictions, counted)


def _largest_first(answers: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs, those of the largest clusters first: (1,2), (1,3), (2,3), (1,4), ..."""
    places = sorted(itertools.combinations(range(len(answers)), 2), key=lambda pair: (pair[1], pair[0]))
    return [(answers[a], answers[b]) for a, b in places]


async def _contradict(session: Session, first: str, second: str) -> bool:
    content = session.prompts.render("consistency", question=session.question.question, first=first, second=second)
    reply = await session.ask(
        "consistency", content, temperature=0.0, max_tokens=session.config.reading.consistency_tokens
    )
    return said_no(reply.text)


def said_no(text: str) -> bool:
    """NO before any YES: the two answers cannot both be right. A reply with neither word says nothing of the kind."""
    yes, no = _YES.search(text), _NO.search(text)
    return no is not None and (yes is None or no.start() < yes.start())
