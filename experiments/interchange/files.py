"""Result files of the released KnowForge runner: read into traces, written from traces, lossless both ways.

Imported traces stand apart from the recorded ones, since they cannot be replayed. What a run record has no place for
is kept beside the trace in `<method>-<system>.side.json`; what a result file has no place for goes into its field
`run_record`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from common.benchmarks.question import Question
from common.benchmarks.release import BenchmarkError
from common.files import write_atomic
from common.paths import Workspace
from common.traces import TraceError, TraceKey, read_questions, read_trace, record_line, write_snapshot
from experiments.interchange.patch import difference, patched
from experiments.interchange.raw import to_raw
from experiments.interchange.records import Names, to_question, to_record
from experiments.interchange.schema import read_result_file
from experiments.interchange.tables import benchmark_option, imported_workspace

OPTIONAL = ("search_hits", "tools", "elapsed_s")  # fields that whole columns stand on
_SAME = ("question", "answers", "gold_documents", "question_type")


def import_file(path: Path, names: Names, workspace: Workspace) -> int:
    """Turn one result file into a trace with its questions and side dict; returns how many records it holds.

    Raises BenchmarkError naming file, question id and field; nothing is written then.
    """
    benchmark_option(names.benchmark, workspace)
    apart = imported_workspace(workspace)
    key = TraceKey(names.benchmark, names.model, "knowforge", names.system)
    raws = read_result_file(path)
    questions = [to_question(raw, qid, n, names.benchmark, path) for n, (qid, raw) in enumerate(raws.items())]
    records = [to_record(raw, qid, names, path) for qid, raw in raws.items()]
    rebuilt = {r.question_id: to_raw(r, q) for r, q in zip(records, questions, strict=True)}
    gaps = sorted(field for field in OPTIONAL if any(field not in raw for raw in raws.values()))
    side = {"gaps": gaps, "file": difference(rebuilt, raws)}
    folder = apart.find_corpus(names.benchmark)
    write_snapshot(folder, _merged(folder, questions, path), {}, (), folder)
    target = key.path(apart.records)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(target, b"".join(map(record_line, records)))
    write_atomic(_side_path(key, apart), json.dumps(side, ensure_ascii=False) + "\n")
    return len(records)


def export_file(path: Path, names: Names, workspace: Workspace) -> int:
    """Write a trace, recorded or imported, as a result file; returns how many records. Raises TraceError where none."""
    if path.is_dir():
        raise TraceError(f"{path}: is a folder; name the file to write")
    key = TraceKey(names.benchmark, names.model, "knowforge", names.system)
    apart = imported_workspace(workspace)
    source = workspace if read_trace(key, workspace.records).records else apart
    records = {r.question_id: r for (_, sample), r in read_trace(key, source.records).records.items() if sample == 0}
    if not records:
        raise TraceError(f"no records of {key.path(workspace.records)}, neither recorded nor imported")
    questions = {question.question_id: question for question in read_questions(source.find_corpus(names.benchmark))}
    raws: dict[str, Any] = {qid: to_raw(record, questions[qid]) for qid, record in records.items()}
    side = _side_path(key, apart)
    if source is apart and side.exists():
        raws = patched(raws, json.loads(side.read_text(encoding="utf-8"))["file"])
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(raws, ensure_ascii=False, indent=1))
    return len(raws)


def _side_path(key: TraceKey, apart: Workspace) -> Path:
    return key.path(apart.records).with_suffix(".side.json")


def _merged(folder: Path, questions: list[Question], path: Path) -> list[Question]:
    """The questions of all files of one benchmark. Two files must agree on a question's text and gold answer."""
    known = {q.question_id: q for q in read_questions(folder)} if (folder / "questions.jsonl").exists() else {}
    for question in questions:
        before = asdict(known.get(question.question_id, question))
        other = [name for name in _SAME if before[name] != asdict(question)[name]]
        if other:
            raise BenchmarkError(
                f"{path}, question {question.question_id!r}: field {other[0]!r} differs from a file imported before; "
                f"delete {folder} if that one is not wanted"
            )
    return [*known.values(), *(q for q in questions if q.question_id not in known)]


def lacking(benchmark: str, model: str, workspace: Workspace) -> dict[str, frozenset[str]]:
    """System -> the fields that its imported file lacks, for all imported files of one benchmark and model."""
    folder = imported_workspace(workspace).records / benchmark / model
    sides = {path.name.removesuffix(".side.json"): path for path in folder.glob("knowforge-*.side.json")}
    return {
        name.removeprefix("knowforge-"): frozenset(json.loads(path.read_text(encoding="utf-8"))["gaps"])
        for name, path in sides.items()
    }
