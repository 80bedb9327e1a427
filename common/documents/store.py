"""The parsed corpus on disk: one JSON per document and the pictures it points to.

STORE/documents/<document_id>.json   {"key": ..., "document": {...}}
STORE/assets/<document_id>/page_<n>_<kind>_<hash>.png
A picture is written before the JSON that names it, the JSON by renaming a finished file: killed at any moment, the
store holds whole documents only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import orjson

from common.documents.codec import document_from_json, document_to_json
from common.documents.model import Document
from common.files import write_atomic


def documents_folder(store: Path) -> Path:
    return store / "documents"


def assets_folder(store: Path) -> Path:
    """Where the pictures lie, each under its fragment's `asset`."""
    return store / "assets"


def document_key(name: str, sha256: str, options_digest: str, document_id: str) -> str:
    return hashlib.sha256("\x1f".join((name, sha256, options_digest, document_id)).encode()).hexdigest()


def write_document(store: Path, key: str, document: Document, assets: dict[str, bytes]) -> None:
    for name, data in assets.items():
        picture = assets_folder(store) / name
        picture.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(picture, data)
    payload = orjson.dumps({"key": key, "document": document_to_json(document)}, option=orjson.OPT_INDENT_2)
    write_atomic(documents_folder(store) / f"{document.document_id}.json", payload)


def read_document(store: Path, document_id: str) -> tuple[str, Document] | None:
    """Key and document; None when it is not there or was not written by this store (it is then redone)."""
    path = documents_folder(store) / f"{document_id}.json"
    try:
        data = orjson.loads(path.read_bytes())
        return data["key"], document_from_json(data["document"])
    except (FileNotFoundError, orjson.JSONDecodeError, KeyError, TypeError):
        return None


def is_complete(store: Path, document: Document) -> bool:
    return all((assets_folder(store) / f.asset).is_file() for f in document.fragments if f.asset is not None)


def load_documents(store: Path) -> list[Document]:
    """All documents, sorted by id. FileNotFoundError when nothing was parsed there."""
    folder = documents_folder(store)
    if not folder.is_dir():
        raise FileNotFoundError(f"{store}: no parsed documents; run parse_folder(source, store) first")
    found = []
    for path in sorted(folder.glob("*.json")):
        entry = read_document(store, path.stem)
        if entry is None:
            raise ValueError(f"{path}: not a parsed document; delete it and parse again")
        found.append(entry[1])
    return sorted(found, key=lambda document: document.document_id)


def remove_others(store: Path, keep: Iterable[Document]) -> None:
    """Drop documents that are gone, pictures nothing names, and leftovers of a killed run."""
    documents = list(keep)
    names = {f"{document.document_id}.json" for document in documents}
    pictures = {f.asset for document in documents for f in document.fragments if f.asset is not None}
    for path in documents_folder(store).glob("*"):
        if path.name not in names:
            path.unlink()
    assets = assets_folder(store)
    for path in sorted(assets.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(assets).as_posix() not in pictures:
            path.unlink()
