"""FlowReader's ledger: its size, verdicts re-read in the paper, and that a changed print changes a verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest

from common.claims import Cell, Claim, Judged, Published, judge, load_claims
from experiments.printed import ROOT, published

RE_READ = {
    "fr-macro-flowreader": ("consistent", ""),
    "fr-macro-gap-from-cells": ("consistent", ""),
    "fr-best-papertab": ("consistent", ""),
    "fr-largest-improvements-g2": ("inconsistent", "soft"),
    "fr-largest-improvements-best": ("consistent", ""),
    "fr-floor-highest": ("consistent", ""),
    "fr-floor-strict": ("rounding", ""),
    "fr-s2-largest-gains": ("consistent", ""),
    "fr-s2-fewest-calls": ("inconsistent", "soft"),
    "fr-calls-g2-formula": ("inconsistent", "soft"),
    "fr-extinction-threshold": ("inconsistent", "hard"),
    "fr-saturation-trigger": ("inconsistent", "soft"),
    "fr-pointer-analyze-evolve": ("inconsistent", "hard"),
    "fr-phi-most-informative": ("not checkable", ""),
}


@lru_cache(maxsize=1)
def claims() -> dict[str, Claim]:
    return {claim.id: claim for claim in load_claims(ROOT / "claims") if claim.paper == "flowreader"}


@lru_cache(maxsize=1)
def judged() -> dict[str, Judged]:
    return {name: judge(claim, published()) for name, claim in claims().items()}


def with_print(row: str, column: str, value: str, item: str = "table01_visdombench") -> Published:
    """The published numbers with one FlowReader cell printed differently."""
    address = published().cell("flowreader", item, row, column).address
    cells = tuple(replace(cell, value=value) if cell.address == address else cell for cell in published().cells)
    assert cells != published().cells, "the cell already has that value"
    return Published(cells, {(c.paper, c.item, c.row, c.column): c for c in cells})


def test_ledger_is_large_and_every_claim_resolves() -> None:
    assert len(judged()) >= 120
    found = Counter(result.outcome.verdict for result in judged().values())
    assert found["consistent"] > found["inconsistent"] > 0


def test_every_inconsistency_carries_a_comment_for_its_reader() -> None:
    found = [result for result in judged().values() if result.outcome.verdict == "inconsistent"]
    assert found and all(result.claim.comment for result in found)


@pytest.mark.parametrize("name", sorted(RE_READ))
def test_verdicts_that_were_re_read(name: str) -> None:
    outcome = judged()[name].outcome
    assert (outcome.verdict, outcome.hardness) == RE_READ[name]


@pytest.mark.parametrize(
    ("name", "row", "column", "value"),
    [
        ("fr-best-papertab", "FlowReader", "PaperTab", "57.00"),
        ("fr-macro-flowreader", "FlowReader", "SPIQA", "75.23"),
        ("fr-lead-gpt-5-slidevqa", "GPT-5", "SlideVQA", "45.60"),
        ("fr-extent-vidorag", "ViDoRAG", "PaperTab", "33.67"),
        ("fr-floor-highest", "G2-Reader", "PaperTab", "57.40"),
    ],
)
def test_a_changed_print_turns_a_consistent_claim(name: str, row: str, column: str, value: str) -> None:
    assert judged()[name].outcome.verdict == "consistent"
    assert judge(claims()[name], with_print(row, column, value)).outcome.verdict == "inconsistent"


@pytest.mark.parametrize(
    ("name", "item", "row", "column", "value"),
    [
        ("fr-s2-fewest-calls", "figure03b_system2_gain", "SPIQA", "trigger rate", "29"),
        ("fr-largest-improvements-g2", "table01_visdombench", "G2-Reader", "SPIQA", "73.80"),
        ("fr-extinction-threshold", "table05_hyperparameters", "Extinction threshold theta", "value", "5×10^-3"),
        ("fr-calls-g2-formula", "table07_call_profile", "G2-Reader", "worst case calls", "≈25"),
    ],
)
def test_a_changed_print_clears_an_inconsistent_claim(name: str, item: str, row: str, column: str, value: str) -> None:
    assert judged()[name].outcome.verdict == "inconsistent"
    assert judge(claims()[name], with_print(row, column, value, item)).outcome.verdict == "consistent"


def test_figure_values_from_drawings_are_marked_decoded() -> None:
    drawn: list[Cell] = [
        cell
        for cell in published().cells
        if cell.paper == "flowreader" and cell.item.startswith(("figure02", "figure03a"))
    ]
    assert drawn and all(cell.decoded or "caption" in cell.place for cell in drawn)
