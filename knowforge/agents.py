"""The three roles that run the loop: Locator, Deep Reader, and the single agent P0 holding every tool."""

from __future__ import annotations

from collections.abc import Sequence

from common.llm.images import Message
from knowforge.loop import Agent
from knowforge.session import Session
from knowforge.tools import LOCATOR, READER, reader_tools


def locator(session: Session) -> Agent:
    """Finds, never reads (KnowForge 3.2). Sees question and corpus overview."""
    return _searching(session, "locator", LOCATOR, session.system.locator_rounds)


def single_agent(session: Session) -> Agent:
    """P0: the union of both tool sets, the two-stage narrative, the sum of both caps (KnowForge 4)."""
    rounds = session.system.locator_rounds + session.system.reader_rounds
    return _searching(session, "agent", tuple(dict.fromkeys((*LOCATOR, *READER))), rounds)


def deep_reader(session: Session) -> Agent:
    """Reads, never searches (KnowForge 3.5). Sees question and pool, not the Locator's conversation."""
    tools = reader_tools(session.system.loop)
    role = session.prompts.render("reader", **_shared(session, tools))
    opening = session.materials_prompt("job", text=role)
    return Agent("reader", tools, session.system.reader_rounds, opening, session.prompts.render("reader_reminder"))


def _searching(session: Session, name: str, tools: Sequence[str], rounds: int) -> Agent:
    system = session.prompts.render(name, **_shared(session, tools))
    task = session.prompts.render("task", question=session.question.question, overview=overview(session))
    opening: list[Message] = [{"role": "system", "content": system}, {"role": "user", "content": task}]
    return Agent(name, tools, rounds, opening, session.prompts.render(f"{name}_reminder"))


def overview(session: Session) -> str:
    """One line on the corpus: how many books, how many figures and tables."""
    fragments = session.base.fragments.values()
    tables = sum(f.kind == "table" for f in fragments)
    images = sum(f.kind == "image" for f in fragments)
    return f"{len(session.base.documents)} books, {len(fragments)} fragments, {images} images, {tables} tables"


def _shared(session: Session, tools: Sequence[str]) -> dict[str, str]:
    """What every role's prompt has: the loop protocol, its tools' descriptions, the benchmark's rule paragraph."""
    described = dict(line.split("(", 1) for line in session.prompts.texts["tools"].splitlines() if "(" in line)
    lines = "\n".join(f"{name}({described[name]}" for name in tools)
    return {
        "protocol": session.prompts.render("protocol"),
        "tools": lines,
        "rule": session.prompts.render(f"rule_{session.system.convention}"),
    }
