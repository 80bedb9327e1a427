"""What the generated corpora share: a folder of documents, questions and a manifest that tells whether it is whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from common.benchmarks.question import Question
from common.benchmarks.question_lines import dump, load
from common.files import write_atomic

MANIFEST, QUESTIONS, DOCUMENTS = "manifest.json", "questions.jsonl", "documents"
DRAWING = ("pillow", "reportlab")  # the libraries that draw pictures and pages


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


def recipe(name: str, *, libraries: Sequence[str] = (), **arguments: int) -> dict[str, Any]:
    """Everything the bytes of corpus `name` depend on, as its manifest keeps it.

    That is its arguments, the libraries that draw, and the sources and word lists of its own package and of `pocket`,
    from which the others borrow.
    """
    here = Path(__file__).parent
    packages = {here / "pocket", here / ("pocket" if name == "pocket-m3doc" else name.replace("-", "_"))}
    files = sorted(path for folder in packages for path in folder.iterdir() if path.suffix in (".py", ".txt"))
    source = _digest(b"".join(path.read_bytes() for path in files))
    return {"benchmark": name, **arguments, "generator": source, **{library: version(library) for library in libraries}}


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
    write_atomic(folder / QUESTIONS, dump(questions))
    manifest: dict[str, Any] = {**recipe, "files": _hashes(folder)}
    manifest["sha256"] = _digest(json.dumps(manifest["files"], sort_keys=True).encode())
    write_atomic(folder / MANIFEST, json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    return _corpus(folder, manifest, reused=False)


def load_questions(folder: Path, name: str) -> list[Question]:
    """The questions of the corpus `name`. Raises FileNotFoundError that says how to make it."""
    if not (folder / QUESTIONS).exists() or not (folder / MANIFEST).exists():
        raise FileNotFoundError(f"{folder}: no complete corpus; make it: generate_benchmark({name!r}, {str(folder)!r})")
    return load(folder / QUESTIONS)


def _corpus(folder: Path, manifest: Mapping[str, Any], *, reused: bool) -> GeneratedCorpus:
    ids = tuple(sorted(Path(name).stem for name in manifest["files"] if name.startswith(f"{DOCUMENTS}/")))
    return GeneratedCorpus(folder, manifest["sha256"], ids, tuple(load(folder / QUESTIONS)), reused)


def _hashes(folder: Path) -> dict[str, str]:
    paths = [*sorted((folder / DOCUMENTS).iterdir()), folder / QUESTIONS]
    return {path.relative_to(folder).as_posix(): _digest(path.read_bytes()) for path in paths}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
