"""Papers with graphs whose course is asked for in words; causes and keepers stand in text and tables."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom.blocks import Document, Graph, Heading, Pages, Table, Text
from common.benchmarks.pocket_visdom.draft import Asked, Draft, Place, ask, distinct, teller

# (topic, first series, second series, what the bars of figure 2 count)
TOPICS = (
    ("Water Levels in Two Wells", "upper well", "lower well", "buckets"),
    ("Bees on Two Heaths", "white heath", "brown heath", "hives"),
    ("Traffic over Two Bridges", "stone bridge", "rope bridge", "carts"),
    ("Catches of Two Fleets", "north fleet", "south fleet", "barrels"),
    ("Pupils of Two Schools", "hill school", "quay school", "benches"),
)
EVENTS = (
    "the second spring was opened", "the old dam gave way", "the toll was dropped", "a new road was laid",
    "the lighthouse was lit again", "the great fire broke out", "the canal was closed", "the railway came",
    "the market moved", "the charter was signed",
)  # fmt: skip
YEARS = tuple(range(2021, 2027))
_SIZE, _APART = len(YEARS), 25


@dataclass(frozen=True)
class Series:
    """What a paper knows. `rising` goes up but for its peak before the end, `falling` down; they cross once."""

    title: str
    one: str
    two: str
    unit: str
    rising: tuple[int, ...]
    falling: tuple[int, ...]
    sites: tuple[tuple[str, int, str], ...]  # name, bar, keeper
    events: tuple[str, ...]  # by year
    authors: str

    @property
    def topic(self) -> str:
        return self.title.lower()

    @property
    def crossing(self) -> int:
        """Place of the first year in which the rising series is above."""
        return [up > down for up, down in zip(self.rising, self.falling, strict=True)].index(True)


def questions(rng: random.Random, forge: NameForge) -> list[Asked]:
    """Twelve questions about five papers of three pages."""
    papers = [_series(rng, forge, topic) for topic in TOPICS]
    return ask("scigraphqa", [(paper, write(paper, rng)) for paper in papers], PLAN)


def _series(rng: random.Random, forge: NameForge, topic: tuple[str, str, str, str]) -> Series:
    rising, falling = _courses(rng)
    sites = tuple((forge.place(), bar, forge.person()) for bar in distinct(rng, 30, 300, 5))
    events, authors = tuple(rng.sample(EVENTS, _SIZE)), f"{forge.person()} and {forge.person()}"
    return Series(*topic, rising, falling, sites, events, authors)


def _courses(rng: random.Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Draws until the lines cross once, after the first year, and their points stand far enough apart to be read."""
    while True:
        values = sorted(distinct(rng, 100, 480, _SIZE, step=5))
        peak, top = rng.choice((3, 4)), values.pop() + 40
        rising = (*values[:peak], top, *values[peak:])
        falling = tuple(sorted(distinct(rng, 90, 470, _SIZE, step=7), reverse=True))
        above = [up > down for up, down in zip(rising, falling, strict=True)]
        apart = min(abs(up - down) for up, down in zip(rising, falling, strict=True)) > _APART
        if apart and not above[0] and above[-1] and above == sorted(above):
            return rising, falling


def write(paper: Series, rng: random.Random) -> Document:
    """The paper: the course on page 1, the bars on page 2, the chronicle and the keepers on page 3."""
    say = teller(rng, paper.topic)
    bars = paper.unit.capitalize()
    course = Graph(
        "course", f"Figure 1. {paper.title}, by year.", "line", paper.title, tuple(map(str, YEARS)),
        ((paper.one, paper.rising), (paper.two, paper.falling)),
    )  # fmt: skip
    sites = Graph(
        "sites", f"Figure 2. {bars} at each site.", "bar", f"{bars} by site", tuple(name for name, _, _ in paper.sites),
        (("", tuple(bar for _, bar, _ in paper.sites)),),
    )  # fmt: skip
    rows = tuple((name, who) for name, _, who in paper.sites)
    keepers = Table("keepers", f"Table 1. Keepers of the {paper.unit} at each site.", ("Site", "Keeper"), rows)
    chronicle = (
        Text(f"event.{year}", f"In {year} {what}. {say(1)}") for year, what in zip(YEARS, paper.events, strict=True)
    )
    aims = f"We report six years of {paper.topic}, and the {paper.unit} counted at five sites."
    pages: Pages = (
        (
            Heading("Abstract"), Text("", f"{aims} {say(2)}"),
            Heading("1 Course"), Text("", say(3)), course, Text("", say(4)),
        ),
        (Heading("2 Sites"), Text("", say(4)), sites, Text("", say(4)), Text("", say(4))),
        (Heading(f"3 Chronicle of {paper.topic}"), *chronicle, Heading("4 Keepers"), keepers),
    )  # fmt: skip
    return Document(f"{paper.title}: Six Years of Counting", "paper", paper.authors, pages)


def trend(paper: Series, turn: int) -> Draft:
    name, values, word = (
        (paper.one, paper.rising, "rises") if turn % 2 == 0 else (paper.two, paper.falling, "falls")
    )  # fmt: skip
    question = f"What does the graph of {paper.topic} show about the {name} from {YEARS[0]} to {YEARS[-1]}?"
    answer = f"The {name} {word} from {values[0]} in {YEARS[0]} to {values[-1]} in {YEARS[-1]}."
    return Draft(question, answer, (Place("course", "chart", (name, str(values[0]), str(values[-1]))),))


def crossing(paper: Series, turn: int) -> Draft:
    at = paper.crossing
    question = f"How do the {paper.one} and the {paper.two} compare in the graph of {paper.topic} over the years?"
    answer = f"The {paper.one} starts below the {paper.two} and is above it from {YEARS[at]} on."
    values = (paper.rising[at - 1], paper.falling[at - 1], paper.rising[at], paper.falling[at])
    return Draft(question, answer, (Place("course", "chart", (paper.one, paper.two, *map(str, values))),))


def why_peak(paper: Series, turn: int) -> Draft:
    at = paper.rising.index(max(paper.rising))
    year, number, event = str(YEARS[at]), str(paper.rising[at]), paper.events[at]
    question = f"In which year does the {paper.one} peak in the graph of {paper.topic}, and what happened that year?"
    answer = f"It peaks at {number} in {year}, the year in which {event}."
    text = Place(f"event.{year}", "text", (f"In {year} {event}",))
    return Draft(question, answer, (Place("course", "chart", (paper.one, year, number)), text))


def keeper(paper: Series, turn: int) -> Draft:
    site, bar, who = max(paper.sites, key=lambda item: item[1])
    question = f"Which site has the tallest bar in the figure of {paper.unit} by site, and who keeps it?"
    answer = f"{site} has the tallest bar, {bar} {paper.unit}, and is kept by {who}."
    table = Place("keepers", "table", (f"{site} {who}",))
    return Draft(question, answer, (Place("sites", "chart", (site, str(bar))), table))


PLAN = (
    *(trend, crossing, why_peak, keeper, crossing),
    *(why_peak, keeper, trend, crossing, why_peak),
    *(keeper, trend),
)
