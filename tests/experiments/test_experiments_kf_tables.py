"""Tables 3 and 6 to 8, figure 3 and appendix B's noise on made-up traces, by hand; rows nobody recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from made_up import BENCHMARK, MODEL, make_record

from common.artefact import Artefact
from common.paths import Workspace
from common.plotting import save_pictures
from common.records import PoolStats, RunRecord, Search, Stage, ToolCall
from common.traces import RecordWriter, TraceKey
from experiments.artefacts import Entry, artefact_config, compute
from experiments.printed import published

TABLES = (
    "table03_round_caps", "figure03_round_caps", "table06_full_runs", "table07_modality_hops", "table08_cap_usage",
    "appendixB_noise",
)  # fmt: skip
Fill = Callable[..., None]


def table(workspace: Workspace, name: str, *overrides: str) -> Artefact:
    outcome = compute(Entry("knowforge", name), workspace, overrides)
    assert outcome.artefact is not None, outcome.error
    return outcome.artefact


def cells(artefact: Artefact, label: str, origin: str = "replica", key: int = 0) -> dict[str, Any]:
    """The cells of one row by short column name."""
    row = next(row for row in artefact.frame.itertuples(index=False) if row[key] == label)
    return {c.name: v for c, v in zip(artefact.columns, row, strict=True) if c.origin == origin}


def write(workspace: Workspace, system: str, records: list[RunRecord]) -> None:
    with RecordWriter(TraceKey(BENCHMARK, MODEL, "knowforge", system), workspace.records) as writer:
        for record in records:
            writer.append(replace(record, system=system))


def verdicts(artefact: Artefact) -> dict[str, str]:
    return {claim.claim: claim.verdict for claim in artefact.claims}


@pytest.mark.parametrize("name", TABLES)
def test_without_traces_it_says_what_to_record(workspace: Workspace, fill: Fill, name: str) -> None:
    fill(0)
    outcome = compute(Entry("knowforge", name), workspace)
    assert outcome.unrecorded and "python -m experiments record systems=[" in outcome.error


def test_a_system_that_a_table_cannot_do_without_is_named(workspace: Workspace, fill: Fill) -> None:
    fill(3)
    TraceKey(BENCHMARK, MODEL, "knowforge", "M5").path(workspace.records).unlink()
    outcome = compute(Entry("knowforge", "appendixF_worked_example"), workspace)
    assert outcome.unrecorded and "M5 0)" in outcome.error


@pytest.mark.parametrize("name", TABLES)
def test_every_printed_cell_of_the_item_is_shown(workspace: Workspace, fill: Fill, name: str) -> None:
    fill(3)
    shown = {str(value) for value in table(workspace, name).frame.to_numpy().ravel()}
    used = {part for value in shown for part in (value, *value.split(":"), *value.split(", "))}
    item = "text_appendix_m3docvqa" if name == "appendixB_noise" else name
    places = ("Appendix B, noise",) if name == "appendixB_noise" else ()
    kept = [c for c in published().cells if c.item == item and not c.blank and (not places or c.place in places)]
    kept = [c for c in kept if c.column not in ("runs", "low", "middle", "high", "subset") and "error" not in c.column]
    assert kept and not [c.address for c in kept if not {c.value, *c.value.split(", ")} & used]


def test_a_row_nobody_recorded_keeps_its_printed_cells_and_takes_no_question(workspace: Workspace, fill: Fill) -> None:
    fill(8, wrong={"M5": {0, 1}})
    made = table(workspace, "table03_round_caps")
    assert made.sources[0].n == 8
    assert cells(made, "2+2", "published")["F1"] == "46.7" and set(cells(made, "2+2").values()) == {None}
    assert cells(made, "0+0")["F1"] == 100.0 and cells(made, "4+4")["F1"] == 75.0
    assert cells(made, "0+0")["F1 cost"] == -25.0 and cells(made, "0+0")["flips vs 4+4"] == "2:0"
    assert made.notes[-1].startswith("Not recorded") and "M5-2+2" in made.notes[-1] and "S4" not in made.notes[-1]
    assert verdicts(made)["4+4 above 3+3 in F1"] == "no data"
    assert verdicts(made)["4+4 above 0+0 in F1"] == "not resolved"


def test_a_row_recorded_on_fewer_questions_shrinks_n_and_a_failed_one_is_named(
    workspace: Workspace, fill: Fill
) -> None:
    fill(6)
    write(workspace, "M5-2+2", [make_record(0, "x"), make_record(1, "x"), make_record(2, "x", status="failed")])
    made = table(workspace, "table03_round_caps")
    assert made.sources[0].n == 2 and cells(made, "2+2")["n"] == 2
    assert "Failed runs, left out: M5-2+2: q2." in made.notes
    assert "Left out because a system has not run them: M5-2+2: 3." in made.notes
    reads = "artefact.reads.knowforge=[S4,M5]"
    assert table(workspace, "table03_round_caps", reads).sources[0].n == 6


def test_a_system_that_only_failed_is_not_passed_over(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    write(workspace, "M5-2+2", [make_record(0, "x", status="failed")])
    notes = " ".join(table(workspace, "table03_round_caps").notes)
    assert "Failed runs, left out: M5-2+2: " in notes and "without replica" in notes


def test_single_role_cuts_show_what_the_paper_prints_of_them(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    write(workspace, "M5-1+4", [make_record(n, "x", answer="nobody" if n else None) for n in range(2)])
    made = table(workspace, "table03_round_caps")
    printed = cells(made, "1+4", "published")
    assert (printed["F1"], printed["Loc calls"], printed["Read calls"], printed["F1 cost"]) == (
        None, "2.15", "0.77", "2.1",
    )  # fmt: skip
    assert cells(made, "1+4")["F1 cost"] == 50.0
    figure = table(workspace, "figure03_round_caps")
    assert cells(figure, "1+4", "verdict", key=1)["F1 from the printed cost"] == pytest.approx(48.8)
    assert cells(figure, "1+4", key=1)["F1"] == 50.0 and cells(figure, "4+4", key=1)["F1"] == 100.0


def test_figure_draws_whatever_exists(workspace: Workspace, fill: Fill) -> None:
    fill(3)
    made = table(workspace, "figure03_round_caps")
    assert [row[1] for row in made.frame.itertuples(index=False)][:3] == ["0+0", "1+1", "2+2"]
    workspace.figures.mkdir(parents=True)
    assert all(path.stat().st_size > 5000 for path in save_pictures(made, workspace.figures / made.name))


def test_cap_usage_counts_both_readings(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    call, read = ToolCall("locator", "list_books", {}, True), ToolCall("reader", "fragment_context", {}, True)
    searches = (Search("a", "locator", ()), Search("b", "judge", ()), Search("c", "judge", ()))
    stages = (Stage("locator", 2, 2, "cap"), Stage("reader", 2, 2, "final"))
    one = make_record(0, "x", tools=(call, call, read), searches=searches, stages=stages, elapsed_s=10.0)
    stages = (Stage("locator", 1, 2, "final"), Stage("reader", 2, 2, "cap"))
    two = make_record(1, "x", tools=(call, read), searches=searches[:1], stages=stages, elapsed_s=20.0)  # and bad JSON
    write(workspace, "M5-2+2", [one, two])
    made = table(workspace, "table08_cap_usage", "artefact.timed=null")
    assert cells(made, "2+2") == {
        "n": 2, "Loc. calls": 2.5, "searches": 2.0, "Loc. stopped by cap": 50.0, "Loc. calls = cap": 50.0,
        "Read calls": 1.0, "Zero reads": 0.0, "Read stopped by cap": 50.0, "Read calls = cap": 0.0,
        "model calls": 2.0, "p50": 15.0, "p90": pytest.approx(19.0),
    }  # fmt: skip
    assert cells(made, "2+2", "published")["Loc. at cap"] == "70"


def test_times_under_other_load_are_left_out(workspace: Workspace, fill: Fill) -> None:
    fill(3)
    write(workspace, "M5-6+6", [make_record(n, "x", elapsed_s=900.0) for n in range(3)])
    made = table(workspace, "table08_cap_usage", "artefact.timed=[4+4]")
    assert cells(made, "4+4")["p50"] == 4.5 and cells(made, "6+6")["p50"] is None
    assert verdicts(made)["6+6 above 4+4 in seconds"] == "no data"
    assert any(note.startswith("Times of 4+4: ") for note in made.notes)
    nothing = table(workspace, "table08_cap_usage", "artefact.timed=[]")
    assert verdicts(nothing)["4+4 above 0+0 in seconds"] == "no data" and nothing.claims[-1].source.n == 3
    everything = table(workspace, "table08_cap_usage", "artefact.timed=null")
    assert cells(everything, "6+6")["p90"] == 900.0 and not any("Times of" in note for note in everything.notes)
    assert cells(table(workspace, "table06_full_runs", "artefact.timed=[P1]"), "M5")["Time p50"] is None


def test_one_shot_has_no_agent_to_count(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    write(workspace, "S4", [make_record(n, "S4", stages=(), tools=(), verdict=None) for n in range(2)])
    ours = cells(table(workspace, "table08_cap_usage"), "0+0")
    assert ours["searches"] == 1.0 and ours["p50"] == 4.5
    assert {ours[name] for name in ("Loc. calls", "Read calls", "Zero reads", "Loc. stopped by cap")} == {None}
    ours = cells(table(workspace, "table03_round_caps"), "0+0")
    assert ours["Loc calls"] is None and ours["Read calls"] is None


def test_full_runs_test_each_row_against_its_printed_reference(workspace: Workspace, fill: Fill) -> None:
    fill(4, wrong={"P0": {0, 1}, "M5": {3}})
    write(workspace, "M4", [make_record(n, "x", answer="nobody" if n < 3 else None) for n in range(4)])
    write(workspace, "S0", [make_record(n, "x", searches=(), answer_visible=False) for n in range(4)])
    made = table(workspace, "table06_full_runs")
    assert cells(made, "M5")["flips vs ref."] == "3:1" and cells(made, "M5", "published")["flips vs ref."] == "206:155"
    assert cells(made, "P0")["flips vs ref."] == "1:2" and cells(made, "P0", "published")["ref."] == "M5"
    assert cells(made, "S4")["flips vs ref."] is None  # its reference S1 is not recorded
    assert cells(made, "M4")["F1"] == 25.0 and cells(made, "M5")["Time p50"] == 4.5
    closed = cells(made, "S0")
    assert closed["F1"] == 100.0 and {closed[n] for n in ("R@1", "R@all", "Doc found", "Ans. visible")} == {None}
    assert set(cells(made, "M5 Flash").values()) == {None}
    assert verdicts(made)["M5 above M5VEC in F1"] == "no data" and verdicts(made)["M5 above M4 in F1"] == "not resolved"


def test_small_differences_are_no_flips_in_table_6(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    write(workspace, "M4", [make_record(n, "x") for n in range(2)])
    assert cells(table(workspace, "table06_full_runs"), "M5")["flips vs ref."] == "0:0"
    write(workspace, "M4", [make_record(n, "x", answer=f"Name {n} xx") for n in range(2)])  # F1 0.8
    assert cells(table(workspace, "table06_full_runs"), "M5")["flips vs ref."] == "2:0"
    assert cells(table(workspace, "table06_full_runs", "artefact.margin=25.0"), "M5")["flips vs ref."] == "0:0"


def test_buckets_have_their_own_n(workspace: Workspace, fill: Fill) -> None:
    fill(5, wrong={"M5": {0, 1}})  # questions 1 and 3 need two documents; none names a modality
    made = table(workspace, "table07_modality_hops")
    assert [source.n for source in made.sources] == [0, 2, 3, 5]  # made-up runs have no pool
    assert cells(made, "M5")["multi"] == 50.0 and cells(made, "M5")["single"] == pytest.approx(200 / 3)
    assert cells(made, "M5")["image"] is None and cells(made, "bucket size") == {
        "image": "0", "table": "0", "text": "0", "multi": "2", "single": "3",
        "trimmed": "0", "untrimmed": "0", "first-hit": "5",
    }  # fmt: skip
    assert cells(made, "bucket size", "published")["table"] == "1,265"
    assert verdicts(made)["M5 above P0 in F1 of image questions"] == "no data"


def test_table07_splits_by_the_pool_and_the_first_hit_of_m5(workspace: Workspace, fill: Fill) -> None:
    fill(4, wrong={"P1": {0}})
    full, cut = (PoolStats("chars", 10, size, min(size, 10), size - 10, ()) for size in (10, 12))
    write(workspace, "M4", [make_record(n, "M4", answer="nobody") for n in range(4)])
    TraceKey(BENCHMARK, MODEL, "knowforge", "M5").path(workspace.records).unlink()
    write(workspace, "M5", [make_record(n, "M5", pool=cut if n == 3 else full) for n in range(4)])
    made = table(workspace, "table07_modality_hops")
    sizes = cells(made, "bucket size")
    assert (sizes["trimmed"], sizes["untrimmed"], sizes["first-hit"]) == ("1", "3", "4")
    assert (cells(made, "M4", "published")["trimmed"], cells(made, "bucket size", "published")["untrimmed"]) == (
        "28.9", "1,630",
    )  # fmt: skip
    details = {claim.claim: claim.detail for claim in made.claims}
    assert "flips 3:0" in details["M5 above M4 in F1 of untrimmed questions"]
    assert "flips 1:0" in details["M5 above P1 in F1 of first-hit questions"]
    assert any("P1 - M5 alone, -6.5." in note for note in made.notes)


def test_noise_compares_the_runs_of_one_system(workspace: Workspace, fill: Fill) -> None:
    fill(4)
    other = (Search("another query", "locator", ()),)
    second = [make_record(n, "M5", sample=1, answer="nobody" if n == 0 else None) for n in range(4)]
    third = [make_record(n, "M5", sample=2, searches=other) for n in range(3)]
    write(workspace, "M5", [*second, *third])
    made = table(workspace, "appendixB_noise")
    assert made.sources[0].n == 3
    assert cells(made, "M5 run 1")["F1"] == 100.0 and cells(made, "M5 run 1")["flips vs run 1"] is None
    two, three, whole = (cells(made, label) for label in ("M5 run 2", "M5 run 3", "M5, all its runs"))
    assert two["F1"] == pytest.approx(200 / 3) and two["flips vs run 1"] == "0:1" and two["same searches"] == 100.0
    assert three["flips vs run 1"] == "0:0" and three["same searches"] == 0.0 and three["sd"] == 0.0
    assert two["sd"] == pytest.approx((1 / 3) ** 0.5)  # differences 1, 0, 0
    assert whole["F1"] == pytest.approx(100 / 3) and whole["sd"] == pytest.approx((2 / 9) ** 0.5)
    assert cells(made, "M4 run 2", "published")["flips vs run 1"] == "179:184"
    assert made.notes[-1].endswith("M4 run 1, M4 run 2, M4 run 3.")


def test_noise_with_one_run_shows_that_run_alone(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    made = table(workspace, "appendixB_noise")
    assert cells(made, "M5 run 1")["F1"] == 100.0 and set(cells(made, "M5, all its runs").values()) == {None}
    assert cells(made, "M5, all its runs", "published") == {"F1": "0.4", "flips vs run 1": None, "sd": "0.344"}


def test_claims_of_a_measure_without_scores_are_refused(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    entry = Entry("knowforge", "table06_full_runs")
    error = compute(entry, workspace, ["+artefact.claims.luck=[[M5,S4,here]]"]).error
    assert "no scores of 'luck'" in error and "documents found" in error


@pytest.mark.parametrize("name", TABLES)
def test_audit_hooks_name_claims_that_exist(workspace: Workspace, fill: Fill, name: str) -> None:
    from common.claims import load_claims

    fill(2)
    named = {
        claim.replica["claim"]
        for claim in load_claims(workspace.published / "claims")
        if claim.replica and claim.replica["artefact"] == f"knowforge/{name}"
    }
    assert named <= set(verdicts(table(workspace, name)))
    assert artefact_config(Entry("knowforge", name), workspace).artefact.reads.knowforge
