"""Look-ups have defined outcomes for names that fit nothing, one or many."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from knowforge_fakes import WordEncoder, fragment

from common.documents.model import Document
from knowforge import library
from knowforge.base import KnowledgeBase, UnknownFragment
from knowforge.library import LookupFailed
from knowforge.points import Relation, RelationKind, make_point
from knowforge.search import search
from knowforge.system import SearchConfig


def code(call: object, *args: object, **kwargs: object) -> str:
    with pytest.raises(LookupFailed) as failure:
        call(*args, **kwargs)  # type: ignore[operator]
    return failure.value.code


def test_a_book_is_found_by_id_title_or_words(base: KnowledgeBase) -> None:
    for name in ("iska_dorn", "Iska  DORN", "dorn"):
        assert library.find_book(base, name).document_id == "iska_dorn"
    assert code(library.find_book, base, "") == "book_required"
    assert code(library.find_book, base, "nobody") == "not_found"


def test_a_name_that_fits_many_books_lists_them(tmp_path: Path) -> None:
    documents = [
        Document(f"cup_{y}", f"{y} Orlen Cup", f"{y}.pdf", "d" * 64, 1, (fragment(f"cup_{y}", 0, "race"),))
        for y in (1978, 1979)
    ]
    base = KnowledgeBase.build(documents, WordEncoder(), tmp_path)
    with pytest.raises(LookupFailed) as failure:
        library.find_book(base, "orlen cup")
    assert failure.value.code == "ambiguous" and failure.value.candidates == ("1978 Orlen Cup", "1979 Orlen Cup")


def test_a_name_that_fits_more_books_than_are_listed_says_how_many(tmp_path: Path) -> None:
    years = range(1900, 1900 + library.LIST_LIMIT + 3)
    documents = [
        Document(f"cup_{y}", f"{y} Orlen Cup", f"{y}.pdf", "d" * 64, 1, (fragment(f"cup_{y}", 0, "race"),))
        for y in years
    ]
    with pytest.raises(LookupFailed) as failure:
        library.find_book(KnowledgeBase.build(documents, WordEncoder(), tmp_path), "orlen cup")
    assert len(failure.value.candidates) == library.LIST_LIMIT and failure.value.matched == len(years)


def test_rows_are_queried_by_whole_words(base: KnowledgeBase) -> None:
    [rows] = library.query_table(base, "dorn")
    assert rows.rows == (("2", "Iska Dorn", "+1 lap"),) and rows.columns == ("pos", "driver", "time")
    assert library.query_table(base, "dor") == []
    assert code(library.query_table, base, "") == "not_found"


def test_long_tables_say_that_they_were_cut(base: KnowledgeBase) -> None:
    table = next(f for f in base.fragments.values() if f.kind == "table")
    assert library.get_table(base, table.fragment_id, limit=1).truncated
    assert not library.get_table(base, base.short_id(table.fragment_id)).truncated


def test_figures_are_found_by_label(base: KnowledgeBase) -> None:
    match = library.find_figure(base, "fig. 2", "orlen")
    assert match.pages == (2,) and [f.asset for f in match.media] == ["map.png"] and len(match.mentions) == 1
    assert library.find_figure(base, "Table 1", "orlen").media[0].kind == "table"
    assert code(library.find_figure, base, "Figure 9", "orlen") == "not_found"
    assert code(library.find_figure, base, "the map", "orlen") == "bad_label"


def test_media_lists_filter_by_kind_and_page(base: KnowledgeBase) -> None:
    assert len(library.list_media(base, "orlen")[1]) == 2
    assert [f.kind for f in library.list_media(base, "orlen", page=2)[1]] == ["image"]
    assert library.list_media(base, "orlen", kind="table", page=2)[1] == []


def test_ids_can_be_abbreviated_when_unique(base: KnowledgeBase) -> None:
    for key in base.fragments:
        assert base.resolve(base.short_id(key)).fragment_id == key
        assert base.resolve(f"[{base.short_id(key)}]").fragment_id == key
    with pytest.raises(UnknownFragment, match="is not a fragment id"):
        base.resolve("frag_zzzz")
    parts = tuple(dataclasses.replace(fragment("book", n, "words"), fragment_id=f"frag_ab{n}") for n in range(2))
    twins = KnowledgeBase.build([Document("book", "B", "b.pdf", "d" * 64, 1, parts)], WordEncoder(), base.assets)
    assert twins.resolve("ab1").fragment_id == "frag_ab1"
    with pytest.raises(UnknownFragment, match="'frag_ab' fits 2 fragments"):
        twins.resolve("frag_ab")
    with pytest.raises(UnknownFragment):
        base.resolve("")


def test_a_search_finds_ranks_and_attaches(base: KnowledgeBase) -> None:
    [best, *_] = search(base, "1979 Orlen Cup race", SearchConfig())
    assert best.hit.document_id == "orlen_cup" and 0 <= best.hit.score <= 10
    race = next(m for m in search(base, "1979 Orlen Cup race Velmora", SearchConfig()) if m.fragment.order == 0)
    assert [f.kind for f in race.media] == ["table"]
    assert [f.order for f in race.context] == [2]
    track = next(m for m in search(base, "see Figure 2 for the track", SearchConfig()) if m.fragment.order == 2)
    assert [f.kind for f in track.media] == ["image"], "the table as near as the map stands on another page"


def test_the_context_of_a_hit_is_what_stands_next_to_it(tmp_path: Path) -> None:
    texts = ("one apple", "two pears", "three plums", "four quinces", "five figs")
    book = Document("fruit", "Fruit", "f.pdf", "d" * 64, 1, tuple(fragment("fruit", n, t) for n, t in enumerate(texts)))
    base = KnowledgeBase.build([book], WordEncoder(), tmp_path)
    [hit] = search(base, "three plums", SearchConfig(topk=1, graph=False))
    assert (hit.fragment.order, [f.order for f in hit.context]) == (2, [1, 3])


TOY = {"first": "alpha beta cup", "second": "alpha gamma race", "near": "a bakery in Ostrava", "far": "dry weather"}


def toy(tmp_path: Path, *relations: tuple[str, str, RelationKind, float]) -> KnowledgeBase:
    """One fragment and point a document, related as given; `first` has a second point, `first+`."""
    documents = [
        Document(name, name, f"{name}.pdf", "d" * 64, 1, (fragment(name, 0, text),)) for name, text in TOY.items()
    ]
    points = {d.document_id: make_point(d.fragments[0], d.title, d.fragments[0].text) for d in documents}
    points["first+"] = make_point(documents[0].fragments[0], "first", "another statement")
    made = [Relation(points[one].point_id, points[two].point_id, kind, weight) for one, two, kind, weight in relations]
    return KnowledgeBase.assemble(documents, list(points.values()), made, WordEncoder(), tmp_path)


def found(base: KnowledgeBase, **config: int) -> list[str]:
    return [m.hit.document_id for m in search(base, "alpha beta cup", SearchConfig(topk=2, **config))]


def test_graph_neighbours_stand_among_the_anchors_by_score_and_once(tmp_path: Path) -> None:
    assert found(toy(tmp_path)) == ["first", "second"]
    assert found(toy(tmp_path, ("first", "near", "supports", 0.999))) == ["first", "near", "second"]
    assert found(toy(tmp_path, ("first", "near", "supports", 0.7))) == ["first", "second", "near"]
    assert found(toy(tmp_path, ("first", "second", "supports", 1.0))) == ["first", "second"]
    both = toy(tmp_path, ("first", "far", "supports", 0.7), ("first", "near", "supports", 0.8))
    assert found(both) == ["first", "second", "near", "far"] and found(both, graph_hits=1) == [
        "first",
        "second",
        "near",
    ]


def test_a_neighbour_of_two_anchors_belongs_to_the_one_that_scores_it_higher(tmp_path: Path) -> None:
    base = toy(tmp_path, ("first", "near", "supports", 0.5), ("near", "second", "extends", 0.9))
    _, second, near = (m.hit for m in search(base, "alpha beta cup", SearchConfig(topk=2)))
    assert near.anchor == second.fragment_id and near.score == pytest.approx(0.9 * second.score, abs=1e-6)


def test_related_fragments_have_their_strongest_edge_and_are_never_the_fragment_itself(tmp_path: Path) -> None:
    base = toy(
        tmp_path, ("first", "near", "extends", 0.9), ("first", "near", "supports", 0.6),
        ("first", "first+", "extends", 1.0), ("far", "first+", "contrasts", 0.7),
    )  # fmt: skip
    ids = {name: document.fragments[0].fragment_id for name, document in base.documents.items()}
    assert base.related(ids["first"]) == [(ids["near"], 0.9), (ids["far"], 0.7)]
    assert base.sha256 != toy(tmp_path).sha256 == toy(tmp_path).sha256  # relations are part of every config hash


def test_graph_neighbours_name_their_anchor(base: KnowledgeBase) -> None:
    config = SearchConfig(topk=1)
    point = {p.fragment_id: p.point_id for p in base.points}
    first, second = "orlen_cup", "pellwick"
    source, target = (point[base.documents[d].fragments[0].fragment_id] for d in (first, second))
    relation = Relation(source, target, "same-topic", 0.9)
    linked = KnowledgeBase.assemble(list(base.documents.values()), base.points, [relation], WordEncoder(), base.assets)
    hits = [m.hit for m in search(linked, "1979 Orlen Cup race Velmora", config)]
    assert [(h.document_id, h.from_graph) for h in hits] == [("orlen_cup", False), ("pellwick", True)]
    assert hits[1].anchor == hits[0].fragment_id and hits[1].score == pytest.approx(0.9 * hits[0].score)
    assert len(search(linked, "1979 Orlen Cup race Velmora", dataclasses.replace(config, graph=False))) == 1


def test_an_empty_corpus_and_a_doubled_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no fragments"):
        KnowledgeBase.build([], WordEncoder(), tmp_path)
    twice = [Document("a", "A", "a.pdf", "d" * 64, 1, (fragment("a", 0, "x"),))] * 2
    with pytest.raises(ValueError, match="share an id"):
        KnowledgeBase.build(twice, WordEncoder(), tmp_path)
