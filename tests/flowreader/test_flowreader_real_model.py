"""A graph written by a real model, the embedded SmolLM2: built, stopped, gone on with, replayed and exchanged."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from knowforge_fakes import WordEncoder, fragment

from common.documents.model import Document
from common.llm import LLM, CallCache, Mode, Profile, load_profile
from common.llm.background import serve_in_background
from common.paths import Workspace
from common.prompting import Prompts
from flowreader.construction import ConstructionReport, build_with_model
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.session import PACKAGED

TEXTS = (
    "Iska Dorn was born in Pellwick in 1951.",
    "The Orlen Cup of 1979 was won by Iska Dorn in Velmora.",
    "Pellwick is a town of 4,210 people on the river Ansel.",
)
SMALL = ConstructionOptions(rounds=1, r_min=0.0, analyze_tokens=40, evolve_tokens=24, concurrency=1)


class Stopped(Exception):
    """Ends a build in the middle."""


async def build(
    profile: Profile, folder: Path, mode: Mode, stop_after: int | None = None
) -> tuple[EvidenceGraph, ConstructionReport]:
    document = Document("d", "d", "d.md", "0" * 64, 1, tuple(fragment("d", n, text) for n, text in enumerate(TEXTS)))

    class StoppingLLM(LLM):
        async def complete(self, stage: str, *arguments: object, **options: object) -> object:  # type: ignore[override]
            if stop_after is not None and len(cache) >= stop_after:
                raise Stopped
            return await super().complete(stage, *arguments, **options)  # type: ignore[arg-type]

    cache = CallCache(folder)
    async with StoppingLLM({"default": profile}, cache, mode) as llm:
        return await build_with_model([document], WordEncoder(), llm, Prompts.load(PACKAGED), SMALL, progress=False)


def test_the_embedded_model_writes_a_graph_that_resumes_replays_and_travels(tmp_path: Path) -> None:
    profile = load_profile(Workspace().conf / "model" / "smollm2-135m.yaml")
    with serve_in_background(context=1024) as server:
        served = profile.model_copy(update={"base_urls": (server.url,), "timeout_s": 300.0})
        with pytest.raises(Stopped):
            asyncio.run(build(served, tmp_path / "calls", Mode.RECORD, stop_after=4))
        assert len(CallCache(tmp_path / "calls")) == 4
        graph, report = asyncio.run(build(served, tmp_path / "calls", Mode.RECORD))
    assert len(graph) == report.nodes == 3 and report.calls == len(CallCache(tmp_path / "calls")) == 6
    assert report.unreadable < 6, "held to the schema, the model's replies can be read"
    assert all(node.summary for node in graph.nodes)
    assert all(edge.source != edge.target for edge in graph.graph.edges())
    again, repeated = asyncio.run(build(profile, tmp_path / "calls", Mode.REPLAY))  # no server
    assert again.sha256 == graph.sha256 and repeated == report
    graph.write_graphml(tmp_path / "g.graphml")
    assert EvidenceGraph.read_graphml(tmp_path / "g.graphml", WordEncoder()).sha256 == graph.sha256
