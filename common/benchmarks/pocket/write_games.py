"""Articles of clubs, league seasons, race editions, winners lists and awards."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Chart, Figure, Heading, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice
from common.benchmarks.pocket.world import Award, Club, Edition, Season, Series, World


def write_club(world: World, club: Club) -> Article:
    voice = Voice(world.seed, club.name)
    lead = voice.paragraph(
        "lead",
        f"{club.name} is a football club from {club.town}.",
        f"The team plays at {club.ground}, which holds {club.capacity:,} spectators, and is known as {club.nickname}.",
        voice.say("It has never been wound up and never been rich.", "It has changed divisions more often than managers."),
    )
    history = voice.paragraph(
        "history",
        f"The club was formed by a group of {club.founders} who wanted something to do on Saturdays.",
        voice.some([
            "The first goalposts were borrowed from a rowing crew and the first ball was sewn by a saddler.",
            "A stand burnt down and was replaced by a slope of cinders.",
            "For a time the players changed in a public house and walked to the ground through the crowd.",
            "A merger with the neighbours was voted down by eleven votes.",
            "The women's section was opened after a petition and soon had more members than the men's.",
        ], 4),
    )
    today = voice.paragraph(
        "today",
        f"The chair of the board is {club.chair}.",
        f"Shirts are made by {club.kit_maker}.",
        voice.say("The ground has floodlights on three sides only.", "The pitch slopes towards the river by almost a metre."),
        voice.some([
            "Season tickets are handed down in families.",
            "A brass band plays before every home game and goes home at half-time.",
            "The programme is printed by the club's own press.",
        ], 2),
        "The year of foundation is part of the crest; gates and goalscorers of recent seasons are shown below.",
    )
    crest = Picture("crest", (club.motto, str(club.crest_year)), club.colour, 0, club.motif)
    chart = Chart("line", "Mean attendance", tuple(s for s, _ in club.attendance), tuple(v for _, v in club.attendance), "green")
    blocks: tuple[Block, ...] = (
        Heading("History"), history, Figure("crest", "Crest of the club", crest), Heading("Seasons"),
        TableBlock("seasons", "Recent seasons", ("Season", "Division", "Won", "Drawn", "Lost", "Position"), club.seasons),
        Heading("Squad"), TableBlock("squad", "First team, 1984", ("No.", "Position", "Player", "Goals"), club.squad, as_image=True),
        Heading("The club today"), today, Figure("attendance", "Mean attendance at home games", chart),
        Heading("Supporters"), voice.paragraph("supporters", voice.some([
            "Supporters meet in a former chapel and sing there as well.",
            "Away trips are organised by a retired postman who has never missed one.",
            "The supporters' magazine has appeared, with gaps, for forty years.",
            "A tin bath stands behind one goal and is beaten with ladles after every score.",
        ], 3)),
    )
    infobox = (("Ground", club.ground), ("Capacity", f"{club.capacity:,}"), ("Nickname", club.nickname), ("Kit maker", club.kit_maker))
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
        voice.some([
            "The title was not settled until the last Saturday, when three games kicked off at different times.",
            "A hard winter forced the league to move nine games to April.",
            "Referees were paid for the first time and complained at once about the sum.",
            "Two clubs shared a ground while new drains were laid.",
            "A game was replayed because the corner flags had been forgotten.",
            "Crowds fell slightly, which the newspapers put down to television.",
        ], 5),
    )
    rules = voice.paragraph(
        "rules",
        voice.some([
            "One substitute was allowed and had to be named an hour before the start.",
            "Clubs level on points were separated by goal average.",
            "The two lowest clubs had to apply for re-election at the summer meeting.",
            "Floodlit games needed the consent of both sides.",
        ], 3),
        "The leading goalscorers and the goals scored in each month are listed below.",
    )
    chart = Chart("bar", "Goals per month", tuple(m for m, _ in season.goals_by_month), tuple(v for _, v in season.goals_by_month), "orange")
    blocks: tuple[Block, ...] = (
        Heading("Summary"), summary, Heading("Final table"),
        TableBlock("table", "Final table", ("Pos", "Club", "Played", "Won", "Drawn", "Lost", "Points"), season.table),
        Heading("Rules"), rules, Heading("Top goalscorers"),
        TableBlock("scorers", "Leading goalscorers", ("Player", "Club", "Goals"), season.scorers, as_image=True),
        Figure("months", "Goals scored in the league by month", chart),
        Heading("Spectators and press"), voice.paragraph("press", voice.some([
            "The gate money was counted in the boot room and driven to the bank in a milk van.",
            "One newspaper printed the tables upside down and apologised on the following Monday.",
            "Supporters travelled by special trains, which were slower and cheaper than the ordinary ones.",
            "Programmes from the season are rare, since most were used to light stoves.",
            "A radio commentator lost his voice in the spring and finished the season by telegram.",
        ], 4)),
    )
    infobox = (("Season", season.season), ("Clubs", str(len(season.table))), ("President", season.president), ("Match ball", season.ball_maker))
    return Article(season.title, "season", (lead,), infobox, blocks)


def write_edition(world: World, edition: Edition) -> Article:
    voice = Voice(world.seed, edition.title)
    lead = voice.paragraph(
        "lead",
        f"The {edition.title} was a motor race over {edition.laps} laps, held on closed roads around {edition.town}.",
        f"It was run in {edition.weather}.",
        f"The starter was {edition.starter}.",
    )
    race = voice.paragraph(
        "race",
        f"{edition.pole} started from pole position.",
        voice.some([
            "The first start was recalled because a dog had crossed the grid.",
            "The leaders stayed together for a third of the distance and then lost each other in the traffic.",
            "At half distance the order was decided in the pits, where one crew had mislaid the funnel.",
            "Several cars slid off at the chapel bend and went on with bent wings.",
            "The marshals ran out of yellow flags and used tablecloths.",
            "Spectators on the viaduct were asked to stop throwing hats.",
        ], 5),
    )
    after = voice.paragraph(
        "after",
        voice.say("The organisers kept the results back for two hours while the lap charts were compared.",
                  "A protest about fuel was heard in the evening and rejected."),
        voice.some([
            "Prize money was paid in coins.",
            "The winner's wreath was too small and was hung on the mirror.",
            "The road was open to buses again before midnight.",
        ], 2),
        "The full classification and the highest speeds measured on the straight are given below.",
    )
    chart = Chart("hbar", "Top speed (km/h)", tuple(n for n, _ in edition.speeds), tuple(v for _, v in edition.speeds), "purple")
    blocks: tuple[Block, ...] = (
        Heading("The race"), race, Heading("Aftermath"), after, Heading("Classification"),
        TableBlock("results", "Classification", ("Pos", "No.", "Driver", "Team", "Laps", "Time/Retired"), edition.results,
                   as_image=edition.results_as_image),
        Figure("speeds", "Speeds measured on the straight", chart),
        Heading("Course"), voice.paragraph("course", voice.some([
            "The course followed the harbour road, climbed to the water tower and came back through the allotments.",
            "It had eleven bends, of which only two had names.",
            "Straw bales protected the lamp posts but not the bakery.",
            "The pits were set up in a timber yard.",
        ], 3)),
        Heading("Spectators"), voice.paragraph("spectators", voice.some([
            "Spectators paid at the bakery or climbed over the wall behind it.",
            "A brass band played at the chicane and stopped whenever a car came past.",
            "The local school gave its pupils the day off and then asked for an essay.",
            "Hotels were full, and several mechanics slept under the cars.",
        ], 3)),
    )
    infobox = (("Date", f"{voice.rng.randint(1, 28)} {voice.say('May', 'June', 'August')} {edition.year}"), ("Host town", edition.town),
               ("Distance", f"{edition.laps} laps"), ("Starter", edition.starter))
    return Article(edition.title, "edition", (lead,), infobox, blocks)


def write_series(world: World, series: Series) -> Article:
    voice = Voice(world.seed, series.title)
    lead = voice.paragraph(
        "lead",
        f"The {series.name} is a yearly motor race founded by {series.founder}.",
        f"The winner is lent the {series.trophy} for a year and must insure it.",
        "This page lists every winner up to 1974.",
    )
    history = voice.paragraph(
        "history",
        voice.some([
            "The race began as a bet between two hotel keepers.",
            "It moves from town to town, since no council has wanted it twice in a row without a pause.",
            "Entries are by invitation, and the number of starters is limited to sixteen.",
            "The distance has been changed several times, most often after complaints from the dairy.",
            "No driver has ever been fined for being too slow.",
        ], 4),
    )
    records = voice.paragraph(
        "records",
        "Average speeds depend on the course and cannot be compared from one year to the next.",
        voice.some([
            "The trophy has been dropped three times and repaired with solder.",
            "Winners are expected to sign the bonnet of the pace car.",
            "A second trophy for the slowest finisher was given up.",
        ], 2),
    )
    picture = Picture("statuette", (series.engraving,), "yellow", 0, "cup")
    columns = ("Year", "Driver", "Team", "Host town", "Average km/h")
    blocks: tuple[Block, ...] = (
        Heading("History"), history, Figure("trophy", "The trophy", picture), Heading("Winners"),
        TableBlock("winners", "Winners by year", columns, series.winners), Heading("Records"), records,
        Heading("In popular culture"), voice.paragraph("culture", voice.some([
            "A board game based on the race was sold for two winters and taken back for one.",
            "The winners are listed on a tile in the cloakroom of the organising club.",
            "Several songs mention the race, none of them correctly.",
            "Postage stamps were issued for the tenth running.",
        ], 3)),
    )
    infobox = (("Founded by", series.founder), ("Trophy", series.trophy), ("Editions listed", str(len(series.winners))))
    return Article(series.title, "series", (lead,), infobox, blocks)


def write_award(world: World, award: Award) -> Article:
    voice = Voice(world.seed, award.name)
    lead = voice.paragraph(
        "lead",
        f"The {award.name} is an award for a performance in a film, given every year by the theatre owners of {award.region}.",
        f"The statuette was made by {award.sculptor}.",
    )
    history = voice.paragraph(
        "history",
        voice.some([
            "The jury consists of nine ticket sellers and a chairman who has no vote.",
            "Its meetings are public and rarely attended.",
            "In some years no award was given, because the jury could not agree on a place to eat.",
            "Winners receive the statuette, a sum of money and a season ticket for life.",
            "Speeches are limited to one minute, measured with an egg timer.",
        ], 4),
    )
    rules = voice.paragraph(
        "rules",
        voice.some([
            "A film is eligible in the year after its release.",
            "Nobody may win for the same part twice.",
            "Films in every language are admitted if they carry subtitles.",
            "The envelope is sealed by a notary.",
        ], 3),
    )
    picture = Picture("statuette", (award.engraving,), award.colour, 0, "figure")
    blocks: tuple[Block, ...] = (
        Heading("History"), history, Figure("statuette", "The statuette", picture), Heading("Rules"), rules, Heading("Winners"),
        TableBlock("winners", "Winners", ("Year", "Film", "Recipient", "Part"), award.winners),
        Heading("The ceremony"), voice.paragraph("ceremony", voice.some([
            "The ceremony takes place in a different cinema each year and begins after the evening show.",
            "Guests are served soup, since the founders distrusted small dishes.",
            "The statuette is carried in by the youngest usher of the house.",
            "Winners who cannot come send a relative, and one sent a parrot.",
            "No photographs are taken, but a draughtsman sits in the front row.",
        ], 4)),
    )
    infobox = (("Awarded for", "Acting"), ("Region", award.region), ("Sculptor", award.sculptor))
    return Article(award.name, "award", (lead,), infobox, blocks)
