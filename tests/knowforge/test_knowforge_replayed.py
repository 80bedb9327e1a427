"""A pool made again from recorded searches is the pool of the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from knowforge_fakes import library, material

from common.records import Search
from knowforge.base import KnowledgeBase
from knowforge.pool import EvidencePool
from knowforge.replayed import bare_base, best_of_each, first_blocks, pool_of
from knowforge.session import Session
from knowforge.system import PoolConfig, SystemConfig

QUERIES = ("1979 Orlen Cup results", "Iska Dorn born", "river Ansel")


@pytest.mark.parametrize("cap", [200, 400, 30_000])
@pytest.mark.parametrize("typed", [True, False])
def test_replaying_the_searches_gives_the_runs_pool(
    base: KnowledgeBase, make_session: Callable[..., Session], cap: int, typed: bool
) -> None:
    session = make_session({}, pool={"cap": cap, "typed": typed, "text_floor": 100})
    for query in QUERIES:
        session.search(query, "locator")
    replayed = pool_of(bare_base(library()), session.searches, session.system)
    assert replayed.fit() == session.pool.fit() and list(replayed.offered) == list(session.pool.offered)


def test_first_blocks_is_a_plain_cut() -> None:
    pool = EvidencePool(PoolConfig(cap=25))
    pool.add_search(
        [material(name, 0.5) for name in "abc"], lambda m: [(m.fragment.fragment_id, "text", m.fragment.text)]
    )
    assert [block.block_id for block in first_blocks(pool)] == ["a", "b"]
    pool.config = replace(pool.config, cap=9)
    assert first_blocks(pool) == ()


def test_sizes_and_hits_are_cut_in_proportion(base: KnowledgeBase) -> None:
    assert PoolConfig().scaled(0.4) == PoolConfig(cap=12_000, image=1_200, table=1_200, example=800, text_floor=1_600)
    hits = tuple(material(name, 0.5).hit for name in "abc")
    assert [len(s.hits) for s in best_of_each([Search("q", "locator", hits), Search("r", "judge", hits[:1])], 2)] == [
        2,
        1,
    ]
    with pytest.raises(KeyError, match="a"):
        pool_of(base, [Search("q", "locator", hits)], SystemConfig("M5"))
    with pytest.raises(ValueError, match="no fragments"):
        bare_base([])
