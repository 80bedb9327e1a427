"""Builders of made-up questions, documents and run records."""

from __future__ import annotations

from common.benchmarks.question import Question
from common.documents.model import Document, Fragment
from common.records import Hit, RunRecord, Search, Stage, ToolCall, Usage, Verdict

BENCHMARK, MODEL = "pocket-m3doc", "qwen2.5-coder-1.5b"
SYSTEMS = ("S4", "P1", "P0", "M5")


def make_question(number: int) -> Question:
    gold = (f"doc-{number}", f"doc-{number + 1}") if number % 2 else (f"doc-{number}",)
    return Question(f"q{number}", BENCHMARK, f"Who won race {number}?", (f"Name {number}",), gold, hops=len(gold))


def make_record(
    number: int, system: str, *, status: str = "done", answer: str | None = None, **fields: object
) -> RunRecord:
    found = tuple(Hit(f"frag_{n:016x}", f"doc-{n}", 1, "text", 9.5, 0.5, 3.25) for n in (number, number + 1))
    reads = (
        (ToolCall("reader", "read_media", {"fragment_ids": ["frag_1"]}, True, ("frag_1",), 1),)
        if system == "M5"
        else ()
    )
    defaults: dict[str, object] = {
        "answer": (answer if answer is not None else f"Name {number}",),
        "answer_before": "Name",
        "answer_visible": True,
        "searches": (Search(f"race {number}", "locator", found),),
        "tools": reads,
        "stages": (Stage("locator", 2, 4, "final"),),
        "verdict": Verdict(False, (), (), "all there"),
        "usage": {"locator": Usage(2, 1000, 600, 50, 3.5)},
        "elapsed_s": 4.5,
        "config_hash": "hash",
        "commit": "commit",
    }
    return RunRecord(
        f"q{number}", BENCHMARK, "knowforge", system, MODEL, status=status, **{**defaults, **fields},  # type: ignore[arg-type]
    )  # fmt: skip


def make_document(number: int) -> Document:
    fragment = Fragment(
        f"frag_{number:016x}", f"doc-{number}", 1, "text", f"Race {number} was won by Name {number}.", 0
    )
    return Document(f"doc-{number}", f"Race {number}", f"doc-{number}.pdf", "0" * 64, 1, (fragment,))
