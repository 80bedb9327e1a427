"""The knowledge base: fragments, their hybrid index, knowledge points and typed relations."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from common.documents.model import Document, Fragment
from common.graph import Edge, Graph
from common.retrieval import Encoder, HybridIndex
from knowforge.points import KnowledgePoint, Relation, points_from_sentences, recall_pairs, type_by_rule


@dataclass(frozen=True)
class BaseOptions:
    """How a knowledge base is built. `points`: `sentences` needs no model, `none` leaves points out."""

    points: Literal["sentences", "none"] = "sentences"
    related_per_point: int = 3
    relation_floor: float = 0.6


class UnknownFragment(KeyError):
    """An id that names no fragment, or an abbreviation that names several."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class KnowledgeBase:
    """Everything the tools look at. Documents are keyed by id and keep reading order."""

    documents: dict[str, Document]
    points: tuple[KnowledgePoint, ...]
    graph: Graph  # knowledge points and their typed relations
    index: HybridIndex
    assets: Path

    @classmethod
    def build(
        cls, documents: Sequence[Document], encoder: Encoder, assets: Path, options: BaseOptions | None = None
    ) -> KnowledgeBase:
        """Index `documents` with points and relations that need no model."""
        options = options or BaseOptions()
        points = [
            point
            for document in documents
            for fragment in document.fragments
            if options.points == "sentences"
            for point in points_from_sentences(fragment, document.title)
        ]
        relations = type_by_rule(points, related_pairs(points, encoder, options))
        return cls.assemble(documents, points, relations, encoder, assets)

    @classmethod
    def assemble(
        cls,
        documents: Sequence[Document],
        points: Sequence[KnowledgePoint],
        relations: Sequence[Relation],
        encoder: Encoder,
        assets: Path,
    ) -> KnowledgeBase:
        """Index fragments and given points. Raises `ValueError` for a corpus without fragments or with a doubled id."""
        by_id = {document.document_id: document for document in documents}
        fragments = fragments_of(documents)
        if len(by_id) != len(documents):
            raise ValueError("knowledge base: two documents share an id; rename one of the files")
        if not fragments:
            raise ValueError("knowledge base: the documents hold no fragments; nothing can be searched")
        keys = [*fragments, *(point.point_id for point in points)]
        texts = [indexed_text(f, by_id[f.document_id].title) for f in fragments.values()]
        index = HybridIndex.build(keys, [*texts, *(point.text for point in points)], encoder)
        graph = Graph.build({point.point_id: "point" for point in points}, map(edge_of, relations))
        return cls(by_id, tuple(points), graph, index, assets)

    @cached_property
    def fragments(self) -> dict[str, Fragment]:
        """All fragments by id, document after document."""
        return fragments_of(self.documents.values())

    @cached_property
    def sha256(self) -> str:
        """Hash of the fragments and relations, part of every config hash."""
        digest = hashlib.sha256()
        for fragment in self.fragments.values():
            digest.update(json.dumps(asdict(fragment), sort_keys=True).encode())
        digest.update(json.dumps(self.graph.edges()).encode())
        return digest.hexdigest()

    def title(self, fragment: Fragment) -> str:
        return self.documents[fragment.document_id].title

    def fragment_of(self, key: str) -> Fragment:
        """The fragment behind an index key, which is a fragment's id or a point's."""
        return self.fragments[self._source.get(key, key)]

    def around(self, fragment: Fragment, window: int) -> list[Fragment]:
        """Enough of the same document, in reading order, to hold `window` texts or media on either side."""
        ordered = self._ordered[fragment.document_id]
        position = self._position[fragment.fragment_id]
        span = 2 * window + 2
        return ordered[max(0, position - span) : position + span + 1]

    def related(self, fragment_id: str) -> list[tuple[str, float]]:
        """Fragments one typed relation away, with the strongest edge's weight; the strongest first."""
        found: dict[str, float] = {}
        for point_id in self._points_of.get(fragment_id, ()):
            for neighbour in self.graph.neighbours(point_id, direction="both"):
                other = self._source[neighbour.node]
                if other != fragment_id:
                    found[other] = max(neighbour.weight, found.get(other, 0.0))
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def resolve(self, name: str) -> Fragment:
        """A fragment by id or by a unique abbreviation of it. Raises `UnknownFragment`."""
        name = name.strip().strip("[]")
        if name in self.fragments:
            return self.fragments[name]
        prefix = name if name.startswith("frag_") else f"frag_{name}"
        matches = [key for key in self.fragments if key.startswith(prefix)] if len(prefix) > len("frag_") else []
        if len(matches) != 1:
            problem = "is not a fragment id" if not matches else f"fits {len(matches)} fragments"
            raise UnknownFragment(
                f"{name!r} {problem}; use an id as printed in the materials, such as {self.example_id}"
            )
        return self.fragments[matches[0]]

    @property
    def example_id(self) -> str:
        return self.short_id(next(iter(self.fragments)))

    def short_id(self, fragment_id: str) -> str:
        """The id cut to the corpus's shortest unique length, as git does: fewer tokens in every prompt."""
        return fragment_id[: len("frag_") + self._digits]

    @cached_property
    def _digits(self) -> int:
        bodies = [key.removeprefix("frag_") for key in self.fragments]
        return next(n for n in range(4, 65) if len({body[:n] for body in bodies}) == len(bodies) or n == 64)

    @cached_property
    def _source(self) -> dict[str, str]:
        return {point.point_id: point.fragment_id for point in self.points}

    @cached_property
    def _ordered(self) -> dict[str, list[Fragment]]:
        return {key: sorted(d.fragments, key=lambda f: f.order) for key, d in self.documents.items()}

    @cached_property
    def _position(self) -> dict[str, int]:
        return {f.fragment_id: i for fragments in self._ordered.values() for i, f in enumerate(fragments)}

    @cached_property
    def _points_of(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for point in self.points:
            found[point.fragment_id].append(point.point_id)
        return dict(found)


def related_pairs(
    points: Sequence[KnowledgePoint], encoder: Encoder, options: BaseOptions
) -> list[tuple[int, int, float]]:
    """Pairs of points (rows and cosine) that are near enough to be typed."""
    if not points:
        return []
    vectors = encoder.encode([point.text for point in points])
    return recall_pairs(vectors, neighbours=options.related_per_point, floor=options.relation_floor)


def fragments_of(documents: Iterable[Document]) -> dict[str, Fragment]:
    return {fragment.fragment_id: fragment for document in documents for fragment in document.fragments}


def indexed_text(fragment: Fragment, title: str) -> str:
    """What BM25 and the encoder see of a fragment: title and heading first, then its text or description."""
    return "\n".join((" / ".join((title, *fragment.heading)), fragment.text))


def edge_of(relation: Relation) -> Edge:
    return Edge(relation.source, relation.target, relation.kind, relation.weight)
