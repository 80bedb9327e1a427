"""Result files of the released runner: lossless both ways, bad ones named, every table they allow."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_up import make_question, make_record

from common.benchmarks import BenchmarkError
from common.metrics import behaviour, retrieval
from common.paths import Workspace
from common.records import RunRecord
from common.traces import RecordWriter, TraceKey, read_questions, read_trace, write_snapshot
from experiments.interchange import export_file, import_file
from experiments.interchange.export_command import main as export_main
from experiments.interchange.import_command import main as import_main
from experiments.interchange.patch import difference, patched
from experiments.interchange.raw import to_raw
from experiments.interchange.records import SEARCH, Names, to_question, to_record
from experiments.interchange.schema import read_result_file
from experiments.interchange.tables import imported_workspace

NAMES = Names("m3docvqa", "some-model", "M5")
HERE = Path("results.json")


def hit(call: int, doc: str, **changes: Any) -> dict[str, Any]:
    return {
        "call": call, "query": f"query {call}", "bridge": False, "fragment_id": "frag_0a", "kind": "text", "score": 9.5,
        "from_graph": False, "doc": doc, "page": 1, "vec": 0.5, "raw": 3.25,
    } | changes  # fmt: skip


def entry(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A record of the two-role pipeline as the runner writes it, with fields that run records have no place for."""
    media = {name: value for name, value in hit(1, "", kind="image").items() if name != "page"}
    return {
        "qid": f"q{number}", "raw_question": "Who?", "package_uuid": "u", "answers": [f"Name {number}", 7],
        "qtype": "Compose(TextQ,TableQ)", "modalities": ["text", "table"], "supporting_doc_ids": ["a", "b"],
        "question": "Who?", "response": f"Because.\nFINAL ANSWER: ['Name {number}', '7']",
        "search_hits": [hit(0, "a"), hit(1, "c"), media, hit(2, "b", bridge=True, page=None)],
        "bridge": {
            "need_more": True, "queries": ["x"], "bridge_entities": [], "reason": "r", "handoff_fit": {"units": 4},
        },
        "fit": {"total_chars": 9, "units": 7, "cap": 30000, "kept_chars": 9, "dropped": 0, "kept_fids": ["frag_0a"]},
        "deep_fids": ["frag_0a"],
        "tools": [SEARCH, "find_figure", SEARCH, SEARCH, "find_figure", "read_media"],
        "briefs": ["a", "f", "b", "[bridge1] x", "f", "r"],
        "final_check": {"before": f"Name {number}, 7", "after": f"['Name {number}', '7']"}, "mode": "final+final",
        "error": None, "elapsed_s": 12, "timing": {"first_event_s": 1.5, "ttft_s": 11.75}, "llm_calls": 431,
        "kb_calls": 77, "read_media_calls": 3, "doc_hit": ["a", "b"], "doc_hit_rate": 1.0, "doc_hit_first": 0.5,
    } | changes  # fmt: skip


def write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def rebuilt(raw: dict[str, Any], question_id: str = "q0") -> dict[str, Any]:
    return to_raw(to_record(raw, question_id, NAMES, HERE), to_question(raw, question_id, 0, NAMES.benchmark, HERE))


def test_what_a_record_says_of_a_run() -> None:
    record = to_record(entry(), "q0", NAMES, HERE)
    did = behaviour(record)
    assert record.answer == ("Name 0", "7") and record.status == "done"
    assert (did.searches, did.judge_searches, did.reads, did.images_read) == (3, 1, 2, 3)
    assert [call.stage for call in record.tools] == ["locator", "locator", "locator", "judge", "reader", "reader"]
    assert record.model == "some-model" and not record.usage  # llm_calls is a running total of the process
    found = retrieval(record, ("a", "b"))
    assert found is not None and (found.r1, found.r8, found.r_all) == (0.5, 0.5, 1.0)


def test_a_hit_without_document_takes_no_rank() -> None:
    raw = entry(search_hits=[hit(0, ""), hit(0, "a"), hit(0, "b")])
    found = retrieval(to_record(raw, "q0", NAMES, HERE), ("a", "b"))
    assert found is not None and (found.r1, found.r3) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("mode", "stages"),
    [("ok+p0", {"agent", "judge"}), ("cap+p1", {"locator", "judge"}), ("ok+ok", {"locator", "judge", "reader"})],
)
def test_the_status_text_says_which_roles_there_were(mode: str, stages: set[str]) -> None:
    assert {call.stage for call in to_record(entry(mode=mode), "q0", NAMES, HERE).tools} == stages


def test_searches_without_a_hit_still_count() -> None:
    raw = entry(tools=["search_knowledge"] * 4, briefs=["a", "b", "[bridge1] c", "d"], search_hits=[hit(1, "b")])
    searches = to_record(raw, "q0", NAMES, HERE).searches
    assert [(s.query, s.issuer, len(s.hits)) for s in searches] == [
        ("a", "locator", 0), ("query 1", "locator", 1), ("[bridge1] c", "judge", 0), ("d", "locator", 0),
    ]  # fmt: skip


def test_known_fields_are_carried_by_the_record_itself() -> None:
    """The side dict holds the fields that a run record has no place for, and nothing else."""
    side = difference(rebuilt(entry()), entry())
    assert side is not None
    assert set(side["new"]) == {"raw_question", "package_uuid", "deep_fids", "llm_calls", "kb_calls"}
    assert set(side["inner"]) == {"answers", "bridge", "fit", "elapsed_s"}  # 7 for "7", handoff_fit, units, 12 for 12.0


def test_long_document_and_news_records() -> None:
    long = entry(
        qid="full-0045", answers=None, gold="['a']", answer="['a']", answer_format="List", doc_id="r.pdf",
        doc_type="Report", evidence_pages="[5, 2]", found_pages=[1],
        evidence_sources="['Chart', 'Pure-text (Plain-text)']",
    )  # fmt: skip
    question = to_question(long, "full-0045", 3, "mmlongbench", HERE)
    assert (question.document_id, question.extra["index"], question.hops) == ("r", 45, 2)
    assert question.extra["gold"] == "['a']" and question.modalities == ("chart", "text")
    assert difference(rebuilt(long, "full-0045"), long)["new"].keys() & {"gold", "doc_type", "evidence_pages"} == set()
    news = entry(answers=None, answer="Yes", question_type="null_query", response="so\nYes", supporting_doc_ids=[])
    assert to_record(news, "q0", NAMES, HERE).answer == ("Yes",)
    assert not to_question(news, "q0", 0, "multihop_rag", HERE).answerable


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
hits = st.builds(
    lambda changes, page, extra: {**hit(0, "a"), **changes, **({} if page == "none" else {"page": page}), **extra},
    st.fixed_dictionaries(
        {"call": st.integers(0, 4), "doc": st.sampled_from(["", "a", "b", None]), "score": st.none() | st.floats(0, 10),
         "kind": st.sampled_from(["text", "image"]), "bridge": st.booleans(), "vec": st.none() | st.integers(0, 1)}
    ),
    st.sampled_from(["none", None, 0, 3]),
    st.dictionaries(st.sampled_from(["snippet", "z"]), json_values, max_size=1),
)  # fmt: skip
changes = st.fixed_dictionaries(
    {},
    optional={
        "search_hits": st.lists(hits, max_size=6),
        "tools": st.lists(st.sampled_from(["search_knowledge", "find_figure", "read_media", "get_table"]), max_size=5),
        "briefs": st.lists(st.sampled_from(["", "x", "[bridge1] y"]), max_size=5),
        "response": st.sampled_from(["", "none", "FINAL ANSWER: x", "a\nfinal answer: ['x']\n", "**FINAL ANSWER:** 4"]),
        "answers": st.lists(st.text(max_size=3) | st.integers(0, 9) | st.floats(0, 9), min_size=1, max_size=3),
        "mode": st.sampled_from([None, "s4", "final+p0", "cap+p1", "odd"]),
        "error": st.none() | st.text(max_size=5),
        "fit": st.sampled_from([{}, {"cap": 5}, {"cap": 5, "total_chars": 9, "sub_used": {"text": 5}, "later": 0.5}]),
        "bridge": st.sampled_from([{}, {"need_more": False}, {"error": "x", "queries": []}]),
        "timing": st.sampled_from([{}, {"ttft_s": 3}, {"first_event_s": None}]),
        "elapsed_s": st.none() | st.integers(0, 99) | st.floats(0, 99),
        "read_media_calls": st.none() | st.integers(0, 9),
        "final_check": st.sampled_from([{}, {"before": "", "after": "x"}, {"before": "b", "after": "c", "error": "e"}]),
        "qtype": st.sampled_from([None, "TextQ", "a_query"]),
        "modalities": st.none() | st.lists(st.sampled_from(["table", "text"]), max_size=3),
        "later_field": json_values,
    },
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(changes, min_size=1, max_size=3), st.sets(st.sampled_from(sorted(entry())), max_size=6), st.randoms())
def test_any_result_file_comes_back_as_it_was(many: list[dict[str, Any]], dropped: set[str], random: Any) -> None:
    for number, changed in enumerate(many):
        gone = dropped - {"question", "response", "answers"}
        full = {name: value for name, value in entry(number, **changed).items() if name not in gone}
        order = list(full)
        random.shuffle(order)
        raw = {name: full[name] for name in order}
        back = patched(rebuilt(raw, f"q{number}"), json.loads(json.dumps(difference(rebuilt(raw, f"q{number}"), raw))))
        assert json.dumps(back) == json.dumps(raw)


@given(json_values, json_values)
def test_a_difference_leads_from_any_value_to_any_other(first: Any, second: Any) -> None:
    patch = json.loads(json.dumps(difference(first, second)))
    assert json.dumps(patched(first, patch)) == json.dumps(second)
    assert difference(first, first) is None


@pytest.mark.parametrize("system", ["S4", "M5"])
def test_our_records_come_back_whole(system: str) -> None:
    for record in (make_record(1, system), make_record(1, system, answer_text="x\nFINAL ANSWER: y", redacted=True)):
        raw = json.loads(json.dumps(to_raw(record, make_question(1))))
        names = Names(record.benchmark, record.model, system)
        assert to_record(raw, "q1", names, HERE) == RunRecord.from_json(json.loads(json.dumps(record.to_json())))
        assert raw["response"].endswith("FINAL ANSWER: Name 1") and raw["doc_hit_rate"] == 1.0
        elsewhere = to_record(raw, "q1", replace(names, model="other"), HERE)
        assert elsewhere == replace(to_record(raw, "q1", names, HERE), model="other")


def test_import_then_export_is_the_same_file(workspace: Workspace, tmp_path: Path) -> None:
    source = write(tmp_path / "M5.json", {f"q{n}": entry(n) for n in range(3)})
    assert import_file(source, NAMES, workspace) == 3
    assert export_file(tmp_path / "back.json", NAMES, workspace) == 3
    assert (tmp_path / "back.json").read_bytes() == source.read_bytes()


def test_an_export_that_cannot_be_written_is_told(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_file(write(tmp_path / "M5.json", {"q0": entry()}), NAMES, workspace)
    options = [word for name in ("benchmark", "model", "system") for word in (f"--{name}", getattr(NAMES, name))]
    before = sorted(tmp_path.rglob("*"))
    assert export_main([str(tmp_path), *options], workspace) == 2
    assert f"{tmp_path}: is a folder; name the file" in capsys.readouterr().err
    assert export_main([str(tmp_path / "M5.json" / "x.json"), *options], workspace) == 2
    assert "x.json: cannot be written" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before and not tmp_path.with_name(f"{tmp_path.name}.tmp").exists()


def test_export_of_a_recorded_trace_and_of_none(workspace: Workspace, fill: Any, tmp_path: Path) -> None:
    fill(3)
    arguments = [str(tmp_path / "out.json"), "--benchmark", "pocket-m3doc", "--model", "qwen2.5-coder-1.5b", "--system"]
    assert export_main([*arguments, "M5"], workspace) == 0
    exported = read_result_file(tmp_path / "out.json")
    assert list(exported) == ["q0", "q1", "q2"] and exported["q1"]["tools"] == ["read_media"]
    assert export_main([*arguments, "S9"], workspace) == 2


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"search_hits": [hit(0, "a", page="two")]}, r"question 'q1': field 'search_hits\.0\.page'"),
        ({"search_hits": [hit(-1, "a")]}, r"question 'q1': field 'search_hits\.0\.call'"),
        ({"response": None}, "question 'q1': field 'response'"),
        ({"answers": "Name"}, "question 'q1': field 'answers'"),
        ({"answers": None}, "question 'q1': field 'answers', 'answer' or 'gold'"),
        ({"qid": "q7"}, "question 'q1': field 'qid': says 'q7'"),
        ({"answer_format": "Bool"}, "question 'q1': field 'answer_format'"),
        ({"answer_format": "Int"}, "question 'q1': field 'doc_id'"),
        ({"tools": [1]}, r"question 'q1': field 'tools\.0'"),
        ({"run_record": {"items": {}}}, "question 'q1': field 'run_record'"),
    ],
)
def test_a_bad_record_is_named(workspace: Workspace, tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    path = write(tmp_path / "bad.json", {"q0": entry(0), "q1": entry(1, **changed)})
    with pytest.raises(BenchmarkError, match=rf"bad\.json, {message}"):
        import_file(path, NAMES, workspace)
    assert not imported_workspace(workspace).records.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q0": {', "line 1, column"),
        ("[]", "keyed by question id"),
        ('{"q0": 1}', "q0"),
        ('{"q": {}, "q": {}}', "'q' stands twice"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BenchmarkError, match=rf"bad\.json.*{message}"):
        read_result_file(tmp_path / "bad.json")


def test_two_files_must_agree_on_the_gold(workspace: Workspace, tmp_path: Path) -> None:
    import_file(write(tmp_path / "a.json", {"q0": entry(0)}), NAMES, workspace)
    other = write(tmp_path / "b.json", {"q0": entry(0, answers=["else"]), "q1": entry(1)})
    with pytest.raises(BenchmarkError, match=r"b\.json, question 'q0': field 'answers' differs"):
        import_file(other, replace(NAMES, system="P1"), workspace)
    import_file(write(tmp_path / "c.json", {"q1": entry(1)}), replace(NAMES, system="P1"), workspace)
    apart = imported_workspace(workspace)
    assert [q.question_id for q in read_questions(apart.find_corpus("m3docvqa"))] == ["q0", "q1"]


def test_dropped_files_give_the_tables_they_allow(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    dropped = workspace.traces / "imported" / "m3docvqa" / "some-model"
    write(dropped / "M5.json", {f"q{n}": entry(n) for n in range(4)})
    short = {f"q{n}": {k: v for k, v in entry(n, mode="s4").items() if k != "tools"} for n in range(4)}
    write(dropped / "S4.json", short)
    assert import_main([], workspace) == 0
    printed = capsys.readouterr().out
    assert "table06_full_runs: made; no rows of " in printed
    assert "table02_role_ablation: made; no rows of P1, P0 (not imported); not in the result file: " in printed
    table = imported_workspace(workspace).figures / "knowforge" / "table02_role_ablation.csv"
    rows = {row["system"]: row for row in csv.DictReader(io.StringIO(table.read_text()))}
    where = "(m3docvqa, some-model, n = 4)"
    assert rows["P0"]["published F1"] == "45.6" and rows["P0"][f"replica F1 {where}"] == ""
    assert rows["M5"][f"replica F1 {where}"] == "100.0000" and rows["M5"][f"replica Read/q {where}"] == "2.0000"
    assert rows["S4"][f"replica Read/q {where}"] == "" and rows["S4"][f"replica Doc@all {where}"] == "100.00"
    assert not workspace.records.exists()  # the recorded traces are left alone


def test_the_command_says_what_is_missing(
    workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_main([], workspace) == 2
    assert "<benchmark>/<model>/<system>.json" in capsys.readouterr().err
    assert import_main([str(tmp_path / "x.json"), "--model", "m"], workspace) == 2
    assert "--benchmark" in capsys.readouterr().err
    path = write(tmp_path / "x.json", {"q0": entry(0)})
    assert import_main([str(path), "--benchmark", "trivia", "--model", "m", "--system", "M5"], workspace) == 2
    assert "trivia" in capsys.readouterr().err


def test_a_recorded_trace_is_exported_before_an_imported_one(workspace: Workspace, tmp_path: Path) -> None:
    import_file(write(tmp_path / "a.json", {"q0": entry(0)}), NAMES, workspace)
    write_snapshot(workspace.corpus("m3docvqa"), [make_question(0)], {}, (), tmp_path)
    key = TraceKey("m3docvqa", "some-model", "knowforge", "M5")
    with RecordWriter(key, workspace.records) as writer:
        writer.append(replace(make_record(0, "M5"), benchmark="m3docvqa", model="some-model"))
    export_file(tmp_path / "out.json", NAMES, workspace)
    assert "raw_question" not in read_result_file(tmp_path / "out.json")["q0"]
    assert read_trace(key, imported_workspace(workspace).records).records
