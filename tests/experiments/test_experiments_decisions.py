"""Table D: which decisions of a run count, and whether yes was right there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fake_server import MODEL
from flow_recording import COUNT, checkout, record_with_fake

from common.benchmarks.question import Evidence, Question
from common.paths import Workspace
from common.records import Hit, RunRecord, Search, Verdict
from experiments.artefacts import compute, select
from experiments.joint.model_decisions import bridge_judge, workers
from flowreader.records import FlowRecord, Pass, Report

OPEN = Question("q1", "toy", "?", ("a",), gold_documents=("d1", "d2"))
CLOSED = Question(
    "q2", "toy", "?", ("a",), ("d1",), (Evidence("d1", 3, "text"), Evidence("d1", 5, "table")), document_id="d1"
)


def hit(document: str, page: int, fragment: str = "f") -> Hit:
    return Hit(fragment, document, page, "text", 1.0, 0.5, 0.5)


def judged_run(found: list[Hit], later: list[Hit], *, need_more: bool) -> RunRecord:
    searches = (Search("first", "locator", tuple(found)), Search("second", "judge", tuple(later)))
    blank = RunRecord("q", "toy", "knowforge", "M5", "m", "", "", "done")
    return replace(blank, searches=searches, verdict=Verdict(need_more))


@pytest.mark.parametrize(
    ("question", "found", "later", "more_is_right"),
    [
        (OPEN, [hit("d1", 1), hit("d2", 1)], [], False),
        (OPEN, [hit("d1", 1)], [hit("d2", 1)], True),  # what the judge's own searches find was missing before
        (CLOSED, [hit("d1", 3), hit("d1", 5)], [], False),
        (CLOSED, [hit("d1", 3), hit("d1", 4)], [], True),  # the document is right, a gold page is missing
    ],
)
@pytest.mark.parametrize("need_more", [True, False])
def test_more_is_right_where_the_searches_before_the_verdict_miss_gold(
    question: Question, found: list[Hit], later: list[Hit], more_is_right: bool, need_more: bool
) -> None:
    run = judged_run(found, later, need_more=need_more)
    assert list(bridge_judge(question, run)) == [(more_is_right, need_more)]


def test_no_gold_or_no_verdict_is_no_case() -> None:
    run = judged_run([hit("d1", 1)], [], need_more=True)
    assert not list(bridge_judge(replace(OPEN, gold_documents=()), run))
    assert not list(bridge_judge(OPEN, replace(run, verdict=None)))


def test_a_worker_is_right_to_support_a_path_over_a_gold_page() -> None:
    hits = (hit("d1", 3, "f3"), hit("d1", 4, "f4"))
    run = RunRecord("q2", "toy", "flowreader", "full", "m", "", "", "done", searches=(Search("k", "system1", hits),))
    reports = (
        Report(("f4", "f3"), "supported", "a"), Report(("f4",), "supported", "b"), Report(("f3",), "not_reported"),
        Report(("f3",), "unreadable"),
    )  # fmt: skip
    first = Pass((), (), (), 0.0, 0.0, 0.0, 0.0, (), 0, 0, 0.0, {}, reports)
    cases = list(workers(CLOSED, FlowRecord(run, passes=(first, first))))
    assert cases == [(True, True), (False, True), (True, False)]


def test_the_table_counts_pairs_and_verdicts_of_the_controls(tmp_path: Path) -> None:
    workspace = checkout(tmp_path)
    overrides = [f"model={MODEL}", "benchmark=pocket_m3doc"]
    variants = "full,no_system2,topk_rag,zero_shot,gold,gold_agree,gold_contrary"
    record_with_fake(workspace, [*overrides, "encoder=wordllama", f"variants=[{variants}]"])
    corpora = ["artefact.corpora.knowforge=[]", "artefact.corpora.flowreader=[pocket-m3doc]"]
    [entry] = select(["joint/model_decisions"], Workspace())
    found = compute(entry, workspace, [*overrides, *corpora])
    assert found.artefact is not None, found.error
    cases = found.artefact.frame.set_index("decision").filter(like="cases where")
    assert list(cases.loc["FlowReader consistency judge"]) == [COUNT, COUNT]  # one pair of each kind a question
    assert cases.loc["FlowReader gate"].sum() == COUNT
    assert cases.loc["FlowReader accuracy judge"].iloc[0] == 3 * COUNT  # three verdicts on each gold answer
