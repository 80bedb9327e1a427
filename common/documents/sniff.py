"""What a file is, by its content: names lie."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from common.documents.errors import DocumentError

Format = Literal["pdf", "html", "markdown"]
SUFFIXES = frozenset({".pdf", ".html", ".htm", ".xhtml", ".md", ".markdown"})
HTML_MARK = re.compile(r"<\s*(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
HEAD = 4096


def sniff(data: bytes, path: Path) -> Format:
    """Format of a file's bytes. DocumentError: empty, or no document at all."""
    if not data:
        raise DocumentError("empty file (0 bytes)")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if b"\0" in data[:HEAD] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentError("neither PDF, HTML nor Markdown: binary content without a PDF header")
    if HTML_MARK.search(decode(data[:HEAD])) or path.suffix.lower() in {".html", ".htm", ".xhtml"}:
        return "html"
    return "markdown"


def decode(data: bytes) -> str:
    """Text of bytes: byte-order mark, then UTF-8, then the declared charset, then Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    declared = CHARSET.search(data[:HEAD])
    names = ["utf-8-sig", *([declared[1].decode("ascii")] if declared else []), "cp1252"]
    for name in names:
        try:
            return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")
