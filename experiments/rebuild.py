"""`verify --rebuild`: parse and embed the corpora anew and report what differs from their snapshots."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from common.documents.model import Document, Fragment
from common.paths import Workspace
from common.retrieval import CachedEncoder, Encoder, load_encoder
from common.traces import Snapshot, find_traces, read_snapshot
from experiments.checks import Check
from experiments.config import plain
from experiments.running.replaying import trace_config
from experiments.running.workbench import take_snapshot
from flowreader.analysis import Salience, extractive, units
from flowreader.options import ConstructionOptions
from knowforge.base import indexed_text

COSINE_FLOOR = 0.99  # int8 kernels differ between processors in the last digits, not in direction


def rebuild_check(workspace: Workspace, progress: bool) -> Check:
    """Rebuild every corpus snapshot of the tree in a scratch workspace; each difference is a problem."""
    problems: list[str] = []
    said: list[str] = []
    for folder in sorted((workspace.traces / "corpora").glob("*")):
        key = next((key for key in find_traces(workspace.records) if key.benchmark == folder.name), None)
        if key is None:
            problems.append(
                f"{folder.name}: no trace says how this snapshot was made; record on it, or delete {folder}"
            )
            continue
        cfg = trace_config(key, workspace)
        recorded = read_snapshot(folder)
        with TemporaryDirectory() as scratch:
            anew = Workspace(Path(scratch), Path(scratch) / "cache")  # its own cache: nothing parsed before is reused
            fresh = read_snapshot(take_snapshot(cfg, anew, files=workspace))
        problems += [f"{folder.name}: {difference}" for difference in snapshot_differences(recorded, fresh)]
        encoder = load_encoder(cfg.encoder.name, **plain(cfg.encoder.options))
        stored = CachedEncoder(None, folder / f"embeddings-{cfg.encoder.name}", offline=True)
        cosines = _cosines([text for text in _texts(recorded) if stored.holds(text)], stored, encoder)
        least = f"least cosine to {len(cosines)} recorded embeddings {cosines.min(initial=1.0):.4f}"
        said.append(f"{folder.name}: {len(recorded.documents)} documents, {least}")
        if cosines.min(initial=1.0) < COSINE_FLOOR:
            problems.append(
                f"{folder.name}: {int((cosines < COSINE_FLOOR).sum())} embeddings point elsewhere: another encoder?"
            )
    return Check("rebuild", "; ".join(said) or "no corpus to rebuild", tuple(problems))


def snapshot_differences(recorded: Snapshot, fresh: Snapshot) -> list[str]:
    """Documents, fragments and assets in which a fresh parse parts from the recorded one."""
    before, after = _by_id(recorded), _by_id(fresh)
    differences = [f"document {name} is gone" for name in before.keys() - after.keys()]
    differences += [f"document {name} is new" for name in after.keys() - before.keys()]
    for name in before.keys() & after.keys():
        differences += _fragment_differences(name, before[name], after[name])
    shared = recorded.assets.keys() & fresh.assets.keys()
    changed = [name for name in sorted(shared) if recorded.assets[name] != fresh.assets[name]]
    differences += [f"{len(changed)} assets have other pixels, first {changed[0]}"] if changed else []
    return sorted(differences)


def _by_id(snapshot: Snapshot) -> dict[str, Document]:
    return {document.document_id: document for document in snapshot.documents}


def _fragment_differences(name: str, before: Document, after: Document) -> list[str]:
    old, new = {f.fragment_id: f for f in before.fragments}, {f.fragment_id: f for f in after.fragments}
    lost, gained = [old[key] for key in old if key not in new], [new[key] for key in new if key not in old]
    moved = [key for key in old.keys() & new.keys() if old[key] != new[key]]
    if not (lost or gained or moved):
        return []
    return [
        f"document {name}: {len(lost)} fragments lost, {len(gained)} new, {len(moved)} changed{_first(lost, gained)}"
    ]


def _first(lost: list[Fragment], gained: list[Fragment]) -> str:
    shown = [
        f"{sign} p.{f.page} {f.kind} {f.text[:60]!r}" for sign, group in (("-", lost), ("+", gained)) for f in group[:1]
    ]
    return f" ({'; '.join(shown)})" if shown else ""


def _texts(snapshot: Snapshot) -> list[str]:
    """What KnowForge and FlowReader embed; which of it is stored depends on the methods and questions recorded."""
    nodes = units(snapshot.documents)
    salience, options = Salience.of([node.text for node in nodes]), ConstructionOptions(model=False)
    indexed = [indexed_text(f, document.title) for document in snapshot.documents for f in document.fragments]
    return [*indexed, *(extractive(node, salience, options).embedded_text for node in nodes)]


def _cosines(texts: list[str], recorded: CachedEncoder, fresh: Encoder) -> NDArray[np.float32]:
    return (recorded.encode(texts) * fresh.encode(texts)).sum(axis=1)
