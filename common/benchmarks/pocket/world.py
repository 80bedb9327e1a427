"""The invented world as plain facts: articles are written from them, questions answered by querying them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Town:
    name: str
    region: str
    river: str
    elevation: int
    area: str
    founder: str
    charter: int
    industry: str
    animal: str
    festival_month: str
    bridge_builder: str
    hall_architect: str
    census: tuple[tuple[int, int], ...]  # (year, inhabitants): only in the chart
    motto: str  # only on the sign
    route: int  # only on the sign
    mayors: tuple[tuple[str, int, int], ...]  # (name, first year, last year)
    twins: tuple[tuple[str, str, int], ...]  # (town, country, since)
    twins_as_image: bool


@dataclass(frozen=True)
class Person:
    name: str
    role: str  # actor, driver, musician
    woman: bool
    born: int
    birth_day: str
    birthplace: str
    height: int  # centimetres
    trade: str
    trade_family: str
    teacher: str
    pastime: str
    spouse: str
    debut_at: str
    honorary_club: str  # "" where none
    picture_colour: str
    lettering: str  # only in the picture
    number: int  # only in the picture: race number, studio, stage
    career: tuple[tuple[str, ...], ...]  # rows of the main table

    @property
    def surname(self) -> str:
        return self.name.split()[-1]


@dataclass(frozen=True)
class Film:
    title: str
    year: int
    director: str
    composer: str
    town: str
    company: str
    runtime: int
    editor: str
    story_trade: str
    cast: tuple[tuple[str, str, str], ...]  # (actor, role, billing)
    tagline: str  # only on the poster
    motif: str
    motif_count: int
    colour: str
    admissions: tuple[int, ...]  # thousands per week: only in the chart

    @property
    def page_title(self) -> str:
        return f"{self.title} ({self.year} film)"


@dataclass(frozen=True)
class Album:
    title: str
    artist: str
    year: int
    producer: str
    town: str
    label: str
    engineer: str
    catalogue: str  # only on the cover
    colour: str
    motif: str
    motif_count: int
    tracks: tuple[tuple[str, str, str], ...]  # (title, writer, length): only in an image

    @property
    def page_title(self) -> str:
        return f"{self.title} ({self.year} album)"


@dataclass(frozen=True)
class Club:
    name: str
    town: str
    crest_year: int  # only on the crest
    motto: str  # only on the crest
    colour: str
    motif: str
    ground: str
    capacity: int
    nickname: str
    founders: str
    chair: str
    kit_maker: str
    seasons: tuple[tuple[str, ...], ...]
    squad: tuple[tuple[str, str, str, str], ...]  # (number, position, player, goals): only in an image
    attendance: tuple[tuple[str, int], ...]  # (season, mean gate): only in the chart


@dataclass(frozen=True)
class Edition:
    series: str
    year: int
    town: str
    laps: int
    weather: str
    starter: str
    pole: str
    results: tuple[tuple[str, ...], ...]  # position, number, driver, team, laps, time or reason
    results_as_image: bool
    speeds: tuple[tuple[str, int], ...]  # (driver, km/h): only in the chart

    @property
    def title(self) -> str:
        return f"{self.year} {self.series}"


@dataclass(frozen=True)
class Series:
    name: str
    founder: str
    trophy: str
    engraving: str  # only in the picture
    winners: tuple[tuple[str, ...], ...]  # year, driver, team, host, average speed

    @property
    def title(self) -> str:
        return f"List of {self.name} winners"


@dataclass(frozen=True)
class Award:
    name: str
    region: str
    sculptor: str
    engraving: str  # only in the picture
    colour: str
    winners: tuple[tuple[str, ...], ...]  # year, film, recipient, for


@dataclass(frozen=True)
class Season:
    league: str
    season: str
    president: str
    ball_maker: str
    table: tuple[tuple[str, ...], ...]  # position, club, played, won, drawn, lost, points
    scorers: tuple[tuple[str, str, str], ...]  # (player, club, goals): only in an image
    goals_by_month: tuple[tuple[str, int], ...]  # only in the chart

    @property
    def title(self) -> str:
        return f"{self.season} {self.league}"


@dataclass(frozen=True)
class World:
    """Everything that has a page, by name or, where names recur, by the page's title."""

    seed: int
    towns: dict[str, Town] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    films: dict[str, Film] = field(default_factory=dict)
    albums: dict[str, Album] = field(default_factory=dict)
    clubs: dict[str, Club] = field(default_factory=dict)
    editions: dict[str, Edition] = field(default_factory=dict)
    series: dict[str, Series] = field(default_factory=dict)
    awards: dict[str, Award] = field(default_factory=dict)
    seasons: dict[str, Season] = field(default_factory=dict)

    def of_role(self, role: str) -> list[Person]:
        return [person for person in self.people.values() if person.role == role]
