"""The agent loop both roles share: one JSON object a round, tool results with a stopping reminder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from common.llm import EmptyReply
from common.llm.images import Message
from common.records import Stage
from knowforge.protocol import Step, parse_step, round_schema
from knowforge.session import Session
from knowforge.tools import call_tool

REPEATS = 3  # the same call that often ends the stage
BAD_REPLIES = 2  # unreadable replies in a row that end the stage


@dataclass(frozen=True)
class Agent:
    """A role: its name, its tools, its cap of rounds, the opening messages and its stopping reminder."""

    name: str
    tools: Sequence[str]
    cap: int
    opening: Sequence[Message]
    reminder: str


async def run_agent(session: Session, agent: Agent) -> None:
    """Run the loop until the agent stops, or is stopped; a forced stop leaves a note for the synthesizer."""
    if agent.cap == 0:
        return
    messages = list(agent.opening)
    calls: Counter[str] = Counter()
    bad, rounds, stop = 0, 0, "cap"
    while rounds < agent.cap:
        try:
            text = await _ask(session, agent, messages)
        except EmptyReply as error:
            session.errors.append(f"{agent.name}: {error}")
            stop = "failed"
            break
        rounds += 1
        step = parse_step(text)
        if step is None:
            bad += 1
            if bad == BAD_REPLIES:
                stop = "bad_json"
                break
            answer = session.prompts.render("correction")
        else:
            bad = 0
            calls[step.signature] += 1
            if step.stops:
                stop = "final"
                break
            if calls[step.signature] == REPEATS:
                stop = "repeat"
                break
            answer = await _execute(session, agent, step)
        reminder = _reminder(session, agent, agent.cap - rounds)
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": f"{answer}\n\n{reminder}"}]
    session.stages.append(Stage(agent.name, rounds, agent.cap, stop))
    if stop != "final":
        session.notes.append(session.prompts.render("forced_stop", stage=agent.name, reason=stop))


async def _ask(session: Session, agent: Agent, messages: list[Message]) -> str:
    most = session.system.loop.max_tokens
    reply = await session.ask(agent.name, messages, temperature=0.0, max_tokens=most, schema=round_schema(agent.tools))
    return reply.text.strip()


async def _execute(session: Session, agent: Agent, step: Step) -> str:
    result = await call_tool(session, agent.name, agent.tools, step.tool or "", step.args)
    limit = session.system.loop.result_chars
    return result.text if len(result.text) <= limit else result.text[:limit] + " … (cut)"


def _reminder(session: Session, agent: Agent, left: int) -> str:
    """The stage's stopping reminder; from two rounds left it also says how many remain."""
    count = session.prompts.render("rounds_left", left=left) if left <= 2 else ""
    return f"{agent.reminder} {count}".strip()
