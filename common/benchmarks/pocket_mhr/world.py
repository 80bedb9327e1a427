"""Twenty invented companies, four pieces of news about each, and the papers that print them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from common.benchmarks.pocket.names import NameForge

SOURCES = (
    "The Vastria Ledger", "Morning Ferry", "Harbour Post", "The Quess Courier", "Lantern Weekly", "Ardu Business Wire",
    "The Northern Column", "Tradesman's Gazette",
)  # fmt: skip
KINDS = ("opening", "recall", "appointment", "results")
# Few values each, so that one article alone never singles a company out.
TOWNS = 5
REASONS = ("a loose valve", "mislabelled crates", "a smell of varnish", "cracked lids")
BACKGROUNDS = ("a former harbour pilot", "a former opera cashier", "a former tax inspector", "a former balloonist")
START = datetime(2031, 2, 3, 6, 0)


@dataclass(frozen=True)
class Company:
    """What the news says of one company. `change` is the year's change of revenue in per cent, never 0."""

    name: str
    opened_in: str
    jobs: int
    recalled: int
    reason: str
    head: str
    background: str
    revenue: int
    change: int

    @property
    def direction(self) -> str:
        return "rose" if self.change > 0 else "fell"

    def value(self, trait: str) -> str:
        """A trait that clauses of questions speak of."""
        return {
            "opening": self.opened_in, "recall": self.reason, "appointment": self.background, "results": self.direction,
        }[trait]  # fmt: skip


@dataclass(frozen=True)
class Report:
    """Who printed one piece of news of a company, and when."""

    company: Company
    kind: str
    source: str
    author: str
    published: datetime


@dataclass(frozen=True)
class World:
    """Companies by name, and the reports by (company name, kind)."""

    seed: int
    companies: tuple[Company, ...]
    reports: dict[tuple[str, str], Report]


def build_world(seed: int, companies: int) -> World:
    """The world of a seed. Raises ValueError where names run out."""
    rng, forge = random.Random(f"mhr-world-{seed}"), NameForge(seed)
    towns = [forge.place() for _ in range(TOWNS)]
    made = tuple(_company(rng, forge, towns, number) for number in range(companies))
    staff = {source: [forge.person() for _ in range(3)] for source in SOURCES}
    days = list(range(companies * len(KINDS)))
    rng.shuffle(days)
    reports: dict[tuple[str, str], Report] = {}
    for company in made:
        papers = rng.sample(SOURCES, len(KINDS))  # four different papers write about a company
        for kind, source in zip(KINDS, papers, strict=True):
            moment = START + timedelta(days=days.pop(), minutes=rng.randrange(0, 900, 5))
            reports[company.name, kind] = Report(company, kind, source, rng.choice(staff[source]), moment)
    return World(seed, made, reports)


def _company(rng: random.Random, forge: NameForge, towns: list[str], number: int) -> Company:
    return Company(
        name=forge.sponsor().title(),
        opened_in=rng.choice(towns),
        jobs=40 + 7 * number + rng.randrange(7),  # all different: comparisons have no ties
        recalled=1_100 + 130 * number + rng.randrange(130),
        reason=rng.choice(REASONS),
        head=forge.person(),
        background=rng.choice(BACKGROUNDS),
        revenue=60 + 9 * ((7 * number) % 100) + rng.randrange(9),
        change=rng.choice((-1, 1)) * rng.randint(2, 19),
    )
