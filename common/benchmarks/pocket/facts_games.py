"""Single-hop facts of pages that are asked about by name only: albums, races, winners lists, awards, seasons."""

from __future__ import annotations

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.draft import Fact, Gold
from common.benchmarks.pocket.world import Album, Award, Edition, Season, Series, World

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def facts_of_games(world: World, kind: str, key: str) -> list[Fact]:
    """All facts of an album, edition, series, award or season."""
    match kind:
        case "album":
            return _album(world.albums[key])
        case "edition":
            return _edition(world.editions[key])
        case "series":
            return _series(world, world.series[key])
        case "award":
            return _award(world.awards[key])
        case "season":
            return _season(world.seasons[key])
    raise KeyError(f"no facts are defined for kind {kind!r}")


def _album(album: Album) -> list[Fact]:
    doc = slug(album.page_title)
    facts = [
        Fact("album.engineer", ("Who was the engineer of {x}?",), (album.engineer,), Gold(doc, "recording", "text")),
        Fact(
            "album.catalogue",
            ("What catalogue number is printed on the cover of {x}?",),
            (album.catalogue,),
            Gold(doc, "cover", "image", True),
        ),
    ]
    for writer in sorted({track[1] for track in album.tracks}):
        titles = tuple(track[0] for track in album.tracks if track[1] == writer)
        if writer != album.artist and 2 <= len(titles) <= 3:
            facts.append(
                Fact(
                    "album.songs",
                    (f"Which songs on {{x}} were written by {writer}?",),
                    titles,
                    Gold(doc, "tracks", "table", True),
                )
            )
    return facts


def _edition(edition: Edition) -> list[Fact]:
    doc = slug(edition.title)
    results = Gold(doc, "results", "table", edition.results_as_image)
    facts = [
        Fact(
            "edition.pole",
            ("Who started from pole position in {x}?", "Which driver had pole position in {x}?"),
            (edition.pole,),
            Gold(doc, "race", "text"),
        )
    ]
    for row in edition.results[2:6]:
        facts.append(
            Fact("edition.place", (f"Which driver finished {ORDINALS[int(row[0]) - 1]} in {{x}}?",), (row[2],), results)
        )
    for row in edition.results[6:]:
        facts.append(
            Fact(
                "edition.retired", (f'Which driver is listed as retired with "{row[5]}" in {{x}}?',), (row[2],), results
            )
        )
    for name, speed in edition.speeds:
        facts.append(
            Fact(
                "edition.speed",
                (f"What top speed in km/h was measured for {name} in {{x}}?",),
                (str(speed),),
                Gold(doc, "speeds", "image", True),
            )
        )
    return facts


def _series(world: World, series: Series) -> list[Fact]:
    doc = slug(series.title)
    facts = [
        Fact(
            "series.engraving",
            ("What is engraved on the trophy of {x}?",),
            (series.engraving.title(),),
            Gold(doc, "trophy", "image", True),
        )
    ]
    facts += [
        Fact("series.winner", (f"Who won {{x}} in {row[0]}?",), (row[1],), Gold(doc, "winners", "table"))
        for row in series.winners
        if f"{row[0]} {series.name}" not in world.editions
    ]
    return facts


def _award(award: Award) -> list[Fact]:
    doc = slug(award.name)
    facts = [
        Fact("award.sculptor", ("Who made the statuette of {x}?",), (award.sculptor,), Gold(doc, "lead", "text")),
        Fact(
            "award.engraving",
            ("What is written on the base of the statuette of {x}?",),
            (award.engraving.title(),),
            Gold(doc, "statuette", "image", True),
        ),
    ]
    facts += [
        Fact("award.recipient", (f"Who received {{x}} in {row[0]}?",), (row[2],), Gold(doc, "winners", "table"))
        for row in award.winners
    ]
    return facts


def _season(season: Season) -> list[Fact]:
    doc = slug(season.title)
    top = season.scorers[0]
    facts = [
        Fact(
            "season.president",
            ("Who was the president of the league during {x}?",),
            (season.president,),
            Gold(doc, "lead", "text"),
        ),
        Fact(
            "season.scorer",
            ("Who was the leading goalscorer of {x}?", "Which player scored most goals in {x}?"),
            (top[0],),
            Gold(doc, "scorers", "table", True),
        ),
    ]
    facts += [
        Fact(
            "season.month",
            (f"How many goals were scored in {_MONTHS[month]} during {{x}}?",),
            (str(goals),),
            Gold(doc, "months", "image", True),
        )
        for month, goals in season.goals_by_month
    ]
    facts += [
        Fact(
            "season.place",
            (f"Which club finished {ORDINALS[int(row[0]) - 1]} in {{x}}?",),
            (row[1],),
            Gold(doc, "table", "table"),
        )
        for row in season.table[:4]
    ]
    return facts


_MONTHS = {"Sep": "September", "Oct": "October", "Nov": "November", "Feb": "February", "Mar": "March", "Apr": "April"}
