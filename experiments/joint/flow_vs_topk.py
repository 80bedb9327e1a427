"""Both papers, no table of theirs: does flow read the evidence pages of real documents better than a flat top-k does?

    python -m experiments regenerate flow_vs_topk
    python -m experiments run joint/flow_vs_topk benchmark.root=DIR
    python -m experiments run joint/flow_vs_topk benchmark.root=DIR artefact.record=true

The first reads the committed trace. The second computes it for a folder with samples.json and documents/ and prints the
table; the third also keeps it: node ids, pages and scores only. One graph a document, built without a model; a question
is routed through the graph of its own document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, ClaimVerdict, Column, Source, shown
from common.stats import paired_bootstrap
from experiments.artefacts import script_main
from experiments.config import plain
from experiments.direction import direction_claims
from experiments.pages.documents import open_real_documents
from experiments.pages.flow import BY_H, BY_R, BY_R_PAGES, FLOW, FlowPages, pages_read, shared, size
from experiments.pages.recall import interval_by_document
from experiments.pages.traces import SOURCES, PageRun, PageTrace, page_run, page_trace, select
from flowreader.config import FlowReaderConfig

GROUPS = ("all", "single-page", "cross-page", *SOURCES)
COUNTS = ("nodes", "pages")
MEASURES = ("recall", "all")


def run(cfg: DictConfig) -> Artefact:
    """One row per flat reading and group of questions: flow's cells, the flat reading's, the paired difference."""
    spec, trace = cfg.artefact, page_trace(cfg, compute)
    source = Source(trace.corpus, str(trace.config["encoder"]["name"]), len(trace.runs))
    columns = [
        Column("flat reading", "label"), Column("questions", "label"), Column("n", "label", "count"),
        *(Column(f"{side} {name}", "replica", "mean", source) for name in COUNTS for side in ("flow", "flat")),
        *(
            Column(column, "replica", kind, source)  # type: ignore[arg-type]
            for name, text in (("recall", "evidence pages read (%)"), ("all", "all of them read (%)"))
            for column, kind in (
                (f"flow {text}", "score"), (f"flat {text}", "score"), (f"95% CI of flow - flat, {name}", "interval")
            )
        ),
        *(Column(name, "replica", "mean", source) for name in ("sigma", "kept paths", "path length", "shared nodes")),
    ]  # fmt: skip
    rows = [
        [flat, group, len(runs), *_cells(runs, flat, spec)]
        for flat in (BY_R, BY_H, BY_R_PAGES)
        for group in GROUPS
        if (runs := [trace.runs[place] for place in select(trace.runs, group)])
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=_notes(trace, spec),
        claims=_claims(trace, spec), draw=draw,
    )  # fmt: skip


def compute(cfg: DictConfig) -> PageTrace:
    """Route every question through the graph of its document."""
    real, config = open_real_documents(cfg), FlowReaderConfig.from_mapping(plain(cfg.flow_variant))
    runs = []
    for document, questions in real.by_document("route questions"):
        asked = FlowPages(document, real.encoder, config)
        runs += [page_run(question, asked.ask(question.question)) for question in questions]
    runs.sort(key=lambda run: run.question_id)
    return PageTrace(tuple(runs), {**real.facts(), "variant": asdict(config)})


def _cells(runs: Sequence[PageRun], flat: str, spec: DictConfig) -> list[Any]:
    sizes = [np.mean([size(run, side, name) for run in runs]) for name in COUNTS for side in (FLOW, flat)]
    measured: list[Any] = []
    for name in MEASURES:
        flow, other = ([pages_read(run, side, name) for run in runs] for side in (FLOW, flat))
        interval = paired_bootstrap(flow, other, resamples=spec.resamples, seed=spec.seed) if len(runs) > 1 else None
        measured += [np.mean(flow), np.mean(other), None if interval is None else (interval.low, interval.high)]
    lengths = [length for run in runs for length in run.found["kept"]]
    facts = [run.found for run in runs]
    return [
        *sizes, *measured, np.mean([fact["sigma"] for fact in facts]), np.mean([len(fact["kept"]) for fact in facts]),
        np.mean(lengths) if lengths else None, np.mean([shared(fact, flat) for fact in facts]),
    ]  # fmt: skip


def _claims(trace: PageTrace, spec: DictConfig) -> tuple[ClaimVerdict, ...]:
    """The printed claim that flow works where top-k retrieval fails, as far as reading the evidence pages goes."""
    verdicts: list[ClaimVerdict] = []
    for group, *claim in spec.claims:
        runs = [trace.runs[place] for place in select(trace.runs, group)]
        scores = {reading: [pages_read(run, reading, "recall") for run in runs] for reading in (FLOW, BY_R)}
        source = Source(trace.corpus, str(trace.config["encoder"]["name"]), len(runs))
        verdicts += direction_claims(
            [claim], scores, source, measure=f"evidence pages read, {group} questions", margin=0.0,
            resamples=spec.resamples, seed=spec.seed,
        )  # fmt: skip
    return tuple(verdicts)


def _by_document(runs: Sequence[PageRun], spec: DictConfig) -> str:
    """The intervals of recall over all questions when whole documents are resampled."""
    documents, found = [run.document_id for run in runs], []
    for flat in (BY_R, BY_H, BY_R_PAGES):
        apart = [pages_read(run, FLOW, "recall") - pages_read(run, flat, "recall") for run in runs]
        interval = interval_by_document(documents, apart, resamples=spec.resamples, seed=spec.seed)
        found.append(f"{shown((interval.low, interval.high), 'interval')} for '{flat}'")
    return ", ".join(found)


def _notes(trace: PageTrace, spec: DictConfig) -> tuple[str, ...]:
    found = [run.found for run in trace.runs]
    nodes = np.mean([fact["graph"] for fact in found])
    unrouted = sum(bool(fact["note"]) for fact in found)
    same = sum(fact["like_quality"] == 1.0 for fact in found)
    most = trace.config["variant"]["replicator"]["most"]
    return (
        f"'{BY_R}' and '{BY_H}' read as many nodes as the kept paths hold, '{BY_R_PAGES}' as many distinct pages.",
        "The graph is built without a model (first sentences, salient terms, reading-order and nearest links), and the "
        "BM25 query is the question: what a model's summaries and keywords would add is not measured here.",
        "shared nodes: of the nodes that flow or the flat reading reads, the share that both read.",
        "Intervals and tests take the questions of one document as independent. When whole documents are resampled, "
        f"the interval of recall over all questions is {_by_document(trace.runs, spec)}.",
        f"A graph has {nodes:.0f} nodes on average. At most {most} paths are kept. "
        f"No flow could be routed for {unrouted} of {len(found)} questions (their sources are read alone). "
        f"Sorting by quality alone would keep the same paths for {same}.",
    )


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Share of evidence pages read by flow and by each flat reading, over all, single-page and cross-page questions."""
    groups = ["all", "single-page", "cross-page"]
    recall = {side: next(c for c in frame.columns if f"{side} evidence pages read" in c) for side in ("flow", "flat")}
    bars: dict[str, list[float]] = {}
    for flat, rows in frame[frame["questions"].isin(groups)].groupby("flat reading", sort=False):
        by_group = rows.set_index("questions")
        bars.setdefault(FLOW, [float(by_group[recall["flow"]].get(group, np.nan)) for group in groups])
        bars[str(flat)] = [float(by_group[recall["flat"]].get(group, np.nan)) for group in groups]
    width = 0.8 / len(bars)
    for place, (name, values) in enumerate(bars.items()):
        bar = ax.bar(
            np.arange(len(groups)) + place * width, values, width, label=name, hatch=("", "//", "..", "xx")[place % 4],
            edgecolor="white",
        )  # fmt: skip
        ax.bar_label(bar, fmt="%.1f", fontsize=7)
    ax.set_xticks(np.arange(len(groups)) + 0.4 - width / 2, groups)
    ax.set_ylabel("evidence pages read, %")
    ax.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=len(bars))


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
