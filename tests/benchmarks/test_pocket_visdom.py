"""pocket-visdom: 28 documents rendered once; every answer found again from tables, charts and pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from common.benchmarks import load_benchmark
from common.benchmarks.fetch import check_release
from common.benchmarks.generated import GeneratedCorpus, load_questions
from common.benchmarks.pocket.checks import STOPWORDS, page_texts, words
from common.benchmarks.pocket_visdom import generate, smoke_ids
from common.benchmarks.pocket_visdom.blocks import Document, Graph, Heading, Table, Text
from common.benchmarks.pocket_visdom.corpus import SEED, SUBSETS, all_questions, check_question, shown_by_page
from common.benchmarks.pocket_visdom.render import render
from common.benchmarks.question import Question
from common.metrics import score_answer


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> GeneratedCorpus:
    return generate(tmp_path_factory.mktemp("visdom"), progress=False)


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {item.document.document_id: item.document for item in all_questions(SEED)}


def test_corpus_is_what_was_asked_for(corpus: GeneratedCorpus) -> None:
    assert len(corpus.document_ids) == 28 and [q.question_id for q in corpus.questions][-1] == "pvd-060"
    assert Counter(q.question_type for q in corpus.questions) == dict.fromkeys(SUBSETS, 12)
    for subset in SUBSETS:
        asked = [q for q in corpus.questions if q.question_type == subset]
        assert sum(q.multi_hop for q in asked) >= 6, subset
    assert {kind for q in corpus.questions for kind in q.modalities} == {"text", "table", "chart"}
    for path in corpus.documents_folder.glob("*.pdf"):
        with pypdfium2.PdfDocument(path) as pdf:
            assert 3 <= len(pdf) <= 6
            assert (pdf[0].get_width() > pdf[0].get_height()) == ("review-of" in path.stem)


def test_the_whole_is_pinned_by_its_manifest(corpus: GeneratedCorpus, documents: dict[str, Document]) -> None:
    manifest = json.loads((corpus.folder / "manifest.json").read_text())
    assert set(manifest["files"]) == {f"documents/{d}.pdf" for d in corpus.document_ids} | {"questions.jsonl"}
    assert generate(corpus.folder, progress=False).reused
    assert tuple(load_questions(corpus.folder, "pocket-visdom")) == corpus.questions
    for document in corpus.document_ids[::9]:
        assert render(documents[document]) == (corpus.documents_folder / f"{document}.pdf").read_bytes()


def blocks(document: Document, kind: type) -> list:
    return [block for page in document.pages for block in page if isinstance(block, kind)]


def table(document: Document) -> list[dict[str, str]]:
    """The rows of all tables with the same heads; a table that goes on is one table."""
    (first, *more) = blocks(document, Table)
    rows = [row for part in (first, *more) if part.columns == first.columns for row in part.rows]
    return [dict(zip(first.columns, row, strict=True)) for row in rows]


def bars(document: Document, number: int = 0) -> dict[str, int]:
    graph = blocks(document, Graph)[number]
    return dict(zip(graph.labels, graph.series[0][1], strict=True))


def line(document: Document, name: str) -> dict[int, int]:
    graph = blocks(document, Graph)[0]
    return dict(zip(map(int, graph.labels), dict(graph.series)[name], strict=True))


def search(pattern: str, document: Document) -> str:
    text = " ".join(block.text for block in blocks(document, Text))
    return re.search(pattern, text).group(1)


def named(question: str, names: list[str]) -> list[str]:
    return [name for name in names if re.search(rf"\b{re.escape(name)}\b", question)]


def spiqa(q: str, d: Document, recipe: str) -> str:
    prices = {row[blocks(d, Table)[0].columns[0]]: row["Price"] for row in table(d)}
    one, two = bars(d, 0), bars(d, 1)
    unit = re.search(r" in (\w+) (does|is shown|has)", q)
    lowest = min(two, key=two.__getitem__)
    match recipe:
        case "value":
            return f"{one[named(q, [*one])[0]]} {unit.group(1)}"
        case "maker_of_highest":
            return search(rf"{max(one, key=one.__getitem__)} \w+ stands in \w+ and was built by ([^.]+)\.", d)
        case "value_by_town":
            town = re.search(r" in (\w+)\?", q).group(1)
            name = search(rf"The (\w+) \w+ stands in {town} ", d)
            return f"{two[name]} {unit.group(1)}"
        case "price_of_lowest":
            return f"{prices[lowest]} crowns"
        case "second_of_lowest":
            return f"{two[min(one, key=one.__getitem__)]} {unit.group(1)}"
        case "price":
            return f"{prices[named(q, [*prices])[0]]} crowns"
        case _:
            return search(r"All material for .+? came from (\w+)\.", d)


def feta_tab(q: str, d: Document, recipe: str) -> str:
    wins, teams = blocks(d, Table)
    by_year = {int(year): (person, team, points) for year, person, team, points in wins.rows}
    homes = {row[0]: row for row in teams.rows}
    year = int(re.search(r"\b20\d\d\b", q).group()) if re.search(r"\b20\d\d\b", q) else 0
    match recipe:
        case "winner":
            person, team, points = by_year[year]
            return f"{person} of the {team} won the {d.title} in {year} with {points} points."
        case "home_of_winner":
            _, home, founded, _ = homes[by_year[year][1]]
            return f"The {by_year[year][1]}, which won in {year}, came from {home} and was founded in {founded}."
        case "moved":
            place = re.search(r"moved to (\w+),", q).group(1)
            moved = search(rf"In (20\d\d) the .+? was moved to {place} ", d)
            reason = search(rf"was moved to {place} because ([^.]+)\.", d)
            return f"{by_year[int(moved)][0]} won the {d.title} of {moved}, which was moved because {reason}."
        case "best_team":
            ((team, times), (_, fewer)) = Counter(team for _, team, _ in by_year.values()).most_common(2)
            assert times > fewer
            a, b, c = (year for year in by_year if by_year[year][1] == team)
            return f"The {team} from {homes[team][1]} won most often, in {a}, {b} and {c}."
        case _:
            assert year not in by_year
            obstacle = search(rf"In {year} the .+? because of ([^.]+)\.", d)
            return f"It was not held in {year} because of {obstacle}."


def paper_tab(q: str, d: Document, recipe: str) -> str:
    rows = {row["Method"]: row for row in table(d)}
    assert len(rows) == 16
    top = max(rows.values(), key=lambda row: int(row["Precision"]))
    match recipe:
        case "recall":
            return f"{rows[named(q, [*rows])[0]]['Recall']}%"
        case "best":
            return f"{top['Method']}, {top['Precision']}%"
        case "by_author":
            author = re.search(r"due to (.+?) reach", q).group(1)
            method = search(rf"The method (\w+) is due to {author}\.", d)
            return f"{rows[method]['Precision']}%"
        case "gap":
            one, two = (int(rows[name]["Minutes"]) for name in named(q, [*rows]))
            return f"{abs(one - two)} minutes"
        case "count":
            limit = int(re.search(r"above (\d+)%", q).group(1))
            return str(sum(int(row["Recall"]) > limit for row in rows.values()))
        case _:
            return search(r"More than half of the errors of .+? come from ([^.]+)\.", d)


def scigraphqa(q: str, d: Document, recipe: str) -> str:
    names = [name for name, _ in blocks(d, Graph)[0].series]
    mentioned = named(q, names)
    match recipe:
        case "trend":
            values = line(d, mentioned[0])
            word = "rises" if values[2026] > values[2021] else "falls"
            return f"The {mentioned[0]} {word} from {values[2021]} in 2021 to {values[2026]} in 2026."
        case "crossing":
            one, two = (line(d, name) for name in names)
            first = next(year for year in one if one[year] > two[year])
            assert first > 2021 and all(one[y] > two[y] for y in one if y >= first)
            return f"The {names[0]} starts below the {names[1]} and is above it from {first} on."
        case "why_peak":
            values = line(d, mentioned[0])
            year = max(values, key=values.__getitem__)
            event = search(rf"In {year} ([^.]+)\.", d)
            return f"It peaks at {values[year]} in {year}, the year in which {event}."
        case _:
            counts, keepers = bars(d, 1), {row["Site"]: row["Keeper"] for row in table(d)}
            site, unit = max(counts, key=counts.__getitem__), re.search(r"figure of (\w+) by", q).group(1)
            return f"{site} has the tallest bar, {counts[site]} {unit}, and is kept by {keepers[site]}."


def slidevqa(q: str, d: Document, recipe: str) -> str:
    counts, sites = bars(d), [*bars(d)]
    budget = {row[0]: int(row[1]) for row in blocks(d, Table)[0].rows}
    match recipe:
        case "bar":
            return str(counts[named(q, sites)[0]])
        case "count_by_leader":
            leader = re.search(r"led by (.+?) have", q).group(1)
            return str(counts[search(rf"(\w+) is led by {leader}", d)])
        case "budget_of_most":
            return f"{budget[max(counts, key=counts.__getitem__)]} thousand crowns"
        case "plan_of_richest":
            return plan_of(d, max(budget, key=budget.__getitem__))
        case "plan":
            return plan_of(d, named(q, sites)[0])
        case "staff":
            return next(row[2] for row in blocks(d, Table)[0].rows if row[0] == named(q, sites)[0])
        case _:
            return blocks(d, Text)[0].text.removeprefix("Talk given by ")


def plan_of(document: Document, site: str) -> str:
    (text,) = (b.text for b in blocks(document, Text) if b.text.startswith(f"{site} gets "))
    return text.removeprefix(f"{site} gets ")


READERS: dict[str, Callable[[str, Document, str], str]] = {
    "spiqa": spiqa, "feta_tab": feta_tab, "paper_tab": paper_tab, "scigraphqa": scigraphqa, "slidevqa": slidevqa,
}  # fmt: skip


@pytest.mark.parametrize("subset", SUBSETS)
def test_answers_follow_from_what_is_written_and_drawn(
    corpus: GeneratedCorpus, documents: dict[str, Document], subset: str
) -> None:
    for question in (q for q in corpus.questions if q.question_type == subset):
        document = documents[question.gold_documents[0]]
        found = READERS[subset](question.question, document, question.extra["recipe"])
        assert (found,) == question.answers, question
        assert score_answer("visdombench", question, question.answers).primary == 1.0


def test_a_question_names_one_document(corpus: GeneratedCorpus, documents: dict[str, Document]) -> None:
    """Its words meet the titles of one document more than those of any other: one answer in an open corpus."""
    titles = {
        name: " ".join((d.title, *(block.text for block in blocks(d, Heading)), *(g.title for g in blocks(d, Graph))))
        for name, d in documents.items()
    }
    for question in corpus.questions:
        asked = set(words(question.question)) - STOPWORDS
        shared = {name: len(asked & set(words(title))) for name, title in titles.items()}
        nearest = [name for name, count in shared.items() if count == max(shared.values())]
        assert nearest == list(question.gold_documents), question


def test_values_of_papers_charts_are_only_drawn(corpus: GeneratedCorpus, documents: dict[str, Document]) -> None:
    for question in (q for q in corpus.questions if "chart" in q.modalities):
        (name,) = question.gold_documents
        drawn = documents[name].style == "slides"
        page = next(e.page for e in question.evidence if e.kind == "chart")
        text = page_texts(corpus.folder, name)[page - 1]
        values = [str(v) for graph in documents[name].graphs(page) for _, row in graph.series for v in row]
        assert all((value in text.split()) == drawn for value in values), question


def test_the_check_catches_what_it_should(corpus: GeneratedCorpus) -> None:
    several = next(item for item in all_questions(SEED) if item.recipe == "moved")
    document = several.document
    shown = shown_by_page(document, page_texts(corpus.folder, document.document_id))
    check_question("pvd-0", several, shown)
    with pytest.raises(ValueError, match="is not on page 1"):
        check_question("pvd-0", several, ["", *shown[1:]])
    with pytest.raises(ValueError, match="page 3 of .* is enough by itself"):
        check_question("pvd-0", several, [*shown[:2], " ".join(shown)])
    same = replace(several.draft, places=(several.draft.places[0], several.draft.places[0]))
    with pytest.raises(ValueError, match="stand on one"):
        check_question("pvd-0", replace(several, draft=same), shown)
    with pytest.raises(ValueError, match="stands on 0 pages"):
        document.page_of("nowhere")


def test_too_much_on_a_page_is_named(documents: dict[str, Document]) -> None:
    for document in (next(d for d in documents.values() if d.style == style) for style in ("paper", "slides")):
        crowded = replace(document, pages=(document.pages[0] * 9, *document.pages[1:]))
        with pytest.raises(ValueError, match="holds too much"):
            render(crowded)


def test_smoke_goes_round_the_subsets(corpus: GeneratedCorpus) -> None:
    by_id = {q.question_id: q for q in corpus.questions}
    order = smoke_ids(corpus.questions, n=60)
    assert sorted(order) == sorted(by_id)
    for start in range(0, 60, 5):
        assert {by_id[i].question_type for i in order[start : start + 5]} == set(SUBSETS)
    assert sum(by_id[i].multi_hop for i in order[:15]) in (7, 8)
    assert smoke_ids(corpus.questions) == order[:15]
    with pytest.raises(ValueError, match="between 1 and the 60"):
        smoke_ids(corpus.questions, n=61)


def test_loading(corpus: GeneratedCorpus, tmp_path: Path) -> None:
    loaded = load_benchmark("pocket_visdom", corpus.folder)
    assert loaded.redistributable and loaded.questions == corpus.questions
    smoke = load_benchmark("pocket-visdom", corpus.folder, subset="smoke").questions
    assert [q.question_id for q in smoke] == smoke_ids(corpus.questions)
    assert check_release("pocket-visdom", corpus.folder).complete
    with pytest.raises(FileNotFoundError, match="generate_benchmark.*pocket-visdom"):
        load_questions(tmp_path, "pocket-visdom")


def test_several_gold_answers_are_alternatives() -> None:
    question = Question("q", "visdombench", "?", ("4", "four boats"))
    assert score_answer("visdombench", question, ["Four boats."]).em == 1.0
    assert score_answer("visdombench", question, ["four", "boats"]).em == 1.0  # a list is read as one text
    assert score_answer("visdombench", question, ["four"]).primary == pytest.approx(2 / 3)
    assert score_answer("visdombench", question, []).primary == 0.0
