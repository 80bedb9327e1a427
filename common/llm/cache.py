"""The call cache: replies by the sha256 of their request, kept as shards of JSON lines."""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from common.llm import shards
from common.llm.lock import FolderLock
from common.llm.miss import Candidate, closest
from common.llm.reply import Reply
from common.llm.request import Request

_VALUE = (
    "text", "finish_reason", "prompt_tokens", "cached_tokens", "completion_tokens", "seconds", "first_token_s",
    "server",
)  # fmt: skip


@dataclass(frozen=True)
class Asker:
    """Who asked: artefact or command, question, stage. Kept with a row to explain misses; not part of the key."""

    context: str = ""
    question_id: str = ""
    stage: str = ""


class CallCache:
    """Stored replies of one folder. Reading needs no lock; the first `put` takes the folder for this process alone.

    A row is on disk before `put` returns: a kill loses at most the call in flight. In memory are the replies only,
    requests are read from the shards again when a miss must be explained.
    """

    def __init__(self, folder: Path) -> None:
        """Load the shards. Raises `CacheDamaged` for a shard that is not the sealed one."""
        self.folder = folder
        self._replies: dict[str, Reply] = {}
        self._lock = FolderLock(folder)
        self._handle: BinaryIO | None = None
        self._askers: dict[tuple[str, str], list[bytes]] | None = None
        self._load()

    def __len__(self) -> int:
        return len(self._replies)

    def __contains__(self, key: str) -> bool:
        return key in self._replies

    def lookup(self, key: str) -> Reply | None:
        return self._replies.get(key)

    def claim(self) -> None:
        """Take the folder for this process: no reply is paid for that could not be kept. Raises `CacheInUse`."""
        self._open()

    def put(self, request: Request, reply: Reply, asker: Asker, *, overwrite: bool = False) -> Reply:
        """Store a reply and return the one that counts: the first stored, unless `overwrite`.

        Two equal requests in flight at once may get two texts; all runs must then go on from the same one, or replay
        could not repeat them.
        """
        if not overwrite and request.key in self._replies:
            return self._replies[request.key]
        values = {name: getattr(reply, name) for name in _VALUE}
        row = {"key": request.key, "request": request.identity, **vars(asker), **values}
        handle = self._open()
        handle.write(shards.row_line(row))
        handle.flush()
        os.fsync(handle.fileno())
        self._replies[request.key] = stored = _reply(row)
        self._askers = None
        return replace(stored, replayed=False)

    def seal(self) -> None:
        """Turn open shards into sealed ones; does nothing if there is nothing to seal."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire()
        try:
            self._close_shard()
            self._seal()
        finally:
            self._lock.release()

    def nearest(self, request: Request, asker: Asker) -> Candidate | None:
        """The stored request closest to one that is missing: same stage and question first, then by common prefix."""
        if self._askers is None:  # kept: after a changed prompt every question misses
            self._askers = defaultdict(list)
            for row in self._rows():
                self._askers[row["stage"], row["question_id"]].append(shards.row_line(row))
        groups = self._askers
        near = groups.get((asker.stage, asker.question_id)) or [line for lines in groups.values() for line in lines]
        return closest(request, asker.stage, asker.question_id, map(json.loads, near))

    def close(self) -> None:
        """Give the folder back. The cache still answers, and `put` opens it again."""
        self._close_shard()
        self._lock.release()

    def _seal(self) -> None:
        opened, sealed = shards.open_shards(self.folder), shards.sealed_shards(self.folder)
        if not opened:
            return
        # A seal killed before its clean-up left rows in both kinds of shard.
        known = {_digest(row) for path in sealed for row in shards.read_rows(path)}
        rows = {row["key"]: row for path in opened for row in shards.read_rows(path)}
        wanted = [row for row in rows.values() if _digest(row) not in known]
        first = max((shards.shard_number(path) for path in sealed), default=-1) + 1
        new = shards.write_sealed(self.folder, first, wanted) if wanted else {}
        kept = shards.read_manifest(self.folder)
        shards.write_manifest(self.folder, {**kept, **new})
        for path in [*opened, *self.folder.glob("[0-9]*.jsonl.zst")]:
            if path.name not in kept and path.name not in new:
                path.unlink()

    def _load(self) -> None:
        self._replies = {row["key"]: _reply(row) for row in self._rows()}

    def _rows(self) -> Iterator[dict[str, Any]]:
        for path in [*shards.sealed_shards(self.folder), *shards.open_shards(self.folder)]:
            yield from shards.read_rows(path)

    def _open(self) -> BinaryIO:
        if self._handle is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            existing = shards.open_shards(self.folder)
            if existing:
                path = existing[-1]
                shards.drop_torn_tail(path)
            else:
                number = max((shards.shard_number(p) for p in shards.sealed_shards(self.folder)), default=-1) + 1
                path = self.folder / f"{number:03d}.jsonl"
            self._handle = path.open("ab")
        return self._handle

    def _close_shard(self) -> None:
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def _reply(row: dict[str, Any]) -> Reply:
    return Reply(**{name: row[name] for name in _VALUE}, key=row["key"], replayed=True)


def _digest(row: dict[str, Any]) -> bytes:
    return hashlib.sha256(shards.row_line(row)).digest()
