"""M3DocVQA EM and list F1: values by hand, properties, and where the two variants part."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.metrics.m3docvqa import best_alignment, list_f1, normalise_official, score, score_official
from common.metrics.text import answer_visible, final_answer, normalise, parse_answer, token_f1

words = st.sampled_from(["red", "blue", "the", "7", "three", "U.S.", "x-ray", ""])
items = st.lists(st.lists(words, max_size=3).map(" ".join), max_size=4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S.-born  Player", "u s born player"),
        ("Theatre, a play", "theatre play"),
        ("300.0", "300 0"),
        ("A", ""),
        ("2019–20", "2019–20"),  # only ASCII punctuation is punctuation
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("Rick Mears", "rick mears", 1.0),
        ("Rick Ravon Mears", "Rick Mears", 0.8),  # precision 2/3, recall 1
        ("red red blue", "red blue blue", 2 / 3),  # multiset overlap 2 of 3 and 3
        ("the", "a", 1.0),
        ("the", "x", 0.0),
    ],
)
def test_token_f1(predicted: str, gold: str, expected: float) -> None:
    assert token_f1(predicted, gold) == pytest.approx(expected)


def test_list_f1_by_hand() -> None:
    # pairs 1.0 and 0.8 of 3 predicted and 2 gold: 2 * 1.8 / 5
    predicted = ["Danny Ongais", "Rick Ravon Mears", "Al Unser"]
    assert list_f1(predicted, ["Rick Mears", "Danny Ongais"]) == pytest.approx(0.72)


def test_alignment_is_optimal_where_greedy_fails() -> None:
    # greedy gives "a b" its best partner "a b c" and leaves "c" nothing
    predicted, gold = ["x y", "x y z"], ["x y z", "x"]
    greedy = token_f1("x y", "x y z") + token_f1("x y z", "x")
    assert best_alignment(predicted, gold, token_f1) == pytest.approx(1 + 2 / 3)
    assert best_alignment(predicted, gold, token_f1) > greedy


@given(items, items)
def test_alignment_equals_brute_force(predicted: list[str], gold: list[str]) -> None:
    short, long = sorted((predicted, gold), key=len)
    brute = max(
        sum(token_f1(a, b) for a, b in zip(short, order, strict=True)) for order in permutations(long, len(short))
    )
    assert best_alignment(predicted, gold, token_f1) == pytest.approx(brute)


@given(items, items, st.randoms())
def test_scores_are_bounded_symmetric_and_blind_to_order(predicted: list[str], gold: list[str], random) -> None:
    value = list_f1(predicted, gold)
    assert 0 <= value <= 1 + 1e-12
    assert value == pytest.approx(list_f1(gold, predicted))
    shuffled = random.sample(predicted, len(predicted))
    assert list_f1(shuffled, gold) == pytest.approx(value)
    assert score(shuffled, gold).em == score(predicted, gold).em
    if gold:
        assert score_official(shuffled, gold) == score_official(predicted, gold)
        assert score(gold, gold).em == 1.0
        assert score(gold, gold).f1 == pytest.approx(1.0)


def test_exact_match_ignores_order_and_repetition() -> None:
    assert score(["A"], ["the"]).em == 1.0  # articles alone normalise to the same nothing
    assert score(["Blue", "red"], ["red", "blue"]).em == 1.0
    assert score(["red", "red"], ["red"]).em == 1.0
    assert score_official(["red", "red"], ["red"]).em == 0.0


def test_refusals_score_nothing() -> None:
    assert score(["Not answerable"], ["not answerable"]).em == 0.0
    assert score(["unable to say"], ["unable to say"]).f1 == 0.0
    assert score([], ["x"]).f1 == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three", "3.0"),
        ("twenty-one", "20.0 1.0"),  # split at the hyphen, each word a number of its own
        ("1,000", "1000.0"),
        ("$5", "5.0"),
        ("-5", "5.0"),  # the hyphen splits
        ("3.50", "3.5"),
        ("U.S. the Army", "us army"),
        ("point", "0.0"),
    ],
)
def test_official_normal_form(text: str, expected: str) -> None:
    assert normalise_official(text) == expected


def test_where_the_variants_part() -> None:
    assert (score(["3"], ["three"]).em, score_official(["3"], ["three"]).em) == (0.0, 1.0)
    assert (score(["300"], ["300.0"]).em, score_official(["300"], ["300.0"]).em) == (0.0, 1.0)
    # number gate: same words, another number
    assert score(["12 apples"], ["13 apples"]).f1 == 0.5
    assert score_official(["12 apples"], ["13 apples"]).f1 == 0.0
    # longer length against mean of both: one of two found
    assert score(["red"], ["red", "blue"]).f1 == pytest.approx(2 / 3)
    assert score_official(["red"], ["red", "blue"]).f1 == 0.5
    assert score_official(["red", "blue"], ["red"]).f1 == 0.5  # one too many costs as much as one too few
    # sets against multisets, and rounding to two decimals
    assert score_official(["red red"], ["red"]).f1 == 1.0
    assert score_official(["red"], ["red", "blue", "green"]).f1 == 0.33


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("so\nFINAL ANSWER: Rick Mears", ("Rick Mears",)),
        ("FINAL ANSWER: a\n**Final Answer: b**", ("b",)),
        ('FINAL ANSWER: ["a", "b, c"]', ("a", "b, c")),
        ("FINAL ANSWER: ['it''s', 3]", ("its", "3")),
        ("FINAL ANSWER: [broken", ("[broken",)),
        ("FINAL ANSWER:", ()),
        ("no such line", ()),
    ],
)
def test_final_answer(response: str, expected: tuple[str, ...]) -> None:
    assert final_answer(response) == expected


def test_parsing_never_evaluates() -> None:
    text = "[__import__('os').getcwd()]"
    assert parse_answer(text) == (text,)


def test_answer_visible_needs_whole_tokens() -> None:
    pool = "The race of 1944 was won by Rick Mears, U.S."
    assert answer_visible(pool, ["rick mears"])
    assert not answer_visible(pool, ["4"])
    assert answer_visible(pool, ["Al Unser", "1944"])
    assert not answer_visible(pool, ["Al Unser", "1944"], every=True)
    assert not answer_visible(pool, ["the"])
    assert not answer_visible(pool, [])
