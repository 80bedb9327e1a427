"""A knowledge base on disk: built once, opened again while documents, encoder and options stay the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from common.documents.model import Document
from common.files import write_atomic
from common.graph import GraphRefused, load_graph, save_graph
from common.records import Usage
from common.retrieval import Encoder, HybridIndex, IndexRefused
from knowforge.base import KnowledgeBase
from knowforge.construction import Built
from knowforge.points import KnowledgePoint

FORMAT = 2
_ABOUT = "base.json"


def base_key(documents: Sequence[Document], encoder: Encoder, settings: dict[str, Any]) -> str:
    """sha256 of everything a stored base depends on: fragments, vector space, `settings`."""
    digest = hashlib.sha256()
    space = (FORMAT, encoder.name, encoder.revision, encoder.dim)
    digest.update(json.dumps([space, settings], sort_keys=True).encode())
    for document in documents:
        digest.update(orjson.dumps(document))
    return digest.hexdigest()


def open_base(
    folder: Path, key: str, documents: Sequence[Document], encoder: Encoder, assets: Path, build: Callable[[], Built]
) -> tuple[Built, bool]:
    """The base stored in `folder` under `key` and True, else the one `build` makes, then stored, and False.

    Whatever is stored under another key, damaged or unfinished is replaced.
    """
    stored = _load(folder, key, documents, encoder, assets)
    if stored is not None:
        return stored, True
    built = build()
    _save(folder, key, built)
    return built, False


def _save(folder: Path, key: str, built: Built) -> None:
    """The index and the graph first; the file that makes them count last, by renaming."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _ABOUT).unlink(missing_ok=True)
    built.base.index.save(folder / "index")
    save_graph(built.base.graph, folder / "graph")
    about = {"key": key, "points": list(map(asdict, built.base.points)), "usage": _plain(built.usage)}
    write_atomic(folder / _ABOUT, orjson.dumps(about))


def _load(folder: Path, key: str, documents: Sequence[Document], encoder: Encoder, assets: Path) -> Built | None:
    try:
        about = orjson.loads((folder / _ABOUT).read_bytes())
        if about["key"] != key:
            return None
        points = tuple(KnowledgePoint(**point) for point in about["points"])
        usage = {phase: Usage(**spent) for phase, spent in about["usage"].items()}
        index, graph = HybridIndex.load(folder / "index", encoder), load_graph(folder / "graph")
    except (OSError, KeyError, TypeError, orjson.JSONDecodeError, IndexRefused, GraphRefused):
        return None  # absent, killed half way or damaged: it can be made again
    by_id = {document.document_id: document for document in documents}
    return Built(KnowledgeBase(by_id, points, graph, index, assets), usage)


def _plain(usage: dict[str, Usage]) -> dict[str, dict[str, Any]]:
    return {phase: asdict(spent) for phase, spent in usage.items()}
