"""pocket-m3doc: generates the corpus, checks it against its own pages, and loads it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tqdm import tqdm

from common.benchmarks.pocket import records
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world
from common.benchmarks.pocket.checks import check_rendered
from common.benchmarks.pocket.pdf import write_pdf
from common.benchmarks.pocket.questions import draft_questions
from common.benchmarks.question import Question

SEED = 20261129


@dataclass(frozen=True)
class PocketCorpus:
    """A generated corpus on disk. `sha256` is of the whole: every file's name and hash."""

    folder: Path
    sha256: str
    document_ids: tuple[str, ...]
    questions: tuple[Question, ...]
    reused: bool

    @property
    def documents_folder(self) -> Path:
        return self.folder / "documents"


def generate_pocket_m3doc(
    folder: Path, *, seed: int = SEED, documents: int = 128, questions: int = 60, progress: bool = True
) -> PocketCorpus:
    """Writes documents/*.pdf, questions.jsonl and manifest.json under `folder`; byte-identical for the same arguments.

    A complete folder made by this generator with these arguments is reused. Raises ValueError where the world is too
    small for the questions or a question fails its check against the rendered pages.
    """
    recipe = _recipe(seed, documents, questions)
    manifest = _complete(folder, recipe)
    if manifest is not None:
        return _corpus(folder, manifest, reused=True)
    world = build_world(seed, documents)
    articles = write_articles(world)
    drafts = draft_questions(world, articles, questions)
    _clear(folder)
    pages: dict[str, dict[str, int]] = {}
    for key, article in tqdm(articles.items(), desc="pocket-m3doc", unit="pdf", disable=not progress):
        pages[key] = write_pdf(article, folder / "documents")
        if not 2 <= max(pages[key].values()) <= 3:
            raise ValueError(
                f"{key}: laid out on {max(pages[key].values())} pages; articles are meant to have two or three"
            )
    asked = [records.to_question(draft, number, pages) for number, draft in enumerate(drafts, start=1)]
    check_rendered(asked, folder)
    _write(folder / "questions.jsonl", records.dump(asked))
    manifest = {**recipe, "files": _hashes(folder)}
    manifest["sha256"] = _digest(json.dumps(manifest["files"], sort_keys=True).encode())
    _write(folder / "manifest.json", (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    return _corpus(folder, manifest, reused=False)


def load_pocket_m3doc(folder: Path) -> list[Question]:
    """The questions of a generated folder. Raises FileNotFoundError that says how to make one."""
    path = folder / "questions.jsonl"
    if not path.exists() or not (folder / "manifest.json").exists():
        raise FileNotFoundError(
            f"{folder}: no complete pocket-m3doc corpus; make one with generate_pocket_m3doc({str(folder)!r})"
        )
    return records.load(path)


def _corpus(folder: Path, manifest: dict[str, Any], *, reused: bool) -> PocketCorpus:
    ids = tuple(sorted(Path(name).stem for name in manifest["files"] if name.endswith(".pdf")))
    return PocketCorpus(folder, manifest["sha256"], ids, tuple(load_pocket_m3doc(folder)), reused)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _recipe(seed: int, documents: int, questions: int) -> dict[str, Any]:
    """Everything the bytes depend on: arguments, the generator's own source, and the two libraries that draw."""
    source = b"".join(
        path.read_bytes() for path in sorted(Path(__file__).parent.iterdir()) if path.suffix in (".py", ".txt")
    )
    return {
        "benchmark": records.BENCHMARK,
        "seed": seed,
        "documents": documents,
        "questions": questions,
        "generator": _digest(source),
        "pillow": version("pillow"),
        "reportlab": version("reportlab"),
    }


def _hashes(folder: Path) -> dict[str, str]:
    paths = [*sorted((folder / "documents").glob("*.pdf")), folder / "questions.jsonl"]
    return {path.relative_to(folder).as_posix(): _digest(path.read_bytes()) for path in paths}


def _complete(folder: Path, recipe: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest of a folder that holds exactly what `recipe` gives, or None."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        fits = all(manifest.get(key) == value for key, value in recipe.items()) and manifest["files"] == _hashes(folder)
    except (OSError, json.JSONDecodeError, KeyError):
        return None
    return manifest if fits else None


def _clear(folder: Path) -> None:
    """Removes what an earlier run left, manifest first: a half-made folder is never taken for complete."""
    (folder / "manifest.json").unlink(missing_ok=True)
    (folder / "questions.jsonl").unlink(missing_ok=True)
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for path in [*(folder / "documents").glob("*.pdf"), *(folder / "documents").glob("*.pdf.part")]:
        path.unlink()


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(data)
    partial.replace(path)
