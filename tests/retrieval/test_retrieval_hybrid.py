"""The hybrid index: scores, modes, ties, permutation, odd corpora and odd queries."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from common.retrieval import CachedEncoder, DenseOptions, HybridIndex, IndexOptions, Scored

TEXTS = {
    "river": "the river flows north past the old mill",
    "mill": "an old mill grinds flour for the village",
    "flour": "flour prices rose sharply in the village market",
    "match": "the club won the match in extra time",
    "coach": "the coach left the club after the match",
}


def build(words, texts=TEXTS, **options) -> HybridIndex:
    return HybridIndex.build(list(texts), list(texts.values()), words(), IndexOptions(**options), progress=False)


def test_rrf_score_is_ten_for_the_first_of_both_lists(words) -> None:
    index = build(words)
    hits = index.search("coach left", 3)
    assert (hits[0].key, hits[0].score) == ("coach", 10.0)
    second = index.search("coach left", 2, mode="dense")[1].key  # no other text has these words
    assert (hits[1].key, hits[1].score) == (second, round(5 * (1 / 62) / (1 / 61), 6))


def test_scores_are_six_digits_and_ordered(words) -> None:
    for fusion in ("rrf", "minmax"):
        hits = build(words, fusion=fusion).search("old mill in the village", 5)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert all(0 <= hit.score <= 10 for hit in hits)
        assert all(value == round(value, 6) for hit in hits for value in (hit.score, hit.cosine, hit.bm25))


def test_minmax_score_by_hand(words) -> None:
    index = build(words, fusion="minmax")
    hits = {hit.key: hit for hit in index.search("flour village", 5)}
    cosines = [hit.cosine for hit in hits.values()]
    bm25 = [hit.bm25 for hit in hits.values()]
    for hit in hits.values():
        expected = 5 * hit.bm25 / max(bm25) + 5 * (hit.cosine - min(cosines)) / (max(cosines) - min(cosines))
        assert hit.score == pytest.approx(expected, abs=1e-6)


def test_every_hit_carries_both_scores(words) -> None:
    index = build(words)
    hits = index.search("old mill", 5)
    measured = index.measure("old mill", [hit.key for hit in hits])
    assert measured == [Scored(hit.key, 0.0, hit.cosine, hit.bm25) for hit in hits] and len(hits) == 5


def test_single_modes(words) -> None:
    index = build(words)
    dense, lexical = index.search("old mill", 5, mode="dense"), index.search("old mill", 5, mode="bm25")
    assert [hit.key for hit in lexical] == ["mill", "river"]
    assert lexical[0].score == 10.0
    assert lexical[1].score == pytest.approx(10 * lexical[1].bm25 / lexical[0].bm25, abs=1e-5)
    assert all(hit.score == round(10 * max(hit.cosine, 0), 6) for hit in dense)
    only_dense, only_lexical = build(words, mode="dense"), build(words, mode="bm25")
    assert [hit.key for hit in only_dense.search("old mill", 5)] == [hit.key for hit in dense]
    assert [(hit.key, hit.score) for hit in only_lexical.search("old mill", 5)] == [(h.key, h.score) for h in lexical]
    assert all(hit.bm25 == 0.0 for hit in only_dense.search("old mill", 5))
    assert all(hit.cosine == 0.0 for hit in only_lexical.search("old mill", 5))
    with pytest.raises(ValueError, match="'hybrid' does not fit an index built as 'dense'"):
        only_dense.search("old mill", 5, mode="hybrid")


def test_order_of_the_corpus_does_not_matter(words) -> None:
    source = random.Random(8)
    texts = {f"k{i:03d}": " ".join(source.choices("abcdefg", k=4)) for i in range(120)}  # full of ties
    names = list(texts)
    queries = ["a b", "c d e", "g", "f f a"]
    expected = {query: build(words, texts).search(query, 30) for query in queries}
    for _ in range(3):
        source.shuffle(names)
        index = build(words, {name: texts[name] for name in names})
        assert {query: index.search(query, 30) for query in queries} == expected


def test_order_does_not_matter_for_hnsw_either(words) -> None:
    source = random.Random(9)
    texts = {f"k{i:03d}": " ".join(source.choices("abcdefghijkl", k=6)) for i in range(200)}
    names = list(texts)
    hnsw = DenseOptions(exact_below=20)
    expected = build(words, texts, dense=hnsw).search("a b c", 30)
    source.shuffle(names)
    assert build(words, {name: texts[name] for name in names}, dense=hnsw).search("a b c", 30) == expected


def test_duplicate_texts_are_ranked_by_key(words) -> None:
    for fusion in ("rrf", "minmax"):
        texts = {"z": "same words", "a": "same words", "m": "other thing"}
        hits = build(words, texts, fusion=fusion).search("same words", 3)
        assert [hit.key for hit in hits[:2]] == ["a", "z"]
        assert (hits[0].cosine, hits[0].bm25) == (hits[1].cosine, hits[1].bm25)


def test_query_without_known_term_uses_the_dense_list(words) -> None:
    index = build(words)
    hits = index.search("xylophone", 3)
    assert len(hits) == 3
    assert all(hit.bm25 == 0.0 and hit.score <= 5.0 for hit in hits)
    assert index.search("xylophone", 3, mode="bm25") == []


@pytest.mark.parametrize("query", ["", "  \n\t"])
def test_blank_query_finds_nothing(words, query: str) -> None:
    index = build(words)
    assert index.search(query, 3) == []
    assert index.measure(query, ["mill"]) == [Scored("mill", 0.0, 0.0, 0.0)]


def test_small_corpora(words) -> None:
    assert build(words, {}).search("mill", 3) == []
    assert build(words, {"only": "a mill"}).search("mill", 3)[0].score == 10.0
    assert build(words, {"blank": "", "mark": "?!"}).search("mill", 3) != []  # dense lists what there is


def test_k_beyond_the_depth_and_the_corpus(words) -> None:
    index = build(words, depth=2)
    assert len(index.search("the old club", 2)) == 2
    assert len(index.search("the old club", 50)) == 5
    with pytest.raises(ValueError, match="k = 0"):
        index.search("mill", 0)


def test_a_query_is_encoded_once(words) -> None:
    encoder = words()
    index = HybridIndex.build(list(TEXTS), list(TEXTS.values()), encoder, progress=False)
    encoder.seen.clear()
    index.search("old mill", 2)
    index.measure("old mill", ["match"])
    assert encoder.seen == ["old mill"]


def test_threads_get_what_one_gets(words) -> None:
    source = random.Random(2)
    texts = {f"k{i:03d}": " ".join(source.choices("abcdefghij", k=5)) for i in range(300)}
    index = build(words, texts, dense=DenseOptions(exact_below=50))
    queries = [" ".join(source.choices("abcdefghij", k=3)) for _ in range(40)]
    expected = [index.search(query, 10) for query in queries]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(lambda query: index.search(query, 10), queries)) == expected


def test_wrong_arguments_are_named(words) -> None:
    with pytest.raises(ValueError, match="'a' occurs twice"):
        HybridIndex.build(["a", "b", "a"], ["x", "y", "z"], words())
    with pytest.raises(ValueError, match="2 keys but 1 texts"):
        HybridIndex.build(["a", "b"], ["x"], words())
    with pytest.raises(ValueError, match="needs an encoder"):
        HybridIndex.build(["a"], ["x"], None)
    with pytest.raises(ValueError, match="unknown fusion 'sum'"):
        build(words, fusion="sum").search("mill", 1)
    with pytest.raises(KeyError, match="ghost"):
        build(words).measure("mill", ["ghost"])


def test_last_digits_of_the_encoder_do_not_change_results(words, tmp_path) -> None:
    """Another processor: every value off by some 1e-7. Replay takes the recorded float16 values instead."""
    encoder = words()
    recorded = CachedEncoder(encoder, tmp_path / "emb")
    before = HybridIndex.build(list(TEXTS), list(TEXTS.values()), recorded).search("old mill village", 5)

    class Elsewhere(words):
        def encode(self, texts, *, query=False):
            return super().encode(texts) + np.float32(3e-7)

    replayed = CachedEncoder(Elsewhere(), tmp_path / "emb", offline=True)
    assert HybridIndex.build(list(TEXTS), list(TEXTS.values()), replayed).search("old mill village", 5) == before
