"""Real documents for artefacts that need no model: questions, parsed files and a remembering encoder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig
from tqdm import tqdm

from common.benchmarks import BenchmarkError, load_benchmark
from common.benchmarks.question import Question
from common.documents import ParseOptions, load_documents, parse_folder
from common.documents.model import Document
from common.retrieval import CachedEncoder, load_encoder
from experiments.config import plain
from experiments.pages.traces import gold_pages
from experiments.paired import workspace_of
from experiments.running.provenance import code_commit


@dataclass(frozen=True)
class RealDocuments:
    """Documents by id, and the questions that have an answer and evidence pages; `left_out` counts the others."""

    documents: dict[str, Document]
    questions: tuple[Question, ...]
    left_out: int
    encoder: CachedEncoder
    settings: dict[str, object]

    def by_document(self, description: str) -> Iterator[tuple[Document, list[Question]]]:
        """Each document that is asked about with its questions, under a progress bar."""
        asked: dict[str, list[Question]] = {}
        for question in self.questions:
            asked.setdefault(str(question.document_id), []).append(question)
        for name in tqdm(sorted(asked), desc=description, unit="document"):
            yield self.documents[name], asked[name]

    def facts(self) -> dict[str, object]:
        """What a trace made from these documents depends on, without any of their text."""
        hashes = {name: document.sha256 for name, document in sorted(self.documents.items())}
        encoder = {"name": self.encoder.name, "revision": self.encoder.revision}
        pages = {name: document.page_count for name, document in sorted(self.documents.items())}
        return {"documents": hashes, "pages": pages, "encoder": encoder, "left_out": self.left_out, **self.settings}


def open_real_documents(cfg: DictConfig) -> RealDocuments:
    """Load, parse (only what changed) and prepare to embed (only what is new) the folder `benchmark.root`.

    Questions whose document is not in the folder are left out. Raises `BenchmarkError` for a folder without
    questions about its documents, or a document that cannot be read.
    """
    workspace, name = workspace_of(cfg), str(cfg.benchmark.name)
    benchmark = load_benchmark(name, Path(str(cfg.benchmark.root)).expanduser(), subset="full+held")
    options = ParseOptions(**plain(cfg.parse))
    store = workspace.store(name)
    report = parse_folder(benchmark.documents_folder, store, options=options)
    for failure in report.failures:
        print(f"left out: {failure.source}: {failure.reason}")
    documents = {document.document_id: document for document in load_documents(store)}
    for blank in [name for name, document in documents.items() if not any(f.text.strip() for f in document.fragments)]:
        print(f"left out: {documents.pop(blank).source}: no page holds any text")
    kept = tuple(q for q in benchmark.questions if gold_pages(q) and q.document_id in documents)
    if not kept:
        raise BenchmarkError(f"{cfg.benchmark.root}: no question names evidence pages of a document that can be read")
    encoder = CachedEncoder(
        load_encoder(cfg.encoder.name, **plain(cfg.encoder.options)),
        workspace.cache / "embeddings" / f"{name}-{cfg.encoder.name}",
    )
    asked = {str(q.document_id) for q in kept}
    settings: dict[str, object] = {
        "benchmark": name, "parse": options.digest()[:16], "commit": code_commit(workspace.root),
    }  # fmt: skip
    return RealDocuments(
        {name: document for name, document in documents.items() if name in asked}, kept,
        len(benchmark.questions) - len(kept), encoder, settings,
    )  # fmt: skip
