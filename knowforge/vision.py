"""Reading one figure or table: a vision model looks at it, or the embedded reader answers from its OCR text."""

from __future__ import annotations

from common.documents.model import Fragment
from knowforge.library import LookupFailed
from knowforge.rendering import where
from knowforge.session import Session

LONGEST_TEXT = 12_000  # characters of a text read at once: about 5,000 tokens


async def read_asset(session: Session, fragment: Fragment, question: str) -> str:
    """The reader's words on one asset: where the evidence stands and a one-line answer, or "not in the image"."""
    prompt = session.prompts.render("vision", question=question, where=where(session.base, fragment))
    if session.system.vision == "ocr":
        text = session.prompts.render("vision_ocr", text=_readable(fragment.text), prompt=prompt)
        content: str | list[dict[str, str]] = text
    else:
        if fragment.asset is None:
            raise LookupFailed(
                "no_asset", f"{fragment.fragment_id} is {fragment.kind} without an image; use fragment_context"
            )
        image = {"type": "image", "path": str(session.base.assets / fragment.asset)}
        content = [image, {"type": "text", "text": prompt}]
    messages = [{"role": "user", "content": content}]
    reply = await session.ask("vision", messages, temperature=0.0, max_tokens=session.system.vision_tokens)
    return " ".join(reply.text.split())


def _readable(text: str) -> str:
    """`text`, or its beginning and how much was cut: a table of thousands of rows exceeds every context."""
    more = len(text) - LONGEST_TEXT
    return text if more <= 0 else f"{text[:LONGEST_TEXT]}\n({more:,} more characters; query_table finds rows)"
