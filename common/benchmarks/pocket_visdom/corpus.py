"""pocket-visdom: generates the documents and checks the questions against the rendered pages."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from common.benchmarks import generated
from common.benchmarks.pocket.checks import holds_phrase, page_texts
from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom import feta_tab, paper_tab, scigraphqa, slidevqa, spiqa
from common.benchmarks.pocket_visdom.blocks import Document
from common.benchmarks.pocket_visdom.draft import Asked
from common.benchmarks.pocket_visdom.render import render
from common.benchmarks.question import Evidence, Question
from common.files import write_atomic

BENCHMARK = "pocket-visdom"
SEED = 20261129
SUBSETS = {
    "paper_tab": paper_tab.questions,
    "feta_tab": feta_tab.questions,
    "scigraphqa": scigraphqa.questions,
    "spiqa": spiqa.questions,
    "slidevqa": slidevqa.questions,
}


def generate(folder: Path, *, seed: int = SEED, progress: bool = True) -> generated.GeneratedCorpus:
    """Write documents/*.pdf, questions.jsonl and manifest.json under `folder`; byte-identical for the same seed.

    A complete folder made by this generator is reused. Raises ValueError where a page holds too much or a question
    fails its check against the rendered pages.
    """
    recipe = generated.recipe(BENCHMARK, seed=seed, libraries=generated.DRAWING)
    made = generated.complete(folder, recipe)
    if made is not None:
        return made
    asked = all_questions(seed)
    documents = {item.document.document_id: item.document for item in asked}
    generated.clear(folder)
    for name, document in tqdm(documents.items(), desc=BENCHMARK, unit="pdf", disable=not progress):
        write_atomic(folder / generated.DOCUMENTS / f"{name}.pdf", render(document))
    questions = [_question(item, number) for number, item in enumerate(asked, start=1)]
    shown = {name: shown_by_page(document, page_texts(folder, name)) for name, document in documents.items()}
    for question, item in zip(questions, asked, strict=True):
        check_question(question.question_id, item, shown[item.document.document_id])
    return generated.finish(folder, recipe, questions)


def all_questions(seed: int) -> list[Asked]:
    """The questions of a seed with their documents, subset after subset; names are handed out once in all."""
    forge = NameForge(seed)
    asked = [
        item for subset, make in SUBSETS.items() for item in make(random.Random(f"visdom-{subset}-{seed}"), forge)
    ]  # fmt: skip
    if len({item.draft.question for item in asked}) != len(asked):
        raise ValueError(f"seed {seed}: two questions are alike; choose another seed")
    return asked


def smoke_ids(questions: Sequence[Question], n: int = 15) -> list[str]:
    """The first `n` ids in the order of one question of each subset in turn, with and without several pages by turns.

    Any prefix holds the subsets evenly to within one question; a longer subset starts with the shorter one. Raises
    ValueError if `n` is out of range.
    """
    if not 0 < n <= len(questions):
        raise ValueError(f"n={n}: choose between 1 and the {len(questions)} questions there are")
    rows = [_by_turns([q for q in questions if q.question_type == name], i) for i, name in enumerate(SUBSETS)]
    return [question.question_id for column in zip(*rows, strict=True) for question in column][:n]


def _by_turns(questions: Sequence[Question], start: int) -> list[Question]:
    """Questions of several pages and of one page in turn, the former first where `start` is even."""
    several, one = [q for q in questions if q.multi_hop], [q for q in questions if not q.multi_hop]
    kinds = (several, one) if start % 2 == 0 else (one, several)
    paired = [question for pair in zip(*kinds, strict=False) for question in pair]
    return paired + [question for question in questions if question not in paired]


def shown_by_page(document: Document, texts: Sequence[str]) -> list[str]:
    """What a reader sees on each page: the text layer, and the writing in its charts."""
    drawn = [
        "\n".join(string for graph in document.graphs(number) for string in graph.strings())
        for number in range(1, len(document.pages) + 1)
    ]
    return [f"{text}\n{more}" for text, more in zip(texts, drawn, strict=True)]


def check_question(question_id: str, asked: Asked, shown: Sequence[str]) -> None:
    """Raise ValueError unless each part of the answer is on its page, and on no other page that would be enough."""
    document, places = asked.document, asked.draft.places
    needed = [(document.page_of(place.anchor), words) for place in places for words in place.shows]
    for page, words in needed:
        if not holds_phrase(shown[page - 1], words):
            raise ValueError(f"{question_id}: {words!r} is not on page {page} of {document.document_id}")
    pages = {page for page, _ in needed}
    if len(places) > 1 and len(pages) == 1:
        raise ValueError(f"{question_id}: its parts are meant to stand on several pages, and stand on one")
    for number, text in enumerate(shown, start=1):
        if len(pages) > 1 and all(holds_phrase(text, words) for _, words in needed):
            raise ValueError(f"{question_id}: page {number} of {document.document_id} is enough by itself")


def _question(asked: Asked, number: int) -> Question:
    document, draft = asked.document, asked.draft
    places = {(document.page_of(place.anchor), place.kind) for place in draft.places}
    return Question(
        question_id=f"pvd-{number:03d}",
        benchmark=BENCHMARK,
        question=draft.question,
        answers=(draft.answer,),
        gold_documents=(document.document_id,),
        evidence=tuple(Evidence(document.document_id, page, kind) for page, kind in sorted(places)),
        question_type=asked.subset,
        modalities=tuple(dict.fromkeys(place.kind for place in draft.places)),
        hops=len({page for page, _ in places}),
        extra={"subset": asked.subset, "recipe": asked.recipe, "gold": draft.answer},
    )
