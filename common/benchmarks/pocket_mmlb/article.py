"""A report as blocks with anchors, to be laid out by pocket-m3doc's PDF writer."""

from __future__ import annotations

import random
import zlib

from common.benchmarks.pocket.article import Article, Block, Chart, Figure, Heading, Paragraph, Picture, TableBlock
from common.benchmarks.pocket_mmlb.world import YEARS, Chapter, Report

_SENTENCES = (
    "The inspectors walked every street of {place} twice and wrote down what they found in pencil.",
    "Where two counts differed, the lower one was kept and the difference noted in the margin.",
    "Complaints about the {unit} came mostly in the autumn and were answered by post.",
    "The cost was shared between the town and the {people}, as it has been since the old charter.",
    "A visitor from {place} compared the {unit} with those at home and thought them well kept.",
    "Two of the {people} retired during the year; their places were filled within a month.",
    "The board does not expect the number of {unit} to change much before the new bridge is open.",
    "Repairs took longer than planned because the timber had to be dried first.",
    "The {people} asked for a second room, with a stove, and were given one without.",
    "No accident was reported, apart from a broken ladder in {place}.",
    "The method of counting is the one used in earlier years, so that the figures can be compared.",
    "Children under ten are not counted, and neither are {unit} that are out of use.",
    "The committee met in public, and its minutes can be read at the town hall on Thursdays.",
    "A proposal to paint the {unit} in one colour was put off for the fourth time.",
    "In {place} the work was done by volunteers, who were thanked with a supper.",
    "The winter was mild, which saved coal but brought the {people} little rest.",
    "Several families moved to {place}, and the committee followed them with its lists.",
    "The auditors praised the book-keeping and regretted the handwriting.",
)


def write_report(report: Report) -> Article:
    """The report's blocks. Anchors are `<chapter number>.<part>`: text, chart, ranking, table, poster."""
    names = ", ".join(chapter.title.lower() for chapter in report.chapters)
    lead = Paragraph(
        "lead",
        f"This report of the {report.body} gives the state of {report.town} at the end of {YEARS[-1]}. It has "
        f"{len(report.chapters)} chapters: {names}. Figures are counts at the end of the year.",
    )
    infobox = (
        ("Issued by", report.body),
        ("Town", report.town),
        ("Type", report.document_type),
        ("Year", str(YEARS[-1])),
    )
    blocks: list[Block] = []
    for number, chapter in enumerate(report.chapters, start=1):
        blocks += _chapter(report, number, chapter)
    return Article(report.title, "report", (lead,), infobox, tuple(blocks))


def _chapter(report: Report, number: int, chapter: Chapter) -> list[Block]:
    rng = random.Random(zlib.crc32(f"{report.title}|{chapter.title}".encode()))
    title, unit = chapter.title, chapter.unit
    opening = (
        f"The committee on {title.lower()} was founded in {chapter.founded}. In the year of this report it was chaired "
        f"by {chapter.chair}. {_filler(rng, report, chapter, 3)}"
    )
    counts = Chart(
        "line" if number % 2 else "bar",
        f"{title}: {unit} by year",
        tuple(map(str, YEARS)),
        chapter.counts,
        chapter.colour,
    )
    districts, visits = zip(*chapter.ranking, strict=True)
    ranking = Chart("hbar", f"{title}: visits by district", districts, visits, chapter.colour)
    rows = tuple((name, str(units), str(people)) for name, units, people in chapter.table)
    columns = ("District", unit.capitalize(), chapter.people.capitalize())
    picture = Picture("poster", (chapter.poster,), chapter.colour, chapter.motifs, chapter.motif)
    return [
        Heading(f"Chapter {number}: {title}"),
        Paragraph(f"{number}.text", opening),
        Paragraph("", _filler(rng, report, chapter, 7)),
        Figure(f"{number}.chart", f"Figure {number}a. {title}, {unit} by year.", counts),
        Paragraph("", _filler(rng, report, chapter, 7)),
        Heading("By district"),
        Paragraph("", _filler(rng, report, chapter, 5)),
        TableBlock(f"{number}.table", f"Table {number}. {title} by district.", columns, rows),
        Figure(f"{number}.ranking", f"Figure {number}b. {title}, visits by district.", ranking),
        Paragraph("", _filler(rng, report, chapter, 8)),
        Figure(f"{number}.poster", f"Figure {number}c. The committee's poster.", picture),
        Paragraph("", _filler(rng, report, chapter, 8)),
    ]


def _filler(rng: random.Random, report: Report, chapter: Chapter, count: int) -> str:
    """Sentences that answer nothing."""
    chosen = rng.sample(_SENTENCES, count)
    return " ".join(
        sentence.format(place=rng.choice(report.districts), unit=chapter.unit, people=chapter.people)
        for sentence in chosen
    )
