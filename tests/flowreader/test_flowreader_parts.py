"""Small parts: configs and variants, replies read with care, the judge, the picture, the command line."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from flowreader_fakes import LABEL, QUESTION, FakeLLM, make_graph, scripted
from knowforge_fakes import WordEncoder

from common.benchmarks.question import Question
from common.llm import EmptyReply, ServerUnavailable
from common.loose_json import json_array, json_objects
from common.paths import Workspace
from common.prompting import Prompts
from common.settings import settings_hash
from flowreader import cli, own_files
from flowreader.bench import _highs, _networkx, one_query, synthetic_graph
from flowreader.config import BudgetConfig, FlowReaderConfig, GateConfig, RefinementConfig
from flowreader.consistency import Consistency, answer_key, clusters, said_no
from flowreader.decomposition import Path as Chain
from flowreader.gate import check_triggers
from flowreader.grading import Judgement, accuracy, judge_answer, read_judgement
from flowreader.keywords import read_keywords
from flowreader.ledger import Ledger, OverBudget
from flowreader.network import SCALE
from flowreader.picture import draw
from flowreader.pipeline import answer_question, cited_nodes, readings
from flowreader.records import FlowRecord, Report
from flowreader.refinement import bridge_candidates, new_seeds, read_bridge, read_score, reweighted
from flowreader.replicator import Selection
from flowreader.routing import Arcs, Routing
from flowreader.session import PACKAGED
from flowreader.synthesis import read_output
from flowreader.workers import read_report

VARIANTS = sorted((Workspace().conf / "variant").glob("*.yaml"))
PAPER = {
    "full": {}, "no_system2": {"system2": False}, "greedy_topk": {"replicator": {"selector": "greedy"}},
    "eps0": {"replicator": {"epsilon": 0.0}}, "init_flow": {"replicator": {"initialisation": "flow"}},
    "init_mixed": {"replicator": {"initialisation": "mixed"}}, "overlap": {"routing": {"overlap": True}},
    "relevance_only": {"scoring": {"alpha": 0.0, "weights": [1.0, 0.0, 0.0]}},
    "no_phi": {"scoring": {"weights": [0.5, 0.0, 0.2]}}, "topk_rag": {"shape": "topk", "system2": False},
    "zero_shot": {"shape": "zero_shot", "system2": False}, "gold": {"shape": "gold", "system2": False},
    "gold_agree": {"shape": "gold_agree", "system2": False},
    "gold_contrary": {"shape": "gold_contrary", "system2": False},
}  # fmt: skip


def load(path: Path) -> FlowReaderConfig:
    return FlowReaderConfig.from_mapping(yaml.safe_load(path.read_text()))


def test_every_variant_is_what_its_name_says() -> None:
    made = {path.stem: load(path) for path in VARIANTS}
    assert made == {name: FlowReaderConfig.from_mapping({"name": name, **fields}) for name, fields in PAPER.items()}
    hashes = {settings_hash(replace(config, name="same"), prompts="prompts") for config in made.values()}
    assert len(hashes) == len(PAPER), "two variants do not differ"


def test_the_defaults_are_those_of_table_5() -> None:
    c = FlowReaderConfig("full")
    routing, replicator, gate, edits = c.routing, c.replicator, c.gate, c.refinement
    assert (routing.sources, routing.sinks, routing.trade_off, routing.demand, routing.most_paths) == (
        8,
        8,
        0.70,
        6.0,
        60,
    )
    assert (c.scoring.alpha, c.scoring.visual_bonus, c.scoring.weights) == (0.50, 0.05, (0.50, 0.30, 0.20))
    assert (replicator.most, replicator.epsilon, replicator.tolerance) == (11, 0.20, 1e-4)
    assert (replicator.iterations, replicator.extinct) == (20, 5e-4)
    assert (gate.consistency, gate.saturation, edits.bridge_above, edits.bfs_depth) == (0.65, 0.60, 0.10, 2)
    assert (edits.damping, edits.bound, c.budget.total) == (0.6, 0.30, 48)


def test_the_ledger_stops_at_both_limits() -> None:
    ledger = Ledger(BudgetConfig(system1=2, total=3))
    ledger.spend("worker")
    ledger.spend("worker")
    with pytest.raises(OverBudget, match="2 calls"):
        ledger.spend("worker")
    ledger.refining = True
    ledger.spend("edge")
    with pytest.raises(OverBudget, match="3 calls"):
        ledger.spend("synthesis")
    assert ledger.made == 3 and ledger.skipped == {"worker": 1, "synthesis": 1}


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ('```json\n{"status": "supported", "answer": ["a", "b"], "evidence": null}\n```', "supported"),
        ('I think {"status": "NOT_REPORTED"}', "not_reported"),
        ('{"status": "supported", "answer": "cut off in the mid', "supported"),
        ('{"status": "supported"}', "unreadable"),
        ('{"status": "maybe", "answer": "x"}', "unreadable"),
        ("", "unreadable"),
    ],
)
def test_worker_replies_are_read_with_care(reply: str, status: str) -> None:
    assert read_report(reply, ("n",)).status == status


def test_json_is_found_in_prose_and_repaired() -> None:
    assert json_array('Keywords: ["a", "b",] and ["c"]') == ["a", "b"] and json_array("none") is None
    assert json_objects('x {"a": "}"} y {"b": [1, 2') == [{"a": "}"}, {"b": [1, 2]}]
    assert read_keywords('["Fig. 5", 2007, "Fig. 5", ["x"], " "]') == ("Fig. 5", "2007")


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("0.85", 0.85),
        ("Score: 1", 1.0),
        (".5", 0.5),
        ("1.0.", 1.0),
        ("7", None),
        ("10", None),
        ("1.5", None),
        ("n/a", None),
    ],
)
def test_scores_are_numbers_between_zero_and_one(text: str, score: float | None) -> None:
    assert read_score(text) == score


def test_bridges_must_exist() -> None:
    assert read_bridge("EXISTS: YES\nSCORE: 0.7") == 0.7 and read_bridge("exists: no\nscore: 0.9") == 0.0
    assert read_bridge("EXISTS: YES") is None


def test_yes_and_no_are_told_apart() -> None:
    assert said_no("NO") and said_no("No, yes")
    assert not said_no("YES") and not said_no("Yes, not no.") and not said_no("?")


def test_the_output_tag_holds_the_answer() -> None:
    assert read_output("<thought>a</thought><output> 42\n km </output> tail") == "42 km"
    assert read_output("<output>cut off") == "cut off"
    assert read_output("<output>41</output> I miscounted. <output>42</output>") == "42"
    assert read_output("<thought>x\ny</thought>\nThe answer") == "The answer" and read_output("") == ""


def test_clusters_keep_signs_and_order_by_size() -> None:
    answers = ["+0.05", "-0.05", "Pellwick.", "pellwick", "Velmora"]
    reports = [Report((), "supported", answer) for answer in answers] + [Report((), "not_reported")]
    assert clusters(reports) == ["Pellwick.", "+0.05", "-0.05", "Velmora"]
    assert answer_key(' "Yes". ') == "yes"


def test_the_gate_acts_below_its_thresholds_and_not_at_them() -> None:
    reports, config = [Report(("n0",), "supported", "x")], GateConfig(consistency=0.5, saturation=0.6)
    assert check_triggers(reports, Consistency(1, 2), 0.6, config).fired is None
    assert check_triggers(reports, Consistency(2, 3), 0.599, config).holding == ("T2", "T1")


def test_evidence_cites_the_nodes_that_hold_it_or_the_whole_path() -> None:
    def cited(evidence: str, status: str = "supported") -> frozenset[int]:
        return cited_nodes(make_graph(), [Report(("n0", "n1", "n2"), status, "Pellwick", evidence)])  # type: ignore[arg-type]

    assert cited("born  in PELLWICK") == {1}
    assert cited("she comes from Pellwick") == cited("") == {0, 1, 2}
    assert cited("born in Pellwick", "not_reported") == frozenset()


def test_a_path_that_is_read_twice_reaches_the_synthesiser_once() -> None:
    def read(*found: tuple[tuple[int, ...], Report]) -> tuple[Routing, tuple[Report, ...]]:
        chains = tuple(Chain(nodes, 0.5) for nodes, _ in found)
        chosen = Selection(tuple(range(len(found))), np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0, 0, 0)
        none = np.zeros(0, dtype=np.int64)
        return Routing(none, none, None, chains, 0.0, chosen), tuple(report for _, report in found)

    yes, other, no = Report((), "supported", "a"), Report((), "supported", "b"), Report((), "not_reported")
    first = read(((0, 1), yes), ((2,), other), ((3,), no), ((4,), yes))
    second = read(((0, 1), yes), ((4,), no))
    shown = [(reading.nodes, reading.report) for reading in readings([first, second])]
    assert shown == [((0, 1), yes), ((4,), no), ((2,), other), ((4,), yes)]  # a refusal takes back no answer


def test_reweighting_is_damped_and_bounded() -> None:
    changed = reweighted(np.array([0.5, 0.5, 0.2, 0.9]), np.array([0.6, 0.0, 1.0, 1.0]), RefinementConfig())
    assert changed == pytest.approx([0.56, 0.2, 0.5, 0.96])


def test_bridge_candidates_pair_both_sides_of_the_cut_by_their_weaker_end() -> None:
    h = np.array([1.0, 0.5, 0.9, 0.1])
    cut = [(0, 3), (1, 2)]
    assert bridge_candidates(cut, h, RefinementConfig()) == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert bridge_candidates(cut, h, RefinementConfig(bridge_candidates="cut_arcs")) == [(1, 2), (0, 3)]
    assert len(bridge_candidates(cut, h, RefinementConfig(bridge_pairs=1))) == 1


def test_new_seeds_are_near_the_strongest_phi_and_unused() -> None:
    arcs = Arcs(np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4]), np.full(4, 0.5))
    phi, h = np.array([0.9, 0.1, 0.5, 0.8, 0.7]), np.array([1.0, 0.0, 0.5, 0.5, 0.5])
    nothing = Selection((), np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0, 0, 0)
    routing = Routing(np.array([0]), np.array([4]), None, (), 0.0, nothing)
    assert new_seeds(arcs, phi, h, routing, RefinementConfig()).tolist() == [2]
    assert new_seeds(arcs, phi, h, routing, RefinementConfig(bfs_depth=3)).tolist() == [3, 2]
    assert new_seeds(arcs, np.zeros(5), h, routing, RefinementConfig()).tolist() == []


def judged(reply: str | Exception, answer: str = "Pellwick", question: Question = QUESTION) -> tuple[Judgement, str]:
    llm = FakeLLM(lambda stage, _: reply)
    made = asyncio.run(judge_answer(question, answer, llm, Prompts.load(PACKAGED), sample=2))  # type: ignore[arg-type]
    return made, llm.prompts[0][1]


def test_the_judge_records_model_seed_and_verdict() -> None:
    made, prompt = judged('{"accuracy": 1, "reasoning": "same town"}')
    assert made == Judgement("q1", True, "same town", "fake-model", 9, 2)
    assert "Expected answer: Pellwick" in prompt
    assert judged('{"accuracy": "0"}')[0].correct is False
    assert "Given answer: Not answerable" in judged('{"accuracy": 0}', " ")[1]
    nothing = Question("q", "toy", "?", (), answerable=False)
    assert "Expected answer: Not answerable" in judged('{"accuracy": 0}', "x", nothing)[1]


def test_no_verdict_is_not_a_zero() -> None:
    for reply in ("correct!", EmptyReply("nothing"), '{"accuracy": 2}'):
        made, _ = judged(reply)
        assert made.correct is None
        with pytest.raises(ValueError, match="question q1: no verdict"):
            accuracy([[made]])
    with pytest.raises(ServerUnavailable):
        judged(ServerUnavailable("gone"))
    assert read_judgement('{"accuracy": 1.0}')[0] is True


def test_accuracy_is_the_mean_over_runs_with_its_spread() -> None:
    def of(*correct: bool) -> list[Judgement]:
        return [Judgement(f"q{n}", c, "", "m", 0, 0) for n, c in enumerate(correct)]

    result = accuracy([of(True, True, False, False), of(True, True, True, False), of(True, False, False, False)])
    assert (result.mean, result.std, result.runs, result.questions) == (50.0, 25.0, 3, 4)
    assert accuracy([of(True)]).std == 0.0
    with pytest.raises(ValueError, match="other questions"):
        accuracy([of(True), of(True, False)])


def record_of(question: Question = QUESTION, **fields: Any) -> tuple[Any, FlowRecord]:
    graph = make_graph()
    config = FlowReaderConfig.from_mapping({"name": "test", **fields})
    record = asyncio.run(
        answer_question(question, graph, scripted(), config, WordEncoder(), LABEL)  # type: ignore[arg-type]
    )
    return graph, record


def test_the_picture_shows_every_node_path_and_kind() -> None:
    graph, record = record_of(replicator={"most": 2})
    text = draw(graph, record, 'What about <b>"quotes"</b> & \x07 bells?')
    root = ET.fromstring(text)
    titles = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title")]
    facts = record.passes[-1]
    assert all(any(title.startswith(f"{name} (") for title in titles) for name in facts.nodes)
    lines = root.findall("{http://www.w3.org/2000/svg}path")
    assert any(line.get("stroke-dasharray") for line in lines), "pruned paths are drawn"
    assert any(not line.get("stroke-dasharray") for line in lines), "kept paths are drawn"
    words = " ".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "text, p. 1" in words and "Answer: Pellwick" in words and "2 of" in words
    widths = {float(line.get("stroke-width", 0)) for line in lines}
    assert len(widths) > 1


def test_the_picture_marks_the_path_whose_worker_gave_the_answer() -> None:
    graph, record = record_of(replicator={"most": 3})
    first, *others = record.passes[-1].reports
    reports = (replace(first, answer="It was Pellwick."), *(replace(r, answer="Ostrava") for r in others))
    shown = replace(record, passes=(replace(record.passes[-1], reports=reports),))
    root = ET.fromstring(draw(graph, shown, "q"))
    rows = [t for t in root.iter("{http://www.w3.org/2000/svg}text") if (t.text or "")[:3] in ("1. ", "2. ", "3. ")]
    assert [row.get("font-weight") for row in rows] == ["bold", *["normal"] * len(others)]
    assert "It was Pellwick." in (rows[0].text or "") and "Ostrava" in (rows[1].text or "")
    tips = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title")]
    for before, after in pairwise(["s*", *first.nodes, "t*"]):
        assert any(tip.startswith(f"{before} to {after}: ") and "gave the answer" in tip for tip in tips)
    assert any("read)" in tip for tip in tips), "another read path stays blue"


def test_the_picture_says_of_a_worker_without_an_answer_what_the_synthesiser_is_told() -> None:
    graph, record = record_of(replicator={"most": 2})
    reports = tuple(replace(report, answer="", status="lost") for report in record.passes[-1].reports)
    shown = replace(record, passes=(replace(record.passes[-1], reports=reports),))
    assert ": did not answer</text>" in draw(graph, shown, "q")


def test_a_run_without_a_pass_has_no_picture() -> None:
    graph, record = record_of(shape="zero_shot", system2=False)
    with pytest.raises(ValueError, match="nothing to draw"):
        draw(graph, record, "q")


def test_the_picture_of_a_query_without_evidence_is_valid() -> None:
    graph, record = record_of(Question("q", "toy", "zzz", ()), reading={"keywords": False})
    assert record.passes[0].paths == () and ET.fromstring(draw(graph, record, "zzz")) is not None


def test_the_command_line_shows_paths_without_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCQA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(own_files, "load_encoder", lambda name: type("Words", (WordEncoder,), {"asymmetric": False})())
    page = tmp_path / "cup.md"
    page.write_text("# Orlen Cup\n\nThe Orlen Cup was won by Iska Dorn.\n\n# Dorn\n\nIska Dorn was born in Pellwick.\n")
    figure = tmp_path / "out.svg"
    command = ["ask", str(page), "-q", "Who won the Orlen Cup?", "--no-model", "--fast-parse", "--figure", str(figure)]
    assert cli.main(command) == 0
    shown = capsys.readouterr().out
    assert "cup p.1 text" in shown and "no calls" in shown and ET.fromstring(figure.read_text()) is not None
    assert cli.main([*command, "--variant", "nonsense"]) == 2
    assert "greedy_topk" in capsys.readouterr().err
    assert cli.main(["ask", str(tmp_path / "absent.pdf"), "-q", "?"]) == 2


def test_the_benchmark_runs_the_whole_way() -> None:
    graph = synthetic_graph(150)
    rng = np.random.default_rng(1)
    routing = one_query(graph, Arcs.of(graph), rng.random(150), rng.random(150), FlowReaderConfig("bench"))
    assert routing.kept and 0.0 < routing.saturation <= 1.0
    assert routing.flow is not None
    network, units = routing.flow.network, round(routing.flow.routed * SCALE)
    assert _highs(network, units) == pytest.approx(routing.flow.cost, abs=1e-4)
    assert _networkx(network, units) == pytest.approx(routing.flow.cost, abs=1e-4)
