"""What the repository holds: printed numbers of both papers, and the committed audit that follows from them."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from common.claims import CHECKS, load_published
from common.claims.interval import WORD_UNITS
from common.paths import Workspace
from experiments import printed
from experiments.audit import Audit, main, replica_verdict, run

WORKSPACE = Workspace()


@pytest.fixture(scope="module")
def audit() -> Audit:
    return run(WORKSPACE.published, WORKSPACE.published / "claims", WORKSPACE.figures, WORKSPACE.experiments)


def test_the_audit_takes_seconds() -> None:
    start = time.process_time()  # not the clock: a busy machine is no slower audit
    run(WORKSPACE.published, WORKSPACE.published / "claims", WORKSPACE.figures, WORKSPACE.experiments)
    assert time.process_time() - start < 10


def test_every_printed_value_has_a_place_and_reads_as_its_unit_says() -> None:
    for cell in load_published(WORKSPACE.published).cells:
        assert cell.place
        if not cell.blank and cell.unit not in WORD_UNITS and re.search(r"\d", cell.value):
            try:
                cell.interval()
            except ValueError as error:
                assert cell.paper != "knowforge", f"{cell.address}: {error}"


def test_values_are_as_printed() -> None:
    assert printed.value("knowforge", "table02_role_ablation", "M5", "F1") == "47.5"
    assert printed.value("knowforge", "table09_index_cost", "M3DocVQA", "docs") == "3,368"
    with pytest.raises(KeyError, match="no column 'F2'"):
        printed.value("knowforge", "table02_role_ablation", "M5", "F2")


def test_every_value_is_used_or_listed(audit: Audit) -> None:
    page = audit.files()["audit.md"]
    assert "knowforge,table09_index_cost,M3DocVQA,docs,3368," in audit.files()["published.csv"]
    for address, by in audit.used.items():
        assert by != "unused" or f"- {address}\n" in page


def without_use(text: str) -> str:
    """A report without its column or list of what uses each value, which every new artefact changes."""
    page = text.split("## Printed values that")[0]
    return "\n".join(line.rpartition(",")[0] for line in page.splitlines()) if text.startswith("paper,item") else page


def test_the_committed_audit_is_what_the_numbers_give(audit: Audit) -> None:
    """A verdict that turns round, a claim that vanishes or a changed number shows here."""
    for name, text in audit.files().items():
        path = WORKSPACE.figures / name
        assert path.exists() and without_use(path.read_text(encoding="utf-8")) == without_use(text), (
            f"{path} is stale: python -m experiments audit"
        )


@pytest.mark.parametrize(
    ("identifier", "verdict", "hardness"),
    [
        ("kf-gain-over-one-shot", "consistent", ""),
        ("kf-p-no-reader", "consistent", ""),
        ("kf-p-p0-m5", "inconsistent", "hard"),
        ("kf-t7-hops-m5", "rounding", ""),
        ("kf-mm-strict-mean-m5", "consistent", ""),
        ("kf-mm-judge-mean-m5", "inconsistent", "soft"),
        ("kf-p-mm-no-reader", "inconsistent", "soft"),
        ("kf-p-m5-one-shot", "consistent", ""),
        ("kf-t7-table-official", "consistent", ""),
        ("kf-example-drivers", "inconsistent", "soft"),
        ("fr-extinction-threshold", "inconsistent", "hard"),
        ("fr-saturation-trigger", "inconsistent", "soft"),
        ("kf-pool-units", "inconsistent", "soft"),
        ("kf-tools-disjoint-figure", "inconsistent", "hard"),
        ("kf-figure3-cuts", "not checkable", ""),
    ],
)
def test_verdicts_computed_by_hand(audit: Audit, identifier: str, verdict: str, hardness: str) -> None:
    (row,) = [row for row in audit.rows if row.id == identifier]
    assert (row.verdict, row.hardness) == (verdict, hardness)


def test_inconsistent_claims_say_what_was_found(audit: Audit) -> None:
    for row in audit.rows:
        if row.verdict == "inconsistent":
            assert row.computed and row.printed and row.sentence and row.hardness in ("hard", "soft")
            assert row.finding, f"{row.id}: name the phenomenon, with a sentence a reviewer could paste"


def test_the_page_counts_one_phenomenon_once(audit: Audit) -> None:
    page = audit.files()["audit.md"]
    rows = [row for row in audit.rows if row.group == "inconsistent, hard"]
    found = {(row.paper, row.finding) for row in rows}
    assert len(found) < len(rows)
    assert f"## Inconsistent, hard ({len(found)} findings in {len(rows)} claims)" in page
    assert page.index("## Inconsistent, hard") < page.index("## Inconsistent, soft") < page.index("## Consistent")
    for row in audit.rows:
        if row.verdict == "inconsistent":
            assert page.split("## Rounding")[0].count(f"`{row.id}`") == 1


def test_a_replica_verdict_stands_beside_its_claim(tmp_path: Path) -> None:
    from common.claims import load_claims

    claims = {claim.id: claim for claim in load_claims(WORKSPACE.published / "claims")}
    claim = claims["kf-one-agent-loss"]
    assert replica_verdict(claim, tmp_path) == "", "no traces, no verdict"
    (tmp_path / "knowforge").mkdir()
    (tmp_path / "knowforge" / "table02_role_ablation.claims.csv").write_text(
        "claim,place,verdict,detail,Holm p,corpus,model,n\n"
        "M5 above P0 in F1,5.2,not resolved,+1.0,0.5000,pocket,tiny,24\n"
    )
    assert replica_verdict(claim, tmp_path) == "not resolved: +1.0 (pocket, tiny)"


def test_the_readme_names_every_check() -> None:
    page = (WORKSPACE.published / "README.md").read_text(encoding="utf-8")
    missing = [name for name in CHECKS if f"`{name}`" not in page]
    assert not missing, "renew the table of checks in experiments/published/README.md"


def test_an_audit_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["--out", str(tmp_path / "file" / "out")]) == 2
    assert f"--out {tmp_path / 'file' / 'out'}: cannot be written" in capsys.readouterr().err


def test_a_misspelt_folder_replaces_no_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, published = tmp_path / "figures", tmp_path / "published"
    assert main(["--published", str(published), "--out", str(out)]) == 2
    assert f"--published {published}: no such folder" in capsys.readouterr().err
    published.mkdir()
    assert main(["--published", str(published), "--out", str(out)]) == 2
    assert f"--claims {published / 'claims'}: no such folder" in capsys.readouterr().err and not out.exists()
