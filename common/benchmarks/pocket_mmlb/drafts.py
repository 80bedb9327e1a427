"""The kinds of questions: each makes one question of a report from one or two of its chapters."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from common.benchmarks.pocket_mmlb.world import YEARS, Chapter, Report
from common.benchmarks.question import NOT_ANSWERABLE


@dataclass(frozen=True)
class Draft:
    """A question before layout. `evidence` are (anchor, kind); `written` are (anchor, words that its page must show);
    `absent` are words that no page of the report may show; `not_in_table` is a table and a district that it lacks."""

    question: str
    answer: str
    answer_format: str
    evidence: tuple[tuple[str, str], ...]
    written: tuple[tuple[str, str], ...] = ()
    absent: tuple[str, ...] = ()
    not_in_table: tuple[str, str] | None = None


Maker = Callable[[Report, int, int, random.Random], Draft]


def chart_value(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter, year = report.chapters[first - 1], rng.randrange(len(YEARS))
    question = f"According to the chart of {chapter.unit} by year, how many {chapter.unit} were there in {YEARS[year]}?"
    return Draft(question, str(chapter.counts[year]), "Int", ((f"{first}.chart", "chart"),))


def figure_count(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter = report.chapters[first - 1]
    question = f"How many {chapter.motif} are drawn on the poster of the committee on {chapter.title.lower()}?"
    return Draft(question, str(chapter.motifs), "Int", ((f"{first}.poster", "figure"),))


def table_cell(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter = report.chapters[first - 1]
    name, units, people = rng.choice(chapter.table)
    question = f"How many {chapter.people} does the table of {chapter.title.lower()} by district give for {name}?"
    anchor = f"{first}.table"
    return Draft(question, str(people), "Int", ((anchor, "table"),), ((anchor, f"{name} {units} {people}"),))


def chart_tally(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    """Charts by year are lines in odd chapters and bars in even ones; the rankings are horizontal bars."""
    numbers = range(1, len(report.chapters) + 1, 2)
    question = "How many line charts are there in the whole report?"
    return Draft(question, str(len(numbers)), "Int", tuple((f"{number}.chart", "layout") for number in numbers))


def chair(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter, anchor = report.chapters[first - 1], f"{first}.text"
    question = f"Who chaired the committee on {chapter.title.lower()} in the year of the report?"
    return Draft(question, chapter.chair, "Str", ((anchor, "text"),), ((anchor, chapter.chair),))


def chart_peak(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter = report.chapters[first - 1]
    best = max(chapter.ranking, key=lambda pair: pair[1])
    question = f"Which district has the longest bar in the figure of visits in the chapter on {chapter.title.lower()}?"
    return Draft(question, best[0], "Str", ((f"{first}.ranking", "chart"),))


def larger_chapter(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    a, b = report.chapters[first - 1], report.chapters[second - 1]
    year = next(i for i in range(len(YEARS)) if a.counts[i] != b.counts[i])
    question = f"Were there more {a.unit} or more {b.unit} in {YEARS[year]}, by the charts of the two chapters?"
    answer = a.unit if a.counts[year] > b.counts[year] else b.unit
    return Draft(question, answer, "Str", ((f"{first}.chart", "chart"), (f"{second}.chart", "chart")))


def table_share(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter, anchor = report.chapters[first - 1], f"{first}.table"
    name, units, people = rng.choice(chapter.table)
    share = 100 * units / sum(row[1] for row in chapter.table)
    question = (
        f"What percentage of all {chapter.unit} in the table of {chapter.title.lower()} by district is in {name}? "
        "Round to one decimal place."
    )
    return Draft(question, f"{share:.1f}%", "Float", ((anchor, "table"),), _rows(anchor, chapter))


def two_chart_ratio(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    a, b = report.chapters[first - 1], report.chapters[second - 1]
    question = (
        f"How many {a.unit} were there for each of the {b.unit} in {YEARS[-1]}, by the charts of the two chapters? "
        "Round to two decimal places."
    )
    ratio = a.counts[-1] / b.counts[-1]
    return Draft(question, f"{ratio:.2f}", "Float", ((f"{first}.chart", "chart"), (f"{second}.chart", "chart")))


def table_rows(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter, anchor = report.chapters[first - 1], f"{first}.table"
    ordered = sorted(chapter.table, key=lambda row: -row[1])
    kept, limit = sorted(row[0] for row in ordered[:3]), (ordered[2][1] + ordered[3][1]) // 2
    question = (
        f"Which districts have more than {limit} {chapter.unit} in the table of {chapter.title.lower()} by district?"
    )
    return Draft(question, str(kept), "List", ((anchor, "table"),), _rows(anchor, chapter))


def two_chairs(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapters = [(number, report.chapters[number - 1]) for number in (first, second)]
    told = " and on ".join(chapter.title.lower() for _, chapter in chapters)
    written = tuple((f"{number}.text", chapter.chair) for number, chapter in chapters)
    answer = str([chapter.chair for _, chapter in chapters])
    evidence = tuple((f"{number}.text", "text") for number, _ in chapters)
    return Draft(f"Who chaired the committees on {told}? Answer with a list.", answer, "List", evidence, written)


def no_year(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter, year = report.chapters[first - 1], YEARS[0] - rng.randint(2, 9)
    question = f"According to the chart of {chapter.unit} by year, how many {chapter.unit} were there in {year}?"
    return Draft(question, NOT_ANSWERABLE, "None", (), absent=(str(year),))


def no_row(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter = report.chapters[first - 1]
    (left_out,) = set(report.districts) - {row[0] for row in chapter.table}
    question = f"How many {chapter.people} does the table of {chapter.title.lower()} by district give for {left_out}?"
    return Draft(question, NOT_ANSWERABLE, "None", (), not_in_table=(f"{first}.table", left_out))


def no_role(report: Report, first: int, second: int, rng: random.Random) -> Draft:
    chapter = report.chapters[first - 1]
    question = f"Who was the treasurer of the committee on {chapter.title.lower()} in the year of the report?"
    return Draft(question, NOT_ANSWERABLE, "None", (), absent=("treasurer",))


def _rows(anchor: str, chapter: Chapter) -> tuple[tuple[str, str], ...]:
    return tuple((anchor, f"{name} {units} {people}") for name, units, people in chapter.table)


# Questions of each kind in the full set of 40, a fifth of them without an answer.
MIX: tuple[tuple[Maker, int], ...] = (
    (chart_value, 4), (figure_count, 3), (table_cell, 2), (chart_tally, 2), (chair, 3), (chart_peak, 3),
    (larger_chapter, 3), (table_share, 3), (two_chart_ratio, 3), (table_rows, 3), (two_chairs, 3), (no_year, 3),
    (no_row, 3), (no_role, 2),
)  # fmt: skip


def choose_drafts(reports: tuple[Report, ...], seed: int) -> list[tuple[int, Draft]]:
    """(report, draft) in the order of MIX: reports in turn, each chapter asked about as seldom as possible."""
    rng = random.Random(f"mmlb-questions-{seed}")
    orders = [rng.sample(range(1, len(report.chapters) + 1), len(report.chapters)) for report in reports]
    turns = [0] * len(reports)
    chosen: list[tuple[int, Draft]] = []
    for maker, count in MIX:
        for _ in range(count):
            place = len(chosen) % len(reports)
            order = orders[place]
            first = order[turns[place] % len(order)]
            second = next(c for c in order[turns[place] % len(order) + 1 :] + order if abs(c - first) >= 2)
            turns[place] += 1
            chosen.append((place, maker(reports[place], first, second, rng)))
    return chosen
