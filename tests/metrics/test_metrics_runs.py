"""Measures read from run records: recall, reads, rounds at cap, means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from common.benchmarks.question import Question
from common.metrics import at_cap, behaviour, documents_in_rank_order, measure, retrieval, summarise
from common.records import Hit, RunRecord, Search, Stage, ToolCall, Usage


def hit(document: str, kind: str = "text") -> Hit:
    return Hit(f"frag_{document}_{kind}", document, 1, kind, 5.0, 0.5, 1.0)


def search(*hits: Hit, issuer: str = "locator") -> Search:
    return Search("query", issuer, hits)


def record(question_id: str = "q1", **changes) -> RunRecord:
    base = RunRecord(question_id, "pocket-m3doc", "knowforge", "M5", "model", "hash", "commit", "done")
    return replace(base, **changes)


def call(tool: str, stage: str = "reader", **changes) -> ToolCall:
    return ToolCall(stage, tool, {}, True, **changes)


def test_documents_rank_text_before_media_and_once_each() -> None:
    hits = (hit(""), hit("d3", "table"), hit("d1"), hit("d2", "image"), hit("d1", "image"), hit("d4"))  # one has none
    assert documents_in_rank_order(hits) == ("d1", "d4", "d2", "d3")


def test_recall_of_the_first_search_and_of_all() -> None:
    run = record(
        searches=(
            search(hit("g1"), hit("g1"), hit("x"), hit("y"), hit("g2")),
            search(hit("g3"), issuer="judge"),
        )
    )
    result = retrieval(run, ("g1", "g2", "g3", "g4"))
    assert result is not None
    assert (result.r1, result.r3, result.r8, result.r_all) == (0.25, 0.25, 0.5, 0.75)
    assert not result.document_found
    third = retrieval(run, ("y",))
    assert third is not None and (third.r1, third.r3) == (0.0, 1.0)
    twice = retrieval(run, ("g1", "g1", "g2"))  # a gold document listed twice is one document
    assert twice is not None and (twice.r1, twice.r8) == (0.5, 1.0)
    found = retrieval(run, ("g1", "g3"))
    assert found is not None and found.document_found


def test_recall_counts_documents_not_hits() -> None:
    run = record(searches=(search(*[hit("x")] * 8, hit("g")),))
    result = retrieval(run, ("g",))
    assert result is not None and (result.r1, result.r3) == (0.0, 1.0)


def test_recall_without_searches_or_gold() -> None:
    assert retrieval(record(searches=(search(hit("a")),)), ()) is None
    empty = retrieval(record(), ("a",))
    assert empty is not None and empty.r_all == 0.0


def test_reads_searches_and_calls() -> None:
    run = record(
        searches=(search(), search(issuer="fallback"), search(issuer="judge")),
        tools=(
            call("search_knowledge", "locator"),
            call("find_figure", "locator"),  # locating, not reading
            call("find_figure"),
            call("read_media", model_calls=3),
            ToolCall("reader", "read_media", {}, False, model_calls=0),
            call("fragment_context"),
            call("query_table"),  # a Locator tool in any hand
        ),
        usage={"locator": Usage(calls=4), "vision": Usage(calls=3)},
    )
    did = behaviour(run)
    assert (did.searches, did.judge_searches, did.reads) == (3, 1, 4)
    assert (did.read_media_calls, did.images_read, did.model_calls) == (2, 3, 7)
    assert not did.never_read
    assert behaviour(record(tools=(call("find_figure", "locator"),))).never_read


def test_both_readings_of_at_cap() -> None:
    tools = tuple(call("search_knowledge", "locator") for _ in range(3))
    stopped = record(tools=tools, stages=(Stage("locator", 4, 4, "cap"), Stage("reader", 1, 4, "final")))
    locator, reader = at_cap(stopped, "locator"), at_cap(stopped, "reader")
    assert locator is not None and (locator.stopped, locator.calls) == (True, False)
    assert reader is not None and (reader.stopped, reader.calls) == (False, False)
    full = at_cap(record(tools=tools, stages=(Stage("locator", 4, 3, "final"),)), "locator")
    assert full is not None and (full.stopped, full.calls) == (False, True)
    lost = at_cap(record(stages=(Stage("locator", 2, 3, "bad_json"),)), "locator")  # stopped, but not by its cap
    assert lost is not None and (lost.stopped, lost.calls) == (False, False)
    assert at_cap(record(stages=(Stage("reader", 0, 0, "cap"),)), "reader") is None
    assert at_cap(record(), "locator") is None


QUESTIONS = (
    Question("q1", "pocket-m3doc", "?", ("red",), gold_documents=("g",)),
    Question("q2", "pocket-m3doc", "?", ("blue",)),
)


def test_rows_follow_the_questions_and_means_are_by_hand() -> None:
    runs = [
        record("q2", answer=("blue sky",), tools=(call("read_media", model_calls=2),)),
        record("q1", answer=("red",), answer_visible=True, searches=(search(hit("g")), search(hit("x")))),
    ]
    rows = measure("m3docvqa", QUESTIONS, runs)
    assert [row.question_id for row in rows] == ["q1", "q2"]
    mean = summarise(rows)
    assert (mean.n, mean.failed, mean.em) == (2, 0, 0.5)
    assert mean.f1 == mean.primary == pytest.approx((1 + 2 / 3) / 2)
    assert (mean.r1, mean.document_found) == (1.0, 1.0)  # q2 has no gold documents
    assert (mean.searches, mean.reads, mean.no_read, mean.images_read) == (1.0, 0.5, 0.5, 1.0)
    assert mean.answer_visible == 0.5
    assert mean.locator_stopped_at_cap is None


def test_a_failed_run_scores_nothing_and_is_counted() -> None:
    runs = [record("q1", answer=("red",), status="failed", errors=("server gone",)), record("q2", answer=("blue",))]
    mean = summarise(measure("m3docvqa", QUESTIONS, runs))
    assert (mean.failed, mean.f1) == (1, 0.5)


@pytest.mark.parametrize(
    ("ids", "message"),
    [(["q1"], r"1 questions have no record \(first: \['q2'\]\)"), (["q1", "q1", "q2"], "'q1' has two records"),
     (["q1", "q2", "q9"], r"no question \(first: \['q9'\]\)")],
)  # fmt: skip
def test_records_must_match_the_questions(ids: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        measure("m3docvqa", QUESTIONS, [record(i) for i in ids])


def test_nothing_to_summarise() -> None:
    with pytest.raises(ValueError, match="no questions"):
        summarise([])
