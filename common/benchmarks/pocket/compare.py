"""Compare and Intersect questions: two values set side by side, or a table's rows filtered by other pages."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.bridges import lettering_bridges, name_of, text_bridges
from common.benchmarks.pocket.draft import Bridge, Draft, Gold, modalities_of
from common.benchmarks.pocket.world import World

_BY_TEXT = "Compare(TableQ,Compose(TableQ,TextQ))"
_BY_IMAGE = "Compare(Compose(TableQ,ImageQ),TableQ)"
_BY_TRADE = "Intersect(TableQ,TextQ)"
_BY_PICTURE = "Intersect(ImageListQ,TableQ)"


@dataclass(frozen=True)
class _Scale:
    """An attribute two entities of a kind are compared by. `values` by entity key; wordings have slots {a} and {b}."""

    kind: str
    wordings: tuple[str, ...]
    values: dict[str, float]
    anchor: str


def _scales(world: World) -> list[_Scale]:
    def people(role: str) -> dict[str, float]:
        return {person.name: person.height for person in world.of_role(role)}

    tall = ("Who is taller, {a} or {b}?", "Who is the taller of the two: {a} or {b}?")
    scales = [
        _Scale(
            "town",
            ("Which lies higher above sea level, {a} or {b}?", "Which town has the greater elevation: {a} or {b}?"),
            {town.name: town.elevation for town in world.towns.values()},
            "infobox",
        ),
        _Scale(
            "town",
            ("Which covers the larger area, {a} or {b}?", "Which of the two is smaller in area, {a} or {b}?"),
            {town.name: float(town.area) for town in world.towns.values()},
            "infobox",
        ),
        _Scale("musician", tall, people("musician"), "infobox"),
        _Scale(
            "club",
            ("Whose ground holds more spectators, that of {a} or that of {b}?",),
            {club.name: club.capacity for club in world.clubs.values()},
            "infobox",
        ),
        _Scale(
            "film",
            ("Which film runs longer, {a} or {b}?", "Which has the longer running time: {a} or {b}?"),
            {key: film.runtime for key, film in world.films.items()},
            "infobox",
        ),
    ]
    for year in (1969, 1971, 1973):
        points = {
            p.name: float(next(row[4] for row in p.career if row[0] == str(year))) for p in world.of_role("driver")
        }
        scales.append(
            _Scale(
                "driver",
                (f"Who scored more points in the {year} championship season, {{a}} or {{b}}?",),
                points,
                "career",
            )
        )
    return scales


def compare_drafts(world: World, rng: random.Random) -> list[Draft]:
    """A named entity against one described by prose or by the lettering of a picture."""
    described: list[tuple[Bridge, str]] = [(bridge, "") for bridge in text_bridges(world)] + lettering_bridges(world)
    drafts: list[Draft] = []
    for bridge, lettering in described:
        for scale in _scales(world):
            others = [key for key in scale.values if key != bridge.target]
            if scale.kind != bridge.target_kind or not others:
                continue
            for other in rng.sample(others, min(2, len(others))):
                if scale.values[other] != scale.values[bridge.target]:
                    drafts.append(_compare(world, bridge, lettering, scale, other, rng))
    return drafts


def _compare(world: World, bridge: Bridge, lettering: str, scale: _Scale, other: str, rng: random.Random) -> Draft:
    wording = rng.choice(scale.wordings)
    smaller = "smaller" in wording
    larger = bridge.target if scale.values[bridge.target] > scale.values[other] else other
    winner = (other if larger == bridge.target else bridge.target) if smaller else larger
    named, phrase = name_of(world, scale.kind, other), bridge.phrase
    first, second = (named, phrase) if rng.random() < 0.6 else (phrase, named)
    kind = _BY_IMAGE if bridge.modality == "ImageListQ" else _BY_TEXT
    golds = (*bridge.gold, Gold(slug(bridge.target), scale.anchor, "table"), Gold(slug(other), scale.anchor, "table"))
    answer = world.films[winner].title if scale.kind == "film" else winner
    return Draft(
        (f"compare.{scale.kind}.{scale.anchor}", bridge.key, "hidden" if winner == bridge.target else "named"),
        kind,
        modalities_of(kind),
        bridge.steps + 2,
        wording.replace("{a}", first).replace("{b}", second),
        (answer,),
        golds,
        bridge.hidden,
        (Gold(slug(winner), "infobox", "table"),),
        (lettering,) if lettering else (),
    )


def _groups(world: World) -> list[tuple[str, str, Gold, list[str]]]:
    """Rows of a table that all have pages: (plural, singular, gold, names)."""
    groups: list[tuple[str, str, Gold, list[str]]] = []
    for edition in world.editions.values():
        names = [row[2] for row in edition.results[:6]]
        group = f"of the first six finishers of the {edition.title}"
        groups.append(
            (
                f"Which {group}",
                f"Which {group}",
                Gold(slug(edition.title), "results", "table", edition.results_as_image),
                names,
            )
        )
    for film in world.films.values():
        names = [actor for actor, _, _ in film.cast]
        name = name_of(world, "film", film.page_title)
        groups.append(
            (
                f"Which cast members of {name}",
                f"Which cast member of {name}",
                Gold(slug(film.page_title), "cast", "table"),
                names,
            )
        )
    return [group for group in groups if all(name in world.people for name in group[3])]


def intersect_drafts(world: World, rng: random.Random) -> list[Draft]:
    """Which rows of a table also meet a condition stated on pages that the question does not name."""
    drafts: list[Draft] = []
    for plural, singular, gold, names in _groups(world):
        people = [world.people[name] for name in names]
        for family in ("woodworking", "metalworking", "food", "book"):
            trade = f"a {family} trade" if family.endswith("working") else f"the {family} trade"
            chosen = [p.name for p in people if p.trade_family == family]
            drafts += _intersect(
                plural, singular, f"had been apprenticed in {trade}", "trade", gold, chosen, "lead", "text", _BY_TRADE
            )
        year = rng.choice((1922, 1925, 1928, 1931, 1934, 1937, 1940))
        for word, chosen in (
            ("before", [p.name for p in people if p.born < year]),
            ("after", [p.name for p in people if p.born > year]),
        ):
            drafts += _intersect(
                plural, singular, f"WAS born {word} {year}", "born", gold, chosen, "lead", "text", _BY_TRADE
            )
        if people[0].role == "driver":
            line = rng.choice((30, 50, 70))
            chosen = [p.name for p in people if p.number > line]
            drafts += _intersect(
                plural,
                singular,
                f"WAS pictured in a car with a number above {line}",
                "number",
                gold,
                chosen,
                "picture",
                "image",
                _BY_PICTURE,
            )
            colour = rng.choice(("red", "blue", "green", "yellow"))
            chosen = [p.name for p in people if p.picture_colour == colour]
            drafts += _intersect(
                plural,
                singular,
                f"WAS pictured in a {colour} car",
                "colour",
                gold,
                chosen,
                "picture",
                "image",
                _BY_PICTURE,
                visual=True,
            )
        else:
            line = rng.choice((5, 8, 11))
            chosen = [p.name for p in people if p.number < line]
            drafts += _intersect(
                plural,
                singular,
                f"WAS pictured at a door with a stage number below {line}",
                "stage",
                gold,
                chosen,
                "picture",
                "image",
                _BY_PICTURE,
            )
    return drafts


def _intersect(
    plural: str,
    singular: str,
    condition: str,
    key: str,
    gold: Gold,
    chosen: list[str],
    anchor: str,
    kind: str,
    question_type: str,
    *,
    visual: bool = False,
) -> list[Draft]:
    if not 1 <= len(chosen) <= 3:
        return []
    one = len(chosen) == 1
    tense = "is" if "pictured" in condition else "was"
    verb = condition.replace("WAS", tense if one else {"is": "are", "was": "were"}[tense])
    members = tuple(Gold(slug(name), anchor, kind, kind == "image") for name in chosen)
    return [
        Draft(
            (f"intersect.{key}", gold.anchor, "one" if one else "list"),
            question_type,
            modalities_of(question_type),
            2,
            f"{singular if one else plural} {verb}?",
            tuple(chosen),
            (gold, *members),
            tuple(slug(name) for name in chosen),
            tuple(Gold(slug(name), "lead", "text") for name in chosen),
            visual=visual,
        )
    ]
