"""MMLongBench-Doc's rule scorer and MultiHop-RAG's word intersection."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.benchmarks.question import Question
from common.metrics import multihop_rag
from common.metrics.answers import score_answer
from common.metrics.mmlongbench import FORMATS, aggregate, anls, clean, levenshtein, score


@pytest.mark.parametrize(
    ("predicted", "gold", "answer_format", "expected"),
    [
        ("8", "8", "Int", 1.0),
        ("8.9", "8", "Int", 1.0),  # cut, not rounded
        ("eight", "8", "Int", 0.0),
        ("inf", "8", "Int", 0.0),
        ("21%", "21%", "Int", 0.0),  # a gold that is no integer is never matched
        ("0.21", "21%", "Float", 1.0),
        ("2100", "21%", "Float", 1.0),
        ("21.2", "21", "Float", 1.0),  # within 1 %
        ("21.3", "21", "Float", 0.0),
        ("$1,000", "1000", "Float", 0.0),  # a thousands separator is no float
        ("0.004", "0.0", "Float", 1.0),  # two decimals at least are compared, the coarser of both
        ("0.04", "0.0", "Float", 0.0),
        ("nan", "1", "Float", 0.0),
        ("Yellow.", "yellow", "Str", 6 / 7),
        ("red", "yellow", "Str", 0.0),
        ("abcd", "abxy", "Str", 0.0),  # exactly .5 is not enough
        ("abcd", "abcy", "Str", 0.75),
        ("'Blue' (dark)", "blue", "Str", 1.0),
        ("page 3", "page 31", "Str", 0.0),
        ("2021-02-09", "2021-02-08", "Str", 0.0),
        ("01983 873656", "01983 873655", "Str", 0.0),
        ("10:45 a.m.", "10:46 a.m.", "Str", 0.0),
        ("run.py", "run2.py", "Str", 0.0),
        ("a@b.org", "a@c.org", "Str", 0.0),
        ("Not answerable", "Not answerable", "None", 1.0),
        ("['b', 'a']", "['a', 'b']", "List", 1.0),
        ("['abc', 'axxx']", "['abc', 'abcd']", "List", 0.0),  # the worst pair counts
        ("['a']", "['a', 'b']", "List", 0.0),
        ("[2, 1]", "['1', '2']", "List", 1.0),
        ("['1', 'abce']", "['1', 'abcd']", "List", 0.0),  # first gold item a number: all must match
        ("[a, b]", "['a', 'b']", "List", 0.0),  # no literal
        ("[", "['a']", "List", 0.0),
        ("0.66", "0.66", "List", 1.0),
        ("[]", "[]", "List", 0.0),
    ],
)
def test_rules(predicted: str, gold: str, answer_format: str, expected: float) -> None:
    assert score(predicted, gold, answer_format) == pytest.approx(expected)


def test_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="'Bool'"):
        score("a", "a", "Bool")


def test_model_output_is_never_evaluated(tmp_path) -> None:
    victim = tmp_path / "made"
    assert score(f"[open({str(victim)!r}, 'w')]", "['a']", "List") == 0.0
    assert not victim.exists()


@given(st.text(max_size=12), st.text(max_size=12), st.sampled_from(FORMATS))
def test_any_text_scores_within_bounds(predicted: str, gold: str, answer_format: str) -> None:
    assert 0 <= score(predicted, gold, answer_format) <= 1


@given(st.text(max_size=12), st.text(max_size=12))
def test_edit_distance_is_a_metric(a: str, b: str) -> None:
    assert levenshtein(a, b) == levenshtein(b, a)
    assert abs(len(a) - len(b)) <= levenshtein(a, b) <= max(len(a), len(b))
    assert (levenshtein(a, b) == 0) == (a == b)


def test_clean_and_anls() -> None:
    assert clean(' "$12.5%" ') == "12.5"
    assert clean("5 miles (8 km)") == "5 miles"
    assert anls("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert anls("", "") == 1.0


def test_aggregate_by_hand() -> None:
    # answerable: 1 and .6 right, one refused; unanswerable: one refused (right), one answered (wrong)
    refused = "Not answerable"
    result = aggregate([1.0, 0.6, 0.0, 1.0, 0.0], ["a", "b", refused, refused, "c"], ["a", "bb", "c", refused, refused])
    recall, precision = 1.6 / 3, 1.6 / 3
    assert (result.n, result.accuracy, result.strict) == (5, pytest.approx(0.52), pytest.approx(0.4))
    assert result.f1 == pytest.approx(2 * recall * precision / (recall + precision))
    assert aggregate([0.0], [refused], ["a"]).f1 == 0.0


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ("Yes", "yes", 1.0),
        ("the moon", "The Verge", 1.0),  # a shared "the" is enough
        ("Verge", "The Verge", 1.0),
        ("Verge.", "The Verge", 0.0),  # punctuation sticks to the word
        ("Insufficient information", "Insufficient information.", 1.0),
        ("insufficient", "Insufficient information.", 0.0),
        ("Insufficient information", "Yes", 0.0),
    ],
)
def test_word_intersection(predicted: str, gold: str, expected: float) -> None:
    assert multihop_rag.word_intersection(predicted, gold) == expected


def test_token_f1_stands_beside_it() -> None:
    assert multihop_rag.score("the moon", "The Verge").f1 == 0.0
    assert multihop_rag.score("Verge.", "The Verge").em == 1.0


def test_released_script_accuracy() -> None:
    assert multihop_rag.released_script_accuracy(70, 100) == pytest.approx(100 / 160)
    assert multihop_rag.released_script_accuracy(5, 5) == 1.0
    with pytest.raises(ValueError, match="6 of 5"):
        multihop_rag.released_script_accuracy(6, 5)


def test_dispatch_uses_the_official_gold_string() -> None:
    question = Question("full-0001", "mmlongbench", "?", ("a", "b"), answer_format="List", extra={"gold": "['a', 'b']"})
    assert score_answer("mmlongbench", question, ("b", "a")).primary == 1.0
    assert score_answer("mmlongbench", question, ()).primary == 0.0
    assert score_answer("mmlongbench", question, ("c", "a")).em == 0.0
    text = Question("full-0002", "mmlongbench", "?", ("yellow",), answer_format="Str")
    near = score_answer("mmlongbench", text, ("Yellow.",))
    assert (near.primary, near.f1, near.em) == (pytest.approx(6 / 7), pytest.approx(6 / 7), 0.0)
    assert score_answer("multihop_rag", text, ("red", "yellow")).primary == 1.0  # all elements are one answer
    assert score_answer("m3docvqa", question, ("b",)).f1 == pytest.approx(2 / 3)
    assert score_answer("m3docvqa_official", question, ("b",)).f1 == 0.5
    with pytest.raises(ValueError, match="unknown scorer 'bleu'"):
        score_answer("bleu", question, ())
