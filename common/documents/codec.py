"""Document <-> JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from common.documents.model import Document, Fragment, Section, Table


def document_to_json(document: Document) -> dict[str, Any]:
    return asdict(document)


def document_from_json(data: dict[str, Any]) -> Document:
    """Inverse of document_to_json, also after a round through JSON text. KeyError names a missing field."""
    return Document(
        document_id=data["document_id"],
        title=data["title"],
        source=data["source"],
        sha256=data["sha256"],
        page_count=data["page_count"],
        fragments=tuple(map(_fragment, data["fragments"])),
        sections=tuple(Section(**section) for section in data["sections"]),
        ocr_pages=tuple(data["ocr_pages"]),
        characters=data["characters"],
    )


def _fragment(data: dict[str, Any]) -> Fragment:
    table, bbox = data["table"], data["bbox"]
    return Fragment(
        **{
            **data,
            "heading": tuple(data["heading"]),
            "bbox": None if bbox is None else (bbox[0], bbox[1], bbox[2], bbox[3]),
            "table": None if table is None else Table(tuple(table["columns"]), tuple(map(tuple, table["rows"]))),
        }
    )
