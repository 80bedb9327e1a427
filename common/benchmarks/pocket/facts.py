"""What can be asked of each kind of entity, with the answer read off the world and the place it stands."""

from __future__ import annotations

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.draft import Fact, Gold
from common.benchmarks.pocket.world import Club, Film, Person, Town, World


def only_largest(pairs: list[tuple[float, str]], *, smallest: bool = False) -> str | None:
    """The name with the largest (or smallest) value, or None where two share it: such a question would be ambiguous."""
    ordered = sorted(pairs, reverse=not smallest)
    if not ordered or (len(ordered) > 1 and ordered[0][0] == ordered[1][0]):
        return None
    return ordered[0][1]


def facts_about(world: World, kind: str, key: str) -> list[Fact]:
    """All facts of one entity. `kind` is town, actor, driver, musician, film, club (others have single-hop facts only)."""
    match kind:
        case "town":
            return _town(world.towns[key])
        case "actor" | "driver" | "musician":
            return _person(world.people[key])
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
        Fact("town.legend", ("According to legend, which animal guided the first settlers of {x}?",), (town.animal,), text("history")),
        Fact("town.industry", ("From which trade did {x} live for most of its history?", "Which trade once made {x} rich?"), (town.industry,),
             text("lead")),
        Fact("town.bridge", ("Who built the stone bridge of {x}?", "By whom was the stone bridge in {x} built?"), (town.bridge_builder,),
             text("history")),
        Fact("town.hall", ("Who designed the town hall of {x}?",), (town.hall_architect,), text("sights")),
        Fact("town.festival", ("What is the month of the street festival in {x}?",), (town.festival_month,), text("sights")),
    ]
    mayors = Gold(doc, "mayors", "table")
    for name, start, end in town.mayors:
        if end - start > 3:
            wording = (f"In {start + 2}, who was mayor of {{x}}?", f"Who held the office of mayor in {start + 2} in {{x}}?")
            facts.append(Fact("town.mayor", wording, (name,), mayors))
    twins = Gold(doc, "twins", "table", town.twins_as_image)
    facts.append(Fact("town.last_twin", ("Which town is the most recent twin of {x}?", "Which town was the last to become a twin of {x}?"), (town.twins[-1][0],), twins))
    facts.append(Fact("town.first_twin", ("Which town was the first to become a twin of {x}?",), (town.twins[0][0],), twins))
    for year, people in town.census[1:]:
        facts.append(Fact("town.census", (f"How many inhabitants did the {year} census count in {{x}}?",
                                          f"According to the {year} census, what was the population of {{x}}?"), (str(people),),
                          Gold(doc, "census", "image", True)))
    sign = Gold(doc, "sign", "image", True)
    facts.append(Fact("town.motto", ("What motto is written on the road sign of {x}?",), (town.motto.title(),), sign))
    facts.append(Fact("town.route", ("Which route number does the road sign of {x} show?",), (str(town.route),), sign))
    return facts


def _person(person: Person) -> list[Fact]:
    doc = slug(person.name)
    facts = [
        Fact("person.trade", ("As what had {x} first been apprenticed?", "Which trade had {x} learned as an apprentice?"), (person.trade,),
             Gold(doc, "lead", "text")),
        Fact("person.teacher", ("Who gave the first lessons to {x}?", "Who was the first teacher of {x}?"), (person.teacher,),
             Gold(doc, "early", "text")),
        Fact("person.pastime", ("Which pastime filled the spare hours of {x}?",), (person.pastime,), Gold(doc, "private", "text")),
        Fact("person.spouse", ("Who is the spouse of {x}?", "Who married {x}?"), (person.spouse,), Gold(doc, "private", "text")),
    ]
    picture, career = Gold(doc, "picture", "image", True), Gold(doc, "career", "table")
    if person.role == "driver":
        facts.append(Fact("driver.aerodrome", ("Which aerodrome was the scene of the first race driven by {x}?",), (person.debut_at,), Gold(doc, "debut", "text")))
        facts += [Fact("driver.points", (f"In the {row[0]} championship season, how many points were scored by {{x}}?",), (row[4],), career)
                  for row in person.career]
        facts.append(Fact("driver.sponsor", ("What words are painted on the side of the car in the picture of {x}?",),
                          (person.lettering.title(),), picture))
        facts.append(Fact("driver.number", ("What is the number on the car in the picture of {x}?",), (str(person.number),), picture))
        facts.append(Fact("driver.colour", ("What colour is the car in the picture of {x}?",), (person.picture_colour,), picture, visual=True))
    elif person.role == "actor":
        facts.append(Fact("actor.theatre", ("Which theatre saw the stage debut of {x}?",), (f"{person.debut_at} Theatre",),
                          Gold(doc, "debut", "text")))
        first = only_largest([(int(row[0]), row[1]) for row in person.career], smallest=True)
        last = only_largest([(int(row[0]), row[1]) for row in person.career])
        if first and last:
            facts.append(Fact("actor.first_film", ("What is the earliest title in the selected filmography of {x}?",), (first,), career))
            facts.append(Fact("actor.last_film", ("What is the latest title in the selected filmography of {x}?",), (last,), career))
        facts.append(Fact("actor.stage", ("Which stage number is on the door behind {x}?", "What is written on the door in the picture of {x}?"),
                          (person.lettering.title(),), picture))
    else:
        facts.append(Fact("musician.ballroom", ("Which ballroom was the scene of the first public appearance of {x}?",), (f"{person.debut_at} Ballroom",),
                          Gold(doc, "debut", "text")))
        best = only_largest([(int(row[3]), row[1]) for row in person.career], smallest=True)
        if best:
            facts.append(Fact("musician.best", ("Which single by {x} reached the best position?", "What is the highest-placed single of {x}?"),
                              (best,), career))
        facts.append(Fact("musician.label", ("Which label released the earliest single by {x}?",), (person.career[0][2],), career))
        facts.append(Fact("musician.banner", ("What is written on the banner in the picture of {x}?",), (person.lettering.title(),),
                          picture))
    return facts


def _film(film: Film) -> list[Fact]:
    doc = slug(film.page_title)
    poster = Gold(doc, "poster", "image", True)
    facts = [
        Fact("film.editor", ("Who edited {x}?", "Who was the editor of {x}?"), (film.editor,), Gold(doc, "production", "text")),
        Fact("film.tagline", ("What words are printed on the poster of {x}?", "What is the wording on the poster of {x}?"), (film.tagline.title(),), poster),
        Fact("film.count", (f"How many {film.motif} are there on the poster of {{x}}?",), (str(film.motif_count),), poster, visual=True),
    ]
    chart = Gold(doc, "admissions", "image", True)
    for week in (2, 4):
        facts.append(Fact("film.week", (f"In week {week}, how many thousand admissions were counted for {{x}}?",), (str(film.admissions[week - 1]),), chart))
    facts += [Fact("film.role", (f"Which actor played {role} in {{x}}?", f"Who was cast as {role} in {{x}}?"), (actor,),
                   Gold(doc, "cast", "table")) for actor, role, _ in film.cast]
    return facts


def _club(club: Club) -> list[Fact]:
    doc = slug(club.name)
    crest, squad = Gold(doc, "crest", "image", True), Gold(doc, "squad", "table", True)
    facts = [
        Fact("club.founders", ("Which occupation was shared by the people who formed {x}?",), (club.founders,), Gold(doc, "history", "text")),
        Fact("club.chair", ("Who chairs the board of {x}?",), (club.chair,), Gold(doc, "today", "text")),
        Fact("club.ground", ("What is the name of the ground of {x}?",), (club.ground,), Gold(doc, "lead", "text")),
        Fact("club.year", ("According to the crest, in which year was {x} founded?", "Which year is shown on the crest of {x}?"),
             (str(club.crest_year),), crest),
        Fact("club.motto", ("What motto is written on the crest of {x}?",), (club.motto.title(),), crest),
    ]
    for season, gate in club.attendance[1:]:
        facts.append(Fact("club.gate", (f"In the {season} season, what was the mean attendance of {{x}}?",), (str(gate),),
                          Gold(doc, "attendance", "image", True)))
    best = only_largest([(int(row[3]), row[2]) for row in club.squad])
    if best:
        facts.append(Fact("club.scorer", ("According to the squad list of 1984, which player had scored the most goals for {x}?",), (best,), squad))
    keeper = next(row[2] for row in club.squad if row[1] == "Goalkeeper")
    facts.append(Fact("club.keeper", ("In the 1984 squad list, who is the goalkeeper of {x}?",), (keeper,), squad))
    return facts
