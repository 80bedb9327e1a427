"""Files of a call cache: one open `NNN.jsonl` that grows by a line per call, sealed `NNN.jsonl.zst` that never change.

`manifest.json` beside them holds sha256, rows, bytes and models of every sealed shard.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import zstandard

from common.files import sha256_of, write_atomic
from common.llm.errors import CacheDamaged
from common.packing import SHARD_BYTES, pack, unpack

MANIFEST = "manifest.json"
_LEVEL = 9  # on prompts that repeat each other 15 takes 75 times as long for 4 % less
_FIX = "restore it with git checkout, or delete the folder and record again"


@dataclass(frozen=True)
class Seal:
    """One sealed shard; `models` are the model ids its requests name."""

    sha256: str
    rows: int
    bytes: int
    models: tuple[str, ...]


def shard_number(path: Path) -> int:
    """NNN of `NNN.jsonl` or `NNN.jsonl.zst`."""
    return int(path.name.split(".")[0])


def open_shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9]*.jsonl"), key=shard_number)


def sealed_shards(folder: Path) -> list[Path]:
    """Sealed shards in order, each checked against the manifest. Raises `CacheDamaged` naming the shard.

    A shard that a manifest does not list is left from a seal that was killed; its rows stand in the other shards.
    """
    seals = read_manifest(folder)
    for name, seal in seals.items():
        path = folder / name
        if not path.exists():
            raise CacheDamaged(f"{path}: sealed with {seal.rows} rows but missing; {_FIX}")
        digest = sha256_of(path)
        if digest != seal.sha256:
            raise CacheDamaged(f"{path}: sha256 {digest[:12]}..., sealed as {seal.sha256[:12]}...; {_FIX}")
    unknown = {p.name for p in folder.glob("[0-9]*.jsonl.zst")} - seals.keys()
    if unknown and not seals and not open_shards(folder):
        raise CacheDamaged(f"{folder}: {', '.join(sorted(unknown))} not in {MANIFEST}; {_FIX}")
    return sorted((folder / name for name in seals), key=shard_number)


def read_manifest(folder: Path) -> dict[str, Seal]:
    path = folder / MANIFEST
    if not path.exists():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["shards"]
        return {name: Seal(**{**entry, "models": tuple(entry["models"])}) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise CacheDamaged(f"{path}: not a manifest of call shards ({error}); {_FIX}") from error


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a shard in order. A last line without its newline is a call cut by a kill and is left out.

    Raises `CacheDamaged` with file and line for anything else that is not a row.
    """
    raw = unpack(path)
    for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise CacheDamaged(f"{path}:{number}: not a stored call ({error}); {_FIX}") from error
        if not isinstance(row, dict) or not row.keys() >= {"key", "request", "text"}:
            raise CacheDamaged(f"{path}:{number}: not a stored call; {_FIX}")
        yield row


def row_line(row: dict[str, Any]) -> bytes:
    """One row as a line. Lone surrogates survive, `json.loads` reads them back."""
    text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


def drop_torn_tail(path: Path) -> None:
    """Cut an open shard after its last whole line, so that the next row does not join a torn one."""
    raw = path.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        os.truncate(path, whole)


def write_sealed(folder: Path, first: int, rows: Sequence[dict[str, Any]], limit: int = SHARD_BYTES) -> dict[str, Seal]:
    """Write rows as sealed shards from number `first`, each at most `limit` bytes; same rows, same bytes."""
    seals: dict[str, Seal] = {}
    left = iter(rows)
    for count, packed in pack([row_line(row) for row in rows], zstandard.ZstdCompressor(level=_LEVEL), limit):
        name = f"{first + len(seals):03d}.jsonl.zst"
        write_atomic(folder / name, packed)
        models = tuple(sorted({str(row["request"]["model"]) for row in islice(left, count)}))
        seals[name] = Seal(hashlib.sha256(packed).hexdigest(), count, len(packed), models)
    return seals


def write_manifest(folder: Path, seals: dict[str, Seal]) -> None:
    """From here on these shards are the sealed ones."""
    body = {"version": 1, "shards": {name: asdict(seals[name]) for name in sorted(seals)}}
    write_atomic(folder / MANIFEST, json.dumps(body, indent=1) + "\n")
