"""What can be asked of a person."""

from __future__ import annotations

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.draft import Fact, Gold, only_largest
from common.benchmarks.pocket.world import Person


def person_facts(person: Person) -> list[Fact]:
    doc = slug(person.name)
    facts = [
        Fact(
            "person.trade",
            ("As what had {x} first been apprenticed?", "Which trade had {x} learned as an apprentice?"),
            (person.trade,),
            Gold(doc, "lead", "text"),
        ),
        Fact(
            "person.teacher",
            ("Who gave the first lessons to {x}?", "Who was the first teacher of {x}?"),
            (person.teacher,),
            Gold(doc, "early", "text"),
        ),
        Fact(
            "person.pastime",
            ("Which pastime filled the spare hours of {x}?",),
            (person.pastime,),
            Gold(doc, "private", "text"),
        ),
        Fact(
            "person.spouse",
            ("Who is the spouse of {x}?", "Who married {x}?"),
            (person.spouse,),
            Gold(doc, "private", "text"),
        ),
    ]
    picture, career = Gold(doc, "picture", "image", True), Gold(doc, "career", "table")
    if person.role == "driver":
        facts.append(
            Fact(
                "driver.aerodrome",
                ("Which aerodrome was the scene of the first race driven by {x}?",),
                (person.debut_at,),
                Gold(doc, "debut", "text"),
            )
        )
        facts += [
            Fact(
                "driver.points",
                (f"In the {row[0]} championship season, how many points were scored by {{x}}?",),
                (row[4],),
                career,
            )
            for row in person.career
        ]
        facts.append(
            Fact(
                "driver.sponsor",
                ("What words are painted on the side of the car in the picture of {x}?",),
                (person.lettering.title(),),
                picture,
            )
        )
        facts.append(
            Fact(
                "driver.number",
                ("What is the number on the car in the picture of {x}?",),
                (str(person.number),),
                picture,
            )
        )
        facts.append(
            Fact(
                "driver.colour",
                ("What colour is the car in the picture of {x}?",),
                (person.picture_colour,),
                picture,
                visual=True,
            )
        )
    elif person.role == "actor":
        facts.append(
            Fact(
                "actor.theatre",
                ("Which theatre saw the stage debut of {x}?",),
                (f"{person.debut_at} Theatre",),
                Gold(doc, "debut", "text"),
            )
        )
        first = only_largest([(int(row[0]), row[1]) for row in person.career], smallest=True)
        last = only_largest([(int(row[0]), row[1]) for row in person.career])
        if first and last:
            facts.append(
                Fact(
                    "actor.first_film",
                    ("What is the earliest title in the selected filmography of {x}?",),
                    (first,),
                    career,
                )
            )
            facts.append(
                Fact(
                    "actor.last_film",
                    ("What is the latest title in the selected filmography of {x}?",),
                    (last,),
                    career,
                )
            )
        facts.append(
            Fact(
                "actor.stage",
                ("Which stage number is on the door behind {x}?", "What is written on the door in the picture of {x}?"),
                (person.lettering.title(),),
                picture,
            )
        )
    else:
        facts.append(
            Fact(
                "musician.ballroom",
                ("Which ballroom was the scene of the first public appearance of {x}?",),
                (f"{person.debut_at} Ballroom",),
                Gold(doc, "debut", "text"),
            )
        )
        best = only_largest([(int(row[3]), row[1]) for row in person.career], smallest=True)
        if best:
            facts.append(
                Fact(
                    "musician.best",
                    ("Which single by {x} reached the best position?", "What is the highest-placed single of {x}?"),
                    (best,),
                    career,
                )
            )
        facts.append(
            Fact(
                "musician.label", ("Which label released the earliest single by {x}?",), (person.career[0][2],), career
            )
        )
        facts.append(
            Fact(
                "musician.banner",
                ("What is written on the banner in the picture of {x}?",),
                (person.lettering.title(),),
                picture,
            )
        )
    return facts
