"""Graphs and models that fail: a defined outcome each, no answer that came back lost, no call over the limits."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from flowreader_fakes import LABEL, QUESTION, REFUSED, SUPPORTED, TEXTS, FakeLLM, make_graph, make_node, scripted
from hypothesis import given, settings
from hypothesis import strategies as st
from knowforge_fakes import WordEncoder

from common.llm import ContextTooLong, EmptyReply, Refused, ServerUnavailable
from common.retrieval import Encoder
from flowreader.bench import queries_of, synthetic_graph
from flowreader.config import FlowReaderConfig
from flowreader.graph import EvidenceGraph
from flowreader.picture import draw
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.routing import Arcs, choose_anchors, route
from flowreader.scoring import score_nodes
from flowreader.session import Event

GRAPH = make_graph()
LARGE = make_graph(tuple(f"{text} Lap {lap} of {lap * 7}." for lap in range(4) for text in TEXTS))  # many paths
GONE = ServerUnavailable("gone")
TORN: dict[str, Any] = {"gate": {"saturation": 0.0, "consistency": 0.65}}  # only a contradiction starts System 2


def run(llm: FakeLLM, graph: EvidenceGraph = GRAPH, encoder: Encoder | None = None, **fields: Any) -> FlowRecord:
    return run_and_watch(llm, graph, encoder, **fields)[0]


def run_and_watch(
    llm: FakeLLM, graph: EvidenceGraph = GRAPH, encoder: Encoder | None = None, **fields: Any
) -> tuple[FlowRecord, int]:
    """The record, and the calls made when the gate was reached: all of System 1 but its synthesis."""
    config = FlowReaderConfig.from_mapping({"name": "test", **fields})
    at_gate = [0]

    def watch(event: Event) -> None:
        if event.kind == "gate":
            at_gate.append(sum(llm.calls.values()))

    record = asyncio.run(
        answer_question(QUESTION, graph, llm, config, encoder or WordEncoder(), LABEL, on_event=watch)  # type: ignore[arg-type]
    )
    return record, at_gate[-1]


def said(answer: str) -> str:
    return json.dumps({"status": "supported", "answer": answer, "evidence": answer})


def supported(record: FlowRecord) -> list[str]:
    return [report.answer for p in record.passes for report in p.reports if report.status == "supported"]


def test_without_sinks_the_sources_are_read_alone() -> None:
    """No summary, no figure: rho is 0 everywhere and no node can answer."""
    nodes = [replace(make_node(row, text, "txt"), summary="") for row, text in enumerate(TEXTS)]
    graph = EvidenceGraph.build(nodes, [(0, 1), (1, 2)], WordEncoder(), floor=0.0)
    record = run(scripted(), graph, **TORN)
    first = record.passes[0]
    assert first.note == "no node outside the sources can answer" and first.sinks == () and first.saturation == 0.0
    assert all(len(path.nodes) == 1 for path in first.paths) and len(first.reports) == len(first.sources) > 1
    assert record.run.answer == ("Pellwick",) and record.run.status == "done"


def test_duplicate_embeddings_give_distinct_sources_and_finite_scores() -> None:
    record = run(scripted(), make_graph((TEXTS[0],) * 12), **TORN)
    first = record.passes[0]
    assert len(set(first.sources)) == len(first.sources) == 6 and not set(first.sources) & set(first.sinks)
    assert all(np.isfinite([path.flow, path.quality, path.population]).all() for path in first.paths)
    assert first.reports and record.run.answer == ("Pellwick",)


def test_an_embedding_that_is_no_number_is_refused_by_node() -> None:
    nan_at_3 = np.where(np.arange(len(GRAPH))[:, None] == 3, np.nan, GRAPH.embeddings)
    with pytest.raises(ValueError, match="node n3: its embedding"):
        replace(GRAPH, embeddings=nan_at_3)
    with pytest.raises(ValueError, match="10 nodes have 9 embeddings"):
        replace(GRAPH, embeddings=GRAPH.embeddings[1:])
    cosine = np.where(np.arange(len(GRAPH)) == 2, np.nan, 0.5)
    with pytest.raises(ValueError, match="node 2: cosine nan"):
        score_nodes(
            GRAPH.averaging, GRAPH.transition, cosine, np.zeros(len(GRAPH)), GRAPH.words("summary"), GRAPH.visual,
            FlowReaderConfig("x").scoring,
        )  # fmt: skip


def test_a_question_whose_embedding_is_no_number_is_asked_by_its_words_alone() -> None:
    class Nothing(WordEncoder):
        def encode(self, texts: Any, *, query: bool = False) -> Any:
            return super().encode(texts, query=query) * (np.nan if query else 1.0)

    record = run(scripted(), encoder=Nothing(), **TORN)
    assert {hit.cosine for hit in record.run.searches[0].hits} == {0.0} and record.run.answer == ("Pellwick",)


def test_workers_that_answer_in_time_are_kept_when_others_are_late() -> None:
    class Slow(FakeLLM):
        async def complete(self, stage: str, messages: list[dict[str, Any]], **options: Any) -> Any:
            self.pause = 1.0 if stage == "worker" and self.calls["worker"] else 0.0  # all but the first are late
            return await super().complete(stage, messages, **options)

    record = run(Slow(scripted().handler), reading={"worker_timeout_s": 0.05}, **TORN)
    statuses = Counter(report.status for report in record.passes[0].reports)
    assert statuses["supported"] == 1 and statuses["lost"] == sum(statuses.values()) - 1 > 0
    assert record.run.answer == ("Pellwick",) and record.run.status == "failed"
    assert any("no reply within 0.05 s" in error for error in record.run.errors)


@pytest.mark.parametrize("reply", [GONE, EmptyReply("nothing"), "<thought>Hm.</thought>", "<output></output>"])
def test_a_synthesis_without_answer_leaves_the_workers_answer(reply: str | Exception) -> None:
    record = run(scripted(worker=[said("Velmora"), SUPPORTED], synthesis=reply), **TORN)
    assert record.run.answer == ("Pellwick",) and record.run.answer_before == "workers"
    assert any(error.startswith("synthesis") for error in record.run.errors)


@pytest.mark.parametrize("length", [500, 5_000, 50_000])
def test_an_answer_longer_than_its_share_of_the_synthesis_is_shown_whole(length: int) -> None:
    long = "w" * length
    llm = scripted(worker=[said(long), SUPPORTED])
    record = run(llm, reading={"synthesis_chars": 1_000}, **TORN)
    shown = next(text for stage, text in llm.prompts if stage == "synthesis")
    assert f"Worker: {long}\nEvidence:\n..." in shown and record.run.answer == ("Pellwick",)


def torn(edge: list[str | Exception], worker: str | Exception, **changed: Any) -> FakeLLM:
    """Two workers contradict each other in the first pass, all others refuse; `worker` is the second pass."""
    readers = len(run(scripted(), **TORN).passes[0].reports)
    first = [said("Pellwick"), said("Velmora"), *[REFUSED] * (readers - 2)]
    return scripted(worker=[*first, worker], consistency="NO", edge=edge, **changed)


@pytest.mark.parametrize("synthesis", ["<output>both</output>", GONE])
@pytest.mark.parametrize(("edge", "worker"), [([GONE], SUPPORTED), (["0.0", GONE], GONE), (["0.0"], GONE)])
def test_a_system_2_that_fails_loses_no_answer(
    edge: list[str | Exception], worker: str | Exception, synthesis: str | Exception
) -> None:
    llm = torn(edge, worker, synthesis=synthesis)
    record = run(llm, **TORN)
    assert record.gate is not None and record.gate.fired == "T2" and record.run.status == "failed"
    assert len(record.passes) == (1 if edge == [GONE] else 2)
    prompt = next(text for stage, text in llm.prompts if stage == "synthesis")
    assert "Worker: Pellwick" in prompt and "Worker: Velmora" in prompt
    assert record.run.answer == (("both",) if isinstance(synthesis, str) else ("Pellwick",))


def test_all_refusing_is_t3_and_still_synthesised() -> None:
    record = run(scripted(worker=REFUSED), **TORN)
    assert record.gate is not None and (record.gate.supported, record.gate.fired) == (0, "T3")
    assert record.run.answer == ("Pellwick",) and record.run.answer_before == "synthesis"


WORKER = st.sampled_from(
    [SUPPORTED, said("Velmora"), said("Ostrava"), said("1979"), REFUSED, "nonsense", GONE, EmptyReply("nothing"),
     Refused("no"), ContextTooLong("long"), TimeoutError()]
)  # fmt: skip
OTHER = st.sampled_from(["YES", "NO", "0.7", "EXISTS: YES SCORE: 0.5", "", GONE, EmptyReply("nothing"), Refused("no")])


@given(
    workers=st.lists(WORKER, min_size=1, max_size=22), others=st.lists(OTHER, min_size=1, max_size=12),
    saturation=st.floats(0.0, 1.0), consistency=st.floats(0.0, 1.0), sources=st.integers(1, 16),
    most=st.integers(1, 60), pairs=st.integers(0, 12), scored=st.integers(0, 60),
)  # fmt: skip
@settings(max_examples=120, deadline=None)
def test_sixteen_calls_in_system_1_forty_eight_in_all_and_no_answer_lost(
    workers: list[Any], others: list[Any], saturation: float, consistency: float, sources: int,
    most: int, pairs: int, scored: int,
) -> None:  # fmt: skip
    turn: Counter[bool] = Counter()

    def reply(stage: str, _: str) -> Any:
        queue = workers if stage == "worker" else others
        turn[stage == "worker"] += 1
        return queue[(turn[stage == "worker"] - 1) % len(queue)]

    llm = FakeLLM(reply)
    record, at_gate = run_and_watch(
        llm, LARGE, gate={"saturation": saturation, "consistency": consistency}, replicator={"most": most},
        reading={"pairs": pairs}, refinement={"rescored": scored, "bridge_pairs": scored},
        routing={"sources": sources, "sinks": 16, "demand": 20.0},
    )  # fmt: skip
    made = sum(llm.calls.values())
    assert record.calls == dict(sorted(llm.calls.items())) and made <= 48
    assert at_gate <= 15 and llm.calls["synthesis"] == 1, "the answer keeps its call"
    if record.gate is None or record.gate.fired is None:
        assert made <= 16
    answers = supported(record)
    assert record.run.answer or not answers
    shown = next(text for stage, text in llm.prompts if stage == "synthesis")
    assert all(f"Worker: {answer}\n" in shown for answer in answers)
    assert record.passes[0].reports and len(record.passes[0].reports) == min(most, len(record.passes[0].paths))
    if record.run.answer_before == "workers":
        assert record.run.answer[0] in answers


def test_every_variant_of_a_pass_is_within_capacity_and_sigma_follows_from_the_scores() -> None:
    """sigma is at most what the sources' h and the sinks' a admit; on a small graph the sinks decide."""
    config = FlowReaderConfig("test")
    for count in (12, 50):
        graph = synthetic_graph(count)
        for cosine, bm25 in queries_of(graph, 5):
            scores = score_nodes(
                graph.averaging, graph.transition, cosine, bm25, graph.words("summary"), graph.visual, config.scoring
            )
            sources, sinks = choose_anchors(graph, scores, config)
            sigma = route(graph, scores, Arcs.of(graph), sources, sinks, config).saturation
            limits = scores.h[sources].sum() / 6.0, scores.a[sinks].sum() / 6.0
            assert 0.0 <= sigma <= min(*limits, 1.0) + 1e-6
            if count == 12:
                assert sigma == pytest.approx(min(limits), abs=0.01)


def test_a_question_of_ten_megabytes_is_failed_by_the_server_and_ends() -> None:
    """No model takes it: every call is refused, the record says so, and nothing takes longer for its length."""
    llm = FakeLLM(lambda *_: ContextTooLong("the request does not fit the model's context"))
    config = FlowReaderConfig.from_mapping({"name": "test", **TORN})
    question = replace(QUESTION, question="Where was Iska Dorn born? " * 400_000)
    record = asyncio.run(
        answer_question(question, GRAPH, llm, config, WordEncoder(), LABEL)  # type: ignore[arg-type]
    )
    assert record.run.status == "failed" and record.run.answer == () and sum(llm.calls.values()) <= 48
    assert {report.status for report in record.passes[0].reports} == {"lost"}
    assert all("does not fit the model's context" in error and len(error) < 300 for error in record.run.errors)
    assert len(draw(GRAPH, record, question.question)) < 20_000
