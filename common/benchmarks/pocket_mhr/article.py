"""News articles as Markdown: a header of source, author, date and address, then a few paragraphs round one fact."""

from __future__ import annotations

import random
import re
import zlib
from dataclasses import dataclass
from datetime import datetime

from common.benchmarks.pocket.article import slug
from common.benchmarks.pocket_mhr.world import Report

_HEAD = re.compile(r"# (.+)\n\nSource: (.+)\nAuthor: (.+)\nPublished: (.+)\nURL: (\S+)\n\n")
_OPENERS = (
    "Readers of this paper will have seen the notices on the quay.",
    "The statement came late, after the offices had closed.",
    "It was the third piece of news from the trade this month.",
    "Nobody at the gates wished to be named.",
)
_MIDDLES = (
    "Suppliers said they had been told a day earlier. Two of them asked for new terms and were refused.",
    "Neighbours spoke of lorries at night. A councillor called the noise a fair price for work.",
    "Rivals were quick to comment. Most of them praised the firm and then listed their own plans.",
    "The exchange took little notice. Traders had expected something of the kind since the winter.",
    "A spokesman read from a card and took no questions. The card was later pinned to the door.",
)
_CLOSERS = (
    "The company promised another statement before the summer.",
    "A meeting of shareholders is called for the end of the quarter.",
    "The union said it would wait for the books.",
    "For now the canteen stays open, and so does the question of who pays for it.",
)


@dataclass(frozen=True)
class Article:
    """One article. `fact` is the sentence a question stands on, word for word in the body."""

    document_id: str
    title: str
    fact: str
    markdown: str


@dataclass(frozen=True)
class Header:
    """What the top of an article file says."""

    title: str
    source: str
    author: str
    published: datetime
    url: str


def write_article(report: Report) -> Article:
    """The article of one report; its wording is seeded by company and kind, not by its place in the corpus."""
    company = report.company
    rng = random.Random(zlib.crc32(f"{company.name}|{report.kind}".encode()))
    title, fact, around = _news(report, rng)
    document_id = slug(title)
    place = f"https://{slug(report.source)}.example/{report.published:%Y/%m/%d}/{document_id}"
    middles = rng.sample(_MIDDLES, 3)
    body = [f"{rng.choice(_OPENERS)} {fact}", around, f"{middles[0]} {middles[1]}", middles[2], rng.choice(_CLOSERS)]
    head = (
        f"# {title}\n\nSource: {report.source}\nAuthor: {report.author}\n"
        f"Published: {report.published:%Y-%m-%dT%H:%M}\nURL: {place}\n\n"
    )
    return Article(document_id, title, fact, head + "\n\n".join(body) + "\n")


def _news(report: Report, rng: random.Random) -> tuple[str, str, str]:
    """Title, the fact, and a paragraph of detail."""
    it, name = report.company, report.company.name
    if report.kind == "opening":
        return (
            f"{name} opens works in {it.opened_in}",
            f"{name} has opened a works in {it.opened_in} that gives {it.jobs} people a job.",
            f"The hall stands where the old ropewalk was. {name} took {rng.randint(9, 30)} months to build it and says "
            f"that half of the machines came by barge.",
        )
    if report.kind == "recall":
        return (
            f"{name} calls back its spring range",
            f"{name} has called back {it.recalled:,} of its goods because of {it.reason}.",
            f"Shops were asked to send the goods to the depot at their own risk. {name} will refund the price, though "
            f"not the carriage, and expects the matter to be closed in {rng.randint(3, 9)} weeks.",
        )
    if report.kind == "appointment":
        return (
            f"New head for {name}",
            f"{it.head}, {it.background}, has been appointed to lead {name}.",
            f"The board voted {rng.randint(5, 8)} to {rng.randint(1, 3)}. {it.head} moves into the corner office next "
            f"month and has said nothing about the range, the works or the wages.",
        )
    return (
        f"{name} reports on its year",
        f"Revenue at {name} {it.direction} by {abs(it.change)} per cent to {it.revenue} million crowns.",
        f"The report has {rng.randint(40, 90)} pages and one photograph. It puts the result down to the weather on the "
        f"coast and to the price of coal, in that order.",
    )


def read_header(markdown: str, where: str) -> Header:
    """The header of an article file. Raises ValueError naming the file where it is not of the form."""
    match = _HEAD.match(markdown)
    if match is None:
        raise ValueError(f"{where}: does not begin with title, Source, Author, Published and URL")
    title, source, author, published, url = match.groups()
    return Header(title, source, author, datetime.fromisoformat(published), url)
