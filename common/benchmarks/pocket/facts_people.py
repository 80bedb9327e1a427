"""What can be asked of a person: of anybody, and of each role."""

from __future__ import annotations

from common.benchmarks.pocket.draft import Fact, Page, fact, only_largest
from common.benchmarks.pocket.world import Person


def person_facts(person: Person) -> list[Fact]:
    """All facts of an actor, driver or musician."""
    page = Page.of(person.name)
    return [*_life(person, page), *_OF_ROLE[person.role](person, page)]


def _life(person: Person, page: Page) -> list[Fact]:
    """What every person's page tells."""
    return [
        fact(
            "person.trade",
            person.trade,
            page.text("lead"),
            "As what had {x} first been apprenticed?",
            "Which trade had {x} learned as an apprentice?",
        ),
        fact(
            "person.teacher",
            person.teacher,
            page.text("early"),
            "Who gave the first lessons to {x}?",
            "Who was the first teacher of {x}?",
        ),
        fact("person.pastime", person.pastime, page.text("private"), "Which pastime filled the spare hours of {x}?"),
        fact("person.spouse", person.spouse, page.text("private"), "Who is the spouse of {x}?", "Who married {x}?"),
    ]


def _driver(person: Person, page: Page) -> list[Fact]:
    """The first race, the points of every season, and what the picture of the car shows."""
    lettering, picture = person.lettering.title(), page.image("picture")
    return [
        fact(
            "driver.aerodrome",
            person.debut_at,
            page.text("debut"),
            "Which aerodrome was the scene of the first race driven by {x}?",
        ),
        *(
            fact(
                "driver.points",
                points,
                page.table("career"),
                f"In the {season} championship season, how many points were scored by {{x}}?",
            )
            for season, _, _, _, points in person.career
        ),
        fact(
            "driver.sponsor", lettering, picture, "What words are painted on the side of the car in the picture of {x}?"
        ),
        fact("driver.number", person.number, picture, "What is the number on the car in the picture of {x}?"),
        fact(
            "driver.colour",
            person.picture_colour,
            picture,
            "What colour is the car in the picture of {x}?",
            visual=True,
        ),
    ]


def _actor(person: Person, page: Page) -> list[Fact]:
    """The stage debut, the ends of the filmography, and the door in the picture."""
    return [
        fact(
            "actor.theatre",
            f"{person.debut_at} Theatre",
            page.text("debut"),
            "Which theatre saw the stage debut of {x}?",
        ),
        *_filmography(person, page),
        fact(
            "actor.stage",
            person.lettering.title(),
            page.image("picture"),
            "Which stage number is on the door behind {x}?",
            "What is written on the door in the picture of {x}?",
        ),
    ]


def _filmography(person: Person, page: Page) -> list[Fact]:
    """The earliest and the latest title, where both stand alone in their year."""
    films: list[tuple[float, str]] = [(int(year), title) for year, title, _, _ in person.career]
    first, last = only_largest(films, smallest=True), only_largest(films)
    if not (first and last):
        return []
    career = page.table("career")
    return [
        fact("actor.first_film", first, career, "What is the earliest title in the selected filmography of {x}?"),
        fact("actor.last_film", last, career, "What is the latest title in the selected filmography of {x}?"),
    ]


def _musician(person: Person, page: Page) -> list[Fact]:
    """The first appearance, the singles, and the banner in the picture."""
    return [
        fact(
            "musician.ballroom",
            f"{person.debut_at} Ballroom",
            page.text("debut"),
            "Which ballroom was the scene of the first public appearance of {x}?",
        ),
        *_singles(person, page),
        fact(
            "musician.banner",
            person.lettering.title(),
            page.image("picture"),
            "What is written on the banner in the picture of {x}?",
        ),
    ]


def _singles(person: Person, page: Page) -> list[Fact]:
    """The highest-placed single, where there is one, and the label of the earliest."""
    career, facts = page.table("career"), []
    best = only_largest([(int(peak), single) for _, single, _, peak in person.career], smallest=True)
    if best:
        facts.append(
            fact(
                "musician.best",
                best,
                career,
                "Which single by {x} reached the best position?",
                "What is the highest-placed single of {x}?",
            )
        )
    _, _, label, _ = person.career[0]
    return [*facts, fact("musician.label", label, career, "Which label released the earliest single by {x}?")]


_OF_ROLE = {"driver": _driver, "actor": _actor, "musician": _musician}
