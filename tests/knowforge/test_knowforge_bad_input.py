"""Odd but legal corpora and questions: every tool answers with an error that has a code, or with a cut result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from knowforge_fakes import LABEL, QUESTION, ScriptedLLM, WordEncoder, fragment

from common.benchmarks.question import Question
from common.documents.model import Document, Table
from common.metrics import measure, summarise
from knowforge.base import KnowledgeBase
from knowforge.pipeline import answer_question
from knowforge.session import Session
from knowforge.system import SystemConfig
from knowforge.tools import LOCATOR, READER, TOOLS, call_tool
from knowforge.vision import LONGEST_TEXT

ROWS = 10_000
Outcome = tuple[bool, str]


def book(name: str, title: str, *texts: str) -> Document:
    parts = tuple(fragment(name, order, text) for order, text in enumerate(texts))
    return Document(name, title, f"{name}.pdf", name[0] * 64, 1, parts)


def long_table() -> Document:
    rows = tuple((str(n), f"Driver {n}", f"{n % 7} laps") for n in range(ROWS))
    text = "Table 1: All results\n" + "\n".join(" | ".join(row) for row in rows)
    table = fragment(
        "results", 0, text, kind="table", caption="Table 1: All results", asset="t.png",
        table=Table(("pos", "driver", "laps"), rows),
    )  # fmt: skip
    about = fragment("results", 1, "The results of all races, see Table 1.")
    other = fragment("results", 2, "pos | 1", kind="table", caption="Table 2", table=Table(("pos",), (("1",),)))
    return Document("results", "All results", "results.pdf", "e" * 64, 1, (table, about, other))


@pytest.fixture
def over(tmp_path: Path) -> Callable[..., Session]:
    """A session over given documents; the reading model says one sentence."""

    def make(*documents: Document, **system: object) -> Session:
        config = SystemConfig.from_mapping({"name": "M5", **system})
        base = KnowledgeBase.build(documents, WordEncoder(), tmp_path)  # type: ignore[arg-type]
        llm = ScriptedLLM({"vision": ["not in the image"]})
        return Session(QUESTION, base, llm, config, config.load_prompts(), LABEL)  # type: ignore[arg-type]

    return make


def ask(session: Session, tool: str, **args: object) -> Outcome:
    result = asyncio.run(call_tool(session, "any", tuple(TOOLS), tool, args))
    return result.ok, result.text


def error(outcome: Outcome) -> dict[str, object]:
    ok, text = outcome
    assert not ok
    body: dict[str, object] = json.loads(text)
    assert {"error", "message"} <= set(body)
    return body


def test_every_tool_answers_about_a_corpus_of_one_document(over: Callable[..., Session]) -> None:
    session = over(book("only", "The only book", "One race was held in Velmora."))
    name = next(iter(session.base.fragments))
    answers = {
        "search_knowledge": ask(session, "search_knowledge", query="race"),
        "list_books": ask(session, "list_books"),
        "book_toc": ask(session, "book_toc"),  # the only book need not be named
        "list_tables": ask(session, "list_tables"),
        "query_table": ask(session, "query_table", item="race"),
        "list_media": ask(session, "list_media"),
        "fragment_context": ask(session, "fragment_context", fragment_id=name, window=99),
        "media_context": ask(session, "media_context", fragment_id=name),
        "read_media": ask(session, "read_media", fragment_ids=[name]),
        "get_table": ask(session, "get_table", table_id=name),
        "find_figure": ask(session, "find_figure", label="Figure 7"),
    }
    assert set(answers) == set(LOCATOR) | set(READER)
    assert error(answers.pop("get_table"))["error"] == "not_found"  # it has no cells
    assert error(answers.pop("find_figure"))["error"] == "not_found"
    assert all(ok and text for ok, text in answers.values())
    assert "no headings" in answers["book_toc"][1] and "no tables" in answers["list_tables"][1]
    assert "no row" in answers["query_table"][1] and "0 figures and tables, 0 shown" in answers["list_media"][1]


def test_a_corpus_of_one_fragment_without_words_finds_nothing(over: Callable[..., Session]) -> None:
    session = over(book("blank", "***", "..."), search={"dense": False})
    assert ask(session, "search_knowledge", query="race") == (True, "no hits")
    assert error(ask(session, "search_knowledge", query="  "))["error"] == "bad_argument"


def test_duplicate_documents_are_told_apart_by_their_ids(over: Callable[..., Session]) -> None:
    text = "The Orlen Cup was a race held in Velmora."
    session = over(book("a_cup", "Orlen Cup", text), book("b_cup", "Orlen Cup", text), book("c", "Orlen Cup 2", "No."))
    ok, hits = ask(session, "search_knowledge", query="Orlen Cup race")
    assert ok and {hit.document_id for hit in session.searches[0].hits} >= {"a_cup", "b_cup"} and hits.count("p.1") == 3
    body = error(ask(session, "book_toc", book="orlen cup"))
    assert (body["error"], body["candidates"]) == ("ambiguous", ["a_cup", "b_cup"])
    for name in body["candidates"]:  # type: ignore[attr-defined]
        assert ask(session, "book_toc", book=name)[0]


def test_a_name_that_fits_many_books_says_how_many_and_lists_some(over: Callable[..., Session]) -> None:
    session = over(*(book(f"cup_{n:03d}", f"Orlen Cup {n:03d}", "A race.") for n in range(200)))
    for tool in ("book_toc", "list_media", "list_tables", "find_figure"):
        body = error(ask(session, tool, book="orlen", label="Table 1"))
        assert body["error"] == "ambiguous" and "fits 200 books" in str(body["message"])
        assert len(body["candidates"]) == 40  # type: ignore[arg-type]
    ok, text = ask(session, "list_books", contains="orlen")
    assert ok and len(text.splitlines()) == 41 and "(160 more;" in text
    assert error(ask(session, "book_toc", book="nobody"))["error"] == "not_found"
    assert error(ask(session, "book_toc"))["error"] == "book_required"


def test_a_table_of_ten_thousand_rows_is_cut_and_says_so(over: Callable[..., Session]) -> None:
    session = over(long_table())
    table, about, _ = session.base.fragments
    ok, text = ask(session, "get_table", table_id=table)
    assert ok and f"({ROWS - 30:,} more rows)".replace(",", "") in text and len(text) < 2_000
    ok, text = ask(session, "query_table", item="3 laps", table_id=table)
    matched = sum(n % 7 == 3 or n == 3 for n in range(ROWS))
    assert ok and f"({matched - 30} more rows)" in text
    ok, text = ask(session, "query_table", item="Driver 9998")
    assert ok and "9998 | Driver 9998 | 2 laps" in text and "more rows" not in text
    assert f"{ROWS} rows" in ask(session, "list_tables")[1]
    ok, text = ask(session, "search_knowledge", query="results laps driver")
    assert ok and len(text) < 3_000
    assert (
        ask(session, "fragment_context", fragment_id=about)[0] and ask(session, "media_context", fragment_id=table)[0]
    )
    # However much was offered, what the model is shown stays within the caps.
    fitted = session.pool.fit()
    assert fitted.stats.total > 100_000 and fitted.stats.kept <= session.system.pool.cap and fitted.stats.dropped > 0


def test_a_fragment_is_read_and_noted_once_and_the_limit_of_ids_may_be_used(over: Callable[..., Session]) -> None:
    session = over(book("only", "The only book", "One race.", "Two races."), read_limit=2)
    one, two = session.base.fragments
    for names in ([one, one], [one]):
        assert ask(session, "read_media", fragment_ids=names)[0]
    assert len(session.llm.seen["vision"]) == 2  # type: ignore[attr-defined]
    assert sum(key.startswith("note_") for key in session.pool.offered) == 1
    assert ask(session, "read_media", fragment_ids=[one, two])[0]
    assert error(ask(session, "read_media", fragment_ids=[one, two, one]))["error"] == "bad_argument"


def test_a_text_too_long_to_read_is_cut_and_says_so(over: Callable[..., Session]) -> None:
    session = over(long_table())
    table = next(iter(session.base.fragments))
    assert ask(session, "read_media", fragment_ids=[table])[0]
    [[message]] = session.llm.seen["vision"]  # type: ignore[attr-defined]
    more = len(session.base.fragments[table].text) - LONGEST_TEXT
    assert f"({more:,} more characters" in message["content"] and len(message["content"]) < LONGEST_TEXT + 3_000


@pytest.mark.parametrize(
    ("label", "code"),
    [("Figure 99", "not_found"), ("Table 1.2.3", "not_found"), ("the map", "bad_label"), ("", "bad_argument"),
     ("Figure (1", "bad_label"), ("Figure " + "9" * 400, "not_found")],
)  # fmt: skip
def test_labels_that_do_not_exist(over: Callable[..., Session], label: str, code: str) -> None:
    assert error(ask(over(long_table()), "find_figure", label=label))["error"] == code


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("read_media", {"fragment_ids": 5}), ("read_media", {"fragment_ids": True}), ("read_media", {}),
        ("read_media", {"fragment_ids": ["frag_1"] * 41}), ("list_media", {"page": float("inf")}),
        ("list_media", {"page": "two"}), ("list_media", {"kind": "photo"}),
        ("fragment_context", {"fragment_id": "frag_1", "window": [1]}), ("get_table", {}),
        ("search_knowledge", {"query": None}),
    ],
)  # fmt: skip
def test_arguments_of_the_wrong_kind(over: Callable[..., Session], tool: str, args: dict[str, object]) -> None:
    assert error(ask(over(long_table()), tool, **args))["error"] == "bad_argument"


@pytest.mark.parametrize("tool", sorted({*LOCATOR, *READER} - {"list_books", "search_knowledge"}))
def test_ids_and_books_that_do_not_exist(over: Callable[..., Session], tool: str) -> None:
    named = {"fragment_id": "frag_beef", "fragment_ids": ["frag_beef"], "table_id": "frag_beef", "book": "nobody"}
    body = error(ask(over(long_table()), tool, item="laps", label="Table 1", **named))
    assert body["error"] == "not_found"


def test_a_question_without_gold_documents_runs_and_is_left_out_of_recall(tmp_path: Path) -> None:
    base = KnowledgeBase.build([long_table()], WordEncoder(), tmp_path)  # type: ignore[arg-type]
    script: dict[str, list[str | Exception]] = {
        "locator": ['{"thought": "enough", "final": "located"}'], "judge": ['{"need_more": false}'],
        "reader": ['{"thought": "enough", "final": "read"}'], "synthesizer": ["FINAL ANSWER: none"],
        "checker": ['{"answer": "none"}'],
    }  # fmt: skip
    nothing = Question("q0", "toy", "Who knows?", ("somebody",))
    known = replace(nothing, question_id="q1", answers=("none",), gold_documents=("results",))
    records = [
        asyncio.run(answer_question(q, base, ScriptedLLM(script), SystemConfig("M5"), LABEL))  # type: ignore[arg-type]
        for q in (nothing, known)
    ]
    assert all(record.status == "done" and record.searches[0].issuer == "fallback" for record in records)
    rows = measure("m3docvqa", (nothing, known), records)
    assert rows[0].retrieval is None and not records[0].answer_visible
    assert rows[0].score.em == 0.0 and rows[1].score.em == 1.0
    assert summarise(rows).r8 == 1.0  # of the one question that has a gold document
    assert summarise(rows[:1]).r8 is None
