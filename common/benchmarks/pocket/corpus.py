"""pocket-m3doc: generates the corpus and checks it against its own pages."""

from __future__ import annotations

from pathlib import Path

from tqdm import tqdm

from common.benchmarks import generated
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world
from common.benchmarks.pocket.checks import check_rendered
from common.benchmarks.pocket.pdf import write_pdf
from common.benchmarks.pocket.questions import draft_questions
from common.benchmarks.pocket.records import BENCHMARK, to_question

SEED = 20261129


def generate(
    folder: Path, *, seed: int = SEED, documents: int = 128, questions: int = 60, progress: bool = True
) -> generated.GeneratedCorpus:
    """Writes documents/*.pdf, questions.jsonl and manifest.json under `folder`; byte-identical for the same arguments.

    A complete folder made by this generator with these arguments is reused. Raises ValueError where the world is too
    small for the questions or a question fails its check against the rendered pages.
    """
    recipe = generated.recipe(
        BENCHMARK, seed=seed, documents=documents, questions=questions, libraries=generated.DRAWING
    )
    made = generated.complete(folder, recipe)
    if made is not None:
        return made
    world = build_world(seed, documents)
    articles = write_articles(world)
    drafts = draft_questions(world, articles, questions)
    generated.clear(folder)
    pages: dict[str, dict[str, int]] = {}
    for key, article in tqdm(articles.items(), desc=BENCHMARK, unit="pdf", disable=not progress):
        pages[key] = write_pdf(article, folder / generated.DOCUMENTS)
        if not 2 <= max(pages[key].values()) <= 3:
            raise ValueError(
                f"{key}: laid out on {max(pages[key].values())} pages; articles are meant to have two or three"
            )
    asked = [to_question(draft, number, pages) for number, draft in enumerate(drafts, start=1)]
    check_rendered(asked, folder)
    return generated.finish(folder, recipe, asked)
