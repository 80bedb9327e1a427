"""One artefact = one table or figure: its frame, where each column comes from, and the rounding rules.

The CSV is the truth. Markdown, LaTeX, PDF, PNG and HTML are renderings of the same frame.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from common.stats import Verdict, holm

if TYPE_CHECKING:  # few commands draw, and matplotlib takes a second to import
    from matplotlib.axes import Axes

Origin = Literal["label", "published", "replica", "verdict"]
Kind = Literal["text", "count", "score", "mean", "percent", "p", "interval", "seconds"]

# The only rounding rules of the project: decimals on display, decimals in the CSV.
DECIMALS: dict[str, tuple[int, int]] = {
    "count": (0, 0),
    "score": (1, 4),
    "mean": (2, 4),
    "percent": (0, 2),
    "seconds": (1, 3),
    "interval": (1, 4),
}
MISSING = "–"
SMALLEST_P = 1e-4
ALPHA = 0.05  # of a verdict on a claim


@dataclass(frozen=True)
class Source:
    """What a replica was measured on."""

    corpus: str
    model: str
    n: int

    def __str__(self) -> str:
        return f"{self.corpus}, {self.model}, n = {self.n}"


@dataclass(frozen=True)
class Column:
    """One column: short `name`, where its values come from, how they are rounded, and for a replica on what.

    `bare`: the CSV's head is the name alone, for a file whose format is fixed; every other rendering still says where
    the values come from.
    """

    name: str
    origin: Origin
    kind: Kind = "text"
    source: Source | None = None
    bare: bool = False

    def __post_init__(self) -> None:
        if (self.origin == "replica") != (self.source is not None):
            raise ValueError(f"column {self.name!r}: a replica column, and no other, says on what it was measured")

    @property
    def header(self) -> str:
        """The column's full name, as in the CSV."""
        if self.bare:
            return self.name
        if self.origin == "replica":
            return f"replica {self.name} ({self.source})"
        return f"published {self.name}" if self.origin == "published" else self.name


@dataclass(frozen=True)
class ClaimVerdict:
    """A printed claim of direction and what the replica's paired test says of it; `p_value` None: no test was made.

    In an artefact `adjusted` is that p corrected for all tests of the artefact (Holm), and the verdict goes by it.
    """

    claim: str
    place: str
    verdict: Verdict | Literal["no data"]
    detail: str
    source: Source
    p_value: float | None = None
    adjusted: float | None = None


@dataclass(frozen=True)
class Artefact:
    """A finished table or figure. `frame` has one column per entry of `columns`, named by its `header`.

    `draw(frame, ax)` makes it a figure; without it the PDF and PNG show the table itself.
    """

    name: str
    paper: str
    item: str  # as the paper numbers it, for instance "Table 2"
    title: str
    columns: tuple[Column, ...]
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    draw: Callable[[pd.DataFrame, Axes], None] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        expected = [column.header for column in self.columns]
        if list(self.frame.columns) != expected:
            raise ValueError(f"{self.name}: frame has columns {list(self.frame.columns)}, expected {expected}")

    @classmethod
    def from_rows(
        cls, name: str, paper: str, item: str, title: str, columns: list[Column], rows: list[list[Any]],
        *, claims: Sequence[ClaimVerdict] = (), **rest: Any,
    ) -> Artefact:  # fmt: skip
        """Build from rows of cells in the order of `columns`; a published cell is the string as printed."""
        frame = pd.DataFrame(rows, columns=[column.header for column in columns], dtype=object)
        return cls(name, paper, item, title, tuple(columns), frame, claims=tested_together(claims), **rest)

    @property
    def sources(self) -> tuple[Source, ...]:
        """What the replica columns were measured on, each once."""
        return tuple(dict.fromkeys(c.source for c in self.columns if c.source is not None))

    @property
    def replicas(self) -> dict[Source, str]:
        """What heads and captions call each source: `replica`, or `replica 1`, `replica 2`, ... of several."""
        if len(self.sources) == 1:
            return {self.sources[0]: "replica"}
        return {source: f"replica {number}" for number, source in enumerate(self.sources, start=1)}

    def origin(self, column: Column) -> str:
        """Where a column's values come from, for its head."""
        return column.origin if column.source is None else self.replicas[column.source]

    @property
    def provenance(self) -> list[str]:
        """Sentences for readers: what is printed, and what each replica was measured on."""
        published = [column for column in self.columns if column.origin == "published"]
        printed = any(exact(value, column.kind) for column in published for value in self.frame[column.header])
        return [*(["Published columns are as printed in the paper."] if printed else []), *self.measured]

    @property
    def measured(self) -> list[str]:
        """What each replica was measured on, a sentence each; those that differ in n alone share one."""
        lines = []
        for (corpus, model), members in groupby(self.replicas, key=lambda source: (source.corpus, source.model)):
            sources = list(members)
            first, last = (self.replicas[source] for source in (sources[0], sources[-1]))
            counts = ", ".join(str(source.n) for source in sources)
            if len(sources) == 1:
                lines.append(f"{first.capitalize()} measured on {sources[0]}: not the paper's number.")
            else:
                names = f"Replicas {first.split()[-1]} {'and' if len(sources) == 2 else 'to'} {last.split()[-1]}"
                lines.append(f"{names} measured on {corpus}, {model}, n = {counts}: not the paper's numbers.")
        return lines

    def csv(self) -> str:
        """The frame as CSV text with fixed decimals: the same text on every machine."""
        cells = [
            [exact(v, c.kind) for v, c in zip(row, self.columns, strict=True)]
            for row in self.frame.itertuples(index=False)
        ]
        return _csv_text([[column.header for column in self.columns], *cells])

    def claims_csv(self) -> str:
        """The verdicts as CSV text."""
        rows = [
            [c.claim, c.place, c.verdict, c.detail, exact(c.adjusted, "p"), c.source.corpus, c.source.model, c.source.n]
            for c in self.claims
        ]
        return _csv_text([["claim", "place", "verdict", "detail", "Holm p", "corpus", "model", "n"], *rows])

    def display(self) -> list[list[str]]:
        """The cells as shown to readers, rounded by `DECIMALS`."""
        return [
            [shown(v, c.kind) for v, c in zip(row, self.columns, strict=True)]
            for row in self.frame.itertuples(index=False)
        ]


def tested_together(claims: Sequence[ClaimVerdict]) -> tuple[ClaimVerdict, ...]:
    """The claims of one artefact: a direction stands where its p, corrected for all of them, is below alpha."""
    corrected = iter(holm([claim.p_value for claim in claims if claim.p_value is not None]))
    adjusted = [None if claim.p_value is None else next(corrected) for claim in claims]
    return tuple(
        replace(claim, adjusted=p, verdict=claim.verdict if p is None or p < ALPHA else "not resolved")
        for claim, p in zip(claims, adjusted, strict=True)
    )


def shown(value: Any, kind: Kind) -> str:
    """One cell for readers."""
    return _text(value, kind, DECIMALS.get(kind, (0, 0))[0]) or MISSING


def exact(value: Any, kind: Kind) -> str:
    """One cell of the CSV; missing is empty."""
    return _text(value, kind, DECIMALS.get(kind, (0, 0))[1])


def _text(value: Any, kind: Kind, decimals: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str) or kind == "text":
        return str(value)
    if kind == "interval":
        low, high = value
        return f"[{_fixed(low, decimals)}, {_fixed(high, decimals)}]"
    if kind == "p":
        return f"<{SMALLEST_P:g}" if value < SMALLEST_P else f"{value:.4f}"
    return _fixed(value, decimals)


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text  # no "-0.0"


def _csv_text(rows: Sequence[Sequence[object]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()
