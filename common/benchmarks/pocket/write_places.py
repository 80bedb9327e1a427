"""Articles of towns."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, chart_of
from common.benchmarks.pocket.world import Town, World


def write_town(world: World, town: Town) -> Article:
    """The article of a town; its road sign and the chart of its census show what the prose leaves out."""
    voice = Voice(world.seed, town.name)
    lead, history = _lead(voice, town), _history(voice, town)
    sights, economy = _sights(voice, town), _economy(voice)
    sign = Picture("sign", (town.motto, f"ROUTE {town.route}"), voice.say("blue", "green", "black"), 0, "")
    mayors = tuple((name, str(start), str(end)) for name, start, end in town.mayors)
    twins = tuple((name, country, str(since)) for name, country, since in town.twins)
    blocks: tuple[Block, ...] = (
        Heading("History"),
        history,
        Figure("sign", "Road sign at the northern approach", sign),
        Heading("Sights and customs"),
        sights,
        Heading("Government"),
        TableBlock("mayors", "Mayors", ("Mayor", "From", "To"), mayors),
        TableBlock("twins", "Twin towns", ("Twin town", "Country", "Since"), twins, as_image=town.twins_as_image),
        Heading("Economy and population"),
        economy,
        Figure("census", "Population by census year", chart_of("bar", "Inhabitants", town.census, "blue")),
    )
    infobox = (
        ("Region", town.region),
        ("River", town.river),
        ("Elevation", f"{town.elevation} m"),
        ("Area", f"{town.area} km2"),
        ("Market charter", str(town.charter)),
    )
    return Article(town.name, "town", (lead,), infobox, blocks)


def _lead(voice: Voice, town: Town) -> Paragraph:
    return voice.paragraph(
        "lead",
        f"{town.name} is a town in {town.region}, on the River {town.river}.",
        voice.say(
            f"It was founded by {town.founder} and received its market charter in {town.charter}.",
            f"Its market charter dates from {town.charter}; the founder was {town.founder}.",
        ),
        voice.say(
            f"For most of its history the town lived from {town.industry}, of which little is left.",
            f"The trade that made it rich was {town.industry}, and the last workshop is now a museum.",
        ),
    )


def _history(voice: Voice, town: Town) -> Paragraph:
    return voice.paragraph(
        "history",
        voice.say(
            f"According to a legend told in every classroom, a {town.animal} led the first settlers to the ford.",
            f"The legend has it that a {town.animal} showed the first settlers where to dig for water.",
        ),
        voice.say(
            "Two fires and one siege are recorded, neither of which reached the market square.",
            "A plague year emptied half the houses, and the walls were pulled down for their stone.",
        ),
        f"The stone bridge across the river was built by {town.bridge_builder}, who is said to have been paid in "
        f"{voice.say('wine', 'salt', 'cloth')}.",
        voice.say("It is still the only crossing for heavy carts.", "Its third arch was rebuilt after a flood."),
    )


def _sights(voice: Voice, town: Town) -> Paragraph:
    return voice.paragraph(
        "sights",
        f"The town hall was designed by {town.hall_architect} and has a clock with a single hand.",
        voice.say(
            "Opposite stands the old weigh house, today a library with a reading room for children.",
            "Next to it the granary has been turned into a small theatre of eighty seats.",
        ),
        f"A street festival is held every {town.festival_month}, when the guilds carry lamps down to the water.",
        voice.some(
            3,
            "Visitors are warned about the steps, which are steep and have no rail.",
            "The botanical garden keeps a collection of mosses.",
            "A narrow-gauge railway once ran to the quarries and is now a footpath.",
            "The covered market opens on Tuesdays and Saturdays.",
        ),
    )


def _economy(voice: Voice) -> Paragraph:
    return voice.paragraph(
        "economy",
        voice.say(
            "Today most people work in services, in two small factories or in the surrounding villages.",
            "A cannery and a furniture works are the largest employers.",
        ),
        voice.say(
            "The railway station has two platforms and a buffet.",
            "Buses connect the town with the coast twice an hour.",
        ),
        "The census was taken every ten years; its results are shown in the chart.",
    )
