"""Candidates of every question type, each with its answer from the world."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from common.benchmarks.pocket_mhr.draft import (
    COMPARISON,
    INFERENCE,
    NULL,
    REFUSAL,
    TEMPORAL,
    Draft,
    clause,
    joined,
    matching,
)
from common.benchmarks.pocket_mhr.world import KINDS, SOURCES, Company, Report, World

_EVENT = {
    "opening": "new works of {}", "recall": "recall by {}", "appointment": "new head of {}",
    "results": "yearly results of {}",
}  # fmt: skip
_MORE = {
    "opening": (
        "jobs",
        "Does the works that {a} opened, as {s} reported it, give more people a job than the works that {b} opened, "
        "as {t} reported it?",
    ),
    "recall": ("recalled", "Did {a}, in the report of {s}, call back more goods than {b} did in the report of {t}?"),
    "results": ("revenue", "Was the revenue of {a}, as {s} gave it, higher than the revenue of {b}, as {t} gave it?"),
}


def inference_drafts(world: World) -> Iterator[Draft]:
    """A company, or its new head, from two or three articles; every article fewer leaves at least two companies."""
    for company in world.companies:
        for size in (2, 3):
            for kinds in combinations(KINDS, size):
                if not needs_all(world, company, kinds):
                    continue
                told = joined([clause(company, kind) for kind in kinds])
                reports = tuple((company.name, kind) for kind in kinds)
                traits = tuple(f"{kind}={company.value(kind)}" for kind in kinds)
                question = f"Which company, as the papers had it, {told}?"
                yield Draft(INFERENCE, question, company.name, reports, ("company", *traits))
                if "appointment" in kinds:
                    continue
                question = f"Who was appointed to lead the company that, as the papers had it, {told}?"
                named = (*reports, (company.name, "appointment"))
                yield Draft(INFERENCE, question, company.head, named, ("head", *traits))


def needs_all(world: World, company: Company, kinds: tuple[str, ...]) -> bool:
    """Whether the traits single the company out, and no smaller choice of them does."""
    traits = tuple((kind, company.value(kind)) for kind in kinds)
    fewer = combinations(traits, len(traits) - 1)
    return matching(world, traits) == [company] and all(len(matching(world, some)) > 1 for some in fewer)


def comparison_drafts(world: World) -> Iterator[Draft]:
    """Two figures from two papers, or the direction of three companies' revenue."""
    for kind, (field, wording) in _MORE.items():
        for a, b in permutations(world.companies, 2):
            first, second = world.reports[a.name, kind], world.reports[b.name, kind]
            if first.source != second.source:
                question = wording.format(a=a.name, b=b.name, s=first.source, t=second.source)
                answer = "Yes" if getattr(a, field) > getattr(b, field) else "No"
                yield Draft(COMPARISON, question, answer, _keys(first, second), ("more", field))
    for trio in combinations(world.companies, 3):
        reports = [world.reports[company.name, "results"] for company in trio]
        for direction in ("rose", "fell"):
            told = joined([f"{report.source} on {report.company.name}" for report in reports])
            answer = "Yes" if all(company.direction == direction for company in trio) else "No"
            question = f"Do all three reports, by {told}, say that revenue {direction}?"
            yield Draft(COMPARISON, question, answer, _keys(*reports), ("all", direction))


def temporal_drafts(world: World) -> Iterator[Draft]:
    """Which report came first: two of them as a choice or as yes and no, three as yes and no."""
    for (a, b), (k, m) in product(permutations(world.companies, 2), permutations(KINDS, 2)):
        first, second = world.reports[a.name, k], world.reports[b.name, m]
        if first.source == second.source:
            continue
        earlier, told = first.published < second.published, (_told(first), _told(second))
        question = f"Did {told[0]} appear before {told[1]}?"
        yield Draft(TEMPORAL, question, "Yes" if earlier else "No", _keys(first, second), ("first",))
        question = f"Did {told[0]} appear before or after {told[1]}?"
        yield Draft(TEMPORAL, question, "before" if earlier else "after", _keys(first, second), ("order",))
    for trio in permutations(world.companies[::2], 3):
        reports = [world.reports[company.name, kind] for company, kind in zip(trio, KINDS, strict=False)]
        earliest = min(report.published for report in reports) == reports[0].published
        question = f"Did {_told(reports[0])} appear before both {_told(reports[1])} and {_told(reports[2])}?"
        yield Draft(TEMPORAL, question, "Yes" if earliest else "No", _keys(*reports), ("first",))


def null_drafts(world: World) -> Iterator[Draft]:
    """Questions whose premise no article supports: traits that no company joins, and papers that never wrote of one."""
    for kinds in combinations(KINDS, 2):
        for a, b in permutations(world.companies, 2):
            traits = ((kinds[0], a.value(kinds[0])), (kinds[1], b.value(kinds[1])))
            if not matching(world, traits):
                told = joined([clause(a, kinds[0]), clause(b, kinds[1])])
                checked = tuple(f"{kind}={value}" for kind, value in traits)
                yield Draft(NULL, f"Which company, as the papers had it, {told}?", REFUSAL, (), ("nobody", *checked))
    for company in world.companies:
        for source in SOURCES:
            if all(world.reports[company.name, kind].source != source for kind in KINDS):
                question = f"How many seats has the theatre that {company.name} bought, as {source} reported it?"
                yield Draft(NULL, question, REFUSAL, (), ("silent", company.name, source))


def _told(report: Report) -> str:
    return f"the report of {report.source} on the {_EVENT[report.kind].format(report.company.name)}"


def _keys(*reports: Report) -> tuple[tuple[str, str], ...]:
    return tuple((report.company.name, report.kind) for report in reports)
