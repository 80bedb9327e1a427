"""Which pages a FlowReader answer stands on: nodes that hold it, on a path a worker found it on, or only read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from common.citations import Citation, Reason, likeliest
from common.metrics.text import answer_visible
from flowreader.evidence import KIND
from flowreader.graph import EvidenceGraph
from flowreader.records import FlowRecord


def cite(record: FlowRecord, graph: EvidenceGraph, files: Mapping[str, Path]) -> list[Citation]:
    """Pages of the nodes that workers read, the likeliest support first; a score is the flow of a node's path."""
    return likeliest(_read(record, graph, files))


def _read(record: FlowRecord, graph: EvidenceGraph, files: Mapping[str, Path]) -> Iterator[Citation]:
    nodes = {node.node_id: node for node in graph.nodes}
    for facts in record.passes:
        flows = {facts.ids_of(path): path.flow for path in facts.paths}
        for report in facts.reports:
            for node in (nodes[name] for name in report.nodes):
                reason: Reason = "read" if report.status == "supported" else "found"
                if answer_visible(node.text, record.run.answer):
                    reason = "holds the answer"
                file = str(files.get(node.document_id, node.document_id))
                yield Citation(file, node.page, KIND[node.modality], node.node_id, reason, flows.get(report.nodes, 0.0))
