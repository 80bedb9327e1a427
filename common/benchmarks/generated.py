"""What the generated corpora share: a folder of documents, questions and a manifest that tells whether it is whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.benchmarks.question import Question
from common.benchmarks.question_lines import dump, load

MANIFEST, QUESTIONS, DOCUMENTS = "manifest.json", "questions.jsonl", "documents"


@dataclass(frozen=True)
class GeneratedCorpus:
    """A generated corpus on disk. `sha256` is of the whole: every file's name and hash."""

    folder: Path
    sha256: str
    document_ids: tuple[str, ...]
    questions: tuple[Question, ...]
    reused: bool

    @property
    def documents_folder(self) -> Path:
        return self.folder / DOCUMENTS


def source_digest(*folders: Path) -> str:
    """One hash of the generators' own sources and word lists: another generator gives another corpus."""
    files = sorted(path for folder in folders for path in folder.iterdir() if path.suffix in (".py", ".txt"))
    return _digest(b"".join(path.read_bytes() for path in files))


def complete(folder: Path, recipe: Mapping[str, Any]) -> GeneratedCorpus | None:
    """The corpus of a folder that holds exactly what `recipe` gives, or None."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        fits = all(manifest.get(key) == value for key, value in recipe.items()) and manifest["files"] == _hashes(folder)
    except (OSError, json.JSONDecodeError, KeyError):
        return None
    return _corpus(folder, manifest, reused=True) if fits else None


def clear(folder: Path) -> None:
    """Remove what an earlier run left, manifest first: a half-made folder is never taken for complete."""
    (folder / MANIFEST).unlink(missing_ok=True)
    (folder / QUESTIONS).unlink(missing_ok=True)
    (folder / DOCUMENTS).mkdir(parents=True, exist_ok=True)
    for path in (folder / DOCUMENTS).iterdir():
        path.unlink()


def finish(folder: Path, recipe: Mapping[str, Any], questions: list[Question]) -> GeneratedCorpus:
    """Write questions, then the manifest over all files."""
    write(folder / QUESTIONS, dump(questions))
    manifest: dict[str, Any] = {**recipe, "files": _hashes(folder)}
    manifest["sha256"] = _digest(json.dumps(manifest["files"], sort_keys=True).encode())
    write(folder / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    return _corpus(folder, manifest, reused=False)


def load_questions(folder: Path, how: str) -> list[Question]:
    """The questions of a generated folder. Raises FileNotFoundError that says how to make one."""
    if not (folder / QUESTIONS).exists() or not (folder / MANIFEST).exists():
        raise FileNotFoundError(f"{folder}: no complete corpus; make one with {how}({str(folder)!r})")
    return load(folder / QUESTIONS)


def write(path: Path, data: bytes) -> None:
    """Write through a temporary name, so a killed run leaves no half file."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(data)
    partial.replace(path)


def _corpus(folder: Path, manifest: Mapping[str, Any], *, reused: bool) -> GeneratedCorpus:
    ids = tuple(sorted(Path(name).stem for name in manifest["files"] if name.startswith(f"{DOCUMENTS}/")))
    return GeneratedCorpus(folder, manifest["sha256"], ids, tuple(load(folder / QUESTIONS)), reused)


def _hashes(folder: Path) -> dict[str, str]:
    paths = [*sorted((folder / DOCUMENTS).iterdir()), folder / QUESTIONS]
    return {path.relative_to(folder).as_posix(): _digest(path.read_bytes()) for path in paths}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
