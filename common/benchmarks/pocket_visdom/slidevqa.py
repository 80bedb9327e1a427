"""Slide decks in landscape: bullets, charts in lines and letters, tables; short answers over one or two slides."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom.blocks import Document, Graph, Heading, Pages, Table, Text
from common.benchmarks.pocket_visdom.draft import Asked, Draft, Place, ask, distinct, teller

# (deck, what a site is, what is counted)
DECKS = (
    ("Museums of the Coast", "museum", "visitors"),
    ("Night Ferries", "line", "passengers"),
    ("Street Lamps", "district", "lamps"),
    ("Public Baths", "bath", "bathers"),
    ("Village Choirs", "choir", "singers"),
)
GIFTS = ("a new roof", "a second door", "a tea room", "a longer pier", "a brass bell", "a lift", "a winter garden")
YEARS = tuple(range(2021, 2027))


@dataclass(frozen=True)
class Site:
    name: str
    leader: str
    count: int
    budget: int
    staff: int
    gift: str

    @property
    def led(self) -> Place:
        return Place(f"leader.{self.name}", "text", (f"{self.name} is led by {self.leader}",))

    @property
    def bar(self) -> Place:
        return Place("counts", "chart", (self.name, str(self.count)))

    @property
    def row(self) -> Place:
        return Place("money", "table", (f"{self.name} {self.budget} {self.staff}",))

    @property
    def plan(self) -> Place:
        return Place(f"plan.{self.name}", "text", (f"{self.name} gets {self.gift}",))


@dataclass(frozen=True)
class Deck:
    """What a deck knows. `history` is by year, the last the sum of the sites' counts."""

    title: str
    thing: str
    unit: str
    speaker: str
    town: str
    sites: tuple[Site, ...]
    history: tuple[int, ...]

    @property
    def asked(self) -> str:
        return f"In the slides on {self.title.lower()}"


def questions(rng: random.Random, forge: NameForge) -> list[Asked]:
    """Twelve questions about five decks of six slides."""
    decks = [_deck(rng, forge, topic) for topic in DECKS]
    return ask("slidevqa", [(deck, write(deck, rng)) for deck in decks], PLAN)


def _deck(rng: random.Random, forge: NameForge, topic: tuple[str, str, str]) -> Deck:
    numbers = zip(
        distinct(rng, 120, 990, 5), distinct(rng, 20, 95, 5), distinct(rng, 3, 19, 5), rng.sample(GIFTS, 5), strict=True
    )
    sites = tuple(Site(forge.place(), forge.person(), *row) for row in numbers)
    earlier = distinct(rng, 1100, 4800, len(YEARS) - 1, step=10)
    history = (*earlier, sum(site.count for site in sites))
    return Deck(*topic, forge.person(), forge.place(), sites, history)


def write(deck: Deck, rng: random.Random) -> Document:
    """The deck: title, leaders, counts, money, all years, plans."""
    say = teller(rng, deck.title.lower())
    thing, bars = deck.thing, deck.unit.capitalize()
    counts = Graph(
        "counts", "", "bar", f"{bars} of each {thing}", tuple(site.name for site in deck.sites),
        (("", tuple(site.count for site in deck.sites)),),
    )  # fmt: skip
    years = Graph(
        "years", "", "bar", f"{deck.title}: {deck.unit} by year", tuple(map(str, YEARS)), (("", deck.history),)
    )
    rows = tuple((site.name, str(site.budget), str(site.staff)) for site in deck.sites)
    money = Table("money", "", (thing.capitalize(), "Budget (thousand crowns)", "Staff"), rows)
    title = f"{deck.title}: Review of {YEARS[-1]}"
    pages: Pages = (
        (
            Heading(title), Text("speaker", f"Talk given by {deck.speaker}"),
            Text("", f"Yearly meeting of the society in {deck.town}"), Text("", say(1)),
        ),
        (
            Heading(f"Who leads each {thing}"),
            *(Text(f"leader.{s.name}", f"The {thing} {s.name} is led by {s.leader}") for s in deck.sites),
            Text("", say(1)),
        ),
        (Heading(f"{bars} of {YEARS[-1]}"), counts),
        (Heading(f"Money and staff of each {thing}"), money, Text("", say(1))),
        (Heading(f"All {deck.unit} by year"), years),
        (
            Heading(f"Plans for each {thing}"),
            *(Text(f"plan.{site.name}", f"{site.name} gets {site.gift}") for site in deck.sites),
            Text("", say(1)),
        ),
    )  # fmt: skip
    return Document(title, "slides", deck.speaker, pages)


def bar(deck: Deck, turn: int) -> Draft:
    site = deck.sites[turn]
    return Draft(
        f"{deck.asked}, how many {deck.unit} does the chart show for {site.name}?", str(site.count), (site.bar,)
    )


def count_by_leader(deck: Deck, turn: int) -> Draft:
    site = deck.sites[turn]
    question = f"{deck.asked}, how many {deck.unit} does the {deck.thing} led by {site.leader} have?"
    return Draft(question, str(site.count), (site.led, site.bar))


def budget_of_most(deck: Deck, turn: int) -> Draft:
    site = max(deck.sites, key=lambda item: item.count)
    question = f"{deck.asked}, what is the budget of the {deck.thing} with the most {deck.unit}?"
    return Draft(question, f"{site.budget} thousand crowns", (site.bar, site.row))


def plan_of_richest(deck: Deck, turn: int) -> Draft:
    site = max(deck.sites, key=lambda item: item.budget)
    question = f"{deck.asked}, what does the {deck.thing} with the largest budget get?"
    return Draft(question, site.gift, (site.row, site.plan))


def plan(deck: Deck, turn: int) -> Draft:
    site = deck.sites[turn]
    return Draft(f"{deck.asked}, what is planned for {site.name}?", site.gift, (site.plan,))


def staff(deck: Deck, turn: int) -> Draft:
    site = deck.sites[turn]
    return Draft(f"{deck.asked}, how many people are on the staff of {site.name}?", str(site.staff), (site.row,))


def speaker(deck: Deck, turn: int) -> Draft:
    place = Place("speaker", "text", (deck.speaker,))
    return Draft(f"Who gave the talk with the slides on {deck.title.lower()}?", deck.speaker, (place,))


PLAN = (
    *(bar, count_by_leader, budget_of_most, plan_of_richest, plan),
    *(count_by_leader, budget_of_most, speaker, staff, plan_of_richest),
    *(bar, plan),
)
