"""pocket-mmlb: generates the reports and checks the questions against the rendered pages."""

from __future__ import annotations

from pathlib import Path

from tqdm import tqdm

from common.benchmarks import generated
from common.benchmarks.pocket.article import Article, TableBlock
from common.benchmarks.pocket.checks import holds_phrase, page_texts
from common.benchmarks.pocket.pdf import write_pdf
from common.benchmarks.pocket_mmlb.article import write_report
from common.benchmarks.pocket_mmlb.drafts import Draft, choose_drafts
from common.benchmarks.pocket_mmlb.world import Report, build_reports
from common.benchmarks.question import Evidence, Question

BENCHMARK = "pocket-mmlb"
SEED = 20261129
PAGES = (20, 40)


def generate(folder: Path, *, seed: int = SEED, progress: bool = True) -> generated.GeneratedCorpus:
    """Write documents/*.pdf, questions.jsonl and manifest.json under `folder`; byte-identical for the same seed.

    A complete folder made by this generator is reused. Raises ValueError where a report is not 20 to 40 pages long or
    a question fails its check against the rendered pages.
    """
    recipe = generated.recipe(BENCHMARK, seed=seed, libraries=generated.DRAWING)
    made = generated.complete(folder, recipe)
    if made is not None:
        return made
    reports = build_reports(seed)
    articles = [write_report(report) for report in reports]
    generated.clear(folder)
    pages: list[dict[str, int]] = []
    for article in tqdm(articles, desc=BENCHMARK, unit="pdf", disable=not progress):
        pages.append(write_pdf(article, folder / generated.DOCUMENTS))
    texts = [page_texts(folder, article.document_id) for article in articles]
    for article, text in zip(articles, texts, strict=True):
        if not PAGES[0] <= len(text) <= PAGES[1]:
            raise ValueError(
                f"{article.document_id}: {len(text)} pages; reports are meant to have {PAGES[0]} to {PAGES[1]}"
            )
    questions = []
    for number, (place, draft) in enumerate(choose_drafts(reports, seed), start=1):
        question = _question(draft, number, reports[place], articles[place], pages[place])
        check_question(question, draft, articles[place], pages[place], texts[place])
        questions.append(question)
    return generated.finish(folder, recipe, questions)


def check_question(question: Question, draft: Draft, article: Article, pages: dict[str, int], texts: list[str]) -> None:
    """Hold a question against its report's pages. Raises ValueError naming the question and what is wrong.

    What it reads in text and tables must stand on its page; what it asks for in vain must stand nowhere.
    """
    for anchor, words in draft.written:
        if not holds_phrase(texts[pages[anchor] - 1], words):
            raise ValueError(
                f"{question.question_id}: {words!r} is not on page {pages[anchor]} of {article.document_id}"
            )
    for words in draft.absent:
        if any(holds_phrase(text, words) for text in texts):
            raise ValueError(
                f"{question.question_id}: {words!r} stands in {article.document_id}, so there is an answer"
            )
    if draft.not_in_table is not None:
        anchor, name = draft.not_in_table
        table = next(block for block in article.blocks if isinstance(block, TableBlock) and block.anchor == anchor)
        if name in (row[0] for row in table.rows):
            raise ValueError(f"{question.question_id}: {name!r} has a row in the table {anchor}, so there is an answer")
    if len(draft.evidence) > 1 and question.hops < 2:
        raise ValueError(f"{question.question_id}: its evidence is meant to stand on several pages, and stands on one")


def _question(draft: Draft, number: int, report: Report, article: Article, pages: dict[str, int]) -> Question:
    document = article.document_id
    places = {(pages[anchor], kind) for anchor, kind in draft.evidence}
    evidence = tuple(Evidence(document, page, kind) for page, kind in sorted(places))
    distinct = len({item.page for item in evidence})
    answerable = draft.answer_format != "None"
    return Question(
        question_id=f"pml-{number:03d}",
        benchmark=BENCHMARK,
        question=draft.question,
        answers=_elements(draft),
        gold_documents=(document,),
        evidence=evidence,
        question_type="unanswerable" if not answerable else "cross-page" if distinct > 1 else "single-page",
        modalities=tuple(dict.fromkeys(kind for _, kind in draft.evidence)),
        hops=max(1, distinct),
        answer_format=draft.answer_format,
        answerable=answerable,
        document_id=document,
        extra={
            "gold": draft.answer,
            "doc_id": f"{document}.pdf",
            "doc_type": report.document_type,
            "index": number - 1,
        },
    )


def _elements(draft: Draft) -> tuple[str, ...]:
    """A list answer is written as Python writes it; its names hold no quotes or commas."""
    if draft.answer_format != "List":
        return (draft.answer,)
    return tuple(name.strip("'") for name in draft.answer.strip("[]").split(", "))
