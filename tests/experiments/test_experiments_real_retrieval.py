"""Page cues, page ranking, the two-fold choice, and both artefacts over a small folder of real PDFs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from reportlab.pdfgen.canvas import Canvas

from common.benchmarks.question import Evidence, Question
from common.documents.model import Document, Fragment, Table
from common.paths import Workspace
from common.retrieval.page_cues import read_cues
from common.retrieval.page_search import PageSearch, PageWeights, Signals, rank_pages
from common.retrieval.page_statements import asked_statements, statement_pages
from common.retrieval.page_texts import context_pieces, plain_windows, whole_pages
from common.traces import TraceError
from experiments.artefacts import compute, select
from experiments.pages.flow import BY_H, BY_R, BY_R_PAGES, FLOW, FlowPages
from experiments.pages.goals import page_goals
from experiments.pages.methods import METHODS, Methods, first_pages, settings
from experiments.pages.recall import fold_of, interval_by_document, page_recall, two_fold
from experiments.pages.traces import PageRun, PageTrace, page_run, read_page_trace, write_page_trace
from experiments.paired import NoTraces
from flowreader.config import FlowReaderConfig


class Letters:
    """An encoder of letter pairs: no weights, similar words near each other."""

    name, revision, dim, asymmetric = "letters", "1", 64, False

    def encode(self, texts: list[str], *, query: bool = False) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for one, two in zip(text.lower(), text.lower()[1:], strict=False):
                rows[row, (ord(one) * 31 + ord(two)) % self.dim] += 1.0
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def fragment(page: int, order: int, text: str, kind: str = "text", **fields: object) -> Fragment:
    return Fragment(f"frag_{page:08d}{order:08d}", "guide", page, kind, text, order, **fields)  # type: ignore[arg-type]


@pytest.fixture
def guide() -> Document:
    """Five pages: harbours, a table of ferries, a captioned chart, an empty page 4, an index."""
    table = Table(("ferry", "price"), (("Aurora", "12"), ("Borealis", "15")))
    fragments = (
        fragment(1, 0, "Harbours\nThe old harbour was dug in 1820.", heading=("Harbours",)),
        fragment(2, 1, "ferry | price\nAurora | 12\nBorealis | 15", "table", table=table, heading=("Ferries",)),
        fragment(3, 2, "Figure 2: Ships a year\nText in the picture: 1990 2000\nOn the page: Ferries | The old harbour",
                 "image", caption="Figure 2: Ships a year"),
        fragment(5, 3, "Index of names and of places."),
    )  # fmt: skip
    return Document("guide", "Guide", "guide.pdf", "0" * 64, 5, fragments)


@pytest.mark.parametrize(
    ("question", "pages", "labels", "kinds"),
    [
        ("What is the colour of the bar on page 12?", (12,), (), ("image",)),
        ("How many cars are on pages three and four?", (3, 4), (), ()),
        ("Sum the numbers on pages 5-7.", (5, 6, 7), (), ()),
        ("Who is named on the cover page?", (1,), (), ()),
        ("What does the last slide say?", (-1,), (), ()),
        ("In Table 3, which row is largest?", (), (("tab", "3"),), ("table",)),
        ("List all pages with a logo, like ['Page 2', 'Page 4'].", (), (), ("image",)),
        ("How many pages contain ferries?", (), (), ()),
    ],
)
def test_cues(question: str, pages: object, labels: object, kinds: object) -> None:
    cues = read_cues(question)
    assert (cues.pages, cues.labels, cues.kinds) == (pages, labels, kinds)


def test_wanted_form_of_the_answer_is_not_searched() -> None:
    cues = read_cues('Which ferries sail daily according to this report? Write the answer in list format, e.g., ["a"]')
    assert cues.words.rstrip(" ?") == "Which ferries sail daily"


@given(st.text(max_size=80))
def test_any_question_leaves_words(question: str) -> None:
    cues = read_cues(question)
    assert cues.words == question or cues.words.strip()
    assert all(isinstance(page, int) and page for page in cues.pages)


def test_texts_of_pages(guide: Document) -> None:
    assert [(w.page, w.text) for w in plain_windows(guide, 4)][:2] == [
        (1, "Harbours The old harbour"),
        (1, "was dug in 1820."),
    ]
    assert not any("The old harbour" in whole.text for whole in whole_pages(guide) if whole.page == 3)
    rows = [piece.text for piece in context_pieces(guide) if piece.page == 2]
    assert rows == ["Ferries\nferry: Aurora; price: 12 ferry: Borealis; price: 15"]


def test_a_named_page_and_a_named_figure_win(guide: Document) -> None:
    search = PageSearch(guide, Letters())
    weights = PageWeights(page=1.0, piece=1.0, dense=1.0, window=1.0, named=5.0, label=5.0)

    def first(question: str) -> int:
        return rank_pages(search.signals(question), weights)[0][0]

    assert first("harbour") == 1
    assert first("harbour on page 5") == first("the last page about the harbour") == 5
    assert first("What does figure 2 say of the harbour?") == 3
    assert first("harbour on page 44") == 1  # there is no such page


def test_statements_are_found_by_their_lines() -> None:
    balance = (
        "Total current assets 1 Total assets 2 Total current liabilities 1 Total liabilities 2 Goodwill 3 Inventories 4"
    )
    pages = {1: "Our stores sell lanterns. Goodwill matters.", 2: balance, 3: "Total assets 2, goodwill 3"}
    assert statement_pages(pages) == {"balance": (2,)}
    assert statement_pages({1: "Lanterns"}) == {} == statement_pages({})
    assert asked_statements("What is the return on assets in 2015?") == ("balance", "income")
    assert asked_statements("Who keeps the lighthouse?") == ()


def test_document_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="blank: no page holds any text"):
        PageSearch(Document("blank", "", "blank.pdf", "0" * 64, 1, ()), Letters())


def test_neighbours_share_and_ties_go_by_page() -> None:
    signals = Signals(np.array([1, 2, 3, 7]), {"page": np.array([0.0, 1.0, 0.0, 0.0])})
    assert rank_pages(signals, PageWeights(page=1.0)) == [(2, 1.0), (1, 0.0), (3, 0.0), (7, 0.0)]
    assert rank_pages(signals, PageWeights(page=1.0, neighbour=0.5)) == [(2, 1.0), (1, 0.5), (3, 0.5), (7, 0.0)]


def test_every_method_ranks_pages_of_the_document(guide: Document) -> None:
    grid = settings()
    ranks = Methods(guide, Letters(), grid).ranks("What does the ferry Aurora cost?")
    assert set(ranks) == {*METHODS, *grid}
    for name, ranking in ranks.items():
        pages = [page for page, _ in ranking]
        assert pages and len(pages) == len(set(pages)) and set(pages) <= {1, 2, 3, 5}, name
    assert ranks["bm25"][0][0] == 2


def test_first_pages() -> None:
    assert first_pages([(3, 9.0), (1, 8.0), (3, 7.0)]) == [(3, 9.0), (1, 8.0)]


def test_recall_of_one_question() -> None:
    recall = page_recall((2, 4), [4, 1, 3, 5, 2, 6, 7, 8, 9])
    assert (recall.r1, recall.r3, recall.r5, recall.r8, recall.all8) == (0.5, 0.5, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="at least one gold page"):
        page_recall((), [1])


def _run(number: int, document: str, found: dict[str, object], gold: tuple[int, ...] = (1,)) -> PageRun:
    return PageRun(f"q{number}", document, "single-page", ("text",), gold, found)


def test_folds_split_documents_in_halves() -> None:
    folds = fold_of([f"d{number}" for number in range(9)] * 3)
    assert sorted(folds.values()) == [0] * 5 + [1] * 4


def test_a_fold_never_chooses_for_itself() -> None:
    """Each setting is right on one fold only, so a choice made on the other fold must be wrong everywhere."""
    folds = fold_of([f"d{number}" for number in range(6)])
    runs = [
        _run(number, name, {"a": [1] if fold == 0 else [2], "b": [1] if fold == 1 else [2]})
        for number, (name, fold) in enumerate(folds.items())
    ]
    result = two_fold(runs, ("a", "b"), lambda run, name: run.found[name])
    assert result.chosen == ("b", "a")
    assert all(recall.r8 == 0.0 for recall in result.recalls)


def test_flow_reads_as_many_nodes_as_the_flat_readings(guide: Document) -> None:
    found = FlowPages(guide, Letters(), FlowReaderConfig("test")).ask("What does the ferry Aurora cost?")
    assert found[FLOW] and len(found[BY_R]) == len(found[BY_H]) == len(found[FLOW])
    pages = {name: {page for _, page in found[name]} for name in (FLOW, BY_R_PAGES)}
    assert len(pages[BY_R_PAGES]) == len(pages[FLOW])
    assert sum(found["kept"]) >= len(found[FLOW])


def test_trace_goes_round_and_damage_is_named(tmp_path: Path) -> None:
    question = Question(
        "q1", "mmlongbench", "Which?", ("a",), evidence=(Evidence("guide", 2, "table"), Evidence("guide", 2, "text")),
        modalities=("table", "text"), document_id="guide", question_type="single-page",
    )  # fmt: skip
    trace = PageTrace(
        (page_run(question, {"plain": [[2, 0.5]]}),), {"benchmark": "mmlongbench", "documents": {"guide": "0"}}
    )
    path = tmp_path / "pages" / "x.jsonl"
    write_page_trace(path, trace)
    assert read_page_trace(path, "x") == trace
    assert trace.runs[0].gold == (2,)
    path.write_text('{"question_id": "q1"}\n')
    with pytest.raises(TraceError, match="x.jsonl"):
        read_page_trace(path, "x")
    with pytest.raises(NoTraces, match="artefact.record=true"):
        read_page_trace(tmp_path / "absent.jsonl", "mmlongbench_retrieval")


LINES = ("The harbour master bought a lantern and owns a boat.", "Ada paints the lighthouse and owns a boat.")
FILLING = "It is written here at some length, so that the page has a text layer of its own."
FAST = ("+parse.ocr=false", "+parse.layout=false", "encoder=wordllama")
ANSWERS = [
    ("What did the harbour master buy?", "[1]", "['Pure-text (Plain-text)']", "a lantern"),
    ("Who paints the lighthouse?", "[2]", "['Figure']", "Ada"),
    ("What do both the harbour master and the painter own?", "[1, 2]", "['Pure-text (Plain-text)', 'Table']", "a boat"),
    ("Which submarine is mentioned?", "[]", "[]", "Not answerable"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two PDFs of three pages laid out as MMLongBench-Doc is, and questions about them."""
    root = tmp_path / "data"
    (root / "documents").mkdir(parents=True)
    samples = []
    for number, name in enumerate(("harbour.pdf", "island.pdf")):
        canvas = Canvas(str(root / "documents" / name))
        for line in (*LINES, f"The council of town {number} meets in winter to talk about roads."):
            canvas.drawString(72, 700, line)
            canvas.drawString(72, 680, FILLING)
            canvas.showPage()
        canvas.save()
        for place, (question, pages, sources, answer) in enumerate(ANSWERS):
            samples.append({
                "doc_id": name, "doc_type": "Guidebook", "question": question, "answer": answer,
                "evidence_pages": pages, "evidence_sources": sources, "answer_format": "Str",
                "index": 10 * number + place,
            })  # fmt: skip
    (root / "samples.json").write_text(json.dumps(samples))
    return root


def test_questions_of_one_document_move_together_in_its_interval() -> None:
    """Twenty questions, all that differ in one of two documents: one draw in four never sees it, one sees it alone."""
    by_document = interval_by_document(["a"] * 10 + ["b"] * 10, [0.0] * 10 + [1.0] * 10)
    apart = interval_by_document([str(n) for n in range(20)], [0.0] * 10 + [1.0] * 10)
    assert (by_document.low, by_document.high) == (0.0, 1.0) and 0.2 < apart.low < 0.5 < apart.high < 0.8
    uneven = interval_by_document(["a", "b", "b", "b"], [3.0, 1.0, 1.0, 1.0])  # a mean over questions, not documents
    assert (uneven.low, uneven.high) == (1.0, 3.0)


@pytest.mark.parametrize("name", ["mmlongbench_retrieval", "flow_vs_topk"])
def test_artefact_from_documents_and_from_its_trace(name: str, folder: Path, workspace: Workspace) -> None:
    """Fresh from the PDFs, recorded, and read back in a clone without them: one table; no word of them in the trace."""
    entry = select([f"joint/{name}"], workspace)[0]
    assert compute(entry, workspace).unrecorded
    fresh = compute(entry, workspace, [f"benchmark.root={folder}", *FAST, "artefact.record=true"])
    assert fresh.artefact is not None, fresh.error
    again = compute(entry, workspace)
    assert again.artefact is not None and again.artefact.csv() == fresh.artefact.csv()
    files = list((workspace.traces / "pages").rglob("*.*"))
    text = "".join(path.read_text() for path in files)
    assert len(files) == 2 and "lantern" not in text and "lighthouse" not in text
    assert len(list(page_goals(workspace))) == (4 if name == "mmlongbench_retrieval" else 0)
    frame = fresh.artefact.frame
    assert len(fresh.artefact.claims) == (2 if name == "flow_vs_topk" else 0)
    assert set(frame["n"]) <= {2, 4, 6} and frame["n"].max() == 6  # the two unanswerable questions are left out
    assert any("When whole documents are resampled" in note for note in fresh.artefact.notes)


def test_columns_of_the_retrieval_table(folder: Path, workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    """A PDF without a word, and a broken one, are named and left out."""
    blank = Canvas(str(folder / "documents" / "blank.pdf"))
    blank.showPage()
    blank.save()
    (folder / "documents" / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    samples = json.loads((folder / "samples.json").read_text())
    samples += [
        {**samples[0], "doc_id": f"{name}.pdf", "index": 50 + place} for place, name in enumerate(("blank", "x"))
    ]
    (folder / "samples.json").write_text(json.dumps(samples))
    outcome = compute(select(["mmlongbench_retrieval"], workspace)[0], workspace, [f"benchmark.root={folder}", *FAST])
    assert outcome.artefact is not None, outcome.error
    frame = outcome.artefact.frame
    assert list(frame.columns)[:8] == ["method", "source", "n", "r1", "r3", "r5", "r8", "all8"]  # a fixed format
    assert {column.origin for column in outcome.artefact.columns[3:]} == {"replica"}
    whole = frame[frame["source"] == "all"].set_index("method")
    assert set(METHODS) < set(whole.index) and len(whole) == len(METHODS) + 2
    assert whole.loc["bm25", "r3"] == 100.0  # three pages, all named by their words
    said = capsys.readouterr().out
    assert "left out: blank.pdf: no page holds any text" in said and "left out: broken.pdf" in said
    assert not (workspace.traces / "pages").exists()  # nothing is written without artefact.record
