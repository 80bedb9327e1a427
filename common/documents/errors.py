"""Why a document could not be parsed."""

from __future__ import annotations


class DocumentError(Exception):
    """One file cannot be read; the message says why and what to do. The other files go on."""
