"""What can be asked of each kind of entity, with the answer read off the world and the place it stands."""

from __future__ import annotations

from common.benchmarks.pocket.draft import Fact, Page, fact, only_largest
from common.benchmarks.pocket.facts_games import album_facts, award_facts, edition_facts, season_facts, series_facts
from common.benchmarks.pocket.facts_people import person_facts
from common.benchmarks.pocket.world import Club, Film, Town, World


def facts_about(world: World, kind: str, key: str) -> list[Fact]:
    """All facts of one entity.

    `kind` is town, actor, driver, musician, film, club, album, edition, series, award or season.
    """
    match kind:
        case "town":
            return _town(world.towns[key])
        case "actor" | "driver" | "musician":
            return person_facts(world.people[key])
        case "film":
            return _film(world.films[key])
        case "club":
            return _club(world.clubs[key])
        case "album":
            return album_facts(world.albums[key])
        case "edition":
            return edition_facts(world.editions[key])
        case "series":
            return series_facts(world, world.series[key])
        case "award":
            return award_facts(world.awards[key])
        case "season":
            return season_facts(world.seasons[key])
    raise KeyError(f"no facts are defined for kind {kind!r}")


def _town(town: Town) -> list[Fact]:
    page = Page.of(town.name)
    return [
        *_town_story(town, page),
        *_mayors(town, page),
        *_twins(town, page),
        *_census(town, page),
        *_road_sign(town, page),
    ]


def _town_story(town: Town, page: Page) -> list[Fact]:
    """What the prose of a town's page tells."""
    lead, history, sights = page.text("lead"), page.text("history"), page.text("sights")
    return [
        fact("town.founder", town.founder, lead, "Who founded {x}?", "Who was the founder of {x}?"),
        fact(
            "town.legend", town.animal, history, "According to legend, which animal guided the first settlers of {x}?"
        ),
        fact(
            "town.industry",
            town.industry,
            lead,
            "From which trade did {x} live for most of its history?",
            "Which trade once brought wealth to {x}?",
        ),
        fact(
            "town.bridge",
            town.bridge_builder,
            history,
            "Who built the stone bridge of {x}?",
            "By whom was the stone bridge in {x} built?",
        ),
        fact("town.hall", town.hall_architect, sights, "Who designed the town hall of {x}?"),
        fact("town.festival", town.festival_month, sights, "What is the month of the street festival in {x}?"),
    ]


def _mayors(town: Town, page: Page) -> list[Fact]:
    """Who was mayor two years into a term of four years or more."""
    return [
        fact(
            "town.mayor",
            name,
            page.table("mayors"),
            f"In {start + 2}, who was mayor of {{x}}?",
            f"Who held the office of mayor in {start + 2} in {{x}}?",
        )
        for name, start, end in town.mayors
        if end - start > 3
    ]


def _twins(town: Town, page: Page) -> list[Fact]:
    """The latest and the first twin town; the table is in order of years."""
    twins = page.table("twins", drawn=town.twins_as_image)
    return [
        fact(
            "town.last_twin",
            town.twins[-1][0],
            twins,
            "Which town is the most recent twin of {x}?",
            "Which town was the last to become a twin of {x}?",
        ),
        fact("town.first_twin", town.twins[0][0], twins, "Which town was the first to become a twin of {x}?"),
    ]


def _census(town: Town, page: Page) -> list[Fact]:
    """Every census but the first, read off the chart."""
    return [
        fact(
            "town.census",
            people,
            page.image("census"),
            f"How many inhabitants did the {year} census count in {{x}}?",
            f"According to the {year} census, what was the population of {{x}}?",
        )
        for year, people in town.census[1:]
    ]


def _road_sign(town: Town, page: Page) -> list[Fact]:
    sign = page.image("sign")
    return [
        fact("town.motto", town.motto.title(), sign, "What motto is written on the road sign of {x}?"),
        fact("town.route", town.route, sign, "Which route number is on the road sign of {x}?"),
    ]


def _film(film: Film) -> list[Fact]:
    """The editor, the poster, the chart of admissions and the cast."""
    page = Page.of(film.page_title)
    return [
        fact("film.editor", film.editor, page.text("production"), "Who edited {x}?", "Who was the editor of {x}?"),
        *_poster(film, page),
        *(
            fact(
                "film.week",
                film.admissions[week - 1],
                page.image("admissions"),
                f"In week {week}, how many thousand admissions were counted for {{x}}?",
            )
            for week in (2, 4)
        ),
        *(
            fact(
                "film.role",
                actor,
                page.table("cast"),
                f"Which actor played {role} in {{x}}?",
                f"Who was cast as {role} in {{x}}?",
            )
            for actor, role, _ in film.cast
        ),
    ]


def _poster(film: Film, page: Page) -> list[Fact]:
    poster = page.image("poster")
    return [
        fact(
            "film.tagline",
            film.tagline.title(),
            poster,
            "What words are printed on the poster of {x}?",
            "What is the wording on the poster of {x}?",
        ),
        fact(
            "film.count",
            film.motif_count,
            poster,
            f"How many {film.motif} are there on the poster of {{x}}?",
            visual=True,
        ),
    ]


def _club(club: Club) -> list[Fact]:
    """Founders, chair and ground, the crest, the chart of gates and the squad."""
    page = Page.of(club.name)
    return [
        fact(
            "club.founders",
            club.founders,
            page.text("history"),
            "Which occupation was shared by the people who formed {x}?",
        ),
        fact("club.chair", club.chair, page.text("today"), "Who chairs the board of {x}?"),
        fact("club.ground", club.ground, page.text("lead"), "What is the name of the ground of {x}?"),
        *_crest(club, page),
        *(
            fact(
                "club.gate",
                gate,
                page.image("attendance"),
                f"In the {season} season, what was the mean attendance of {{x}}?",
            )
            for season, gate in club.attendance[1:]
        ),
        *_squad(club, page),
    ]


def _crest(club: Club, page: Page) -> list[Fact]:
    crest = page.image("crest")
    return [
        fact(
            "club.year",
            club.crest_year,
            crest,
            "According to the crest, in which year was {x} founded?",
            "Which year is shown on the crest of {x}?",
        ),
        fact("club.motto", club.motto.title(), crest, "What motto is written on the crest of {x}?"),
    ]


def _squad(club: Club, page: Page) -> list[Fact]:
    """The scorer of most goals, where there is one, and the goalkeeper."""
    squad, facts = page.table("squad", drawn=True), []
    best = only_largest([(int(goals), player) for _, _, player, goals in club.squad])
    if best:
        facts.append(
            fact(
                "club.scorer",
                best,
                squad,
                "According to the squad list of 1984, which player had scored the most goals for {x}?",
            )
        )
    keeper = next(player for _, position, player, _ in club.squad if position == "Goalkeeper")
    return [*facts, fact("club.keeper", keeper, squad, "In the 1984 squad list, who is the goalkeeper of {x}?")]
