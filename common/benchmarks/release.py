"""What a loaded benchmark is, and the error every loader raises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common.benchmarks.question import Question

_SHOWN = 8


class BenchmarkError(ValueError):
    """A benchmark folder is not what its name says: the message names the file, line or entry, field and remedy."""


@dataclass(frozen=True)
class Benchmark:
    """Questions in official order and the folder of their documents (file stem = document id).

    `subset` says what was asked for and is part of any result's name. `redistributable`: document text may stand in
    committed traces. `issues` names oddities of the official data that are kept and scored as they are, one line
    each, without any text of the data.
    """

    name: str
    questions: tuple[Question, ...]
    documents_folder: Path
    redistributable: bool
    subset: str = "full"
    issues: tuple[str, ...] = ()


@dataclass(frozen=True)
class Subset:
    """A parsed subset name: a selection rule, and whether documents must be there.

    `documents` is "all" (the whole release), "held" (questions whose gold documents are in the folder) or
    "none" (questions alone, for scoring and audits).
    """

    rule: str
    documents: str
    name: str


def parse_subset(name: str, rules: Sequence[str]) -> Subset:
    """Read "full", "mid", "held", "questions" or a rule joined to one of the last two: "mid+held".

    Raises BenchmarkError on anything else, so that a typing error never loads another set.
    """
    parts = name.split("+")
    documents = {"held": "held", "questions": "none"}
    modes = [documents[part] for part in parts if part in documents]
    chosen = [part for part in parts if part in rules]
    if len(modes) + len(chosen) != len(parts) or len(modes) > 1 or len(chosen) > 1:
        raise BenchmarkError(
            f"unknown subset {name!r}; there are {', '.join(rules)}, alone or followed by '+held' (questions whose "
            f"documents are in the folder) or '+questions' (no documents needed), and 'held' and 'questions' alone"
        )
    return Subset(chosen[0] if chosen else "full", modes[0] if modes else "all", name)


def listed(names: Sequence[str]) -> str:
    """Names for an error message: all of a few, the first of many."""
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
