"""Run-record traces: one JSON line per question, appended and flushed, read back tolerantly."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Self

import orjson
import zstandard

from common.files import write_atomic
from common.packing import SHARD_BYTES, unpack
from common.records import RunRecord

LARGE = 1_000  # records
TRACES_KEPT = 32  # read traces that stay in memory
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
Slot = tuple[str, int]  # question id, sample index
Stamp = tuple[Path, int, int, int]  # a file and what changes with its content: inode, time, size


class TraceError(Exception):
    """A trace that cannot be read or written; the message names the file and what to do."""


@dataclass(frozen=True)
class TraceKey:
    """What one trace file holds: the runs of one system of one method on one benchmark with one model."""

    benchmark: str
    model: str
    method: str
    system: str

    def __post_init__(self) -> None:
        for part in (self.benchmark, self.model, self.method, self.system):
            if not _NAME.fullmatch(part):
                raise TraceError(
                    f"{part!r} cannot be part of a trace's file name: use letters, digits, '.', '_', '+', '-'"
                )
        if "-" in self.method:
            raise TraceError(f"method {self.method!r} holds a '-', which parts method and system in the file name")

    def __str__(self) -> str:
        return f"{self.benchmark}/{self.model}/{self.method}-{self.system}"

    def path(self, records: Path) -> Path:
        """The open file of this trace below the folder `records`."""
        return records / f"{self}.jsonl"

    @classmethod
    def of(cls, path: Path) -> TraceKey:
        """Inverse of `path`; sealed shards belong to the same key."""
        method, _, system = re.sub(r"(\.\d{3})?\.jsonl(\.zst)?$", "", path.name).partition("-")
        return cls(path.parent.parent.name, path.parent.name, method, system)


@dataclass(frozen=True)
class Trace:
    """The resolved records of one key, in order of first appearance."""

    key: TraceKey
    records: dict[Slot, RunRecord]

    @property
    def done(self) -> dict[Slot, RunRecord]:
        return {slot: record for slot, record in self.records.items() if record.status == "done"}

    @property
    def failed(self) -> dict[Slot, RunRecord]:
        return {slot: record for slot, record in self.records.items() if record.status == "failed"}


def trace_files(key: TraceKey, records: Path) -> list[Path]:
    """The files of one trace in reading order: sealed shards, then the open file."""
    opened = key.path(records)
    shards = sorted(opened.parent.glob(f"{opened.stem}.[0-9][0-9][0-9].jsonl.zst"))
    return [*shards, opened] if opened.exists() else shards


def find_traces(records: Path) -> list[TraceKey]:
    """Every trace below `records`, sorted."""
    files = [*records.glob("*/*/*.jsonl"), *records.glob("*/*/*.jsonl.zst")]
    keys = {TraceKey.of(path) for path in files}
    return sorted(keys, key=lambda k: (k.benchmark, k.model, k.method, k.system))


def read_trace(key: TraceKey, records: Path) -> Trace:
    """Read one trace; an absent one is empty.

    A later record of a question replaces an earlier one, but a failure never replaces a finished run.
    A torn last line of the open file (a killed run) is left out; any other bad line raises `TraceError`.
    Files that did not change since are not read again: a dozen tables stand on the same few traces.
    """
    files = trace_files(key, records)
    return Trace(key, dict(_resolved(tuple(map(_stamp, files)))))


def _stamp(path: Path) -> Stamp:
    stat = path.stat()
    return path, stat.st_ino, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=TRACES_KEPT)
def _resolved(stamps: tuple[Stamp, ...]) -> dict[Slot, RunRecord]:
    resolved: dict[Slot, RunRecord] = {}
    with _collector_paused():
        for path, *_ in stamps:
            for record in _read_file(path):
                slot = (record.question_id, record.sample)
                before = resolved.get(slot)
                if before is None or record.status == "done" or before.status == "failed":
                    resolved[slot] = record
    if len(resolved) >= LARGE:
        gc.freeze()
    return resolved


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Records hold no cycles; looking for some among a million new objects takes longer than reading them.

    For the same reason large traces are taken out of the collector's sight for good.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def record_line(record: RunRecord) -> bytes:
    """One record as the bytes of its line."""
    return json.dumps(record.to_json(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _read_file(path: Path) -> Iterator[RunRecord]:
    try:
        lines = unpack(path).split(b"\n")
    except zstandard.ZstdError as error:
        raise TraceError(f"{path}: {error}; restore it with git checkout or record again") from error
    torn = lines.pop()  # empty after a complete last line
    for number, line in enumerate([*lines, torn] if _complete(torn) else lines, start=1):
        try:
            yield RunRecord.from_json(orjson.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise TraceError(
                f"{path}, line {number}: not a run record ({error}); restore the file or delete the line"
            ) from error


def _complete(tail: bytes) -> bool:
    try:
        return bool(tail) and isinstance(json.loads(tail), dict)
    except ValueError:
        return False


class RecordWriter:
    """Appends records to the open file of one trace; every line is flushed to disk before `append` returns.

    Only one process may write a trace: a second one raises `TraceError`.
    """

    def __init__(self, key: TraceKey, records: Path) -> None:
        self._path = key.path(records)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = self._path.open("ab+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.close()
            raise TraceError(f"{self._path}: another run is recording this trace; wait for it or stop it") from error
        self._mend_tail()

    def append(self, record: RunRecord) -> None:
        self._file.write(record_line(record))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mend_tail(self) -> None:
        # A killed run leaves half a line; appending to it would spoil the next record too.
        self._file.seek(0)
        data = self._file.read()
        tail = data[data.rfind(b"\n") + 1 :]
        if _complete(tail):
            self._file.write(b"\n")
        elif tail:
            self._file.truncate(len(data) - len(tail))


def compact(key: TraceKey, records: Path, *, shard_bytes: int = SHARD_BYTES) -> None:
    """Rewrite a trace with one record per question: one plain file, or zstd shards where that exceeds `shard_bytes`."""
    lines = [record_line(record) for record in read_trace(key, records).records.values()]
    old, opened = trace_files(key, records), key.path(records)
    if sum(map(len, lines)) <= shard_bytes:
        new = {opened: b"".join(lines)}
    else:
        chunks = _chunks(lines, shard_bytes)
        compress = zstandard.ZstdCompressor(level=19, write_checksum=True).compress
        new = {opened.with_name(f"{opened.stem}.{i:03d}.jsonl.zst"): compress(chunk) for i, chunk in enumerate(chunks)}
    for path, data in new.items():
        write_atomic(path, data)
    for path in set(old) - set(new):
        path.unlink()


def _chunks(lines: list[bytes], limit: int) -> list[bytes]:
    chunks: list[bytes] = []
    for line in lines:
        if chunks and len(chunks[-1]) + len(line) <= limit:
            chunks[-1] += line
        else:
            chunks.append(line)
    return chunks
