"""The questions of pocket-m3doc, from the world alone: no PDF is made here."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket.articles import write_articles
from common.benchmarks.pocket.build import build_world, counts_for
from common.benchmarks.pocket.checks import Library, fault_of, holds_phrase
from common.benchmarks.pocket.corpus import SEED
from common.benchmarks.pocket.draft import Draft
from common.benchmarks.pocket.questions import MIX, draft_questions, mix_for
from common.benchmarks.pocket.records import to_question
from common.benchmarks.pocket.smoke import smoke_ids
from common.benchmarks.question import Question

# Recorded traces stand on these very questions: whoever alters them means it and records anew.
FULL_SET_SHA256 = "59cf0299bcab8d508cfb306a0bf8a8d122cb3d92f80da0f2ce1daf0238a45c53"

WORLD = build_world(SEED)
ARTICLES = write_articles(WORLD)
DRAFTS = draft_questions(WORLD, ARTICLES, 60)
MULTI = [draft for draft in DRAFTS if draft.hops > 1]


def digest(drafts: list[Draft]) -> str:
    return hashlib.sha256(json.dumps([asdict(draft) for draft in drafts], sort_keys=True).encode()).hexdigest()


def as_questions(drafts: list[Draft]) -> list[Question]:
    everywhere = {key: Counter() for key in ARTICLES}
    for draft in drafts:
        for gold in (*draft.gold, *draft.answer_gold):
            everywhere[gold.document_id][gold.anchor] = 1
    return [to_question(draft, number, everywhere) for number, draft in enumerate(drafts, start=1)]


def test_full_set_is_the_pinned_one_and_repeats():
    again = draft_questions(build_world(SEED), write_articles(build_world(SEED)), 60)
    assert digest(again) == digest(DRAFTS) == FULL_SET_SHA256


def test_another_seed_gives_another_world_and_set():
    world = build_world(SEED + 1)
    assert not set(world.towns) & {town for town in WORLD.towns if WORLD.towns[town] == world.towns.get(town)}
    assert digest(draft_questions(world, write_articles(world), 60)) != FULL_SET_SHA256


def test_full_set_has_the_promised_mix():
    assert len(ARTICLES) == 128 and len(DRAFTS) == 60
    assert Counter(draft.question_type for draft in DRAFTS) == MIX
    assert len(MULTI) == 36
    assert {kind for draft in DRAFTS for kind in draft.modalities} == {"text", "table", "image"}
    assert sum(draft.visual for draft in DRAFTS) <= 4
    assert any(len(draft.answers) > 1 for draft in DRAFTS)
    assert sum(any(gold.drawn and gold.kind == "table" for gold in draft.gold) for draft in DRAFTS) >= 5
    assert len({draft.question for draft in DRAFTS}) == 60


def test_hidden_documents_share_no_title_word_with_the_question():
    for draft in MULTI:
        assert draft.hidden and set(draft.hidden) <= set(draft.documents)
        asked = set(re.findall(r"[a-z0-9]+", draft.question.lower()))
        for document in draft.hidden:
            title = set(re.findall(r"[a-z0-9]+", ARTICLES[document].title.lower())) - {"the", "film", "album", "of"}
            assert not asked & title, (draft.question, document)


def test_hidden_documents_do_not_mention_what_the_question_names():
    """The names in the question (capitalised words inside it) must not lead to the second document."""
    for draft in MULTI:
        names = set(re.findall(r"(?<=[a-z,:] )[A-Z][a-z]{4,}", re.sub(r'"[^"]*"', "", draft.question)))
        for document in draft.hidden:
            layer = ARTICLES[document].text_layer()
            held = [name for name in names if holds_phrase(layer, name)]
            others = [
                key for key, article in ARTICLES.items() if all(holds_phrase(article.text_layer(), n) for n in held)
            ]
            assert not held or len(others) > len(ARTICLES) // 16, (draft.question, document, held)


def test_checks_reject_a_question_that_names_its_hidden_document():
    library = Library.of(ARTICLES)
    draft = MULTI[0]
    assert fault_of(draft, library) is None
    named = replace(draft, question=f"{draft.question} {ARTICLES[draft.hidden[0]].title}")
    assert "hidden title" in str(fault_of(named, library))
    wrong = replace(draft, answers=("Nobody At All",))
    assert "is not in the text" in str(fault_of(wrong, library))


def test_checks_reject_words_that_single_out_the_hidden_document():
    library = Library.of(ARTICLES)
    draft = next(d for d in MULTI if ARTICLES[d.hidden[-1]].kind == "town")
    town = next(t for t in WORLD.towns.values() if slug(t.name) == draft.hidden[-1])
    leaking = replace(draft, question=draft.question.replace("?", f" on the River {town.river}?"))
    assert "single out" in str(fault_of(leaking, library))


def test_drawn_answers_must_not_stand_in_the_text():
    library = Library.of(ARTICLES)
    draft = next(d for d in DRAFTS if d.answer_gold[0].drawn)
    title = ARTICLES[draft.answer_gold[0].document_id].title
    assert "meant to be seen only" in str(fault_of(replace(draft, answers=(title,)), library))


def test_answers_cannot_be_guessed():
    answers = Counter(answer.lower() for draft in DRAFTS for answer in draft.answers)
    assert not {"yes", "no"} & set(answers)
    assert answers.most_common(1)[0][1] <= len(DRAFTS) // 10
    for draft in DRAFTS:
        if not draft.question_type.startswith("Compare"):
            assert not any(holds_phrase(draft.question, answer) for answer in draft.answers), draft.question


def test_distractors_of_similar_names_exist():
    families = Counter(person.surname for person in WORLD.people.values())
    assert max(families.values()) >= 2
    assert any(f"Upper {town}" in WORLD.towns for town in WORLD.towns)
    assert max(Counter(film.title for film in WORLD.films.values()).values()) >= 2
    assert max(Counter(edition.series for edition in WORLD.editions.values()).values()) >= 5
    assert max(Counter(club.town for club in WORLD.clubs.values()).values()) == 2


def test_league_tables_add_up_and_agree_with_the_clubs():
    for season in WORLD.seasons.values():
        for place, club, played, won, drawn, lost, points in season.table:
            assert int(won) + int(drawn) + int(lost) == int(played) and 2 * int(won) + int(drawn) == int(points)
            row = next(row for row in WORLD.clubs[club].seasons if row[0] == season.season)
            assert row == (season.season, "First Division", won, drawn, lost, place)


def test_smoke_subset_is_stratified_in_every_prefix():
    questions = as_questions(DRAFTS)
    order = smoke_ids(questions, 60)
    assert sorted(order) == [f"pm3-{n:03d}" for n in range(1, 61)]
    assert smoke_ids(questions, 24) == order[:24] == smoke_ids(list(reversed(questions)), 24)
    kinds = {question.question_id: question.question_type for question in questions}
    for length in range(1, 61):
        seen = Counter(kinds[key] for key in order[:length])
        # The places (i + 0.5) / s put each stratum within 1.5 of its share at any length.
        assert all(abs(seen[kind] - size * length / 60) <= 1.5 for kind, size in MIX.items()), length
    assert {kinds[key] for key in order[:24]} == set(MIX)


def test_smoke_subset_refuses_impossible_sizes():
    questions = as_questions(DRAFTS)
    for n in (0, 61):
        with pytest.raises(ValueError, match=f"n={n}"):
            smoke_ids(questions, n)


@given(st.integers(16, 256))
def test_document_counts_sum_up(documents: int):
    counts = counts_for(documents)
    assert sum(counts.values()) == documents and min(counts.values()) >= 1


@given(st.integers(1, 400))
def test_question_mix_sums_up(questions: int):
    assert sum(mix_for(questions).values()) == questions


@pytest.mark.parametrize("documents", [15, 257])
def test_world_refuses_sizes_it_has_no_names_for(documents: int):
    with pytest.raises(ValueError, match=f"documents={documents}"):
        build_world(1, documents)


def test_a_world_too_small_for_its_questions_says_so():
    world = build_world(SEED, 16)
    with pytest.raises(ValueError, match="use more documents, fewer questions"):
        draft_questions(world, write_articles(world), 60)


def test_the_largest_world_can_be_built():
    assert len(write_articles(build_world(SEED, 256))) == 256
