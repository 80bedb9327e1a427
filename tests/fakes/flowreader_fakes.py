"""A small evidence graph made by hand, and a model that answers by a function of stage and prompt."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from knowforge_fakes import WordEncoder

from common.benchmarks.question import Question
from common.llm import Profile, Reply
from common.records import RunLabel
from flowreader.evolution import reading_order_links
from flowreader.graph import EvidenceGraph, Node

Handler = Callable[[str, str], str | Exception]
QUESTION = Question("q1", "toy", "Where was the winner of the Orlen Cup born?", ("Pellwick",))
LABEL = RunLabel("toy", "fake", "0")
TEXTS = (
    "The Orlen Cup was won by Iska Dorn in 1979.",
    "Iska Dorn was born in Pellwick, a town on the river Ansel.",
    "Pellwick has 4,210 people and a bakery.",
    "The Orlen Cup is a race held in Velmora every winner gets a cup.",
    "Weather in Velmora was dry for the race.",
    "A map of the track where the winner of the Orlen Cup crossed the line.",
    "pos | driver | born\n1 | Iska Dorn | Pellwick",
    "Tavi Moreno led most laps of the Orlen Cup.",
    "The river Ansel was born of a glacier.",
    "Bakeries of Ostrava are known for bread.",
)
KINDS = {5: "vis", 6: "tbl"}


def make_node(row: int, text: str, kind: str | None = None) -> Node:
    modality = kind or KINDS.get(row, "txt")
    words = tuple(dict.fromkeys(word.strip(".,") for word in text.split() if word[0].isupper()))
    return Node(f"n{row}", modality, "book", row // 3 + 1, row, text, " ".join(text.split()[:12]), words)  # type: ignore[arg-type]


def make_graph(texts: tuple[str, ...] = TEXTS, *, floor: float = 0.05, all_pairs: bool = True) -> EvidenceGraph:
    nodes = [make_node(row, text) for row, text in enumerate(texts)]
    links = {(u, v) for u in range(len(nodes)) for v in range(len(nodes)) if u != v}
    return EvidenceGraph.build(nodes, links if all_pairs else reading_order_links(nodes, 2), WordEncoder(), floor=floor)


@dataclass
class FakeLLM:
    """Calls `handler(stage, prompt)`; an exception it returns is raised. Counts what was asked."""

    handler: Handler
    calls: Counter[str] = field(default_factory=Counter)
    prompts: list[tuple[str, str]] = field(default_factory=list)
    pause: float = 0.0

    async def complete(self, stage: str, messages: list[dict[str, Any]], **options: Any) -> Reply:
        self.calls[stage] += 1
        content = messages[-1]["content"]
        prompt = content if isinstance(content, str) else str(content)
        self.prompts.append((stage, prompt))
        await asyncio.sleep(self.pause)
        answer = self.handler(stage, prompt)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, "stop", 100, 50, 10, 0.5, 0.1, "fake", f"{stage}-{self.calls[stage]}", False)

    def profile(self, stage: str) -> Profile:
        return Profile(name="fake", model="fake-model", seed=7)


SUPPORTED = '{"status": "supported", "answer": "Pellwick", "evidence": "born in Pellwick"}'
REFUSED = '{"status": "not_reported", "answer": "", "evidence": ""}'
REPLIES = {
    "keywords": '["Orlen Cup", "winner", "born"]',
    "worker": SUPPORTED,
    "consistency": "YES",
    "bridge": "EXISTS: YES\nSCORE: 0.8",
    "edge": "0.9",
    "synthesis": "<thought>Iska Dorn won.</thought>\n<output>Pellwick</output>",
    "zero_shot": "<output>Pellwick</output>",
}


def scripted(**changed: str | Exception | list[str | Exception]) -> FakeLLM:
    """A model with the usual replies but `changed`; a list is used up in order, its last entry for ever."""
    queues = {
        stage: list(reply) if isinstance(reply, list) else [reply] for stage, reply in {**REPLIES, **changed}.items()
    }

    def handler(stage: str, _: str) -> str | Exception:
        queue = queues[stage]
        return queue.pop(0) if len(queue) > 1 else queue[0]

    return FakeLLM(handler)
