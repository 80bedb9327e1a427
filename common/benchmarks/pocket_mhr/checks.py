"""Every answer once more, from the written files alone: headers, and sentences of the bodies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from common.benchmarks.pocket_mhr.article import read_header
from common.benchmarks.pocket_mhr.draft import INFERENCE, REFUSAL
from common.benchmarks.question import Question

_SENTENCE_END = re.compile(r"(?<=\.)\s+|\n+")
_SENTENCES = {
    "opening": re.compile(r"(?P<name>[^.]+?) has opened a works in (?P<trait>\w+) that gives (?P<jobs>\d+) people"),
    "recall": re.compile(r"(?P<name>[^.]+?) has called back (?P<recalled>[\d,]+) .* because of (?P<trait>[^.]+)\."),
    "appointment": re.compile(r"(?P<head>[^.,]+), (?P<trait>a former [^.,]+), .* appointed to lead (?P<name>[^.]+)\."),
    "results": re.compile(r"Revenue at (?P<name>[^.]+?) (?P<trait>rose|fell) .* to (?P<revenue>\d+) million crowns"),
}


@dataclass(frozen=True)
class Reading:
    """What one file says, found again by reading it."""

    source: str
    published: datetime
    kind: str
    name: str
    trait: str
    values: dict[str, str]


def read_articles(folder: Path) -> dict[str, Reading]:
    """Document id -> reading. Raises ValueError naming a file that does not hold exactly one piece of news."""
    readings = {}
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        header = read_header(text, path.name)
        said = _SENTENCE_END.split(text)
        found = [(k, match) for k, pattern in _SENTENCES.items() for s in said if (match := pattern.match(s))]
        if len(found) != 1:
            raise ValueError(f"{path.name}: {len(found)} sentences read as news, exactly one is meant to")
        kind, match = found[0]
        values = {key: value.strip() for key, value in match.groupdict().items()}
        name, trait = values.pop("name"), values.pop("trait")
        readings[path.stem] = Reading(header.source, header.published, kind, name, trait, values)
    return readings


def check_answers(questions: list[Question], folder: Path) -> None:
    """Recompute every answer from the files. Raises ValueError naming the question and both answers."""
    readings = read_articles(folder)
    for question in questions:
        gold = [readings[document] for document in question.gold_documents]
        for fact, document in zip(question.extra["facts"], question.gold_documents, strict=True):
            if fact not in (folder / f"{document}.md").read_text(encoding="utf-8"):
                raise ValueError(f"{question.question_id}: the fact {fact!r} is not in {document}")
        named = question.question_type != INFERENCE  # there the paper's name would single out the article
        silent = [reading.source for reading in gold if named and reading.source not in question.question]
        if silent:
            raise ValueError(f"{question.question_id}: does not name {silent[0]}, whose article it stands on")
        found = _answer(question.extra["check"], gold, readings)
        if (found,) != question.answers:
            raise ValueError(f"{question.question_id}: the files say {found!r}, the question {question.answers[0]!r}")


def _answer(check: list[str], gold: list[Reading], readings: dict[str, Reading]) -> str:
    rule, *rest = check
    if rule in ("company", "head", "nobody"):
        return _who(rule, rest, readings)
    if rule == "silent":
        wrote = any(reading.name == rest[0] and reading.source == rest[1] for reading in readings.values())
        return "an article" if wrote else REFUSAL
    if rule == "more":
        first, second = (int(reading.values[rest[0]].replace(",", "")) for reading in gold)
        return "Yes" if first > second else "No"
    if rule == "all":
        return "Yes" if {reading.trait for reading in gold} == {rest[0]} else "No"
    earliest = all(gold[0].published < other.published for other in gold[1:])
    return ("before" if earliest else "after") if rule == "order" else ("Yes" if earliest else "No")


def _who(rule: str, traits: list[str], readings: dict[str, Reading]) -> str:
    """The one company with all traits, its head, or the refusal; a trait that one company alone has is no question."""
    sets = []
    for trait in traits:
        kind, value = trait.split("=", 1)
        sets.append({r.name for r in readings.values() if (r.kind, r.trait) == (kind, value)})
    names = set.intersection(*sets)
    if not names:
        return REFUSAL
    if len(names) > 1 or (rule != "nobody" and min(map(len, sets)) < 2):
        return f"{len(names)} companies, {min(map(len, sets))} by one article"
    (name,) = names
    head = next(r.values["head"] for r in readings.values() if r.name == name and r.kind == "appointment")
    return head if rule == "head" else name
