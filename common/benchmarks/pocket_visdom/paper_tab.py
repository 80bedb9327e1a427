"""Papers whose table of results goes on over a page break, with text that says what its rows are."""

from __future__ import annotations

import random
from dataclasses import dataclass

from common.benchmarks.pocket.names import NameForge
from common.benchmarks.pocket_visdom.blocks import Document, Heading, Pages, Table, Text
from common.benchmarks.pocket_visdom.draft import Asked, Draft, Place, ask, distinct, teller

TASKS = (
    "Reading Tide Gauges", "Sorting Seed Grains", "Naming Bird Calls", "Matching Torn Maps", "Dating Old Coins",
    "Finding Leaks in Mains",
)  # fmt: skip
CAUSES = ("smudged ink", "wet paper", "two similar shapes", "a missing label", "poor light", "worn edges")
COLUMNS = ("Method", "Precision", "Recall", "Minutes")
ROWS = 16
HALF = ROWS // 2


@dataclass(frozen=True)
class Method:
    """A row of the table. `author` is named in the text, "" where nobody is."""

    name: str
    precision: int
    recall: int
    minutes: int
    author: str
    part: str  # anchor of the table's half that holds the row

    @property
    def row(self) -> tuple[str, ...]:
        return (self.name, str(self.precision), str(self.recall), str(self.minutes))

    @property
    def place(self) -> Place:
        return Place(self.part, "table", (" ".join(self.row),))


@dataclass(frozen=True)
class Comparison:
    """What a paper knows; its own method is the last row."""

    task: str
    methods: tuple[Method, ...]
    cause: str
    authors: str

    @property
    def asked(self) -> str:
        return f"In the paper on {self.task.lower()}"

    def half(self, number: int) -> tuple[Method, ...]:
        return self.methods[:HALF] if number == 1 else self.methods[HALF:]


def questions(rng: random.Random, forge: NameForge) -> list[Asked]:
    """Twelve questions about six papers of four pages."""
    pairs = zip(TASKS, rng.sample(CAUSES, len(CAUSES)), strict=True)
    papers = [_comparison(rng, forge, task, cause) for task, cause in pairs]
    return ask("paper_tab", [(paper, write(paper, rng)) for paper in papers], PLAN)


def _comparison(rng: random.Random, forge: NameForge, task: str, cause: str) -> Comparison:
    numbers = zip(
        distinct(rng, 40, 97, ROWS), distinct(rng, 35, 95, ROWS), distinct(rng, 5, 90, ROWS), strict=True
    )  # fmt: skip
    named = {*rng.sample(range(HALF), 3), *rng.sample(range(HALF, ROWS - 1), 3)}
    methods = tuple(
        Method(
            forge.place(), *row, forge.person() if place in named else "", f"results.{1 if place < HALF else 2}"
        )
        for place, row in enumerate(numbers)
    )  # fmt: skip
    return Comparison(task, methods, cause, f"{forge.person()} and {forge.person()}")


def write(paper: Comparison, rng: random.Random) -> Document:
    """The paper: authors of methods on page 1, the table from page 2 to page 3, errors on page 4."""
    say = teller(rng, paper.task.lower())
    task, ours = paper.task, paper.methods[-1].name
    aims = f"We present {ours}, a method for {task.lower()}, and compare it with {ROWS - 1} others."
    related = (
        Text(f"by.{m.name}", f"The method {m.name} is due to {m.author}. {say(1)}")
        for m in paper.methods if m.author
    )  # fmt: skip
    caption = f"Table 1. {task}: precision and recall in percent, and minutes a sheet."
    first = Table("results.1", caption, COLUMNS, tuple(method.row for method in paper.half(1)))
    second = Table("results.2", f"Table 1 (continued). {task}.", COLUMNS, tuple(m.row for m in paper.half(2)))
    errors = f"More than half of the errors of {ours} in {task.lower()} come from {paper.cause}."
    pages: Pages = (
        (
            Heading("Abstract"), Text("", f"{aims} {say(2)}"),
            Heading("1 Related work"), *related,
            Heading("2 Method"), Text("", say(6)),
        ),
        (Heading("3 Results"), Text("", say(6)), Text("", say(6)), Text("", say(5)), first),
        (second, Text("", say(6)), Text("", say(4))),
        (
            Heading("4 Errors"), Text("errors", f"{errors} {say(2)}"), Text("", say(6)),
            Heading("5 Conclusion"), Text("", say(6)),
        ),
    )  # fmt: skip
    return Document(f"{task} with {ours}", "paper", paper.authors, pages)


def recall(paper: Comparison, turn: int) -> Draft:
    method = [method for method in paper.methods if not method.author][1 + turn]
    question = f"{paper.asked}, what recall does the table of results give for {method.name}?"
    return Draft(question, f"{method.recall}%", (method.place,))


def best(paper: Comparison, turn: int) -> Draft:
    """The best row of either half must be seen to know the better one."""
    tops = [max(paper.half(number), key=lambda method: method.precision) for number in (1, 2)]
    top = max(tops, key=lambda method: method.precision)
    question = f"{paper.asked}, which method has the highest precision of all, and how high is it?"
    return Draft(question, f"{top.name}, {top.precision}%", tuple(method.place for method in tops))


def by_author(paper: Comparison, turn: int) -> Draft:
    method = [method for method in paper.methods if method.author][2 + turn]
    question = f"{paper.asked}, what precision does the method due to {method.author} reach?"
    related = Place(f"by.{method.name}", "text", (f"The method {method.name} is due to {method.author}",))
    return Draft(question, f"{method.precision}%", (related, method.place))


def gap(paper: Comparison, turn: int) -> Draft:
    one, two = paper.half(1)[turn], paper.half(2)[turn]
    question = f"{paper.asked}, by how many minutes a sheet do {one.name} and {two.name} differ?"
    return Draft(question, f"{abs(one.minutes - two.minutes)} minutes", (one.place, two.place))


def count(paper: Comparison, turn: int) -> Draft:
    """Five methods, and at least one of them in each half; the limit is the sixth one's value."""
    ordered = sorted(paper.methods, key=lambda method: -method.recall)
    above, limit = ordered[:5], ordered[5].recall
    question = f"{paper.asked}, how many methods have a recall above {limit}%?"
    return Draft(question, str(len(above)), tuple(method.place for method in above))


def errors(paper: Comparison, turn: int) -> Draft:
    question = f"What do more than half of the errors of {paper.methods[-1].name} in {paper.task.lower()} come from?"
    return Draft(question, paper.cause, (Place("errors", "text", (paper.cause,)),))


PLAN = (
    *(recall, best, by_author, gap, recall, best),
    *(errors, by_author, gap, count, recall, errors),
)
