"""What the read-only API answers, as plain data over `knowforge.library`; field names are the released API's.

Where their meaning is not public, ours: `anchor` marks the fragment asked for among its context; `span` is the first
and last page of the listed media, `boundary` marks items on one of these; `desc` is a caption, else the text's start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from common.documents.model import Document, Fragment
from knowforge import library
from knowforge.base import KnowledgeBase
from knowforge.library import LookupFailed, TableRows
from knowforge.rendering import shorten
from knowforge.search import Material, search
from knowforge.system import SearchConfig

Data = dict[str, Any]
DESC_CHARS = 240
MOST_HITS = 50


@dataclass(frozen=True)
class Package:
    """One served knowledge base."""

    uuid: str
    name: str
    goal: str
    base: KnowledgeBase


def card(package: Package) -> Data:
    fragments = package.base.fragments.values()
    counts = {f"{kind}s": sum(f.kind == kind for f in fragments) for kind in ("text", "image", "table", "example")}
    about = {"package_uuid": package.uuid, "name": package.name, "goal": package.goal}
    return {**about, "documents": len(package.base.documents), "fragments": len(fragments), **counts}


def overview(package: Package) -> Data:
    modules = [{"title": document.title} for document in library.list_books(package.base)]
    return {"name": package.name, "goal": package.goal, "modules": modules}


def sources(package: Package) -> Data:
    listed = [
        {"name": d.source, "root_node_id": d.document_id, "one_line": _one_line(d)}
        for d in package.base.documents.values()
    ]
    return {"sources": listed}


def search_hits(package: Package, query: str, topk: int, score_fields: bool) -> Data:
    """Text hits in `results`, the others by kind. Raises `LookupFailed` for an empty query or a bad `topk`."""
    if not query.strip():
        raise LookupFailed("bad_argument", "query is empty; give the words to search for")
    if not 1 <= topk <= MOST_HITS:
        raise LookupFailed("bad_argument", f"topk is {topk}; give 1 to {MOST_HITS}")
    materials = search(package.base, query, replace(SearchConfig(), topk=topk))
    found: dict[str, list[Data]] = {"results": [], "images": [], "tables": [], "examples": []}
    for material in materials:
        if material.hit.kind == "text":
            found["results"].append(_result(package.base, material, score_fields))
        else:
            found[f"{material.hit.kind}s"].append(_media_hit(material, score_fields))
    return dict(found)


def context(base: KnowledgeBase, fragment_id: str, window: int) -> Data:
    asked = library.find_fragment(base, fragment_id)
    near = library.fragment_context(base, fragment_id, window)
    return {"context": [{**_brief(f), "text": f.text, "anchor": f == asked, "media_path": f.asset or ""} for f in near]}


def toc(base: KnowledgeBase, book: str) -> Data:
    document, sections = library.book_toc(base, book)
    return {"book": document.title, "toc": {"sections": [{"level": s.level, "title": s.title} for s in sections]}}


def tables(base: KnowledgeBase, book: str) -> Data:
    return {
        "tables": [
            {
                "name": _table_name(base, f), "table_id": f.fragment_id,
                "row_count": len(library.cells_of(f).rows), "columns": list(library.cells_of(f).columns),
            }
            for f in library.tables_of(base, book)
        ]
    }  # fmt: skip


def query_table(base: KnowledgeBase, item: str, table_id: str) -> Data:
    found = library.query_table(base, item, table_id)
    results = [
        {"name": _table_name(base, r.fragment), "matched": r.matched, "truncated": r.truncated, "rows": _rows(r)}
        for r in found
    ]
    return {"item": item, "results": results}


def table(base: KnowledgeBase, table_id: str) -> Data:
    rows = library.get_table(base, table_id)
    name = _table_name(base, rows.fragment)
    return {"name": name, "row_count": rows.matched, "truncated": rows.truncated, "rows": _rows(rows)}


def media(base: KnowledgeBase, book: str, kind: str, page: int | None, heading: str) -> Data:
    document, listed = library.list_media(base, book, kind, page, heading)
    shown = listed[: library.LIST_LIMIT]
    span = [min(f.page for f in listed), max(f.page for f in listed)] if listed else []
    items = [{**_described(f), "boundary": f.page in span} for f in shown]
    return {
        "book": document.title, "total_images": sum(f.kind == "image" for f in listed),
        "total_tables": sum(f.kind == "table" for f in listed), "shown": len(shown),
        "truncated": len(shown) < len(listed), "items": items, "span": span,
    }  # fmt: skip


def figure(base: KnowledgeBase, label: str, book: str) -> Data:
    match = library.find_figure(base, label, book)
    return {
        "book": match.book, "label": match.label, "pages": list(match.pages), "captions": _lines(match.captions),
        "mentions": _lines(match.mentions), "media": [_described(f) for f in match.media],
    }  # fmt: skip


def media_context(base: KnowledgeBase, fragment_id: str) -> Data:
    fragment, texts, siblings = library.media_context(base, fragment_id)
    return {
        **_described(fragment), "captions": [fragment.caption] if fragment.caption else [],
        "page_text": "\n\n".join(f.text for f in texts), "siblings": [_described(f) for f in siblings],
    }  # fmt: skip


def _result(base: KnowledgeBase, material: Material, score_fields: bool) -> Data:
    fragment, hit = material.fragment, material.hit
    near = sorted((fragment, *material.context, *material.media), key=lambda f: f.order)
    return {
        "fragment_id": fragment.fragment_id, "text": fragment.text,
        "source_file": base.documents[fragment.document_id].source, "source_path": fragment.document_id,
        "section_title": " / ".join(fragment.heading), "page": fragment.page, "from_graph": hit.from_graph,
        "anchor_fragment_id": hit.anchor, "origin_kind": fragment.kind, "media_path": fragment.asset or "",
        "context": [
            {**_brief(f), **_file(f), "text": f.text, "caption": f.caption, "anchor": f == fragment} for f in near
        ],
        **_scores(material, score_fields),
    }  # fmt: skip


def _media_hit(material: Material, score_fields: bool) -> Data:
    fragment = material.fragment
    return {
        **_brief(fragment), **_file(fragment), "caption": fragment.caption or shorten(fragment.text, DESC_CHARS),
        "root_node_id": fragment.document_id, "page": fragment.page, **_scores(material, score_fields),
    }  # fmt: skip


def _scores(material: Material, score_fields: bool) -> Data:
    hit = material.hit
    return {"score": hit.score, **({"vec_score": hit.cosine, "raw_score": hit.bm25} if score_fields else {})}


def _brief(fragment: Fragment) -> Data:
    return {"fragment_id": fragment.fragment_id, "kind": fragment.kind}


def _file(fragment: Fragment) -> Data:
    return {"path": fragment.asset or "", "ext": PurePosixPath(fragment.asset or "").suffix}


def _described(fragment: Fragment) -> Data:
    return {**_brief(fragment), "page": fragment.page, "desc": fragment.caption or shorten(fragment.text, DESC_CHARS)}


def _lines(fragments: Sequence[Fragment]) -> list[Data]:
    return [{"page": f.page, "line": shorten(f.text, DESC_CHARS), "fragment_id": f.fragment_id} for f in fragments]


def _rows(rows: TableRows) -> list[dict[str, str]]:
    """Rows by column name; a column without a name, or with one used before, is called after its place."""
    width = max([len(rows.columns), *(len(row) for row in rows.rows)])
    names: list[str] = []
    for place in range(width):
        name = rows.columns[place].strip() if place < len(rows.columns) else ""
        names.append(name if name and name not in names else f"column_{place + 1}")
    return [dict(zip(names, row, strict=False)) for row in rows.rows]


def _table_name(base: KnowledgeBase, fragment: Fragment) -> str:
    return fragment.caption or f"{base.title(fragment)}, page {fragment.page}"


def _one_line(document: Document) -> str:
    text = next((f.text for f in document.fragments if not f.is_media), "")
    return shorten(text, DESC_CHARS)
