"""Parse a folder into a store: only what changed, the broken files named, resumable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tqdm import tqdm

from common.documents.errors import DocumentError
from common.documents.model import Document
from common.documents.options import ParseOptions
from common.documents.parse import Source, parse_file
from common.documents.sniff import DELIMITED, SUFFIXES
from common.documents.store import (
    document_key,
    documents_folder,
    is_complete,
    read_document,
    remove_others,
    write_document,
)
from common.files import sha256_of

DEFAULTS = ParseOptions()
LONGEST_NAME = 230  # bytes of a document's id: most file systems end at 255, and the store adds to it


@dataclass(frozen=True)
class ParseFailure:
    """`source` is the file's name relative to the parsed folder."""

    source: str
    reason: str


@dataclass(frozen=True)
class ParseReport:
    """What the store holds after a parse; `redone` and `reused` are document ids of this run."""

    documents: tuple[str, ...]
    redone: tuple[str, ...]
    reused: tuple[str, ...]
    failures: tuple[ParseFailure, ...]
    pages: int
    ocr_pages: int
    images: int
    tables: int
    characters: int


@dataclass(frozen=True)
class _Job:
    source: Source
    store: Path
    key: str
    options: ParseOptions
    progress: bool


def parse_folder(
    source: Path, store: Path, *, options: ParseOptions = DEFAULTS, tables: bool = False, progress: bool = True
) -> ParseReport:
    """Parse a file, or every PDF, HTML and Markdown file under a folder, into `store`.

    `tables`: CSV and TSV files of a folder too. Not of a benchmark's, where such files hold questions and answers.
    Only documents whose file, place or options changed are redone; documents whose file is gone, or broken now, are
    dropped. A broken file never stops the others: see `failures`. FileNotFoundError when `source` is not there;
    OSError when the store cannot be written (a full disk is no fault of a file).
    """
    sources = find_sources(source, store, tables=tables)
    documents_folder(store).mkdir(parents=True, exist_ok=True)
    digest = options.digest()
    kept: dict[str, Document] = {}
    jobs: list[_Job] = []
    failures: list[ParseFailure] = []
    for item in sources:
        try:
            sha256 = _content(item)
        except DocumentError as error:
            failures.append(ParseFailure(item.name, str(error)))
            continue
        key = document_key(item.name, sha256, digest, item.document_id)
        entry = read_document(store, item.document_id)
        if entry is not None and entry[0] == key and is_complete(store, entry[1]):
            kept[item.document_id] = entry[1]
        else:
            jobs.append(_Job(item, store, key, options, progress and options.workers <= 1))
    reused = tuple(sorted(kept))
    for job, result in tqdm(_run(jobs, options.workers), "parse", len(jobs), disable=not progress, unit="file"):
        if isinstance(result, Document):
            kept[result.document_id] = result
        else:
            failures.append(ParseFailure(job.source.name, result))
    remove_others(store, kept.values())
    return _report([kept[name] for name in sorted(kept)], reused, failures)


def find_sources(source: Path, store: Path, *, tables: bool = False) -> list[Source]:
    """Files to parse, sorted by name. The id is the stem; stems that collide take the path, then the suffix too."""
    if not source.exists():
        raise FileNotFoundError(f"{source}: no such file or folder to parse")
    root = source if source.is_dir() else source.parent
    paths = sorted(_files(source, store, SUFFIXES if tables else SUFFIXES - DELIMITED))
    stems = Counter(path.stem for path in paths)
    routes = Counter(_route(path.relative_to(root)) for path in paths)
    sources = []
    for path in paths:
        name = path.relative_to(root)
        document_id = path.stem
        if stems[path.stem] > 1:
            document_id = _route(name)
            if routes[document_id] > 1:
                document_id += f"__{path.suffix.lstrip('.').lower()}"
        sources.append(Source(path, root, name.as_posix(), document_id))
    return sources


def other_files(source: Path) -> list[Path]:
    """Files under a folder that `parse_folder` with `tables` does not try, by their names; none for a file."""
    return sorted(path for path in _visible(source) if path.suffix.lower() not in SUFFIXES)


def _files(source: Path, store: Path, suffixes: Collection[str]) -> Iterator[Path]:
    if source.is_file():
        yield source
        return
    for path in _visible(source):
        if path.suffix.lower() in suffixes and store not in path.parents:
            yield path


def _visible(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.is_file():
            yield path


def _route(name: Path) -> str:
    return "__".join(name.with_suffix("").parts)


def _run(jobs: Sequence[_Job], workers: int) -> Iterator[tuple[_Job, Document | str]]:
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield job, _do(job)
        return
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_do, job): job for job in jobs}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _content(item: Source) -> str:
    """sha256 of a file. Raises `DocumentError` for one that cannot be read or whose name the store cannot hold."""
    try:
        size = len(item.document_id.encode())
    except UnicodeEncodeError as error:
        raise DocumentError("its name is not valid UTF-8; rename it") from error
    if size > LONGEST_NAME:
        raise DocumentError(f"its name is too long ({size} bytes, at most {LONGEST_NAME}); shorten it")
    try:
        return sha256_of(item.path)
    except OSError as error:
        raise DocumentError(f"cannot be read ({error.strerror}); is it still there, and may it be read?") from error


def _do(job: _Job) -> Document | str:
    """Parse and store one file; the reason when it cannot be. Any error of a reader is that file's, not the run's."""
    try:
        document, assets = parse_file(job.source, job.options, progress=job.progress)
    except DocumentError as error:
        return str(error)
    except Exception as error:  # a parser's own failure on hostile input: named and reported, the others go on
        return f"{type(error).__name__}: {error}"
    write_document(job.store, job.key, document, assets)
    return document


def _report(documents: Sequence[Document], reused: tuple[str, ...], failures: Sequence[ParseFailure]) -> ParseReport:
    kinds = Counter(fragment.kind for document in documents for fragment in document.fragments)
    names = tuple(document.document_id for document in documents)
    return ParseReport(
        documents=names,
        redone=tuple(name for name in names if name not in set(reused)),
        reused=reused,
        failures=tuple(sorted(failures, key=lambda failure: failure.source)),
        pages=sum(document.page_count for document in documents),
        ocr_pages=sum(len(document.ocr_pages) for document in documents),
        images=kinds["image"],
        tables=kinds["table"],
        characters=sum(document.characters for document in documents),
    )
