"""Descriptions that lead from one document to another without naming the second."""

from __future__ import annotations

from dataclasses import replace

from common.benchmarks.pocket.draft import Bridge, Gold, Page
from common.benchmarks.pocket.facts_games import ORDINALS
from common.benchmarks.pocket.world import Album, Award, Edition, Film, Person, Season, Series, World

_CALLED = {"driver": "racing driver", "musician": "singer", "actor": "actor"}
_MODALITY = {"text": "TextQ", "table": "TableQ", "image": "ImageListQ"}


def name_of(world: World, kind: str, key: str) -> str:
    """How a question names an entity, with what tells it from its namesakes."""
    match kind:
        case "film":
            return f"the {world.films[key].year} film {world.films[key].title}"
        case "album":
            return f"the {world.albums[key].year} album {world.albums[key].title}"
        case "driver" | "actor" | "musician":
            return f"the {_CALLED[kind]} {key}"
        case "edition" | "season" | "award":
            return f"the {key}"
        case "series":
            return f"the {world.series[key].name}"
    return key


def _bridge(key: str, phrase: str, kind: str, target: str, gold: Gold, lettering: tuple[str, ...] = ()) -> Bridge:
    """A bridge of one step; its modality is that of the place it is read off."""
    return Bridge(key, phrase, kind, target, (gold,), _MODALITY[gold.kind], (Page.of(target).document_id,), lettering)


def _to_person(world: World, key: str, phrase: str, target: str, gold: Gold) -> list[Bridge]:
    """A bridge to a person, where they have a page."""
    person = world.people.get(target)
    return [_bridge(key, phrase, person.role, target, gold)] if person else []


def table_bridges(world: World) -> list[Bridge]:
    """Bridges read off a table: a finisher, a part in a cast, a place in a league, a prize, a winner."""
    return [
        *(bridge for edition in world.editions.values() for bridge in _finishers(world, edition)),
        *(bridge for film in world.films.values() for bridge in _cast(world, film)),
        *(bridge for season in world.seasons.values() for bridge in _league(season)),
        *(bridge for award in world.awards.values() for bridge in _prizes(world, award)),
        *(bridge for series in world.series.values() for bridge in _winners(world, series)),
    ]


def _finishers(world: World, edition: Edition) -> list[Bridge]:
    """Drivers by their place or reason of retirement, and by the laps they were behind where few were."""
    gold = Page.of(edition.title).table("results", drawn=edition.results_as_image)
    found: list[Bridge] = []
    for place, _, driver, _, _, outcome in edition.results[1:]:
        retired = f'retired with the reason "{outcome}" in'
        deed = retired if place == "Ret" else f"finished {ORDINALS[int(place) - 1]} in"
        found += _to_person(world, "result", f"the driver who {deed} the {edition.title}", driver, gold)
        if outcome in ("+1 lap", "+2 laps"):
            phrase = f"the driver with a time/retired of {outcome} in the {edition.title}"
            found += _to_person(world, "laps", phrase, driver, gold)
    return found


def _cast(world: World, film: Film) -> list[Bridge]:
    gold, name = Page.of(film.page_title).table("cast"), name_of(world, "film", film.page_title)
    return [
        bridge
        for actor, role, _ in film.cast
        for bridge in _to_person(world, "role", f"the actor who played {role} in {name}", actor, gold)
    ]


def _league(season: Season) -> list[Bridge]:
    gold = Page.of(season.title).table("table")
    return [
        _bridge(
            "league", f"the club that finished {ORDINALS[int(place) - 1]} in the {season.title}", "club", club, gold
        )
        for place, club, *_ in season.table[:6]
    ]


def _prizes(world: World, award: Award) -> list[Bridge]:
    """Those an award went to, and its films where no other film has the title."""
    gold = Page.of(award.name).table("winners")
    titles = [film.title for film in world.films.values()]
    found: list[Bridge] = []
    for year, title, actor, _ in award.winners:
        found += _to_person(world, "recipient", f"the actor who received the {award.name} in {year}", actor, gold)
        film = f"{title} ({int(year) - 1} film)"
        if film in world.films and titles.count(title) == 1:
            found.append(_bridge("prize", f"the film honoured by the {award.name} in {year}", "film", film, gold))
    return found


def _winners(world: World, series: Series) -> list[Bridge]:
    """Winners of the years without a page: an edition's own page would be a second source."""
    gold = Page.of(series.title).table("winners")
    return [
        bridge
        for year, driver, *_ in series.winners
        if f"{year} {series.name}" not in world.editions
        for bridge in _to_person(world, "winner", f"the driver who won the {series.name} in {year}", driver, gold)
    ]


def text_bridges(world: World) -> list[Bridge]:
    """Bridges stated in prose: where a film was shot, who composed it, where somebody was born."""
    return [
        *(bridge for film in world.films.values() for bridge in _production(world, film)),
        *(bridge for album in world.albums.values() for bridge in _recording(world, album)),
        *(_host(edition) for edition in world.editions.values()),
        *(bridge for person in world.people.values() for bridge in _life(world, person)),
    ]


def _production(world: World, film: Film) -> list[Bridge]:
    gold, name = Page.of(film.page_title).text("production"), name_of(world, "film", film.page_title)
    return [
        _bridge("shot", f"the town where {name} was shot", "town", film.town, gold),
        *_to_person(world, "composer", f"the composer of the score of {name}", film.composer, gold),
    ]


def _recording(world: World, album: Album) -> list[Bridge]:
    gold, name = Page.of(album.page_title).text("recording"), name_of(world, "album", album.page_title)
    return [
        _bridge("recorded", f"the town where {name} was recorded", "town", album.town, gold),
        *_to_person(world, "producer", f"the producer of {name}", album.producer, gold),
    ]


def _host(edition: Edition) -> Bridge:
    lead = Page.of(edition.title).text("lead")
    return _bridge("host", f"the town that hosted the {edition.title}", "town", edition.town, lead)


def _life(world: World, person: Person) -> list[Bridge]:
    """The birthplace, and the club whose honorary president somebody is."""
    page, name = Page.of(person.name), name_of(world, person.role, person.name)
    found = [_bridge("born", f"the town where {name} was born", "town", person.birthplace, page.text("lead"))]
    if person.honorary_club:
        phrase = f"the club of which {name} is honorary president"
        found.append(_bridge("president", phrase, "club", person.honorary_club, page.text("private")))
    return found


def lettering_bridges(world: World) -> list[Bridge]:
    """Entities told by what their picture says, in quotes."""
    return [
        *(_tagline(film) for film in world.films.values()),
        *(_catalogue(album) for album in world.albums.values()),
        *(_words_at(person) for person in world.people.values() if person.role != "actor"),
    ]


def _tagline(film: Film) -> Bridge:
    phrase, poster = f'the film whose poster says "{film.tagline.title()}"', Page.of(film.page_title).image("poster")
    return _bridge("tagline", phrase, "film", film.page_title, poster, (film.tagline,))


def _catalogue(album: Album) -> Bridge:
    phrase = f"the album whose cover bears the catalogue number {album.catalogue}"
    cover = Page.of(album.page_title).image("cover")
    return _bridge("catalogue", phrase, "album", album.page_title, cover, (album.catalogue,))


def _words_at(person: Person) -> Bridge:
    """A driver by the words on the car, a musician by those on the banner."""
    words = person.lettering.title()
    in_car = f'the driver pictured in a car with the words "{words}"'
    under_banner = f'the singer pictured under a banner that says "{words}"'
    phrase, picture = in_car if person.role == "driver" else under_banner, Page.of(person.name).image("picture")
    return _bridge("lettering", phrase, person.role, person.name, picture, (person.lettering,))


def chained(world: World) -> list[Bridge]:
    """Lettering first, prose second: the birthplace of the driver whose car says so. Two documents, neither named."""
    by_start: dict[str, list[Bridge]] = {}
    for bridge in text_bridges(world):
        by_start.setdefault(bridge.gold[0].document_id, []).append(bridge)
    return [
        _chain(first, second, name_of(world, first.target_kind, first.target))
        for first in lettering_bridges(world)
        for second in by_start.get(first.hidden[0], [])
    ]


def _chain(first: Bridge, second: Bridge, name: str) -> Bridge:
    """`second` with the description of `first` in place of the name it starts from."""
    return replace(
        second,
        key=f"{first.key}+{second.key}",
        phrase=second.phrase.replace(name, first.phrase),
        gold=first.gold + second.gold,
        modality=first.modality,
        hidden=first.hidden + second.hidden,
        lettering=first.lettering,
    )
