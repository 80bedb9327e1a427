"""Articles of people: actors, racing drivers and musicians."""

from __future__ import annotations

from dataclasses import dataclass

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, article_for, pronouns
from common.benchmarks.pocket.world import Person, World


@dataclass(frozen=True)
class _Role:
    """What tells the articles of one role from the others'. Sentences have slots {place}, {He}, {he}, {him}, {his}."""

    noun: str
    picture: str
    caption: str  # after the surname
    lesson: str  # what the first teacher did
    debut: str
    style: tuple[str, ...]
    table: str
    columns: tuple[str, ...]


_ROLES = {
    "actor": _Role(
        noun="stage and screen actor",
        picture="portrait",
        caption="waiting between two takes",
        lesson="had once prompted at the municipal theatre",
        debut="{He} made {his} stage debut at the {place} Theatre in a part of eleven words.",
        style=(
            "Directors valued a voice that carried without being raised.",
            "A contract for six pictures followed, of which {he} refused two after reading the scripts.",
            "{He} declined to be doubled and broke a wrist in a fall from a hay cart.",
            "Critics called the middle years uneven, though the public stayed loyal.",
            "In later life {he} taught diction to beginners, free of charge.",
        ),
        table="Selected filmography",
        columns=("Year", "Title", "Role", "Notes"),
    ),
    "driver": _Role(
        noun="racing driver",
        picture="car",
        caption="at the wheel during practice",
        lesson="repaired delivery vans",
        debut="{He} drove {his} first race at the {place} aerodrome in a borrowed car.",
        style=(
            "Mechanics remembered a driver who came back with the tyres hardly worn.",
            "{He} was seldom the fastest over one lap and often the fastest over the last ten.",
            "A fire during testing cost {him} half a season.",
            "{He} kept a notebook in which every bend was given a number and a short insult.",
            "After retiring {he} ran a school for young drivers on a disused runway.",
        ),
        table="Championship seasons",
        columns=("Season", "Team", "Starts", "Wins", "Points"),
    ),
    "musician": _Role(
        noun="singer and songwriter",
        picture="stage",
        caption="on stage",
        lesson="tuned pianos",
        debut="{He} first sang in public at the {place} Ballroom, as a stand-in.",
        style=(
            "The early records were made in a single afternoon with two microphones.",
            "{He} wrote most of the words on trains and most of the tunes on a harmonium.",
            "Radio stations disliked the long introductions and shortened them with scissors.",
            "A dispute over royalties kept {him} out of the studio for almost two years.",
            "{He} also accepted work behind the scenes for other artists and for the cinema.",
        ),
        table="Singles",
        columns=("Year", "Single", "Label", "Peak position"),
    ),
}


def write_person(world: World, person: Person) -> Article:
    """The article of a person; the picture shows lettering and a number that the prose leaves out."""
    voice, role = Voice(world.seed, person.name), _ROLES[person.role]
    lead = _lead(voice, person, role)
    picture = Picture(role.picture, (person.lettering,), person.picture_colour, 0, str(person.number))
    blocks: tuple[Block, ...] = (
        Heading("Early life"),
        _early(voice, person, role),
        Figure("picture", f"{person.surname} {role.caption}", picture),
        Heading("Career"),
        *_career(voice, person, role),
        TableBlock("career", role.table, role.columns, person.career),
        Heading("Private life"),
        _private(voice, person),
    )
    infobox = (
        ("Born", f"{person.birth_day} {person.born}"),
        ("Birthplace", person.birthplace),
        ("Occupation", role.noun.capitalize()),
        ("Height", f"{person.height / 100:.2f} m"),
        ("Spouse", person.spouse),
    )
    return Article(person.name, person.role, (lead,), infobox, blocks)


def _lead(voice: Voice, person: Person, role: _Role) -> Paragraph:
    _, him, his = pronouns(person.woman)
    trade = article_for(person.trade)
    return voice.paragraph(
        "lead",
        f"{person.name} (born {person.birth_day} {person.born} in {person.birthplace}) is "
        f"{article_for(role.noun)}, now retired.",
        voice.say(
            f"{person.surname} came late to the profession and had first been apprenticed as {trade}.",
            f"Before that, {person.surname} had been apprenticed as {trade} and worked four years at the bench.",
        ),
        voice.say(
            f"Colleagues knew {him} above all for {his} patience and for {his} habit of arriving an hour early.",
            f"Newspapers of the time praised {his} calm and complained about {his} silence in interviews.",
        ),
    )


def _early(voice: Voice, person: Person, role: _Role) -> Paragraph:
    he, him, his = pronouns(person.woman)
    return voice.paragraph(
        "early",
        f"{person.surname} was the {voice.say('second', 'third', 'youngest', 'eldest')} of "
        f"{voice.rng.randint(3, 7)} children.",
        voice.say(
            f"The family lived above a shop, and {he.lower()} left school at fourteen.",
            f"The house stood by the tram depot, and the noise, {he.lower()} later said, taught {him} to concentrate.",
        ),
        f"{he} owed {his} first lessons to {person.teacher}, a neighbour who {role.lesson}.",
        voice.say(
            f"{he} paid for them by carrying coal and running errands.",
            f"The lessons took place on Sundays and were kept secret from {his} parents for a year.",
        ),
    )


def _career(voice: Voice, person: Person, role: _Role) -> list[Paragraph]:
    he, him, his = pronouns(person.woman)
    slots = {"place": person.debut_at, "He": he, "he": he.lower(), "him": him, "his": his}
    legacy = _legacy(voice, person)  # drawn first, though it stands last
    debut = voice.paragraph(
        "debut",
        role.debut.format(**slots),
        voice.say(
            f"Success did not come at once, and for a while {he.lower()} went back to {his} old trade in the mornings.",
            f"For three winters {he.lower()} lived on small engagements and on the patience of {his} landlady.",
        ),
    )
    style = voice.paragraph("style", voice.some(4, *(sentence.format(**slots) for sentence in role.style)))
    return [debut, style, legacy]


def _legacy(voice: Voice, person: Person) -> Paragraph:
    he, him, his = pronouns(person.woman)
    return voice.paragraph(
        "legacy",
        voice.some(
            4,
            f"A street, a rose and a sandwich have been named after {him}.",
            f"{he} turned down a knighthood on the grounds that it would have meant a new suit.",
            f"Biographers disagree about almost everything except {his} punctuality.",
            "Colleagues who were asked for anecdotes usually said that there were none, and then told several.",
            f"{he} gave {his} last interview to a school newspaper and was pleased with the questions.",
        ),
    )


def _private(voice: Voice, person: Person) -> Paragraph:
    he, _, his = pronouns(person.woman)
    club = person.honorary_club
    return voice.paragraph(
        "private",
        f"{person.surname} married {person.spouse}, "
        f"{voice.say('a dentist', 'a surveyor', 'a librarian', 'a botanist')}, and the couple "
        f"had {voice.say('two', 'three', 'four')} children.",
        f"{he} spent {his} spare hours {person.pastime}.",
        f"Since retiring {he.lower()} has been honorary president of {club}." if club else "",
        voice.say(
            f"{he} never kept a television and answered letters by return of post.",
            f"A memoir was announced twice and never finished; the drafts are with {his} family.",
        ),
    )
