"""A user's own files as documents: each given path is parsed into its own store, only what changed is redone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from common.documents import ParseOptions, assets_folder, load_documents, other_files, parse_folder
from common.documents.model import Document, Fragment
from common.documents.sniff import KINDS

NAMED = 5  # files of other kinds that are named; of the rest it is said how many there are


class SourceError(Exception):
    """Nothing can be read from what was given; the message names the path and what to do."""


@dataclass(frozen=True)
class Library:
    """The documents of the given paths. `files` maps a document's id to its file; `failures` are "file: reason".

    `others` are files in the given folders that are no documents; each fragment's asset lies below `assets`.
    """

    documents: tuple[Document, ...]
    files: dict[str, Path]
    assets: Path
    failures: tuple[str, ...]
    others: tuple[Path, ...]
    redone: int
    reused: int

    @property
    def fragments(self) -> int:
        return sum(len(document.fragments) for document in self.documents)

    def left_out(self) -> list[str]:
        """A line for each file that could not be read, and one for those nobody tried to."""
        lines = [f"left out: {failure}" for failure in self.failures]
        if self.others:
            named = ", ".join(map(str, self.others[:NAMED]))
            more = f" and {len(self.others) - NAMED} more" if len(self.others) > NAMED else ""
            lines.append(f"left out, no {KINDS} by name: {named}{more}; a file given by itself is tried")
        return lines


def open_library(
    paths: Sequence[Path], cache: Path, options: ParseOptions | None = None, *, progress: bool = True
) -> Library:
    """Parse files and folders into stores below `cache`/sources. Raises `SourceError`.

    A path inside another given folder is read once. Documents of two paths that share an id both stay, the later one
    under a longer id.
    """
    given, options = resolve_paths(paths), options or ParseOptions()
    stores = _stores(cache)
    reports = []
    for path in given:
        store = stores / _name(path)
        reports.append((path, store, parse_folder(path, store, options=options, tables=True, progress=progress)))
    documents: dict[str, Document] = {}
    files: dict[str, Path] = {}
    for path, store, report in reports:
        for document in load_documents(store) if report.documents else []:
            placed = _placed(document, store.name, taken=document.document_id in documents)
            documents[placed.document_id] = placed
            files[placed.document_id] = _file(path, document.source)
    failures = tuple(f"{_file(path, f.source)}: {f.reason}" for path, _, report in reports for f in report.failures)
    others = tuple(other for path in given for other in other_files(path))
    library = Library(
        tuple(sorted(documents.values(), key=lambda d: d.document_id)), files, stores, failures, others,
        sum(len(report.redone) for _, _, report in reports), sum(len(report.reused) for _, _, report in reports),
    )  # fmt: skip
    if not library.fragments:
        raise SourceError(_nothing(given, library, options))
    return library


def stores_of(paths: Sequence[Path], cache: Path) -> list[Path]:
    """Where `open_library` keeps what it parses, a folder for each path."""
    return [_stores(cache) / _name(path) for path in resolve_paths(paths)]


def _stores(cache: Path) -> Path:
    return cache / "sources"


def resolve_paths(paths: Sequence[Path]) -> list[Path]:
    """Absolute paths, each once, none inside another. Raises `SourceError` naming every path that is not there."""
    missing = [str(path) for path in paths if not path.expanduser().exists()]
    if missing:
        raise SourceError(f"no such file or folder: {', '.join(missing)}; check the spelling")
    found = list(dict.fromkeys(path.expanduser().resolve() for path in paths))
    return [path for path in found if not any(other in path.parents for other in found)]


def _placed(document: Document, store: str, *, taken: bool) -> Document:
    """The document with its assets below the common folder; with ids of its own where its id is taken."""
    document_id = f"{document.document_id}__{store[:6]}" if taken else document.document_id
    fragments = tuple(
        replace(
            fragment,
            document_id=document_id,
            fragment_id=_renamed(fragment, store) if taken else fragment.fragment_id,
            asset=str(assets_folder(Path(store)) / fragment.asset) if fragment.asset else None,
        )
        for fragment in document.fragments
    )
    return replace(document, document_id=document_id, fragments=fragments)


def _renamed(fragment: Fragment, store: str) -> str:
    return "frag_" + hashlib.sha256(f"{store}\n{fragment.fragment_id}".encode()).hexdigest()[:16]


def _name(path: Path) -> str:
    return hashlib.sha256(str(path).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _file(path: Path, source: str) -> Path:
    return (path if path.is_dir() else path.parent) / source


def _nothing(given: Sequence[Path], library: Library, options: ParseOptions) -> str:
    where = ", ".join(map(str, given))
    if library.failures:
        return f"nothing could be read in {where}:\n" + "\n".join(library.failures)
    if library.documents:
        scans = "" if options.ocr else "; scanned pages are read without --no-ocr and --fast-parse"
        return f"{where}: no text, figure or table in it{scans}"
    return f"{where}: no {KINDS} file there"
