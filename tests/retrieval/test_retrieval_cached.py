"""The embedding cache: float16 values always, append safety, refusal to compute in replay."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from common.retrieval import CachedEncoder, EmbeddingStoreError, MissingEmbedding
from common.retrieval import embedding_store as store_module
from common.retrieval.embedding_store import EmbeddingStore, Space

TEXTS = ["alpha beta", "gamma", "alpha", ""]


def test_first_and_later_values_are_the_float16_ones(words, tmp_path: Path) -> None:
    encoder = words()
    first = CachedEncoder(encoder, tmp_path).encode(TEXTS)
    assert first.dtype == np.float32
    assert first.tobytes() == encoder.encode(TEXTS).astype(np.float16).astype(np.float32).tobytes()
    assert CachedEncoder(None, tmp_path).encode(TEXTS).tobytes() == first.tobytes()


def test_each_text_is_computed_once(words, tmp_path: Path) -> None:
    encoder = words()
    cached = CachedEncoder(encoder, tmp_path)
    cached.encode(["a", "b", "a"])
    cached.encode(["b", "c"])
    assert sorted(encoder.seen) == ["a", "b", "c"]
    assert len(CachedEncoder(encoder, tmp_path)) == 3


def test_offline_refuses_and_names_the_text(words, tmp_path: Path) -> None:
    CachedEncoder(words(), tmp_path).encode(["known"])
    encoder = words()
    for cached in (CachedEncoder(encoder, tmp_path, offline=True), CachedEncoder(None, tmp_path)):
        with pytest.raises(MissingEmbedding, match="2 embeddings.*'new one'.*record again"):
            cached.encode(["known", "new one", "another"])
    assert encoder.seen == []


def test_identity_comes_from_the_store(words, tmp_path: Path) -> None:
    CachedEncoder(words("w", "7", 24), tmp_path).encode(["x"])
    cached = CachedEncoder(None, tmp_path)
    assert (cached.name, cached.revision, cached.dim) == ("w", "7", 24)
    assert cached.encode([]).shape == (0, 24)
    with pytest.raises(EmbeddingStoreError, match="made by w .7, 24d., not by words"):
        CachedEncoder(words(), tmp_path)


def test_empty_store_without_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingStoreError, match="no embeddings and there is no encoder"):
        CachedEncoder(None, tmp_path / "nothing")


def test_query_side_of_an_asymmetric_encoder_is_kept_apart(words, tmp_path: Path) -> None:
    class Asymmetric(words):
        asymmetric = True

        def encode(self, texts, *, query=False):
            return super().encode([("query " if query else "") + text for text in texts])

    first = CachedEncoder(Asymmetric(), tmp_path)
    passage, query = first.encode(["a"]), first.encode(["a"], query=True)
    assert passage.tobytes() != query.tobytes()
    again = CachedEncoder(None, tmp_path)
    assert again.encode(["a"], query=True).tobytes() == query.tobytes()


@pytest.mark.parametrize("lost", [1, 30, 99, 100])
def test_torn_tail_costs_only_the_last_record(words, tmp_path: Path, lost: int) -> None:
    """32-d records are 100 bytes: a killed process leaves part of one, or none."""
    CachedEncoder(words(), tmp_path).encode(["one"])
    CachedEncoder(words(), tmp_path).encode(["two"])
    shard = tmp_path / "000.emb"
    shard.write_bytes(shard.read_bytes()[:-lost])
    encoder = words()
    cached = CachedEncoder(encoder, tmp_path)
    assert len(cached) == 1
    cached.encode(["one", "two", "three"])
    assert sorted(encoder.seen) == ["three", "two"]
    assert len(CachedEncoder(None, tmp_path)) == 3


def test_torn_header_is_written_again(words, tmp_path: Path) -> None:
    (tmp_path / "000.emb").write_bytes(b'{"asymm')
    CachedEncoder(words(), tmp_path).encode(["one"])
    assert len(CachedEncoder(None, tmp_path)) == 1


def test_damaged_record_and_foreign_file_are_named(words, tmp_path: Path) -> None:
    CachedEncoder(words(), tmp_path).encode(["one", "two"])
    shard = tmp_path / "000.emb"
    good = shard.read_bytes()
    shard.write_bytes(good[:-150] + bytes([good[-150] ^ 1]) + good[-149:])
    with pytest.raises(EmbeddingStoreError, match=r"000\.emb: record 0 is damaged"):
        CachedEncoder(None, tmp_path)
    shard.write_bytes(b"not a shard\n")
    with pytest.raises(EmbeddingStoreError, match=r"000\.emb is not an embedding shard"):
        CachedEncoder(None, tmp_path)


def test_shards_stay_small(words, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "SHARD_BYTES", 1_000)
    texts = [f"text {i}" for i in range(40)]
    first = CachedEncoder(words(), tmp_path)
    expected = np.vstack([first.encode(texts[:3]), first.encode(texts[3:])])
    sizes = [path.stat().st_size for path in EmbeddingStore(tmp_path).shards()]
    assert len(sizes) > 3
    assert max(sizes) <= 1_000
    assert CachedEncoder(None, tmp_path).encode(texts).tobytes() == expected.tobytes()


def _append(folder: str, start: int) -> None:
    store = EmbeddingStore(Path(folder))
    for number in range(start, start + 50):
        vector = np.full(8, number, dtype=np.float16)
        store.append(Space("words", "1", 8), [(number.to_bytes(32, "big"), vector)])


def test_two_processes_may_append(tmp_path: Path) -> None:
    context = get_context("fork")
    workers = [context.Process(target=_append, args=(str(tmp_path), start)) for start in (0, 50)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    vectors = EmbeddingStore(tmp_path).read()[1]
    assert {int.from_bytes(key, "big"): float(vector[0]) for key, vector in vectors.items()} == {
        number: float(number) for number in range(100)
    }
