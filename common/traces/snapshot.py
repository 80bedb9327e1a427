"""Corpus snapshots: what a recorded run stood on, so that replay needs no parser, no OCR and no PDF.

A snapshot folder holds `questions.jsonl`, `subsets.json`, `fragments.jsonl.zst` (one document a line, with the
sha256 of its assets; of a large corpus in several files, whose names count them) and, written by the cached encoder,
the float16 embeddings by text hash.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import zstandard

from common.benchmarks.question import Question
from common.documents import document_from_json, document_to_json
from common.documents.model import Document
from common.files import sha256_of, write_atomic
from common.packing import SHARD_BYTES, pack, unpack
from common.traces.records import TraceError

_FRAGMENTS = "fragments*.jsonl.zst"
_QUESTIONS = "questions.jsonl"
_SUBSETS = "subsets.json"


@dataclass(frozen=True)
class Snapshot:
    """The documents of a corpus as parsed, and the sha256 of each cropped asset by file name."""

    folder: Path
    documents: tuple[Document, ...]
    assets: Mapping[str, str]


def write_snapshot(
    folder: Path,
    questions: Sequence[Question],
    subsets: Mapping[str, Sequence[str]],
    documents: Sequence[Document],
    assets: Path,
    *,
    shard_bytes: int = SHARD_BYTES,
) -> None:
    """Write questions, named subsets (question ids in order) and documents; `assets` is the folder of cropped PNGs."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / _QUESTIONS, b"".join(_line(asdict(question)) for question in questions))
    write_atomic(folder / _SUBSETS, json.dumps({k: list(v) for k, v in sorted(subsets.items())}, indent=1) + "\n")
    lines = [_line(_document_entry(document, assets)) for document in documents]
    packed = list(pack(lines, zstandard.ZstdCompressor(level=19, write_checksum=True), shard_bytes))
    names = _shard_names(len(packed))
    for name, (_, data) in zip(names, packed, strict=True):
        write_atomic(folder / name, data)
    for old in {path.name for path in folder.glob(_FRAGMENTS)} - set(names):
        (folder / old).unlink()


def read_snapshot(folder: Path) -> Snapshot:
    """The documents of a snapshot, in the order written. Raises `TraceError` where there is none, or a part of one."""
    documents: list[Document] = []
    assets: dict[str, str] = {}
    for path in _shards(folder):
        for entry in _entries(path):
            documents.append(document_from_json(entry["document"]))
            assets.update(entry["assets"])
    return Snapshot(folder, tuple(documents), assets)


def read_questions(folder: Path) -> tuple[Question, ...]:
    """All questions of the snapshot's benchmark, in its order."""
    path = folder / _QUESTIONS
    if not path.exists():
        raise TraceError(f"{path}: no questions; record traces first (make record) or restore it with git checkout")
    return tuple(Question.from_json(json.loads(line)) for line in path.read_bytes().splitlines())


def read_subsets(folder: Path) -> dict[str, tuple[str, ...]]:
    """Question ids of each named subset, in recording order."""
    path = folder / _SUBSETS
    return {name: tuple(ids) for name, ids in json.loads(path.read_text()).items()} if path.exists() else {}


def _shards(folder: Path) -> list[Path]:
    """The files of the documents, in order. Raises `TraceError`."""
    there = sorted(path.name for path in folder.glob(_FRAGMENTS))
    if not there:
        raise TraceError(
            f"{folder}: no corpus snapshot; record traces first (make record) or restore it with git checkout"
        )
    wanted = _shard_names(int(there[-1].partition("-of-")[2][:3] or 1))
    if there != wanted:
        raise TraceError(
            f"{folder}: the corpus snapshot should be {', '.join(wanted)} but is {', '.join(there)}; "
            "restore it with git checkout, or make it anew (python -m experiments record ... --rebuild)"
        )
    return [folder / name for name in wanted]


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    try:
        for line in unpack(path).splitlines():
            yield json.loads(line)
    except (zstandard.ZstdError, ValueError) as error:
        raise TraceError(f"{path}: {error}; restore it with git checkout, or make the snapshot anew") from error


def _shard_names(count: int) -> list[str]:
    if count == 1:
        return ["fragments.jsonl.zst"]
    return [f"fragments.{number:03d}-of-{count:03d}.jsonl.zst" for number in range(1, count + 1)]


def _document_entry(document: Document, assets: Path) -> dict[str, Any]:
    names = sorted({fragment.asset for fragment in document.fragments if fragment.asset})
    return {"document": document_to_json(document), "assets": {name: sha256_of(assets / name) for name in names}}


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
