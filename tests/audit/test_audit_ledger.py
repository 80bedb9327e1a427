"""Claims and printed numbers as YAML: errors name file and id, and another paper needs no code."""

from __future__ import annotations

from pathlib import Path

import pytest

from common.claims import PublishedError, audit, load_claims, load_published
from common.claims.page import markdown
from common.claims.report import audit_row
from experiments import audit as command

NUMBERS = """
paper: toy
item: table01_scores
kind: table
title: Scores
place: Section 2, Table 1
unit: points
units: {n: count}
rows:
  - {label: ours, cells: {A: "61.4", B: "70.0", mean: "65.7", n: "1,200"}}
  - {label: theirs, cells: {A: "60.0", B: "–", mean: {value: "60.0", place: Section 3}}}
  - {label: gain, decoded: true, cells: {A: "1.4"}}
"""
CLAIM = """
  - id: toy-gain
    place: Abstract
    claim: Ours is 1.4 above theirs.
    check: difference
    args:
      minuend: "table01_scores | ours | A"
      subtrahend: "table01_scores | theirs | A"
      printed: "table01_scores | gain | A"
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "toy").mkdir()
    (tmp_path / "claims").mkdir()
    (tmp_path / "toy" / "table01_scores.yaml").write_text(NUMBERS, encoding="utf-8")
    return tmp_path


def claims(paper: Path, text: str, facts: str = "") -> Path:
    path = paper / "claims" / "toy.yaml"
    path.write_text(f"paper: toy\n{facts}claims:{text}", encoding="utf-8")
    return path


def changed(old: str, new: str) -> str:
    assert old in CLAIM
    return CLAIM.replace(old, new)


def test_another_paper_is_audited_without_code(paper: Path) -> None:
    claims(paper, CLAIM)
    (judged,) = audit(paper)
    assert judged.outcome.verdict == "consistent"
    assert [cell.row for cell in judged.cells] == ["ours", "theirs", "gain"]


def test_a_reversed_claim_changes_its_verdict(paper: Path) -> None:
    claims(paper, changed("ours | A", "SWAP").replace("theirs | A", "ours | A").replace("SWAP", "theirs | A"))
    (judged,) = audit(paper)
    assert (judged.outcome.verdict, judged.outcome.hardness) == ("inconsistent", "hard")


def test_a_hedged_claim_is_at_worst_soft(paper: Path) -> None:
    claims(paper, changed("gain | A", "ours | B") + "    hedged: true\n")
    (judged,) = audit(paper)
    assert (judged.outcome.verdict, judged.outcome.hardness) == ("inconsistent", "soft")


FINDING = "findings:\n  gain: The gain of the abstract is not the one of Table 1.\n"


def test_a_finding_speaks_only_for_a_miss(paper: Path) -> None:
    claims(paper, CLAIM + "    finding: gain\n", FINDING)
    (held,) = audit(paper)
    assert (audit_row(held).finding, audit_row(held).sentence) == ("", held.outcome.sentence)
    claims(paper, changed("gain | A", "ours | B") + "    finding: gain\n", FINDING)
    (missed,) = audit(paper)
    assert audit_row(missed).finding == "gain"
    assert audit_row(missed).sentence == "The gain of the abstract is not the one of Table 1."


def test_an_unknown_finding_is_named(paper: Path) -> None:
    path = claims(paper, CLAIM + "    finding: loss\n", FINDING)
    with pytest.raises(PublishedError, match="no finding 'loss'; findings of toy: gain") as error:
        load_claims(path.parent)
    assert str(path) in str(error.value) and "toy-gain" in str(error.value)


def test_claims_of_one_finding_are_one_bullet(paper: Path) -> None:
    wrong = changed("gain | A", "ours | B") + "    finding: gain\n"
    claims(paper, wrong + wrong.replace("toy-gain", "toy-gain-twice"), FINDING)
    page = markdown([audit_row(one) for one in audit(paper)], {})
    assert "| inconsistent, hard | 1 finding in 2 claims |" in page
    assert page.count("is not the one of Table 1") == 1


def test_an_empty_cell_makes_a_claim_not_checkable(paper: Path) -> None:
    claims(paper, changed("theirs | A", "theirs | B"))
    (judged,) = audit(paper)
    assert judged.outcome.verdict == "not checkable"
    assert "theirs | B" in judged.outcome.sentence


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("theirs | A", "nobody | A", "no row 'nobody'; rows: ours, theirs, gain"),
        ("theirs | A", "theirs | C", "no column 'C'; columns: A, B, mean"),
        ("table01_scores | theirs", "table02 | theirs", "no item 'table02'; items: table01_scores"),
        ('"table01_scores | theirs | A"', '"fact | size"', "no fact 'size'"),
        ('"table01_scores | theirs | A"', '"table01_scores"', "neither a number nor a reference"),
        ('"table01_scores | theirs | A"', '"table01_scores | * | A"', "stands for 3 cells"),
        ("subtrahend", "subtract", "not subtract"),
        ("check: difference", "check: differs", "no check 'differs'"),
    ],
)
def test_a_wrong_reference_names_file_and_claim(paper: Path, old: str, new: str, message: str) -> None:
    path = claims(paper, changed(old, new))
    with pytest.raises(PublishedError) as error:
        audit(paper)
    assert message in str(error.value)
    assert str(path) in str(error.value) and "toy-gain" in str(error.value)


def test_arithmetic_in_an_argument_and_facts(paper: Path) -> None:
    text = changed('"table01_scores | gain | A"', '{minus: [{times: ["fact | factor", 61.4]}, 60.0]}')
    claims(paper, text, 'facts:\n  factor: {value: "1", unit: count, source: by definition}\n')
    assert audit(paper)[0].outcome.verdict == "consistent"
    claims(paper, changed('"table01_scores | gain | A"', "{power: [1, 2]}"))
    with pytest.raises(PublishedError, match="expected one of plus, minus"):
        audit(paper)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CLAIM + CLAIM, "already used"),
        (CLAIM + "    verdict: consistent\n", "unknown field verdict"),
        ("\n  - {id: x}\n", "'place'"),
    ],
)
def test_broken_claims_files_are_refused(paper: Path, text: str, message: str) -> None:
    claims(paper, text)
    with pytest.raises(PublishedError, match=message):
        load_claims(paper / "claims")


def test_an_id_is_used_once_in_all_files(paper: Path) -> None:
    path = claims(paper, CLAIM)
    (path.parent / "zzz.yaml").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(PublishedError, match=f"zzz.yaml: toy-gain: the id is already used in {path}"):
        load_claims(path.parent)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('A: "61.4"', "A: 61.4", "quoted strings"),
        ("label: theirs", "label: ours", "unique"),
        ("place: Section 2, Table 1\n", "", "no place"),
        ("kind: table", "kind: chart", "kind must be one of"),
        ("item: table01_scores", "item: table01", "folder and file name"),
        ("title:", "titel:", "unknown field titel"),
        ("rows:", "rows: [", "not valid YAML"),
    ],
)
def test_broken_files_of_numbers_are_refused(paper: Path, old: str, new: str, message: str) -> None:
    assert old in NUMBERS
    path = paper / "toy" / "table01_scores.yaml"
    path.write_text(NUMBERS.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PublishedError, match=message) as error:
        load_published(paper)
    assert str(path) in str(error.value)


def test_units_and_places_come_from_the_nearest_level(paper: Path) -> None:
    numbers = load_published(paper)
    assert numbers.cell("toy", "table01_scores", "ours", "n").unit == "count"
    assert numbers.cell("toy", "table01_scores", "ours", "A").unit == "points"
    assert numbers.cell("toy", "table01_scores", "theirs", "mean").place == "Section 3"
    assert numbers.cell("toy", "table01_scores", "gain", "A").decoded
    assert [c.column for c in numbers.select("toy", "table01_scores", "theirs", "*")] == ["A", "mean"]


def test_the_command_writes_the_audit_of_another_paper(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims(paper, CLAIM)
    out = paper / "out"
    assert command.main(["--published", str(paper), "--out", str(out)]) == 0
    assert "toy-gain,toy,Abstract" in (out / "audit.csv").read_text(encoding="utf-8")
    assert "toy,table01_scores,ours,n,1200,count," in (out / "published.csv").read_text(encoding="utf-8")
    page = (out / "audit.md").read_text(encoding="utf-8")
    assert "toy/table01_scores | ours | B" in page.split("no artefact and no claim")[1]
    assert "theirs | B" not in page.split("no artefact and no claim")[1], "an empty cell is no printed value"
    assert "1 claims" in capsys.readouterr().out


def test_the_command_reports_a_broken_file(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims(paper, changed("theirs | A", "nobody | A"))
    assert command.main(["--published", str(paper), "--out", str(paper / "out")]) == 2
    assert "toy-gain" in capsys.readouterr().err
    assert not (paper / "out").exists()
