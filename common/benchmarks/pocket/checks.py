"""What a question must hold: its answer where it should be, its second document out of reach of its words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path

import pypdfium2

from common.benchmarks.pocket.article import Article
from common.benchmarks.pocket.draft import Draft
from common.benchmarks.pocket.lexicon import word_list
from common.benchmarks.question import Question

_WORD = re.compile(r"[a-z0-9]+")
STOPWORDS = frozenset(word_list("stopwords"))
# Words of titles that say what kind of page it is and single nothing out.
KIND_WORDS = frozenset(word_list("kind_words"))


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand next to each other in `text`, whatever the line breaks and punctuation."""
    return _spaced(words(phrase)) in _spaced(words(text))


def _spaced(found: list[str]) -> str:
    """Words between single spaces, at the ends as well: a phrase is found in it only as whole words."""
    return f" {' '.join(found)} "


@dataclass(frozen=True)
class Library:
    """The corpus as its text layers.

    `needed_rivals`: how many other pages must hold all question words that a hidden page holds; `out_of_reach`: the
    first ranks of a BM25 search with the question, among which a hidden page must not be.
    """

    articles: dict[str, Article]
    layers: dict[str, str]
    counts: dict[str, Counter[str]]
    frequency: Counter[str]  # documents a word occurs in
    needed_rivals: int
    out_of_reach: int

    @classmethod
    def of(cls, articles: dict[str, Article]) -> Library:
        tokens = {key: words(article.text_layer()) for key, article in articles.items()}
        frequency = Counter(word for found in tokens.values() for word in set(found))
        layers = {key: _spaced(found) for key, found in tokens.items()}
        counts = {key: Counter(found) for key, found in tokens.items()}
        return cls(articles, layers, counts, frequency, max(1, len(articles) // 16), max(1, len(articles) // 12))

    def holds(self, document: str, phrase: str) -> bool:
        return _spaced(words(phrase)) in self.layers[document]

    def rank(self, asked: set[str], document: str) -> int:
        """1-based rank of a document in a BM25 search (k1 1.5, b 0.75), ties in its favour."""
        mean = sum(counts.total() for counts in self.counts.values()) / len(self.counts)
        weights = {word: log(1 + len(self.counts) / (0.5 + self.frequency[word])) for word in sorted(asked)}

        def score(counts: Counter[str]) -> float:
            norm = 1.5 * (0.25 + 0.75 * counts.total() / mean)
            return round(sum(w * counts[word] * 2.5 / (counts[word] + norm) for word, w in weights.items()), 6)

        own = score(self.counts[document])
        return 1 + sum(1 for counts in self.counts.values() if score(counts) > own)


def fault_of(draft: Draft, library: Library) -> str | None:
    """The first reason to reject a draft, or None."""
    return next(_faults(draft, library), None)


def _faults(draft: Draft, library: Library) -> Iterator[str]:
    """Answers out of place or given away, lettering that stands as text, hidden documents within reach."""
    for answer, gold in zip(draft.answers, draft.answer_gold, strict=True):
        if gold.drawn and any(library.holds(document, answer) for document in draft.documents):
            yield f"the answer {answer!r} is meant to be seen only, but a gold document has it as text"
        if not gold.drawn and not library.holds(gold.document_id, answer):
            yield f"the answer {answer!r} is not in the text of {gold.document_id}"
    one_unnamed = len(draft.answers) == 1 and not draft.question_type.startswith("Compare")
    if one_unnamed and holds_phrase(draft.question, draft.answers[0]):
        yield f"the question gives away its answer {draft.answers[0]!r}"
    for lettering in draft.lettering:
        if any(library.holds(document, lettering) for document in library.articles):
            yield f"the lettering {lettering!r} occurs as text"
    asked = {word for word in words(draft.question) if word not in STOPWORDS}
    for document in draft.hidden:
        yield from _reaches(document, asked, library)


def _reaches(document: str, asked: set[str], library: Library) -> Iterator[str]:
    """How the words of a question would lead to a hidden document.

    No word of its title may be asked, the question words it does hold must all be held by `needed_rivals` other pages
    as well, and a plain BM25 search with the question must not bring it up.
    """
    title = {word for word in words(library.articles[document].title) if word not in STOPWORDS | KIND_WORDS}
    if title & asked:
        yield f"the question holds {sorted(title & asked)} of the hidden title {document}"
    shared = {word for word in asked if library.counts[document][word]}
    rivals = sum(
        1 for key, counts in library.counts.items() if key != document and all(counts[word] for word in shared)
    )
    if rivals < library.needed_rivals:
        yield f"the words {sorted(shared)} single out the hidden document {document}: {rivals} others hold them"
    rank = library.rank(asked, document)
    if rank <= library.out_of_reach:
        yield f"a plain search with the question finds the hidden document {document} at rank {rank}"


def page_texts(folder: Path, document_id: str) -> list[str]:
    """Text layer of each page of a generated PDF, read with pdfium."""
    pdf = pypdfium2.PdfDocument(folder / "documents" / f"{document_id}.pdf")
    try:
        return [page.get_textpage().get_text_range() for page in pdf]
    finally:
        pdf.close()


def check_rendered(questions: list[Question], folder: Path) -> None:
    """Checks every answer against the rendered pages. Raises ValueError naming question, answer and document.

    A text answer must be in the text layer of its gold page; one that is only drawn, in no gold document's text.
    """
    texts: dict[str, list[str]] = {}
    for question in questions:
        for document in question.gold_documents:
            texts.setdefault(document, page_texts(folder, document))
        for answer, place in zip(question.answers, question.extra["answer_places"], strict=True):
            page = texts[place["document_id"]][place["page"] - 1]
            if place["drawn"]:
                seen = [d for d in question.gold_documents if any(holds_phrase(text, answer) for text in texts[d])]
                if seen:
                    raise ValueError(
                        f"{question.question_id}: answer {answer!r} should be drawn only, but the text of {seen} has it"
                    )
            elif not holds_phrase(page, answer):
                raise ValueError(
                    f"{question.question_id}: answer {answer!r} is not on page {place['page']} of "
                    f"{place['document_id']}"
                )
