"""Exact and HNSW search, rounding, degenerate vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from common.retrieval import DenseIndex, DenseOptions

HNSW = DenseOptions(exact_below=10)


def cloud(count: int, dim: int = 16, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_cosines_by_hand() -> None:
    index = DenseIndex.build(np.array([[1, 0], [0.6, 0.8], [0, -1], [0, 0]], dtype=np.float32))
    assert index.cosines(np.array([1, 0], dtype=np.float32)) == pytest.approx([1, 0.6, 0, 0], abs=5e-4)
    assert index.cosines(np.array([0, 2], dtype=np.float32), np.array([2, 0])).tolist() == [-1.0, 0.0]


def test_equal_vectors_have_cosine_one() -> None:
    vectors = cloud(20)
    index = DenseIndex.build(vectors)
    assert all(index.cosines(vector)[row] == 1.0 for row, vector in enumerate(vectors))


def test_exact_search_agrees_with_numpy() -> None:
    vectors, query = cloud(500), cloud(1, seed=9)[0]
    index = DenseIndex.build(vectors)
    rows, cosines = index.top(query, 10)
    half, q = vectors.astype(np.float16).astype(np.float64), query.astype(np.float16).astype(np.float64)
    truth = half @ q / np.linalg.norm(half, axis=1) / np.linalg.norm(q)
    assert index.exact
    assert rows.tolist() == np.argsort(-truth)[:10].tolist()
    assert cosines == pytest.approx(truth[rows], abs=5.1e-7)


def test_hnsw_finds_what_exact_search_finds() -> None:
    vectors = cloud(1_500)
    exact, graph = DenseIndex.build(vectors), DenseIndex.build(vectors, HNSW, progress=False)
    assert not graph.exact
    found = 0
    for query in cloud(20, seed=5):
        (rows, cosines), (others, other_cosines) = exact.top(query, 24), graph.top(query, 24)
        found += len(set(rows) & set(others))
        shared = dict(zip(rows, cosines, strict=True))
        assert all(shared[row] == cos for row, cos in zip(others, other_cosines, strict=True) if row in shared)
    assert found >= 0.98 * 20 * 24


def test_deterministic_build_is_repeatable(tmp_path: Path) -> None:
    vectors = cloud(400)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        DenseIndex.build(vectors, HNSW, progress=False).save(tmp_path / name)
    assert (tmp_path / "a" / "hnsw.bin").read_bytes() == (tmp_path / "b" / "hnsw.bin").read_bytes()


@pytest.mark.parametrize("options", [DenseOptions(), HNSW])
def test_save_and_load_are_exact(tmp_path: Path, options: DenseOptions) -> None:
    index = DenseIndex.build(cloud(300), options, progress=False)
    index.save(tmp_path)
    loaded = DenseIndex.load(tmp_path, options)
    assert loaded.exact == index.exact
    for query in cloud(5, seed=2):
        for one, two in zip(index.top(query, 20), loaded.top(query, 20), strict=True):
            assert one.tobytes() == two.tobytes()
        assert index.cosines(query).tobytes() == loaded.cosines(query).tobytes()


def test_many_equal_vectors_still_fill_the_list() -> None:
    vectors = np.repeat(cloud(2), 400, axis=0)
    rows, cosines = DenseIndex.build(vectors, HNSW, progress=False).top(vectors[0], 50)
    assert len(set(rows.tolist())) == 50
    assert cosines.max() == 1.0


def test_zero_query_and_empty_index_find_nothing() -> None:
    index = DenseIndex.build(cloud(3))
    assert index.top(np.zeros(16, dtype=np.float32), 2)[0].tolist() == []
    assert DenseIndex.build(np.zeros((0, 16), dtype=np.float32)).top(cloud(1)[0], 2)[0].tolist() == []
    assert DenseIndex.blank(4).top(np.zeros(0, dtype=np.float32), 2)[0].tolist() == []


def test_without_a_compiled_hnswlib_large_corpora_are_scanned(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    vectors = cloud(300)
    DenseIndex.build(vectors, HNSW).save(tmp_path)
    monkeypatch.setattr("common.retrieval.dense.hnswlib", None)
    for index in (DenseIndex.build(vectors, HNSW), DenseIndex.load(tmp_path, HNSW)):
        assert index.exact
        assert index.top(vectors[7], 1)[0].tolist() == [7]
