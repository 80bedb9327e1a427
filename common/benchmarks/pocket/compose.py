"""Single-hop and Compose questions: a fact asked about a name, or about a bridge in the name's place."""

from __future__ import annotations

from collections.abc import Iterable

from common.benchmarks.pocket.bridges import chained, name_of, table_bridges, text_bridges
from common.benchmarks.pocket.draft import Bridge, Draft, Fact, modalities_of
from common.benchmarks.pocket.facts import facts_about
from common.benchmarks.pocket.facts_games import facts_of_games
from common.benchmarks.pocket.world import World

_OUTER = {"text": "TextQ", "table": "TableQ", "image": "ImageQ"}


def _finish(wording: str, phrase: str) -> str:
    question = wording.replace("{x}", phrase)
    return question[0].upper() + question[1:]


def single_drafts(world: World) -> list[Draft]:
    """Every fact of every page, asked about its name."""
    entities: list[tuple[str, str]] = [
        *(("town", key) for key in world.towns),
        *((person.role, key) for key, person in world.people.items()),
        *(("film", key) for key in world.films),
        *(("club", key) for key in world.clubs),
    ]
    games: list[tuple[str, str]] = [
        *(("album", key) for key in world.albums),
        *(("edition", key) for key in world.editions),
        *(("series", key) for key in world.series),
        *(("award", key) for key in world.awards),
        *(("season", key) for key in world.seasons),
    ]
    drafts: list[Draft] = []
    for kind, key in entities:
        drafts += [
            _single(fact, wording, name_of(world, kind, key))
            for fact in facts_about(world, kind, key)
            for wording in fact.wordings
        ]
    for kind, key in games:
        drafts += [
            _single(fact, wording, name_of(world, kind, key))
            for fact in facts_of_games(world, kind, key)
            for wording in fact.wordings
        ]
    return drafts


def _single(fact: Fact, wording: str, name: str) -> Draft:
    kind = _OUTER[fact.gold.kind]
    return Draft(
        (fact.key,),
        kind,
        modalities_of(kind),
        1,
        _finish(wording, name),
        fact.answers,
        (fact.gold,),
        (),
        (fact.gold,) * len(fact.answers),
        visual=fact.visual,
    )


def compose_drafts(world: World) -> list[Draft]:
    """Every bridge joined to every fact of what it leads to. Facts on the page the bridge starts from are left out."""
    plain: list[tuple[Bridge, str]] = [(bridge, "") for bridge in (*table_bridges(world), *text_bridges(world))]
    return list(_joined(world, [*plain, *chained(world)]))


def _joined(world: World, bridges: Iterable[tuple[Bridge, str]]) -> Iterable[Draft]:
    for bridge, lettering in bridges:
        sources = {gold.document_id for gold in bridge.gold}
        for fact in facts_about(world, bridge.target_kind, bridge.target):
            if fact.gold.document_id in sources:
                continue
            kind = f"Compose({_OUTER[fact.gold.kind]},{bridge.modality})"
            for wording in fact.wordings:
                yield Draft(
                    (fact.key, bridge.key),
                    kind,
                    modalities_of(kind),
                    bridge.steps + 1,
                    _finish(wording, bridge.phrase),
                    fact.answers,
                    (*bridge.gold, fact.gold),
                    bridge.hidden,
                    (fact.gold,) * len(fact.answers),
                    (lettering,) if lettering else (),
                    fact.visual,
                )
