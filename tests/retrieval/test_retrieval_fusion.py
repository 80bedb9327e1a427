"""Both fusions against values worked out by hand, and their monotony."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.retrieval import fuse_minmax, fuse_rrf
from common.retrieval.row_scores import single_scores

RANKINGS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=8), min_size=1, max_size=3)


def test_rrf_by_hand() -> None:
    fused = fuse_rrf([["a", "b", "c"], ["b", "a"]])
    best = 2 / 61
    assert fused == pytest.approx(
        {"a": (1 / 61 + 1 / 62) / best, "b": (1 / 62 + 1 / 61) / best, "c": (1 / 63) / best}, abs=1e-15
    )


def test_rrf_extremes() -> None:
    assert fuse_rrf([["a"], ["a"]]) == {"a": pytest.approx(1.0)}
    assert fuse_rrf([["a"], []]) == {"a": pytest.approx(0.5)}
    assert fuse_rrf([[], []]) == {}
    assert fuse_rrf([["a", "b"]], k=0) == pytest.approx({"a": 1.0, "b": 0.5})


def test_rrf_refuses_a_key_ranked_twice() -> None:
    with pytest.raises(ValueError, match="ranking 1 holds a key twice"):
        fuse_rrf([["a"], ["b", "b"]])


def test_minmax_by_hand() -> None:
    bm25 = {"a": 8.0, "b": 2.0, "c": 5.0}
    cosine = {"a": 0.2, "b": 0.7, "d": 0.45}
    assert fuse_minmax([bm25, cosine]) == pytest.approx({"a": 0.5, "b": 0.5, "c": 0.25, "d": 0.25})
    assert fuse_minmax([bm25, cosine], weights=(3, 1)) == pytest.approx({"a": 0.75, "b": 0.25, "c": 0.375, "d": 0.125})


def test_minmax_of_equal_values() -> None:
    assert fuse_minmax([{"a": 2.0, "b": 2.0}, {"a": 0.0, "b": 0.0}]) == {"a": 0.5, "b": 0.5}
    assert fuse_minmax([{}, {"a": 0.3}]) == {"a": 0.5}
    assert fuse_minmax([{}, {}]) == {}


def test_a_single_ranking_is_scored_from_nought_to_ten() -> None:
    cosine, bm25, nothing = np.array([-0.5, 0.25, 1.0]), np.array([0.0, 0.4, 0.8]), np.zeros(3)
    assert single_scores("dense", cosine, nothing).tolist() == [0.0, 2.5, 10.0]
    assert single_scores("bm25", nothing, bm25).tolist() == [0.0, 5.0, 10.0]
    assert single_scores("bm25", cosine, nothing).tolist() == [0.0, 0.0, 0.0]


def test_minmax_refuses_weights_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="2 score mappings but 1 weights"):
        fuse_minmax([{}, {}], weights=(1.0,))
    with pytest.raises(ValueError, match="must not"):
        fuse_minmax([{}, {}], weights=(1.0, -0.5))


@given(RANKINGS, st.data())
def test_rrf_grows_when_a_key_moves_up(rankings: list[list[int]], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(rankings) - 1))
    if len(rankings[number]) < 2:
        return
    place = data.draw(st.integers(1, len(rankings[number]) - 1))
    key = rankings[number][place]
    moved = [list(ranking) for ranking in rankings]
    moved[number][place - 1 : place + 1] = moved[number][place - 1 : place + 1][::-1]
    assert fuse_rrf(moved)[key] > fuse_rrf(rankings)[key]


@given(RANKINGS)
def test_rrf_is_within_its_scale_and_symmetric(rankings: list[list[int]]) -> None:
    fused = fuse_rrf(rankings)
    assert all(0 < value <= 1 + 1e-12 for value in fused.values())
    assert fuse_rrf(rankings[::-1]) == pytest.approx(fused)


@given(
    st.dictionaries(st.integers(0, 6), st.integers(0, 50).map(float), min_size=1),
    st.dictionaries(st.integers(0, 6), st.integers(0, 50).map(float)),
    st.integers(1, 40),
    st.data(),
)
def test_minmax_does_not_fall_when_a_score_rises(
    one: dict[int, float], two: dict[int, float], rise: int, data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(one)))
    before, after = fuse_minmax([one, two]), fuse_minmax([{**one, key: one[key] + rise}, two])
    assert after[key] >= before[key] - 1e-12
    assert all(-1e-12 <= value <= 1 + 1e-12 for value in after.values())
