"""Both papers, no table of theirs: evidence pages found in real documents, without any model that writes.

    python -m experiments regenerate mmlongbench_retrieval
    python -m experiments run joint/mmlongbench_retrieval benchmark.root=DIR
    python -m experiments run joint/mmlongbench_retrieval benchmark.root=DIR artefact.record=true

The first reads the committed ranks. The second computes them for a folder with samples.json and documents/ (parsing and
embedding only what is new) and prints the table; the third also keeps them as the trace, ids, pages and scores only.
Closed domain: the pages of the one document a question is about are ranked. Without evidence pages it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source, shown
from common.plotting import name_lines
from common.stats import paired_bootstrap
from experiments.artefacts import script_main
from experiments.pages.documents import open_real_documents
from experiments.pages.methods import BASELINE, CUED, METHODS, UNCUED, Methods, settings
from experiments.pages.recall import MEASURES, PageRecall, interval_by_document, means, page_recall, two_fold
from experiments.pages.traces import SOURCES, PageRun, PageTrace, page_run, page_trace, select

GROUPS = ("all", *SOURCES, "single-page", "cross-page")
TESTED = ("r1", "r5", "r8", "all8")
FAMILIES = {"pages, places unread": UNCUED, "pages": CUED}  # row -> family of the grid


def run(cfg: DictConfig) -> Artefact:
    """One row per method and source of evidence; intervals are of the paired difference from `plain`, in points."""
    spec = cfg.artefact
    trace = page_trace(cfg, compute)
    recalls = {method: tuple(page_recall(r.gold, _pages(r, method)) for r in trace.runs) for method in METHODS}
    chosen, places_of = {}, {name: place for place, name in enumerate(trace.config["grid"])}
    for row, family in FAMILIES.items():
        own_names = [name for name in places_of if name.startswith(family)]
        folds = two_fold(trace.runs, own_names, lambda run, name: run.found["grid"][places_of[name]])
        recalls[row], chosen[row] = folds.recalls, folds.chosen
    source = Source(trace.corpus, str(trace.config["encoder"]["name"]), len(trace.runs))
    columns = [
        Column("method", "label"), Column("source", "label"), Column("n", "label", "count"),
        *(Column(name, "replica", "percent", source, bare=True) for name in MEASURES),
        *(Column(f"95% CI of {name} - {BASELINE}", "replica", "interval", source) for name in TESTED),
    ]  # fmt: skip
    rows = [
        [method, group, len(places), *means([own[i] for i in places]), *_against(own, recalls[BASELINE], places, spec)]
        for method, own in recalls.items()
        for group in GROUPS
        if (places := select(trace.runs, group))
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows,
        notes=(*_notes(trace, chosen), _by_document(trace, recalls, spec)), draw=draw,
    )  # fmt: skip


def compute(cfg: DictConfig) -> PageTrace:
    """Rank the pages for every question by every method and setting."""
    real, grid = open_real_documents(cfg), settings()
    runs = []
    for document, questions in real.by_document("rank pages"):
        methods = Methods(document, real.encoder, grid)
        for question in questions:
            ranks = methods.ranks(question.question)
            found: dict[str, Any] = {name: [list(hit) for hit in ranks[name]] for name in METHODS}
            found["grid"] = [[page for page, _ in ranks[name][:8]] for name in grid]
            runs.append(page_run(question, found))
    runs.sort(key=lambda run: run.question_id)
    return PageTrace(tuple(runs), {**real.facts(), "grid": list(grid)})


def _pages(run: PageRun, method: str) -> list[int]:
    return [page for page, _ in run.found[method]]


def _against(
    own: Sequence[PageRecall], baseline: Sequence[PageRecall], places: Sequence[int], spec: DictConfig
) -> list[tuple[float, float] | None]:
    if own is baseline or len(places) < 2:
        return [None] * len(TESTED)
    found: list[tuple[float, float] | None] = []
    for name in TESTED:
        first, second = ([100.0 * getattr(recalls[i], name) for i in places] for recalls in (own, baseline))
        interval = paired_bootstrap(first, second, resamples=spec.resamples, seed=spec.seed)
        found.append((interval.low, interval.high))
    return found


def _notes(trace: PageTrace, chosen: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    outside = sum(max(run.gold) > trace.config["pages"][run.document_id] for run in trace.runs)
    return (
        "r1, r3, r5, r8: share of a question's evidence pages among the first k pages; all8: all of them among 8.",
        f"{trace.config['left_out']} questions are left out: no answer, no evidence page, or no readable document. "
        f"{outside} name pages their PDF does not have; those count as not found.",
        f"{BASELINE}: BM25 and the encoder over 180-word windows of page text with OCR, reciprocal ranks.",
        "pages: page and fragment scores summed; the page numbers, figure labels, kinds of picture and financial "
        "statements a question asks for are read. 'places unread' leaves that last part out.",
        "The rules that read places, and their weights, were written with failures on documents of this set in view: "
        "the folds choose the weights of BM25, cosine and neighbours only, so 'pages' may flatter itself. 'places "
        "unread' has but one such rule: words about the form of the answer are not searched for.",
        *(
            f"{row}: each half of the documents is ranked under the setting chosen on the other half. "
            f"Chosen for the first half: {_weights(first)}; for the second: {_weights(second)}."
            for row, (first, second) in chosen.items()
        ),
        "A setting weighs BM25 of a whole page (page) and the best cosine of its fragments (dense) and windows of text "
        "(window) beside the best BM25 of its pieces, which counts 1; neighbour is the share of the better neighbour's "
        "score that a page gets.",
    )


def _weights(setting: str) -> str:
    """The weights in the name of a setting, without its family: that is the row's."""
    return ", ".join(re.sub(r"(?<=[a-z])(?=\d)", " ", weight) for weight in setting.split()[1:])


def _by_document(trace: PageTrace, recalls: Mapping[str, Sequence[PageRecall]], spec: DictConfig) -> str:
    """The intervals of r8 over all questions when whole documents are resampled."""
    documents, found = [run.document_id for run in trace.runs], []
    for method, own in recalls.items():
        if method != BASELINE:
            apart = [100.0 * (one.r8 - other.r8) for one, other in zip(own, recalls[BASELINE], strict=True)]
            interval = interval_by_document(documents, apart, resamples=spec.resamples, seed=spec.seed)
            found.append(f"{method} {shown((interval.low, interval.high), 'interval')}")
    return (
        "Intervals take the questions of one document as independent. When whole documents are resampled, those of "
        f"r8 - {BASELINE} over all questions are: {'; '.join(found)}."
    )


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Recall at 1 to 8 pages of each method, over all questions, with the method's name at the end of its line."""
    whole = frame[frame["source"] == "all"]
    for marker, (_, row) in zip(cycle("os^vDP<>"), whole.iterrows(), strict=False):
        found = [float(row[name]) for name in ("r1", "r3", "r5", "r8")]
        ax.plot([1, 3, 5, 8], found, marker=marker, markersize=5, label=row["method"])
    ax.set_xticks([1, 3, 5, 8])
    ax.set_xlabel("pages read")
    ax.set_ylabel("evidence pages found, %")
    name_lines(ax)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
