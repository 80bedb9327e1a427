"""The evidence pool: caps hold, top hits stay, media are not ranked out by text, order is first appearance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from knowforge_fakes import material

from knowforge.pool import EvidencePool
from knowforge.search import Material
from knowforge.system import PoolConfig


def render(m: Material) -> list[tuple[str, str, str]]:
    blocks = [(m.fragment.fragment_id, m.fragment.kind, m.fragment.text)]
    blocks += [(f.fragment_id, f.kind, f.text) for f in m.context]
    return blocks + [(f.fragment_id, f.kind, f.text[:10]) for f in m.media]


def ids(pool: EvidencePool) -> list[str]:
    return [block.block_id for block in pool.fit().blocks]


def test_the_lowest_unprotected_block_leaves_first() -> None:
    pool = EvidencePool(PoolConfig(cap=500, text_floor=500, protected=1))
    pool.add_search([material(f"t{i}", 0.9 - i / 10, size=100) for i in range(7)], render)
    assert ids(pool) == ["t0", "t1", "t2", "t3", "t4"]


def test_protected_blocks_outlive_better_unprotected_ones_and_leave_last() -> None:
    pool = EvidencePool(PoolConfig(cap=200, text_floor=200, protected=1))
    pool.add_search([material("weak", 0.1, size=100)], render)
    pool.add_search([material("strong", 0.9, size=100), material("second", 0.8, size=100)], render)
    assert ids(pool) == ["weak", "strong"]
    tight = EvidencePool(PoolConfig(cap=100, text_floor=100, protected=1))
    tight.add_search([material("weak", 0.1, size=100)], render)
    tight.add_search([material("strong", 0.9, size=100)], render)
    assert ids(tight) == ["strong"]


def test_typing_keeps_a_table_that_one_ranked_list_would_evict() -> None:
    hits = [material(f"t{i}", 0.9, size=100) for i in range(10)] + [material("table", 0.2, kind="table", size=90)]
    typed = EvidencePool(PoolConfig(cap=1000, table=100, text_floor=100))
    typed.add_search(hits, render)
    untyped = EvidencePool(PoolConfig(cap=1000, typed=False, protected=0))
    untyped.add_search(hits, render)
    assert "table" in ids(typed) and "table" not in ids(untyped)


def test_what_travels_with_an_anchor_leaves_with_it() -> None:
    companion = material("context", 0.0).fragment
    figure = material("figure", 0.0, kind="image").fragment
    low = material("low", 0.1, size=100, context=(companion,), media=(figure,))
    pool = EvidencePool(PoolConfig(cap=250, text_floor=250, protected=1))
    pool.add_search([material("high", 0.9, size=200), low], render)
    assert ids(pool) == ["high"]


def test_a_graph_neighbour_shares_its_anchors_score() -> None:
    pool = EvidencePool(PoolConfig(cap=300, text_floor=300, protected=1))
    neighbour = material("neighbour", 0.05, size=100, anchor="best")
    pool.add_search([material("best", 0.9, size=100), material("middle", 0.5, size=100), neighbour], render)
    pool.add_search([material("other", 0.4, size=100)], render)
    assert "neighbour" in ids(pool) and "middle" not in ids(pool)


def test_a_handle_grows_in_place_when_its_figure_becomes_a_hit() -> None:
    figure = material("figure", 0.3, kind="image", size=50).fragment
    pool = EvidencePool(PoolConfig())
    pool.add_search([material("page", 0.9, media=(figure,)), material("later", 0.8)], render)
    pool.add_search([material("figure", 0.7, kind="image", size=50)], render)
    assert ids(pool) == ["page", "figure", "later"]
    assert len(pool.offered["figure"].text) == 50
    pool.add_search([material("next", 0.6, media=(figure,))], render)
    assert len(pool.offered["figure"].text) == 50, "a handle that comes later does not cut it again"


def test_a_block_found_again_keeps_its_best_score_and_its_protection() -> None:
    better = EvidencePool(PoolConfig(cap=200, text_floor=200, protected=0))
    better.add_search([material("again", 0.2, size=100), material("rival", 0.5, size=100)], render)
    better.add_search([material("again", 0.8, size=100), material("third", 0.6, size=100)], render)
    assert ids(better) == ["again", "third"]
    safe = EvidencePool(PoolConfig(cap=200, text_floor=200, protected=1))
    safe.add_search([material("first", 0.9, size=100), material("again", 0.1, size=100)], render)
    safe.add_search([material("again", 0.1, size=100), material("third", 0.5, size=100)], render)
    assert ids(safe) == ["first", "again"]


def test_text_keeps_its_floor_when_media_fill_the_cap() -> None:
    pool = EvidencePool(PoolConfig(cap=100, image=100, text_floor=60, protected=0))
    pool.add_search([material("figure", 0.9, kind="image", size=100), material("words", 0.1, size=60)], render)
    assert ids(pool) == ["figure", "words"]


def test_notes_take_their_sources_score_and_are_protected_when_it_is_unknown() -> None:
    pool = EvidencePool(PoolConfig(protected=0))
    pool.add_search([material("source", 0.7)], render)
    pool.add_note("note_1", "read from the source", "source")
    pool.add_note("note_2", "read from nowhere", None)
    assert (pool.offered["note_1"].score, pool.offered["note_1"].protected) == (0.7, False)
    assert pool.offered["note_2"].protected


def test_sizes_can_be_counted_in_tokens() -> None:
    pool = EvidencePool(
        PoolConfig(unit="tokens", cap=10, text_floor=10, protected=0), measure=lambda text: len(text.split())
    )
    pool.add_search(
        [material("a", 0.9, text="one two three four five six"), material("b", 0.8, text="seven " * 6)], render
    )
    assert ids(pool) == ["a"] and pool.fit().stats.unit == "tokens"


KINDS = st.sampled_from(["text", "image", "table", "example"])
HITS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.floats(0, 1), KINDS, st.integers(1, 80)),
    max_size=8,
    unique_by=lambda hit: hit[0],
)


@given(st.lists(HITS, max_size=4), st.integers(0, 3))
def test_caps_hold_and_order_is_first_appearance(
    searches: list[list[tuple[str, float, str, int]]], protected: int
) -> None:
    config = PoolConfig(cap=200, image=40, table=40, example=20, text_floor=60, protected=protected)
    pool = EvidencePool(config)
    for hits in searches:
        pool.add_search(
            [material(kind + name, score, kind=kind, size=size) for name, score, kind, size in hits], render
        )
    fitted = pool.fit()
    used = fitted.stats.used
    assert used["image"] <= 40 and used["table"] <= 40 and used["example"] <= 20
    assert used["text"] <= max(60, 200 - used["image"] - used["table"] - used["example"])
    order = list(pool.offered)
    assert [order.index(block.block_id) for block in fitted.blocks] == sorted(
        order.index(b.block_id) for b in fitted.blocks
    )
    assert fitted.stats.dropped + len(fitted.blocks) == len(order)
