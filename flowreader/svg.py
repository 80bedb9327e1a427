"""What the pictures share: colours of the kinds of nodes, and text that any XML reader takes."""

from __future__ import annotations

import textwrap
from html import escape

from common.characters import for_xml

COLOURS = {"txt": "#dbe7f5", "vis": "#fbe6d4", "tbl": "#e3f1df"}


def document(width: float, height: float, parts: list[str]) -> str:
    """An SVG of that size on white, closed."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="DejaVu Sans, Arial, sans-serif" font-size="10">'
    )
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"]) + "\n"


def text(value: str) -> str:
    """`value` for between tags and quotes."""
    return escape(for_xml(value), quote=True)


def shortened(value: str, chars: int) -> str:
    """Whole words of `value`, at most `chars` characters."""
    return textwrap.shorten(value, chars, placeholder="…")
