"""The result file of the released KnowForge runner as it stands on disk: one JSON object keyed by question id.

Fields without a name here are kept as they are. Two of its counters are no measures of a question and stay in the
side dict: `llm_calls` and `kb_calls` are running totals of the runner's process.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from common.benchmarks.reading import validated
from common.benchmarks.release import BenchmarkError

MOST_CALLS = 999  # searches of one question; a larger call number is damage
_OPEN = ConfigDict(strict=True, extra="allow", allow_inf_nan=False)
Value = str | int | float | bool


class RunnerHit(BaseModel):
    """One hit of one search; a media hit has no page, and no document where the server could not tell it."""

    model_config = _OPEN
    call: int = Field(default=0, ge=0, le=MOST_CALLS)
    query: str = ""
    bridge: bool = False
    fragment_id: str | None = None
    kind: str
    score: float | None = None
    from_graph: bool = False
    doc: str | None = None
    page: int | None = None
    vec: float | None = None
    raw: float | None = None


class RunnerBridge(BaseModel):
    """The bridge judge's decision; empty in one-shot runs."""

    model_config = _OPEN
    need_more: bool | None = None
    queries: list[str] = []
    bridge_entities: list[str] = []
    reason: str = ""


class RunnerFit(BaseModel):
    """The evidence pool handed to the synthesizer, in characters."""

    model_config = _OPEN
    total_chars: int | None = None
    cap: int | None = None
    kept_chars: int = 0
    dropped: int = 0
    kept_fids: list[str] = []
    sub_used: dict[str, int] = {}


class RunnerCheck(BaseModel):
    """The final line before and after the format checker."""

    model_config = _OPEN
    before: str = ""
    after: str = ""


class RunnerTiming(BaseModel):
    """Seconds from the start of the run; `ttft_s` is taken when the whole answer has come."""

    model_config = _OPEN
    first_event_s: float | None = None
    ttft_s: float | None = None


class RunnerRecord(BaseModel):
    """One question's record. The gold fields depend on the benchmark."""

    model_config = _OPEN
    question: str = Field(min_length=1)
    response: str
    qid: str | None = None
    answers: list[Value] | None = None
    answer: Value | None = None
    gold: Value | None = None
    qtype: str | None = None
    question_type: str | None = None
    modalities: list[str] | None = None
    answer_format: Literal["Int", "Str", "Float", "List", "None"] | None = None
    evidence_pages: str | list[int] | None = None
    evidence_sources: str | list[str] | None = None
    doc_id: str | None = None
    doc_type: str | None = None
    supporting_doc_ids: list[str] | None = None
    search_hits: list[RunnerHit] = []
    bridge: RunnerBridge = RunnerBridge()
    fit: RunnerFit = RunnerFit()
    tools: list[str] = []
    briefs: list[str] = []
    final_check: RunnerCheck = RunnerCheck()
    mode: str | None = None
    error: str | None = None
    elapsed_s: float | None = None
    timing: RunnerTiming = RunnerTiming()
    read_media_calls: int | None = None
    run_record: dict[str, Any] | None = None  # ours: what a run record holds beyond these fields


def read_result_file(path: Path) -> dict[str, Any]:
    """Question id -> record as plain JSON, checked. Raises BenchmarkError naming file, question id and field."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=lambda pairs: _once(pairs, path))
    except json.JSONDecodeError as error:
        raise BenchmarkError(
            f"{path}, line {error.lineno}, column {error.colno}: {error.msg}; the file is cut off or damaged, "
            "copy it again"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"{path}: cannot be read ({error})") from error
    if not isinstance(data, dict) or not data:
        raise BenchmarkError(f"{path}: not a result file: it must hold one JSON object keyed by question id")
    for question_id, raw in data.items():
        check_record(raw, question_id, path)
    return data


def check_record(raw: Any, question_id: str, path: Path) -> RunnerRecord:
    """One record, validated. Raises BenchmarkError naming file, question id and field."""
    where = f"{path}, question {question_id!r}"
    record = validated(RunnerRecord, raw, where)
    if record.qid not in (None, question_id):
        raise BenchmarkError(f"{where}: field 'qid': says {record.qid!r}; the record stands under another id")
    if record.answers is None and record.answer is None and record.gold is None:
        raise BenchmarkError(f"{where}: field 'answers', 'answer' or 'gold': none is there, so nothing can be scored")
    if record.answer_format is not None and record.doc_id is None:
        raise BenchmarkError(f"{where}: field 'doc_id': missing, and 'answer_format' says one document is asked about")
    return record


def _once(pairs: list[tuple[str, Any]], path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise BenchmarkError(f"{path}: question id or field {name!r} stands twice in one object; keep one")
        found[name] = value
    return found
