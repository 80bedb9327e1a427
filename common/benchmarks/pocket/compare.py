"""Compare and Intersect questions: two values set side by side, or a table's rows filtered by other pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from common.benchmarks.pocket.bridges import lettering_bridges, name_of, text_bridges
from common.benchmarks.pocket.draft import Bridge, Draft, Gold, Page, modalities_of
from common.benchmarks.pocket.world import Person, World

_COMPARE_TEXT = "Compare(TableQ,Compose(TableQ,TextQ))"
_COMPARE_IMAGE = "Compare(Compose(TableQ,ImageQ),TableQ)"
_INTERSECT_TEXT = "Intersect(TableQ,TextQ)"
_INTERSECT_IMAGE = "Intersect(ImageListQ,TableQ)"
_PLURAL = {"is": "are", "was": "were", "had": "had"}
_TRADES = {
    "woodworking": "a woodworking trade",
    "metalworking": "a metalworking trade",
    "food": "the food trade",
    "book": "the book trade",
}


@dataclass(frozen=True)
class _Wording:
    """A question with slots {a} and {b}; most ask for the larger value."""

    text: str
    asks_smaller: bool = False


@dataclass(frozen=True)
class _Scale:
    """An attribute two entities of a kind are compared by; `values` by entity key, read off the table at `anchor`."""

    kind: str
    values: dict[str, float]
    wordings: tuple[_Wording, ...]
    anchor: str = "infobox"


def _scales(world: World) -> list[_Scale]:
    """Elevation and area, height, size of a ground, running time, points of three seasons."""
    return [
        _Scale(
            "town",
            {town.name: town.elevation for town in world.towns.values()},
            (
                _Wording("Which lies higher above sea level, {a} or {b}?"),
                _Wording("Which town has the greater elevation: {a} or {b}?"),
            ),
        ),
        _Scale(
            "town",
            {town.name: float(town.area) for town in world.towns.values()},
            (
                _Wording("Which covers the larger area, {a} or {b}?"),
                _Wording("Which of the two is smaller in area, {a} or {b}?", asks_smaller=True),
            ),
        ),
        _Scale(
            "musician",
            {person.name: person.height for person in world.of_role("musician")},
            (_Wording("Who is taller, {a} or {b}?"), _Wording("Who is the taller of the two: {a} or {b}?")),
        ),
        _Scale(
            "club",
            {club.name: club.capacity for club in world.clubs.values()},
            (_Wording("Whose ground holds more spectators, that of {a} or that of {b}?"),),
        ),
        _Scale(
            "film",
            {key: film.runtime for key, film in world.films.items()},
            (
                _Wording("Which film runs longer, {a} or {b}?"),
                _Wording("Which has the longer running time: {a} or {b}?"),
            ),
        ),
        *(_points(world, year) for year in (1969, 1971, 1973)),
    ]


def _points(world: World, year: int) -> _Scale:
    """The points of every driver in one season."""
    values = {
        driver.name: float(next(points for season, _, _, _, points in driver.career if season == str(year)))
        for driver in world.of_role("driver")
    }
    wording = _Wording(f"Who scored more points in the {year} championship season, {{a}} or {{b}}?")
    return _Scale("driver", values, (wording,), "career")


def compare_drafts(world: World, rng: random.Random) -> list[Draft]:
    """A named entity against one described by prose or by the lettering of a picture."""
    scales = _scales(world)
    drafts: list[Draft] = []
    for bridge in (*text_bridges(world), *lettering_bridges(world)):
        for scale in scales:
            others = [key for key in scale.values if key != bridge.target]
            if scale.kind != bridge.target_kind or not others:
                continue
            for other in rng.sample(others, min(2, len(others))):
                if scale.values[other] != scale.values[bridge.target]:
                    drafts.append(_compare(world, bridge, scale, other, rng))
    return drafts


def _compare(world: World, bridge: Bridge, scale: _Scale, other: str, rng: random.Random) -> Draft:
    """The target of `bridge` against `other`, which differs from it in value."""
    wording = rng.choice(scale.wordings)
    named = name_of(world, scale.kind, other)
    first, second = (named, bridge.phrase) if rng.random() < 0.6 else (bridge.phrase, named)
    winner = (min if wording.asks_smaller else max)(bridge.target, other, key=scale.values.__getitem__)
    kind = _COMPARE_IMAGE if bridge.modality == "ImageListQ" else _COMPARE_TEXT
    return Draft(
        recipe=(f"compare.{scale.kind}.{scale.anchor}", bridge.key, "hidden" if winner == bridge.target else "named"),
        question_type=kind,
        modalities=modalities_of(kind),
        hops=bridge.steps + 2,
        question=wording.text.replace("{a}", first).replace("{b}", second),
        answers=(world.films[winner].title if scale.kind == "film" else winner,),
        gold=(*bridge.gold, *(Page.of(key).table(scale.anchor) for key in (bridge.target, other))),
        hidden=bridge.hidden,
        answer_gold=(Page.of(winner).table("infobox"),),
        lettering=bridge.lettering,
    )


@dataclass(frozen=True)
class _Group:
    """Rows of a table that all have pages. `one` and `several` open a question for that many of them."""

    one: str
    several: str
    gold: Gold
    names: tuple[str, ...]


def _groups(world: World) -> list[_Group]:
    groups: list[_Group] = []
    for edition in world.editions.values():
        asked = f"Which of the first six finishers of the {edition.title}"
        results = Page.of(edition.title).table("results", drawn=edition.results_as_image)
        groups.append(_Group(asked, asked, results, tuple(driver for _, _, driver, *_ in edition.results[:6])))
    for film in world.films.values():
        name, cast = name_of(world, "film", film.page_title), Page.of(film.page_title).table("cast")
        actors = tuple(actor for actor, _, _ in film.cast)
        groups.append(_Group(f"Which cast member of {name}", f"Which cast members of {name}", cast, actors))
    return [group for group in groups if all(name in world.people for name in group.names)]


@dataclass(frozen=True)
class _Condition:
    """What some people meet, as the lead of their page states or, where `drawn`, its picture shows.

    `verb` is the singular and `text` what follows it; `visual` marks what no OCR can read.
    """

    key: str
    verb: str
    text: str
    holds: Callable[[Person], bool]
    drawn: bool = False
    visual: bool = False

    def gold(self, page: Page) -> Gold:
        """Where the page of a person shows it."""
        return page.image("picture") if self.drawn else page.text("lead")


def _conditions(role: str, rng: random.Random) -> list[_Condition]:
    """All that people of a role can be asked for: trade, year of birth, picture."""
    return [*map(_apprenticed, _TRADES), *_born(rng), *(_raced(rng) if role == "driver" else _staged(rng))]


def _apprenticed(family: str) -> _Condition:
    return _Condition("trade", "had", f"been apprenticed in {_TRADES[family]}", lambda p: p.trade_family == family)


def _born(rng: random.Random) -> list[_Condition]:
    year = rng.choice((1922, 1925, 1928, 1931, 1934, 1937, 1940))
    return [
        _Condition("born", "was", f"born before {year}", lambda p: p.born < year),
        _Condition("born", "was", f"born after {year}", lambda p: p.born > year),
    ]


def _raced(rng: random.Random) -> list[_Condition]:
    """Number and colour of the car in a driver's picture."""
    line = rng.choice((30, 50, 70))
    colour = rng.choice(("red", "blue", "green", "yellow"))
    number = f"pictured in a car with a number above {line}"
    return [
        _Condition("number", "is", number, lambda p: p.number > line, drawn=True),
        _Condition(
            "colour", "is", f"pictured in a {colour} car", lambda p: p.picture_colour == colour, drawn=True, visual=True
        ),
    ]


def _staged(rng: random.Random) -> list[_Condition]:
    """The number on the door in an actor's picture."""
    line = rng.choice((5, 8, 11))
    stage = f"pictured at a door with a stage number below {line}"
    return [_Condition("stage", "is", stage, lambda p: p.number < line, drawn=True)]


def intersect_drafts(world: World, rng: random.Random) -> list[Draft]:
    """Which rows of a table also meet a condition stated on pages that the question does not name."""
    drafts: list[Draft] = []
    for group in _groups(world):
        people = [world.people[name] for name in group.names]
        for condition in _conditions(people[0].role, rng):
            chosen = tuple(person.name for person in people if condition.holds(person))
            if 1 <= len(chosen) <= 3:
                drafts.append(_intersect(group, condition, chosen))
    return drafts


def _intersect(group: _Group, condition: _Condition, chosen: tuple[str, ...]) -> Draft:
    """Which of `group` meet `condition`: `chosen`."""
    one = len(chosen) == 1
    asked, verb = (group.one, condition.verb) if one else (group.several, _PLURAL[condition.verb])
    kind = _INTERSECT_IMAGE if condition.drawn else _INTERSECT_TEXT
    pages = [Page.of(name) for name in chosen]
    return Draft(
        recipe=(f"intersect.{condition.key}", group.gold.anchor, "one" if one else "list"),
        question_type=kind,
        modalities=modalities_of(kind),
        hops=2,
        question=f"{asked} {verb} {condition.text}?",
        answers=chosen,
        gold=(group.gold, *map(condition.gold, pages)),
        hidden=tuple(page.document_id for page in pages),
        answer_gold=tuple(page.text("lead") for page in pages),
        visual=condition.visual,
    )
