"""What a trace came from: the commit, and beside each trace the configuration its runs were made with."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from common.files import write_atomic
from common.traces import TraceKey, find_traces, read_object, read_trace, trace_files

CODE = ("common", "knowforge", "flowreader")


def code_commit(root: Path) -> str:
    """Short commit of the checkout, with `-dirty` where the methods' code differs from it; `unknown` outside git."""
    try:
        head = _git(root, "rev-parse", "--short=12", "HEAD")
        changed = _git(root, "status", "--porcelain", "--", *CODE)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}-dirty" if changed else head


def config_path(key: TraceKey, records: Path) -> Path:
    """The configuration file beside a trace."""
    return key.path(records).with_suffix(".config.json")


def write_config(key: TraceKey, records: Path, config: Mapping[str, Any]) -> None:
    """Keep what the runs of a trace depend on, so that a later change can be named."""
    path = config_path(key, records)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(config, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def read_config(key: TraceKey, records: Path) -> dict[str, Any]:
    """Inverse of `write_config`; empty where there is none. Raises `TraceError` for a damaged file."""
    path = config_path(key, records)
    return read_object(path) if path.exists() else {}


def config_changes(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Sentences naming each prompt, field or corpus that is not the recorded one; empty if nothing changed."""
    if recorded.get("config_hash") == now["config_hash"]:
        return []
    changes = [f"prompt {name} {how}" for name, how in _parts(recorded.get("prompts", {}), now["prompts"])]
    changes += [
        f"setting {name} {how}" for name, how in _parts(_flat(recorded.get("system", {})), _flat(now["system"]))
    ]
    if recorded.get("base") != now["base"]:
        changes.append(f"the corpus or its relations changed ({str(recorded.get('base'))[:12]} -> {now['base'][:12]})")
    return changes or [f"config hash {recorded.get('config_hash')} -> {now['config_hash']}"]


def trace_facts(traces: Path, records: Path) -> dict[str, dict[str, Any]]:
    """Model, weights, configuration and commits of every trace file, for the manifest."""
    facts: dict[str, dict[str, Any]] = {}
    for key in find_traces(records):
        config, runs = read_config(key, records), read_trace(key, records).records.values()
        fact = {
            "model": key.model,
            "weights": config.get("weights"),
            "config_hash": config.get("config_hash"),
            "commits": sorted({run.commit for run in runs}),
            "failed": sum(run.status == "failed" for run in runs),
        }
        facts |= {path.relative_to(traces).as_posix(): fact for path in trace_files(key, records)}
    return facts


def _parts(recorded: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in sorted({*recorded, *now}):
        if name not in now:
            yield name, "is gone"
        elif name not in recorded:
            yield name, "is new"
        elif recorded[name] != now[name]:
            yield name, f"changed ({recorded[name]} -> {now[name]})"


def _flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted name; a tuple is a list, as it is in the file beside the trace."""
    flat: dict[str, Any] = {}
    for name, value in data.items():
        plain = list(value) if isinstance(value, tuple) else value
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: plain}
    return flat


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()
