"""Every system of the paper is one YAML that differs from its neighbour exactly in what the paper says."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from common.paths import Workspace
from experiments.config import compose_config
from experiments.running.knowforge_runner import load_systems
from knowforge.system import SystemConfig
from knowforge.systems import UnknownSystem, load_system, system_names

PAIRS = ("1+0", "1+1", "2+2", "3+3", "5+5", "6+6", "1+4", "3+4", "4+3", "4+1")
NAMED = ("S0", "S1", "S3", "S4v1", "S4", "M4", "M5", "M5OFF", "M5VEC", "M5S3", "P0", "P1")

# From Table 6: system, the one it is compared with, and what differs (theirs -> its own).
STEPS: list[tuple[str, str, dict[str, tuple[Any, Any]]]] = [
    ("S3", "S1", {"search.bm25": (False, True)}),
    ("S4v1", "S3", {"search.graph": (False, True)}),
    ("S4", "S4v1", {"template": ("ours", "short")}),
    ("S0", "S4v1", {"shape": ("one_shot", "closed_book")}),
    ("M5", "M4", {"judge": (False, True), "pool.cap": (12_000, 30_000), "pool.typed": (False, True)}),
    ("M5OFF", "M5", {"template": ("ours", "short")}),
    ("M5VEC", "M5S3", {"search.bm25": (True, False)}),
    ("M5S3", "M5", {"search.graph": (True, False)}),
    ("P0", "M5", {"shape": ("pipeline", "single_agent")}),
    ("P1", "M5", {"reader_rounds": (4, 0)}),
]


def flat(system: SystemConfig) -> dict[str, Any]:
    fields = asdict(system)
    nested = {
        f"{part}.{name}": value for part in ("search", "pool", "loop") for name, value in fields.pop(part).items()
    }
    return {**fields, **nested}


def difference(one: SystemConfig, other: SystemConfig) -> dict[str, tuple[Any, Any]]:
    """Fields that differ, apart from the name: (value in `one`, value in `other`)."""
    a, b = flat(one), flat(other)
    return {name: (a[name], b[name]) for name in a if name != "name" and a[name] != b[name]}


@pytest.mark.parametrize(("name", "reference", "changed"), STEPS, ids=[f"{a}-{b}" for a, b, _ in STEPS])
def test_a_system_differs_from_its_reference_in_what_the_paper_says(
    name: str, reference: str, changed: dict[str, tuple[Any, Any]]
) -> None:
    assert difference(load_system(reference), load_system(name)) == changed


def test_the_defaults_are_the_papers_sizes() -> None:
    m5 = load_system("M5")
    assert (m5.locator_rounds, m5.reader_rounds) == (4, 4)  # section 4
    assert (m5.search.topk, m5.judge_chars, m5.judge_queries, m5.read_limit) == (8, 8_000, 2, 40)  # 3.1, A
    pool = m5.pool
    assert (pool.cap, pool.image, pool.table, pool.example, pool.protected) == (30_000, 3_000, 3_000, 2_000, 3)  # 3.4


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_of_caps_changes_the_caps_alone(pair: str) -> None:
    made = load_system(f"M5-{pair}")
    locator, reader = map(int, pair.split("+"))
    assert (made.locator_rounds, made.reader_rounds) == (locator, reader)
    assert set(difference(load_system("M5"), made)) <= {"locator_rounds", "reader_rounds"}


def test_the_files_are_the_papers_systems_and_hold_their_own_names() -> None:
    assert set(system_names()) == {*NAMED, *(f"M5-{pair}" for pair in PAIRS)}
    assert all(load_system(name).name == name for name in system_names())


def test_any_pair_of_caps_needs_no_file(tmp_path: Path) -> None:
    assert load_system("M5-2+1", tmp_path) == SystemConfig("M5-2+1", locator_rounds=2, reader_rounds=1)
    assert load_system("M5-6+6", tmp_path) == load_system("M5-6+6")


def test_a_wrong_name_or_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "X.yaml").write_text("name: X\nrounds: 3\n")
    with pytest.raises(UnknownSystem, match="X.yaml: system: unknown field 'rounds'"):
        load_system("X", tmp_path)
    with pytest.raises(UnknownSystem, match="no system 'S9'; known: X"):
        load_system("S9", tmp_path)


def test_recording_composes_a_pair_by_its_name() -> None:
    workspace = Workspace()
    cfg = compose_config("config", ["systems=[M5-2+2,M5VEC]"], workspace=workspace)
    made = load_systems(list(cfg.systems), cfg, workspace)
    assert (made["M5-2+2"].locator_rounds, made["M5-2+2"].pool.cap) == (2, 4500)  # the pocket benchmark's own size
    assert not made["M5VEC"].search.bm25 and made["M5VEC"].search.context_window == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"locator_rounds": -1}, "locator_rounds: -1 is no whole number at least 0"),
        ({"judge": "no"}, "judge: 'no' is no true or false"),
        ({"shape": "tree"}, "shape: 'tree' is no one of"),
        ({"search": {"topk": 0}}, r"search\.topk: 0 is no whole number at least 1"),
        ({"pool": {"cap": "30k"}}, r"pool\.cap: '30k' is no whole number"),
        ({"loop": None}, r"system\.loop: None is no mapping"),
    ],
)
def test_a_system_that_cannot_be_is_refused_by_field(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SystemConfig.from_mapping({"name": "X", **fields})
