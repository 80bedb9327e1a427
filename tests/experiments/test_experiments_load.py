"""The load bench on a small set of records, and reading traces: unchanged files once, changed ones again."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace

import pytest
from made_up import BENCHMARK, MODEL, make_record

from common.metrics import documents_in_rank_order, score_answer
from common.metrics.text import normalise
from common.paths import Workspace
from common.records import Hit, RunRecord
from common.stats import paired_bootstrap
from common.traces import RecordWriter, TraceKey, read_trace
from experiments.timing.load import SYSTEMS, made_question, made_record, measure_load

KEY = TraceKey(BENCHMARK, MODEL, "knowforge", "M5")


def test_a_small_load_gives_every_table_that_reads_its_records() -> None:
    made = measure_load(Workspace(), questions=24)
    assert made.records == 24 * len(SYSTEMS) and made.seconds > 0 and made.peak_gb > 0.05
    tables = {"table02_role_ablation", "table06_full_runs", "table07_modality_hops", "section53_pool_cap"}
    assert tables <= set(made.made) and "table04_transfer" in made.left
    assert 6_000 < 1e6 * made.megabytes / made.records < 16_000  # bytes a record: recorded ones have 3 to 9 thousand


def test_an_unchanged_trace_is_read_once_and_a_changed_one_again(workspace: Workspace) -> None:
    with RecordWriter(KEY, workspace.records) as writer:
        writer.append(make_record(0, "M5"))
        first = read_trace(KEY, workspace.records)
        assert read_trace(KEY, workspace.records).records[("q0", 0)] is first.records[("q0", 0)]
        first.records.clear()  # what a caller does to its trace is its own affair
        assert len(read_trace(KEY, workspace.records).records) == 1
        writer.append(make_record(1, "M5"))
    assert len(read_trace(KEY, workspace.records).records) == 2
    path = KEY.path(workspace.records)
    path.write_bytes(path.read_bytes().replace(b'"Name 1"', b'"Name 7"'))  # the same length
    assert read_trace(KEY, workspace.records).records[("q1", 0)].answer == ("Name 7",)


@pytest.mark.parametrize("system", ["S4", "M5"])
def test_a_record_read_quickly_is_the_record(system: str) -> None:
    draw = random.Random(5)
    record = made_record(made_question(3, draw), system, draw)
    back = RunRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert back == record and back.to_json() == record.to_json()
    hit = back.searches[0].hits[0]
    assert hit == Hit(**asdict(hit)) and hash(hit) == hash(Hit(**asdict(hit))) and replace(hit, page=9).page == 9


def test_a_hit_of_an_older_record_takes_the_defaults() -> None:
    data = make_record(0, "M5").to_json()
    for hit in data["searches"][0]["hits"]:
        del hit["from_graph"], hit["anchor"]
    assert RunRecord.from_json(data).searches[0].hits[0] == make_record(0, "M5").searches[0].hits[0]
    data["searches"][0]["hits"][0]["colour"] = "red"
    with pytest.raises(TypeError, match="colour"):
        RunRecord.from_json(data)


def test_documents_keep_the_order_of_kinds_then_of_ranks() -> None:
    kinds = {"d": "example", "c": "table", "a": "text", "x": "film", "b": "image", "": "text"}
    ranked = [*kinds.items(), ("c", "text")]
    hits = [Hit(f"f{n}", document, 1, kind, 1.0, 1.0, 1.0) for n, (document, kind) in enumerate(ranked)]
    assert documents_in_rank_order(hits) == ("a", "c", "b", "d", "x")


def test_remembered_values_are_the_computed_ones() -> None:
    first, second = [float(n % 3) for n in range(40)], [float(n % 5) for n in range(40)]
    again = [paired_bootstrap(first, second, resamples=300, seed=4) for _ in range(2)]
    assert again[0] == again[1] != paired_bootstrap(first, second, resamples=300, seed=5)
    long = "The U.S.-born Winner " * 200
    assert normalise(long) == ("u s born winner " * 200).strip() and normalise("The U.S.-born") == "u s born"
    question = made_question(7, random.Random(1))
    assert score_answer("m3docvqa", question, list(question.answers)).em == 1
    assert score_answer("m3docvqa", question, ["nothing"]).em == 0
