"""Single-hop and Compose questions: a fact asked about a name, or about a bridge in the name's place."""

from __future__ import annotations

from common.benchmarks.pocket.bridges import chained, name_of, table_bridges, text_bridges
from common.benchmarks.pocket.draft import Bridge, Draft, Fact, modalities_of
from common.benchmarks.pocket.facts import facts_about
from common.benchmarks.pocket.world import World

_OUTER = {"text": "TextQ", "table": "TableQ", "image": "ImageQ"}


def _finish(wording: str, phrase: str) -> str:
    question = wording.replace("{x}", phrase)
    return question[0].upper() + question[1:]


def single_drafts(world: World) -> list[Draft]:
    """Every fact of every page, asked about its name."""
    return [
        _single(fact, wording, name_of(world, kind, key))
        for kind, key in _entities(world)
        for fact in facts_about(world, kind, key)
        for wording in fact.wordings
    ]


def _entities(world: World) -> list[tuple[str, str]]:
    """Kind and key of everything that has a page."""
    return [
        *(("town", key) for key in world.towns),
        *((person.role, key) for key, person in world.people.items()),
        *(("film", key) for key in world.films),
        *(("club", key) for key in world.clubs),
        *(("album", key) for key in world.albums),
        *(("edition", key) for key in world.editions),
        *(("series", key) for key in world.series),
        *(("award", key) for key in world.awards),
        *(("season", key) for key in world.seasons),
    ]


def _single(fact: Fact, wording: str, name: str) -> Draft:
    kind = _OUTER[fact.gold.kind]
    return Draft(
        recipe=(fact.key,),
        question_type=kind,
        modalities=modalities_of(kind),
        hops=1,
        question=_finish(wording, name),
        answers=fact.answers,
        gold=(fact.gold,),
        hidden=(),
        answer_gold=(fact.gold,) * len(fact.answers),
        visual=fact.visual,
    )


def compose_drafts(world: World) -> list[Draft]:
    """Every bridge joined to every fact of what it leads to. Facts on the page the bridge starts from are left out."""
    drafts: list[Draft] = []
    for bridge in (*table_bridges(world), *text_bridges(world), *chained(world)):
        sources = {gold.document_id for gold in bridge.gold}
        for fact in facts_about(world, bridge.target_kind, bridge.target):
            if fact.gold.document_id not in sources:
                drafts += [_composed(bridge, fact, wording) for wording in fact.wordings]
    return drafts


def _composed(bridge: Bridge, fact: Fact, wording: str) -> Draft:
    kind = f"Compose({_OUTER[fact.gold.kind]},{bridge.modality})"
    return Draft(
        recipe=(fact.key, bridge.key),
        question_type=kind,
        modalities=modalities_of(kind),
        hops=bridge.steps + 1,
        question=_finish(wording, bridge.phrase),
        answers=fact.answers,
        gold=(*bridge.gold, fact.gold),
        hidden=bridge.hidden,
        answer_gold=(fact.gold,) * len(fact.answers),
        lettering=bridge.lettering,
        visual=fact.visual,
    )
