"""Traces on disk: torn tails, superseded failures, shards, seal, comparison, redaction."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import make_document, make_question, make_record

from common.files import write_atomic
from common.paths import Workspace
from common.records import RunRecord, ToolCall, Usage, Verdict
from common.traces import (
    RecordWriter,
    TraceError,
    TraceKey,
    check_manifest,
    compact,
    compare_records,
    find_traces,
    read_questions,
    read_snapshot,
    read_subsets,
    read_trace,
    redact,
    sealed_rows,
    trace_files,
    write_manifest,
    write_snapshot,
)
from experiments.sealing import seal_command, size_problems

KEY = TraceKey("pocket-m3doc", "tiny-1.5b", "knowforge", "M5")


def append(folder: Path, *records: RunRecord) -> None:
    with RecordWriter(KEY, folder) as writer:
        for record in records:
            writer.append(record)


def test_key_names_its_file_and_back(tmp_path: Path) -> None:
    path = KEY.path(tmp_path)
    assert path.relative_to(tmp_path).as_posix() == "pocket-m3doc/tiny-1.5b/knowforge-M5.jsonl"
    assert TraceKey.of(path) == KEY
    assert TraceKey.of(path.with_name("knowforge-M5.003.jsonl.zst")) == KEY
    with pytest.raises(TraceError, match="file name"):
        TraceKey("../up", "m", "knowforge", "M5")


def test_records_survive_the_round_trip(tmp_path: Path) -> None:
    record = make_record(1, "M5")
    append(tmp_path, record)
    assert read_trace(KEY, tmp_path).done == {("q1", 0): record}
    assert find_traces(tmp_path) == [KEY]


def test_done_supersedes_failed_but_never_the_other_way(tmp_path: Path) -> None:
    append(tmp_path, make_record(1, "M5", status="failed"), make_record(1, "M5", answer="first"))
    append(tmp_path, make_record(1, "M5", answer="second"), make_record(1, "M5", status="failed"))
    trace = read_trace(KEY, tmp_path)
    assert trace.done[("q1", 0)].answer == ("second",)
    assert not trace.failed
    append(tmp_path, *(make_record(2, "M5", status="failed", errors=(reason,)) for reason in ("gone", "too long")))
    assert read_trace(KEY, tmp_path).failed[("q2", 0)].errors == ("too long",)


@given(cut=st.integers(min_value=1, max_value=2000))
def test_any_torn_tail_loses_at_most_the_last_record(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("torn")
    append(folder, make_record(1, "M5"), make_record(2, "M5"))
    path = KEY.path(folder)
    data = path.read_bytes()
    last = len(data.splitlines(keepends=True)[-1])
    path.write_bytes(data[: len(data) - min(cut, last)])
    assert ("q1", 0) in read_trace(KEY, folder).done
    append(folder, make_record(3, "M5"))  # mends the tail first
    assert {"q1", "q3"} <= {question for question, _ in read_trace(KEY, folder).done}


def test_bad_line_in_the_middle_is_an_error_with_its_place(tmp_path: Path) -> None:
    append(tmp_path, make_record(1, "M5"))
    path = KEY.path(tmp_path)
    path.write_bytes(b"{broken\n" + path.read_bytes())
    with pytest.raises(TraceError, match=r"knowforge-M5\.jsonl, line 1"):
        read_trace(KEY, tmp_path)


def test_two_writers_are_refused(tmp_path: Path) -> None:
    with RecordWriter(KEY, tmp_path), pytest.raises(TraceError, match="another run"):
        RecordWriter(KEY, tmp_path)


def test_a_killed_process_keeps_every_appended_record(tmp_path: Path) -> None:
    program = (
        "import sys, time; sys.path[:0] = sys.argv[1:3]\n"
        "from pathlib import Path\n"
        "from made_up import make_record\n"
        "from common.traces import RecordWriter, TraceKey\n"
        "w = RecordWriter(TraceKey('pocket-m3doc', 'tiny-1.5b', 'knowforge', 'M5'), Path(sys.argv[3]))\n"
        "for n in range(5): w.append(make_record(n, 'M5'))\n"
        "w._file.write(b'{\"question_id\": \"q5')\nw._file.flush()\nprint('ready', flush=True); time.sleep(60)\n"
    )
    here = Path(__file__).resolve()
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(here.parents[2]), str(here.parent), str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline().strip() == "ready"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    assert len(read_trace(KEY, tmp_path).done) == 5
    append(tmp_path, make_record(5, "M5"))
    assert len(read_trace(KEY, tmp_path).done) == 6


def test_compact_resolves_and_shards_by_size(tmp_path: Path) -> None:
    append(tmp_path, make_record(0, "M5", status="failed"), *(make_record(n, "M5") for n in range(6)))
    before = read_trace(KEY, tmp_path)
    compact(KEY, tmp_path)
    assert [path.name for path in trace_files(KEY, tmp_path)] == ["knowforge-M5.jsonl"]
    assert len(KEY.path(tmp_path).read_bytes().splitlines()) == 6
    compact(KEY, tmp_path, shard_bytes=2000)
    assert len(trace_files(KEY, tmp_path)) > 1 and not KEY.path(tmp_path).exists()
    assert read_trace(KEY, tmp_path) == before
    append(tmp_path, make_record(6, "M5"))
    assert len(read_trace(KEY, tmp_path).done) == 7
    compact(KEY, tmp_path)
    assert [path.name for path in trace_files(KEY, tmp_path)] == ["knowforge-M5.jsonl"]


def test_a_sealed_shard_that_was_cut_is_refused(tmp_path: Path) -> None:
    append(tmp_path, *(make_record(n, "M5") for n in range(6)))
    compact(KEY, tmp_path, shard_bytes=2000)
    shard = trace_files(KEY, tmp_path)[0]
    whole = shard.read_bytes()
    for size in (0, 40, len(whole) - 1):
        shard.write_bytes(whole[:size])
        with pytest.raises(TraceError, match=rf"{shard.name}: the file is cut off; restore it with git checkout"):
            read_trace(KEY, tmp_path)


def test_seal_names_every_kind_of_tampering(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    append(traces / "records", make_record(1, "M5"))
    (traces / "other.jsonl").write_text("{}\n")
    assert check_manifest(traces)[0].kind == "no manifest"
    write_manifest(traces, {"other.jsonl": {"model": "tiny"}})
    (traces / "imported").mkdir()
    (traces / "imported" / "results.json").write_text("{}")  # of another runner: not ours to seal
    assert check_manifest(traces) == []
    entry = json.loads((traces / "manifest.json").read_text())["files"]["other.jsonl"]
    assert (entry["rows"], entry["bytes"], entry["model"]) == (1, 3, "tiny")
    (traces / "other.jsonl").unlink()
    (traces / "new.jsonl").write_text("{}\n")
    trace = KEY.path(traces / "records")
    trace.write_bytes(trace.read_bytes().replace(b"Name 1", b"Name 2"))
    problems = {problem.kind: problem for problem in check_manifest(traces)}
    assert set(problems) == {"missing", "unlisted", "changed"}
    assert "knowforge-M5.jsonl" in problems["changed"].message and "git checkout" in problems["changed"].message
    assert "other.jsonl" in problems["missing"].message


def test_a_shard_and_the_tree_have_a_limit(tmp_path: Path) -> None:
    def hole(name: str, size: int) -> None:
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)

    hole("fits.bin", 5_000_000)
    assert size_problems(tmp_path) == []
    hole("large.bin", 5_000_001)
    assert size_problems(tmp_path) == ["large.bin: 5,000,001 bytes, a shard may have 5,000,000"]
    for number in range(9):
        hole(f"{number}.bin", 5_000_000)
    assert size_problems(tmp_path)[1:] == [f"{tmp_path}: 55,000,001 bytes in all, 50,000,000 allowed"]


def test_comparison_names_the_field_and_shows_both_values() -> None:
    record = make_record(1, "M5")
    assert compare_records(record, dataclasses.replace(record, commit="another")) == []
    changed = dataclasses.replace(record, answer=("Nobody",), elapsed_s=9.0)
    assert [d.field for d in compare_records(record, changed)] == ["answer[0]", "elapsed_s"]
    search = dataclasses.replace(record.searches[0], hits=record.searches[0].hits[:1])
    shorter = compare_records(record, dataclasses.replace(record, searches=(search,)))
    assert str(shorter[0]) == "len(searches[0].hits): recorded 2, replayed 1"
    more = dataclasses.replace(record, usage={**record.usage, "reader": Usage(1)})
    for one, other in ((record, more), (more, record)):  # a stage that was not recorded, one that was not replayed
        assert [d.field for d in compare_records(one, other)] == ["usage.reader"]
    assert [d.field for d in compare_records(record, dataclasses.replace(record, answer_visible=1))] == [
        "answer_visible"  # true and 1 are two texts in a trace
    ]


def test_redaction_leaves_no_free_text_and_is_idempotent() -> None:
    record = make_record(1, "M5", answer_text="a long argument", errors=("server gone",))
    hidden = redact(record)
    text = json.dumps(hidden.to_json())
    assert "a long argument" not in text and "race 1" not in text and "all there" not in text
    assert hidden.answer == record.answer and hidden.searches[0].hits == record.searches[0].hits
    assert redact(hidden) == hidden
    assert RunRecord.from_json(json.loads(text)) == hidden


def test_redaction_hides_every_text_of_judge_tools_and_facts() -> None:
    secret = "the words of a page"
    record = make_record(
        1, "M5", verdict=Verdict(True, (secret,), (secret,), secret),
        tools=(ToolCall("reader", "read_media", {"question": secret, "fragment_ids": [secret], "page": 3}, True),),
        facts={"open": ["ids"], "ids": ["n1"], "paths": [{"evidence": secret, "flow": 0.5}]},
    )  # fmt: skip
    hidden = redact(record)
    assert secret not in json.dumps(hidden.to_json())
    assert hidden.tools[0].args["page"] == 3 and hidden.tools[0].tool == "read_media"
    assert (hidden.facts["ids"], hidden.facts["paths"][0]["flow"]) == (["n1"], 0.5)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    write_atomic(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomic(path, "new \ud800")  # a broken text layer
    assert path.read_text() == "old"


def test_snapshot_round_trip(tmp_path: Path) -> None:
    questions, documents = [make_question(n) for n in range(3)], [make_document(n) for n in range(3)]
    write_snapshot(tmp_path / "s", questions, {"smoke": ["q2", "q0"]}, documents, tmp_path)
    assert list(read_questions(tmp_path / "s")) == questions
    assert list(read_snapshot(tmp_path / "s").documents) == documents
    assert read_subsets(tmp_path / "s") == {"smoke": ("q2", "q0")}
    before = (tmp_path / "s" / "fragments.jsonl.zst").read_bytes()
    write_snapshot(tmp_path / "s", questions, {"smoke": ["q2", "q0"]}, documents, tmp_path)
    assert (tmp_path / "s" / "fragments.jsonl.zst").read_bytes() == before
    with pytest.raises(TraceError, match="make record"):
        read_snapshot(tmp_path / "none")


def test_a_snapshot_of_several_files_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    questions, documents = [make_question(0)], [make_document(n) for n in range(9)]
    write_snapshot(tmp_path, questions, {}, documents, tmp_path, shard_bytes=1)
    assert list(read_snapshot(tmp_path).documents) == documents
    shards = sorted(tmp_path.glob("fragments*"))
    assert [path.name for path in shards][::8] == ["fragments.001-of-009.jsonl.zst", "fragments.009-of-009.jsonl.zst"]
    for path in (shards[0], shards[1], shards[-1]):
        data = path.read_bytes()
        path.unlink()
        with pytest.raises(TraceError, match=rf"should be .*{path.name}.* but is .*git checkout, or make it anew"):
            read_snapshot(tmp_path)
        path.write_bytes(data[: len(data) // 2])
        with pytest.raises(TraceError, match=rf"{path.name}: .*cut off; restore it with git checkout"):
            read_snapshot(tmp_path)
        path.write_bytes(data)
    write_snapshot(tmp_path, questions, {}, documents[:2], tmp_path)  # a smaller corpus leaves no file of the larger
    assert list(read_snapshot(tmp_path).documents) == documents[:2]
    (tmp_path / shards[0].name).write_bytes(b"")
    with pytest.raises(TraceError, match=r"should be fragments.jsonl.zst but is "):
        read_snapshot(tmp_path)


def test_sealing_names_a_trace_that_lost_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = Workspace(tmp_path, tmp_path / "cache")
    append(workspace.records, make_record(1, "M5"), make_record(2, "M5"))
    assert seal_command(workspace) == 0
    assert "fewer rows" not in capsys.readouterr().out
    path = KEY.path(workspace.records)
    path.write_bytes(path.read_bytes()[:-40])
    assert seal_command(workspace) == 0
    told = capsys.readouterr().out
    assert "fewer rows than sealed before: records/pocket-m3doc/tiny-1.5b/knowforge-M5, 2 -> 1; " in told


def test_sealed_rows_of_a_system_with_a_dot_in_its_name_are_its_own(tmp_path: Path) -> None:
    records, other = tmp_path / "records", TraceKey(KEY.benchmark, KEY.model, "knowforge", "M5.2")
    append(records, make_record(1, "M5"))
    with RecordWriter(other, records) as writer:
        writer.append(make_record(1, "M5.2"))
        writer.append(make_record(2, "M5.2"))
    compact(other, records, shard_bytes=10)
    write_manifest(tmp_path, {})
    rows = sealed_rows(tmp_path)
    assert (rows[f"records/{KEY}"], rows[f"records/{other}"]) == (1, 2)
