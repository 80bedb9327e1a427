"""Artefacts from made-up traces: numbers, verdicts, renderings, determinism, failures."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from made_up import BENCHMARK, MODEL, SYSTEMS

from common.artefact import Artefact, Column, Source, exact, shown
from common.files import write_atomic
from common.paths import Workspace
from common.render import SUFFIXES, latex, markdown, write_artefact
from common.traces import TraceError, TraceKey
from experiments.__main__ import main
from experiments.artefacts import Entry, UnknownArtefact, artefact_config, compute, discover, select
from experiments.config import ConfigError
from experiments.direction import against, direction_claims
from experiments.matrix import BEGIN, END, matrix, update_readme
from experiments.regenerate import regenerate, run_command
from experiments.sealing import seal
from experiments.show_artefact import behind

TABLE = Entry("knowforge", "table02_role_ablation")
STORY = Entry("knowforge", "appendixF_worked_example")
Fill = Callable[..., None]


def table(workspace: Workspace, entry: Entry = TABLE, overrides: tuple[str, ...] = ()) -> Artefact:
    outcome = compute(entry, workspace, overrides)
    assert outcome.artefact is not None, outcome.error
    return outcome.artefact


def rows_of(artefact: Artefact) -> dict[str, dict[str, str]]:
    return {row["system"]: row for row in csv.DictReader(io.StringIO(artefact.csv()))}


def test_table02_counts_by_hand(workspace: Workspace, fill: Fill) -> None:
    fill(8, wrong={"S4": {0, 1, 2, 3}, "P1": {0}})
    rows = rows_of(table(workspace))
    source = f"(pocket-m3doc, {MODEL}, n = 8)"
    assert list(rows) == list(SYSTEMS)
    assert rows["S4"]["published F1"] == "40.4" and rows["M5"]["published F1"] == "47.5"
    assert rows["S4"][f"replica F1 {source}"] == "50.0000"
    assert rows["P1"][f"replica EM {source}"] == "87.5000"
    assert rows["S4"][f"replica flips vs M5 {source}"] == "0:4"
    assert rows["S4"][f"replica sign test p vs M5 {source}"] == "0.1250"  # 2 * (1/2)**4
    assert rows["M5"][f"replica flips vs M5 {source}"] == ""
    assert rows["M5"][f"replica No-read {source}"] == "0.00" and rows["P1"][f"replica No-read {source}"] == "100.00"


def test_direction_verdicts_follow_the_runs(workspace: Workspace, fill: Fill) -> None:
    everything = set(range(12))
    fill(12, wrong={"S4": everything, "P0": everything})
    verdicts = {claim.claim: claim.verdict for claim in table(workspace).claims}
    assert verdicts == {
        "P1 above S4 in F1": "reproduced", "P0 above P1 in F1": "opposite",
        "M5 above P0 in F1": "reproduced", "M5 above P1 in F1": "not resolved",
        "P0 above M5 in documents found": "not resolved", "P0 above M5 in searches": "not resolved",
        "P0 above P1 in reads": "not resolved", "M5 above P0 in reads": "reproduced",
    }  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 3])
def test_works_for_any_n(workspace: Workspace, fill: Fill, count: int) -> None:
    fill(count)
    assert {claim.verdict for claim in table(workspace).claims} == {"not resolved"}


def test_runs_lost_since_the_seal_are_told_and_nothing_is_written(
    workspace: Workspace, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(6)
    seal(workspace)
    assert regenerate(["table02_role_ablation"], [], workspace) == 0
    before = (workspace.figures / f"{TABLE.config}.csv").read_bytes()
    path = TraceKey(BENCHMARK, MODEL, "knowforge", "M5").path(workspace.records)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    capsys.readouterr()
    assert regenerate(["table02_role_ablation"], [], workspace) == 1
    told = capsys.readouterr().out
    assert f"FAILED table02_role_ablation: TraceError: {path} holds 4 runs of 6 sealed; restore it with git" in told
    assert "INCOMPLETE" in told and (workspace.figures / f"{TABLE.config}.csv").read_bytes() == before
    with pytest.raises(TraceError, match="holds 4 runs of 6 sealed"):
        list(behind(TABLE, workspace))
    path.unlink()
    assert "holds 0 runs of 6 sealed" in compute(TABLE, workspace).error
    path.write_bytes(b"".join([*lines, lines[0].replace(b'"q0"', b'"q6"')]))  # recorded since: more is no loss
    assert compute(TABLE, workspace).artefact is not None


def test_failed_questions_are_counted_and_named(workspace: Workspace, fill: Fill) -> None:
    fill(5, failed={"P0": {2}, "M5": {2, 4}})
    made = table(workspace)
    assert made.sources[0].n == 3
    assert made.notes == ("Failed runs, left out: P0: q2; M5: q2, q4.",)


def test_no_shared_question_says_what_to_record(workspace: Workspace, fill: Fill) -> None:
    fill(1, failed={system: {0} for system in SYSTEMS})
    outcome = compute(TABLE, workspace)
    assert outcome.artefact is None
    assert "P0 0" in outcome.error and "record systems=[S4,P1,P0,M5]" in outcome.error


def test_worked_example_takes_the_first_two_document_question_of_smoke(workspace: Workspace, fill: Fill) -> None:
    fill(6)  # q1, q3, q5 need two documents; the smoke subset runs backwards
    story = table(workspace, STORY)
    assert story.notes[0].startswith("Question q5:")
    steps = [(row[0], row[2]) for row in story.frame.itertuples(index=False)]
    assert ("M5", "read 1 (read_media)") in steps and ("S4", "read 1 (read_media)") not in steps
    assert [system for system, step in steps if step == "outcome"] == list(SYSTEMS)
    assert table(workspace, STORY, ("artefact.question=q1",)).notes[0].startswith("Question q1:")
    assert "q9 was not finished" in compute(STORY, workspace, ("artefact.question=q9",)).error


def test_worked_example_needs_a_two_document_question(workspace: Workspace, fill: Fill) -> None:
    fill(1)
    assert "needs two documents" in compute(STORY, workspace).error


def test_published_and_replica_are_never_mixed(workspace: Workspace, fill: Fill) -> None:
    fill(4)
    page = markdown(table(workspace))
    assert "F1 (published)" in page and "F1 (replica)" in page
    assert f"Replica measured on pocket-m3doc, {MODEL}, n = 4: not the paper's number." in page
    with pytest.raises(ValueError, match="on what it was measured"):
        Column("F1", "replica", "score")


def test_heads_tell_several_replicas_apart() -> None:
    one, two = Source("pocket-mhr", MODEL, 2), Source("mmlongbench", MODEL, 5)
    columns = [Column("system", "label"), Column("M5", "replica", "score", one), Column("M5", "replica", "score", two)]
    page = markdown(Artefact.from_rows("t", "knowforge", "Table T", "Title", columns, [["row", 1.0, 2.0]]))
    assert "| system | M5 (replica 1) | M5 (replica 2) |" in page
    assert f"Replica 2 measured on mmlongbench, {MODEL}, n = 5: not the paper's number." in page


@pytest.mark.parametrize(("cell", "told"), [("47.5", 1), (None, 0)])
def test_what_is_printed_is_told_where_something_is(cell: str | None, told: int) -> None:
    columns = [Column("system", "label"), Column("F1", "published")]
    page = markdown(Artefact.from_rows("t", "knowforge", "Table T", "Title", columns, [["ours", None], ["M5", cell]]))
    assert page.count("Published columns are as printed in the paper.") == told


def test_a_claim_on_questions_that_nobody_was_asked_has_no_data() -> None:
    source = Source("pocket-mhr", MODEL, 0)
    settings = {"measure": "F1", "margin": 0.0, "resamples": 10, "seed": 0}
    [verdict] = direction_claims([["M5", "S4", "5.1"]], {"M5": [], "S4": []}, source, **settings)
    assert (verdict.verdict, verdict.detail) == ("no data", "none of the questions is of this kind")


def test_a_claim_needs_two_questions_and_differences_beyond_its_margin() -> None:
    def verdict(n: int, margin: float) -> tuple[str, str]:
        scores, settings = {"A": [60.0] * n, "B": [58.0] * n}, {"measure": "F1", "resamples": 10, "seed": 0}
        [claim] = direction_claims([["A", "B", "1"]], scores, Source("c", "m", n), margin=margin, **settings)
        return claim.verdict, claim.detail.split(", ")[-3 if n > 1 else 0]

    assert verdict(1, 0.0) == ("not resolved", "n = 1: no paired test")
    assert verdict(8, 0.0) == ("reproduced", "flips 8:0") and verdict(8, 5.0) == ("not resolved", "flips 0:0")
    cells = [against([1.0] * n, [0.0] * n, margin=0.0, resamples=10, seed=0) for n in (1, 2)]
    assert [(flips, interval is None) for flips, _, interval in cells] == [("1:0", True), ("2:0", False)]


def test_claims_of_one_table_are_corrected_together() -> None:
    source, settings = Source("c", "m", 8), {"measure": "F1", "margin": 0.0, "resamples": 10, "seed": 0}
    scores = {"A": [1.0] * 8, "B": [0.0] * 8, "C": [0.0] * 6 + [1.0] * 2, "D": [0.0] * 5 + [1.0] * 3}
    claimed = [["A", "B", "1"], ["A", "C", "2"], ["A", "?", "3"], ["A", "D", "4"]]
    claims = direction_claims(claimed, scores, source, **settings)
    made = Artefact.from_rows("t", "p", "T", "Title", [Column("system", "label")], [["A"]], claims=claims)
    # Sign tests 8:0, 6:0 and 5:0, two-sided: 2 / 2^8 times 3, 2 / 2^6 times 2, 2 / 2^5; no test of "?".
    rows = [(row["Holm p"], row["verdict"]) for row in csv.DictReader(io.StringIO(made.claims_csv()))]
    beyond = ("0.0625", "not resolved")
    assert rows == [("0.0234", "reproduced"), beyond, ("", "no data"), beyond]
    assert claims[1].verdict == "reproduced", "alone, 6:0 would be enough"
    assert "corrected for the 3 tests of this table" in markdown(made)


def test_all_files_are_written_and_a_second_time_the_same(workspace: Workspace, fill: Fill) -> None:
    fill(4, wrong={"S4": {1}})
    made = table(workspace)
    first = {path: path.read_bytes() for path in write_artefact(made, workspace.figures)}
    assert {path.suffix for path in first} == set(SUFFIXES)
    again = {path: path.read_bytes() for path in write_artefact(table(workspace), workspace.figures)}
    assert first == again
    assert all(len(data) > 100 for data in first.values())


def test_latex_escapes_what_latex_would_eat() -> None:
    columns = [Column("a_b", "label"), Column("No-read", "replica", "percent", Source("c", "m", 2))]
    made = Artefact.from_rows("x", "knowforge", "Table 9", "50% & more", columns, [["S_4", 12.5]])
    text = latex(made)
    assert r"a\_b" in text and r"S\_4 & 12" in text and r"50\% \& more" in text


@pytest.mark.parametrize(
    ("value", "kind", "display", "csv_text"),
    [
        (47.46, "score", "47.5", "47.4600"), (None, "score", "–", ""), (float("nan"), "mean", "–", ""),
        (-0.00001, "score", "0.0", "0.0000"), (0.00001, "p", "<0.0001", "<0.0001"), (0.004, "p", "0.0040", "0.0040"),
        ((-1.25, 3.0), "interval", "[-1.2, 3.0]", "[-1.2500, 3.0000]"),
        ("<10^-12", "p", "<10^-12", "<10^-12"), (7, "count", "7", "7"),
    ],
)  # fmt: skip
def test_rounding_rules(value: object, kind: str, display: str, csv_text: str) -> None:
    assert (shown(value, kind), exact(value, kind)) == (display, csv_text)  # type: ignore[arg-type]


def test_regenerate_finishes_the_rest_after_a_failure(
    workspace: Workspace, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(1)  # enough for the table, not for the worked example that was made before
    made = workspace.figures / "knowforge" / f"{STORY.name}.csv"
    made.parent.mkdir(parents=True)
    made.write_text("made before\n")
    assert regenerate([TABLE.name, STORY.name], [], workspace) == 1
    printed = capsys.readouterr().out
    assert "FAILED appendixF_worked_example: none of the 1 questions" in printed and "1 of 2 artefacts" in printed
    states = {line.split()[0]: line.split()[-1] for line in printed.splitlines() if "pocket-m3doc, " in line}
    assert states[STORY.name] == "FAILED" and states[TABLE.name] == "complete"
    assert (workspace.figures / "knowforge" / "table02_role_ablation.csv").exists()
    index = (workspace.figures / "index.html").read_text()
    assert "Role ablation" in index and 'href="knowforge/table02_role_ablation.csv"' in index


def test_what_was_never_recorded_is_named_and_is_no_failure(
    workspace: Workspace, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    assert regenerate([TABLE.name], [], workspace) == 0
    assert "not recorded yet: table02_role_ablation: no question was finished" in capsys.readouterr().out
    table = workspace.figures / "knowforge" / "table02_role_ablation.csv"
    table.parent.mkdir(parents=True)
    table.write_text("made before\n")
    assert regenerate([TABLE.name], [], workspace) == 1  # its traces are lost
    assert "FAILED table02_role_ablation: no question was finished" in capsys.readouterr().out
    assert table.read_text() == "made before\n"


@pytest.mark.parametrize("names", [[], [TABLE.name]])
def test_a_misspelt_override_is_told_once_and_nothing_is_computed(names: list[str], workspace: Workspace) -> None:
    with pytest.raises(ConfigError, match="^no field 'benchmrk'; known: "):
        regenerate(names, ["benchmrk=x"], workspace)
    assert not workspace.figures.exists()
    with pytest.raises(ConfigError, match="^model=nosuch: no such choice; known: "):
        run_command(TABLE.name, ["model=nosuch"], workspace)


def test_the_list_fits_the_terminal_and_is_plain_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["list"]) == 0
    piped = capsys.readouterr().out.splitlines()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["list"]) == 0
    shown = capsys.readouterr().out.splitlines()
    entries = discover(Workspace())
    assert len(piped) == len(entries) + 2 and max(map(len, shown)) <= 80 < max(map(len, piped))
    assert [line.split()[0] for line in shown[2:] if line[0] != " "] == [entry.name for entry in entries]
    assert " ".join(shown).split().count("pocket-m3doc,") == " ".join(piped).split().count("pocket-m3doc,")


def test_matrix_says_state_and_readme_takes_it(workspace: Workspace, fill: Fill) -> None:
    [row] = matrix([TABLE], workspace)
    assert row.state == "no traces of S4, P1, P0, M5"
    fill(2)
    [row] = matrix([TABLE], workspace)
    assert row.state == "recorded, not made"
    readme = workspace.root / "README.md"
    readme.write_text(f"# x\n{BEGIN}\nold\n{END}\nrest\n")
    workspace.figures.mkdir()
    write_atomic(workspace.figures / "audit.csv", "id,verdict\na,consistent\nb,rounding\n")
    rows = matrix(discover(workspace), workspace)
    assert update_readme(rows, workspace) and not update_readme(rows, workspace)
    assert "2 printed claims" in readme.read_text() and "1 consistent, 1 rounding" in readme.read_text()
    assert "table02_role_ablation" in readme.read_text() and readme.read_text().endswith("rest\n")


def test_discovery_is_by_file_name(workspace: Workspace) -> None:
    (workspace.experiments / "joint").mkdir(exist_ok=True)
    (workspace.experiments / "joint" / "table99_new.py").write_text("")
    (workspace.experiments / "joint" / "_shared.py").write_text("")
    names = [entry.name for entry in discover(workspace)]
    assert "table99_new" in names and "_shared" not in names and TABLE.name in names
    with pytest.raises(UnknownArtefact, match="known: .*table02_role_ablation"):
        select(["table2"], workspace)


def test_config_knows_its_artefact(workspace: Workspace) -> None:
    cfg = artefact_config(TABLE, workspace, ["artefact.margin=0.05"])
    assert (cfg.artefact.name, cfg.artefact.paper, cfg.artefact.margin) == (TABLE.name, "knowforge", 0.05)
    assert Path(cfg.workspace.root) == workspace.root
