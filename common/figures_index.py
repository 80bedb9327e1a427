"""figures/index.html: what came out, and every artefact with its picture, verdicts and files, from the files alone."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import get_args

from common.files import write_atomic
from common.layout import TINTS
from common.paths import Workspace
from common.render import CLAIMS_SUFFIX, SUFFIXES
from common.stats import Verdict

PAPERS = {"knowforge": "KnowForge", "flowreader": "FlowReader", "joint": "Both papers"}  # in this order, then others
VERDICTS = (*get_args(Verdict), "no data")
_STYLE = (
    """
body{font:15px/1.5 sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}
h2{margin-top:2.5em;border-bottom:2px solid #222}h3{margin:2.5em 0 .3em}p{margin:.3em 0}
img{max-width:100%;margin-top:.6em}a{color:#0b57a4}
table{border-collapse:collapse;font-size:14px}th{text-align:left;border-bottom:1px solid #222}
td,th{padding:.15em 1.2em .15em 0;vertical-align:top}td{border-bottom:1px solid #ddd}
.n{text-align:right}summary{cursor:pointer;margin-top:.4em}
"""
    + "".join(f".{origin}{{background:{tint};padding:0 .3em}}" for origin, tint in TINTS.items())
    + "\n"
)
_READING = (
    '<p><b class="published">published</b>: as the paper prints it. <b class="replica">replica</b>: measured here, '
    "with smaller models and corpora than the papers'; the lines above each table name them and n. "
    "A replica is never the paper's number. The CSV is authoritative; every other file renders the same table.</p>"
)


def write_index(workspace: Workspace) -> Path:
    """Write figures/index.html: what came out, how to read it, a list of all artefacts, then each of them."""
    figures = workspace.figures
    figures.mkdir(parents=True, exist_ok=True)
    made = _tables(figures)
    body = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>Tables and figures</title><style>{_STYLE}</style><h1>Tables and figures</h1>",
        _READING,
        *(f"<p>{escape(sentence)}</p>" for sentence in outcome(figures)),
        *_loose_files(figures),
    ]
    for paper in sorted({path.parent.name for path in made}, key=_paper_order):
        own = sorted((path for path in made if path.parent.name == paper), key=_order)
        body += [f"<h2>{escape(PAPERS.get(paper, paper))}</h2>", _contents(own), *(_section(path) for path in own)]
    return write_atomic(figures / "index.html", "\n".join([*body, "</html>"]) + "\n")


def _paper_order(paper: str) -> tuple[int, str]:
    return (list(PAPERS).index(paper) if paper in PAPERS else len(PAPERS)), paper


def _order(path: Path) -> tuple[bool, str]:
    return path.name.startswith("appendix"), path.name


def outcome(figures: Path) -> list[str]:
    """In a sentence each: the verdicts on the papers' claims over all artefacts, and those of the audit."""
    told = []
    tested = Counter(row["verdict"] for path in _tables(figures) for row in _claims(path))
    if tested:
        counts = ", ".join(f"{tested[verdict]} {verdict}" for verdict in VERDICTS)
        told.append(
            f"{tested.total()} claims of direction (A above B) against the replica: {counts}. Not resolved: the "
            "paired test cannot tell at this n."
        )
    audited = Counter(row["verdict"] for row in _rows(figures / "audit.csv"))
    if audited:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in audited.most_common())
        told.append(f"{audited.total()} printed claims against the printed numbers themselves: {counts}.")
    return told


def _tables(figures: Path) -> list[Path]:
    return [path for path in figures.glob("*/*.csv") if not path.name.endswith(CLAIMS_SUFFIX)]


def _loose_files(figures: Path) -> list[str]:
    loose = sorted(escape(path.name) for path in figures.iterdir() if path.is_file() and path.suffix in (".csv", ".md"))
    links = " · ".join(f'<a href="{name}">{name}</a>' for name in loose)
    return [f"<p>Over all papers: {links}</p>"] if loose else []


def _contents(paths: Sequence[Path]) -> str:
    """The artefacts of one paper, each with how many of its claims have which verdict."""
    heads = "".join(f'<th class="n">{verdict}</th>' for verdict in VERDICTS)
    rows = []
    for path in paths:
        counts = Counter(row["verdict"] for row in _claims(path))
        cells = "".join(f'<td class="n">{counts[verdict] or ""}</td>' for verdict in VERDICTS)
        rows.append(f'<tr><td><a href="#{_anchor(path)}">{escape(_page(path)[0])}</a></td>{cells}</tr>')
    return f"<table><tr><th>artefact, and how many of its claims are</th>{heads}</tr>{''.join(rows)}</table>"


def _section(path: Path) -> str:
    """One artefact: title, files, picture, and below it, to unfold, the verdicts on its claims and its notes."""
    title, notes = _page(path)
    files = [path.with_name(path.stem + suffix) for suffix in (*SUFFIXES, CLAIMS_SUFFIX)]
    folder = escape(path.parent.name)
    links = " · ".join(
        f'<a href="{folder}/{escape(file.name)}">{escape(file.name.removeprefix(path.stem + "."))}</a>'
        for file in files
        if file.exists()
    )
    return "\n".join(
        [
            f'<h3 id="{_anchor(path)}">{escape(title)}</h3>',
            f"<p>{links}</p>",
            f'<img loading="lazy" src="{folder}/{escape(path.stem)}.png" alt="{escape(title)}">',
            *_claims_table(path),
            *([_folded("Notes", f"<ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>")] if notes else []),
        ]
    )


def _claims_table(path: Path) -> list[str]:
    rows = [
        f"<tr><td>{escape(row['claim'])}</td><td>{escape(row['place'])}</td><td><b>{escape(row['verdict'])}</b></td>"
        f"<td>{escape(row['detail'])}</td><td>{escape(row['Holm p'])}</td></tr>"
        for row in _claims(path)
    ]
    head = "<tr><th>claim</th><th>place</th><th>verdict</th><th>replica</th><th>Holm p</th></tr>"
    return [_folded(f"Claims of direction ({len(rows)})", f"<table>{head}{''.join(rows)}</table>")] if rows else []


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>{content}</details>"


def _anchor(path: Path) -> str:
    return escape(f"{path.parent.name}-{path.stem}")


def _claims(path: Path) -> list[dict[str, str]]:
    return _rows(path.with_name(path.stem + CLAIMS_SUFFIX))


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def _page(path: Path) -> tuple[str, list[str]]:
    """The artefact's title and notes, from its Markdown."""
    page = path.with_suffix(".md")
    text = page.read_text() if page.exists() else f"# {path.stem}"
    _, _, notes = text.partition("\n## Notes\n")
    return text.split("\n", 1)[0].removeprefix("# "), [line.removeprefix("- ") for line in notes.split("\n") if line]
