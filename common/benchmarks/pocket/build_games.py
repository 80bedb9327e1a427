"""Builds what is competed for: clubs and league seasons, race editions and winners lists, film awards."""

from __future__ import annotations

import random
from collections.abc import Callable

from common.benchmarks.pocket import lexicon as lx
from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket.world import Award, Club, Edition, Season, Series, World

AddPeople = Callable[[World, dict[str, int], random.Random, NameForge], None]


def add_competitions(
    world: World, counts: dict[str, int], rng: random.Random, names: NameForge, add_people: AddPeople
) -> None:
    """Clubs, seasons, the people (who may chair clubs), races; awards are added by `add_awards` once films exist."""
    clubs = _club_names(world, counts["club"], rng)
    _add_seasons(world, counts["season"], [name for name, _ in clubs], rng, names)
    _add_clubs(world, clubs, rng, names)
    add_people(world, counts, rng, names)
    _add_races(world, counts["series"], counts["edition"], rng, names)


def _club_names(world: World, count: int, rng: random.Random) -> list[tuple[str, str]]:
    towns = list(world.towns)
    clubs: list[tuple[str, str]] = []
    for index in range(count):
        # Two clubs to a town, so that a club is not found by its town's name alone.
        town = towns[(index // 2) % len(towns)]
        taken = {name for name, _ in clubs}
        suffix = rng.choice([s for s in lx.CLUB_SUFFIXES if f"{town} {s}" not in taken])
        clubs.append((f"{town} {suffix}", town))
    return clubs


def _add_seasons(world: World, count: int, clubs: list[str], rng: random.Random, names: NameForge) -> None:
    league = f"{names.place()} League"
    for index in range(count):
        season = f"{1977 + index}-{(78 + index) % 100:02d}"
        chosen = rng.sample(clubs, min(8, len(clubs)))
        points = sorted(rng.sample(range(9, 27), len(chosen)), reverse=True)
        rows = []
        for place, (club, score) in enumerate(zip(chosen, points, strict=True), start=1):
            drawn = score % 2 + 2 * rng.randint(0, 1)
            won = (score - drawn) // 2
            rows.append((str(place), club, "14", str(won), str(drawn), str(14 - won - drawn), str(score)))
        goals = sorted(rng.sample(range(6, 24), 5), reverse=True)
        scorers = tuple((names.person(), rng.choice(chosen), str(goal)) for goal in goals)
        months = tuple(zip(("Sep", "Oct", "Nov", "Feb", "Mar", "Apr"), rng.sample(range(14, 64), 6), strict=True))
        item = Season(league, season, names.person(), rng.choice(lx.KIT_MAKERS), tuple(rows), scorers, months)
        world.seasons[item.title] = item


def _add_clubs(world: World, clubs: list[tuple[str, str]], rng: random.Random, names: NameForge) -> None:
    grounds, nicknames = list(lx.GROUNDS) * 2, list(lx.NICKNAMES) * 2
    rng.shuffle(grounds)
    rng.shuffle(nicknames)
    capacities, years = rng.sample(range(41, 240), len(clubs)), rng.sample(range(1868, 1931), len(clubs))
    for index, (name, town) in enumerate(clubs):
        rows = []
        for season in world.seasons.values():
            place = next((row for row in season.table if row[1] == name), None)
            if place is None:
                rows.append(
                    (
                        season.season,
                        "Second Division",
                        *(str(rng.randint(2, 9)) for _ in range(3)),
                        str(rng.randint(1, 10)),
                    )
                )
            else:
                rows.append((season.season, "First Division", place[3], place[4], place[5], place[0]))
        numbers = sorted(rng.sample(range(1, 24), 7))
        goals = [0, *rng.sample(range(1, 5), 2), *rng.sample(range(5, 10), 2), *rng.sample(range(10, 23), 2)]
        squad = tuple((str(numbers[i]), lx.POSITIONS[i], names.person(), str(goals[i])) for i in range(7))
        gate = tuple((f"{1979 + i}-{80 + i}", rng.randint(900, 9800)) for i in range(5))
        world.clubs[name] = Club(
            name,
            town,
            years[index],
            names.motto(),
            rng.choice(list(lx.COLOURS)),
            rng.choice(lx.MOTIFS),
            grounds.pop(),
            capacities[index] * 100,
            nicknames.pop(),
            rng.choice(
                (
                    "tram conductors",
                    "choir singers",
                    "dock clerks",
                    "night watchmen",
                    "schoolteachers",
                    "brewery workers",
                    "railway signalmen",
                    "apprentice tailors",
                )
            ),
            names.person(),
            rng.choice(lx.KIT_MAKERS),
            tuple(rows),
            squad,
            gate,
        )


def _add_races(world: World, series_count: int, editions: int, rng: random.Random, names: NameForge) -> None:
    drivers = [person.name for person in world.of_role("driver")]
    kinds = ("Circuit", "Grand Trophy", "Coast Race", "Memorial", "Mountain Prize", "Twin Heats")
    for index in range(series_count):
        name = f"{names.place()} {kinds[index % len(kinds)]}"
        size = editions // series_count + (index < editions % series_count)
        for year in range(1974 - size + 1, 1975):
            edition = _edition(name, year, drivers, list(world.towns), rng, names, as_image=year % 2 == 0)
            world.editions[edition.title] = edition
        rows = []
        for year in range(1974 - max(size, 11), 1975):
            edition_row = world.editions.get(f"{year} {name}")
            winner, team = (
                (edition_row.results[0][2], edition_row.results[0][3])
                if edition_row
                else (rng.choice(drivers), rng.choice(lx.TEAMS))
            )
            host = edition_row.town if edition_row else rng.choice(list(world.towns))
            rows.append((str(year), winner, team, host, f"{rng.randint(128, 171)}.{rng.randint(1, 9)}"))
        item = Series(
            name,
            names.person(),
            f"{rng.choice(('Silver', 'Bronze', 'Copper'))} {rng.choice(('Goblet', 'Wheel', 'Lantern'))}",
            names.motto(),
            tuple(rows),
        )
        world.series[item.title] = item


def _edition(
    name: str, year: int, drivers: list[str], towns: list[str], rng: random.Random, names: NameForge, *, as_image: bool
) -> Edition:
    field = rng.sample(drivers, min(8, len(drivers)))
    field += [names.person() for _ in range(8 - len(field))]
    laps, teams = rng.randint(32, 78), rng.sample(lx.TEAMS, 8)
    numbers = rng.sample(range(2, 60), 8)
    gap = rng.randint(4, 30) + rng.randint(1, 9) / 10
    reasons = rng.sample(lx.RETIREMENTS, 2)
    outcome = [
        f"{rng.randint(1, 2)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}.{rng.randint(1, 9)}",
        f"+{gap:.1f} s",
        f"+{gap + rng.randint(9, 40):.1f} s",
        "+1 lap",
        "+2 laps",
        "+3 laps",
        *reasons,
    ]
    done = [laps, laps, laps, laps - 1, laps - 2, laps - 3, rng.randint(15, laps - 6), rng.randint(3, 14)]
    rows = tuple(
        (str(i + 1) if i < 6 else "Ret", str(numbers[i]), field[i], teams[i], str(done[i]), outcome[i])
        for i in range(8)
    )
    speeds = tuple(zip(rng.sample(field, 5), rng.sample(range(141, 189), 5), strict=True))
    return Edition(
        name,
        year,
        rng.choice(towns),
        laps,
        rng.choice(lx.WEATHER),
        names.person(),
        rng.choice(field),
        rows,
        as_image,
        speeds,
    )


def add_awards(world: World, count: int, rng: random.Random, names: NameForge) -> None:
    """Acting and film prizes; some winners are films of this world, the others have no page."""
    kinds = ("Prize", "Lantern", "Laurel", "Film Medal", "Critics' Star", "Golden Reel")
    films = list(world.films.values())
    for index in range(count):
        rows: dict[int, tuple[str, ...]] = {}
        for film in rng.sample(films, min(6, len(films))):
            actor, role, _ = rng.choice(film.cast)
            rows.setdefault(film.year + 1, (str(film.year + 1), film.title, actor, f"as {role}"))
        for year in range(1956, 1978, 3):
            rows.setdefault(year, (str(year), names.film(), names.person(), f"as {rng.choice(lx.ROLES)}"))
        award = Award(
            f"{names.place()} {kinds[index % len(kinds)]}",
            rng.choice(lx.REGIONS),
            names.person(),
            names.motto(),
            rng.choice(list(lx.COLOURS)),
            tuple(rows[year] for year in sorted(rows)),
        )
        world.awards[award.name] = award
