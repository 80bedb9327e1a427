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
    """(club, town) pairs."""
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
        chosen = rng.sample(clubs, min(8, len(clubs)))
        table = _league_table(chosen, rng)
        goals = sorted(rng.sample(range(6, 24), 5), reverse=True)
        scorers = tuple((names.person(), rng.choice(chosen), str(goal)) for goal in goals)
        months = tuple(zip(("Sep", "Oct", "Nov", "Feb", "Mar", "Apr"), rng.sample(range(14, 64), 6), strict=True))
        season = Season(
            league=league,
            season=f"{1977 + index}-{(78 + index) % 100:02d}",
            president=names.person(),
            ball_maker=rng.choice(lx.KIT_MAKERS),
            table=table,
            scorers=scorers,
            goals_by_month=months,
        )
        world.seasons[season.title] = season


def _league_table(clubs: list[str], rng: random.Random) -> tuple[tuple[str, ...], ...]:
    """Clubs by points, no two alike: two for a win and one for a draw in 14 games."""
    points = sorted(rng.sample(range(9, 27), len(clubs)), reverse=True)
    rows = []
    for place, (club, score) in enumerate(zip(clubs, points, strict=True), start=1):
        drawn = score % 2 + 2 * rng.randint(0, 1)
        won = (score - drawn) // 2
        rows.append((str(place), club, "14", str(won), str(drawn), str(14 - won - drawn), str(score)))
    return tuple(rows)


def _add_clubs(world: World, clubs: list[tuple[str, str]], rng: random.Random, names: NameForge) -> None:
    grounds, nicknames = list(lx.GROUNDS) * 2, list(lx.NICKNAMES) * 2
    rng.shuffle(grounds)
    rng.shuffle(nicknames)
    capacities, years = rng.sample(range(41, 240), len(clubs)), rng.sample(range(1868, 1931), len(clubs))
    for (name, town), hundreds, year in zip(clubs, capacities, years, strict=True):
        seasons, squad = _club_seasons(world, name, rng), _squad(rng, names)
        attendance = tuple((f"{1979 + i}-{80 + i}", rng.randint(900, 9800)) for i in range(5))
        world.clubs[name] = Club(
            name=name,
            town=town,
            crest_year=year,
            motto=names.motto(),
            colour=rng.choice(list(lx.COLOURS)),
            motif=rng.choice(lx.MOTIFS),
            ground=grounds.pop(),
            capacity=hundreds * 100,
            nickname=nicknames.pop(),
            founders=rng.choice(lx.FOUNDERS),
            chair=names.person(),
            kit_maker=rng.choice(lx.KIT_MAKERS),
            seasons=seasons,
            squad=squad,
            attendance=attendance,
        )


def _club_seasons(world: World, club: str, rng: random.Random) -> tuple[tuple[str, ...], ...]:
    """What a club won, drew and lost in every season: as the league's table has it, or made up a division below."""
    rows: list[tuple[str, ...]] = []
    for season in world.seasons.values():
        row = next((row for row in season.table if row[1] == club), None)
        if row is None:
            games = [str(rng.randint(2, 9)) for _ in range(3)]
            rows.append((season.season, "Second Division", *games, str(rng.randint(1, 10))))
        else:
            place, _, _, won, drawn, lost, _ = row
            rows.append((season.season, "First Division", won, drawn, lost, place))
    return tuple(rows)


def _squad(rng: random.Random, names: NameForge) -> tuple[tuple[str, str, str, str], ...]:
    """Seven (number, position, player, goals); the goalkeeper has scored none."""
    numbers = sorted(rng.sample(range(1, 24), 7))
    goals = [0, *rng.sample(range(1, 5), 2), *rng.sample(range(5, 10), 2), *rng.sample(range(10, 23), 2)]
    return tuple((str(numbers[i]), lx.POSITIONS[i], names.person(), str(goals[i])) for i in range(7))


def _add_races(world: World, series_count: int, editions: int, rng: random.Random, names: NameForge) -> None:
    kinds = ("Circuit", "Grand Trophy", "Coast Race", "Memorial", "Mountain Prize", "Twin Heats")
    for index in range(series_count):
        name = f"{names.place()} {kinds[index % len(kinds)]}"
        size = editions // series_count + (index < editions % series_count)
        for year in range(1974 - size + 1, 1975):
            edition = _edition(world, name, year, rng, names)
            world.editions[edition.title] = edition
        winners = tuple(_winner(world, name, year, rng) for year in range(1974 - max(size, 11), 1975))
        series = Series(
            name=name,
            founder=names.person(),
            trophy=f"{rng.choice(('Silver', 'Bronze', 'Copper'))} {rng.choice(('Goblet', 'Wheel', 'Lantern'))}",
            engraving=names.motto(),
            winners=winners,
        )
        world.series[series.title] = series


def _winner(world: World, name: str, year: int, rng: random.Random) -> tuple[str, ...]:
    """Year, driver, team, host and average speed: as the edition's page has it, or made up where it has none."""
    edition = world.editions.get(f"{year} {name}")
    if edition:
        _, _, driver, team, _, _ = edition.results[0]
        host = edition.town
    else:
        driver, team = rng.choice([person.name for person in world.of_role("driver")]), rng.choice(lx.TEAMS)
        host = rng.choice(list(world.towns))
    return str(year), driver, team, host, f"{rng.randint(128, 171)}.{rng.randint(1, 9)}"


def _edition(world: World, name: str, year: int, rng: random.Random, names: NameForge) -> Edition:
    drivers = [person.name for person in world.of_role("driver")]
    field = rng.sample(drivers, min(8, len(drivers)))
    field += [names.person() for _ in range(8 - len(field))]
    laps = rng.randint(32, 78)
    results = _classification(field, laps, rng)
    speeds = tuple(zip(rng.sample(field, 5), rng.sample(range(141, 189), 5), strict=True))
    return Edition(
        series=name,
        year=year,
        town=rng.choice(list(world.towns)),
        laps=laps,
        weather=rng.choice(lx.WEATHER),
        starter=names.person(),
        pole=rng.choice(field),
        results=results,
        results_as_image=year % 2 == 0,
        speeds=speeds,
    )


def _classification(field: list[str], laps: int, rng: random.Random) -> tuple[tuple[str, ...], ...]:
    """The eight of the field in order: three on the winner's lap, three behind, two retired."""
    teams, numbers = rng.sample(lx.TEAMS, 8), rng.sample(range(2, 60), 8)
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
    return tuple(
        (str(i + 1) if i < 6 else "Ret", str(numbers[i]), field[i], teams[i], str(done[i]), outcome[i])
        for i in range(8)
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
            name=f"{names.place()} {kinds[index % len(kinds)]}",
            region=rng.choice(lx.REGIONS),
            sculptor=names.person(),
            engraving=names.motto(),
            colour=rng.choice(list(lx.COLOURS)),
            winners=tuple(rows[year] for year in sorted(rows)),
        )
        world.awards[award.name] = award
