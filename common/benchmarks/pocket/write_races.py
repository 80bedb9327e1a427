"""Articles of race editions, winners lists and awards."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Chart, Figure, Heading, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice
from common.benchmarks.pocket.world import Award, Edition, Series, World


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
        voice.some(
            [
                "The first start was recalled because a dog had crossed the grid.",
                "The leaders stayed together for a third of the distance and then lost each other in the traffic.",
                "At half distance the order was decided in the pits, where one crew had mislaid the funnel.",
                "Several cars slid off at the chapel bend and went on with bent wings.",
                "The marshals ran out of yellow flags and used tablecloths.",
                "Spectators on the viaduct were asked to stop throwing hats.",
            ],
            5,
        ),
    )
    after = voice.paragraph(
        "after",
        voice.say(
            "The organisers kept the results back for two hours while the lap charts were compared.",
            "A protest about fuel was heard in the evening and rejected.",
        ),
        voice.some(
            [
                "Prize money was paid in coins.",
                "The winner's wreath was too small and was hung on the mirror.",
                "The road was open to buses again before midnight.",
            ],
            2,
        ),
        "The full classification and the highest speeds measured on the straight are given below.",
    )
    chart = Chart(
        "hbar", "Top speed (km/h)", tuple(n for n, _ in edition.speeds), tuple(v for _, v in edition.speeds), "purple"
    )
    blocks: tuple[Block, ...] = (
        Heading("The race"),
        race,
        Heading("Aftermath"),
        after,
        Heading("Classification"),
        TableBlock(
            "results",
            "Classification",
            ("Pos", "No.", "Driver", "Team", "Laps", "Time/Retired"),
            edition.results,
            as_image=edition.results_as_image,
        ),
        Figure("speeds", "Speeds measured on the straight", chart),
        Heading("Course"),
        voice.paragraph(
            "course",
            voice.some(
                [
                    "The course followed the harbour road, climbed to the water tower and came back by the mill.",
                    "It had eleven bends, of which only two had names.",
                    "Straw bales protected the lamp posts but not the bakery.",
                    "The pits were set up in a timber yard.",
                ],
                3,
            ),
        ),
        Heading("Spectators"),
        voice.paragraph(
            "spectators",
            voice.some(
                [
                    "Spectators paid at the bakery or climbed over the wall behind it.",
                    "A brass band played at the chicane and stopped whenever a car came past.",
                    "The local school gave its pupils the day off and then asked for an essay.",
                    "Hotels were full, and several mechanics slept under the cars.",
                ],
                3,
            ),
        ),
    )
    infobox = (
        ("Date", f"{voice.rng.randint(1, 28)} {voice.say('May', 'June', 'August')} {edition.year}"),
        ("Host town", edition.town),
        ("Distance", f"{edition.laps} laps"),
        ("Starter", edition.starter),
    )
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
        voice.some(
            [
                "The race began as a bet between two hotel keepers.",
                "It moves from town to town, since no council has wanted it twice in a row without a pause.",
                "Entries are by invitation, and the number of starters is limited to sixteen.",
                "The distance has been changed several times, most often after complaints from the dairy.",
                "No driver has ever been fined for being too slow.",
            ],
            4,
        ),
    )
    records = voice.paragraph(
        "records",
        "Average speeds depend on the course and cannot be compared from one year to the next.",
        voice.some(
            [
                "The trophy has been dropped three times and repaired with solder.",
                "Winners are expected to sign the bonnet of the pace car.",
                "A second trophy for the slowest finisher was given up.",
            ],
            2,
        ),
    )
    picture = Picture("statuette", (series.engraving,), "yellow", 0, "cup")
    columns = ("Year", "Driver", "Team", "Host town", "Average km/h")
    blocks: tuple[Block, ...] = (
        Heading("History"),
        history,
        Figure("trophy", "The trophy", picture),
        Heading("Winners"),
        TableBlock("winners", "Winners by year", columns, series.winners),
        Heading("Records"),
        records,
        Heading("In popular culture"),
        voice.paragraph(
            "culture",
            voice.some(
                [
                    "A board game based on the race was sold for two winters and taken back for one.",
                    "The winners are listed on a tile in the cloakroom of the organising club.",
                    "Several songs mention the race, none of them correctly.",
                    "Postage stamps were issued for the tenth running.",
                ],
                3,
            ),
        ),
    )
    infobox = (("Founded by", series.founder), ("Trophy", series.trophy), ("Editions listed", str(len(series.winners))))
    return Article(series.title, "series", (lead,), infobox, blocks)


def write_award(world: World, award: Award) -> Article:
    voice = Voice(world.seed, award.name)
    lead = voice.paragraph(
        "lead",
        f"The {award.name} is an award for a performance in a film, given every year by the theatre owners of "
        f"{award.region}.",
        f"The statuette was made by {award.sculptor}.",
    )
    history = voice.paragraph(
        "history",
        voice.some(
            [
                "The jury consists of nine ticket sellers and a chairman who has no vote.",
                "Its meetings are public and rarely attended.",
                "In some years no award was given, because the jury could not agree on a place to eat.",
                "Winners receive the statuette, a sum of money and a season ticket for life.",
                "Speeches are limited to one minute, measured with an egg timer.",
            ],
            4,
        ),
    )
    rules = voice.paragraph(
        "rules",
        voice.some(
            [
                "A film is eligible in the year after its release.",
                "Nobody may win for the same part twice.",
                "Films in every language are admitted if they carry subtitles.",
                "The envelope is sealed by a notary.",
            ],
            3,
        ),
    )
    picture = Picture("statuette", (award.engraving,), award.colour, 0, "figure")
    blocks: tuple[Block, ...] = (
        Heading("History"),
        history,
        Figure("statuette", "The statuette", picture),
        Heading("Rules"),
        rules,
        Heading("Winners"),
        TableBlock("winners", "Winners", ("Year", "Film", "Recipient", "Part"), award.winners),
        Heading("The ceremony"),
        voice.paragraph(
            "ceremony",
            voice.some(
                [
                    "The ceremony takes place in a different cinema each year and begins after the evening show.",
                    "Guests are served soup, since the founders distrusted small dishes.",
                    "The statuette is carried in by the youngest usher of the house.",
                    "Winners who cannot come send a relative, and one sent a parrot.",
                    "No photographs are taken, but a draughtsman sits in the front row.",
                ],
                4,
            ),
        ),
    )
    infobox = (("Awarded for", "Acting"), ("Region", award.region), ("Sculptor", award.sculptor))
    return Article(award.name, "award", (lead,), infobox, blocks)
