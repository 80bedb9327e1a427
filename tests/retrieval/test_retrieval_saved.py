"""Saved indexes: exact round trip, damage, other encoders, interrupted writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from common.retrieval import DenseOptions, HybridIndex, IndexOptions, IndexRefused
from common.retrieval.manifest import write_folder

TEXTS = {f"k{i}": f"word{i % 7} word{i % 5} word{i}" for i in range(60)}
HNSW = DenseOptions(exact_below=10)
QUERIES = ("word1 word2", "word30", "nothing known")


def build(words, **options) -> HybridIndex:
    return HybridIndex.build(list(TEXTS), list(TEXTS.values()), words(), IndexOptions(**options), progress=False)


@pytest.mark.parametrize(
    "options",
    [{}, {"fusion": "minmax"}, {"mode": "dense"}, {"mode": "bm25"}, {"dense": HNSW}],
    ids=["rrf", "minmax", "dense", "bm25", "hnsw"],
)
def test_round_trip_is_exact(words, tmp_path: Path, options) -> None:
    index = build(words, **options)
    index.save(tmp_path / "index")
    loaded = HybridIndex.load(tmp_path / "index", None if index.options.mode == "bm25" else words())
    assert loaded.keys == index.keys
    assert loaded.options == index.options
    for query in QUERIES:
        assert loaded.search(query, 20) == index.search(query, 20)
        assert loaded.measure(query, list(TEXTS)) == index.measure(query, list(TEXTS))


def test_empty_index_round_trip(words, tmp_path: Path) -> None:
    HybridIndex.build([], [], words()).save(tmp_path / "index")
    assert HybridIndex.load(tmp_path / "index", words()).search("word1", 3) == []


def test_same_corpus_same_bytes(words, tmp_path: Path) -> None:
    for name in ("a", "b"):
        build(words, dense=HNSW).save(tmp_path / name)
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


def test_every_damaged_file_is_named(words, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    build(words, dense=HNSW).save(folder)
    names = json.loads((folder / "manifest.json").read_text())["files"]
    assert {"keys.json", "dense/vectors.npy", "dense/hnsw.bin", "bm25/data.csc.index.npy"} <= set(names)
    for name in names:
        path = folder / name
        good = path.read_bytes()
        path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
        with pytest.raises(IndexRefused, match=f"{path.name} does not match its checksum.*build the index again"):
            HybridIndex.load(folder, words())
        path.write_bytes(good[:-1])
        with pytest.raises(IndexRefused, match=f"{path.name} is missing or cut short"):
            HybridIndex.load(folder, words())
        path.write_bytes(good)
    assert HybridIndex.load(folder, words()).search("word1", 1)


@pytest.mark.parametrize("other", [{"name": "x"}, {"revision": "2"}, {"dim": 16}])
def test_another_encoder_is_refused(words, tmp_path: Path, other) -> None:
    build(words).save(tmp_path / "index")
    with pytest.raises(IndexRefused, match="built by encoder .*'words'.*load that encoder, or build it again"):
        HybridIndex.load(tmp_path / "index", words(**other))
    with pytest.raises(IndexRefused, match="none was given"):
        HybridIndex.load(tmp_path / "index", None)


@pytest.mark.parametrize("field", ["format", "analysis"])
def test_another_version_is_refused(words, tmp_path: Path, field: str) -> None:
    build(words).save(tmp_path / "index")
    path = tmp_path / "index" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), field: "older"}))
    with pytest.raises(IndexRefused, match=f"{field} is 'older'.*build it again"):
        HybridIndex.load(tmp_path / "index", words())


def test_absent_index_and_damaged_manifest(words, tmp_path: Path) -> None:
    with pytest.raises(IndexRefused, match="manifest.json is missing"):
        HybridIndex.load(tmp_path / "nowhere", words())
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{]")
    with pytest.raises(IndexRefused, match="is not a manifest"):
        HybridIndex.load(tmp_path / "bad", words())


def test_saving_again_replaces_and_leaves_nothing_behind(words, tmp_path: Path) -> None:
    build(words).save(tmp_path / "index")
    HybridIndex.build(["one"], ["word9"], words()).save(tmp_path / "index")
    assert HybridIndex.load(tmp_path / "index", words()).keys == ("one",)
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_failed_write_leaves_the_old_folder(tmp_path: Path) -> None:
    with write_folder(tmp_path / "index", {}) as draft:
        (draft / "file").write_text("old")
    with pytest.raises(RuntimeError, match="disk"), write_folder(tmp_path / "index", {}) as draft:
        (draft / "file").write_text("half")
        raise RuntimeError("disk")
    assert (tmp_path / "index" / "file").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
