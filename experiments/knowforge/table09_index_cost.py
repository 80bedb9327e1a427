"""KnowForge, Appendix D, Table 9: what building the index of a corpus takes, from its snapshot.

    python -m experiments regenerate table09_index_cost

Reads the corpus snapshots that are on this machine; embeddings recorded with them serve the relations.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.paths import Workspace
from common.retrieval import CachedEncoder
from common.traces import read_snapshot
from experiments.artefacts import script_main
from experiments.config import plain
from experiments.paired import NoTraces, workspace_of
from experiments.printed import published
from knowforge.base import BaseOptions, KnowledgeBase
from knowforge.ledger import PHASES, IndexLedger, ledger_of

PRINTED = (
    "source size", "source format", "docs", "Markdown chars", "images", "OCR pages", "embeddings", "pre-processing",
    "extraction text", "extraction multimodal", "total", "nodes", "edges",
)  # fmt: skip
COUNTS = (
    "documents", "pages", "characters", "images", "tables", "ocr_pages", "fragments", "points", "relations",
    "embeddings",
)  # fmt: skip
EXTRACTOR = "no model"
GRAPH_OF = "M3DocVQA"  # the one corpus whose graph the paper counts


def run(cfg: DictConfig) -> Artefact:
    """The printed corpora, then ours. Raises `NoTraces` where no corpus of ours has a snapshot."""
    spec, workspace = cfg.artefact, workspace_of(cfg)
    present = {name: workspace.corpus(name) for name in spec.corpora if workspace.corpus(name).exists()}
    if not present:
        raise NoTraces(f"{spec.name}: none of {', '.join(spec.corpora)} has a snapshot; record one (make record)")
    ledgers = {name: _ledger(folder, cfg) for name, folder in present.items()}
    source = Source("corpus named in the row", EXTRACTOR, len(ledgers))
    labels = [cell.row for cell in published().select(spec.paper, spec.name, "*", "docs")]
    rows = [_printed_row(spec, label) for label in labels] + [_our_row(*item) for item in ledgers.items()]
    columns = [
        Column("corpus", "label"),
        *(Column(name, "published") for name in PRINTED),
        *(Column(name.replace("_", " "), "replica", "count", source) for name in COUNTS),
        *(Column(f"tokens, {phase}", "replica", "count", source) for phase in (*PHASES, "total")),
    ]
    return Artefact.from_rows(spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=_notes(cfg, workspace))


def _ledger(folder: Path, cfg: DictConfig) -> IndexLedger:
    encoder = CachedEncoder(None, folder / f"embeddings-{cfg.encoder.name}", offline=True)
    return ledger_of(
        KnowledgeBase.build(read_snapshot(folder).documents, encoder, Path(), BaseOptions(**plain(cfg.base)))
    )


def _printed_row(spec: DictConfig, label: str) -> list[Any]:
    cells = {cell.column: cell for cell in published().select(spec.paper, spec.name, label, "*")}
    if label == GRAPH_OF:
        cells |= {cell.column: cell for cell in published().select(spec.paper, "text_appendix_index", "graph", "*")}
    size = f"{cells['source size'].value} {cells['source size'].unit}"
    printed = [size, *(cells[name].value if name in cells else None for name in PRINTED[1:])]
    return [label, *printed, *[None] * (len(COUNTS) + len(PHASES) + 1)]


def _our_row(name: str, ledger: IndexLedger) -> list[Any]:
    counts = [getattr(ledger, field) for field in COUNTS]
    return [name, *[None] * len(PRINTED), *counts, *(ledger.tokens(phase) for phase in PHASES), ledger.total_tokens]


def _notes(cfg: DictConfig, workspace: Workspace) -> tuple[str, ...]:
    absent = [name for name in cfg.artefact.corpora if not workspace.corpus(name).exists()]
    notes = [
        "Ours are built without a model (knowledge points from first sentences, relations by rule, descriptions from "
        "OCR and captions), so every token count is 0; the extractor with a model fills the same ledger.",
        "Nodes and edges of the paper's graph are points and relations here; embeddings are index entries, fragments "
        "and points together. Printed and replica rows are of different corpora: nothing here compares them.",
    ]
    return (*notes, f"Without a snapshot among the traces: {', '.join(absent)}.") if absent else tuple(notes)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
