"""One file -> Document and the pictures cut from it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from common.documents.fragmenting import make_fragments
from common.documents.model import Document
from common.documents.options import ParseOptions
from common.documents.sniff import decode, sniff

if TYPE_CHECKING:
    from common.documents.pdf import Parsed


@dataclass(frozen=True)
class Source:
    """A file to parse: where it is, its name relative to the parsed folder, and the id it gets."""

    path: Path
    root: Path
    name: str
    document_id: str


def parse_file(source: Source, options: ParseOptions, *, progress: bool = False) -> tuple[Document, dict[str, bytes]]:
    """Document and PNG bytes by asset name. DocumentError when the file is no readable document."""
    data = source.path.read_bytes()
    parsed = _parse(source, data, options, progress)
    fragments, assets = make_fragments(source.document_id, parsed.pieces, options)
    document = Document(
        document_id=source.document_id,
        title=parsed.title,
        source=source.name,
        sha256=hashlib.sha256(data).hexdigest(),
        page_count=parsed.page_count,
        fragments=fragments,
        sections=parsed.sections,
        ocr_pages=parsed.ocr_pages,
        characters=parsed.characters,
    )
    return document, assets


def _parse(source: Source, data: bytes, options: ParseOptions, progress: bool) -> Parsed:
    # Here, not above: whoever reads parsed documents imports this package, and these take seconds.
    from common.documents.delimited import parse_delimited
    from common.documents.pdf import parse_pdf
    from common.documents.web import parse_html, parse_markdown

    kind = sniff(data, source.path)
    if kind == "pdf":
        return parse_pdf(source.path, options, progress=progress)
    if kind == "html":
        return parse_html(decode(data), source.path, source.root, options)
    if kind == "delimited":
        return parse_delimited(decode(data), source.path)
    return parse_markdown(decode(data), source.path, source.root, options)
