"""A folder of files that is complete or absent: written beside its place, then renamed; hashes checked on load."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from common.files import sha256_of

MANIFEST = "manifest.json"


class IndexRefused(ValueError):
    """A saved index must not be used: absent, damaged, or built by another encoder or version."""


@contextmanager
def write_folder(target: Path, about: Mapping[str, Any]) -> Iterator[Path]:
    """Yield an empty folder to fill; on success it gets a manifest and takes the place of `target`.

    A reader sees the old folder or the new one; after a failure the old one stays.
    """
    target = Path(target).absolute()
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.draft-{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    try:
        yield draft
        files = {
            path.relative_to(draft).as_posix(): {"sha256": sha256_of(path), "bytes": path.stat().st_size}
            for path in sorted(draft.rglob("*"))
            if path.is_file()
        }
        (draft / MANIFEST).write_text(json.dumps({**about, "files": files}, indent=1, sort_keys=True) + "\n")
        _swap(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _swap(draft: Path, target: Path) -> None:
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    if target.exists():
        target.replace(old)
    draft.replace(target)
    shutil.rmtree(old, ignore_errors=True)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a saved index, its files checked by size and sha256.

    Raises `IndexRefused`, naming the file and the fix.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise IndexRefused(f"no index in {folder} ({MANIFEST} is missing): build it and save it there")
    try:
        manifest: dict[str, Any] = json.loads(path.read_text())
        files: dict[str, dict[str, Any]] = manifest["files"]
    except (ValueError, KeyError, TypeError) as error:
        raise IndexRefused(f"{path} is not a manifest ({error}): delete {folder} and build the index again") from error
    for name, facts in files.items():
        if not (folder / name).is_file() or (folder / name).stat().st_size != facts["bytes"]:
            raise IndexRefused(f"{folder / name} is missing or cut short: delete {folder} and build the index again")
    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(files, pool.map(lambda name: sha256_of(folder / name), files), strict=True))
    for name, facts in files.items():
        if found[name] != facts["sha256"]:
            raise IndexRefused(
                f"{folder / name} does not match its checksum (sha256 {found[name][:12]}, expected "
                f"{facts['sha256'][:12]}): delete {folder} and build the index again"
            )
    return manifest
