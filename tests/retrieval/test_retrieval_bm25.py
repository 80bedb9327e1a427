"""Terms, BM25 scores by hand, and complete ties."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.retrieval import BM25Index
from common.retrieval.analysis import Analyser, words
from common.retrieval.kernels import kth_largest, top_rows


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Figure 4(b)", ["figure", "4", "b"]),
        ("1,234.5 against 1234.5", ["1234.5", "against", "1234.5"]),
        ("12.05.2020, 3,5", ["12.05.2020", "3,5"]),
        ("the author\u2019s x\u2082", ["the", "author's", "x2"]),
        ("snake_case \ufb01ne", ["snake", "case", "fine"]),
        ("  \n", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_terms_are_stems_without_stop_words() -> None:
    assert Analyser().terms("The authors were running into an author's runs") == [
        "author",
        "were",
        "run",
        "author",
        "run",
    ]


def found(index: BM25Index, query: str) -> list[int]:
    return index.best(index.terms(query), 10)[0].tolist()


def test_scores_by_hand() -> None:
    index = BM25Index.build(["apple apple pear", "pear", "plum"], k1=1.5, b=0.75)
    average = 5 / 3

    def part(tf: int, length: int, containing: int) -> float:
        idf = math.log(1 + (3 - containing + 0.5) / (containing + 0.5))
        return idf * tf / (tf + 1.5 * (1 - 0.75 + 0.75 * length / average))

    assert index.scores("apple") == pytest.approx([part(2, 3, 1), 0, 0], abs=1e-12)
    assert index.scores("apples pears") == pytest.approx([part(2, 3, 1) + part(1, 3, 2), part(1, 1, 2), 0], abs=1e-12)


def test_top_leaves_out_rows_without_a_term() -> None:
    index = BM25Index.build(["apple", "pear", "apple pie"])
    assert found(index, "apple") == [0, 2]
    assert found(index, "quince") == []


@pytest.mark.parametrize("texts", [[], ["", "  "], ["the of and"]])
def test_corpus_without_terms(texts: list[str], tmp_path: Path) -> None:
    index = BM25Index.build(texts)
    index.save(tmp_path / "bm25")
    for one in (index, BM25Index.load(tmp_path / "bm25", len(texts))):
        assert one.scores("apple").tolist() == [0.0] * len(texts)
        assert found(one, "apple") == []


def test_texts_without_terms_among_others() -> None:
    index = BM25Index.build(["", "apple", "the"])
    assert found(index, "apple") == [1]


def test_save_and_load_are_exact(tmp_path: Path) -> None:
    source = random.Random(4)
    texts = [" ".join(source.choices("abcdefghijklmnop", k=source.randint(0, 9))) for _ in range(200)]
    index = BM25Index.build(texts)
    index.save(tmp_path / "bm25")
    loaded = BM25Index.load(tmp_path / "bm25", 200)
    for query in ("b c", "d", "zz", "p p o"):
        assert loaded.scores(query).tobytes() == index.scores(query).tobytes()


VALUES = st.lists(st.integers(0, 4).map(lambda v: v / 2), min_size=1, max_size=30)


@given(VALUES, st.data())
def test_kth_largest(values: list[float], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(values)))
    assert kth_largest(np.array(values), k) == sorted(values, reverse=True)[k - 1]


@given(VALUES, st.integers(1, 40))
def test_top_rows_is_a_full_sort_cut_off(values: list[float], depth: int) -> None:
    expected = sorted(range(len(values)), key=lambda row: (-values[row], row))[:depth]
    assert top_rows(np.array(values), depth).tolist() == expected


def test_scores_that_differ_beyond_six_digits_are_ties() -> None:
    assert top_rows(np.array([0.3, 0.3 + 4e-8, 0.2]), 1).tolist() == [0]


@pytest.mark.parametrize(("rows", "words"), [(50, 3), (4_096, 40), (9_000, 12), (9_000, 3_000)])
def test_best_rows_are_those_of_the_full_scores(rows: int, words: int) -> None:
    source = random.Random(rows + words)
    # Texts out of few words tie often; a rare word, and runs without any known one, cross the windows.
    texts = [" ".join(f"w{source.randrange(words)}" for _ in range(source.randint(0, 4))) for _ in range(rows)]
    texts[rows // 2] += " rare"
    index = BM25Index.build(texts, progress=False)
    for query in ("w1", "w1 w2 w1", "w0 rare w2", "rare", "unknown", "w1 unknown w2 w0"):
        scores, terms = index.scores(query), index.terms(query)
        for depth in (1, 7, 100, rows + 5):
            best, sums = index.best(terms, depth)
            full = np.lexsort((np.arange(rows), -scores.round(6)))
            assert best.tolist() == [row for row in full if scores[row] > 0][:depth]
            assert sums.tobytes() == scores[best].tobytes()
        some = np.array([0, rows // 2, rows - 1, 3])
        assert index.scores_at(terms, some).tobytes() == scores[some].tobytes()
