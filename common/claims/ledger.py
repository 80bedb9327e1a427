"""The claims ledger: YAML claims whose arguments refer to printed cells, evaluated by the registered checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from common.claims import checks as _checks  # noqa: F401  (fills CHECKS)
from common.claims.interval import Interval, total
from common.claims.published import SEPARATOR, Cell, Published, PublishedError, read_yaml
from common.claims.verdict import CHECKS, Check, Outcome

CLAIM_FIELDS = frozenset({"id", "place", "claim", "check", "args", "comment", "hedged", "finding", "replica"})
FILE_FIELDS = frozenset({"paper", "facts", "findings", "claims"})
FACT_FIELDS = frozenset({"value", "unit", "source"})
FACT = "fact"


@dataclass(frozen=True)
class Claim:
    """One checkable claim. `hedged`: the paper says about or roughly, or another reading of the passage fits, so a miss
    is soft. `finding`: name of the phenomenon behind a miss, shared by the claims it shows in; `sentence`: what a
    reviewer could write of it (empty: the sentence of the check). `replica`: systems whose paired test in our traces
    bears on the claim, see experiments/audit.py."""

    id: str
    paper: str
    place: str
    claim: str
    check: str
    args: Mapping[str, Any]
    comment: str
    hedged: bool
    finding: str
    sentence: str
    replica: Mapping[str, str]
    source: Path
    facts: Mapping[str, Cell]


@dataclass(frozen=True)
class Judged:
    """A claim with its outcome and the printed cells it used."""

    claim: Claim
    outcome: Outcome
    cells: tuple[Cell, ...]


class Blank(Exception):
    """A claim needs a cell the paper leaves empty; the message names it."""


def load_claims(folder: Path) -> tuple[Claim, ...]:
    """Read every claims file of a folder, in name order.

    Raises PublishedError for unknown fields, checks or findings and for an id used twice, naming file and id.
    """
    claims: list[Claim] = []
    seen: dict[str, Path] = {}
    files = {path: _read_file(path) for path in sorted(folder.glob("*.yaml"))}
    findings = _findings(files)
    for path, data in files.items():
        for claim in _read_claims(path, data, findings):
            if claim.id in seen:
                raise PublishedError(f"{path}: {claim.id}: the id is already used in {seen[claim.id]}")
            seen[claim.id] = path
            claims.append(claim)
    return tuple(claims)


def _read_file(path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, dict) or not isinstance(data.get("paper"), str) or not data.get("claims"):
        raise PublishedError(f"{path}: expected `paper` and a list `claims`")
    if unknown := set(data) - FILE_FIELDS:
        raise PublishedError(f"{path}: unknown field {', '.join(sorted(unknown))}")
    return data


def _findings(files: Mapping[Path, Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """(paper, name) -> sentence, over all files: a finding may show in claims of several of them."""
    found: dict[tuple[str, str], str] = {}
    for path, data in files.items():
        for name, sentence in (data.get("findings") or {}).items():
            if not isinstance(sentence, str) or (data["paper"], name) in found:
                raise PublishedError(f"{path}: finding {name}: expected one sentence, and the name only once a paper")
            found[data["paper"], name] = sentence.strip()
    return found


def _read_claims(path: Path, data: Mapping[str, Any], findings: Mapping[tuple[str, str], str]) -> list[Claim]:
    facts = {name: _fact(path, data["paper"], name, fact) for name, fact in (data.get("facts") or {}).items()}
    return [_read_claim(path, data["paper"], facts, findings, raw) for raw in data["claims"]]


def _fact(path: Path, paper: str, name: str, raw: Any) -> Cell:
    known = isinstance(raw, dict) and not set(raw) - FACT_FIELDS
    if not known or not isinstance(raw.get("value"), str) or not raw.get("source"):
        raise PublishedError(f"{path}: fact {name}: expected value (quoted), source and optionally unit")
    return Cell(paper, FACT, name, "value", raw["value"], raw.get("unit", ""), raw["source"])


def _read_claim(
    path: Path, paper: str, facts: Mapping[str, Cell], findings: Mapping[tuple[str, str], str], raw: Any
) -> Claim:
    if not isinstance(raw, dict) or not isinstance(raw.get("id"), str):
        raise PublishedError(f"{path}: a claim without an id: {raw!r}")
    where = f"{path}: {raw['id']}"
    if unknown := set(raw) - CLAIM_FIELDS:
        raise PublishedError(f"{where}: unknown field {', '.join(sorted(unknown))}")
    for name in ("place", "claim", "check"):
        if not isinstance(raw.get(name), str):
            raise PublishedError(f"{where}: field {name!r} is missing or not a string")
    if raw["check"] not in CHECKS:
        raise PublishedError(f"{where}: there is no check {raw['check']!r}; checks: {', '.join(sorted(CHECKS))}")
    finding = raw.get("finding", "")
    if finding and (paper, finding) not in findings:
        known = ", ".join(sorted(name for owner, name in findings if owner == paper)) or "none"
        raise PublishedError(f"{where}: there is no finding {finding!r}; findings of {paper}: {known}")
    return Claim(
        id=raw["id"],
        paper=paper,
        place=raw["place"],
        claim=raw["claim"],
        check=raw["check"],
        args=raw.get("args") or {},
        comment=raw.get("comment", ""),
        hedged=bool(raw.get("hedged", False)),
        finding=finding,
        sentence=findings.get((paper, finding), ""),
        replica=raw.get("replica") or {},
        source=path,
        facts=facts,
    )


def judge(claim: Claim, published: Published) -> Judged:
    """Evaluate one claim. PublishedError names file and id when a reference or argument does not resolve."""
    function = CHECKS[claim.check]
    used: list[Cell] = []
    where = f"{claim.source}: {claim.id}"
    try:
        arguments = {
            name: _resolve(value, annotation, claim, published, used)
            for name, value, annotation in _bind(function, claim.args)
        }
        outcome = function(**arguments)
    except Blank as blank:
        outcome = Outcome("not checkable", "", "", f"Not checkable: {blank}.")
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        message = error.args[0] if error.args else repr(error)
        raise PublishedError(f"{where}: {message}") from error
    if claim.hedged and outcome.hardness == "hard":
        outcome = replace(outcome, hardness="soft")
    return Judged(claim, outcome, tuple(used))


@cache
def _signature(function: Check) -> tuple[dict[str, Any], frozenset[str]]:
    hints = get_type_hints(function)
    parameters = inspect.signature(function).parameters
    required = frozenset(name for name, p in parameters.items() if p.default is inspect.Parameter.empty)
    return {name: hints[name] for name in parameters}, required


def _bind(function: Check, args: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    hints, required = _signature(function)
    if unknown := set(args) - set(hints):
        raise TypeError(f"{function.__name__} takes {', '.join(hints)}, not {', '.join(sorted(unknown))}")
    if missing := required - set(args):
        raise TypeError(f"{function.__name__} also needs {', '.join(sorted(missing))}")
    return [(name, value, hints[name]) for name, value in args.items()]


def _resolve(value: Any, annotation: Any, claim: Claim, published: Published, used: list[Cell]) -> Any:
    if get_origin(annotation) is Sequence:
        (inner,) = get_args(annotation)
        parts = value if isinstance(value, list) else [value]
        if inner is str:
            return parts
        return [item for part in parts for item in _items(part, inner, claim, published, used)]
    if annotation in (Interval, Cell):
        found = _items(value, annotation, claim, published, used)
        if len(found) != 1:
            raise ValueError(f"{value!r} stands for {len(found)} cells where one is wanted")
        return found[0]
    return value


OPERATIONS: Mapping[str, Callable[[Sequence[Interval]], Interval]] = {
    "plus": total,
    "minus": lambda parts: parts[0] - total(parts[1:]),
    "times": lambda parts: reduce(Interval.__mul__, parts),
    "over": lambda parts: parts[0] / parts[1],
    "mean": lambda parts: total(parts).scaled(1 / len(parts)),
}


def _operation(value: dict[str, Any], claim: Claim, published: Published, used: list[Cell]) -> Interval:
    """`{minus: [a, b]}` and the like: one step of arithmetic on references, on intervals."""
    (name, parts), *others = value.items()
    if others or name not in OPERATIONS or not isinstance(parts, list):
        raise ValueError(f"{value!r}: expected one of {', '.join(OPERATIONS)} with a list")
    return OPERATIONS[name]([item for part in parts for item in _items(part, Interval, claim, published, used)])


def _items(value: Any, kind: type, claim: Claim, published: Published, used: list[Cell]) -> list[Any]:
    if isinstance(value, dict) and kind is Interval:
        return [_operation(value, claim, published, used)]
    if isinstance(value, (int, float)) and not isinstance(value, bool) and kind is Interval:
        return [Interval.exact(float(value))]
    if not isinstance(value, str) or SEPARATOR not in value:
        raise ValueError(f"{value!r} is neither a number nor a reference 'item{SEPARATOR}row{SEPARATOR}column'")
    cells = _look_up(value, claim, published)
    used.extend(cells)
    if kind is Cell:
        return list(cells)
    for cell in cells:
        if cell.blank:
            raise Blank(f"{cell.address} is empty in the paper")
    return [cell.interval() for cell in cells]


def _look_up(reference: str, claim: Claim, published: Published) -> tuple[Cell, ...]:
    parts = [part.strip() for part in reference.split(SEPARATOR)]
    if parts[0] == FACT and len(parts) == 2:
        if parts[1] not in claim.facts:
            raise KeyError(f"there is no fact {parts[1]!r}; facts: {', '.join(claim.facts) or 'none'}")
        return (claim.facts[parts[1]],)
    if len(parts) != 3:
        raise ValueError(f"{reference!r}: write 'item{SEPARATOR}row{SEPARATOR}column' or 'fact{SEPARATOR}name'")
    paper, slash, item = parts[0].partition("/")
    return published.select(paper if slash else claim.paper, item if slash else parts[0], parts[1], parts[2])
