"""Financial statements: which of the three a question needs, and which pages of a document they stand on.

A question asks for a ratio ("return on assets", "interest coverage") whose name stands nowhere in the report; the lines
it is made of stand on the balance sheet, the income statement or the cash flow statement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Statement = Literal["balance", "income", "cash"]

_RETURN = r"roa|roe|roce|return on (?:\w+ )?(?:assets|equity|capital)|turnover"
_TERMS: dict[Statement, tuple[str, ...]] = {  # of questions
    "balance": (
        _RETURN, "total assets|assets|liabilit(?:y|ies)|equity|debt", "(?:current|quick|cash|cash flow) ratio",
        "working capital|goodwill|inventor(?:y|ies)|receivables?|payables?|capitali[sz]ation|book value",
        "days (?:sales|payables?|inventory)|cash conversion|cash equivalents",
    ),
    "income": (
        _RETURN, "(?:gross|net|operating|ebitda?) margins?|gross profit|ebitda?|eps|earnings per share|after-tax",
        "(?:operating|net) (?:income|profit|earnings|sales)|(?:net|total) revenues?|(?:sales|revenues?) to",
        "interest (?:coverage|expense|to)|(?:tax|income tax)(?:es)? (?:rate|ratio|expense)",
        "cost of (?:goods|sales|revenues?)|(?:research and development|advertising|administrative) expenses?",
    ),
    "cash": ("cash flows?|capex|capital expenditures?|ebitda|depreciation|amorti[sz]ation|dividends?|repurchases?",),
}  # fmt: skip
_ASKED = {name: re.compile(rf"\b(?:{'|'.join(terms)})\b", re.IGNORECASE) for name, terms in _TERMS.items()}
_LINES: dict[Statement, tuple[str, ...]] = {  # of statements, in lower case
    "balance": (
        "total current assets", "total assets", "total current liabilities", "total liabilities", "holders. equity",
        "cash and cash equivalents", "accounts payable", "goodwill", "inventories", "long-term debt",
        "retained earnings", "prepaid",
    ),
    "income": (
        "revenues?|net sales", "cost of (?:goods sold|sales|revenues?)", "gross profit", "operating income",
        "interest expense", "(?:income tax expense|provision for income taxes)", "net (?:income|earnings)",
        "per share", "diluted", "basic", "weighted.average", "general and administrative", "before income tax",
    ),
    "cash": (
        "operating activities", "investing activities", "financing activities", "depreciation", "amortization",
        "net cash", "(?:additions to|purchases? of|acquisitions? of) property", "repurchases?", "dividends",
        "net (?:increase|decrease|change)|increase \\(decrease\\) in cash", "beginning of",
        "end of (?:the )?(?:year|period)",
    ),
}  # fmt: skip
LEAST = 0.5  # share of a statement's lines that its page must hold
NEAR = 0.85  # pages with this share of the best page's lines count too


def asked_statements(question: str) -> tuple[Statement, ...]:
    """The statements a question needs."""
    return tuple(name for name, pattern in _ASKED.items() if pattern.search(question))


def statement_pages(pages: Mapping[int, str]) -> dict[Statement, tuple[int, ...]]:
    """Pages of each statement by the share of its usual lines they hold; none in a document without statements."""
    texts = {page: " ".join(text.lower().split()) for page, text in pages.items()}
    found: dict[Statement, tuple[int, ...]] = {}
    for name, lines in _LINES.items():
        counts = {page: sum(bool(re.search(line, text)) for line in lines) for page, text in texts.items()}
        best = max(counts.values(), default=0)
        if best >= LEAST * len(lines):
            found[name] = tuple(page for page, count in counts.items() if count >= NEAR * best)
    return found
