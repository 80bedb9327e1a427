"""From fragments to the graph: units, G0, Evolve with hostile replies, resuming, files and networkx views."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flowreader_fakes import TEXTS, FakeLLM, make_graph, make_node
from knowforge_fakes import WordEncoder, fragment, library

from common.documents.model import Document
from common.graph import Transition
from common.llm import LLM, CallCache, EmptyReply, Mode, Profile, Reply, ServerUnavailable
from common.prompting import Prompts
from flowreader.construction import ConstructionReport, build_with_model, build_without_model
from flowreader.evolution import reading_order_links, semantic_neighbours
from flowreader.graph import EvidenceGraph, Node
from flowreader.options import ConstructionOptions
from flowreader.session import PACKAGED

PROMPTS = Prompts.load(PACKAGED)
KEYWORDS = ["Iska Dorn", "$x_{i}$", "Iska Dorn"]
ANALYSIS = json.dumps({"keywords": KEYWORDS, "summary": "A short summary.", "tags": ["t"], "lettering": "axis 1 2 3"})
KEEP_ALL = '{"links": [1, 2, 3, 4, 5, 6, 7, 8, 9], "update": false}'


def build(
    llm: FakeLLM, documents: list[Document] | None = None, **options: Any
) -> tuple[EvidenceGraph, ConstructionReport]:
    made = ConstructionOptions(**{"r_min": 0.01, **options})
    return asyncio.run(
        build_with_model(documents or library(), WordEncoder(), llm, PROMPTS, made, progress=False)  # type: ignore[arg-type]
    )


def model(evolve: str | Exception, analyze: str | Exception = ANALYSIS) -> FakeLLM:
    return FakeLLM(lambda stage, _: analyze if stage == "analyze" else evolve)


def test_the_defaults_are_those_of_appendix_a() -> None:
    o = ConstructionOptions()
    assert (o.rounds, o.neighbours, o.r_min, o.summary_words) == (3, 5, 0.22, 30)  # table 5, and prompt A.3
    assert o.window == 2  # three texts to a window, w = 3


def test_the_visual_bonus_is_for_figures_alone() -> None:
    nodes = [make_node(row, "text", kind) for row, kind in enumerate(["txt", "vis", "tbl"])]
    assert EvidenceGraph.build(nodes, [], WordEncoder(), floor=0.0).visual.tolist() == [False, True, False]


def test_reading_order_links_join_texts_at_most_two_apart_and_no_figure() -> None:
    nodes = [make_node(row, "text", kind) for row, kind in enumerate(["txt", "vis", "txt", "txt", "txt", "tbl"])]
    links = reading_order_links(nodes, 2)
    assert {pair for pair in links if pair[0] < pair[1]} == {(0, 2), (0, 3), (2, 3), (2, 4), (3, 4)}
    assert {(v, u) for u, v in links} == links


def test_reading_order_stops_at_the_end_of_a_document() -> None:
    nodes = [make_node(0, "a"), make_node(1, "b")]
    nodes.append(Node("other", "txt", "other", 1, 0, "c"))
    assert reading_order_links(nodes, 2) == {(0, 1), (1, 0)}


def test_semantic_neighbours_are_the_nearest_others() -> None:
    nodes = [make_node(row, "x") for row in range(4)]
    vectors = np.array([[1, 0], [0.9, 0.43589], [0, 1], [-1, 0]], dtype=np.float32)
    found = semantic_neighbours(nodes, vectors, ConstructionOptions(neighbours=2))
    assert found == [[1], [0, 2], [1], []]


def test_without_a_model_summaries_are_extracted_and_media_are_linked() -> None:
    graph, report = build_without_model(library(), WordEncoder(), ConstructionOptions(model=False, r_min=0.05))
    assert report.calls == 0 and report.nodes == 7 and {n.modality for n in graph.nodes} == {"txt", "vis", "tbl"}
    first = graph.nodes[[n.text[:8] for n in graph.nodes].index("The 1979")]
    assert first.summary == "The 1979 Orlen Cup was a race held in Velmora." and {"orlen", "velmora", "1979"} <= set(
        first.keywords
    )
    figure = next(n for n in graph.nodes if n.modality == "vis")
    assert figure.summary.startswith("Figure 2") and figure.lettering == figure.text
    assert graph.graph.neighbours(figure.node_id, direction="both")
    assert all(0.05 <= edge.weight <= 1.0 for edge in graph.graph.edges())


def test_with_a_model_every_node_is_analysed_and_evolved_in_every_round() -> None:
    llm = model(KEEP_ALL)
    graph, report = build(llm)
    assert llm.calls == {"analyze": 7, "evolve": 21} and report.calls == 28 and report.unreadable == 0
    assert all(n.summary == "A short summary." and n.keywords == ("Iska Dorn", "x_ i") for n in graph.nodes)
    lettering = {n.modality: n.lettering for n in graph.nodes}
    assert lettering["vis"] == "axis 1 2 3" and lettering["txt"] == ""


def test_unknown_neighbours_and_self_links_are_dropped_and_counted() -> None:
    graph, report = build(model('{"links": [0, 99, -3, "1", "one", 2.5], "update": true, "summary": ""}'), rounds=1)
    assert report.loops == 7 and report.unknown == 7 * 4
    assert all(edge.source != edge.target for edge in graph.graph.edges())
    assert all(len(graph.graph.neighbours(n.node_id)) <= 1 for n in graph.nodes)
    assert all(n.summary == "A short summary." for n in graph.nodes)


def test_the_last_of_the_offered_neighbours_may_be_chosen() -> None:
    def last(stage: str, prompt: str) -> str:
        numbers = re.findall(r"^(\d+)\. ", prompt, re.MULTILINE)
        return ANALYSIS if stage == "analyze" else json.dumps({"links": numbers[-1:], "update": False})

    graph, report = build(FakeLLM(last), rounds=1)
    assert (report.unknown, report.loops) == (0, 0) and graph.graph.edge_count == len(graph)


@pytest.mark.parametrize("reply", ["no json", EmptyReply("nothing"), '{"links": "all"}'])
def test_an_unusable_evolve_leaves_node_and_links_as_they_were(reply: str | Exception) -> None:
    graph, report = build(model(reply))
    assert report.unreadable == 21
    texts = [n for n in graph.nodes if n.document_id == "orlen_cup" and n.modality == "txt"]
    assert {edge[:2] for edge in graph.graph.edges()} >= {(texts[0].node_id, texts[1].node_id)}
    assert not graph.graph.neighbours(next(n.node_id for n in graph.nodes if n.modality == "vis"), direction="both")


def test_evolve_rewrites_the_node_and_its_embedding() -> None:
    update = json.dumps({"links": [1], "update": True, "summary": " ".join(["word"] * 40), "keywords": ["new"]})
    graph, _ = build(model(update), rounds=1)
    assert {n.summary for n in graph.nodes} == {" ".join(["word"] * 30)} and {n.keywords for n in graph.nodes} == {
        ("new",)
    }
    assert graph.embeddings == pytest.approx(WordEncoder().encode([n.embedded_text for n in graph.nodes]))
    kept, _ = build(model(update.replace("true", '"no"')), rounds=1)
    assert {n.summary for n in kept.nodes} == {"A short summary."}


@pytest.mark.parametrize(
    "reply",
    ["no json", EmptyReply("nothing"), '{"summary": ""}', '{"summary": null}', '{"summary": ["a"]}',
     '{"keywords": ["..."], "summary": "...", "tags": ["..."]}'],
)  # fmt: skip
def test_an_unusable_analysis_falls_back_to_extraction(reply: str | Exception) -> None:
    graph, report = build(model(KEEP_ALL, reply), rounds=0)
    plain, _ = build_without_model(library(), WordEncoder())
    assert report.unreadable == 7 and [n.summary for n in graph.nodes] == [n.summary for n in plain.nodes]


def test_placeholders_and_nulls_of_a_reply_describe_nothing() -> None:
    """A small model copies the form of the prompt: its dots are no keywords, its null is not the word None."""
    analysis = json.dumps({"keywords": ["...", None, "Velmora", 1979], "summary": "A race.", "lettering": None})
    update = json.dumps({"links": [1], "update": True, "summary": None, "keywords": ["...", "…"]})
    graph, _ = build(model(update, analysis), rounds=1)
    assert {n.summary for n in graph.nodes} == {"A race."} and {n.keywords for n in graph.nodes} == {
        ("Velmora", "1979")
    }
    assert not any("None" in n.lettering for n in graph.nodes)


def test_progress_shows_from_the_first_node(capsys: pytest.CaptureFixture[str]) -> None:
    """A call may take minutes: seven nodes are enough to want to know how far it is."""
    asyncio.run(build_with_model(library(), WordEncoder(), model(KEEP_ALL), PROMPTS))  # type: ignore[arg-type]
    shown = capsys.readouterr().err
    assert "analyze" in shown and "evolve 3/3" in shown and "7/7" in shown


def test_a_round_reads_the_state_before_it() -> None:
    """Eq. 14 is simultaneous: with nodes in another order the same graph comes out."""

    def evolve(stage: str, prompt: str) -> str:
        if stage == "analyze":
            return ANALYSIS.replace("A short summary", prompt.split("Passage:")[-1][:40].strip().replace("\n", " "))
        return json.dumps(
            {"links": [1, 2], "update": True, "summary": f"s{zlib.crc32(prompt.encode())}", "keywords": []}
        )

    one, _ = build(FakeLLM(evolve), concurrency=1)
    many, _ = build(FakeLLM(evolve), concurrency=16)
    assert one.sha256 == many.sha256


def test_a_dead_server_stops_the_build_after_the_calls_in_flight() -> None:
    replies = iter([ANALYSIS, ServerUnavailable("gone")])
    llm = FakeLLM(lambda stage, _: next(replies))
    with pytest.raises(ServerUnavailable):
        build(llm, concurrency=1)
    assert llm.calls["analyze"] == 2


def test_a_build_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Server:
        """Stands for the servers of a profile; dies at its fifth call."""

        alive = 4

        def __init__(self, profile: Profile) -> None: ...

        async def call(self, request: Any, question_id: str, on_token: object) -> Reply:
            if Server.alive == 0:
                raise ServerUnavailable("gone")
            Server.alive -= 1
            asked.append(request.key)
            return Reply(KEEP_ALL if "neighbours" in str(request.messages) else ANALYSIS, "stop")

        async def aclose(self) -> None: ...

    monkeypatch.setattr("common.llm.servers.Servers", Server)

    def attempt(mode: Mode) -> EvidenceGraph:
        async def go() -> EvidenceGraph:
            async with LLM({"default": Profile(name="m", model="m")}, CallCache(tmp_path), mode) as llm:
                options = ConstructionOptions(r_min=0.01, rounds=1, concurrency=1)
                return (await build_with_model(library(), WordEncoder(), llm, PROMPTS, options, progress=False))[0]

        return asyncio.run(go())

    with pytest.raises(ServerUnavailable):
        attempt(Mode.RECORD)
    assert len(asked) == 4
    Server.alive = 100
    graph = attempt(Mode.RECORD)
    assert len(asked) == 14 and len(set(asked)) == 14
    assert attempt(Mode.REPLAY).sha256 == graph.sha256


def test_pruning_takes_weak_links_after_the_last_round_or_in_every_one() -> None:
    _, late = build(model(KEEP_ALL), r_min=0.0)
    _, pruned = build(model(KEEP_ALL), r_min=0.999999)
    assert late.pruned == 0 and late.links > 0 and pruned.links + pruned.pruned == late.links
    rewritten = '{"links": [1], "update": false}'
    each, _ = build(model(rewritten), r_min=0.3, prune_each_round=True)
    assert all(edge.weight >= 0.3 for edge in each.graph.edges())


def test_a_document_without_units_is_refused_by_name() -> None:
    empty = Document("d", "d", "d.pdf", "0" * 64, 1, (fragment("d", 0, "   "),))
    with pytest.raises(ValueError, match="nothing to build a graph of"):
        build_without_model([empty], WordEncoder())


def test_vision_sends_the_picture(tmp_path: Path) -> None:
    llm = model(KEEP_ALL)
    options = ConstructionOptions(vision="endpoint", rounds=0)
    asyncio.run(build_with_model(library(), WordEncoder(), llm, PROMPTS, options, assets=tmp_path, progress=False))  # type: ignore[arg-type]
    assert sum(str(tmp_path / "map.png") in prompt for _, prompt in llm.prompts) == 1


def test_graphml_and_networkx_round_trips(tmp_path: Path) -> None:
    graph = make_graph((*TEXTS[:4], "control \x07 and <markup> & a b c d e f g h surrogate \ud800"))
    graph.write_graphml(tmp_path / "g.graphml")
    again = EvidenceGraph.read_graphml(tmp_path / "g.graphml", WordEncoder())
    assert again.graph.edges() == graph.graph.edges()
    assert again.nodes[:4] == graph.nodes[:4] and "<markup> &" in again.nodes[4].text
    with pytest.raises(ValueError, match="attribute"):
        EvidenceGraph.from_networkx(graph.to_networkx().__class__([("a", "b")]), WordEncoder())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<graphml", "<graphml <", "not well-formed"),
        ("</graphml>", "", "no element found"),
        ('target="n1"', 'target="n0"', "link n0 -> n0, weight"),
        ('target="n1"', 'target="n77"', "attribute 'document_id' is missing"),
        (">0.5<", ">1.5<", "link n0 -> n1, weight 1.5"),
        (">0.5<", ">nan<", "weight"),
        (">0.5<", ">strong<", "strong"),
    ],
)
def test_graphml_that_was_edited_wrongly_is_refused_by_file_and_place(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    graph = make_graph(TEXTS[:3])
    edge = graph.graph.edges()[0]
    path = tmp_path / "g.graphml"
    graph.write_graphml(path)
    text = path.read_text().replace(f">{edge.weight!r}<", ">0.5<")
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=r"g\.graphml: ") as refused:
        EvidenceGraph.read_graphml(path, WordEncoder())
    assert told in str(refused.value)


def test_a_graph_without_a_node_or_with_a_page_or_kind_that_cannot_be_is_refused() -> None:
    view = make_graph(TEXTS[:3]).to_networkx()
    with pytest.raises(ValueError, match="no node"):
        EvidenceGraph.from_networkx(view.__class__(), WordEncoder())
    view.nodes["n1"]["page"] = "iv"
    with pytest.raises(ValueError, match="node n1: page 'iv' is no whole number"):
        EvidenceGraph.from_networkx(view, WordEncoder())
    view.nodes["n0"]["modality"] = "poem"
    with pytest.raises(ValueError, match="node n0: modality 'poem' is none of txt, vis, tbl"):
        EvidenceGraph.from_networkx(view, WordEncoder())


def test_arcs_go_both_ways_and_a_loop_is_refused() -> None:
    nodes = [make_node(row, TEXTS[row]) for row in range(3)]
    graph = EvidenceGraph.build(nodes, [(0, 1)], WordEncoder(), floor=0.0)
    assert graph.graph.edge_count == 1 and (graph.arcs != graph.arcs.T).nnz == 0 and graph.arcs.nnz == 2
    assert isinstance(graph.transition, Transition)
    with pytest.raises(ValueError, match="n1 is linked to itself"):
        EvidenceGraph.build(nodes, [(1, 1)], WordEncoder(), floor=0.0)


def test_a_part_keeps_the_links_inside_it() -> None:
    documents = library()
    graph, _ = build_without_model(documents, WordEncoder(), ConstructionOptions(r_min=0.0))
    part = graph.restricted({"orlen_cup"})
    inside = {n.node_id for n in graph.nodes if n.document_id == "orlen_cup"}
    assert {n.node_id for n in part.nodes} == inside
    assert part.graph.edges() == [e for e in graph.graph.edges() if e.source in inside and e.target in inside]


def test_prompts_hold_no_unfilled_field() -> None:
    llm = model(KEEP_ALL)
    build(llm, rounds=1)
    assert all("$" not in prompt.replace("dollar sign", "") for _, prompt in llm.prompts)
