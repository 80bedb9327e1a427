"""Typed weighted graphs shared by both methods: CSR store, neighbours, PageRank, files and networkx."""

from common.graph.graph import Edge, Graph, Neighbour
from common.graph.pagerank import PageRank, Transition, personalised_pagerank
from common.graph.storage import (
    GraphRefused,
    from_networkx,
    load_graph,
    save_graph,
    to_networkx,
)

__all__ = [
    "Edge",
    "Graph",
    "GraphRefused",
    "Neighbour",
    "PageRank",
    "Transition",
    "from_networkx",
    "load_graph",
    "personalised_pagerank",
    "save_graph",
    "to_networkx",
]
