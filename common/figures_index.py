"""figures/index.html: every artefact with its picture and files, made from the files alone."""

from __future__ import annotations

from html import escape
from pathlib import Path

from common.files import write_atomic
from common.paths import Workspace
from common.render import CLAIMS_SUFFIX, SUFFIXES

_STYLE = (
    "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "img{max-width:100%;border:1px solid #ddd}"
)


def write_index(workspace: Workspace) -> Path:
    """Write figures/index.html: one section per artefact, by paper and name, then the tables at the top level."""
    figures = workspace.figures
    figures.mkdir(parents=True, exist_ok=True)
    sections = [
        _section(path, figures) for path in sorted(figures.glob("*/*.csv")) if not path.name.endswith(CLAIMS_SUFFIX)
    ]
    loose = sorted(path.name for path in figures.iterdir() if path.is_file() and path.name != "index.html")
    links = "".join(
        f'<li><a href="{escape(name)}">{escape(name)}</a></li>' for name in loose if not name.startswith(".")
    )
    body = "\n".join([*sections, f"<h2>Over all papers</h2><ul>{links}</ul>" if links else ""])
    top = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>'
    head = f"{top}<style>{_STYLE}</style><h1>Figures</h1>"
    intro = (
        "<p>CSV is the truth; the other files show the same frame. Published and replica columns are kept apart.</p>"
    )
    return write_atomic(figures / "index.html", f"{head}\n{intro}\n{body}\n</html>\n")


def _section(csv: Path, figures: Path) -> str:
    name, paper = csv.stem, csv.parent.name
    links = []
    for suffix in (*SUFFIXES, CLAIMS_SUFFIX):
        path = csv.with_name(name + suffix)
        if path.exists():
            links.append(f'<a href="{escape(path.relative_to(figures).as_posix())}">{suffix[1:]}</a>')
    title = f'<h2 id="{escape(paper)}-{escape(name)}">{escape(paper)}: {escape(_title(csv))}</h2>'
    picture = f'<img src="{escape(paper)}/{escape(name)}.png" alt="{escape(name)}">'
    return f"{title}\n<p>{' · '.join(links)}</p>\n{picture}"


def _title(csv: Path) -> str:
    """The artefact's title, from the first line of its Markdown."""
    page = csv.with_suffix(".md")
    return page.read_text().split("\n", 1)[0].removeprefix("# ") if page.exists() else csv.stem
