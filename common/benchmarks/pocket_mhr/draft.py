"""A question before its articles are looked up, and the clauses it is worded with."""

from __future__ import annotations

from dataclasses import dataclass

from common.benchmarks.pocket_mhr.world import Company, World

INFERENCE, COMPARISON, TEMPORAL, NULL = "inference_query", "comparison_query", "temporal_query", "null_query"
REFUSAL = "Insufficient information."


@dataclass(frozen=True)
class Draft:
    """`reports` are the (company, kind) it stands on, in the order named; `check` says how the answer is recomputed:
    a rule and the reports or traits it reads."""

    question_type: str
    question: str
    answer: str
    reports: tuple[tuple[str, str], ...]
    check: tuple[str, ...]

    @property
    def entities(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.reports)


def clause(company: Company, kind: str) -> str:
    """What was reported of a company, without its name or the paper's: either would single out one article."""
    return {
        "opening": f"opened a works in {company.opened_in}",
        "recall": f"called back goods because of {company.reason}",
        "appointment": f"appointed {company.background} as its head",
        "results": f"had a year in which revenue {company.direction}",
    }[kind]


def joined(parts: list[str]) -> str:
    return ", ".join(parts[:-1]) + f" and {parts[-1]}"


def matching(world: World, traits: tuple[tuple[str, str], ...]) -> list[Company]:
    """The companies with all of the traits (kind, value)."""
    return [c for c in world.companies if all(c.value(kind) == value for kind, value in traits)]
