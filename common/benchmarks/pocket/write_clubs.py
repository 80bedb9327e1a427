"""Articles of clubs and league seasons."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Chart, Figure, Heading, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice
from common.benchmarks.pocket.world import Club, Season, World


def write_club(world: World, club: Club) -> Article:
    voice = Voice(world.seed, club.name)
    lead = voice.paragraph(
        "lead",
        f"{club.name} is a football club from {club.town}.",
        f"The team plays at {club.ground}, which holds {club.capacity:,} spectators, and is known as {club.nickname}.",
        voice.say(
            "It has never been wound up and never been rich.", "It has changed divisions more often than managers."
        ),
    )
    history = voice.paragraph(
        "history",
        f"The club was formed by a group of {club.founders} who wanted something to do on Saturdays.",
        voice.some(
            [
                "The first goalposts were borrowed from a rowing crew and the first ball was sewn by a saddler.",
                "A stand burnt down and was replaced by a slope of cinders.",
                "For a time the players changed in a public house and walked to the ground through the crowd.",
                "A merger with the neighbours was voted down by eleven votes.",
                "The women's section was opened after a petition and soon had more members than the men's.",
            ],
            4,
        ),
    )
    today = voice.paragraph(
        "today",
        f"The chair of the board is {club.chair}.",
        f"Shirts are made by {club.kit_maker}.",
        voice.say(
            "The ground has floodlights on three sides only.", "The pitch slopes towards the river by almost a metre."
        ),
        voice.some(
            [
                "Season tickets are handed down in families.",
                "A brass band plays before every home game and goes home at half-time.",
                "The programme is printed by the club's own press.",
            ],
            2,
        ),
        "The year of foundation is part of the crest; gates and goalscorers of recent seasons are shown below.",
    )
    crest = Picture("crest", (club.motto, str(club.crest_year)), club.colour, 0, club.motif)
    chart = Chart(
        "line", "Mean attendance", tuple(s for s, _ in club.attendance), tuple(v for _, v in club.attendance), "green"
    )
    blocks: tuple[Block, ...] = (
        Heading("History"),
        history,
        Figure("crest", "Crest of the club", crest),
        Heading("Seasons"),
        TableBlock(
            "seasons", "Recent seasons", ("Season", "Division", "Won", "Drawn", "Lost", "Position"), club.seasons
        ),
        Heading("Squad"),
        TableBlock("squad", "First team, 1984", ("No.", "Position", "Player", "Goals"), club.squad, as_image=True),
        Heading("The club today"),
        today,
        Figure("attendance", "Mean attendance at home games", chart),
        Heading("Supporters"),
        voice.paragraph(
            "supporters",
            voice.some(
                [
                    "Supporters meet in a former chapel and sing there as well.",
                    "Away trips are organised by a retired postman who has never missed one.",
                    "The supporters' magazine has appeared, with gaps, for forty years.",
                    "A tin bath stands behind one goal and is beaten with ladles after every score.",
                ],
                3,
            ),
        ),
    )
    infobox = (
        ("Ground", club.ground),
        ("Capacity", f"{club.capacity:,}"),
        ("Nickname", club.nickname),
        ("Kit maker", club.kit_maker),
    )
    return Article(club.name, "club", (lead,), infobox, blocks)


def write_season(world: World, season: Season) -> Article:
    voice = Voice(world.seed, season.title)
    lead = voice.paragraph(
        "lead",
        f"The {season.title} was a season of eight clubs playing each other twice, with two points for a win.",
        f"The president of the league was {season.president} and the match ball came from {season.ball_maker}.",
    )
    summary = voice.paragraph(
        "summary",
        voice.some(
            [
                "The title was not settled until the last Saturday, when three games kicked off at different times.",
                "A hard winter forced the league to move nine games to April.",
                "Referees were paid for the first time and complained at once about the sum.",
                "Two clubs shared a ground while new drains were laid.",
                "A game was replayed because the corner flags had been forgotten.",
                "Crowds fell slightly, which the newspapers put down to television.",
            ],
            5,
        ),
    )
    rules = voice.paragraph(
        "rules",
        voice.some(
            [
                "One substitute was allowed and had to be named an hour before the start.",
                "Clubs level on points were separated by goal average.",
                "The two lowest clubs had to apply for re-election at the summer meeting.",
                "Floodlit games needed the consent of both sides.",
            ],
            3,
        ),
        "The leading goalscorers and the goals scored in each month are listed below.",
    )
    chart = Chart(
        "bar",
        "Goals per month",
        tuple(m for m, _ in season.goals_by_month),
        tuple(v for _, v in season.goals_by_month),
        "orange",
    )
    blocks: tuple[Block, ...] = (
        Heading("Summary"),
        summary,
        Heading("Final table"),
        TableBlock("table", "Final table", ("Pos", "Club", "Played", "Won", "Drawn", "Lost", "Points"), season.table),
        Heading("Rules"),
        rules,
        Heading("Top goalscorers"),
        TableBlock("scorers", "Leading goalscorers", ("Player", "Club", "Goals"), season.scorers, as_image=True),
        Figure("months", "Goals scored in the league by month", chart),
        Heading("Spectators and press"),
        voice.paragraph(
            "press",
            voice.some(
                [
                    "The gate money was counted in the boot room and driven to the bank in a milk van.",
                    "One newspaper printed the tables upside down and apologised on the following Monday.",
                    "Supporters travelled by special trains, which were slower and cheaper than the ordinary ones.",
                    "Programmes from the season are rare, since most were used to light stoves.",
                    "A radio commentator lost his voice in the spring and finished the season by telegram.",
                ],
                4,
            ),
        ),
    )
    infobox = (
        ("Season", season.season),
        ("Clubs", str(len(season.table))),
        ("President", season.president),
        ("Match ball", season.ball_maker),
    )
    return Article(season.title, "season", (lead,), infobox, blocks)
