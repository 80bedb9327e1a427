"""Articles of clubs and league seasons."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, chart_of
from common.benchmarks.pocket.world import Club, Season, World


def write_club(world: World, club: Club) -> Article:
    """The article of a club; the crest, the squad list and the chart of gates show what the prose leaves out."""
    voice = Voice(world.seed, club.name)
    lead = _club_lead(voice, club)
    crest = Picture("crest", (club.motto, str(club.crest_year)), club.colour, 0, club.motif)
    seasons, squad = ("Season", "Division", "Won", "Drawn", "Lost", "Position"), ("No.", "Position", "Player", "Goals")
    gates = chart_of("line", "Mean attendance", club.attendance, "green")
    blocks: tuple[Block, ...] = (
        Heading("History"),
        _history(voice, club),
        Figure("crest", "Crest of the club", crest),
        Heading("Seasons"),
        TableBlock("seasons", "Recent seasons", seasons, club.seasons),
        Heading("Squad"),
        TableBlock("squad", "First team, 1984", squad, club.squad, as_image=True),
        Heading("The club today"),
        _today(voice, club),
        Figure("attendance", "Mean attendance at home games", gates),
        Heading("Supporters"),
        _supporters(voice),
    )
    infobox = (
        ("Ground", club.ground),
        ("Capacity", f"{club.capacity:,}"),
        ("Nickname", club.nickname),
        ("Kit maker", club.kit_maker),
    )
    return Article(club.name, "club", (lead,), infobox, blocks)


def _club_lead(voice: Voice, club: Club) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"{club.name} is a football club from {club.town}.",
        f"The team plays at {club.ground}, which holds {club.capacity:,} spectators, and is known as {club.nickname}.",
        voice.say(
            "It has never been wound up and never been rich.", "It has changed divisions more often than managers."
        ),
    )


def _history(voice: Voice, club: Club) -> Paragraph:
    return voice.paragraph(
        "history",
        f"The club was formed by a group of {club.founders} who wanted something to do on Saturdays.",
        voice.some(
            4,
            "The first goalposts were borrowed from a rowing crew and the first ball was sewn by a saddler.",
            "A stand burnt down and was replaced by a slope of cinders.",
            "For a time the players changed in a public house and walked to the ground through the crowd.",
            "A merger with the neighbours was voted down by eleven votes.",
            "The women's section was opened after a petition and soon had more members than the men's.",
        ),
    )


def _today(voice: Voice, club: Club) -> Paragraph:
    return voice.paragraph(
        "today",
        f"The chair of the board is {club.chair}.",
        f"Shirts are made by {club.kit_maker}.",
        voice.say(
            "The ground has floodlights on three sides only.", "The pitch slopes towards the river by almost a metre."
        ),
        voice.some(
            2,
            "Season tickets are handed down in families.",
            "A brass band plays before every home game and goes home at half-time.",
            "The programme is printed by the club's own press.",
        ),
        "The year of foundation is part of the crest; gates and goalscorers of recent seasons are shown below.",
    )


def _supporters(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "supporters",
        voice.some(
            3,
            "Supporters meet in a former chapel and sing there as well.",
            "Away trips are organised by a retired postman who has never missed one.",
            "The supporters' magazine has appeared, with gaps, for forty years.",
            "A tin bath stands behind one goal and is beaten with ladles after every score.",
        ),
    )


def write_season(world: World, season: Season) -> Article:
    """The article of a league season; the goalscorers are an image, the goals of each month a chart."""
    voice = Voice(world.seed, season.title)
    columns = ("Pos", "Club", "Played", "Won", "Drawn", "Lost", "Points")
    months = chart_of("bar", "Goals per month", season.goals_by_month, "orange")
    blocks: tuple[Block, ...] = (
        Heading("Summary"),
        _summary(voice),
        Heading("Final table"),
        TableBlock("table", "Final table", columns, season.table),
        Heading("Rules"),
        _rules(voice),
        Heading("Top goalscorers"),
        TableBlock("scorers", "Leading goalscorers", ("Player", "Club", "Goals"), season.scorers, as_image=True),
        Figure("months", "Goals scored in the league by month", months),
        Heading("Spectators and press"),
        _press(voice),
    )
    infobox = (
        ("Season", season.season),
        ("Clubs", str(len(season.table))),
        ("President", season.president),
        ("Match ball", season.ball_maker),
    )
    return Article(season.title, "season", (_season_lead(voice, season),), infobox, blocks)


def _season_lead(voice: Voice, season: Season) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"The {season.title} was a season of eight clubs playing each other twice, with two points for a win.",
        f"The president of the league was {season.president} and the match ball came from {season.ball_maker}.",
    )


def _summary(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "summary",
        voice.some(
            5,
            "The title was not settled until the last Saturday, when three games kicked off at different times.",
            "A hard winter forced the league to move nine games to April.",
            "Referees were paid for the first time and complained at once about the sum.",
            "Two clubs shared a ground while new drains were laid.",
            "A game was replayed because the corner flags had been forgotten.",
            "Crowds fell slightly, which the newspapers put down to television.",
        ),
    )


def _rules(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "rules",
        voice.some(
            3,
            "One substitute was allowed and had to be named an hour before the start.",
            "Clubs level on points were separated by goal average.",
            "The two lowest clubs had to apply for re-election at the summer meeting.",
            "Floodlit games needed the consent of both sides.",
        ),
        "The leading goalscorers and the goals scored in each month are listed below.",
    )


def _press(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "press",
        voice.some(
            4,
            "The gate money was counted in the boot room and driven to the bank in a milk van.",
            "One newspaper printed the tables upside down and apologised on the following Monday.",
            "Supporters travelled by special trains, which were slower and cheaper than the ordinary ones.",
            "Programmes from the season are rare, since most were used to light stoves.",
            "A radio commentator lost his voice in the spring and finished the season by telegram.",
        ),
    )
