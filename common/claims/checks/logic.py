"""Checks on words: units, lists, references between sections, and what cannot be checked from print alone."""

from __future__ import annotations

from collections.abc import Sequence

from common.claims.interval import Interval, short
from common.claims.published import Cell
from common.claims.verdict import Outcome, check, statement


def members(cell: Cell) -> frozenset[str]:
    """Items of a printed list, `a, b, c`."""
    return frozenset(part.strip() for part in cell.value.split(",") if part.strip())


@check
def units_agree(cells: Sequence[Cell]) -> Outcome:
    """One quantity carries one unit wherever it is printed."""
    units = list(dict.fromkeys(cell.unit for cell in cells))
    by_unit = {unit: dict.fromkeys(cell.place for cell in cells if cell.unit == unit) for unit in units}
    places = "; ".join(f"{unit}: {', '.join(found)}" for unit, found in by_unit.items())
    return statement(
        len(units) == 1,
        " and ".join(units),
        units[0],
        f"The unit is {units[0]} in all {len(cells)} places.",
        f"The same quantity carries different units ({places}).",
    )


@check
def disjoint(one: Cell, other: Cell) -> Outcome:
    """Two printed lists have nothing in common."""
    common = sorted(members(one) & members(other))
    return statement(
        not common,
        ", ".join(common) or "nothing shared",
        "nothing shared",
        "The two lists have nothing in common.",
        f"The two lists share {', '.join(common)}.",
    )


@check
def same_list(lists: Sequence[Cell]) -> Outcome:
    """One list printed in several places has the same members everywhere."""
    everywhere = frozenset.intersection(*(members(cell) for cell in lists))
    anywhere = frozenset.union(*(members(cell) for cell in lists))
    parted = sorted(anywhere - everywhere)
    where = "; ".join(f"{name}: {', '.join(c.place for c in lists if name in members(c))}" for name in parted)
    return statement(
        not parted,
        ", ".join(parted) or "no difference",
        "no difference",
        "The list is the same in all places.",
        f"The lists differ ({where}).",
    )


@check
def contained(part: Cell, whole: Cell) -> Outcome:
    """Every member of the first printed list is in the second."""
    missing = sorted(members(part) - members(whole))
    return statement(
        not missing,
        ", ".join(missing) or "none missing",
        "none missing",
        "The second list has all of the first.",
        f"{', '.join(missing)} of the first list is not in the second.",
    )


@check
def only(holder: Cell, others: Sequence[Cell], mark: str) -> Outcome:
    """The holder has the mark and none of the others has."""
    also = [cell.row for cell in others if cell.value == mark]
    return statement(
        holder.value == mark and not also,
        ", ".join(also) or holder.row,
        f"{holder.row} only",
        f"Of {len(others) + 1} rows only {holder.row} has the mark {mark}.",
        f"The mark {mark} is not with {holder.row} alone: {', '.join(also) or 'it is not there'}.",
    )


@check
def marks(cells: Sequence[Cell], allowed: Sequence[str]) -> Outcome:
    """Every cell carries one of the allowed marks."""
    other = [f"{cell.row}: {cell.value}" for cell in cells if cell.value not in allowed]
    return statement(
        not other,
        "; ".join(other) or "none other",
        " or ".join(allowed),
        f"All cells are {' or '.join(allowed)}.",
        f"Not all cells are {' or '.join(allowed)} ({'; '.join(other)}).",
    )


@check
def points_to(cited: Cell, actual: Cell) -> Outcome:
    """A sentence's reference to a section, table or figure is where the thing is (5 covers 5.4)."""
    holds = actual.value == cited.value or actual.value.startswith(cited.value + ".")
    return statement(
        holds,
        actual.value,
        cited.value,
        f"The reference to {cited.value} is right.",
        f"The text refers to {cited.value}; the matter is in {actual.value}.",
    )


@check
def matches_source(printed: Interval, source: Cell) -> Outcome:
    """A printed number is the one of an outside source, a fact of the claims file."""
    official = source.interval()
    found = f"{short(printed.point)} is printed; {short(official.point)} is what the source gives ({source.place})"
    return statement(printed.meets(official), short(official.point), short(printed.point), f"{found}.", f"{found}.")


@check
def needs_unprinted(quantity: str) -> Outcome:
    """Not checkable: the paper prints none of the numbers that would decide it."""
    return Outcome("not checkable", "", "", f"Cannot be decided from the printed numbers: {quantity} is not printed.")
