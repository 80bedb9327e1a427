"""pocket-mhr: generates the articles and checks the questions against the files."""

from __future__ import annotations

from pathlib import Path

from common.benchmarks import generated
from common.benchmarks.pocket_mhr.article import Article, write_article
from common.benchmarks.pocket_mhr.checks import check_answers
from common.benchmarks.pocket_mhr.choose import choose_drafts
from common.benchmarks.pocket_mhr.draft import NULL, Draft
from common.benchmarks.pocket_mhr.world import KINDS, build_world
from common.benchmarks.question import Evidence, Question
from common.files import write_atomic

BENCHMARK = "pocket-mhr"
SEED = 20261129


def generate(folder: Path, *, seed: int = SEED, documents: int = 80) -> generated.GeneratedCorpus:
    """Write documents/*.md, questions.jsonl and manifest.json under `folder`; byte-identical for the same arguments.

    A complete folder made by this generator with these arguments is reused. Raises ValueError where `documents` is no
    multiple of four (a company has four), the world is too small for the 50 questions, or an answer fails its check.
    """
    if documents % len(KINDS):
        raise ValueError(f"documents={documents}: each company has {len(KINDS)} articles; choose a multiple")
    recipe = generated.recipe(BENCHMARK, seed=seed, documents=documents)
    made = generated.complete(folder, recipe)
    if made is not None:
        return made
    world = build_world(seed, documents // len(KINDS))
    articles = {key: write_article(report) for key, report in world.reports.items()}
    if len({article.document_id for article in articles.values()}) != len(articles):
        raise ValueError(f"seed {seed}: two articles share a document id; choose another seed")
    drafts = choose_drafts(world)
    generated.clear(folder)
    for article in articles.values():
        write_atomic(folder / generated.DOCUMENTS / f"{article.document_id}.md", article.markdown)
    questions = [_question(draft, number, articles) for number, draft in enumerate(drafts, start=1)]
    check_answers(questions, folder / generated.DOCUMENTS)
    return generated.finish(folder, recipe, questions)


def _question(draft: Draft, number: int, articles: dict[tuple[str, str], Article]) -> Question:
    gold = [articles[key] for key in draft.reports]
    ids = tuple(article.document_id for article in gold)
    return Question(
        question_id=f"pmh-{number:03d}",
        benchmark=BENCHMARK,
        question=draft.question,
        answers=(draft.answer,),
        gold_documents=ids,
        evidence=tuple(Evidence(document, 1, "text") for document in ids),
        question_type=draft.question_type,
        modalities=("text",),
        hops=max(1, len(ids)),
        answerable=draft.question_type != NULL,
        extra={"facts": [article.fact for article in gold], "check": list(draft.check)},
    )
