"""PDF, HTML, Markdown, CSV and TSV -> pages -> typed fragments with their pictures."""

from __future__ import annotations

from common.documents.codec import document_from_json, document_to_json
from common.documents.errors import DocumentError
from common.documents.folder import ParseFailure, ParseReport, other_files, parse_folder
from common.documents.model import MEDIA_KINDS, Document, Fragment, FragmentKind, Section, Table
from common.documents.options import ParseOptions
from common.documents.store import assets_folder, load_documents

__all__ = [
    "MEDIA_KINDS",
    "Document",
    "DocumentError",
    "Fragment",
    "FragmentKind",
    "ParseFailure",
    "ParseOptions",
    "ParseReport",
    "Section",
    "Table",
    "assets_folder",
    "document_from_json",
    "document_to_json",
    "load_documents",
    "other_files",
    "parse_folder",
]
