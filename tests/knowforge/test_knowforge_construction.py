"""Both extractors, the ledger of an index, and a stored base that is replaced when it does not fit."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from knowforge_fakes import ScriptedLLM, WordEncoder, library

from common.llm import EmptyReply
from common.prompting import Prompts
from common.records import Usage
from knowforge.base import BaseOptions
from knowforge.construction import Built, build_with_model, build_without_model
from knowforge.ledger import ledger_of
from knowforge.stored import base_key, open_base
from knowforge.system import PROMPTS

POINTS = '{"points": [{"title": "Iska Dorn", "summary": "A driver."}, {"title": "Iska Dorn", "summary": "A driver."}]}'
LOOSE = BaseOptions(relation_floor=0.1)


def with_model(scripts: dict[str, list[str | Exception]], assets: Path) -> tuple[Built, ScriptedLLM]:
    llm = ScriptedLLM(scripts)
    made = build_with_model(library(), WordEncoder(), assets, llm, Prompts.load(PROMPTS), LOOSE, progress=False)  # type: ignore[arg-type]
    return asyncio.run(made), llm


def test_the_model_extracts_points_and_types_recalled_pairs(tmp_path: Path) -> None:
    built, llm = with_model({"points": [POINTS], "relations": ['{"type": "supports"}']}, tmp_path)
    texts = sum(f.kind == "text" for d in library() for f in d.fragments)
    assert len(llm.seen["points"]) == texts == len(built.base.points)  # the same point twice in a reply counts once
    assert {edge.type for edge in built.base.graph.edges()} == {"supports"}
    ledger = built.ledger
    assert ledger.tokens("points") == 110 * texts and ledger.tokens("description") == 0
    assert ledger.tokens("relations") == 110 * len(llm.seen["relations"]) > 0
    assert ledger.total_tokens == ledger.tokens("points") + ledger.tokens("relations")


def test_empty_replies_cost_a_point_or_a_relation_not_the_index(tmp_path: Path) -> None:
    built, _ = with_model({"points": [EmptyReply("nothing"), POINTS], "relations": [EmptyReply("nothing")]}, tmp_path)
    texts = sum(f.kind == "text" for d in library() for f in d.fragments)
    assert len(built.base.points) == texts - 1 and not built.base.graph.edges()


def test_the_ledger_counts_by_hand(tmp_path: Path) -> None:
    ledger = build_without_model(library(), WordEncoder(), tmp_path).ledger  # type: ignore[arg-type]
    assert (ledger.documents, ledger.pages, ledger.images, ledger.tables) == (3, 4, 1, 1)
    assert (ledger.fragments, ledger.points, ledger.embeddings) == (7, 5, 12)
    assert ledger.total_tokens == 0 and "model tokens: description 0, points 0, relations 0" in ledger.lines()
    with pytest.raises(ValueError, match="unknown phase captions"):
        ledger_of(build_without_model(library(), WordEncoder(), tmp_path).base, {"captions": Usage()})  # type: ignore[arg-type]


def test_a_stored_base_is_opened_again_and_replaced_when_it_does_not_fit(tmp_path: Path) -> None:
    encoder, documents, made = WordEncoder(), library(), []

    def build() -> Built:
        built = Built(build_without_model(documents, encoder, tmp_path).base, {"points": Usage(2, 10, 0, 4, 1.5)})  # type: ignore[arg-type]
        made.append(built)
        return built

    def opened(key: str) -> tuple[Built, bool]:
        return open_base(tmp_path / "base", key, documents, encoder, tmp_path, build)  # type: ignore[arg-type]

    key = base_key(documents, encoder, {})  # type: ignore[arg-type]
    first, again = opened(key)[0], opened(key)
    assert again[1] and again[0].usage == first.usage and again[0].base.sha256 == first.base.sha256
    assert again[0].base.points == first.base.points and again[0].ledger == first.ledger
    assert not opened(base_key(documents[:2], encoder, {}))[1]  # type: ignore[arg-type]
    assert opened(base_key(documents, encoder, {"extractor": "model"}))[1] is False  # type: ignore[arg-type]
    (tmp_path / "base" / "graph.npz").write_bytes(b"damaged")
    assert opened(base_key(documents, encoder, {"extractor": "model"}))[1] is False  # type: ignore[arg-type]
    assert len(made) == 4
