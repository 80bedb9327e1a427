"""Configs that cannot be: refused by field, with the value and what is needed; those in use stay valid."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
import yaml

from common.paths import Workspace
from common.room import CHARS_PER_TOKEN
from flowreader.config import FlowReaderConfig
from flowreader.fitting import INSTRUCTIONS, fit_construction, fit_to_context
from flowreader.options import ConstructionOptions


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"selector": "greedy"}, "unknown field 'selector'"),
        ({"replicator": {"eps": 0}}, "variant.replicator: unknown field 'eps'"),
        ({"scoring": {"alpha": 2.0}}, "scoring.alpha"),
        ({"scoring": {"weights": [0, 0, 0]}}, "scoring.weights"),
        ({"shape": "tree"}, "shape"),
        ({"budget": {"system1": 50}}, "budget.system1: 50 is more than budget.total, 48"),
        ({"scoring": {"alpha": "high"}}, "scoring.alpha: 'high' is no number"),
        ({"scoring": {"alpha": True}}, "scoring.alpha: True is no number"),
        ({"scoring": {"alpha": float("nan")}}, "scoring.alpha: nan is no number"),
        ({"scoring": {"visual_bonus": float("inf")}}, "scoring.visual_bonus: inf is no number"),
        ({"scoring": {"weights": [1, 1]}}, r"scoring.weights: \(1, 1\) is no list of 3, each a number"),
        ({"scoring": {"weights": [1.0, -0.1, 0.0]}}, "scoring.weights: .* is no list of 3, each a number at least 0"),
        ({"scoring": {"damping": 1.0}}, "scoring.damping: 1.0 is no number at least 0 and below 1"),
        ({"scoring": 5}, "variant.scoring: 5 is no mapping of fields"),
        ({"scoring": None}, "variant.scoring: None is no mapping"),
        ({"routing": {"sources": 2.5}}, "routing.sources: 2.5 is no whole number"),
        ({"routing": {"sinks": 0}}, "routing.sinks"),
        ({"routing": {"demand": 0}}, "routing.demand: 0 is no number above 0 and at most 1e"),
        ({"routing": {"length_of": "title"}}, "routing.length_of: 'title' is no one of summary, text"),
        ({"replicator": {"selector": "best"}}, "replicator.selector"),
        ({"reading": {"pairs": -1}}, "reading.pairs"),
        ({"reading": {"worker_timeout_s": 0}}, "reading.worker_timeout_s"),
        ({"reading": {"vision": "ours"}}, "reading.vision"),
        ({"reading": {"refusal": None}}, "reading.refusal: None is no text"),
        ({"gate": {"consistency": 65}}, "gate.consistency: 65 is no number at least 0 and at most 1"),
        ({"refinement": {"bfs_depth": -1}}, "refinement.bfs_depth"),
        ({"budget": {"system1": "16"}}, "budget.system1: '16' is no whole number"),
        ({"prompts": 5}, "prompts: 5 is no text or null"),
        ({"system2": "no"}, "system2: 'no' is no true or false"),
    ],
)
def test_a_config_that_cannot_be_is_refused_by_field(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FlowReaderConfig.from_mapping({"name": "x", **fields})
    with pytest.raises(ValueError, match="'name' is missing"):
        FlowReaderConfig.from_mapping({})


@pytest.mark.parametrize("limit", [0, 1, 2, 5])
def test_a_budget_without_a_call_for_a_worker_is_refused(limit: int) -> None:
    budget = {"system1": limit}
    with pytest.raises(ValueError, match=r"budget\.system1"):
        FlowReaderConfig.from_mapping({"name": "x", "budget": budget})
    with pytest.raises(ValueError, match=r"\(keywords 1, reading.pairs 14, synthesis 1\): set it to 17 or more"):
        FlowReaderConfig.from_mapping({"name": "x", "reading": {"pairs": 14}})
    if limit:  # one call is all that zero-shot needs
        assert FlowReaderConfig.from_mapping({"name": "x", "shape": "zero_shot", "budget": budget})


def test_the_least_budget_reads_one_path() -> None:
    reading = {"pairs": 0, "keywords": False}
    config = FlowReaderConfig.from_mapping({"name": "x", "reading": reading, "budget": {"system1": 2, "total": 2}})
    assert config.budget.system1 == 2


def test_committed_variants_and_recorded_configs_are_valid_and_keep_their_values() -> None:
    workspace = Workspace()
    for path in (workspace.conf / "variant").glob("*.yaml"):
        assert FlowReaderConfig.from_mapping(yaml.safe_load(path.read_text())).name == path.stem
    recorded = sorted(workspace.records.rglob("flowreader-*.config.json"))
    assert recorded
    for path in recorded:
        fields = {name: value for name, value in json.loads(path.read_text())["system"].items() if name != "judge"}
        config = FlowReaderConfig.from_mapping(fields)
        assert json.loads(json.dumps(asdict(config))) == fields, path


@pytest.mark.parametrize("context", [2_500, 4_096, 8_192, 32_768])
def test_every_prompt_is_cut_to_the_models_context(context: int) -> None:
    config = FlowReaderConfig(name="full")
    made = fit_to_context(config, context, "Where was Iska Dorn born?")
    room = (context - INSTRUCTIONS - config.reading.synthesis_tokens) * CHARS_PER_TOKEN
    assert made.reading.worker_chars <= room and made.reading.zero_shot_chars <= room
    assert made.reading.synthesis_chars <= room and 2 * made.refinement.passage_chars <= room
    assert (made == config) == (context == 32_768)
    options = fit_construction(ConstructionOptions(), context)
    assert (options == ConstructionOptions()) == (context > 4_000)


def test_a_context_without_room_is_refused_and_says_what_would_do() -> None:
    with pytest.raises(ValueError, match="2,299 tokens: too small for variant full; use a model with 2,300 or more"):
        fit_to_context(FlowReaderConfig(name="full"), 2_299, "?")
    assert fit_to_context(FlowReaderConfig(name="full"), 2_300, "?").reading.worker_chars == 2_000
    with pytest.raises(ValueError, match="too small for --graph-model"):
        fit_construction(ConstructionOptions(), 1_000)
