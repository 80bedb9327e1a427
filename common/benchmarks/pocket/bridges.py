"""Descriptions that lead from one document to another without naming the second."""

from __future__ import annotations

from dataclasses import replace

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.draft import Bridge, Gold
from common.benchmarks.pocket.facts_games import ORDINALS
from common.benchmarks.pocket.world import World


def name_of(world: World, kind: str, key: str) -> str:
    """How a question names an entity, with what tells it from its namesakes."""
    match kind:
        case "film":
            return f"the {world.films[key].year} film {world.films[key].title}"
        case "album":
            return f"the {world.albums[key].year} album {world.albums[key].title}"
        case "driver" | "actor" | "musician":
            return f"the {'racing driver' if kind == 'driver' else 'singer' if kind == 'musician' else 'actor'} {key}"
        case "edition" | "season" | "award":
            return f"the {key}"
        case "series":
            return f"the {world.series[key].name}"
    return key


def _to_person(world: World, key: str, phrase: str, target: str, gold: Gold, modality: str) -> list[Bridge]:
    person = world.people.get(target)
    return [Bridge(key, phrase, person.role, target, (gold,), modality, (slug(target),))] if person else []


def table_bridges(world: World) -> list[Bridge]:
    """Bridges read off a table: a finisher, a part in a cast, a place in a league, a prize."""
    found: list[Bridge] = []
    for edition in world.editions.values():
        gold = Gold(slug(edition.title), "results", "table", edition.results_as_image)
        for row in edition.results[1:]:
            deed = (
                f"finished {ORDINALS[int(row[0]) - 1]} in"
                if row[0] != "Ret"
                else f'retired with the reason "{row[5]}" in'
            )
            found += _to_person(world, "result", f"the driver who {deed} the {edition.title}", row[2], gold, "TableQ")
            if row[5] in ("+1 lap", "+2 laps"):
                found += _to_person(
                    world,
                    "laps",
                    f"the driver with a time/retired of {row[5]} in the {edition.title}",
                    row[2],
                    gold,
                    "TableQ",
                )
    for film in world.films.values():
        gold = Gold(slug(film.page_title), "cast", "table")
        for actor, role, _ in film.cast:
            found += _to_person(
                world,
                "role",
                f"the actor who played {role} in the {film.year} film {film.title}",
                actor,
                gold,
                "TableQ",
            )
    for season in world.seasons.values():
        gold = Gold(slug(season.title), "table", "table")
        for row in season.table[:6]:
            phrase = f"the club that finished {ORDINALS[int(row[0]) - 1]} in the {season.title}"
            found.append(Bridge("league", phrase, "club", row[1], (gold,), "TableQ", (slug(row[1]),)))
    titles = [film.title for film in world.films.values()]
    for award in world.awards.values():
        gold = Gold(slug(award.name), "winners", "table")
        for row in award.winners:
            found += _to_person(
                world, "recipient", f"the actor who received the {award.name} in {row[0]}", row[2], gold, "TableQ"
            )
            page = f"{row[1]} ({int(row[0]) - 1} film)"
            if page in world.films and titles.count(row[1]) == 1:
                phrase = f"the film honoured by the {award.name} in {row[0]}"
                found.append(Bridge("prize", phrase, "film", page, (gold,), "TableQ", (slug(page),)))
    for series in world.series.values():
        gold = Gold(slug(series.title), "winners", "table")
        for row in series.winners:
            if f"{row[0]} {series.name}" in world.editions:
                continue  # the edition's own page would be a second source
            found += _to_person(
                world, "winner", f"the driver who won the {series.name} in {row[0]}", row[1], gold, "TableQ"
            )
    return found


def text_bridges(world: World) -> list[Bridge]:
    """Bridges stated in prose: where a film was shot, who composed it, where somebody was born."""
    found: list[Bridge] = []
    for film in world.films.values():
        gold = Gold(slug(film.page_title), "production", "text")
        name = name_of(world, "film", film.page_title)
        found.append(
            Bridge("shot", f"the town where {name} was shot", "town", film.town, (gold,), "TextQ", (slug(film.town),))
        )
        found += _to_person(world, "composer", f"the composer of the score of {name}", film.composer, gold, "TextQ")
    for album in world.albums.values():
        gold = Gold(slug(album.page_title), "recording", "text")
        name = name_of(world, "album", album.page_title)
        found.append(
            Bridge(
                "recorded",
                f"the town where {name} was recorded",
                "town",
                album.town,
                (gold,),
                "TextQ",
                (slug(album.town),),
            )
        )
        found += _to_person(world, "producer", f"the producer of {name}", album.producer, gold, "TextQ")
    for edition in world.editions.values():
        phrase = f"the town that hosted the {edition.title}"
        found.append(
            Bridge(
                "host",
                phrase,
                "town",
                edition.town,
                (Gold(slug(edition.title), "lead", "text"),),
                "TextQ",
                (slug(edition.town),),
            )
        )
    for person in world.people.values():
        name = name_of(world, person.role, person.name)
        phrase, gold = f"the town where {name} was born", Gold(slug(person.name), "lead", "text")
        found.append(Bridge("born", phrase, "town", person.birthplace, (gold,), "TextQ", (slug(person.birthplace),)))
        if person.honorary_club:
            phrase, gold = f"the club of which {name} is honorary president", Gold(slug(person.name), "private", "text")
            found.append(
                Bridge(
                    "president", phrase, "club", person.honorary_club, (gold,), "TextQ", (slug(person.honorary_club),)
                )
            )
    return found


def lettering_bridges(world: World) -> list[tuple[Bridge, str]]:
    """Entities told by what their picture says, with the quoted lettering."""
    found: list[tuple[Bridge, str]] = []
    for film in world.films.values():
        doc = slug(film.page_title)
        phrase = f'the film whose poster says "{film.tagline.title()}"'
        found.append(
            (
                Bridge(
                    "tagline",
                    phrase,
                    "film",
                    film.page_title,
                    (Gold(doc, "poster", "image", True),),
                    "ImageListQ",
                    (doc,),
                ),
                film.tagline,
            )
        )
    for album in world.albums.values():
        doc = slug(album.page_title)
        phrase = f"the album whose cover bears the catalogue number {album.catalogue}"
        found.append(
            (
                Bridge(
                    "catalogue",
                    phrase,
                    "album",
                    album.page_title,
                    (Gold(doc, "cover", "image", True),),
                    "ImageListQ",
                    (doc,),
                ),
                album.catalogue,
            )
        )
    for person in world.people.values():
        if person.role == "actor":
            continue
        doc = slug(person.name)
        phrase = (
            f'the driver pictured in a car with the words "{person.lettering.title()}"'
            if person.role == "driver"
            else f'the singer pictured under a banner that says "{person.lettering.title()}"'
        )
        found.append(
            (
                Bridge(
                    "lettering",
                    phrase,
                    person.role,
                    person.name,
                    (Gold(doc, "picture", "image", True),),
                    "ImageListQ",
                    (doc,),
                ),
                person.lettering,
            )
        )
    return found


def chained(world: World) -> list[tuple[Bridge, str]]:
    """Lettering first, prose second: the birthplace of the driver whose car says so. Two documents, neither named."""
    by_start: dict[str, list[Bridge]] = {}
    for bridge in text_bridges(world):
        by_start.setdefault(bridge.gold[0].document_id, []).append(bridge)
    found: list[tuple[Bridge, str]] = []
    for first, lettering in lettering_bridges(world):
        plain = name_of(world, first.target_kind, first.target)
        for second in by_start.get(first.hidden[0], []):
            phrase = second.phrase.replace(plain, first.phrase)
            found.append(
                (
                    replace(
                        second,
                        key=f"{first.key}+{second.key}",
                        phrase=phrase,
                        gold=first.gold + second.gold,
                        modality="ImageListQ",
                        hidden=first.hidden + second.hidden,
                    ),
                    lettering,
                )
            )
    return found
