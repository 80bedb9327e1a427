"""The last job: a synthesizer writes the answer from the pool, a checker brings it into the benchmark's form."""

from __future__ import annotations

from dataclasses import dataclass

from common.benchmarks.question import NOT_ANSWERABLE
from common.llm import EmptyReply
from common.llm.images import Message
from common.loose_json import json_objects
from common.metrics.text import final_answer, is_refusal, parse_answer
from knowforge.session import Session

REFUSALS = {"m3docvqa": None, "mmlongbench": NOT_ANSWERABLE, "multihop_rag": "Insufficient information"}
CHECKER_SCHEMA = {
    "type": "object",
    "properties": {"final": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}},
    "required": ["final"],
}


@dataclass(frozen=True)
class Answer:
    """The synthesizer's whole text, its final line, and the elements after the checker."""

    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]


async def write_answer(session: Session) -> Answer:
    """Synthesize, then check. Raises `LLMError` when the synthesizer itself gets no reply."""
    text = await _synthesize(session)
    before = final_answer(text) or _conclusion(text)
    after = await _check(session, text) or before
    after = _conventional(session, after)
    session.emit("answer", "checker", "; ".join(after))
    return Answer(text, before, after)


async def _synthesize(session: Session) -> str:
    system = session.system
    started = session.clock
    reply = await session.ask(
        "synthesizer",
        _synthesizer_messages(session),
        temperature=system.answer_temperature,
        max_tokens=system.answer_tokens,
        on_token=lambda token: session.emit("token", "synthesizer", token),
    )
    session.answer_start = round(started + (reply.first_token_s or 0.0), 3)
    return reply.text.strip()


def _synthesizer_messages(session: Session) -> list[Message]:
    system = session.system
    if system.shape == "closed_book":
        text = session.prompts.render("closed_book", question=session.question.question)
        return [{"role": "user", "content": text}]
    if system.template == "short":
        return session.materials_prompt("short")
    notes = "\n".join(session.notes)
    guardrail = session.prompts.render(f"guardrail_{system.convention}")
    return session.materials_prompt("synthesizer", notes=notes, guardrail=guardrail)


async def _check(session: Session, text: str) -> tuple[str, ...]:
    """The checker's elements; empty when it gave nothing usable, so that the synthesizer's line stands."""
    system = session.system
    messages = [
        {"role": "system", "content": session.prompts.render(f"checker_{system.convention}")},
        {"role": "user", "content": session.prompts.render("checked", question=session.question.question, answer=text)},
    ]
    try:
        reply = await session.ask(
            "checker", messages, temperature=0.0, max_tokens=system.checker_tokens, schema=CHECKER_SCHEMA
        )
    except EmptyReply as error:
        session.errors.append(f"checker: {error}")
        return ()
    final = next((d["final"] for d in json_objects(reply.text) if "final" in d), None)
    if isinstance(final, list):
        return tuple(str(item).strip() for item in final if str(item).strip())
    return parse_answer(str(final)) if final is not None else ()


def _conclusion(text: str) -> tuple[str, ...]:
    """The answer of a text without a FINAL ANSWER line: its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return parse_answer(lines[-1]) if lines else ()


def _conventional(session: Session, answer: tuple[str, ...]) -> tuple[str, ...]:
    """Refusal words become the benchmark's refusal string, where it has one."""
    refusal = REFUSALS.get(session.system.convention)
    if refusal and (not answer or is_refusal(" ".join(answer))):
        return (refusal,)
    return answer
