"""FlowReader's formulas against hand-computed values, and its optimum against two independent solvers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array

from common.graph import Transition
from flowreader.anchors import select_sinks, select_sources
from flowreader.decomposition import Path, decompose
from flowreader.network import SCALE, Flow, FlowInputError, Network, build_network, edge_cost, min_cut, solve
from flowreader.replicator import ReplicatorConfig, path_quality, payoff_matrix, replicate, select_paths
from flowreader.scoring import (
    Averaging,
    ScoringConfig,
    answerability,
    diffuse,
    propagate,
    propagation_weight,
    relevance,
    score_nodes,
)


def random_network(seed: int, n: int = 12, demand: float = 2.0) -> Network:
    rng = np.random.default_rng(seed)
    pairs = np.unique(rng.integers(0, n, size=(4 * n, 2)), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    h, a = rng.random(n), rng.random(n)
    nodes = rng.permutation(n)
    return build_network(pairs[:, 0], pairs[:, 1], rng.random(len(pairs)), h, a, nodes[:3], nodes[3:6], demand)


def test_edge_cost_is_least_for_a_similar_edge_between_strong_nodes() -> None:
    cost = edge_cost(np.array([1.0, 1.0, 0.2, -0.5]), np.array([1.0, 0.1, 1.0, 1.0]), np.array([1.0, 0.1, 1.0, 1.0]))
    assert cost == pytest.approx([0.0, 0.9, 0.8, 1.0])
    assert edge_cost(np.array([0.8]), np.array([1.0]), np.array([0.5])) == pytest.approx([1 - 0.8 * 0.75])  # both ends


def test_propagation_prefers_moderate_similarity() -> None:
    weight = propagation_weight(np.array([0.0, np.sqrt(0.5), 1.0, -0.3]))
    assert weight == pytest.approx([0.0, 0.5, 0.0, 0.0])


def test_relevance_is_the_rectified_blend() -> None:
    assert relevance(np.array([-0.5, 0.4, 0.8]), np.array([0.0, 5.0, 10.0]), 0.5) == pytest.approx([0.0, 0.45, 0.9])
    assert relevance(np.array([0.4]), np.array([7.0]), 0.5) == pytest.approx([0.2])


def test_phi_solves_its_own_equation() -> None:
    rng = np.random.default_rng(7)
    dense = rng.random((9, 9)) * (rng.random((9, 9)) < 0.4)
    np.fill_diagonal(dense, 0)
    r = rng.random(9)
    phi, _, change = propagate(Averaging(csr_array(dense)), r, ScoringConfig())
    p = propagation_weight(dense)
    expected = np.linalg.solve(np.eye(9) - 0.5 * (p / (p.sum(axis=0) + np.finfo(float).eps)).T, 0.5 * r)
    assert phi == pytest.approx(expected, abs=1e-5) and change <= 1e-6


def test_psi_agrees_with_networkx_and_peaks_at_one() -> None:
    rng = np.random.default_rng(3)
    dense = rng.random((20, 20)) * (rng.random((20, 20)) < 0.3)
    r = rng.random(20)
    psi, steps, error = diffuse(Transition(csr_array(dense)), r, ScoringConfig())
    seeds = np.argsort(-r)[:8]
    oracle = nx.pagerank(
        nx.from_numpy_array(dense, create_using=nx.DiGraph), 0.85, {i: r[i] for i in seeds}, tol=1e-12, max_iter=500
    )
    expected = np.array([oracle[i] for i in range(20)])
    assert psi == pytest.approx(expected / expected.max(), abs=1e-5)
    assert psi.max() == 1.0 and steps <= 70 and error <= 1e-6


def test_answerability_needs_relevance_and_length_and_favours_figures_a_little() -> None:
    a = answerability(np.array([0.8, 0.8, 0.0]), np.array([100.0, 50.0, 100.0]), np.array([False, True, False]), 0.05)
    assert a == pytest.approx([0.8, 0.45, 0.0])


def test_scores_stay_in_the_unit_interval_and_survive_a_query_without_any_match() -> None:
    empty = csr_array((4, 4))
    prepared = Averaging(empty), Transition(empty)
    nothing = score_nodes(*prepared, np.zeros(4), np.zeros(4), np.ones(4), np.zeros(4, dtype=bool), ScoringConfig())
    assert nothing.h.tolist() == [0.0] * 4 and nothing.a.tolist() == [0.0] * 4
    some = score_nodes(
        *prepared, np.array([0.9, 0.1, 0.3, 0.0]), np.arange(4.0), np.ones(4), np.zeros(4, dtype=bool), ScoringConfig()
    )
    assert some.h.max() == 1.0 and some.h.min() >= 0.0


def test_mmr_avoids_the_near_duplicate() -> None:
    h = np.array([1.0, 0.99, 0.5])
    embeddings = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    assert select_sources(h, embeddings, count=2, trade_off=0.5).tolist() == [0, 2]


@given(st.integers(0, 50))
@settings(max_examples=20, deadline=None)
def test_mmr_over_a_pool_is_mmr_over_all_nodes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    h, vectors = rng.random(120), rng.normal(size=(120, 6)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert select_sources(h, vectors, pool=10).tolist() == select_sources(h, vectors, pool=120).tolist()


def test_sinks_are_never_sources_and_never_worthless() -> None:
    assert select_sinks(np.array([0.9, 0.8, 0.0, 0.7]), np.array([0]), count=8).tolist() == [1, 3]


def test_as_printed_a_source_may_be_a_sink() -> None:
    a = np.array([0.9, 0.8, 0.0, 0.7])
    assert select_sinks(a, np.array([0]), count=2, overlap=True).tolist() == [0, 1]


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_optimum_is_that_of_an_independent_lp(seed: int) -> None:
    network = random_network(seed)
    flow = solve(network)
    n, m = network.nodes + 2, len(network.tail)
    incidence = coo_array(
        (np.r_[np.ones(m), -np.ones(m)], (np.r_[network.tail, network.head], np.r_[:m, :m])), shape=(n, m)
    ).tocsr()
    capacity = np.floor(network.capacity * SCALE) / SCALE
    supply = np.zeros(n)
    supply[network.source], supply[network.sink] = flow.routed, -flow.routed
    best = linprog(network.cost, A_eq=incidence, b_eq=supply, bounds=np.c_[np.zeros(m), capacity], method="highs")
    assert best.status == 0 and flow.cost == pytest.approx(best.fun, abs=1e-4)
    at_most = linprog(
        -(network.tail == network.source).astype(float), A_eq=incidence[: network.nodes], b_eq=np.zeros(network.nodes),
        bounds=np.c_[np.zeros(m), capacity], method="highs",
    )  # fmt: skip
    assert flow.saturation == pytest.approx(min(-at_most.fun / network.demand, 1.0), abs=1e-5)


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_flow_is_conserved_within_capacity_and_decomposes_into_itself(seed: int) -> None:
    network = random_network(seed)
    flow = solve(network)
    balance = np.zeros(network.nodes + 2, dtype=np.int64)
    np.add.at(balance, network.tail, flow.units)
    np.add.at(balance, network.head, -flow.units)
    assert (balance[: network.nodes] == 0).all()
    assert (flow.units <= np.floor(network.capacity * SCALE)).all() and (flow.units >= 0).all()
    parts = decompose(flow, most=10_000)
    assert sum(p.flow for p in parts.paths) == pytest.approx(flow.routed) and parts.leftover == 0
    assert [p.flow for p in parts.paths] == sorted((p.flow for p in parts.paths), reverse=True)
    capped = decompose(flow, most=1)
    assert capped.leftover == pytest.approx(flow.routed - sum(p.flow for p in capped.paths))


def test_the_order_of_edges_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    pairs = np.array([(u, v) for u in range(8) for v in range(8) if u != v])
    similarity, h, a = rng.random(len(pairs)), rng.random(8), rng.random(8)
    shuffle = rng.permutation(len(pairs))
    results = [
        decompose(
            solve(build_network(pairs[o, 0], pairs[o, 1], similarity[o], h, a, np.array([0, 1]), np.array([6, 7]), 3.0))
        )
        for o in (np.arange(len(pairs)), shuffle)
    ]
    assert results[0] == results[1]


def test_an_injected_cycle_carries_nothing_to_the_sink() -> None:
    tail, head = np.array([3, 0, 1, 0, 2, 1]), np.array([0, 1, 4, 2, 0, 4])
    network = Network(3, tail, head, np.zeros(6), np.ones(6), 1.0)
    flow = Flow(network, np.array([5, 5, 5, 2, 2, 0], dtype=np.int64) * 100_000)
    assert [p.nodes for p in decompose(flow).paths] == [(0, 1)]


def test_parallel_arcs_add_up() -> None:
    network = Network(2, np.array([2, 0, 0, 1]), np.array([0, 1, 1, 3]), np.zeros(4), np.ones(4), 1.0)
    flow = Flow(network, np.array([7, 4, 3, 7], dtype=np.int64) * 100_000)
    assert decompose(flow).paths == (Path((0, 1), 0.7),) and decompose(flow).leftover == 0.0


def test_of_equal_paths_the_one_of_smaller_nodes_is_taken_first() -> None:
    tail, head = np.array([3, 3, 0, 1, 1, 2]), np.array([0, 1, 2, 2, 4, 4])  # node 1 is reached by more flow than 0
    flow = Flow(Network(3, tail, head, np.zeros(6), np.ones(6), 1.0), np.array([6, 10, 6, 6, 4, 12]) * 10_000)
    assert [path.nodes for path in decompose(flow).paths] == [(0, 2), (1, 2), (1,)]


@pytest.mark.parametrize(("h", "a", "routed"), [((0.6, 0.9), 0.4, 0.4), ((0.6, 0.9), 1.0, 0.6), ((0.9, 0.5), 1.0, 0.5)])
def test_flow_is_bounded_by_h_of_the_source_a_of_the_sink_and_the_weaker_end(
    h: tuple[float, float], a: float, routed: float
) -> None:
    one = np.array([0]), np.array([1]), np.array([0.5])
    network = build_network(*one, np.array(h), np.array([0.0, a]), np.array([0]), np.array([1]), 6.0)
    assert solve(network).routed == pytest.approx(routed)


def test_the_min_cut_separates_when_flow_is_maximal() -> None:
    h, a = np.array([1.0, 0.1, 0.1, 1.0]), np.array([0.0, 0.0, 0.0, 1.0])
    network = build_network(
        np.array([0, 1, 0, 2]), np.array([1, 3, 2, 3]), np.ones(4), h, a, np.array([0]), np.array([3]), 6.0
    )
    flow = solve(network)
    assert flow.routed == pytest.approx(0.2)
    assert sorted(min_cut(flow)) == [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"h": np.array([0.5, np.nan])}, "node 1: h = nan"),
        ({"h": np.array([0.5, 1.5])}, "node 1: h = 1.5"),
        ({"a": np.array([-0.1, 0.5])}, "node 0: a"),
        ({"head": np.array([-1])}, "edge 0 -> -1 leaves"),
        ({"similarity": np.array([np.nan])}, "edge 0 -> 1: similarity nan"),
        ({"similarity": np.array([-1.1])}, "edge 0 -> 1: similarity -1.1"),
        ({"sources": np.array([], dtype=np.int64)}, "no source"),
        ({"sinks": np.array([], dtype=np.int64)}, "no sink"),
        ({"demand": float("inf")}, "demand"),
    ],
)
def test_what_would_crash_the_solver_is_refused_by_name(change: dict[str, object], message: str) -> None:
    inputs: dict[str, object] = {
        "tail": np.array([0]), "head": np.array([1]), "similarity": np.array([0.5]), "h": np.array([0.5, 0.5]),
        "a": np.array([0.5, 0.5]), "sources": np.array([0]), "sinks": np.array([1]), "demand": 6.0,
    }  # fmt: skip
    with pytest.raises(FlowInputError, match=message):
        build_network(**{**inputs, **change})  # type: ignore[arg-type]


def test_a_disconnected_graph_routes_nothing() -> None:
    none = np.array([], dtype=np.int64)
    network = build_network(
        none, none, np.array([]), np.array([1.0, 1.0]), np.array([1.0, 1.0]), np.array([0]), np.array([1]), 6.0
    )
    flow = solve(network)
    assert flow.routed == 0.0 and flow.saturation == 0.0 and decompose(flow).paths == () and min_cut(flow) == []


PATHS = [Path((0, 1), 0.4), Path((0, 2, 3), 0.2), Path((4,), 0.1)]
H = np.array([1.0, 0.5, 0.25, 0.8, 0.6])
WORDS = np.array([10.0, 30.0, 10.0, 10.0, 5.0])


def test_quality_and_payoff_by_hand() -> None:
    quality = path_quality(PATHS, H, WORDS, (0.2, 0.5, 0.3))
    assert quality[0] == pytest.approx(1.0 * 1.0 * 0.625**0.3)
    assert quality[2] == pytest.approx(0.25**0.2 * 0.6**0.5 * 0.6**0.3)
    payoff = payoff_matrix(PATHS, quality)
    assert payoff[0, 0] == pytest.approx(quality[0] ** 2)
    assert payoff[0, 1] == pytest.approx(np.sqrt(quality[0] * quality[1]) * 0.75)
    assert payoff[0, 2] == pytest.approx(np.sqrt(quality[0] * quality[2])) and (payoff == payoff.T).all()


def test_one_replicator_step_by_hand() -> None:
    payoff = np.array([[1.0, 0.5], [0.5, 0.25]])
    x, rounds = replicate(payoff, np.array([0.5, 0.5]), ReplicatorConfig(iterations=1))
    assert rounds == 1 and x == pytest.approx([0.8 * 0.375 / 0.5625 + 0.1, 0.8 * 0.1875 / 0.5625 + 0.1])


def test_the_replicator_stops_when_a_step_is_under_its_tolerance() -> None:
    assert replicate(np.ones((2, 2)), np.array([0.5, 0.5]), ReplicatorConfig())[1] == 1
    assert replicate(np.eye(2), np.array([0.7, 0.3]), ReplicatorConfig(tolerance=0.0))[1] == 20


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=30), st.floats(0, 0.9))
@settings(deadline=None)
def test_the_population_stays_on_the_simplex_above_its_floor(quality: list[float], epsilon: float) -> None:
    q = np.array(quality)
    x, _ = replicate(np.outer(q, q), q / q.sum(), ReplicatorConfig(epsilon=epsilon))
    assert x.sum() == pytest.approx(1.0) and (x >= epsilon / len(q) - 1e-12).all()


def test_theta_removes_nothing_below_four_hundred_paths_and_the_cap_selects() -> None:
    paths = [Path((i, i + 1), 0.1 + i / 100) for i in range(40)]
    h = np.linspace(0.2, 1, 41)
    selection = select_paths(paths, h, np.ones(41), ReplicatorConfig())
    assert selection.extinct == 0 and len(selection.chosen) == 11 and selection.capped == 29
    assert select_paths([], h, np.ones(41), ReplicatorConfig()).chosen == ()


def test_without_mixing_theta_does_remove_paths() -> None:
    paths = [Path((0, 1), 1.0), Path((0, 1, 2), 0.001), Path((3,), 0.5)]
    selection = select_paths(
        paths,
        np.array([1.0, 1.0, 0.001, 0.9]),
        np.ones(4),
        ReplicatorConfig(epsilon=0.0, iterations=500, tolerance=0.0),
    )
    assert selection.extinct >= 1 and 1 not in selection.chosen


def test_greedy_takes_the_paths_of_most_flow() -> None:
    selection = select_paths(PATHS, H, WORDS, ReplicatorConfig(selector="greedy", most=2))
    assert selection.chosen == (0, 1) and selection.capped == 1
