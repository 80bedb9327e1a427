"""MultiHop-RAG's answer and retrieval scores against second implementations: no disagreement on 12,000 cases each."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from oracle_texts import ASCII_PUNCTUATION, multiset_f1, plain

from common.metrics import mean_ranking, multihop_rag, rank_documents, rank_facts
from common.metrics.ranking import Ranking
from common.records import Hit, RunRecord, Search

CASES = 12_000
WORDS = (
    *("The", "the", "Verge", "Verge.", "verge,", "Yes", "yes.", "no", "No", "a", "an", "Sam", "Bankman-Fried", "FTX"),
    *("insufficient", "Insufficient", "information", "information.", "before", "after", "of", "Apple's", "apple", "&"),
)
REFUSALS = (
    "Insufficient information.",
    "insufficient  information",
    "The insufficient information",
    "Insufficient, it",
)


def answers(count: int) -> list[tuple[str, str]]:
    rng, made = random.Random(20261129), []
    for _ in range(count):
        gold = rng.choice(REFUSALS) if rng.random() < 0.25 else " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))
        words = gold.split() + rng.choices(WORDS, k=rng.randint(0, 2))
        rng.shuffle(words)
        said = rng.choice(
            (" ".join(words[:3]), "\t".join(words).upper(), rng.choice(REFUSALS), "", "\u00a0".join(words))
        )
        made.append((said, gold))
    return made


def refuses(text: str) -> bool:
    """By the words without ASCII punctuation and articles; the refusal may be followed by anything, even unparted."""
    return " ".join(plain(text, punctuation="")).find("insufficient information") == 0


def shares_a_word(first: str, second: str) -> bool:
    return any(a == b for a in re.findall(r"\S+", first.lower()) for b in re.findall(r"\S+", second.lower()))


def test_answer_scores_never_disagree() -> None:
    matches = 0
    for said, gold in answers(CASES):
        null = refuses(gold)
        right = refuses(said) if null else shares_a_word(said, gold)
        mine, truth = plain(said, punctuation=""), plain(gold, punctuation="")
        f1 = float(right) if null else float(multiset_f1(mine, truth))
        em = float(right) if null else float(mine == truth)
        ours = multihop_rag.score(said, gold)
        assert multihop_rag.official_match(said, gold) == shares_a_word(said, gold), (said, gold)
        assert multihop_rag.word_intersection(said, gold) == right, (said, gold)
        assert ours.em == em and abs(ours.f1 - f1) < 1e-12, (said, gold, ours)
        matches += right
    assert CASES / 10 < matches < CASES * 0.9


def test_stop_word_matches_never_disagree() -> None:
    """Second reading: drop the stop words from both answers; a match that is gone then was theirs."""
    found = 0
    for said, gold in answers(CASES):
        mine, truth = (
            {w for w in text.lower().split() if w.strip("".join(ASCII_PUNCTUATION)) not in multihop_rag.STOP_WORDS}
            for text in (said, gold)
        )
        expected = shares_a_word(said, gold) and not mine & truth
        assert multihop_rag.stop_word_match(said, gold) == expected, (said, gold)
        found += expected
    assert found > CASES / 50


def test_stop_words_by_hand() -> None:
    assert multihop_rag.stop_word_match("the moon", "The Verge")
    assert not multihop_rag.stop_word_match("the verge", "The Verge")
    assert not multihop_rag.stop_word_match("No", "no")  # an answer of this benchmark, not a stop word
    assert not multihop_rag.stop_word_match("moon", "The Verge")


def test_report_by_hand() -> None:
    gold = ["The Verge", "The Verge", "Yes", "Insufficient information."]
    result = multihop_rag.report(["the moon", "Verge", "No", "no such information."], gold)
    assert (result.n, result.precision, result.runner, result.stop_word_only) == (4, 0.75, 0.5, 1)
    assert result.script_accuracy == pytest.approx((3 + 1) / (3 + 1 + 1 + 1))  # tp 3, tn = fp = fn = 1
    assert result.em == 0.25 and result.f1 == pytest.approx(0.25)  # articles go: "verge" is "The Verge"
    with pytest.raises(ValueError, match="no answers"):
        multihop_rag.report([], [])


def test_script_accuracy_never_disagrees() -> None:
    for total in range(1, 160):
        right = np.arange(total + 1)
        table = np.stack([right, total - right, total - right, total - right])  # tp, tn, fp, fn
        expected = table[:2].sum(axis=0) / table.sum(axis=0)
        ours = [multihop_rag.released_script_accuracy(int(count), total) for count in right]
        assert np.allclose(ours, expected, rtol=0, atol=1e-12)  # 12,879 pairs in all


def rankings(count: int) -> list[tuple[list[str], list[str]]]:
    rng, made = random.Random(20261130), []
    facts = [f"fact {letter} {number}" for letter in "ab" for number in range(12)]  # "fact a 1" is part of "fact a 11"
    for _ in range(count):
        gold = rng.choices(facts, k=rng.choice((1, 2, 3, 4, 12)))
        texts = []
        for _ in range(rng.randint(0, 13)):
            inside = rng.choices(gold, k=rng.choice((0, 0, 1, 2)))
            text = "".join(f"x{fact}. " for fact in inside) + "y"
            texts.append(rng.choice((text, text.replace(" ", "\n"), text.replace(" ", "  "), text.upper())))
        made.append((texts, gold))
    return made


def by_matrix(texts: list[str], facts: list[str]) -> Ranking:
    """First sight of each fact from a rank x fact matrix; average precision as a sum of reciprocal first ranks."""
    bare = ["".join(fact.split(" ")).replace("\n", "") for fact in facts]
    seen = np.zeros((10, len(bare)), dtype=bool)
    for row, text in enumerate(texts[:10]):
        flat = text.replace("\n", "").replace(" ", "")
        seen[row] = [flat.count(fact) > 0 for fact in bare]
    first = np.where(seen.any(axis=0), seen.argmax(axis=0) + 1.0, np.inf)
    distinct = np.unique(bare, return_index=True)[1]
    nearest = first.min()
    precision = (1 / first[distinct]).sum() / min(len(bare), 10)
    return Ranking(float(nearest <= 4), float(nearest <= 10), float(precision), float(1 / nearest))


def test_retrieval_metrics_never_disagree() -> None:
    made = rankings(CASES)
    ours, theirs = [rank_facts(*case) for case in made], [by_matrix(*case) for case in made]
    for case, mine, truth in zip(made, ours, theirs, strict=True):
        assert (mine.hits4, mine.hits10) == (truth.hits4, truth.hits10), case
        assert abs(mine.map10 - truth.map10) < 1e-12 and abs(mine.mrr10 - truth.mrr10) < 1e-12, case
    assert 0.1 < mean_ranking(ours).hits4 < mean_ranking(ours).hits10 < 1
    columns = np.array([[t.hits4, t.hits10, t.map10, t.mrr10] for t in theirs]).mean(axis=0)
    mean = mean_ranking(ours)
    assert np.allclose([mean.hits4, mean.hits10, mean.map10, mean.mrr10], columns)


def test_retrieval_metrics_by_hand() -> None:
    texts = ["nothing", "A fact.  Another", "more", "again A fact."]
    assert rank_facts(texts, ["A\nfact.", "Another", "third"]) == Ranking(1.0, 1.0, pytest.approx((2 / 2) / 3), 0.5)
    assert rank_facts(["x"] * 4 + ["A fact."], ["A fact."]) == Ranking(0.0, 1.0, 0.2, 0.2)
    assert rank_facts(["a fact."], ["A fact."]) == Ranking(0.0, 0.0, 0.0, 0.0)  # case counts
    assert rank_facts(["x"] * 10 + ["A fact."], ["A fact."]).hits10 == 0.0
    with pytest.raises(ValueError, match="null queries"):
        rank_facts(["x"], [])


def test_documents_take_the_place_of_facts() -> None:
    found = [("a", "image"), ("b", "text"), ("b", "text"), ("", "text")]
    hits = tuple(Hit("f", document, 1, kind, 1, 1, 1) for document, kind in found)
    record = RunRecord("q", "b", "k", "s", "m", "h", "c", "done", searches=(Search("q", "locator", hits),))
    assert rank_documents(record, ("a", "z")) == Ranking(1.0, 1.0, 0.25, 0.5)  # text hits first: a is second
    assert rank_documents(record, ()) is None
