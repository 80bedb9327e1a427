"""The artefact matrix: which artefact shows which item, from which traces, in what state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from common.figures_index import outcome
from common.files import write_atomic
from common.markdown import markdown_table
from common.paths import Workspace
from common.render import SUFFIXES
from common.traces import TraceKey, read_trace
from experiments.artefacts import Entry, artefact_config, committed, reads
from experiments.terminal import table_lines, terminal_width

BEGIN, END = "<!-- artefacts:begin -->", "<!-- artefacts:end -->"
HEADER = ["artefact", "paper item", "reads (system: runs)", "state"]


@dataclass(frozen=True)
class MatrixRow:
    """One artefact of the matrix."""

    entry: Entry
    item: str
    reads: str
    state: str

    def cells(self) -> list[str]:
        return [self.entry.name, f"{self.entry.paper}: {self.item}", self.reads, self.state]


def matrix(entries: Sequence[Entry], workspace: Workspace) -> list[MatrixRow]:
    """The rows of these artefacts, from configurations, traces and files alone; nothing is computed."""
    return [_row(entry, workspace) for entry in entries]


def matrix_lines(rows: Sequence[MatrixRow]) -> list[str]:
    """The rows for a terminal, no wider than it is."""
    return table_lines(HEADER, [row.cells() for row in rows], width=terminal_width())


def readme_block(rows: Sequence[MatrixRow], workspace: Workspace) -> str:
    """What came out, and the matrix, each name a link to its table: what stands between the markers of README.md."""
    told = [f"- {sentence}" for sentence in outcome(workspace.figures)]
    linked = [[_linked(row.entry, workspace), *row.cells()[1:]] for row in rows]
    return "\n".join([BEGIN, *told, "", *markdown_table(HEADER, linked), END])


def _linked(entry: Entry, workspace: Workspace) -> str:
    return f"[{entry.name}](figures/{entry.config}.md)" if committed(entry, workspace) else entry.name


def update_readme(rows: Sequence[MatrixRow], workspace: Workspace) -> bool:
    """Write the matrix between README.md's markers; True if the file changed. Without markers nothing is touched."""
    path = workspace.root / "README.md"
    if not path.exists():
        return False
    text = path.read_text()
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 or end < start:
        return False
    renewed = text[:start] + readme_block(rows, workspace) + text[end + len(END) :]
    if renewed != text:
        write_atomic(path, renewed)
    return renewed != text


def _row(entry: Entry, workspace: Workspace) -> MatrixRow:
    cfg = artefact_config(entry, workspace)
    keys = reads(cfg)
    counts = {key: len(read_trace(key, workspace.records).done) for key in keys}
    made_from = str(cfg.artefact.get("made_from", "published numbers"))
    return MatrixRow(entry, cfg.artefact.item, _reads_text(counts) or made_from, _state(entry, counts, workspace))


def _reads_text(counts: dict[TraceKey, int]) -> str:
    """Corpus and model of the traces, their systems gathered by number of questions; the state tells of none."""
    places: dict[str, dict[int, list[str]]] = {}
    for key, count in counts.items():
        if not count:
            continue
        of_place = places.setdefault(f"{key.benchmark}, {key.model}", {})
        of_place.setdefault(count, []).append(key.system)
    return "; ".join(f"{place}: {_sizes_text(sizes)}" for place, sizes in places.items())


def _sizes_text(sizes: dict[int, list[str]]) -> str:
    return ", ".join(f"{' '.join(systems)}: {count}" for count, systems in sizes.items())


def _state(entry: Entry, counts: dict[TraceKey, int], workspace: Workspace) -> str:
    missing = [key.system for key, count in counts.items() if not count]
    if not committed(entry, workspace):
        return f"no traces of {', '.join(missing)}" if missing else "recorded, not made"
    stem = workspace.figures / entry.paper / entry.name
    absent = [suffix for suffix in SUFFIXES if not stem.with_name(stem.name + suffix).exists()]
    if absent:
        return f"no {', '.join(absent)}"
    return f"complete, without {', '.join(dict.fromkeys(missing))}" if missing else "complete"
