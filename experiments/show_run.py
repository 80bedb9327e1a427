"""`show SYSTEM QUESTION`: one recorded run in full, from its question down to every model call behind its answer.

The run is replayed from the call cache, so what is shown is what the pipeline does, and the last line says whether that
is the record. Where a corpus may not be passed on, the record is shown alone.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import indent

from omegaconf import DictConfig

from common.benchmarks.question import Question
from common.llm import Mode
from common.llm.listening import HeardCall, Listener
from common.metrics import score_record, scored_answer
from common.paths import Workspace
from common.records import RunRecord
from common.traces import Difference, TraceError, TraceKey, find_traces, read_trace
from experiments.methods import FLOWREADER
from experiments.running.opening import open_runner
from experiments.running.outline import corpus_view
from experiments.running.replaying import differing, replayable, trace_config
from experiments.running.workbench import open_corpus, open_llm
from experiments.story import Step, flow_steps, steps
from flowreader.records import FlowRecord

DOCUMENTS_SHOWN = 5
QUESTIONS_SHOWN = 3


@dataclass(frozen=True)
class Shown:
    """A run as recorded, or as replayed with the calls it made, in what it differs, and where each fragment stands."""

    key: TraceKey
    question: Question
    scorer: str
    record: RunRecord
    replayed: bool = False
    calls: tuple[HeardCall, ...] = ()
    differences: tuple[Difference, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)


def show_command(options: argparse.Namespace, workspace: Workspace) -> int:
    """Print the run; 1 if its replay is not the record. Raises `TraceError` where there is no such run, or several."""
    shown = asyncio.run(open_run(*find_run(options, workspace), workspace))
    print("\n".join(lines(shown, prompts=options.prompts)))
    return 1 if shown.differences else 0


def find_run(options: argparse.Namespace, workspace: Workspace) -> tuple[TraceKey, RunRecord]:
    """The one recorded run that fits. Raises `TraceError` naming what there is, or what tells several apart."""
    system, question = options.system, options.question
    found = {key: read_trace(key, workspace.records).records for key in _fitting_traces(options, workspace)}
    samples = {key: [n for asked, n in records if asked == question] for key, records in found.items()}
    there = [key for key, numbers in samples.items() if options.sample in numbers]
    if not any(samples.values()):
        raise TraceError(f"{system} has no run of question {question}; {_questions_text(found)}")
    if not there:
        known = "; ".join(f"{key.benchmark}, {key.model}: {_joined(n)}" for key, n in samples.items() if n)
        raise TraceError(f"{system} ran question {question}, but has no sample {options.sample}; --sample: {known}")
    if len(there) > 1:
        several = ", ".join(map(_options_text, there))
        raise TraceError(f"{system} ran question {question} more than once, choose one: {several}")
    return there[0], found[there[0]][question, options.sample]


def which_question(system: str, workspace: Workspace) -> str:
    """What to type for a system named without a question, or "" where none of that name was recorded."""
    found = {key: read_trace(key, workspace.records).records for key in _traces_of(system, workspace)}
    return f"which run of {system}? show {system} QUESTION; {_questions_text(found)}" if found else ""


def _traces_of(system: str, workspace: Workspace) -> list[TraceKey]:
    return [key for key in find_traces(workspace.records) if key.system == system]


def _fitting_traces(options: argparse.Namespace, workspace: Workspace) -> list[TraceKey]:
    """The traces of the system under the options given. Raises `TraceError` naming the option that none has."""
    recorded = _traces_of(options.system, workspace)
    if not recorded:
        known = ", ".join(sorted({key.system for key in find_traces(workspace.records)}))
        raise TraceError(f"no trace of a system or variant {options.system!r}; recorded: {known}")
    given = {name: value for name in ("benchmark", "model") if (value := getattr(options, name)) is not None}
    fitting = [key for key in recorded if all(getattr(key, name) == value for name, value in given.items())]
    if not fitting:
        asked = " ".join(f"--{name} {value}" for name, value in given.items())
        known = ", ".join(map(_options_text, recorded))
        raise TraceError(f"{options.system} has no trace with {asked}; recorded: {known}")
    return fitting


def _options_text(key: TraceKey) -> str:
    return f"--benchmark {key.benchmark} --model {key.model}"


def _questions_text(found: Mapping[TraceKey, Collection[tuple[str, int]]]) -> str:
    """The first questions of each corpus and how many there are."""
    questions: dict[str, set[str]] = {}
    for key, slots in found.items():
        questions.setdefault(key.benchmark, set()).update(question for question, _ in slots)
    return "it has " + "; ".join(
        f"{_joined(sorted(ids)[:QUESTIONS_SHOWN])}{', ...' * (len(ids) > QUESTIONS_SHOWN)} ({len(ids)} of {benchmark})"
        for benchmark, ids in questions.items()
    )


def _joined(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


async def open_run(key: TraceKey, record: RunRecord, workspace: Workspace) -> Shown:
    """Replay the run listening to its model calls; a failed run is shown as it was recorded."""
    cfg = trace_config(key, workspace)
    if record.status == "done" and replayable(key.benchmark, key.model, workspace):
        return await _replayed(key, record, cfg, workspace)
    question = _question(corpus_view(workspace, key.benchmark).questions, record)
    return Shown(key, question, str(cfg.benchmark.scorer), record)


async def _replayed(key: TraceKey, record: RunRecord, cfg: DictConfig, workspace: Workspace) -> Shown:
    corpus = open_corpus(cfg, workspace, offline=True)
    question = _question(corpus.questions, record)
    async with open_llm(cfg, workspace, Mode.REPLAY, redistributable=corpus.redistributable) as llm:
        heard = Listener(llm)
        runner = open_runner(cfg, workspace, corpus, heard.llm, key.method, [key.system])
        replayed = await runner.run(question, key.system, record.sample)
    places = {f.fragment_id: f"{f.document_id} p. {f.page} {f.kind}" for d in corpus.documents for f in d.fragments}
    differences = differing(record, replayed)
    return Shown(key, question, str(cfg.benchmark.scorer), replayed, True, tuple(heard.calls), differences, places)


def _question(questions: Sequence[Question], record: RunRecord) -> Question:
    for question in questions:
        if question.question_id == record.question_id:
            return question
    raise TraceError(f"{record.benchmark} has no question {record.question_id} any more; record its corpus again")


def lines(shown: Shown, *, prompts: bool) -> Iterator[str]:
    """The run as text: question, gold, answer, score, steps, calls, and whether the replay is the record."""
    key, record = shown.key, shown.record
    run = f"{key.method} {key.system}, question {record.question_id}, sample {record.sample}"
    yield f"{key.benchmark}, {key.model}, {run}"
    yield from _step_lines([*_outcome(shown)])
    yield ""
    flow = key.method == FLOWREADER
    told = flow_steps(FlowRecord.from_run(record), shown.places) if flow else steps(record, DOCUMENTS_SHOWN)
    yield from _step_lines([*told])
    for number, call in enumerate(shown.calls, start=1):
        yield from _call(number, call, prompts=prompts)
    yield ""
    yield _verdict(shown)


def _outcome(shown: Shown) -> Iterator[Step]:
    question, record = shown.question, shown.record
    pages = ", ".join(e.document_id if e.page is None else f"{e.document_id} p. {e.page}" for e in question.evidence)
    gold = "; ".join(question.answers) or ("not passed on" if question.answerable else "not answerable")
    yield "question", question.question, ""
    yield "gold", gold, pages or ", ".join(question.gold_documents)
    yield "answer", "; ".join(record.answer) or "none", ""
    for error in record.errors:
        yield "error", error, ""
    if record.status == "done":
        score, answer = score_record(shown.scorer, question, record), scored_answer(record)
        scored = "" if answer == record.answer else f"scored as: {'; '.join(answer)}"
        yield "score", f"EM {100 * score.em:.0f}, F1 {100 * score.f1:.1f} (rule {shown.scorer})", scored


def _step_lines(told: Sequence[Step]) -> Iterator[str]:
    width = max(len(step) for step, _, _ in told)
    for step, what, evidence in told:
        yield f"{step.ljust(width)}  {what}"
        if evidence:
            yield f"{'':{width}}  {evidence}"


def _call(number: int, call: HeardCall, *, prompts: bool) -> Iterator[str]:
    reply = call.reply
    tokens = f"{reply.prompt_tokens:,} tokens in, {reply.completion_tokens:,} out"
    yield f"\ncall {number}: {call.stage}, {tokens}, {reply.seconds:.1f} s, request {reply.key[:12]}"
    if prompts:
        yield indent(call.prompt, "  | ", lambda _: True)
    yield indent(reply.text.strip(), "  ")


def _verdict(shown: Shown) -> str:
    if shown.differences:
        changed = "\n".join(f"  {difference}" for difference in shown.differences)
        return f"the replay is NOT the record:\n{changed}"
    if not shown.replayed:
        return "the record alone: a failed run, or a corpus that may not be passed on and was recorded elsewhere"
    return f"replayed from {len(shown.calls)} stored calls: the same record"
