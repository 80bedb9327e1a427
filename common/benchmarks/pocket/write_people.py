"""Articles of people: actors, racing drivers and musicians."""

from __future__ import annotations

from common.benchmarks.pocket.article import Article, Block, Figure, Heading, Picture, TableBlock
from common.benchmarks.pocket.prose import Voice, article_for, pronouns
from common.benchmarks.pocket.world import Person, World

_NOUN = {"actor": "stage and screen actor", "driver": "racing driver", "musician": "singer and songwriter"}
_TABLE = {
    "actor": ("Selected filmography", ("Year", "Title", "Role", "Notes")),
    "driver": ("Championship seasons", ("Season", "Team", "Starts", "Wins", "Points")),
    "musician": ("Singles", ("Year", "Single", "Label", "Peak position")),
}
_PICTURE = {"actor": "portrait", "driver": "car", "musician": "stage"}


def write_person(world: World, person: Person) -> Article:
    voice = Voice(world.seed, person.name)
    he, him, his = pronouns(person.woman)
    noun, trade = _NOUN[person.role], article_for(person.trade)
    lead = voice.paragraph(
        "lead",
        f"{person.name} (born {person.birth_day} {person.born} in {person.birthplace}) is "
        f"{article_for(noun)}, now retired.",
        voice.say(
            f"{person.surname} came late to the profession and had first been apprenticed as {trade}.",
            f"Before that, {person.surname} had been apprenticed as {trade} and worked four years at the bench.",
        ),
        voice.say(
            f"Colleagues knew {him} above all for {his} patience and for {his} habit of arriving an hour early.",
            f"Newspapers of the time praised {his} calm and complained about {his} silence in interviews.",
        ),
    )
    early = voice.paragraph(
        "early",
        f"{person.surname} was the {voice.say('second', 'third', 'youngest', 'eldest')} of "
        f"{voice.rng.randint(3, 7)} children.",
        voice.say(
            f"The family lived above a shop, and {he.lower()} left school at fourteen.",
            f"The house stood by the tram depot, and the noise, {he.lower()} later said, taught {him} to concentrate.",
        ),
        f"{he} owed {his} first lessons to {person.teacher}, a neighbour who {_lesson(person.role)}.",
        voice.say(
            f"{he} paid for them by carrying coal and running errands.",
            f"The lessons took place on Sundays and were kept secret from {his} parents for a year.",
        ),
    )
    picture = Picture(_PICTURE[person.role], (person.lettering,), person.picture_colour, 0, str(person.number))
    caption = {
        "actor": f"{person.surname} waiting between two takes",
        "driver": f"{person.surname} at the wheel during practice",
        "musician": f"{person.surname} on stage",
    }[person.role]
    title, columns = _TABLE[person.role]
    blocks: tuple[Block, ...] = (
        Heading("Early life"),
        early,
        Figure("picture", caption, picture),
        Heading("Career"),
        *_career(voice, person, he, him, his),
        TableBlock("career", title, columns, person.career),
        Heading("Private life"),
        _private(voice, person, he, his),
    )
    infobox = (
        ("Born", f"{person.birth_day} {person.born}"),
        ("Birthplace", person.birthplace),
        ("Occupation", noun.capitalize()),
        ("Height", f"{person.height / 100:.2f} m"),
        ("Spouse", person.spouse),
    )
    return Article(person.name, person.role, (lead,), infobox, blocks)


def _lesson(role: str) -> str:
    return {
        "actor": "had once prompted at the municipal theatre",
        "driver": "repaired delivery vans",
        "musician": "tuned pianos",
    }[role]


def _career(voice: Voice, person: Person, he: str, him: str, his: str) -> list[Block]:
    legacy = voice.some(
        [
            f"A street, a rose and a sandwich have been named after {him}.",
            f"{he} turned down a knighthood on the grounds that it would have meant a new suit.",
            f"Biographers disagree about almost everything except {his} punctuality.",
            "Colleagues who were asked for anecdotes usually said that there were none, and then told several.",
            f"{he} gave {his} last interview to a school newspaper and was pleased with the questions.",
        ],
        4,
    )
    opening = {
        "actor": f"{he} made {his} stage debut at the {person.debut_at} Theatre in a part of eleven words.",
        "driver": f"{he} drove {his} first race at the {person.debut_at} aerodrome in a borrowed car.",
        "musician": f"{he} first sang in public at the {person.debut_at} Ballroom, as a stand-in.",
    }[person.role]
    bank = {
        "actor": [
            "Directors valued a voice that carried without being raised.",
            f"A contract for six pictures followed, of which {he.lower()} refused two after reading the scripts.",
            f"{he} declined to be doubled and broke a wrist in a fall from a hay cart.",
            "Critics called the middle years uneven, though the public stayed loyal.",
            f"In later life {he.lower()} taught diction to beginners, free of charge.",
        ],
        "driver": [
            "Mechanics remembered a driver who came back with the tyres hardly worn.",
            f"{he} was seldom the fastest over one lap and often the fastest over the last ten.",
            f"A fire during testing cost {him} half a season.",
            f"{he} kept a notebook in which every bend was given a number and a short insult.",
            f"After retiring {he.lower()} ran a school for young drivers on a disused runway.",
        ],
        "musician": [
            "The early records were made in a single afternoon with two microphones.",
            f"{he} wrote most of the words on trains and most of the tunes on a harmonium.",
            "Radio stations disliked the long introductions and shortened them with scissors.",
            f"A dispute over royalties kept {him} out of the studio for almost two years.",
            f"{he} also accepted work behind the scenes for other artists and for the cinema.",
        ],
    }[person.role]
    more = voice.say(
        f"Success did not come at once, and for a while {he.lower()} went back to {his} old trade in the mornings.",
        f"For three winters {he.lower()} lived on small engagements and on the patience of {his} landlady.",
    )
    return [
        voice.paragraph("debut", opening, more),
        voice.paragraph("style", voice.some(bank, 4)),
        voice.paragraph("legacy", legacy),
    ]


def _private(voice: Voice, person: Person, he: str, his: str) -> Block:
    honorary = (
        f"Since retiring {he.lower()} has been honorary president of {person.honorary_club}."
        if person.honorary_club
        else ""
    )
    return voice.paragraph(
        "private",
        f"{person.surname} married {person.spouse}, "
        f"{voice.say('a dentist', 'a surveyor', 'a librarian', 'a botanist')}, and the couple "
        f"had {voice.say('two', 'three', 'four')} children.",
        f"{he} spent {his} spare hours {person.pastime}.",
        honorary,
        voice.say(
            f"{he} never kept a television and answered letters by return of post.",
            f"A memoir was announced twice and never finished; the drafts are with {his} family.",
        ),
    )
