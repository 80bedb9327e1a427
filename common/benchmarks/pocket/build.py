"""Builds the world from a seed: who lives where, who drove what, who won."""

from __future__ import annotations

import random
from dataclasses import replace

from common.benchmarks.pocket import lexicon as lx
from common.benchmarks.pocket.build_games import add_awards, add_competitions
from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket.world import Album, Film, Person, Town, World

# Documents per kind in the full corpus of 128; other sizes keep the proportions.
SHARES: dict[str, int] = {
    "town": 18,
    "actor": 12,
    "driver": 12,
    "musician": 10,
    "film": 18,
    "album": 12,
    "club": 14,
    "edition": 18,
    "series": 3,
    "award": 4,
    "season": 7,
}
# First and last year of birth of a role.
_BORN = {"actor": (1915, 1936), "driver": (1926, 1945), "musician": (1920, 1938)}


def counts_for(documents: int) -> dict[str, int]:
    """Documents of each kind, at least one of each, summing to `documents`. Raises ValueError outside 16..256."""
    if not 16 <= documents <= 256:
        raise ValueError(f"documents={documents}: there are names for 16 to 256 documents; choose in that range")
    total = sum(SHARES.values())
    exact = {kind: share * documents / total for kind, share in SHARES.items()}
    counts = {kind: max(1, int(value)) for kind, value in exact.items()}
    by_need = sorted(SHARES, key=lambda kind: (counts[kind] - exact[kind], kind))
    step = 0
    while sum(counts.values()) != documents:
        short = sum(counts.values()) < documents
        kind = (by_need if short else by_need[::-1])[step % len(by_need)]
        step += 1
        if short or counts[kind] > 1:
            counts[kind] += 1 if short else -1
    return counts


def build_world(seed: int, documents: int = 128) -> World:
    """The whole world as facts; the same seed and size give the same world on any machine.

    Everything is drawn from one stream in the order it is written in: fields that change places change the world.
    """
    counts = counts_for(documents)
    rng = random.Random(f"world-{seed}-{documents}")
    names = NameForge(seed)
    world = World(seed)
    _add_towns(world, counts["town"], rng, names)
    add_competitions(world, counts, rng, names, _add_people)
    _add_films(world, counts["film"], rng, names)
    _fill_filmographies(world, rng, names)
    add_awards(world, counts["award"], rng, names)
    _add_albums(world, counts["album"], rng, names)
    return world


def _add_towns(world: World, count: int, rng: random.Random, names: NameForge) -> None:
    industries = _spread(lx.INDUSTRIES, count, rng)
    animals = _spread(lx.ANIMALS, count, rng)
    previous = ""
    for index in range(count):
        # Every sixth town is a namesake of its neighbour: a distractor for title matching.
        name = f"Upper {previous}" if index % 6 == 5 else names.place()
        previous = name
        census, mayors, twins = _census(rng), _mayors(rng, names), _twins(rng, names)
        world.towns[name] = Town(
            name=name,
            region=rng.choice(lx.REGIONS),
            river=names.river(),
            elevation=rng.randint(4, 640),
            area=f"{rng.randint(8, 95)}.{rng.randint(1, 9)}",
            founder=names.person(),
            charter=rng.randint(1124, 1611),
            industry=industries[index],
            animal=animals[index],
            festival_month=rng.choice(lx.MONTHS),
            bridge_builder=names.person(),
            hall_architect=names.person(),
            census=census,
            motto=names.motto(),
            route=rng.randint(12, 98),
            mayors=mayors,
            twins=twins,
            twins_as_image=bool(index % 2),
        )


def _spread(words: tuple[str, ...], count: int, rng: random.Random) -> list[str]:
    """`count` of the words in any order."""
    pool = list(words) * (count // len(words) + 1)
    rng.shuffle(pool)
    return pool[:count]


def _census(rng: random.Random) -> tuple[tuple[int, int], ...]:
    """(year, inhabitants) every ten years."""
    people, census = rng.randint(38, 210) * 100 + rng.randint(1, 99), []
    for year in (1921, 1931, 1941, 1951, 1961, 1971):
        census.append((year, people))
        people = int(people * rng.uniform(0.86, 1.28)) + rng.randint(1, 9)
    return tuple(census)


def _mayors(rng: random.Random, names: NameForge) -> tuple[tuple[str, int, int], ...]:
    """Six mayors (name, first year, last year), each taking over from the one before."""
    start, mayors = rng.randint(1938, 1945), []
    for _ in range(6):
        end = start + rng.randint(3, 8)
        mayors.append((names.person(), start, end))
        start = end
    return tuple(mayors)


def _twins(rng: random.Random, names: NameForge) -> tuple[tuple[str, str, int], ...]:
    """Four twin towns (town, country, since) in order of years."""
    years = sorted(rng.sample(range(1951, 1989), 4))
    return tuple((names.place(), rng.choice(lx.COUNTRIES), year) for year in years)


def _add_people(world: World, counts: dict[str, int], rng: random.Random, names: NameForge) -> None:
    clubs = list(world.clubs)
    rng.shuffle(clubs)
    for role in ("actor", "driver", "musician"):
        for index in range(counts[role]):
            person = _person(world, role, index, clubs, rng, names)
            world.people[person.name] = person


def _person(world: World, role: str, index: int, clubs: list[str], rng: random.Random, names: NameForge) -> Person:
    """The `index`th person of a role; a club that makes them its honorary president is taken off `clubs`."""
    earlier = list(world.people.values())
    # Every third person shares a family name with an earlier one: a distractor of similar name.
    name = names.person(rng.choice(earlier).surname if earlier and index % 3 == 2 else None)
    family, trade = rng.choice([(family, trade) for family, trades in lx.TRADES.items() for trade in trades])
    number = {"actor": rng.randint(2, 19), "driver": rng.randint(3, 99), "musician": 0}[role]
    lettering = _lettering(role, number, names)
    return Person(
        name=name,
        role=role,
        woman=rng.random() < 0.5,
        born=rng.randint(*_BORN[role]),
        birth_day=f"{rng.randint(1, 28)} {rng.choice(lx.MONTHS)}",
        birthplace=rng.choice(list(world.towns)),
        height=rng.randint(158, 194),
        trade=trade,
        trade_family=family,
        teacher=names.person(),
        pastime=rng.choice(lx.PASTIMES),
        spouse=names.person(),
        debut_at=names.surname(),
        honorary_club=clubs.pop() if clubs and role != "driver" and rng.random() < 0.6 else "",
        picture_colour=rng.choice(list(lx.COLOURS)),
        lettering=lettering,
        number=number,
        career=_career(role, rng, names),
    )


def _lettering(role: str, number: int, names: NameForge) -> str:
    if role == "actor":
        return f"STAGE {number}"
    return names.sponsor() if role == "driver" else names.banner()


def _career(role: str, rng: random.Random, names: NameForge) -> tuple[tuple[str, ...], ...]:
    """A driver's seasons, a musician's singles; an actor's films are filled in once there are any."""
    if role == "driver":
        teams = rng.sample(lx.TEAMS, 4)
        points = rng.sample(range(6, 78), 8)
        return tuple(
            (str(1967 + i), teams[i // 2], str(rng.randint(6, 14)), str(rng.randint(0, 3)), str(points[i]))
            for i in range(8)
        )
    if role == "musician":
        peaks, years = rng.sample(range(1, 40), 7), sorted(rng.sample(range(1956, 1980), 7))
        return tuple((str(years[i]), names.song(), rng.choice(lx.LABELS), str(peaks[i])) for i in range(7))
    return ()


def _add_films(world: World, count: int, rng: random.Random, names: NameForge) -> None:
    last = ""
    for index in range(count):
        # Every fifth film is a remake under the same title: a distractor told apart by the year alone.
        title, year = (last, rng.randint(1969, 1978)) if index % 5 == 4 else (names.film(), rng.randint(1954, 1967))
        last = title
        cast, admissions = _cast(world, rng, names), _admissions(rng)
        film = Film(
            title=title,
            year=year,
            director=names.person(),
            composer=rng.choice([person.name for person in world.of_role("musician")]),
            town=rng.choice(list(world.towns)),
            company=rng.choice(lx.COMPANIES),
            runtime=rng.randint(78, 164),
            editor=names.person(),
            story_trade=rng.choice([trade for trades in lx.TRADES.values() for trade in trades]),
            cast=cast,
            tagline=names.tagline(),
            motif=rng.choice(lx.MOTIFS),
            motif_count=rng.randint(3, 8),
            colour=rng.choice(list(lx.COLOURS)),
            admissions=admissions,
        )
        world.films[film.page_title] = film


def _cast(world: World, rng: random.Random, names: NameForge) -> tuple[tuple[str, str, str], ...]:
    """Five (actor, role, billing); actors without a page where the world has too few."""
    actors = [person.name for person in world.of_role("actor")]
    chosen = rng.sample(actors, min(5, len(actors)))
    chosen += [names.person() for _ in range(5 - len(chosen))]
    return tuple(zip(chosen, rng.sample(lx.ROLES, 5), lx.BILLINGS, strict=True))


def _admissions(rng: random.Random) -> tuple[int, ...]:
    """Thousands a week for six weeks, mostly falling."""
    week, admissions = rng.randint(180, 420), []
    for _ in range(6):
        admissions.append(week)
        week = max(11, int(week * rng.uniform(0.6, 1.12)))
    return tuple(admissions)


def _fill_filmographies(world: World, rng: random.Random, names: NameForge) -> None:
    """Selected filmographies: a third of an actor's documented films and some that have no page.

    The others are what bridge questions use, since the actor's page then does not hold the film's title.
    """
    for actor in world.of_role("actor"):
        parts = [
            (film.year, film.title, role)
            for film in world.films.values()
            for name, role, _ in film.cast
            if name == actor.name
        ]
        listed = rng.sample(parts, len(parts) // 3)
        listed += [(rng.randint(1955, 1979), names.film(), rng.choice(lx.ROLES)) for _ in range(7 - len(listed))]
        notes = ("", "Also co-writer", "Uncredited", "", "Television film")
        rows = tuple((str(year), title, role, rng.choice(notes)) for year, title, role in sorted(listed))
        world.people[actor.name] = replace(actor, career=rows)


def _add_albums(world: World, count: int, rng: random.Random, names: NameForge) -> None:
    musicians = [person.name for person in world.of_role("musician")]
    for _ in range(count):
        artist = rng.choice(musicians)
        producers = [name for name in musicians if name != artist] or [names.person()]
        writers = [artist, names.person(), names.person()]
        tracks = tuple(
            (names.song(), rng.choice(writers), f"{rng.randint(2, 6)}:{rng.randint(3, 57):02d}") for _ in range(8)
        )
        label = rng.choice(lx.LABELS)
        album = Album(
            title=names.album(),
            artist=artist,
            year=rng.randint(1960, 1979),
            producer=rng.choice(producers),
            town=rng.choice(list(world.towns)),
            label=label,
            engineer=names.person(),
            catalogue=f"{label[:2].upper()} {rng.randint(1001, 9899)}",
            colour=rng.choice(list(lx.COLOURS)),
            motif=rng.choice(lx.MOTIFS),
            motif_count=rng.randint(3, 8),
            tracks=tracks,
        )
        world.albums[album.page_title] = album
