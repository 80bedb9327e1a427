"""How fragments, tables and hits look in prompts. Compact: every character is a token somebody waits for."""

from __future__ import annotations

from collections.abc import Sequence

from common.documents.model import Fragment
from knowforge.base import KnowledgeBase
from knowforge.library import TableRows
from knowforge.search import Material

HANDLE_CHARS = 240  # of a media description shown beside the hit it is attached to


def where(base: KnowledgeBase, fragment: Fragment) -> str:
    return f"{base.title(fragment)}, p.{fragment.page}, {fragment.kind} {base.short_id(fragment.fragment_id)}"


def shorten(text: str, limit: int) -> str:
    """`text` on one line, cut at a word with an ellipsis when longer than `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " …"


def block_text(base: KnowledgeBase, fragment: Fragment) -> str:
    """A fragment as a material block: where it stands, then its text."""
    section = f" ({fragment.heading[-1]})" if fragment.heading else ""
    return f"{where(base, fragment)}{section}\n{fragment.text.strip()}"


def handle_text(base: KnowledgeBase, fragment: Fragment) -> str:
    """A figure or table attached to a hit: its handle and the start of its description."""
    return f"[fig] {where(base, fragment)}: {shorten(fragment.caption or fragment.text, HANDLE_CHARS)}"


def material_blocks(base: KnowledgeBase, material: Material) -> list[tuple[str, str, str]]:
    """(block id, kind, text) of a hit and of what travels with it, the hit first."""
    hit = material.fragment
    blocks: list[tuple[str, str, str]] = [(hit.fragment_id, hit.kind, block_text(base, hit))]
    blocks += [(f.fragment_id, f.kind, block_text(base, f)) for f in material.context]
    blocks += [(f.fragment_id, f.kind, handle_text(base, f)) for f in material.media]
    return blocks


def hit_list(base: KnowledgeBase, materials: Sequence[Material], shown: int, snippet: int) -> str:
    """A search result as the agent sees it: one line a hit."""
    if not materials:
        return "no hits"
    return "\n".join(
        f"{rank}. {where(base, m.fragment)}: {shorten(m.fragment.text, snippet)}"
        for rank, m in enumerate(materials[:shown], start=1)
    )


def rows_text(base: KnowledgeBase, rows: TableRows) -> str:
    """Rows of a table, header first; says how many were left out."""
    lines = [where(base, rows.fragment)]
    if any(rows.columns):
        lines.append(" | ".join(rows.columns))
    lines += [" | ".join(row) for row in rows.rows]
    if rows.truncated:
        lines.append(f"({rows.matched - len(rows.rows)} more rows)")
    return "\n".join(lines)
