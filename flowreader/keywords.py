"""The BM25 query of a question (FlowReader appendix F, B.1): one call, the question itself when it gives nothing."""

from __future__ import annotations

from common.llm import LLMError
from common.loose_json import json_array
from flowreader.ledger import OverBudget
from flowreader.session import Session

KEYWORDS_SCHEMA = {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 16}


async def lexical_query(session: Session) -> str:
    """Keywords in one line. Raises only a replay miss."""
    question, reading = session.question.question, session.config.reading
    if not reading.keywords:
        return question
    content = session.prompts.render("keywords", question=question)
    try:
        reply = await session.ask(
            "keywords", content, temperature=0.0, max_tokens=reading.keyword_tokens, schema=KEYWORDS_SCHEMA
        )
    except (LLMError, OverBudget) as error:
        session.note_failure("keywords", error)
        return question
    found = read_keywords(reply.text)
    session.emit("keywords", " | ".join(found) or question)
    return " ".join(found) or question


def read_keywords(text: str) -> tuple[str, ...]:
    """The strings of the first JSON array in a reply, none twice."""
    items = json_array(text) or []
    words = (" ".join(str(item).split()) for item in items if isinstance(item, str | int | float))
    return tuple(dict.fromkeys(word for word in words if word))
