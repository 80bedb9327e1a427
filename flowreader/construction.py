"""From parsed documents to the evidence graph G (FlowReader 3.2, appendix A): Analyze, G0, T rounds of Evolve, pruning.

Every reply comes from the call cache when it is there, so a build that was stopped goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from common.documents.model import Document
from common.llm import LLM
from common.prompting import Prompts
from common.retrieval import Encoder
from flowreader.analysis import Salience, analyze, extractive, units
from flowreader.evolution import Evolved, Links, evolve, reading_order_links, semantic_neighbours
from flowreader.graph import EvidenceGraph, Node, link_graph
from flowreader.options import ConstructionOptions

Result = TypeVar("Result")


@dataclass(frozen=True)
class ConstructionReport:
    """What a build did. `unreadable` replies left a node as it was; `unknown` and `loops` count dropped proposals."""

    nodes: int
    links: int  # directed, after pruning
    pruned: int
    calls: int
    unreadable: int = 0
    unknown: int = 0
    loops: int = 0


@dataclass
class _Tally:
    calls: int = 0
    unreadable: int = 0
    unknown: int = 0
    loops: int = 0


def build_without_model(
    documents: Sequence[Document], encoder: Encoder, options: ConstructionOptions | None = None
) -> tuple[EvidenceGraph, ConstructionReport]:
    """Extractive summaries, reading-order links and semantic top-5 links; no call. For tests and quick looks.

    Raises `ValueError` for documents without any unit.
    """
    options = options or ConstructionOptions(model=False)
    bare, salience = _bare(documents)
    nodes = [extractive(node, salience, options) for node in bare]
    vectors = encoder.encode([node.embedded_text for node in nodes])
    links = reading_order_links(nodes, options.window)
    for row, near in enumerate(semantic_neighbours(nodes, vectors, options)):
        links |= {(row, other) for other in near}
    return _finish(nodes, links, encoder, options, _Tally())


async def build_with_model(
    documents: Sequence[Document],
    encoder: Encoder,
    llm: LLM,
    prompts: Prompts,
    options: ConstructionOptions | None = None,
    *,
    assets: Path | None = None,
    progress: bool = True,
) -> tuple[EvidenceGraph, ConstructionReport]:
    """One Analyze call for each node, then T rounds of one Evolve call for each node.

    A round reads the state before it (eq. 14), so the order of nodes does not matter. Raises `ValueError` for
    documents without any unit, and `LLMError` after the other calls in flight have ended and were stored.
    """
    options = options or ConstructionOptions()
    bare, salience = _bare(documents)
    tally = _Tally()
    jobs = [partial(analyze, node, salience, llm, prompts, options, assets) for node in bare]
    analysed = await _gather(jobs, options.concurrency, "analyze", progress)
    nodes = [node for node, _ in analysed]
    tally.calls += len(nodes)
    tally.unreadable += sum(not usable for _, usable in analysed)
    links = reading_order_links(nodes, options.window)
    for round_ in range(1, options.rounds + 1):
        nodes, links = await _round(nodes, links, encoder, llm, prompts, options, round_, tally, progress)
    return _finish(nodes, links, encoder, options, tally)


async def _round(
    nodes: list[Node], links: Links, encoder: Encoder, llm: LLM, prompts: Prompts, options: ConstructionOptions,
    round_: int, tally: _Tally, progress: bool,
) -> tuple[list[Node], Links]:  # fmt: skip
    vectors = encoder.encode([node.embedded_text for node in nodes])
    current: list[set[int]] = [set() for _ in nodes]
    for u, v in links:
        current[u].add(v)
    near = semantic_neighbours(nodes, vectors, options)
    jobs = [
        partial(
            evolve, row, nodes, list(dict.fromkeys([*near[row], *sorted(current[row])])), frozenset(current[row]),
            llm, prompts, options, round_,
        )
        for row in range(len(nodes))
    ]  # fmt: skip
    evolved: list[Evolved] = await _gather(jobs, options.concurrency, f"evolve {round_}/{options.rounds}", progress)
    tally.calls += len(evolved)
    tally.unreadable += sum(not e.readable for e in evolved)
    tally.unknown += sum(e.unknown for e in evolved)
    tally.loops += sum(e.loops for e in evolved)
    changed = [e.node for e in evolved]
    chosen = {(row, other) for row, e in enumerate(evolved) for other in e.links}
    if options.prune_each_round:
        chosen = _strong(changed, chosen, encoder, options.r_min)
    return changed, chosen


def _strong(nodes: Sequence[Node], links: Links, encoder: Encoder, floor: float) -> Links:
    vectors = encoder.encode([node.embedded_text for node in nodes])
    rows = {node.node_id: row for row, node in enumerate(nodes)}
    return {(rows[e.source], rows[e.target]) for e in link_graph(nodes, links, vectors, floor).edges()}


def _finish(
    nodes: Sequence[Node], links: Links, encoder: Encoder, options: ConstructionOptions, tally: _Tally
) -> tuple[EvidenceGraph, ConstructionReport]:
    graph = EvidenceGraph.build(nodes, links, encoder, floor=options.r_min)
    kept = graph.graph.edge_count
    return graph, ConstructionReport(
        len(nodes), kept, len(links) - kept, tally.calls, tally.unreadable, tally.unknown, tally.loops
    )


def _bare(documents: Sequence[Document]) -> tuple[list[Node], Salience]:
    bare = units(documents)
    if not bare:
        raise ValueError("the documents hold no text, table or picture; there is nothing to build a graph of")
    return bare, Salience.of([node.text for node in bare])


async def _gather(
    jobs: Sequence[Callable[[], Awaitable[Result]]], limit: int, name: str, progress: bool
) -> list[Result]:
    """Results in the order of the jobs. After an error no job starts, those in flight end, then it is raised."""
    gate = asyncio.Semaphore(limit)
    failed: list[BaseException] = []
    with tqdm(total=len(jobs), desc=name, unit="node", disable=not progress) as bar:

        async def run(job: Callable[[], Awaitable[Result]]) -> Result | None:
            async with gate:
                if failed:
                    return None
                try:
                    return await job()
                except Exception as error:
                    failed.append(error)
                    return None
                finally:
                    bar.update()

        results = await asyncio.gather(*(run(job) for job in jobs))
    if failed:
        raise failed[0]
    return results  # type: ignore[return-value]  # None only after a failure
