"""The last call: one answer from all paths that were read (FlowReader 3.5.2; appendix F, B.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from common.arrays import Floats
from common.llm import LLMError
from flowreader.consistency import clusters
from flowreader.evidence import clip, key_evidence
from flowreader.ledger import OverBudget
from flowreader.records import Report
from flowreader.session import Session

_OUTPUT = re.compile(r"<output>(.*?)(?:</output>|$)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?(?:thought|output)>", re.IGNORECASE)
_THOUGHT = re.compile(r"<thought>.*?</thought>", re.IGNORECASE | re.DOTALL)
REFUSED = {
    "not_reported": "not reported", "unreadable": "gave no usable reply", "lost": "did not answer",
    "over_budget": "was not asked",
}  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """A path as it was read: its rows, its flow, its worker's report."""

    nodes: tuple[int, ...]
    flow: float
    report: Report


@dataclass(frozen=True)
class Answer:
    """The synthesiser's whole text and the answer in it; `source` says where the answer came from."""

    text: str
    answer: str
    source: str  # synthesis, workers (no synthesis came), refusal (no evidence), gold, none


async def synthesise(session: Session, readings: Sequence[Reading], h: Floats) -> Answer:
    """Without any path the refusal, without a call; without a reply that answers the workers' most frequent answer."""
    reading = session.config.reading
    if not readings:
        return Answer("", reading.refusal, "refusal")
    paths = paths_text(session, readings, h)
    guide = reading.answer_guide or "Keep the answer as short as the question allows."
    content = session.prompts.render("synthesis", question=session.question.question, paths=paths, guide=guide)
    started = session.clock
    try:
        reply = await session.ask(
            "synthesis", content, temperature=0.0, max_tokens=reading.synthesis_tokens,
            on_token=lambda token: session.emit("token", token),
        )  # fmt: skip
    except (LLMError, OverBudget) as error:
        session.note_failure("synthesis", error)
        return _from_workers(readings)
    session.answer_start = round(started + (reply.first_token_s or 0.0), 3)
    answer = read_output(reply.text)
    if not answer:
        session.note("synthesis", "the reply holds no answer")
        return replace(_from_workers(readings), text=reply.text.strip())
    return Answer(reply.text.strip(), answer, "synthesis")


def paths_text(session: Session, readings: Sequence[Reading], h: Floats) -> str:
    """Every path with weight, worker's answer and key evidence, each with the same share of the limit."""
    share = session.config.reading.synthesis_chars // len(readings)
    blocks = []
    for number, read in enumerate(readings, start=1):
        said = read.report.answer if read.report.status == "supported" else REFUSED[read.report.status]
        head = f"Path {number} (flow {read.flow:.3f})\nWorker: {said}\nEvidence:"
        blocks.append(f"{head}\n{clip(key_evidence(session, read.nodes, h), max(0, share - len(head)))}")
    return "\n\n".join(blocks)


def read_output(text: str) -> str:
    """What stands in the output tag; else what follows the thought; else the last line."""
    tagged = _OUTPUT.findall(text)
    if tagged and tagged[-1].strip():
        return " ".join(tagged[-1].split())
    rest = _TAG.sub("", _THOUGHT.sub("", text))
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _from_workers(readings: Sequence[Reading]) -> Answer:
    answers = clusters([read.report for read in readings])
    return Answer("", answers[0], "workers") if answers else Answer("", "", "none")
