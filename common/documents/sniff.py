"""What a file is, by its content: names lie."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from common.documents.errors import DocumentError

Format = Literal["pdf", "html", "markdown", "delimited"]
DELIMITED = frozenset({".csv", ".tsv"})
SUFFIXES = DELIMITED | {".pdf", ".html", ".htm", ".xhtml", ".md", ".markdown"}
KINDS = "PDF, HTML, Markdown, CSV or TSV"  # what they are, as users are told
OTHERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"{\\rtf", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff")  # text in places
HTML_MARK = re.compile(r"<\s*(!doctype\s+html|html|head|body)\b", re.IGNORECASE)
CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
HEAD = 4096


def sniff(data: bytes, path: Path) -> Format:
    """Format of a file's bytes. DocumentError: empty, or no document at all."""
    if not data:
        raise DocumentError("empty file (0 bytes)")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(OTHERS) or (b"\0" in data[:HEAD] and not data.startswith((b"\xff\xfe", b"\xfe\xff"))):
        raise DocumentError(f"no {KINDS} by its content: an office file, picture or archive? save it as PDF")
    if path.suffix.lower() in DELIMITED and not HTML_MARK.match(decode(data[:HEAD]).lstrip()):
        return "delimited"
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
        except (UnicodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")
