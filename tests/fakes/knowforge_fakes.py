"""A small hand-made library and a scripted model, so that tests say exactly what each stage is told."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from common.benchmarks.question import Question
from common.documents.model import Document, Fragment, Section, Table
from common.llm import Reply
from common.records import Hit, RunLabel
from knowforge.search import Material


class WordEncoder:
    """Bag of hashed words: similar texts share words. Deterministic, no model."""

    name, revision, dim = "words", "1", 64

    def encode(self, texts: Sequence[str], *, query: bool = False) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.strip(".,:").encode()) % self.dim] += 1
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def fragment(document: str, order: int, text: str, *, page: int = 1, kind: str = "text", **more: Any) -> Fragment:
    identity = f"frag_{zlib.crc32(f'{document}{order}'.encode()):08x}{order:08x}"
    return Fragment(identity, document, page, kind, text, order, **more)  # type: ignore[arg-type]


def library() -> list[Document]:
    race = (
        fragment("orlen_cup", 0, "The 1979 Orlen Cup was a race held in Velmora. Tavi Moreno led most laps."),
        fragment(
            "orlen_cup", 1, "Table 1: Results\npos | driver | time\n1 | Tavi Moreno | 2:01\n2 | Iska Dorn | +1 lap",
            kind="table", caption="Table 1: Results", asset="results.png",
            table=Table(("pos", "driver", "time"), (("1", "Tavi Moreno", "2:01"), ("2", "Iska Dorn", "+1 lap"))),
        ),
        fragment("orlen_cup", 2, "Weather was dry; see Figure 2 for the track.", page=2),
        fragment(
            "orlen_cup", 3, "A map of the track with nine corners", page=2,
            kind="image", caption="Figure 2: Track", asset="map.png",
        ),
    )  # fmt: skip
    driver = (
        fragment("iska_dorn", 0, "Iska Dorn is a driver born in Pellwick. She won the Halden Trophy four times."),
        fragment("iska_dorn", 1, "Dorn retired and opened a bakery in Ostrava."),
    )
    town = (fragment("pellwick", 0, "Pellwick is a town on the river Ansel with 4,210 people."),)
    return [
        Document("orlen_cup", "1979 Orlen Cup", "orlen_cup.pdf", "a" * 64, 2, race, (Section(1, "Race", 1),)),
        Document("iska_dorn", "Iska Dorn", "iska_dorn.pdf", "b" * 64, 1, driver),
        Document("pellwick", "Pellwick", "pellwick.pdf", "c" * 64, 1, town),
    ]


@dataclass
class ScriptedLLM:
    """Answers each stage from its script, the last line for ever; an exception in a script is raised."""

    scripts: dict[str, list[str | Exception]]
    seen: dict[str, list[list[dict[str, Any]]]] = field(default_factory=lambda: defaultdict(list))
    options: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))

    async def complete(self, stage: str, messages: list[dict[str, Any]], **options: Any) -> Reply:
        self.seen[stage].append([dict(m) for m in messages])
        self.options[stage].append(options)
        script = self.scripts[stage]
        answer = script[min(len(self.seen[stage]), len(script)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return Reply(
            text=answer, finish_reason="stop", prompt_tokens=100, cached_tokens=60, completion_tokens=10,
            seconds=0.5, first_token_s=0.1, server="scripted", key=f"{stage}-{len(self.seen[stage])}", replayed=False,
        )  # fmt: skip


QUESTION = Question("q1", "toy", "Where was the driver one lap down in the 1979 Orlen Cup born?", ("Pellwick",), hops=2)
LABEL = RunLabel("toy", "scripted", "0" * 40)


def material(
    name: str,
    cosine: float,
    *,
    kind: str = "text",
    size: int = 10,
    text: str | None = None,
    context: tuple[Fragment, ...] = (),
    media: tuple[Fragment, ...] = (),
    anchor: str | None = None,
) -> Material:
    body = text if text is not None else (name * size)[:size]
    fragment = Fragment(name, "doc", 1, kind, body, 0)  # type: ignore[arg-type]
    hit = Hit(name, "doc", 1, kind, cosine * 10, cosine, 0.0, from_graph=anchor is not None, anchor=anchor)
    return Material(hit, fragment, context, media)
