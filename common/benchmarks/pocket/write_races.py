"""Articles of race editions, winners lists and awards."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, chart_of
from common.benchmarks.pocket.world import Award, Edition, Series, World


def write_edition(world: World, edition: Edition) -> Article:
    """The article of one running of a race, with its classification and the chart of top speeds."""
    voice = Voice(world.seed, edition.title)
    lead = _edition_lead(voice, edition)
    columns = ("Pos", "No.", "Driver", "Team", "Laps", "Time/Retired")
    speeds = chart_of("hbar", "Top speed (km/h)", edition.speeds, "purple")
    blocks: tuple[Block, ...] = (
        Heading("The race"),
        _race(voice, edition),
        Heading("Aftermath"),
        _aftermath(voice),
        Heading("Classification"),
        TableBlock("results", "Classification", columns, edition.results, as_image=edition.results_as_image),
        Figure("speeds", "Speeds measured on the straight", speeds),
        Heading("Course"),
        _course(voice),
        Heading("Spectators"),
        _spectators(voice),
    )
    infobox = (
        ("Date", f"{voice.rng.randint(1, 28)} {voice.say('May', 'June', 'August')} {edition.year}"),
        ("Host town", edition.town),
        ("Distance", f"{edition.laps} laps"),
        ("Starter", edition.starter),
    )
    return Article(edition.title, "edition", (lead,), infobox, blocks)


def _edition_lead(voice: Voice, edition: Edition) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"The {edition.title} was a motor race over {edition.laps} laps, held on closed roads around {edition.town}.",
        f"It was run in {edition.weather}.",
        f"The starter was {edition.starter}.",
    )


def _race(voice: Voice, edition: Edition) -> Paragraph:
    return voice.paragraph(
        "race",
        f"{edition.pole} started from pole position.",
        voice.some(
            5,
            "The first start was recalled because a dog had crossed the grid.",
            "The leaders stayed together for a third of the distance and then lost each other in the traffic.",
            "At half distance the order was decided in the pits, where one crew had mislaid the funnel.",
            "Several cars slid off at the chapel bend and went on with bent wings.",
            "The marshals ran out of yellow flags and used tablecloths.",
            "Spectators on the viaduct were asked to stop throwing hats.",
        ),
    )


def _aftermath(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "after",
        voice.say(
            "The organisers kept the results back for two hours while the lap charts were compared.",
            "A protest about fuel was heard in the evening and rejected.",
        ),
        voice.some(
            2,
            "Prize money was paid in coins.",
            "The winner's wreath was too small and was hung on the mirror.",
            "The road was open to buses again before midnight.",
        ),
        "The full classification and the highest speeds measured on the straight are given below.",
    )


def _course(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "course",
        voice.some(
            3,
            "The course followed the harbour road, climbed to the water tower and came back by the mill.",
            "It had eleven bends, of which only two had names.",
            "Straw bales protected the lamp posts but not the bakery.",
            "The pits were set up in a timber yard.",
        ),
    )


def _spectators(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "spectators",
        voice.some(
            3,
            "Spectators paid at the bakery or climbed over the wall behind it.",
            "A brass band played at the chicane and stopped whenever a car came past.",
            "The local school gave its pupils the day off and then asked for an essay.",
            "Hotels were full, and several mechanics slept under the cars.",
        ),
    )


def write_series(world: World, series: Series) -> Article:
    """The article that lists the winners of a race, with its trophy."""
    voice = Voice(world.seed, series.title)
    columns = ("Year", "Driver", "Team", "Host town", "Average km/h")
    blocks: tuple[Block, ...] = (
        Heading("History"),
        _series_history(voice),
        Figure("trophy", "The trophy", Picture("statuette", (series.engraving,), "yellow", 0, "cup")),
        Heading("Winners"),
        TableBlock("winners", "Winners by year", columns, series.winners),
        Heading("Records"),
        _records(voice),
        Heading("In popular culture"),
        _culture(voice),
    )
    infobox = (("Founded by", series.founder), ("Trophy", series.trophy), ("Editions listed", str(len(series.winners))))
    return Article(series.title, "series", (_series_lead(voice, series),), infobox, blocks)


def _series_lead(voice: Voice, series: Series) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"The {series.name} is a yearly motor race founded by {series.founder}.",
        f"The winner is lent the {series.trophy} for a year and must insure it.",
        "This page lists every winner up to 1974.",
    )


def _series_history(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "history",
        voice.some(
            4,
            "The race began as a bet between two hotel keepers.",
            "It moves from town to town, since no council has wanted it twice in a row without a pause.",
            "Entries are by invitation, and the number of starters is limited to sixteen.",
            "The distance has been changed several times, most often after complaints from the dairy.",
            "No driver has ever been fined for being too slow.",
        ),
    )


def _records(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "records",
        "Average speeds depend on the course and cannot be compared from one year to the next.",
        voice.some(
            2,
            "The trophy has been dropped three times and repaired with solder.",
            "Winners are expected to sign the bonnet of the pace car.",
            "A second trophy for the slowest finisher was given up.",
        ),
    )


def _culture(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "culture",
        voice.some(
            3,
            "A board game based on the race was sold for two winters and taken back for one.",
            "The winners are listed on a tile in the cloakroom of the organising club.",
            "Several songs mention the race, none of them correctly.",
            "Postage stamps were issued for the tenth running.",
        ),
    )


def write_award(world: World, award: Award) -> Article:
    """The article of a film award, with its statuette and its winners."""
    voice = Voice(world.seed, award.name)
    statuette = Picture("statuette", (award.engraving,), award.colour, 0, "figure")
    blocks: tuple[Block, ...] = (
        Heading("History"),
        _award_history(voice),
        Figure("statuette", "The statuette", statuette),
        Heading("Rules"),
        _rules(voice),
        Heading("Winners"),
        TableBlock("winners", "Winners", ("Year", "Film", "Recipient", "Part"), award.winners),
        Heading("The ceremony"),
        _ceremony(voice),
    )
    infobox = (("Awarded for", "Acting"), ("Region", award.region), ("Sculptor", award.sculptor))
    return Article(award.name, "award", (_award_lead(voice, award),), infobox, blocks)


def _award_lead(voice: Voice, award: Award) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"The {award.name} is an award for a performance in a film, given every year by the theatre owners of "
        f"{award.region}.",
        f"The statuette was made by {award.sculptor}.",
    )


def _award_history(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "history",
        voice.some(
            4,
            "The jury consists of nine ticket sellers and a chairman who has no vote.",
            "Its meetings are public and rarely attended.",
            "In some years no award was given, because the jury could not agree on a place to eat.",
            "Winners receive the statuette, a sum of money and a season ticket for life.",
            "Speeches are limited to one minute, measured with an egg timer.",
        ),
    )


def _rules(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "rules",
        voice.some(
            3,
            "A film is eligible in the year after its release.",
            "Nobody may win for the same part twice.",
            "Films in every language are admitted if they carry subtitles.",
            "The envelope is sealed by a notary.",
        ),
    )


def _ceremony(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "ceremony",
        voice.some(
            4,
            "The ceremony takes place in a different cinema each year and begins after the evening show.",
            "Guests are served soup, since the founders distrusted small dishes.",
            "The statuette is carried in by the youngest usher of the house.",
            "Winners who cannot come send a relative, and one sent a parrot.",
            "No photographs are taken, but a draughtsman sits in the front row.",
        ),
    )
