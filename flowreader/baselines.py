"""The baseline without paths: the documents' text in one call. Flat top-k is in `routing`."""

from __future__ import annotations

from common.llm import LLMError
from flowreader.evidence import clip, header
from flowreader.ledger import OverBudget
from flowreader.session import Session
from flowreader.synthesis import Answer, read_output


async def answer_zero_shot(session: Session) -> Answer:
    """No graph, no retrieval. Raises only a replay miss."""
    reading = session.config.reading
    content = session.prompts.render(
        "zero_shot", question=session.question.question, text=document_text(session, reading.zero_shot_chars)
    )
    try:
        reply = await session.ask("zero_shot", content, temperature=0.0, max_tokens=reading.synthesis_tokens)
    except (LLMError, OverBudget) as error:
        session.note_failure("zero_shot", error)
        return Answer("", "", "none")
    session.answer_start = reply.first_token_s
    return Answer(reply.text.strip(), read_output(reply.text), "synthesis")


def document_text(session: Session, limit: int) -> str:
    """All units in reading order under their page, as far as `limit` characters reach."""
    parts: list[str] = []
    left = limit
    for node in session.graph.nodes:
        if left <= 0:
            break
        parts.append(clip(f"{header(node)}\n{node.text}", left))
        left -= len(parts[-1]) + 2
    return "\n\n".join(parts)
