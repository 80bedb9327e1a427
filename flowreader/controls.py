"""Controls: runs whose right verdict is known beforehand, to see what the model's own judgements are worth.

The accuracy judge gets the gold answer as if a variant had written it. The consistency judge gets the gold answer and
a second one that says the same in other words (`gold_agree`), or that cannot be right if it is (`gold_contrary`).
"""

from __future__ import annotations

import re

from flowreader.consistency import check_consistency
from flowreader.gate import check_triggers
from flowreader.grading import gold_answer
from flowreader.records import Gate, Report
from flowreader.session import Session
from flowreader.synthesis import Answer

_NUMBER = re.compile(r"\d+")


async def answer_control(session: Session) -> tuple[Answer, Gate | None]:
    """The gold answer; for a control of the consistency judge also what the gate makes of the pair, at sigma = 1."""
    gold = gold_answer(session.question, session.config.reading.refusal)
    answer = Answer("", gold, "gold")
    if session.config.shape == "gold":
        return answer, None
    second = in_other_words(gold) if session.config.shape == "gold_agree" else contrary(gold)
    pair = [Report((), "supported", text) for text in (gold, second)]
    return answer, check_triggers(pair, await check_consistency(session, pair, reserve=0), 1.0, session.config.gate)


def in_other_words(answer: str) -> str:
    return f"The answer to the question is: {answer}"


def contrary(answer: str) -> str:
    """Every number is seven more; an answer without numbers is denied."""
    changed = _NUMBER.sub(lambda found: str(int(found[0]) + 7), answer)
    return changed if changed != answer else f"It is certainly not so: {answer}"
