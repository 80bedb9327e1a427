"""System 1, the gate, System 2 and the baselines over a scripted model: outcomes, faults and the call budget."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
import pytest
from flowreader_fakes import LABEL, QUESTION, REFUSED, SUPPORTED, TEXTS, FakeLLM, make_graph, scripted
from hypothesis import given, settings
from hypothesis import strategies as st
from knowforge_fakes import WordEncoder, library

from common.benchmarks.question import Question
from common.llm import ContextTooLong, EmptyReply, Refused, ReplayMiss, ServerUnavailable
from common.prompting import Prompts
from flowreader.config import FlowReaderConfig
from flowreader.consistency import answer_key
from flowreader.construction import build_without_model
from flowreader.controls import contrary
from flowreader.graph import EvidenceGraph
from flowreader.options import ConstructionOptions
from flowreader.pipeline import answer_question
from flowreader.records import FlowRecord
from flowreader.refinement import Refined, refine
from flowreader.routing import Arcs, Routing, route
from flowreader.scoring import Scores
from flowreader.session import PACKAGED, Session

GRAPH = make_graph()


def run(llm: FakeLLM, graph: EvidenceGraph = GRAPH, question: Question = QUESTION, **fields: Any) -> FlowRecord:
    config = FlowReaderConfig.from_mapping({"name": "test", **fields})
    return asyncio.run(answer_question(question, graph, llm, config, WordEncoder(), LABEL))  # type: ignore[arg-type]


def other(answer: str) -> str:
    return json.dumps({"status": "supported", "answer": answer, "evidence": answer})


EASY = {"gate": {"saturation": 0.0}}  # sigma alone starts nothing


def test_a_clear_question_is_answered_by_system_1() -> None:
    llm = scripted()
    record = run(llm, **EASY)
    assert record.run.status == "done" and record.run.answer == ("Pellwick",) and record.run.errors == ()
    assert record.gate is not None and record.gate.holding == () and record.gate.consistency == 1.0
    assert record.edit is None and len(record.passes) == 1
    assert record.calls == dict(llm.calls) and set(record.calls) == {"keywords", "worker", "synthesis"}
    first = record.passes[0]
    assert 0.0 < first.saturation <= 1.0 and len(first.reports) == sum(p.kept is not None for p in first.paths)
    assert record.keywords == "Orlen Cup winner born" and record.run.answer_visible
    assert FlowRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_under_overlap_a_node_is_read_alone_at_no_cost() -> None:
    [first] = run(scripted(), routing={"overlap": True}, **EASY).passes
    both = set(first.sources) & set(first.sinks)
    assert both and any(len(path.nodes) == 1 and first.nodes[path.nodes[0]] in both for path in first.paths)
    [apart] = run(scripted(), **EASY).passes
    assert not set(apart.sources) & set(apart.sinks) and all(len(path.nodes) > 1 for path in apart.paths)


def test_hits_of_a_pass_are_the_nodes_on_kept_paths() -> None:
    record = run(scripted(), **EASY)
    first = record.passes[0]
    on_kept = {first.nodes[n] for path in first.paths if path.kept is not None for n in path.nodes}
    hits = record.run.searches[0].hits
    assert {hit.fragment_id for hit in hits} == on_kept
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_order_of_triggers_is_t3_t2_t1() -> None:
    strained = {"gate": {"saturation": 1.0, "consistency": 0.65}, "routing": {"demand": 50.0}}
    refused = run(scripted(worker=REFUSED), **strained)
    assert refused.gate is not None and refused.gate.holding == ("T3", "T1") and refused.gate.fired == "T3"
    torn = run(scripted(worker=[other("Pellwick"), other("Velmora")], consistency="NO"), **strained)
    assert torn.gate is not None and torn.gate.holding == ("T2", "T1") and torn.gate.fired == "T2"
    assert torn.gate.pairs == 1 and torn.gate.consistency == 0.0
    low = run(scripted(), **strained)
    assert low.gate is not None and low.gate.fired == "T1"


def test_pairs_of_the_largest_clusters_are_judged_first_and_silence_is_no_contradiction() -> None:
    answers = ["Pellwick", "Velmora", "Ostrava", "Halden"]
    llm = scripted(worker=[*map(other, answers), REFUSED], consistency=[EmptyReply("nothing"), "NO", "YES"])
    record = run(llm, system2=False)
    asked = [[answer for answer in answers if answer in text] for stage, text in llm.prompts if stage == "consistency"]
    assert asked == [["Pellwick", "Velmora"], ["Pellwick", "Ostrava"], ["Velmora", "Ostrava"]]
    assert record.gate is not None and (record.gate.pairs, record.gate.contradictions) == (3, 1)


def strained_routing(most: int = 16, **replies: Any) -> tuple[Refined, Routing, Session]:
    """n0 -> n1 -> n2 -> {n3, n4} with a weak n2: both its outgoing arcs wait for the one that comes in."""
    graph = make_graph(TEXTS[:5])
    h = np.array([1.0, 0.9, 0.2, 0.8, 0.8])
    zero = np.zeros(5)
    scores = Scores(h, h, zero, h, h, 0, 0.0, 0, 0.0, zero, zero)
    arcs = Arcs(np.array([0, 1, 2, 2]), np.array([1, 2, 3, 4]), np.array([0.9, 0.5, 0.9, 0.9]))
    config = FlowReaderConfig.from_mapping({"name": "t1", "refinement": {"bridge_pairs": most}})
    session = Session(QUESTION, graph, scripted(**replies), config, Prompts.load(PACKAGED), LABEL)  # type: ignore[arg-type]
    session.ledger.refining = True
    before = route(graph, scores, arcs, np.array([0]), np.array([3, 4]), config)
    refined = asyncio.run(refine(session, "T1", before, scores, arcs, reserve=12))
    return refined, route(graph, scores, refined.arcs, refined.sources, before.sinks, config), session


def test_t1_bridges_the_min_cut_and_raises_the_flow() -> None:
    refined, after, session = strained_routing()
    assert [(u, v) for u, v, _ in refined.edit.bridges] == [("n1", "n2")]
    assert after.flow is not None and after.flow.routed == pytest.approx(0.4)
    assert session.ledger.calls["edge"] == len(refined.edit.rescored) == 4


def test_t1_reweights_by_the_damped_bounded_rule() -> None:
    refined, _, _ = strained_routing(edge="0.1")
    assert refined.arcs.similarity[:4] == pytest.approx([0.6, 0.26, 0.6, 0.6])


def test_t1_takes_only_bridges_the_model_believes_in() -> None:
    for reply in ("EXISTS: NO\nSCORE: 0.9", "EXISTS: YES\nSCORE: 0.1", "who knows", EmptyReply("nothing")):
        refined, after, _ = strained_routing(bridge=reply, edge="no idea")
        assert refined.edit.bridges == () and not refined.edit.changed
        assert after.flow is not None and after.flow.routed == pytest.approx(0.2)


def test_t1_with_a_cut_at_the_sources_changes_nothing() -> None:
    record = run(scripted(), routing={"demand": 50.0, "sources": 2, "sinks": 2})
    assert record.edit is not None and record.edit.note == "no inner arc is in the min cut"
    assert len(record.passes) == 1 and record.calls.get("bridge", 0) == 0 and record.run.answer == ("Pellwick",)


def test_t2_scores_the_busiest_arcs_again() -> None:
    llm = scripted(worker=[other("Pellwick"), other("Velmora")], consistency="NO", edge="0.1")
    record = run(llm, **EASY)
    assert record.edit is not None and record.edit.trigger == "T2" and record.edit.rescored
    assert record.calls["edge"] == len(record.edit.rescored) and "bridge" not in record.calls


def test_t3_adds_sources_near_the_strongest_phi() -> None:
    record = run(scripted(worker=REFUSED), routing={"sources": 2, "sinks": 2}, **EASY)
    assert record.edit is not None and record.edit.trigger == "T3" and record.edit.seeds
    assert set(record.edit.seeds) <= set(record.passes[1].sources)
    assert not set(record.edit.seeds) & set(record.passes[0].sources + record.passes[0].sinks)


def test_an_edit_scores_no_more_arcs_than_it_may() -> None:
    fields: dict[str, Any] = {"routing": {"sources": 2, "sinks": 2}, "refinement": {"rescored": 2}}
    record = run(scripted(worker=REFUSED), **fields, **EASY)
    assert record.edit is not None and record.calls["edge"] == len(record.edit.rescored) == 2


def test_there_is_one_refinement_at_most() -> None:
    record = run(scripted(worker=REFUSED), routing={"sources": 2, "sinks": 2}, **EASY)
    assert len(record.passes) == 2 and record.run.status == "done"


def test_without_system_2_the_gate_only_reports() -> None:
    record = run(scripted(worker=REFUSED), system2=False)
    assert record.gate is not None and record.gate.fired == "T3" and record.edit is None and len(record.passes) == 1


def test_answers_of_the_first_pass_reach_the_synthesiser_after_the_second() -> None:
    first = run(scripted(), **EASY)
    count = len(first.passes[0].reports)
    assert count >= 2
    torn = [other("Pellwick"), other("Velmora"), *[REFUSED] * (count - 2)]
    llm = scripted(worker=[*torn, REFUSED], consistency="NO", edge="0.0")
    record = run(llm, **EASY)
    assert len(record.passes) == 2 and {r.status for r in record.passes[1].reports} == {"not_reported"}
    prompt = next(text for stage, text in llm.prompts if stage == "synthesis")
    assert "Worker: Pellwick" in prompt and "Worker: Velmora" in prompt


@pytest.mark.parametrize("error", [ServerUnavailable("gone"), ContextTooLong("9,000 tokens"), Refused("filtered")])
def test_one_lost_worker_takes_no_other_with_it(error: Exception) -> None:
    record = run(scripted(worker=[error, SUPPORTED]), **EASY)
    statuses = [report.status for report in record.passes[0].reports]
    assert statuses.count("lost") == 1 and statuses.count("supported") == len(statuses) - 1 > 0
    assert record.run.answer == ("Pellwick",) and record.run.status == "failed"
    assert any(str(error) in line for line in record.run.errors)


def test_an_empty_reply_is_the_models_answer_and_no_failure() -> None:
    record = run(scripted(worker=[EmptyReply("nothing"), SUPPORTED], keywords=EmptyReply("nothing")), **EASY)
    assert record.run.status == "done" and record.keywords == QUESTION.question
    assert [report.status for report in record.passes[0].reports].count("unreadable") == 1


def test_nonsense_and_refusals_of_all_workers_still_give_an_answer() -> None:
    nonsense = run(scripted(worker="The quick brown fox"), **EASY)
    assert {r.status for p in nonsense.passes for r in p.reports} == {"unreadable"}
    assert nonsense.gate is not None and nonsense.gate.fired == "T3" and nonsense.run.answer == ("Pellwick",)
    claimed = run(scripted(worker='{"status": "supported", "answer": ""}'), **EASY)
    assert {r.status for r in claimed.passes[0].reports} == {"unreadable"}


def test_all_workers_dead_and_no_synthesis_is_a_failed_record_without_answer() -> None:
    dead = ServerUnavailable("connection refused")
    record = run(scripted(keywords=dead, worker=dead, synthesis=dead, edge=dead), **EASY)
    assert record.run.status == "failed" and record.run.answer == () and record.run.answer_before == "none"
    assert {r.status for r in record.passes[0].reports} == {"lost"}


def test_when_only_the_synthesiser_dies_the_workers_answer_stands() -> None:
    record = run(scripted(synthesis=ServerUnavailable("gone")), **EASY)
    assert (
        record.run.status == "failed" and record.run.answer == ("Pellwick",) and record.run.answer_before == "workers"
    )


def test_a_synthesis_without_an_answer_leaves_the_workers_answer() -> None:
    record = run(scripted(synthesis="<thought>Who knows?</thought><output> </output>"), **EASY)
    assert (record.run.status, record.run.answer, record.run.answer_before) == ("done", ("Pellwick",), "workers")
    assert record.run.errors == ("synthesis: the reply holds no answer",)


def test_all_paths_together_fit_the_synthesisers_limit() -> None:
    def asked(limit: int) -> str:
        llm = scripted()
        run(llm, reading={"synthesis_chars": limit}, **EASY)
        return next(text for stage, text in llm.prompts if stage == "synthesis")

    heads, cut, whole = len(asked(1)), len(asked(500)), len(asked(100_000))
    assert heads < cut <= heads + 500 < whole


def test_a_small_graph_keeps_nodes_to_end_in() -> None:
    first = run(scripted(), make_graph(TEXTS[:4]), **EASY).passes[0]
    assert len(first.sources) == 2 and len(first.sinks) == 2


def test_a_slow_worker_is_lost_after_its_time() -> None:
    llm = scripted()
    llm.pause = 0.2
    record = run(llm, reading={"worker_timeout_s": 0.01}, system2=False)
    assert {r.status for r in record.passes[0].reports} == {"lost"} and record.run.status == "failed"


@pytest.mark.parametrize("stage", ["keywords", "worker", "consistency", "edge", "synthesis"])
def test_a_replay_miss_is_never_swallowed(stage: str) -> None:
    replies: dict[str, Any] = {"worker": [other("Pellwick"), other("Velmora")], "consistency": "NO"}
    with pytest.raises(ReplayMiss):
        run(scripted(**{**replies, stage: ReplayMiss("not recorded")}), **EASY)


def test_a_defect_is_not_taken_for_a_model_failure() -> None:
    with pytest.raises(ZeroDivisionError):
        run(scripted(worker=ZeroDivisionError("defect")))


def test_one_node_is_read_alone() -> None:
    record = run(scripted(), make_graph(TEXTS[:1]))
    assert record.passes[0].note == "no node outside the sources can answer"
    assert len(record.passes[0].reports) == 1 and record.run.answer == ("Pellwick",)


def test_a_graph_without_edges_reads_its_sources() -> None:
    record = run(scripted(), make_graph(floor=0.999))
    assert record.passes[0].note == "no flow reaches a sink" and record.passes[0].saturation == 0.0
    assert record.passes[0].reports and record.run.answer == ("Pellwick",)


def test_no_node_with_a_score_is_a_refusal_after_one_call() -> None:
    record = run(scripted(keywords='["zzz"]'), question=Question("q2", "toy", "zzz", ("x",)))
    assert record.run.answer == ("Not answerable",) and record.run.answer_before == "refusal"
    assert record.calls == {"keywords": 1} and record.passes[0].note == "no node has a score"


def test_duplicate_embeddings_are_no_problem() -> None:
    record = run(scripted(), make_graph((TEXTS[0],) * 12))
    assert record.run.answer == ("Pellwick",) and record.run.status == "done"


def test_the_answer_may_be_asked_of_one_document() -> None:
    closed = Question("q3", "toy", QUESTION.question, ("Pellwick",), document_id="nowhere")
    with pytest.raises(ValueError, match="no node of nowhere"):
        run(scripted(), question=closed)
    closed = Question("q3", "toy", QUESTION.question, ("Pellwick",), document_id="book")
    assert run(scripted(), question=closed).run.config_hash == run(scripted()).run.config_hash


def test_the_answer_may_be_asked_of_the_questions_own_documents() -> None:
    graph, _ = build_without_model(library(), WordEncoder(), ConstructionOptions(model=False, r_min=0.05))
    listed = Question("q4", "toy", QUESTION.question, ("Pellwick",), extra={"documents": ["iska_dorn", "held_out"]})
    assert {hit.document_id for hit in run(scripted(), graph, listed).run.searches[0].hits} == {"iska_dorn"}
    everywhere = run(scripted(), graph, listed, routing={"within_documents": False}).run.searches[0].hits
    assert len({hit.document_id for hit in everywhere}) > 1


def test_flat_top_k_uses_the_same_workers_and_no_gate() -> None:
    record = run(scripted(worker=REFUSED), shape="topk", replicator={"most": 4})
    assert record.gate is None and record.calls == {"keywords": 1, "worker": 4, "synthesis": 1}
    assert all(len(path.nodes) == 1 for path in record.passes[0].paths)


def test_zero_shot_is_one_call_over_the_text() -> None:
    llm = scripted()
    record = run(llm, shape="zero_shot", reading={"zero_shot_chars": 120})
    assert record.calls == {"zero_shot": 1} and record.passes == () and record.run.answer == ("Pellwick",)
    assert TEXTS[0] in llm.prompts[0][1] and TEXTS[9] not in llm.prompts[0][1]


@pytest.mark.parametrize(("shape", "second"), [("gold_agree", "is: Pellwick"), ("gold_contrary", "not so: Pellwick")])
def test_a_control_of_the_consistency_judge_shows_it_one_pair(shape: str, second: str) -> None:
    llm = scripted(consistency="NO")
    record = run(llm, shape=shape)
    assert record.calls == {"consistency": 1} and second in llm.prompts[0][1]
    assert record.gate is not None and (record.gate.pairs, record.gate.contradictions) == (1, 1)
    assert record.run.answer == ("Pellwick",) and record.passes == ()


@given(st.text(min_size=1, max_size=30))
def test_a_contrary_answer_is_never_the_answer(answer: str) -> None:
    assert answer_key(contrary(answer)) != answer_key(answer)


def test_a_contrary_answer_keeps_its_words_and_moves_its_numbers() -> None:
    assert contrary("81 points in 1999") == "88 points in 2006"


def test_the_gold_answer_takes_no_call() -> None:
    llm = scripted()
    assert run(llm, shape="gold").run.answer == ("Pellwick",) and not llm.prompts
    closed = Question("q5", "toy", QUESTION.question, (), answerable=False)
    assert run(llm, question=closed, shape="gold").run.answer == ("Not answerable",)


def test_workers_leave_the_calls_of_the_stages_to_come_and_are_counted_when_not_asked() -> None:
    record = run(scripted(), budget={"system1": 6, "total": 6}, reading={"pairs": 3}, **EASY)
    statuses = [report.status for report in record.passes[0].reports]
    assert record.calls == {"keywords": 1, "worker": 1, "synthesis": 1}  # three are kept for pairs
    assert statuses == ["supported", *["over_budget"] * (len(statuses) - 1)]
    assert record.skipped == {"worker": len(statuses) - 1} and len(statuses) > 1


ANSWERS = st.sampled_from(
    [SUPPORTED, other("Velmora"), other("Ostrava"), other("1979"), REFUSED, "nonsense", "YES", "NO", "0.7",
     "EXISTS: YES SCORE: 0.5", ServerUnavailable("gone"), EmptyReply("nothing"), Refused("no"), ContextTooLong("long")]
)  # fmt: skip


@given(
    replies=st.lists(ANSWERS, min_size=1, max_size=60),
    saturation=st.sampled_from([0.0, 0.6, 1.0]),
    consistency=st.sampled_from([0.0, 0.65, 1.0]),
    most=st.integers(1, 60),
    pairs=st.integers(0, 80),
    rescored=st.integers(0, 60),
    limits=st.sampled_from([(16, 48), (3, 3), (4, 9), (16, 20)]),
    sources=st.integers(1, 5),
    system2=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_the_budget_is_never_exceeded(
    replies: list[Any], saturation: float, consistency: float, most: int, pairs: int, rescored: int,
    limits: tuple[int, int], sources: int, system2: bool,
) -> None:  # fmt: skip
    state = iter(range(10**9))
    llm = FakeLLM(lambda stage, prompt: replies[next(state) % len(replies)])
    record = run(
        llm, system2=system2, gate={"saturation": saturation, "consistency": consistency}, replicator={"most": most},
        reading={"pairs": min(pairs, limits[0] - 3)}, refinement={"rescored": rescored, "bridge_pairs": 60},
        budget={"system1": limits[0], "total": limits[1]},
        routing={"sources": sources, "sinks": sources, "demand": 20.0},
    )  # fmt: skip
    made = sum(llm.calls.values())
    assert record.calls == dict(sorted(llm.calls.items())) and made <= limits[1]
    if record.edit is None:
        assert made <= limits[0]
    came_back = [r for p in record.passes for r in p.reports if r.status == "supported"]
    if came_back and llm.calls["synthesis"] == 0:
        assert record.run.answer
    assert FlowRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
