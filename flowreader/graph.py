"""The multimodal evidence graph (FlowReader 3.2): annotated units, their links, files and networkx views."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import orjson
from numpy.typing import NDArray
from scipy.sparse import csr_array

from common.arrays import Floats, Integers
from common.characters import for_xml
from common.files import write_atomic
from common.graph import Edge, Graph, Transition, from_networkx, to_networkx
from common.retrieval import BM25Index, DenseIndex, Encoder
from flowreader.scoring import Averaging

Modality = Literal["txt", "vis", "tbl"]
LINK = "link"


@dataclass(frozen=True)
class Node:
    """One unit. `text` is what a worker reads; `lettering` the caption and readable text of a figure, for BM25."""

    node_id: str
    modality: Modality
    document_id: str
    page: int
    order: int  # reading order inside the document
    text: str
    summary: str = ""
    keywords: tuple[str, ...] = ()
    lettering: str = ""
    caption: str = ""
    asset: str | None = None

    @property
    def embedded_text(self) -> str:
        """What e_i encodes (eq. 12)."""
        return f"{self.summary} keywords: {', '.join(self.keywords)}"

    @property
    def lexical_text(self) -> str:
        """The fields BM25 sees: summary and keywords (3.3), and a figure's lettering (appendix F, A.2)."""
        return "\n".join(part for part in (self.summary, " ".join(self.keywords), self.lettering) if part)


@dataclass(frozen=True, eq=False)
class EvidenceGraph:
    """Nodes in order; `graph` holds their directed links, weight max(cos, 0); `embeddings` (n, d) unit rows.

    `encoder` is name and revision of what made the embeddings: a query must come from the same one.
    """

    nodes: tuple[Node, ...]
    graph: Graph
    embeddings: NDArray[np.float32]
    encoder: tuple[str, str]

    def __post_init__(self) -> None:
        """Raises `ValueError` naming a node whose embedding is no vector of numbers."""
        if len(self.embeddings) != len(self.nodes):
            raise ValueError(f"{len(self.nodes)} nodes have {len(self.embeddings)} embeddings; build the graph again")
        bad = np.flatnonzero(~np.isfinite(self.embeddings).all(axis=1))
        if len(bad):
            raise ValueError(f"node {self.nodes[bad[0]].node_id}: its embedding is not finite; use another encoder")

    @classmethod
    def build(
        cls, nodes: Sequence[Node], links: Collection[tuple[int, int]], encoder: Encoder, *, floor: float
    ) -> EvidenceGraph:
        """Embed the nodes and weigh the links (pairs of rows); links under `floor` or without similarity are pruned.

        Raises `ValueError` for a doubled node id or a link to itself.
        """
        vectors = encoder.encode([node.embedded_text for node in nodes])
        return cls(tuple(nodes), link_graph(nodes, links, vectors, floor), vectors, (encoder.name, encoder.revision))

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def sha256(self) -> str:
        """Hash of nodes, links and embedding space, part of every config hash."""
        digest = hashlib.sha256(orjson.dumps(self.encoder))
        for node in self.nodes:
            digest.update(_pack(node))
        digest.update(orjson.dumps([list(edge) for edge in self.graph.edges()]))
        return digest.hexdigest()

    @cached_property
    def arcs(self) -> csr_array:
        """(n, n) similarities, both directions of every link: either may be travelled at query time."""
        directed = self.graph.adjacency()
        both = directed.maximum(directed.T).tocsr()
        both.sort_indices()
        return both

    @cached_property
    def arc_ends(self) -> tuple[Integers, Integers, Floats]:
        """`arcs` as tails, heads and similarities, (m,) each, by tail, then head."""
        matrix = self.arcs.tocoo()
        return matrix.row.astype(np.int64), matrix.col.astype(np.int64), matrix.data.astype(np.float64)

    @cached_property
    def averaging(self) -> Averaging:
        return Averaging(self.arcs)

    @cached_property
    def transition(self) -> Transition:
        return Transition(self.arcs)

    @cached_property
    def lexical(self) -> BM25Index:
        return BM25Index.build([node.lexical_text for node in self.nodes], progress=False)

    @cached_property
    def dense(self) -> DenseIndex:
        return DenseIndex.build(self.embeddings, progress=False)

    @cached_property
    def visual(self) -> NDArray[np.bool_]:
        return np.array([node.modality == "vis" for node in self.nodes], dtype=bool)

    def words(self, of: Literal["summary", "text"]) -> Floats:
        """(n,) lengths in words, for rho."""
        return self._summary_words if of == "summary" else self._text_words

    def restricted(self, documents: Collection[str]) -> EvidenceGraph:
        """The part over some documents, made once. Raises `ValueError` when it would be empty."""
        wanted = frozenset(documents)
        if wanted not in self._parts:
            self._parts[wanted] = self._part(wanted)
        return self._parts[wanted]

    def _part(self, documents: frozenset[str]) -> EvidenceGraph:
        rows = [row for row, node in enumerate(self.nodes) if node.document_id in documents]
        if not rows:
            raise ValueError(f"the graph has no node of {', '.join(sorted(documents))}; build it over these documents")
        kept = [self.nodes[row] for row in rows]
        names = {node.node_id: node.modality for node in kept}
        edges = [edge for edge in self.graph.edges() if edge.source in names and edge.target in names]
        return EvidenceGraph(tuple(kept), Graph.build(names, edges), self.embeddings[rows], self.encoder)

    def to_networkx(self) -> nx.MultiDiGraph:
        """The view of `common.graph` with every node's fields as attributes; keywords one a line."""
        view = to_networkx(self.graph)
        for node in self.nodes:
            fields = {**asdict(node), "keywords": "\n".join(node.keywords), "asset": node.asset or ""}
            texts = {name: for_xml(value) for name, value in fields.items() if isinstance(value, str)}
            view.add_node(node.node_id, **{**fields, **texts})
        return view

    @classmethod
    def from_networkx(cls, view: nx.Graph, encoder: Encoder) -> EvidenceGraph:
        """Inverse of `to_networkx`, weights as given; embeds anew. Raises `ValueError` naming the node or link."""
        if not len(view):
            raise ValueError("the graph has no node")
        graph = from_networkx(view)
        for edge in graph.edges():
            if edge.source == edge.target or edge.weight > 1.0:
                raise ValueError(f"link {edge.source} -> {edge.target}, weight {edge.weight:g}: two nodes and (0, 1]")
        nodes = tuple(_from_attributes(name, dict(data)) for name, data in view.nodes(data=True))
        vectors = encoder.encode([node.embedded_text for node in nodes])
        return cls(nodes, graph, vectors, (encoder.name, encoder.revision))

    def write_graphml(self, path: Path) -> None:
        """GraphML for Gephi, yEd and the like."""
        written = io.BytesIO()
        nx.write_graphml_xml(self.to_networkx(), written)
        write_atomic(path, written.getvalue())

    @classmethod
    def read_graphml(cls, path: Path, encoder: Encoder) -> EvidenceGraph:
        """Inverse of `write_graphml`. Raises `ValueError` naming the file and what in it does not fit."""
        try:
            return cls.from_networkx(nx.read_graphml(path, force_multigraph=True), encoder)
        except (ElementTree.ParseError, nx.NetworkXError, KeyError, ValueError) as error:
            raise ValueError(f"{path}: {error}; export the graph again, or mend the file") from error

    @cached_property
    def _parts(self) -> dict[frozenset[str], EvidenceGraph]:
        return {}

    @cached_property
    def _summary_words(self) -> Floats:
        return np.array([len(node.summary.split()) for node in self.nodes], dtype=np.float64)

    @cached_property
    def _text_words(self) -> Floats:
        return np.array([len(node.text.split()) for node in self.nodes], dtype=np.float64)


def link_graph(
    nodes: Sequence[Node], links: Collection[tuple[int, int]], vectors: NDArray[np.float32], floor: float
) -> Graph:
    """Directed links weighted by max(cos, 0) (eq. 13), rounded to 6 digits so that every processor agrees."""
    names = {node.node_id: node.modality for node in nodes}
    if len(names) != len(nodes):
        raise ValueError("two nodes share an id; parse documents with distinct names")
    pairs = np.array(sorted(links), dtype=np.int64).reshape(-1, 2)
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(loops):
        raise ValueError(f"node {nodes[pairs[loops[0], 0]].node_id} is linked to itself")
    exact = vectors.astype(np.float64)
    weights = np.clip(np.round(np.einsum("ij,ij->i", exact[pairs[:, 0]], exact[pairs[:, 1]]), 6), 0.0, 1.0)
    kept = (weights >= floor) & (weights > 0.0)
    edges = [
        Edge(nodes[u].node_id, nodes[v].node_id, LINK, float(weight))
        for (u, v), weight in zip(pairs[kept].tolist(), weights[kept], strict=True)
    ]
    return Graph.build(names, edges)


def _pack(node: Node) -> bytes:
    fields = asdict(node)
    return orjson.dumps({name: _clean(value) if isinstance(value, str) else value for name, value in fields.items()})


def _clean(text: str) -> str:
    """Without lone surrogates, which broken text layers hold and no UTF-8 file can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _from_attributes(name: object, data: dict[str, Any]) -> Node:
    missing = sorted({"modality", "document_id", "page", "text"} - set(data))
    if missing:
        raise ValueError(f"node {name}: attribute {missing[0]!r} is missing; this is not an evidence graph")
    if data["modality"] not in get_args(Modality):
        known = ", ".join(get_args(Modality))
        raise ValueError(f"node {name}: modality {data['modality']!r} is none of {known}")
    for number in ("page", "order"):
        if not str(data.get(number, 0)).lstrip("-").isdecimal():
            raise ValueError(f"node {name}: {number} {data[number]!r} is no whole number")
    return Node(
        node_id=str(name), modality=data["modality"], document_id=str(data["document_id"]), page=int(data["page"]),
        order=int(data.get("order", 0)), text=str(data["text"]), summary=str(data.get("summary", "")),
        keywords=tuple(word for word in str(data.get("keywords", "")).split("\n") if word),
        lettering=str(data.get("lettering", "")), caption=str(data.get("caption", "")), asset=data.get("asset") or None,
    )  # fmt: skip
