"""What the reports are about: chapters with a chart over years, a ranking, a table, a poster and people."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.lexicon import COLOURS, MOTIFS
from common.benchmarks.pocket.names import NameForge

YEARS = tuple(range(2025, 2031))
DOCUMENT_TYPES = (
    "Research report", "Administration report", "Guidebook", "Tutorial/Workshop", "Financial report", "Survey",
)  # fmt: skip
BODIES = ("Harbour Trust", "Statistics Board", "Board of Works", "Adult School", "Chamber of Accounts", "Census Office")
# (chapter title, what is counted, who looks after it)
TOPICS = (
    ("Ferries", "crossings", "pilots"), ("Street Lamps", "lamps", "lighters"), ("Bakeries", "ovens", "bakers"),
    ("Bridges", "spans", "wardens"), ("Schools", "classes", "teachers"), ("Bees", "hives", "keepers"),
    ("Wells", "wells", "diggers"), ("Orchards", "trees", "pickers"), ("Clocks", "clocks", "winders"),
    ("Trams", "cars", "drivers"), ("Choirs", "concerts", "singers"), ("Libraries", "shelves", "librarians"),
    ("Mills", "wheels", "millers"), ("Markets", "stalls", "traders"),
)  # fmt: skip


@dataclass(frozen=True)
class Chapter:
    """One chapter. `counts` are by year, `ranking` by district (drawn), `table` rows are district, units, people."""

    title: str
    unit: str
    people: str
    chair: str
    founded: int
    counts: tuple[int, ...]
    ranking: tuple[tuple[str, int], ...]
    table: tuple[tuple[str, int, int], ...]
    poster: str
    motif: str
    motifs: int
    colour: str


@dataclass(frozen=True)
class Report:
    """One report: who issued it on which town, of which type, and its chapters in order."""

    title: str
    town: str
    body: str
    document_type: str
    chapters: tuple[Chapter, ...]
    districts: tuple[str, ...]


def build_reports(seed: int) -> tuple[Report, ...]:
    """The six reports of a seed."""
    rng, forge = random.Random(f"mmlb-world-{seed}"), NameForge(seed)
    return tuple(_report(rng, forge, body, kind) for body, kind in zip(BODIES, DOCUMENT_TYPES, strict=True))


def _report(rng: random.Random, forge: NameForge, body: str, kind: str) -> Report:
    town, districts = forge.place(), tuple(forge.place() for _ in range(7))
    topics = rng.sample(TOPICS, rng.randint(10, len(TOPICS)))
    chapters = tuple(_chapter(rng, forge, topic, districts) for topic in topics)
    return Report(f"{town} {body}: Report for {YEARS[-1]}", town, body, kind, chapters, districts)


def _chapter(rng: random.Random, forge: NameForge, topic: tuple[str, str, str], districts: tuple[str, ...]) -> Chapter:
    in_table = rng.sample(districts, 6)  # one district is left out, so that it can be asked for in vain
    amounts, ranked = rng.sample(range(20, 240), 6), rng.sample(districts, 5)
    values = sorted(rng.sample(range(30, 400), 5), reverse=True)  # all different: a peak is one district
    return Chapter(
        title=topic[0],
        unit=topic[1],
        people=topic[2],
        chair=forge.person(),
        founded=rng.randint(1840, 1990),
        counts=tuple(rng.sample(range(110, 980), len(YEARS))),
        ranking=tuple(sorted(zip(ranked, values, strict=True))),
        table=tuple((name, units, rng.randint(2, 60)) for name, units in zip(in_table, amounts, strict=True)),
        poster=forge.tagline(),
        motif=rng.choice(MOTIFS),
        motifs=rng.randint(3, 8),
        colour=rng.choice(sorted(COLOURS)),
    )
