"""What `bench` measures of retrieval: rounds on the recorded corpus, rounds on grown ones, index construction."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from common.paths import Workspace
from common.retrieval import CachedEncoder, load_encoder
from common.traces import read_questions, read_snapshot
from experiments.artefacts import Entry, artefact_config
from experiments.config import plain
from experiments.timing.growing import AT_ONCE, Grown, build_grown, grown_documents, measure_grown
from experiments.timing.measurements import Measurement, Point, about_here, median_point
from experiments.timing.rounds import LiveQueries, first_recall, time_at_once, time_rounds
from knowforge.base import BaseOptions, KnowledgeBase
from knowforge.construction import build_without_model
from knowforge.system import SearchConfig

ROUNDS = Entry("knowforge", "table05_serial_latency")  # whose configuration says on what a group measures
GROWTH = Entry("knowforge", "section58_corpus_scale")
Result = TypeVar("Result")


def measure_rounds(workspace: Workspace) -> Measurement:
    """Rounds over the recorded corpus with its own encoder: passages as recorded, queries embedded anew."""
    cfg = artefact_config(ROUNDS, workspace)
    folder = workspace.find_corpus(str(cfg.benchmark.name))
    encoder, documents = load_encoder(cfg.encoder.name, **plain(cfg.encoder.options)), read_snapshot(folder).documents
    recorded = CachedEncoder(None, folder / f"embeddings-{cfg.encoder.name}", offline=True)
    base = KnowledgeBase.build(documents, LiveQueries(recorded, encoder), Path(), BaseOptions(**plain(cfg.base)))
    questions = read_questions(folder)
    queries, config, repeats = [q.question for q in questions], SearchConfig(), int(cfg.artefact.repeats)
    samples = time_rounds(base, queries, config, repeats=repeats)
    samples[AT_ONCE] = time_at_once(base, queries, config, repeats=repeats)
    judged = [question for question in questions if question.gold_documents]
    point = Point(
        len(base.fragments), tuple(q.question_id for q in questions), samples,
        {"R@8": first_recall(base, judged, config)} if judged else {},
        {"documents": len(documents), "entries": len(base.index), "relations": base.graph.edge_count},
    )  # fmt: skip
    return Measurement(about_here(str(cfg.benchmark.name), encoder, workspace), (point,))


def measure_growth(encoder: str, workspace: Workspace) -> Measurement:
    """The same questions at every size of the corpus; an index is built once, each visit has its own process.

    All sizes are visited in turn, several times: a machine whose speed drifts drifts for all of them.
    """
    cfg = artefact_config(GROWTH, workspace)
    name, repeats = str(cfg.benchmark.name), int(cfg.artefact.repeats)
    sizes = [Grown(name, encoder, int(size)) for size in cfg.artefact.sizes]
    for size in sizes:
        seconds = _alone(build_grown, size, workspace)
        print(
            f"{size.fragments:,} fragments: index {f'built in {seconds:.0f} s' if seconds else 'kept'}", file=sys.stderr
        )
    turns = [size for _ in range(int(cfg.artefact.visits)) for size in sizes]
    visits = [_alone(measure_grown, size, workspace, repeats) for size in tqdm(turns, desc=f"rounds ({encoder})")]
    points = (median_point(visits[place :: len(sizes)]) for place in range(len(sizes)))
    return Measurement(about_here(name, load_encoder(encoder), workspace), tuple(points))


def construction_rates(workspace: Workspace) -> Iterator[tuple[str, int, float]]:
    """(encoder, fragments, fragments a second) of indexing without a model, embedding included."""
    cfg = artefact_config(GROWTH, workspace)
    documents = read_snapshot(workspace.find_corpus(str(cfg.benchmark.name))).documents
    few = documents[: len(documents) // 4]
    for name, chosen in (("minilm", list(few)), ("wordllama", grown_documents(documents, 5_000))):
        encoder = load_encoder(name)
        encoder.encode(["load the encoder"])
        started = time.perf_counter()
        base = build_without_model(chosen, encoder, Path()).base
        yield name, len(base.fragments), len(base.fragments) / (time.perf_counter() - started)


def _alone(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
