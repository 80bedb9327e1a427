"""Embeddings on disk by sha256 of their text: append-safe shards of fixed-size records.

A shard is one JSON header line (which encoder), then records of 32 bytes key, dim little-endian
float16, 4 bytes CRC-32 of both. A torn last record (a killed process) is ignored and overwritten.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FORMAT = 1
SHARD_BYTES = 4_500_000  # stays below the size limit of one trace shard
Vector = NDArray[np.float16]


class EmbeddingStoreError(ValueError):
    """A store is damaged or belongs to another encoder; the message names the file and the fix."""


@dataclass(frozen=True)
class Space:
    """The vector space of a store: vectors of different spaces must never meet."""

    name: str
    revision: str
    dim: int
    asymmetric: bool = False

    @property
    def record_bytes(self) -> int:
        return 32 + 2 * self.dim + 4


class EmbeddingStore:
    """A folder of shards 000.emb, 001.emb, ...; several processes may append to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)

    def shards(self) -> list[Path]:
        return sorted(self.folder.glob("*.emb"), key=lambda path: (len(path.name), path.name))

    def read(self) -> tuple[Space | None, dict[bytes, Vector]]:
        """All vectors by key, and their space (None for an absent or empty store).

        Raises `EmbeddingStoreError` on a damaged record or shards of two encoders.
        """
        space: Space | None = None
        vectors: dict[bytes, Vector] = {}
        for path in self.shards():
            data = path.read_bytes()
            newline = data.find(b"\n") + 1
            if newline == 0:
                continue  # killed while writing the header: nothing is lost
            found = _read_header(path, data[:newline])
            if space is not None and found != space:
                raise EmbeddingStoreError(f"{path} holds {found}, the shards before it {space}: remove one of them")
            space = found
            _read_records(path, memoryview(data)[newline:], found, vectors)
        return space, vectors

    def append(self, space: Space, items: Iterable[tuple[bytes, Vector]]) -> None:
        """Append records; what is written survives a killed process."""
        records = [_pack(key, vector) for key, vector in items]
        self.folder.mkdir(parents=True, exist_ok=True)
        while records:
            records = self._append_to_last(space, records)

    def _append_to_last(self, space: Space, records: list[bytes]) -> list[bytes]:
        """Fill the last shard, or begin a new one when it is full; returns what did not fit."""
        shards = self.shards()
        path = shards[-1] if shards else self.folder / "000.emb"
        if shards and path.stat().st_size + space.record_bytes > SHARD_BYTES:
            path = self.folder / f"{len(shards):03d}.emb"
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            header = json.dumps({"format": FORMAT, **asdict(space)}, sort_keys=True).encode() + b"\n"
            size = _cut_torn_tail(file.fileno(), len(header), space.record_bytes)
            room = max(1, (SHARD_BYTES - max(size, len(header))) // space.record_bytes)
            file.write((header if size == 0 else b"") + b"".join(records[:room]))
        return records[room:]


def _cut_torn_tail(descriptor: int, header: int, record: int) -> int:
    """Truncate a shard to whole records and return its size; 0 when not even the header is whole."""
    size = os.fstat(descriptor).st_size
    whole = 0 if size < header else size - (size - header) % record
    if whole != size:
        os.ftruncate(descriptor, whole)
    return whole


def _pack(key: bytes, vector: Vector) -> bytes:
    body = key + np.ascontiguousarray(vector, dtype="<f2").tobytes()
    return body + zlib.crc32(body).to_bytes(4, "little")


def _read_header(path: Path, line: bytes) -> Space:
    try:
        header = json.loads(line)
        if header.pop("format") != FORMAT:
            raise EmbeddingStoreError(f"{path} has another format than {FORMAT}: delete the folder and encode again")
        return Space(**header)
    except (json.JSONDecodeError, TypeError, KeyError, AttributeError) as error:
        raise EmbeddingStoreError(f"{path} is not an embedding shard ({error}): restore it or delete it") from error


def _read_records(path: Path, data: memoryview, space: Space, into: dict[bytes, Vector]) -> None:
    size = space.record_bytes
    for number in range(len(data) // size):
        record = data[number * size : (number + 1) * size]
        if zlib.crc32(record[:-4]) != int.from_bytes(record[-4:], "little"):
            raise EmbeddingStoreError(
                f"{path}: record {number} is damaged (CRC): restore the file, or delete it to re-encode"
            )
        into.setdefault(bytes(record[:32]), np.frombuffer(record[32:-4], dtype="<f2"))
