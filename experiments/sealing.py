"""`seal`: one record per question, call shards closed, everything under the manifest."""

from __future__ import annotations

from pathlib import Path

from common.llm import CallCache
from common.packing import SHARD_BYTES
from common.paths import Workspace
from common.traces import TOTAL_BYTES, compact, find_traces, sealed_files, sealed_rows, write_manifest
from experiments.running.provenance import trace_facts


def seal_command(workspace: Workspace) -> int:
    """Seal, and name every trace that has fewer rows than it was sealed with: a cut or emptied file."""
    before = sealed_rows(workspace.traces)
    print(f"sealed: {seal(workspace)}")
    after = sealed_rows(workspace.traces)
    for name, rows in before.items():
        if after[name] < rows:
            lost = f"fewer rows than sealed before: {name}, {rows} -> {after[name]}"
            print(f"{lost}; if that is not meant, restore its files and the manifest with git checkout")
    return 0


def seal(workspace: Workspace) -> Path:
    """Compact and seal all traces of the tree; returns the manifest's path."""
    for key in find_traces(workspace.records):
        compact(key, workspace.records)
    for folder in call_folders(workspace):
        cache = CallCache(folder)
        cache.seal()
        cache.close()
    return write_manifest(workspace.traces, trace_facts(workspace.traces, workspace.records))


def call_folders(workspace: Workspace) -> list[Path]:
    """The call caches in the tree: calls/<benchmark>/<model>."""
    return sorted(path for path in (workspace.traces / "calls").glob("*/*") if path.is_dir())


def size_problems(traces: Path) -> list[str]:
    """Shards above 5 MB, and a tree above 50 MB in all."""
    sizes = {path.relative_to(traces).as_posix(): path.stat().st_size for path in sealed_files(traces)}
    problems = [
        f"{name}: {size:,} bytes, a shard may have {SHARD_BYTES:,}"
        for name, size in sizes.items()
        if size > SHARD_BYTES
    ]
    total = sum(sizes.values())
    return (
        [*problems, f"{traces}: {total:,} bytes in all, {TOTAL_BYTES:,} allowed"] if total > TOTAL_BYTES else problems
    )
