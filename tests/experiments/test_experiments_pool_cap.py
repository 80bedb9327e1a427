"""section53_pool_cap on made-up traces, by hand: two 65-character texts a question, the first has the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import pytest
from made_up import BENCHMARK, MODEL

from common.artefact import Artefact
from common.paths import Workspace
from common.traces import TraceKey
from experiments.artefacts import Entry, compute
from experiments.running.provenance import write_config
from knowforge.system import PoolConfig, SystemConfig

ENTRY = Entry("knowforge", "section53_pool_cap")
Fill = Callable[..., None]


def table(workspace: Workspace, pool: PoolConfig) -> Artefact:
    system = SystemConfig("M5", pool=pool)
    write_config(TraceKey(BENCHMARK, MODEL, "knowforge", "M5"), workspace.records, {"system": asdict(system)})
    outcome = compute(ENTRY, workspace)
    assert outcome.artefact is not None, outcome.error
    return outcome.artefact


def visible(artefact: Artefact) -> dict[str, float]:
    return {row[0]: row[2] for row in artefact.frame.itertuples(index=False)}


def test_what_each_rule_drops(workspace: Workspace, fill: Fill) -> None:
    fill(8)
    made = table(workspace, PoolConfig(cap=100, text_floor=10))
    assert visible(made) == {
        "first in order 12K": 0.0, "first in order 20K": 100.0, "first in order 30K": 100.0,
        # equal cosines: the lower id leaves first, which holds the answer
        "one ranked list 12K": 0.0, "one ranked list 20K": 0.0, "one ranked list 30K": 0.0,
        "typed 12K": 0.0, "typed 20K": 0.0, "typed 30K": 0.0, "top-5 per search": 100.0,
    }  # fmt: skip
    sizes = {row[0]: row[4] for row in made.frame.itertuples(index=False)}
    assert sizes["first in order 20K"] == sizes["typed 30K"] == 65.0 and sizes["top-5 per search"] == 130.0
    assert "12K = 40, 20K = 67, 30K = 100" in made.notes[0] and made.sources[0].n == 8
    assert {claim.claim: claim.verdict for claim in made.claims} == {
        "typed 30K above top-5 per search in answer visible": "opposite",
        "typed 30K above one ranked list 30K in answer visible": "not resolved",
    }


def test_printed_shares_stand_beside_their_rows(workspace: Workspace, fill: Fill) -> None:
    fill(1)
    made = table(workspace, PoolConfig())
    printed = {row[0]: row[1] for row in made.frame.itertuples(index=False) if row[1]}
    assert printed == {
        "first in order 12K": "89.4", "first in order 20K": "95.8", "first in order 30K": "99.0",
        "typed 30K": "93.7", "top-5 per search": "86",
    }  # fmt: skip
    assert set(visible(made).values()) == {100.0}


def test_without_configuration_or_answer_it_says_so(
    workspace: Workspace, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(2)
    assert "no recorded configuration of M5" in compute(ENTRY, workspace).error
    table(workspace, PoolConfig())
    monkeypatch.setattr(f"{ENTRY.module}.answer_visible", lambda text, golds: False)
    assert "no search of the 2 recorded questions brought the answer" in compute(ENTRY, workspace).error
