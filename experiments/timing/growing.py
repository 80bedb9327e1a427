"""The corpus of a benchmark grown with generated fragments (KnowForge 5.8), its index kept below the user cache."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common.benchmarks.pocket import generate_text_fragments
from common.documents import assets_folder
from common.documents.model import Document, Fragment
from common.paths import Workspace
from common.retrieval import CachedEncoder, load_encoder
from common.traces import TraceError, read_questions, read_snapshot
from experiments.timing.measurements import Point
from experiments.timing.rounds import first_recall, time_at_once, time_rounds
from knowforge.construction import build_without_model
from knowforge.stored import base_key, open_base
from knowforge.system import SearchConfig

AT_ONCE = "round, 4 at once"


@dataclass(frozen=True)
class Grown:
    """One size of a benchmark's corpus under one encoder."""

    benchmark: str
    encoder: str
    fragments: int

    def folder(self, workspace: Workspace) -> Path:
        return workspace.cache / "grown" / f"{self.benchmark}-{self.encoder}-{self.fragments}"


def grown_documents(documents: Sequence[Document], fragments: int) -> list[Document]:
    """The documents and, up to `fragments` in all, those of other generated worlds, which are no question's gold.

    The first generated world is the benchmark's own and is left out. The last document may be cut.
    Raises `TraceError` where the corpus alone has more fragments.
    """
    held = sum(len(document.fragments) for document in documents)
    if held > fragments:
        raise TraceError(f"a corpus of {held:,} fragments cannot be grown to {fragments:,}: ask for more")
    others: defaultdict[str, list[Fragment]] = defaultdict(list)
    wanted = fragments - held
    own = {document.document_id for document in documents}
    for fragment in generate_text_fragments(2 * fragments + 10_000):
        if wanted == 0:
            break
        if fragment.document_id not in own:
            others[fragment.document_id].append(fragment)
            wanted -= 1
    return [*documents, *(_document(name, parts) for name, parts in others.items())]


def _document(name: str, parts: Sequence[Fragment]) -> Document:
    pages = max(part.page for part in parts)
    return Document(name, parts[0].heading[0], f"{name}.txt", "0" * 64, pages, tuple(parts))


def build_grown(grown: Grown, workspace: Workspace) -> float:
    """Index one size unless it is there; seconds it took, 0 if it was there.

    Sizes share their embeddings, which are stored as they are made: a larger corpus starts with the smaller one.
    """
    documents = grown_documents(read_snapshot(workspace.find_corpus(grown.benchmark)).documents, grown.fragments)
    stored = workspace.cache / "embeddings" / f"{grown.benchmark}-grown-{grown.encoder}"
    encoder, assets = (
        CachedEncoder(load_encoder(grown.encoder), stored),
        assets_folder(workspace.store(grown.benchmark)),
    )
    key, folder = base_key(documents, encoder, {}), grown.folder(workspace)
    started = time.perf_counter()
    _, there = open_base(
        folder, key, documents, encoder, assets, lambda: build_without_model(documents, encoder, assets)
    )
    return 0.0 if there else time.perf_counter() - started


def measure_grown(grown: Grown, workspace: Workspace, repeats: int) -> Point:
    """Time rounds over one size that is built: run it in a process of its own, so that its memory is its own."""
    folder = workspace.find_corpus(grown.benchmark)
    documents = grown_documents(read_snapshot(folder).documents, grown.fragments)
    questions = [question for question in read_questions(folder) if question.gold_documents]
    encoder, assets = load_encoder(grown.encoder), assets_folder(workspace.store(grown.benchmark))
    encoder.encode(["load the encoder"])
    started = time.perf_counter()
    built, there = open_base(
        grown.folder(workspace), base_key(documents, encoder, {}), documents, encoder, assets,
        lambda: build_without_model(documents, encoder, assets),
    )  # fmt: skip
    seconds = time.perf_counter() - started
    if not there:
        raise TraceError(f"{grown.folder(workspace)}: no index of these documents; build it first")
    base, config, queries = built.base, SearchConfig(), [question.question for question in questions]
    samples = time_rounds(base, queries, config, repeats=repeats)
    samples[AT_ONCE] = time_at_once(base, queries, config, repeats=repeats)
    return Point(
        grown.fragments, tuple(question.question_id for question in questions), samples,
        {"R@8": first_recall(base, questions, config)},
        {"documents": len(documents), "entries": len(base.index), "relations": base.graph.edge_count,
         "load_s": seconds, "resident_gb": _resident()},
    )  # fmt: skip


def _resident() -> float:
    """Gigabytes of this process in memory, mapped files included."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1e6
    raise RuntimeError("/proc/self/status has no VmRSS line: resident memory is measured on Linux only")
