"""What can be asked of each kind of entity, with the answer read off the world and the place it stands."""

from __future__ import annotations

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.draft import Fact, Gold, only_largest
from common.benchmarks.pocket.facts_people import person_facts
from common.benchmarks.pocket.world import Club, Film, Town, World


def facts_about(world: World, kind: str, key: str) -> list[Fact]:
    """All facts of one entity. `kind` is town, actor, driver, musician, film or club."""
    match kind:
        case "town":
            return _town(world.towns[key])
        case "actor" | "driver" | "musician":
            return person_facts(world.people[key])
        case "film":
            return _film(world.films[key])
        case "club":
            return _club(world.clubs[key])
    raise KeyError(f"no facts are defined for kind {kind!r}")


def _town(town: Town) -> list[Fact]:
    doc = slug(town.name)

    def text(anchor: str) -> Gold:
        return Gold(doc, anchor, "text")

    facts = [
        Fact("town.founder", ("Who founded {x}?", "Who was the founder of {x}?"), (town.founder,), text("lead")),
        Fact(
            "town.legend",
            ("According to legend, which animal guided the first settlers of {x}?",),
            (town.animal,),
            text("history"),
        ),
        Fact(
            "town.industry",
            ("From which trade did {x} live for most of its history?", "Which trade once brought wealth to {x}?"),
            (town.industry,),
            text("lead"),
        ),
        Fact(
            "town.bridge",
            ("Who built the stone bridge of {x}?", "By whom was the stone bridge in {x} built?"),
            (town.bridge_builder,),
            text("history"),
        ),
        Fact("town.hall", ("Who designed the town hall of {x}?",), (town.hall_architect,), text("sights")),
        Fact(
            "town.festival",
            ("What is the month of the street festival in {x}?",),
            (town.festival_month,),
            text("sights"),
        ),
    ]
    mayors = Gold(doc, "mayors", "table")
    for name, start, end in town.mayors:
        if end - start > 3:
            wording = (
                f"In {start + 2}, who was mayor of {{x}}?",
                f"Who held the office of mayor in {start + 2} in {{x}}?",
            )
            facts.append(Fact("town.mayor", wording, (name,), mayors))
    twins = Gold(doc, "twins", "table", town.twins_as_image)
    facts.append(
        Fact(
            "town.last_twin",
            ("Which town is the most recent twin of {x}?", "Which town was the last to become a twin of {x}?"),
            (town.twins[-1][0],),
            twins,
        )
    )
    facts.append(
        Fact("town.first_twin", ("Which town was the first to become a twin of {x}?",), (town.twins[0][0],), twins)
    )
    for year, people in town.census[1:]:
        facts.append(
            Fact(
                "town.census",
                (
                    f"How many inhabitants did the {year} census count in {{x}}?",
                    f"According to the {year} census, what was the population of {{x}}?",
                ),
                (str(people),),
                Gold(doc, "census", "image", True),
            )
        )
    sign = Gold(doc, "sign", "image", True)
    facts.append(Fact("town.motto", ("What motto is written on the road sign of {x}?",), (town.motto.title(),), sign))
    facts.append(Fact("town.route", ("Which route number is on the road sign of {x}?",), (str(town.route),), sign))
    return facts


def _film(film: Film) -> list[Fact]:
    doc = slug(film.page_title)
    poster = Gold(doc, "poster", "image", True)
    facts = [
        Fact(
            "film.editor",
            ("Who edited {x}?", "Who was the editor of {x}?"),
            (film.editor,),
            Gold(doc, "production", "text"),
        ),
        Fact(
            "film.tagline",
            ("What words are printed on the poster of {x}?", "What is the wording on the poster of {x}?"),
            (film.tagline.title(),),
            poster,
        ),
        Fact(
            "film.count",
            (f"How many {film.motif} are there on the poster of {{x}}?",),
            (str(film.motif_count),),
            poster,
            visual=True,
        ),
    ]
    chart = Gold(doc, "admissions", "image", True)
    for week in (2, 4):
        facts.append(
            Fact(
                "film.week",
                (f"In week {week}, how many thousand admissions were counted for {{x}}?",),
                (str(film.admissions[week - 1]),),
                chart,
            )
        )
    facts += [
        Fact(
            "film.role",
            (f"Which actor played {role} in {{x}}?", f"Who was cast as {role} in {{x}}?"),
            (actor,),
            Gold(doc, "cast", "table"),
        )
        for actor, role, _ in film.cast
    ]
    return facts


def _club(club: Club) -> list[Fact]:
    doc = slug(club.name)
    crest, squad = Gold(doc, "crest", "image", True), Gold(doc, "squad", "table", True)
    facts = [
        Fact(
            "club.founders",
            ("Which occupation was shared by the people who formed {x}?",),
            (club.founders,),
            Gold(doc, "history", "text"),
        ),
        Fact("club.chair", ("Who chairs the board of {x}?",), (club.chair,), Gold(doc, "today", "text")),
        Fact("club.ground", ("What is the name of the ground of {x}?",), (club.ground,), Gold(doc, "lead", "text")),
        Fact(
            "club.year",
            ("According to the crest, in which year was {x} founded?", "Which year is shown on the crest of {x}?"),
            (str(club.crest_year),),
            crest,
        ),
        Fact("club.motto", ("What motto is written on the crest of {x}?",), (club.motto.title(),), crest),
    ]
    for season, gate in club.attendance[1:]:
        facts.append(
            Fact(
                "club.gate",
                (f"In the {season} season, what was the mean attendance of {{x}}?",),
                (str(gate),),
                Gold(doc, "attendance", "image", True),
            )
        )
    best = only_largest([(int(row[3]), row[2]) for row in club.squad])
    if best:
        facts.append(
            Fact(
                "club.scorer",
                ("According to the squad list of 1984, which player had scored the most goals for {x}?",),
                (best,),
                squad,
            )
        )
    keeper = next(row[2] for row in club.squad if row[1] == "Goalkeeper")
    facts.append(Fact("club.keeper", ("In the 1984 squad list, who is the goalkeeper of {x}?",), (keeper,), squad))
    return facts
