"""Evolve (FlowReader appendix A, eq. 14): nodes rewrite themselves and choose their links among their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.llm import LLM, EmptyReply
from common.loose_json import json_objects
from common.prompting import Prompts
from common.retrieval import DenseIndex
from flowreader.analysis import cut_words, keywords_of, said
from flowreader.graph import Node
from flowreader.options import ConstructionOptions

Links = set[tuple[int, int]]
EVOLVE_SCHEMA = {
    "type": "object",
    "properties": {
        "links": {"type": "array", "items": {"type": "integer"}, "maxItems": 24},
        "update": {"type": "boolean"},
        "summary": {"type": "string", "maxLength": 300},
        "keywords": {"type": "array", "items": {"type": "string"}, "maxItems": 40},
    },
    "required": ["links", "update"],
}


@dataclass(frozen=True)
class Evolved:
    """One node after a round: its new self, the rows it links to, and what was wrong with the reply."""

    node: Node
    links: frozenset[int]
    readable: bool = True
    unknown: int = 0  # proposed neighbours that were not offered
    loops: int = 0  # proposals to link the node to itself


def reading_order_links(nodes: Sequence[Node], window: int) -> Links:
    """G0: text nodes of one document at most `window` texts apart, both ways; figures and tables start unlinked."""
    texts: dict[str, list[int]] = {}
    for row, node in enumerate(nodes):
        if node.modality == "txt":
            texts.setdefault(node.document_id, []).append(row)
    links: Links = set()
    for rows in texts.values():
        rows.sort(key=lambda row: nodes[row].order)
        for place, u in enumerate(rows):
            for v in rows[place + 1 : place + 1 + window]:
                links |= {(u, v), (v, u)}
    return links


def semantic_neighbours(
    nodes: Sequence[Node], vectors: NDArray[np.float32], options: ConstructionOptions
) -> list[list[int]]:
    """Rows of each node's nearest others by cosine, nearest first; without positive similarity none."""
    groups = [list(range(len(nodes)))] if options.across_documents else list(_by_document(nodes).values())
    found: list[list[int]] = [[] for _ in nodes]
    for rows in groups:
        index = DenseIndex.build(vectors[rows], progress=False)
        for place, row in enumerate(rows):
            near, cosines = index.top(vectors[row], options.neighbours + 1)
            others = [rows[n] for n, cosine in zip(near, cosines, strict=True) if n != place and cosine > 0.0]
            found[row] = others[: options.neighbours]
    return found


async def evolve(
    row: int, nodes: Sequence[Node], offered: Sequence[int], current: frozenset[int], llm: LLM, prompts: Prompts,
    options: ConstructionOptions, round_: int,
) -> Evolved:  # fmt: skip
    """One call: which of the offered rows the node links to, and its rewritten summary and keywords.

    An unusable reply leaves the node and its links as they were. Raises `LLMError`, but not for an empty reply.
    """
    node = nodes[row]
    listed = "\n".join(
        f"{number}. {nodes[other].summary[: options.neighbour_chars]} [{', '.join(nodes[other].keywords[:8])}]"
        for number, other in enumerate(offered, start=1)
    )
    content = prompts.render(
        "evolve", content=node.text[: options.text_chars], summary=node.summary, keywords=", ".join(node.keywords),
        count=len(offered), neighbours=listed or "(none)", most=options.summary_words,
    )  # fmt: skip
    try:
        reply = await llm.complete(
            "evolve", [{"role": "user", "content": content}], question_id=node.node_id,
            context=f"construction/{round_}", temperature=0.0, max_tokens=options.evolve_tokens, schema=EVOLVE_SCHEMA,
        )  # fmt: skip
    except EmptyReply:
        return Evolved(node, current, readable=False)
    data = next((d for d in json_objects(reply.text) if isinstance(d.get("links"), list)), None)
    if data is None:
        return Evolved(node, current, readable=False)
    links, unknown, loops = _chosen(data["links"], offered, row)
    return Evolved(_rewritten(node, data, options), links, True, unknown, loops)


def _chosen(proposed: list[Any], offered: Sequence[int], row: int) -> tuple[frozenset[int], int, int]:
    """Rows behind the proposed numbers, and how many numbers were not offered, or were 0, the node itself."""
    links, unknown, loops = set(), 0, 0
    for item in proposed:
        text = str(item).strip().rstrip(".")
        number = int(text) if text.isdecimal() else -1
        if number == 0:
            loops += 1
        elif not 1 <= number <= len(offered):
            unknown += 1
        elif offered[number - 1] == row:
            loops += 1
        else:
            links.add(offered[number - 1])
    return frozenset(links), unknown, loops


def _rewritten(node: Node, data: dict[str, Any], options: ConstructionOptions) -> Node:
    if data.get("update") is not True:
        return node
    summary = cut_words(said(data.get("summary")), options.summary_words)
    keywords = keywords_of(data.get("keywords"), options)
    return replace(node, summary=summary or node.summary, keywords=keywords or node.keywords)


def _by_document(nodes: Sequence[Node]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for row, node in enumerate(nodes):
        groups.setdefault(node.document_id, []).append(row)
    return groups
