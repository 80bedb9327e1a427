"""Whole files: written at once or not at all, and known by their sha256."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write_atomic(path: Path, data: bytes | str) -> Path:
    """Write a file (text as UTF-8) by way of a temporary name in its folder; returns `path`.

    A reader, or a process that goes on after a kill, finds the old file or the whole new one. Two processes may write
    the same file at once.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())
    return temporary.replace(path)


def sha256_of(path: Path) -> str:
    """sha256 of a file's bytes, in hex; read in blocks, so a file of any size will do."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
