"""Table 4, 10, 11, refusals and the head-to-head table from made-up records whose numbers can be counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import pytest
from made_up import MODEL, make_document

from common.artefact import Artefact
from common.benchmarks.mmlongbench import question_from_entry
from common.benchmarks.question import Question
from common.claims import load_claims
from common.paths import Workspace
from common.records import Hit, RunRecord, Search, Usage
from common.traces import RecordWriter, TraceKey, write_snapshot
from experiments.artefacts import Entry, artefact_config, compute, reads, select
from experiments.joint import head_to_head
from experiments.running.outline import Coverage, write_outline

REFUSAL = {"mmlongbench": "Not answerable", "pocket-mhr": "Insufficient information"}
# pages, sources, format, answer: two questions of single-source tables, one of each other kind
SAMPLES = [
    ("[1]", "['Table']", "Int", "4"),
    ("[1]", "['Table']", "Str", "red"),
    ("[2, 3]", "['Chart', 'Table']", "Float", "0.5"),
    ("[2, 4]", "['Figure']", "List", "['a', 'b']"),
    ("[]", "['Pure-text (Plain-text)']", "Str", "blue"),
    ("[]", "[]", "None", "Not answerable"),
]
# Scores of the six questions by system; a refusal is None and right only on the last one.
SCORES: dict[str, list[float | None]] = {
    "S4": [0.0, None, None, 0.0, 1.0, None],
    "M5-1+1": [1.0, None, 0.0, 0.0, 1.0, None],
    "M5": [1.0, 0.75, 1.0, 0.0, 1.0, 0.0],
    "P1": [1.0, None, 0.0, 0.0, 1.0, None],
}
TYPES = ("inference_query", "comparison_query", "temporal_query", "null_query")


def mmlong() -> list[Question]:
    made = []
    for number, (pages, sources, form, answer) in enumerate(SAMPLES):
        entry = {
            "doc_id": "d.pdf", "doc_type": "Report", "question": f"Question {number}?", "answer": answer,
            "evidence_pages": pages, "evidence_sources": sources, "answer_format": form,
        }  # fmt: skip
        made.append(question_from_entry(entry, number, "made up"))
    return made


def news() -> list[Question]:
    gold = ("doc-0", "doc-1")
    return [
        Question(
            f"mh{n}", "pocket-mhr", f"What {n}?", (REFUSAL["pocket-mhr"] if n == 3 else "Yes",),
            () if n == 3 else gold, question_type=kind, answerable=n != 3, hops=2,
        )
        for n, kind in enumerate(TYPES)
    ]  # fmt: skip


def record(question_id: str, benchmark: str, method: str, system: str, answer: str, **more: object) -> RunRecord:
    return RunRecord(
        question_id, benchmark, method, system, MODEL, config_hash="hash", commit="commit",
        status="done", answer=(answer,), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def scored(number: int, method: str, system: str, score: float | None, *, calls: int = 3) -> RunRecord:
    """A redacted run of MMLongBench-Doc: its score is in its facts. None refuses."""
    refused = score is None
    value = float(number == 5) if score is None else score
    answer = REFUSAL["mmlongbench"] if refused else "something"
    facts = {"scoring": {"answer": [answer], "scores": {"mmlongbench": [value, float(value == 1), value]}}}
    usage = {"worker": Usage(calls - 1, 100, 0, 10, 2.0), "checker": Usage(1, 50, 0, 5, 1.0)}
    return record(f"full-{number:04d}", "mmlongbench", method, system, answer, facts=facts, usage=usage, redacted=True)


def write(workspace: Workspace, method: str, runs: Mapping[str, list[RunRecord]]) -> None:
    for system, made in runs.items():
        with RecordWriter(TraceKey(made[0].benchmark, MODEL, method, system), workspace.records) as writer:
            for one in made:
                writer.append(one)


def record_mmlong(workspace: Workspace) -> None:
    coverage = Coverage(48, 135, 411, 1082)
    write_outline(workspace.outline("mmlongbench"), mmlong(), {"smoke": ("full-0000",)}, coverage)
    write(workspace, "knowforge", {s: [scored(n, "knowforge", s, v) for n, v in enumerate(SCORES[s])] for s in SCORES})


def record_news(workspace: Workspace) -> None:
    """M5 finds both articles, S4 the first alone; S4 refuses everything, M5 nothing but the null question."""
    write_snapshot(workspace.corpus("pocket-mhr"), news(), {}, [make_document(n) for n in range(2)], workspace.cache)
    hits = [Hit(f"frag_{n:016x}", f"doc-{n}", 1, "text", 9.5, 0.5, 3.25) for n in range(2)]
    for system, found, refused in (("S4", hits[:1], True), ("M5", hits, False)):
        runs = [
            record(
                question.question_id, "pocket-mhr", "knowforge", system,
                REFUSAL["pocket-mhr"] if refused or not question.answerable else "Yes",
                searches=(Search("what", "locator", tuple(found)),),
            )
            for question in news()
        ]  # fmt: skip
        write(workspace, "knowforge", {system: runs})


def made(name: str, workspace: Workspace) -> Artefact:
    [entry] = select([name], workspace)
    outcome = compute(entry, workspace)
    assert outcome.artefact is not None, outcome.error
    return outcome.artefact


def cell(artefact: Artefact, label: str, column: str, corpus: str = "", *, first: str = "") -> object:
    """The cell of the row whose first columns are `label` (and `first` before it)."""
    [name] = [c for c in artefact.frame.columns if c.startswith(column) and corpus in c]
    frame: pd.DataFrame = artefact.frame
    keep = (frame.iloc[:, 0] == first) & (frame.iloc[:, 1] == label) if first else frame.iloc[:, 0] == label
    return frame.loc[keep, name].item()


@pytest.mark.parametrize(
    "name",
    ["table04_transfer", "table10_mmlongbench_buckets", "table11_multihop_retrieval", "appendixE_refusals",
     "head_to_head"],
)  # fmt: skip
def test_without_traces_the_command_that_records_them_is_named(workspace: Workspace, name: str) -> None:
    [entry] = select([name], workspace)
    outcome = compute(entry, workspace)
    assert outcome.artefact is None and outcome.unrecorded
    assert "python -m experiments record systems=[" in outcome.error


def test_table04_by_bucket(workspace: Workspace) -> None:
    record_mmlong(workspace)
    record_news(workspace)
    table = made("table04_transfer", workspace)
    assert [str(s) for s in table.sources] == [
        f"mmlongbench (48 of 135 documents), {MODEL}, n = 6", f"pocket-mhr, {MODEL}, n = 4",
    ]  # fmt: skip
    mm = "mmlongbench"
    assert cell(table, "MMLongBench-Doc All", "published M5") == "47.0"
    assert cell(table, "MMLongBench-Doc All", "replica n", mm) == 6
    assert cell(table, "MMLongBench-Doc All", "replica M5", mm) == pytest.approx(100 * 3.75 / 6)
    assert cell(table, "MMLongBench-Doc All strict", "replica M5", mm) == pytest.approx(100 * 3 / 6)
    assert cell(table, "MMLongBench-Doc Answerable", "replica S4", mm) == pytest.approx(100 * 1 / 5)
    assert cell(table, "MMLongBench-Doc Unanswerable", "replica S4", mm) == 100
    assert cell(table, "MMLongBench-Doc Table", "replica n", mm) == 2  # the third has a chart too
    assert cell(table, "MMLongBench-Doc Chart", "replica n", mm) == 0
    assert cell(table, "MMLongBench-Doc Chart", "replica M5", mm) is None
    assert cell(table, "MMLongBench-Doc F1", "published M5") == "41.4"
    recall, precision = 1 / 5, 1 / 3  # S4 gives three answers, one of them right, to five answerable questions
    f1 = 2 * recall * precision / (recall + precision)
    assert cell(table, "MMLongBench-Doc F1", "replica S4", mm) == pytest.approx(100 * f1)
    assert cell(table, "MMLongBench-Doc All", "replica M5", "pocket-mhr") is None
    assert cell(table, "MultiHop-RAG Null", "replica S4", "pocket-mhr") == 100
    assert cell(table, "MultiHop-RAG All evidence found", "replica M5", "pocket-mhr") == 100
    assert cell(table, "MultiHop-RAG All evidence found", "replica S4", "pocket-mhr") == 0
    assert cell(table, "MultiHop-RAG False refusals", "replica S4", "pocket-mhr") == 100
    assert cell(table, "MultiHop-RAG False refusals", "replica 1+1", "pocket-mhr") is None
    verdicts = {claim.claim: claim for claim in table.claims}
    assert verdicts["M5 above S4 in MMLongBench-Doc All"].source.n == 6
    assert verdicts["M5 above S4 in MultiHop-RAG All evidence found"].source.n == 3
    assert verdicts["M5 above 1+1 in MultiHop-RAG All"].verdict == "no data"
    assert any("of 24 scored answers 24 were taken out of the reply" in note for note in table.notes)
    # S4 is right on one of four; the first script prints (1 + 3) / (1 + 3 + 3 + 3)
    assert any(note.endswith("stop words alone: S4 25.0, 40.0, 0; M5 100.0, 100.0, 0.") for note in table.notes)


def test_table04_of_one_corpus_says_what_is_missing(workspace: Workspace) -> None:
    record_news(workspace)
    table = made("table04_transfer", workspace)
    assert [s.corpus for s in table.sources] == ["pocket-mhr"]
    assert "MMLongBench-Doc: nothing is recorded on mmlongbench, so its rows have no replica." in table.notes
    assert any("M5-1+1, P1" in note for note in table.notes)
    verdicts = {claim.claim: (claim.verdict, claim.source.n) for claim in table.claims}
    assert verdicts["M5 above P1 in MMLongBench-Doc All"] == ("no data", 0)  # the audit finds each claim it points at


def test_table10_counts_a_question_in_each_of_its_sources(workspace: Workspace) -> None:
    record_mmlong(workspace)
    table = made("table10_mmlongbench_buckets", workspace)
    sizes = {label: cell(table, label, "replica n") for label in table.frame.iloc[:, 0]}
    assert sizes == {
        "Single-page": 3, "Cross-page": 2, "Unanswerable": 1, "Format Int": 1, "Format Str": 2, "Format Float": 1,
        "Format List": 1, "Source Text": 1, "Source Table": 3, "Source Chart": 1, "Source Figure": 1,
        "Source Layout": 0, "Document Report": 6,
    }  # fmt: skip
    assert cell(table, "Document Report", "published n") is None
    assert cell(table, "Document Report", "replica M5") == pytest.approx(100 * 3.75 / 6)
    assert cell(table, "Source Table", "replica M5") == pytest.approx(100 * 2.75 / 3)
    assert cell(table, "Single-page", "replica P1") == pytest.approx(100 * 2 / 3)
    assert cell(table, "Single-page", "published P1") == "26"


def test_table11_recall_and_the_benchmarks_own_measures(workspace: Workspace) -> None:
    record_news(workspace)
    table = made("table11_multihop_retrieval", workspace)
    assert cell(table, "M5", "replica n", first="All non-null") == 3
    names = ("R@1", "R@3", "R@all", "Hits@4", "MRR@10")
    assert [cell(table, "M5", f"replica {name}", first="Temporal") for name in names] == [50, 100, 100, 100, 100]
    assert [cell(table, "S4", f"replica {name}", first="Temporal") for name in names] == [50, 50, 50, 100, 100]
    mean = cell(table, "M5", "replica MAP@10", first="Temporal")
    assert mean == pytest.approx(100 * (1 + 1 / 2) / 2)  # first sights alone
    assert any("0.747" in note for note in table.notes)


def test_table11_tests_what_the_text_says_of_one_shot_and_pipeline(workspace: Workspace) -> None:
    record_news(workspace)
    table = made("table11_multihop_retrieval", workspace)
    printed = [cell(table, "S4", f"published {name}", first="All non-null") for name in ("R@3", "R@8", "R@all")]
    assert printed == [None, "73.9", "76.7"] and cell(table, "S4", "published R@8", first="Temporal") is None
    tested = {claim.claim: (claim.detail, claim.source.n) for claim in table.claims}
    assert set(tested) == {"S4 above M5 in MultiHop-RAG R@8", "M5 above S4 in MultiHop-RAG R@all"}
    detail, n = tested["M5 above S4 in MultiHop-RAG R@all"]
    assert detail.startswith("+50.0") and "flips 3:0" in detail and n == 3  # the null question has no articles


def test_refusals_and_what_becomes_of_them(workspace: Workspace) -> None:
    record_mmlong(workspace)
    record_news(workspace)
    table = made("appendixE_refusals", workspace)
    mm = {"corpus": "mmlongbench", "first": "MMLongBench-Doc"}
    assert cell(table, "S4", "replica refused (", **mm) == 3
    assert cell(table, "S4", "replica refused, answerable", **mm) == 2
    assert cell(table, "S4", "replica false rate", **mm) == pytest.approx(40)
    assert cell(table, "M5", "replica null refused", **mm) == 0
    assert cell(table, "M5", "replica of S4's false", **mm) == 1  # the third question; the second scores .75
    assert cell(table, "M5", "published refused, answerable", first="MMLongBench-Doc") == "274"
    assert cell(table, "P1", "published refused, answerable", first="MMLongBench-Doc") is None
    assert cell(table, "S4", "published refused, answerable", first="MultiHop-RAG") == "409"
    assert cell(table, "S4", "replica refused, answerable", "pocket-mhr", first="MultiHop-RAG") == 3
    verdicts = {claim.claim: claim.source.n for claim in table.claims}
    assert verdicts["S4 above M5 in false refusals on MMLongBench-Doc"] == 5


def test_head_to_head_pairs_both_methods_and_holds_them_to_the_budget(workspace: Workspace) -> None:
    record_mmlong(workspace)
    full = [scored(n, "flowreader", "full", 1.0, calls=20 if n < 2 else 16) for n in range(5)]
    write(workspace, "flowreader", {"full": full})
    table = made("head_to_head", workspace)
    assert all(source.n == 5 for source in table.sources)  # FlowReader has not run the sixth
    assert cell(table, "FlowReader full", "replica accuracy") == 100
    assert cell(table, "FlowReader full", "replica within budget") == pytest.approx(60)
    assert cell(table, "FlowReader full", "replica calls/q") == pytest.approx((2 * 20 + 3 * 16) / 5)
    assert cell(table, "FlowReader full", "replica most calls") == 20
    assert cell(table, "KnowForge S4", "replica refused, answerable") == 2
    assert cell(table, "KnowForge S4", "replica model s/q") == pytest.approx(3.0)
    assert cell(table, "FlowReader full", "replica flips vs") == "2:0"
    assert cell(table, "FlowReader topk_rag", "replica accuracy") is None
    verdicts = {claim.claim: claim.verdict for claim in table.claims}
    assert verdicts["FlowReader full above FlowReader topk_rag in accuracy"] == "no data"
    assert any("FlowReader topk_rag, FlowReader no_system2" in note for note in table.notes)
    assert any("Left out because a system has not run them: FlowReader full: 1." in note for note in table.notes)
    assert any("0 of KnowForge's 20 and 0 of FlowReader's 5" in note for note in table.notes)


def test_head_to_head_adds_up_all_stages() -> None:
    used = head_to_head.spent(scored(0, "flowreader", "full", 1.0, calls=7))
    assert (used.calls, used.prompt_tokens, used.completion_tokens, used.seconds) == (7, 150, 15, 3.0)


def test_every_claim_the_audit_points_at_is_made(workspace: Workspace) -> None:
    record_news(workspace)
    record_mmlong(workspace)
    wanted = [claim.replica for claim in load_claims(workspace.published / "claims") if claim.replica]
    for name in ("table04_transfer", "table10_mmlongbench_buckets", "table11_multihop_retrieval", "appendixE_refusals"):
        pointed = {claim["claim"] for claim in wanted if claim["artefact"] == f"knowforge/{name}"}
        assert pointed and pointed <= {claim.claim for claim in made(name, workspace).claims}


def test_an_artefact_of_several_benchmarks_reads_the_traces_of_all(workspace: Workspace) -> None:
    keys = reads(artefact_config(Entry("knowforge", "table04_transfer"), workspace))
    assert {key.benchmark for key in keys} == {"mmlongbench", "pocket-mhr"} and len(keys) == 8
