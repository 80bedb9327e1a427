"""What an evidence graph holds, in words: for the command line and the head of its picture."""

from __future__ import annotations

from collections import Counter

from scipy.sparse.csgraph import connected_components

from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph


def described(graph: EvidenceGraph) -> list[str]:
    """Three lines: documents and nodes by kind, links by reach and direction, how it all hangs together."""
    kinds = Counter(KIND[node.modality] for node in graph.nodes)
    home = {node.node_id: node.document_id for node in graph.nodes}
    directed = {(edge.source, edge.target) for edge in graph.graph.edges()}
    pairs = {(min(pair), max(pair)) for pair in directed}
    inside = sum(home[one] == home[other] for one, other in pairs)
    both = sum((one, other) in directed and (other, one) in directed for one, other in pairs)
    parts, part_of = connected_components(graph.arcs, directed=False)
    alone = sum(size == 1 for size in Counter(part_of.tolist()).values())
    of_kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return [
        f"{_counted(len(set(home.values())), 'document')}, {_counted(len(graph), 'node')}: {of_kinds}",
        f"{_counted(len(directed), 'link')} between {_counted(len(pairs), 'pair')}: {inside} in a document, "
        f"{len(pairs) - inside} across; {both} named by both ends, {len(pairs) - both} by one",
        f"{_counted(parts, 'connected part')}, {_counted(alone, 'node')} alone",
    ]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")
