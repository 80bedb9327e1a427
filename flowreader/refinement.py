"""System 2 (FlowReader appendix C): one edit of the flow graph for the trigger that fired, scored by the model."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from common.arrays import Floats, Integers
from common.llm import LLMError
from flowreader.config import RefinementConfig
from flowreader.evidence import passage
from flowreader.ledger import OverBudget
from flowreader.network import Flow, min_cut
from flowreader.records import Edit, Trigger
from flowreader.routing import Arcs, Routing, with_links, with_similarity
from flowreader.scoring import DIGITS, Scores
from flowreader.session import Session

Pair = tuple[int, int]
_NUMBER = re.compile(r"(?<![\d.])(?:0?\.\d+|[01](?:\.\d+)?)(?![\d.]*\d)")


@dataclass(frozen=True)
class Refined:
    """The graph after the edit: arcs, sources, and what was done."""

    arcs: Arcs
    sources: Integers
    edit: Edit


async def refine(
    session: Session, trigger: Trigger, routing: Routing, scores: Scores, arcs: Arcs, *, reserve: int
) -> Refined:
    """Edit for one trigger, leaving `reserve` calls. A scorer without a usable reply changes nothing."""
    if trigger == "T1":
        return await _bridge(session, routing, scores, arcs, reserve)
    if trigger == "T2":
        places = busiest_arcs(routing.flow, arcs, session.config.refinement.decile)
        arcs, rescored = await _rescore(session, arcs, places, reserve)
        note = "" if len(places) else "no arc carries flow"
        return Refined(arcs, routing.sources, Edit("T2", rescored=rescored, note=note))
    return await _reseed(session, routing, scores, arcs, reserve)


async def _bridge(session: Session, routing: Routing, scores: Scores, arcs: Arcs, reserve: int) -> Refined:
    """T1: new links across the min cut, then the arcs at its nodes scored again."""
    config = session.config.refinement
    cut = min_cut(routing.flow) if routing.flow is not None else []
    if not cut:
        return Refined(arcs, routing.sources, Edit("T1", note="no inner arc is in the min cut"))
    pairs = bridge_candidates(cut, scores.h, config)
    replies = await _score(session, "bridge", pairs, read_bridge, config.bridge_tokens, reserve)
    scored = [(pair, score) for pair, score in zip(pairs, replies, strict=False) if score is not None]
    accepted = [(pair, score) for pair, score in scored if score > config.bridge_above]
    links = [pair for pair, _ in accepted]
    similarity = [_similarity(session.graph.embeddings, pair) for pair in links]
    at_cut = np.unique(np.array(cut))
    touching = np.flatnonzero(np.isin(arcs.tail, at_cut) | np.isin(arcs.head, at_cut))
    arcs, rescored = await _rescore(session, arcs, _strongest_first(arcs, scores.h, touching), reserve)
    bridges = tuple((*_ids(session, pair), score) for pair, score in accepted)
    return Refined(
        with_links(arcs, links, similarity), routing.sources, Edit("T1", bridges, len(scored), rescored)
    )  # fmt: skip


async def _reseed(session: Session, routing: Routing, scores: Scores, arcs: Arcs, reserve: int) -> Refined:
    """T3: new sources near the strongest phi, then the arcs that leave the sources scored again."""
    seeds = new_seeds(arcs, scores.phi, scores.h, routing, session.config.refinement)
    if not len(seeds):
        return Refined(arcs, routing.sources, Edit("T3", note="no unused node near the strongest phi has a score"))
    sources = np.concatenate([routing.sources, seeds])
    leaving = np.flatnonzero(np.isin(arcs.tail, sources))
    arcs, rescored = await _rescore(session, arcs, _strongest_first(arcs, scores.h, leaving), reserve)
    names = tuple(session.graph.nodes[row].node_id for row in seeds)
    return Refined(arcs, sources, Edit("T3", rescored=rescored, seeds=names))


def bridge_candidates(cut: Sequence[Pair], h: Floats, config: RefinementConfig) -> list[Pair]:
    """At most `bridge_pairs` pairs (u, v), u on the source side of the cut, v on the other; the strongest pair first.

    `boundary` pairs every tail of a cut arc with every head; `cut_arcs` doubles the cut arcs alone.
    """
    pairs = set(cut)
    if config.bridge_candidates == "boundary":
        pairs = {(u, v) for u in {u for u, _ in cut} for v in {v for _, v in cut} if u != v}
    u, v = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    ranked = np.lexsort((-(h[u] + h[v]), -np.minimum(h[u], h[v])))[: config.bridge_pairs]  # stable: ties by pair
    return list(zip(u[ranked].tolist(), v[ranked].tolist(), strict=True))


def busiest_arcs(flow: Flow | None, arcs: Arcs, decile: float) -> Integers:
    """Places in `arcs` of the inner arcs in the top share of flow, the most flow first; one if any carries flow."""
    if flow is None:
        return np.zeros(0, dtype=np.int64)
    network = flow.network
    inner = (network.tail < network.nodes) & (network.head < network.nodes) & (flow.units > 0)
    carried: dict[Pair, int] = {}
    for place in np.flatnonzero(inner).tolist():
        pair = int(network.tail[place]), int(network.head[place])
        carried[pair] = carried.get(pair, 0) + int(flow.units[place])
    ranked = sorted(carried, key=lambda pair: (-carried[pair], pair))
    chosen = ranked[: math.ceil(decile * len(ranked))]
    at_chosen = np.flatnonzero(np.isin(arcs.tail, [u for u, _ in chosen]))
    place_of = {(int(arcs.tail[p]), int(arcs.head[p])): p for p in at_chosen}
    return np.array([place_of[pair] for pair in chosen], dtype=np.int64)


def new_seeds(arcs: Arcs, phi: Floats, h: Floats, routing: Routing, config: RefinementConfig) -> Integers:
    """Unused nodes within `bfs_depth` links of the strongest phi, by phi; a node with h = 0 supplies nothing."""
    order = np.lexsort((np.arange(len(phi)), -phi))
    near = np.zeros(len(phi), dtype=bool)
    near[[node for node in order[: config.bfs_roots] if phi[node] > 0.0]] = True
    for _ in range(config.bfs_depth):
        near[arcs.head[near[arcs.tail]]] = True
    near[routing.sources] = near[routing.sinks] = False
    free = order[near[order] & (h[order] > 0.0)]
    return free[: config.seeds].astype(np.int64)


def reweighted(old: Floats, judged: Floats, config: RefinementConfig) -> Floats:
    """s + clip(lambda (s_hat - s), -eps_w, eps_w), kept in [0, 1]."""
    step = np.clip(config.damping * (judged - old), -config.bound, config.bound)
    return np.clip(np.round(old + step, DIGITS), 0.0, 1.0)


async def _rescore(
    session: Session, arcs: Arcs, places: Integers, reserve: int
) -> tuple[Arcs, tuple[tuple[str, str, float], ...]]:
    config = session.config.refinement
    places = places[: config.rescored]
    pairs = [(int(arcs.tail[p]), int(arcs.head[p])) for p in places]
    scores = await _score(session, "edge", pairs, read_score, config.edge_tokens, reserve)
    usable = [(p, pair, s) for p, pair, s in zip(places, pairs, scores, strict=False) if s is not None]
    where = np.array([p for p, _, _ in usable], dtype=np.int64)
    judged = np.array([s for _, _, s in usable], dtype=np.float64)
    arcs = with_similarity(arcs, where, reweighted(arcs.similarity[where], judged, config))
    return arcs, tuple((*_ids(session, pair), s) for _, pair, s in usable)


async def _score(
    session: Session, stage: str, pairs: Sequence[Pair], read: Callable[[str], float | None], tokens: int, reserve: int
) -> list[float | None]:
    """The model's score of each pair, None without a usable one; pairs beyond the budget are left out and counted."""
    room = max(0, session.ledger.left - reserve)
    session.ledger.skipped[stage] += len(pairs[room:])
    calls: list[Coroutine[Any, Any, float | None]] = [_ask(session, stage, pair, read, tokens) for pair in pairs[:room]]
    results = await asyncio.gather(*calls, return_exceptions=True)
    scores: list[float | None] = []
    for result in results:
        if isinstance(result, LLMError):
            session.note_failure(stage, result)
        elif isinstance(result, BaseException) and not isinstance(result, OverBudget):
            raise result
        scores.append(None if isinstance(result, BaseException) else result)
    return scores


async def _ask(
    session: Session, stage: str, pair: Pair, read: Callable[[str], float | None], tokens: int
) -> float | None:
    config = session.config.refinement
    first, second = (passage(session.graph.nodes[row], config.passage_chars) for row in pair)
    content = session.prompts.render(stage, question=session.question.question, first=first, second=second)
    reply = await session.ask(stage, content, temperature=config.temperature, max_tokens=tokens)
    return read(reply.text)


def read_score(text: str) -> float | None:
    """The first number in [0, 1] of a reply; None when there is none."""
    found = _NUMBER.search(text)
    return float(found[0]) if found and 0.0 <= float(found[0]) <= 1.0 else None


def read_bridge(text: str) -> float | None:
    """The score of a bridge reply; a connection that does not exist scores 0."""
    if re.search(r"exists\W*no\b", text, re.IGNORECASE):
        return 0.0
    tail = re.split(r"score", text, flags=re.IGNORECASE)[-1]
    return read_score(tail)


def _strongest_first(arcs: Arcs, h: Floats, places: Integers) -> Integers:
    """The places by the weaker end of their arcs, ties by tail, then head."""
    tail, head = arcs.tail[places], arcs.head[places]
    return places[np.lexsort((head, tail, -np.minimum(h[tail], h[head])))]


def _similarity(embeddings: NDArray[np.float32], pair: Pair) -> float:
    first, second = (embeddings[row].astype(np.float64) for row in pair)
    return float(np.clip(np.round(first @ second, DIGITS), 0.0, 1.0))


def _ids(session: Session, pair: Pair) -> tuple[str, str]:
    return session.graph.nodes[pair[0]].node_id, session.graph.nodes[pair[1]].node_id
