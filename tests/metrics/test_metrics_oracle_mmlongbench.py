"""MMLongBench-Doc's rule scorer against a second implementation: no disagreement on 12,000 answers a format."""

from __future__ import annotations

import math
import random
import re
from decimal import Decimal

import numpy as np
import pytest
from oracle_texts import edit_distance

from common.metrics.mmlongbench import aggregate, anls, clean, levenshtein, needs_exact_match, score

CASES = 12_000
STRINGS = (
    *("yellow", "Yellow.", "the  Pew (2015) survey", "'blue'", '"Blue"', "$12", "12%", "$ 12 %", "page 3", "Page 31"),
    *("10:45 a.m.", "6 p.m.", "2021-02-09", "2021 02 09", "01983 873656", "12-34", "a@b.org", "http://x.y", "run.py"),
    *("https://x.y/z", "x.ipynb", "Not answerable", "not answerable", "((a) b", "a) (b", "", "'", "''", "12", "3.5 km"),
    *("Some college or more", "Less well-off", "ÄÖÜ straße", "(all gone)", "Latinos interviewed by cellphone", "٣٤"),
)
NUMBERS = (
    *("0", "8", "8.9", "-3", "21", "21%", "0.21", "2100", "$1,000", "1e3", "1_0", "+4", "inf", "-inf", "nan", "eight"),
    *("0.005", "0.0049", "1e-07", "1.5e-07", "99.5", "100", " 7 ", "7.", ".5", "12345678901234567891", "", "٣"),
)
FLOAT = re.compile(r"[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?")
WHOLE = re.compile(r"[+-]?\d+(?:_\d+)*")


def bent(text: str, rng: random.Random) -> str:
    """The text with a few characters changed, or dressed in what the scorer takes off."""
    chars = list(text)
    for _ in range(rng.randint(0, 2)):
        if chars:
            chars[rng.randrange(len(chars))] = rng.choice("aeiou .-()%$'0123456789")
    text = "".join(chars)
    return rng.choice((text, text, text.upper(), f" {text} ", f"'{text}'", f"{text} (x)", f"${text}", f"{text}%"))


def text_pair(rng: random.Random) -> tuple[str, str]:
    gold = bent(rng.choice(STRINGS), rng)
    return (bent(gold, rng) if rng.random() < 0.7 else rng.choice(STRINGS)), gold


def number_pair(rng: random.Random) -> tuple[str, str]:
    gold = rng.choice(NUMBERS) if rng.random() < 0.5 else repr(round(rng.uniform(-200, 200), rng.randint(0, 4)))
    value = as_float(gold)
    if value is None or not math.isfinite(value) or rng.random() < 0.3:
        return rng.choice((gold, rng.choice(NUMBERS), bent(gold, rng))), gold
    near = value * rng.choice((1, 1, 0.01, 100)) * rng.choice((1, 1.0099, 1.0101, 0.991, 1.001, 1.02))
    return repr(round(near, rng.randint(0, 5))), gold


def as_float(text: str) -> float | None:
    """A number by its grammar, not by float()."""
    text = text.strip()
    word = text.lower().lstrip("+-")
    if word in ("inf", "infinity", "nan") and len(text) - len(word) <= 1:
        return math.nan if word == "nan" else math.copysign(math.inf, -1 if text[0] == "-" else 1)
    return float(Decimal(text.replace("_", ""))) if FLOAT.fullmatch(text) else None


def cleaned(text: object) -> str:
    """Walks the text once, dropping each parenthesis group with the blanks before it, then peels the ends."""
    source, kept, place = str(text).lower().strip(), "", 0
    while place < len(source):
        closing = source.find(")", place) if source[place] == "(" else -1
        if closing >= 0:
            kept, place = kept.rstrip(), closing + 1
        else:
            kept, place = kept + source[place], place + 1
    kept = kept.strip()
    kept = kept[1:] if kept[:1] in ("'", '"') else kept
    kept = (kept[:-1] if kept[-1:] in ("'", '"') else kept).strip()
    while kept.startswith("$"):
        kept = kept[1:]
    kept = kept.strip()
    while kept.endswith("%"):
        kept = kept[:-1]
    return kept.strip()


def digits(text: str, *lengths: int) -> bool:
    return text.isdecimal() and (not lengths or len(text) in lengths)


def asks_for_every_letter(gold: str) -> bool:
    if "https://" in gold or gold[-3:] == ".py" or gold[-5:] == "ipynb" or gold[:4] == "page":
        return True
    if "a.m." in gold or "p.m." in gold or digits(gold):
        return True
    for place, char in enumerate(gold):  # telephone numbers: two runs of digits and one thing between
        if (char == "-" or char.isspace()) and digits(gold[:place]) and digits(gold[place + 1 :]):
            return True
    if len(gold) == 10 and all(gold[i] == "-" or gold[i].isspace() for i in (4, 7)):
        return digits(gold[:4]) and digits(gold[5:7]) and digits(gold[8:])
    local, at, domain = gold.partition("@")
    host, dot, country = domain.rpartition(".")
    latin = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    names = latin | set("0123456789.-")
    return bool(
        at and local and set(local) <= names | set("_%+") and dot and host and set(host) <= names
        and len(country) >= 2 and set(country) <= latin
    )  # fmt: skip


def similarity(predicted: str, gold: str) -> float:
    longest = max(len(predicted.upper()), len(gold.upper()))
    value = 1 - edit_distance(predicted, gold) / longest if longest else 1.0
    return value if value > 0.5 else 0.0


def text_score(predicted: str, gold: str) -> float:
    predicted, gold = cleaned(predicted), cleaned(gold)
    return float(predicted == gold) if asks_for_every_letter(gold) else similarity(predicted, gold)


def whole_score(predicted: str, gold: str) -> float:
    value = as_float(predicted)
    if value is None or not math.isfinite(value) or not WHOLE.fullmatch(gold.strip()):
        return 0.0
    cut = math.floor(value) if value >= 0 else math.ceil(value)
    return float(cut == int(Decimal(gold.strip().replace("_", ""))))


def shown(value: float, places: int) -> str:
    text = f"{value:.{places}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def printed_places(value: float) -> int:
    _, point, tail = str(value).rpartition(".")
    return len(tail) if point else 3


def float_score(predicted: str, gold: str) -> float:
    value, target = as_float(cleaned(predicted)), as_float(cleaned(gold))
    if value is None or target is None or math.isnan(value) or math.isnan(target):
        return 0.0
    for wanted in (target, target / 100, target * 100):
        near = math.isfinite(value) and math.isfinite(wanted)
        near = near and abs(value - wanted) <= 0.01 * max(abs(value), abs(wanted))
        places = max(2, min(printed_places(value), printed_places(wanted)))
        if near or value == wanted or shown(value, places) == shown(wanted, places):
            return 1.0
    return 0.0


ORACLES = {"Int": whole_score, "Float": float_score, "Str": text_score, "None": text_score}


@pytest.mark.parametrize("answer_format", ORACLES)
def test_single_answers_never_disagree(answer_format: str) -> None:
    rng, pair = random.Random(answer_format), number_pair if answer_format in ("Int", "Float") else text_pair
    scores = []
    for _ in range(CASES):
        predicted, gold = pair(rng)
        ours, theirs = score(predicted, gold, answer_format), ORACLES[answer_format](predicted, gold)
        assert abs(ours - theirs) < 1e-12, (predicted, gold, ours, theirs)
        scores.append(theirs)
    assert CASES / 50 < sum(value == 1 for value in scores) < CASES * 0.95
    assert answer_format in ("Int", "Float") or sum(0 < value < 1 for value in scores) > CASES / 50


def list_text(items: list[object], rng: random.Random) -> tuple[str, list[object] | None]:
    """A list answer as text, and what it holds: a literal list, one bare element, or nothing that can be read."""
    kind = rng.random()
    if kind < 0.85:
        return repr(items), items
    if kind < 0.93:
        bare = str(items[0]).lstrip("[") if items else "x"
        return bare, [bare]
    return rng.choice(("[", "[a, b]", repr(items)[:-1], "[open('x', 'w')]", repr(items) + "]")), None


def list_score(predicted: list[object] | None, gold: list[object] | None) -> float:
    if not predicted or not gold or len(predicted) != len(gold):
        return 0.0
    ours, theirs = sorted(cleaned(item) for item in predicted), sorted(cleaned(item) for item in gold)
    if as_float(theirs[0]) is not None or asks_for_every_letter(theirs[0]):
        return float("-".join(ours) == "-".join(theirs))
    worst = 1.0
    for mine, truth in zip(ours, theirs, strict=True):
        worst = min(worst, similarity(mine, truth))
    return worst


def test_list_answers_never_disagree() -> None:
    rng, scores = random.Random("List"), []
    for _ in range(CASES):
        source = STRINGS if rng.random() < 0.7 else (*NUMBERS, 3, 7.5, True, None)
        gold: list[object] = rng.choices(source, k=rng.randint(1, 3))
        predicted: list[object] = [
            bent(item, rng) if isinstance(item, str) and rng.random() < 0.4 else item for item in gold
        ]
        rng.shuffle(predicted)
        predicted = predicted[: rng.choice((3, 3, 3, 1))]
        (said, said_items), (truth, truth_items) = list_text(predicted, rng), list_text(gold, rng)
        ours, theirs = score(said, truth, "List"), list_score(said_items, truth_items)
        assert abs(ours - theirs) < 1e-12, (said, truth, ours, theirs)
        scores.append(theirs)
    assert min(sum(value == 1 for value in scores), sum(value == 0 for value in scores)) > CASES / 10


def test_parts_never_disagree() -> None:
    rng = random.Random("parts")
    for _ in range(CASES):
        first, second = text_pair(rng)
        assert clean(first) == cleaned(first), first
        assert needs_exact_match(clean(first)) == asks_for_every_letter(cleaned(first)), first
        assert levenshtein(first, second) == edit_distance(first, second)
        assert abs(anls(first, second) - similarity(first, second)) < 1e-12


def test_aggregates_never_disagree() -> None:
    rng = np.random.default_rng(7)
    refused = "Not answerable"
    for _ in range(2_000):
        n = int(rng.integers(1, 40))
        scores = rng.choice([0.0, 0.6, 1.0], n)
        said, gold = np.where(rng.random(n) < 0.3, refused, "x"), np.where(rng.random(n) < 0.3, refused, "y")
        answerable, given = gold != refused, said != refused
        mass = float(scores @ answerable)
        total = int(answerable.sum() + given.sum())
        ours = aggregate(scores.tolist(), said.tolist(), gold.tolist())
        assert ours.n == n and ours.accuracy == pytest.approx(scores.mean()) and ours.strict == (scores == 1).mean()
        usable = mass > 0 and answerable.any() and given.any()
        assert ours.f1 == pytest.approx(2 * mass / total if usable else 0.0)
