"""The seal over all traces: sha256, rows and bytes of every file, with model, weights and commit where known."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import zstandard

from common.files import sha256_of, write_atomic
from common.packing import unpack
from common.traces.records import TraceError

MANIFEST = "manifest.json"
TOTAL_BYTES = 50_000_000
IMPORTED = "imported"
_UNSEALED = (".tmp", ".lock")
_SHARD = re.compile(r"(\.\d{3}(-of-\d{3})?)?\.jsonl(\.zst)?$")


@dataclass(frozen=True)
class Problem:
    """One way in which the files on disk are not the sealed ones."""

    kind: Literal["missing", "changed", "unlisted", "no manifest"]
    path: str
    message: str


def sealed_files(traces: Path) -> list[Path]:
    """Every file that belongs under the seal, sorted by path; result files of other runners in imported/ do not."""
    files = (p for p in traces.rglob("*") if p.is_file() and p.suffix not in _UNSEALED and not p.name.startswith("."))
    return sorted(p for p in files if p != traces / MANIFEST and traces / IMPORTED not in p.parents)


def write_manifest(traces: Path, facts: Mapping[str, Mapping[str, Any]]) -> Path:
    """Seal all files below `traces`; `facts` adds fields (model, weights, commit, ...) by relative path."""
    entries: dict[str, dict[str, Any]] = {}
    for path in sealed_files(traces):
        name = path.relative_to(traces).as_posix()
        entries[name] = {
            "sha256": sha256_of(path),
            "rows": _rows(path),
            "bytes": path.stat().st_size,
            **facts.get(name, {}),
        }
    text = json.dumps({"version": 1, "files": entries}, indent=1, ensure_ascii=False) + "\n"
    return write_atomic(traces / MANIFEST, text)


def read_manifest(traces: Path) -> dict[str, dict[str, Any]]:
    """Entries by relative path; empty where nothing was sealed yet. Raises `TraceError` for a damaged manifest."""
    path = traces / MANIFEST
    if not path.exists():
        return {}
    data = read_object(path)
    entries = data.get("files")
    if not isinstance(entries, dict) or not all(
        isinstance(entry, dict) and {"sha256", "rows", "bytes"} <= entry.keys() for entry in entries.values()
    ):
        raise TraceError(f"{path}: field 'files' is not what sealing writes; restore the file with git checkout")
    return entries


def sealed_rows(traces: Path) -> Counter[str]:
    """Sealed rows by trace: all shards of one system's records, all shards of one folder of calls."""
    rows: Counter[str] = Counter()
    for name, entry in read_manifest(traces).items():
        folder, _, file = name.rpartition("/")
        stem = _SHARD.sub("", file)
        rows[folder if stem.isdecimal() else f"{folder}/{stem}"] += entry["rows"] or 0
    return rows


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file that stands beside traces. Raises `TraceError` naming file and place."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:  # cut off, or no text
        raise TraceError(f"{path}: {error}; the file is damaged, restore it with git checkout") from error
    if not isinstance(data, dict):
        raise TraceError(f"{path}: holds no JSON object; restore it with git checkout")
    return data


def check_manifest(traces: Path) -> list[Problem]:
    """Compare disk and seal. Each problem says what changed and what to do; an empty list is the good case."""
    entries = read_manifest(traces)
    present = {p.relative_to(traces).as_posix(): p for p in sealed_files(traces)} if traces.exists() else {}
    if not entries:
        hint = "record traces (make record) or restore experiments/traces/manifest.json with git checkout"
        return [Problem("no manifest", MANIFEST, f"{traces / MANIFEST}: nothing is sealed; {hint}")]
    problems = []
    for name, entry in entries.items():
        if name not in present:
            lost = f"{name}: sealed ({entry['rows']} rows, {entry['bytes']} bytes) but not there"
            problems.append(Problem("missing", name, f"{lost}; restore it with git checkout, or record it again"))
        elif (now := sha256_of(present[name])) != entry["sha256"]:
            was = f"{name}: sha256 {now[:12]}..., sealed as {entry['sha256'][:12]}...{_growth(present[name], entry)}"
            remedy = "restore it with git checkout; if it was recorded on purpose, seal it (python -m experiments seal)"
            problems.append(Problem("changed", name, f"{was}; {remedy}"))
    for name in present.keys() - entries.keys():
        problems.append(
            Problem("unlisted", name, f"{name}: not in the seal; run python -m experiments seal, or delete it")
        )
    return sorted(problems, key=lambda p: p.path)


def _growth(path: Path, entry: Mapping[str, Any]) -> str:
    try:
        rows = _rows(path)
    except zstandard.ZstdError:
        return " (no longer a readable zstd file)"
    size = path.stat().st_size
    return f" (rows {entry['rows']} -> {rows}, bytes {entry['bytes']} -> {size})"


def _rows(path: Path) -> int | None:
    return unpack(path).count(b"\n") if path.name.endswith((".jsonl", ".jsonl.zst")) else None
