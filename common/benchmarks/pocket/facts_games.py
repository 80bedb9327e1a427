"""Single-hop facts of pages that are asked about by name only: albums, races, winners lists, awards, seasons."""

from __future__ import annotations

from common.benchmarks.pocket.draft import Fact, Page, fact
from common.benchmarks.pocket.world import Album, Award, Edition, Season, Series, World

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_MONTHS = {"Sep": "September", "Oct": "October", "Nov": "November", "Feb": "February", "Mar": "March", "Apr": "April"}


def album_facts(album: Album) -> list[Fact]:
    """The engineer, the cover, and who wrote which songs."""
    page = Page.of(album.page_title)
    return [
        fact("album.engineer", album.engineer, page.text("recording"), "Who was the engineer of {x}?"),
        fact(
            "album.catalogue",
            album.catalogue,
            page.image("cover"),
            "What catalogue number is printed on the cover of {x}?",
        ),
        *_songs(album, page),
    ]


def _songs(album: Album, page: Page) -> list[Fact]:
    """The two or three songs of a writer who is not the artist."""
    facts = []
    for writer in sorted({writer for _, writer, _ in album.tracks}):
        titles = tuple(title for title, by, _ in album.tracks if by == writer)
        if writer != album.artist and 2 <= len(titles) <= 3:
            wordings = (f"Which songs on {{x}} were written by {writer}?",)
            facts.append(Fact("album.songs", wordings, titles, page.table("tracks", drawn=True)))
    return facts


def edition_facts(edition: Edition) -> list[Fact]:
    """The start, the classification and the chart of top speeds."""
    page = Page.of(edition.title)
    return [
        fact(
            "edition.pole",
            edition.pole,
            page.text("race"),
            "Who started from pole position in {x}?",
            "Which driver had pole position in {x}?",
        ),
        *_finishers(edition, page),
        *(
            fact(
                "edition.speed",
                speed,
                page.image("speeds"),
                f"What top speed in km/h was measured for {name} in {{x}}?",
            )
            for name, speed in edition.speeds
        ),
    ]


def _finishers(edition: Edition, page: Page) -> list[Fact]:
    """Third to sixth place and the two retirements of the classification."""
    results = page.table("results", drawn=edition.results_as_image)
    placed = [
        fact("edition.place", driver, results, f"Which driver finished {ORDINALS[int(place) - 1]} in {{x}}?")
        for place, _, driver, *_ in edition.results[2:6]
    ]
    retired = [
        fact("edition.retired", driver, results, f'Which driver is listed as retired with "{reason}" in {{x}}?')
        for _, _, driver, _, _, reason in edition.results[6:]
    ]
    return placed + retired


def series_facts(world: World, series: Series) -> list[Fact]:
    """The trophy, and the winners of the years that have no page of their own."""
    page = Page.of(series.title)
    return [
        fact(
            "series.engraving", series.engraving.title(), page.image("trophy"), "What is engraved on the trophy of {x}?"
        ),
        *(
            fact("series.winner", driver, page.table("winners"), f"Who won {{x}} in {year}?")
            for year, driver, *_ in series.winners
            if f"{year} {series.name}" not in world.editions
        ),
    ]


def award_facts(award: Award) -> list[Fact]:
    """The statuette and those who received it."""
    page = Page.of(award.name)
    return [
        fact("award.sculptor", award.sculptor, page.text("lead"), "Who made the statuette of {x}?"),
        fact(
            "award.engraving",
            award.engraving.title(),
            page.image("statuette"),
            "What is written on the base of the statuette of {x}?",
        ),
        *(
            fact("award.recipient", recipient, page.table("winners"), f"Who received {{x}} in {year}?")
            for year, _, recipient, _ in award.winners
        ),
    ]


def season_facts(season: Season) -> list[Fact]:
    """The president, the scorers, the goals of every month and the first four clubs."""
    page = Page.of(season.title)
    return [
        fact(
            "season.president", season.president, page.text("lead"), "Who was the president of the league during {x}?"
        ),
        fact(
            "season.scorer",
            season.scorers[0][0],
            page.table("scorers", drawn=True),
            "Who was the leading goalscorer of {x}?",
            "Which player scored most goals in {x}?",
        ),
        *(
            fact(
                "season.month",
                goals,
                page.image("months"),
                f"How many goals were scored in {_MONTHS[month]} during {{x}}?",
            )
            for month, goals in season.goals_by_month
        ),
        *(
            fact("season.place", club, page.table("table"), f"Which club finished {ORDINALS[int(place) - 1]} in {{x}}?")
            for place, club, *_ in season.table[:4]
        ),
    ]
