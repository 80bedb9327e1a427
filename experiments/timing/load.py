"""Load goal: a full-size set of made-up run records turned into every KnowForge table, in a process of its own.

2,441 questions x 12 systems, the size of the paper's full runs; records are as long as recorded ones (searches, hits,
tool calls, pool). Nothing of it leaves the temporary folder.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import shutil
import sys
import time
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import zstandard
from omegaconf import OmegaConf

from common.benchmarks.question import Question
from common.documents.model import Document, Fragment
from common.packing import SHARD_BYTES
from common.paths import Workspace
from common.records import Hit, PoolStats, RunRecord, Search, Stage, ToolCall, Usage, Verdict
from common.traces import TraceKey, record_line, write_snapshot
from experiments.running.provenance import write_config
from knowforge.system import PoolConfig, SystemConfig

BENCHMARK, MODEL = "pocket-m3doc", "qwen2.5-coder-1.5b"
SYSTEMS = ("S0", "S1", "S3", "S4v1", "S4", "M4", "M5", "M5OFF", "M5VEC", "M5S3", "P0", "P1")
QUESTIONS = 2_441
DOCUMENTS = 600
PER_SEARCH = 12
SEED = 20_261_130
WORDS = ("river", "crown", "harbour", "violet", "quartz", "meadow", "lantern", "copper", "falcon", "summit")


@dataclass(frozen=True)
class Load:
    """What the tables took. `made` are the artefacts that the records allow, `left` those that read other traces."""

    records: int
    megabytes: float  # of JSON lines
    seconds: float  # of the process's core, imports included: other load on the machine does not count
    peak_gb: float
    made: dict[str, float]  # artefact -> seconds
    left: tuple[str, ...]  # artefacts that read records of other benchmarks or repeated runs


def measure_load(workspace: Workspace, *, questions: int = QUESTIONS, systems: tuple[str, ...] = SYSTEMS) -> Load:
    """Write the records below a temporary folder and compute every KnowForge table from them in a fresh process.

    Raises RuntimeError where the process ends without a result or a table fails for another reason than other traces.
    """
    with TemporaryDirectory() as scratch:
        made = Workspace(Path(scratch) / "checkout", Path(scratch) / "cache")
        for folder in ("conf", "published", "knowforge"):
            shutil.copytree(workspace.experiments / folder, made.experiments / folder)
        size = write_load(made, questions, systems)
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=_compute, args=(made, sender))
        process.start()
        sender.close()
        try:
            seconds, peak, times, unrecorded, broken = receiver.recv()
        except EOFError as error:
            raise RuntimeError("load: the process that computes the tables ended without a result") from error
        finally:
            process.join()
    if broken:
        raise RuntimeError(f"load: {broken}")
    return Load(questions * len(systems), size / 1e6, seconds, peak, times, tuple(unrecorded))


def _compute(workspace: Workspace, sender: Connection) -> None:
    """The child: every KnowForge artefact that reads run records, from a cold start."""
    from experiments.artefacts import compute, discover

    times: dict[str, float] = {}
    unrecorded: list[str] = []
    broken: dict[str, str] = {}
    for entry in discover(workspace):
        if not OmegaConf.load(workspace.conf / f"{entry.config}.yaml").artefact.reads:
            continue  # made of something else than run records
        outcome = compute(entry, workspace)
        if outcome.unrecorded:
            unrecorded.append(entry.name)
        elif outcome.artefact is None:
            broken[entry.name] = outcome.error
        else:
            outcome.artefact.csv()
            times[entry.name] = outcome.seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    sender.send((time.process_time(), peak, times, unrecorded, broken))


def write_load(workspace: Workspace, questions: int, systems: tuple[str, ...]) -> int:
    """Snapshot and sealed-size shards of every system; returns the bytes of their JSON lines."""
    draw = random.Random(SEED)
    asked = [made_question(number, draw) for number in range(questions)]
    subset = [question.question_id for question in asked]
    write_snapshot(workspace.corpus(BENCHMARK), asked, {"smoke": subset[:24]}, _documents(), workspace.cache)
    total = 0
    for system in systems:
        lines = [record_line(made_record(question, system, draw)) for question in asked]
        total += sum(map(len, lines))
        key = TraceKey(BENCHMARK, MODEL, "knowforge", system)
        _write_shards(key.path(workspace.records), lines)
        pool = PoolConfig(4500, image=450, table=1500, example=150, text_floor=1500)
        fields = replace(SystemConfig(system), pool=pool)
        write_config(key, workspace.records, {"system": asdict(fields)})
    return total


def _write_shards(path: Path, lines: list[bytes]) -> None:
    """zstd shards as `seal` leaves them, at a level that takes no minutes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    each = max(1, SHARD_BYTES // max(map(len, lines)))
    parts = [lines[start : start + each] for start in range(0, len(lines), each)]
    for number, part in enumerate(parts):
        packed = zstandard.ZstdCompressor(level=1, write_checksum=True).compress(b"".join(part))
        path.with_name(f"{path.stem}.{number:03d}.jsonl.zst").write_bytes(packed)


def made_question(number: int, draw: random.Random) -> Question:
    """One or two hops, every modality, answers of one to three elements."""
    gold = tuple(dict.fromkeys(f"doc-{draw.randrange(DOCUMENTS):04d}" for _ in range(1 + number % 2)))
    answers = tuple(f"{draw.choice(WORDS[-3:])} of report {int(d[4:])}" for d in gold * (1 + number % 7 // 6))
    kinds = ("image", "table", "text")
    modalities = tuple(dict.fromkeys((kinds[number % 3], kinds[number % 2 + 1])))
    asked = f"Which {draw.choice(WORDS)} is named in report {number}?"
    return Question(
        f"load-{number:04d}", BENCHMARK, asked, answers, gold, question_type="Compose" if number % 2 else "TextQ",
        modalities=modalities, hops=len(gold),
    )  # fmt: skip


def made_record(question: Question, system: str, draw: random.Random) -> RunRecord:
    """A run as long as a recorded one: up to six searches of twelve hits, reads, a pool."""
    searches = tuple(_search(question, turn, draw) for turn in range(1 if system.startswith("S") else 4))
    reads = tuple(
        ToolCall("reader", "read_media", {"fragment_ids": [hit.fragment_id]}, True, (hit.fragment_id,), 1)
        for search in searches[1:]
        for hit in search.hits[:1]
    )
    found = tuple(
        ToolCall("locator", "search_knowledge", {"query": s.query}, True, tuple(h.fragment_id for h in s.hits))
        for s in searches
    )
    answer = question.answers if draw.random() < 0.5 else tuple(draw.sample(WORDS, len(question.answers)))
    ids = tuple(hit.fragment_id for search in searches for hit in search.hits)
    return RunRecord(
        question.question_id, BENCHMARK, "knowforge", system, MODEL, config_hash="0" * 16, commit="0" * 12,
        status="done", answer=answer, answer_before="; ".join(answer),
        answer_text=f"The materials name it. {' '.join(WORDS) * 4}\nFINAL ANSWER: {answer}",
        answer_visible=draw.random() < 0.5, searches=searches, tools=(*found, *reads),
        stages=(Stage("locator", 3, 4, "final"), Stage("reader", 2, 4, "cap")),
        verdict=Verdict(False, ("river",), (), "every hop is covered by what was found"),
        pool=PoolStats("chars", 4500, 9000, 4400, 6, ids, {"text": 3000, "table": 1400}),
        usage={stage: Usage(2, 1500, 700, 60, draw.random() * 9) for stage in ("locator", "judge", "reader", "answer")},
        first_event_s=1.5, answer_start_s=20.0, elapsed_s=30 * draw.random(),
    )  # fmt: skip


def _search(question: Question, turn: int, draw: random.Random) -> Search:
    documents = [f"doc-{draw.randrange(DOCUMENTS):04d}" for _ in range(PER_SEARCH)]
    if draw.random() < 0.6:
        documents[draw.randrange(PER_SEARCH)] = question.gold_documents[0]
    hits = tuple(
        Hit(
            f"frag_{int(document[4:]) * 4 + draw.randrange(4):016x}", document, 1 + place,
            "text" if place < 8 else "table", round(10 - place * 0.7, 6), round(draw.random(), 6),
            round(9 * draw.random(), 6), place > 7,
        )
        for place, document in enumerate(documents)
    )  # fmt: skip
    return Search(f"{question.question} turn {turn}", "judge" if turn == 3 else "locator", hits)


def _documents() -> list[Document]:
    made = []
    for number in range(DOCUMENTS):
        name = f"doc-{number:04d}"
        texts = [f"{WORDS[n]} {WORDS[-n]} of report {number}. " * 12 for n in range(4)]
        fragments = tuple(
            Fragment(f"frag_{number * 4 + n:016x}", name, 1 + n, "text", text, n) for n, text in enumerate(texts)
        )
        made.append(Document(name, f"Report {number}", f"{name}.pdf", "0" * 64, 4, fragments))
    return made


def main() -> None:
    """Print what the load takes: `python -m experiments.timing.load`."""
    print(json.dumps(asdict(measure_load(Workspace())), indent=1))


if __name__ == "__main__":
    main()
