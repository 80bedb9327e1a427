"""Corpus snapshots: what a recorded run stood on, so that replay needs no parser, no OCR and no PDF.

A snapshot folder holds `questions.jsonl`, `subsets.json`, `fragments.jsonl.zst` (one document a line, with the
sha256 of its assets) and, written by the cached encoder, the float16 embeddings by text hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import zstandard

from common.benchmarks.question import Question
from common.documents import document_from_json, document_to_json
from common.documents.model import Document
from common.files import sha256_of, write_atomic
from common.packing import pack, unpack
from common.traces.records import TraceError

_FRAGMENTS = "fragments.jsonl.zst"
_MORE_FRAGMENTS = "fragments.*.jsonl.zst"
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
) -> None:
    """Write questions, named subsets (question ids in order) and documents; `assets` is the folder of cropped PNGs."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / _QUESTIONS, b"".join(_line(asdict(question)) for question in questions))
    write_atomic(folder / _SUBSETS, json.dumps({k: list(v) for k, v in sorted(subsets.items())}, indent=1) + "\n")
    lines = [_line(_document_entry(document, assets)) for document in documents]
    packed = list(pack(lines, zstandard.ZstdCompressor(level=19, write_checksum=True)))
    for old in folder.glob(_MORE_FRAGMENTS):
        old.unlink()
    for number, (_, data) in enumerate(packed):
        write_atomic(folder / (_FRAGMENTS if number == 0 else f"fragments.{number:03d}.jsonl.zst"), data)


def read_snapshot(folder: Path) -> Snapshot:
    """The documents of a snapshot, in the order written. Raises `TraceError` where there is none."""
    if not (folder / _FRAGMENTS).exists():
        raise TraceError(
            f"{folder}: no corpus snapshot; record traces first (make record) or restore it with git checkout"
        )
    documents: list[Document] = []
    assets: dict[str, str] = {}
    for path in [folder / _FRAGMENTS, *sorted(folder.glob(_MORE_FRAGMENTS))]:
        for line in unpack(path).splitlines():
            entry = json.loads(line)
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


def _document_entry(document: Document, assets: Path) -> dict[str, Any]:
    names = sorted({fragment.asset for fragment in document.fragments if fragment.asset})
    return {"document": document_to_json(document), "assets": {name: sha256_of(assets / name) for name in names}}


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
