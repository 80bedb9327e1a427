"""How nodes and paths look in prompts, and how much of them is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from common.arrays import Floats
from flowreader.graph import Node
from flowreader.session import Session

KIND = {"txt": "text", "vis": "figure", "tbl": "table"}


def header(node: Node) -> str:
    """Where a node stands, and what it is."""
    return f"[{node.document_id}, page {node.page}, {KIND[node.modality]}]"


def passage(node: Node, limit: int) -> str:
    """A node's text under its header, cut at `limit` characters."""
    return f"{header(node)}\n{clip(node.text, limit)}"


def clip(text: str, limit: int) -> str:
    text = text.strip()
    return text if len(text) <= limit else " ".join([*text[:limit].rsplit(None, 1)[:1], "..."])


def path_text(session: Session, nodes: Sequence[int]) -> str:
    """All passages of a path in its order; each gets the same share of the limit, and what others leave."""
    reading = session.config.reading
    left, parts = reading.worker_chars, []
    for place, row in enumerate(nodes):
        share = min(reading.node_chars, left // (len(nodes) - place))
        parts.append(passage(session.graph.nodes[row], share))
        left -= min(share, len(parts[-1]))
    return "\n\n".join(parts)


def path_images(session: Session, nodes: Sequence[int]) -> list[dict[str, Any]]:
    """The pictures of a path's figures and tables, when a vision model reads them."""
    if session.config.reading.vision != "endpoint":
        return []
    rows = [session.graph.nodes[row] for row in nodes]
    return [
        {"type": "image", "path": str(session.assets[node.document_id] / node.asset)}
        for node in rows
        if node.asset is not None and node.document_id in session.assets
    ]


def key_evidence(session: Session, nodes: Sequence[int], h: Floats) -> str:
    """The raw text of the path's nodes of highest h, in path order (appendix F, B.3)."""
    reading = session.config.reading
    best = sorted(sorted(nodes, key=lambda row: (-h[row], row))[: reading.evidence_nodes], key=list(nodes).index)
    return "\n".join(passage(session.graph.nodes[row], reading.evidence_chars) for row in best)
