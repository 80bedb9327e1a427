"""The chain of jobs for one question (KnowForge figure 1), for every shape a system can have."""

from __future__ import annotations

from collections.abc import Callable

from common.benchmarks.question import Question
from common.llm import LLM, LLMError, ReplayMiss
from common.metrics.text import answer_visible
from common.records import RunLabel, RunRecord
from common.settings import settings_hash
from knowforge.agents import deep_reader, locator, single_agent
from knowforge.answer import Answer, write_answer
from knowforge.base import KnowledgeBase
from knowforge.judge import run_judge
from knowforge.loop import run_agent
from knowforge.session import Event, Session, ignore
from knowforge.system import SystemConfig


async def answer_question(
    question: Question,
    base: KnowledgeBase,
    llm: LLM,
    system: SystemConfig,
    label: RunLabel,
    *,
    on_event: Callable[[Event], None] = ignore,
) -> RunRecord:
    """Run `system` on one question. A model failure gives a failed record; a replay miss is raised."""
    session = Session(question, base, llm, system, system.load_prompts(), label, on_event)
    answer: Answer | None = None
    try:
        await _collect(session)
        answer = await write_answer(session)
    except ReplayMiss:
        raise
    except LLMError as error:
        session.errors.append(f"{type(error).__name__}: {error}")
    return _record(session, answer)


async def _collect(session: Session) -> None:
    """Everything before the answer: jobs 2 to 5."""
    system = session.system
    if system.shape == "closed_book":
        return
    if system.shape == "one_shot":
        session.search(session.question.question, "system")
        return
    await run_agent(session, single_agent(session) if system.shape == "single_agent" else locator(session))
    if system.judge:
        await run_judge(session)
    if not session.pool.offered:
        session.search(session.question.question, "fallback")
    if system.shape == "pipeline" and system.reader_rounds:
        await run_agent(session, deep_reader(session))


def _record(session: Session, answer: Answer | None) -> RunRecord:
    label, pool = session.label, session.pool.fit()
    return RunRecord(
        question_id=session.question.question_id,
        benchmark=label.benchmark,
        method="knowforge",
        system=session.system.name,
        model=label.model,
        config_hash=settings_hash(session.system, prompts=session.prompts.sha256, base=session.base.sha256),
        commit=label.commit,
        status="done" if answer else "failed",
        answer=answer.after if answer else (),
        answer_before="; ".join(answer.before) if answer else "",
        answer_text=answer.text if answer else "",
        answer_visible=answer_visible(pool.text, session.question.answers),
        searches=tuple(session.searches),
        tools=tuple(session.tools),
        stages=tuple(session.stages),
        verdict=session.verdict,
        pool=pool.stats,
        usage=session.usage,
        first_event_s=session.first_event,
        answer_start_s=session.answer_start,
        elapsed_s=session.clock,
        sample=label.sample,
        errors=tuple(session.errors),
    )
