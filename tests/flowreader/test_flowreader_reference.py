"""The array code of a query against plain loops over nodes, arcs and paths, on random graphs full of ties."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowreader.anchors import select_sinks, select_sources
from flowreader.bench import diffusion, one_query, queries_of, query_times, solver_seconds, synthetic_graph
from flowreader.config import FlowReaderConfig, RefinementConfig
from flowreader.decomposition import Path, decompose
from flowreader.network import SCALE, Flow, build_network, min_cut, solve
from flowreader.refinement import bridge_candidates, busiest_arcs, new_seeds
from flowreader.replicator import Selection, path_quality, payoff_matrix
from flowreader.routing import Arcs, Routing
from flowreader.scoring import highest

SEEDS = st.integers(0, 100_000)


class Case:
    """A random graph with scores of one digit, so that many tie, and its solved flow."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 40))
        pairs = np.unique(rng.integers(0, n, size=(4 * n, 2)), axis=0)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        self.h, self.a, self.phi = (np.round(rng.random(n), 1) for _ in range(3))
        self.arcs = Arcs(pairs[:, 0], pairs[:, 1], np.round(rng.random(len(pairs)), 1))
        nodes = rng.permutation(n)
        self.sources, self.sinks = nodes[:3], nodes[3:6]
        demand = float(rng.choice([0.5, 6.0]))
        self.flow: Flow = solve(
            build_network(
                self.arcs.tail, self.arcs.head, self.arcs.similarity, self.h, self.a, self.sources, self.sinks, demand
            )
        )


def widest(arcs: dict[tuple[int, int], int], source: int, sink: int) -> tuple[int, int, tuple[int, ...]]:
    """Of all simple paths the widest, then the shortest, then the first by node numbers: by trying all widths."""
    for width in sorted(set(arcs.values()), reverse=True):
        wide = {pair for pair, units in arcs.items() if units >= width}
        level: list[tuple[int, ...]] = [(source,)]
        seen = {source}
        while level:
            found = [path for path in level if path[-1] == sink]
            if found:
                return width, len(found[0]), min(found)
            longer = sorted((*path, v) for path in level for u, v in wide if u == path[-1] and v not in seen)
            level = [path for k, path in enumerate(longer) if path[-1] not in {p[-1] for p in longer[:k]}]
            seen |= {path[-1] for path in level}
    return 0, 0, ()


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_first_path_is_the_widest_of_all(seed: int) -> None:
    flow = Case(seed).flow
    net: dict[tuple[int, int], int] = {}
    for u, v, units in zip(flow.network.tail.tolist(), flow.network.head.tolist(), flow.units.tolist(), strict=True):
        net[(u, v)] = net.get((u, v), 0) + units
    net = {(u, v): units - min(units, net.get((v, u), 0)) for (u, v), units in net.items()}
    width, _, nodes = widest({p: units for p, units in net.items() if units}, flow.network.source, flow.network.sink)
    paths = decompose(flow, most=1).paths
    assert [(path.nodes, round(path.flow * SCALE)) for path in paths] == ([(nodes[1:-1], width)] if width else [])


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_cut_is_what_a_search_of_the_residual_graph_finds(seed: int) -> None:
    flow = Case(seed).flow
    network, capacity = flow.network, np.floor(flow.network.capacity * SCALE).astype(int)
    beside: dict[int, set[int]] = {}
    for u, v, used, most in zip(network.tail, network.head, flow.units, capacity, strict=True):
        if used < most:
            beside.setdefault(int(u), set()).add(int(v))
        if used > 0:
            beside.setdefault(int(v), set()).add(int(u))
    reached, queue = {network.source}, deque([network.source])
    while queue:
        for v in beside.get(queue.popleft(), set()) - reached:
            reached.add(v)
            queue.append(v)
    arcs = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    inner = [(u, v) for u, v in arcs if max(u, v) < network.nodes and u in reached and v not in reached]
    assert min_cut(flow) == inner


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_quality_and_payoff_are_those_of_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    h, length = rng.random(30), rng.integers(0, 3, 30).astype(float)
    paths = [Path(tuple(rng.permutation(30)[: rng.integers(1, 6)].tolist()), float(rng.random())) for _ in range(12)]
    quality, widest_flow = path_quality(paths, h, length, (0.2, 0.5, 0.3)), max(path.flow for path in paths)
    for k, path in enumerate(paths):
        weights = [length[n] for n in path.nodes] if any(length[n] for n in path.nodes) else [1.0] * len(path.nodes)
        mean = sum(w * h[n] for w, n in zip(weights, path.nodes, strict=True)) / sum(weights)
        share, peak = path.flow / widest_flow, max(h[n] for n in path.nodes)
        assert quality[k] == pytest.approx(share**0.2 * peak**0.5 * mean**0.3)
    payoff = payoff_matrix(paths, quality)
    for k, one in enumerate(paths):
        for m, other in enumerate(paths):
            jaccard = len(set(one.nodes) & set(other.nodes)) / len(set(one.nodes) | set(other.nodes))
            wanted = quality[k] ** 2 if k == m else (quality[k] * quality[m]) ** 0.5 * (1 - jaccard)
            assert payoff[k, m] == pytest.approx(wanted, abs=1e-12)


@given(SEEDS, st.integers(1, 9), st.integers(1, 40), st.booleans())
@settings(max_examples=60, deadline=None)
def test_sources_are_those_of_a_loop_over_all_nodes(seed: int, count: int, pool: int, alike: bool) -> None:
    rng = np.random.default_rng(seed)
    h, vectors = np.round(rng.random(40), 1), rng.normal(size=(40, 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    if alike:
        vectors = vectors[rng.integers(0, 3, 40)]  # duplicate embeddings
    exact, chosen = vectors.astype(float), list[int]()
    for _ in range(count):
        score = [
            (round(0.7 * h[v] - 0.3 * max((exact[v] @ exact[u] for u in chosen), default=0.0), 9), -v)
            for v in range(40)
            if v not in chosen
        ]
        chosen.append(-max(score)[1])
    assert select_sources(h, vectors, count=count, pool=pool).tolist() == chosen


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=30), st.integers(0, 35))
def test_the_highest_come_first_and_ties_keep_their_order(values: list[float], count: int) -> None:
    wanted = sorted(range(len(values)), key=lambda n: (-values[n], n))[:count]
    assert highest(np.array(values), count).tolist() == wanted
    free = [n for n in sorted(range(len(values)), key=lambda n: (-values[n], n)) if n != 0 and values[n] > 0][:count]
    if values:
        assert select_sinks(np.array(values), np.array([0]), count=count).tolist() == free


@given(SEEDS, st.integers(0, 3), st.sampled_from(["boundary", "cut_arcs"]))
@settings(max_examples=40, deadline=None)
def test_the_edits_of_system_2_are_placed_as_loops_place_them(seed: int, depth: int, pairing: str) -> None:
    case = Case(seed)
    h, phi, arcs = case.h, case.phi, case.arcs
    config = RefinementConfig(bfs_depth=depth, bridge_candidates=pairing, bridge_pairs=7)  # type: ignore[arg-type]
    pairs = list(zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True))
    cut = pairs[:: max(1, len(pairs) // 5)]
    offered = set(cut) if pairing == "cut_arcs" else {(u, v) for u, _ in cut for _, v in cut if u != v}
    ranked = sorted(offered, key=lambda p: (-min(h[p[0]], h[p[1]]), -(h[p[0]] + h[p[1]]), p))
    assert bridge_candidates(cut, h, config) == ranked[:7]
    near = {min(range(len(phi)), key=lambda n: (-phi[n], n))} if phi.max() > 0 else set()
    for _ in range(depth):
        near |= {v for u, v in pairs if u in near}
    taken = {*case.sources.tolist(), *case.sinks.tolist()}
    free = sorted((n for n in near - taken if h[n] > 0), key=lambda n: (-phi[n], n))[: config.seeds]
    routing = Routing(
        case.sources, case.sinks, case.flow, (), 0.0, Selection((), *(np.zeros(0),) * 2, np.zeros((0, 0)), 0, 0, 0)
    )
    assert new_seeds(arcs, phi, h, routing, config).tolist() == free
    places = busiest_arcs(case.flow, arcs, 0.5)
    network = case.flow.network
    ends = zip(network.tail.tolist(), network.head.tolist(), strict=True)
    units = dict(zip(ends, case.flow.units.tolist(), strict=True))
    carrying = sorted((p for p in pairs if units[p] > 0), key=lambda p: (-units[p], p))
    assert [pairs[p] for p in places] == carrying[: -(-len(carrying) // 2)]


def test_the_benchmark_measures_what_it_prints() -> None:
    graph = synthetic_graph(120)
    timing = query_times(graph, queries=2)
    assert 0.0 < timing.solving < timing.processor <= timing.clock * 1.5 and 0.0 < timing.saturation <= 1.0
    assert set(solver_seconds(graph, queries=1)) == {"ortools", "highs", "networkx"}
    steps, error = diffusion(graph, queries=3)
    assert 0 < steps <= 70 and error <= 1e-6


def test_words_go_with_meaning_only_where_the_benchmark_says_so() -> None:
    graph = synthetic_graph(400)
    near, anywhere = (
        np.mean([np.corrcoef(c, b)[0, 1] for c, b in queries_of(graph, 8, words=words)])
        for words in ("near", "anywhere")  # type: ignore[arg-type]
    )
    assert near > 0.4 and abs(anywhere) < 0.1
    cosine, bm25 = next(queries_of(graph, 1))
    assert one_query(graph, Arcs.of(graph), cosine, bm25, FlowReaderConfig("x")).kept
