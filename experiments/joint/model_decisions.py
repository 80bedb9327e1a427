"""Both papers, no table of theirs: what the recording model's own decisions are worth, where the right one is known.

    python -m experiments regenerate model_decisions

Reads the run records of KnowForge's M5 and of FlowReader's variants and controls. A decision that says yes as often
where yes is wrong as where it is right tells its pipeline nothing, whatever the tables above it show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.benchmarks.question import Question
from common.records import Hit, RunRecord
from experiments.artefacts import script_main
from experiments.flowreader._judged import Judged, judged
from experiments.paired import on_benchmark, paired_runs
from flowreader.records import FlowRecord

Case = tuple[bool, bool]  # is yes right here; was yes said


@dataclass(frozen=True)
class Decision:
    """A yes or no of the model: what yes means, and where it is right and where it is wrong to say it."""

    made_by: str
    yes: str
    right: str
    wrong: str


BRIDGE = Decision(
    "KnowForge bridge judge", "more is needed", "gold evidence is in no search yet", "all of it is in the searches"
)
WORKER = Decision("FlowReader path worker", "supported", "the path holds a gold page", "the path holds none")
PAIR = Decision(
    "FlowReader consistency judge", "they contradict", "the gold answer and one that excludes it",
    "the gold answer and itself in other words",
)  # fmt: skip
GATE = Decision(
    "FlowReader gate", "System 2 starts", "the first pass's answer is judged wrong", "the first pass's answer is right"
)
ACCURACY = Decision(
    "FlowReader accuracy judge", "right", "the gold answer itself", "an answer without a word of the gold one"
)
RIGHT, WRONG = "yes where right", "yes where wrong"


def run(cfg: DictConfig) -> Artefact:
    """One row per decision and corpus: cases and the share of yes where yes is right, then where it is wrong."""
    spec = cfg.artefact
    found = [*_knowforge(cfg), *_flowreader(cfg)]
    source = Source("the corpus of each row", str(cfg.model.name), sum(len(cases) for _, _, cases in found))
    columns = [
        Column("decision", "label"), Column("yes means", "label"), Column("corpus", "label"),
        Column("yes is right where", "label"),
        Column("cases where right", "replica", "count", source), Column(RIGHT, "replica", "percent", source),
        Column("yes is wrong where", "label"),
        Column("cases where wrong", "replica", "count", source), Column(WRONG, "replica", "percent", source),
    ]  # fmt: skip
    rows = [
        [made.made_by, made.yes, corpus, made.right, *_share(cases, True), made.wrong, *_share(cases, False)]
        for made, corpus, cases in found
    ]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(spec.notes), draw=draw
    )


def _knowforge(cfg: DictConfig) -> Iterator[tuple[Decision, str, list[Case]]]:
    [system] = cfg.artefact.reads.knowforge
    for corpus in cfg.artefact.corpora.knowforge:
        paired = paired_runs(on_benchmark(cfg, str(corpus)), "knowforge", [str(system)])
        runs = zip(paired.questions, paired.runs[str(system)], strict=True)
        yield BRIDGE, paired.benchmark, [case for question, run in runs for case in bridge_judge(question, run)]


def bridge_judge(question: Question, record: RunRecord) -> Iterator[Case]:
    """At most one case: the verdict, against what the searches before it had found. None for questions without gold."""
    gold = evidence_places(question)
    if gold and record.verdict is not None:
        hits = [hit for search in record.searches if search.issuer != "judge" for hit in search.hits]
        yield not gold <= {_place(question, hit) for hit in hits}, record.verdict.need_more


def evidence_places(question: Question) -> set[str | int]:
    """Gold documents; gold pages where the question is asked of one document."""
    if question.document_id is None:
        return set(question.gold_documents)
    return {evidence.page for evidence in question.evidence if evidence.page is not None}


def _place(question: Question, hit: Hit) -> str | int:
    return hit.document_id if question.document_id is None else hit.page


def _flowreader(cfg: DictConfig) -> Iterator[tuple[Decision, str, list[Case]]]:
    [corpus] = cfg.artefact.corpora.flowreader
    cfg = on_benchmark(cfg, str(corpus))
    table = judged(cfg, list(cfg.artefact.reads.flowreader))
    label = table.paired.benchmark
    questions = zip(table.paired.questions, table.of("full"), strict=False)
    yield WORKER, label, [case for question, record in questions for case in workers(question, record)]
    yield (
        PAIR,
        label,
        [*consistency_judge(table.of("gold_contrary"), True), *consistency_judge(table.of("gold_agree"), False)],
    )
    first = zip(table.of("no_system2"), table.points("no_system2"), strict=True)
    yield GATE, label, [(points < 50.0, r.gate.fired is not None) for r, points in first if r.gate is not None]
    yield ACCURACY, label, list(accuracy_judge(table, str(cfg.benchmark.scorer)))


def workers(question: Question, record: FlowRecord) -> Iterator[Case]:
    """One case for every path of the first pass that a worker answered for."""
    gold = {(evidence.document_id, evidence.page) for evidence in question.evidence}
    hits = [hit for search in record.run.searches for hit in search.hits]
    page_of = {hit.fragment_id: (hit.document_id, hit.page) for hit in hits}
    for report in record.passes[0].reports if record.passes else ():
        if report.status in ("supported", "not_reported"):
            yield bool(gold & {page_of[node] for node in report.nodes}), report.status == "supported"


def consistency_judge(controls: Iterable[FlowRecord], right: bool) -> Iterator[Case]:
    """One case for every made pair that was judged; `right`: its answers exclude each other."""
    for record in controls:
        if record.gate is not None and record.gate.pairs:
            yield right, record.gate.contradictions > 0


def accuracy_judge(table: Judged, scorer: str) -> Iterator[Case]:
    """One case for each verdict on a gold answer, and on an answer without a word of it."""
    yield from ((True, bool(verdict.correct)) for record in table.of("gold") for verdict in record.judgements)
    yield from ((False, bool(verdict.correct)) for verdict in table.certainly_wrong(scorer))


def _share(cases: Iterable[Case], right: bool) -> list[Any]:
    said = [yes for is_right, yes in cases if is_right == right]
    return [len(said), 100 * fmean(said) if said else None]


def draw(frame: pd.DataFrame, ax: Axes) -> None:
    """Yes where it is right against yes where it is wrong: on the diagonal a decision tells nothing."""
    right, wrong = (next(c for c in frame.columns if c.startswith(f"replica {name}")) for name in (RIGHT, WRONG))
    ax.plot([0, 100], [0, 100], color="0.7", linewidth=0.8)
    shown = frame[frame[right].notna() & frame[wrong].notna()]
    for place, row in enumerate(shown.to_dict("records")):
        size = 4 + 3 * (len(shown) - place)  # rings around each other where points coincide
        label = f"{row['decision']}, {row['corpus'].split(' (')[0]}"
        ax.plot(row[wrong], row[right], "o", markersize=size, fillstyle="none", markeredgewidth=1.5, label=label)
    for x, y, meaning in ((3, 90, "tells them apart"), (54, 48, "tells nothing"), (68, 18, "the wrong way round")):
        ax.annotate(meaning, (x, y), fontsize=8, color="0.4")
    ax.set_xlabel("said yes where yes is wrong, %")
    ax.set_ylabel("said yes where yes is right, %")
    ax.set_xlim(-5, 108)
    ax.set_ylim(-5, 108)
    ax.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, markerscale=0.4)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
