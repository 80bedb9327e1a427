"""Text renderings of an artefact, and writing all of its files."""

from __future__ import annotations

from pathlib import Path

from common.artefact import ALPHA, Artefact, shown
from common.files import write_atomic
from common.layout import CELL, Part, head_lines, parts
from common.markdown import markdown_table

SUFFIXES = (".csv", ".md", ".tex", ".pdf", ".png")
CLAIMS_SUFFIX = ".claims.csv"


def csv_texts(artefact: Artefact) -> dict[str, str]:
    """The texts that are compared exactly: suffix -> content."""
    texts = {".csv": artefact.csv()}
    return {**texts, CLAIMS_SUFFIX: artefact.claims_csv()} if artefact.claims else texts


def write_artefact(artefact: Artefact, folder: Path) -> list[Path]:
    """Write every rendering below `folder`/<paper>/ and return the paths."""
    from common.plotting import save_pictures  # here, not above: only this needs matplotlib

    stem = folder / artefact.paper / artefact.name
    stem.parent.mkdir(parents=True, exist_ok=True)
    texts = {**csv_texts(artefact), ".md": markdown(artefact), ".tex": latex(artefact)}
    if not artefact.claims:
        stem.with_name(stem.name + CLAIMS_SUFFIX).unlink(missing_ok=True)
    paths = [write_atomic(stem.with_name(stem.name + suffix), text) for suffix, text in texts.items()]
    return [*paths, *save_pictures(artefact, stem)]


def markdown(artefact: Artefact) -> str:
    """The artefact as a Markdown page: table, what the replica was measured on, verdicts, notes."""
    lines = [f"# {artefact.item}: {artefact.title}", "", *artefact.provenance, ""]
    lines += markdown_table(_heads(artefact), artefact.display())
    if artefact.claims:
        lines += ["", "## Claims of direction", "", *_claim_lines(artefact)]
    if artefact.notes:
        lines += ["", "## Notes", "", *(f"- {note}" for note in artefact.notes)]
    return "\n".join(lines) + "\n"


def _claim_lines(artefact: Artefact) -> list[str]:
    cells = [[c.claim, c.place, f"**{c.verdict}**", c.detail, shown(c.adjusted, "p")] for c in artefact.claims]
    tests = sum(c.p_value is not None for c in artefact.claims)
    rule = f"A verdict goes by Holm p, below {ALPHA:g}: the sign test's p, corrected for"
    told = ["", f"{rule} the {tests} tests of this table."] if tests > 1 else []
    return [*markdown_table(["claim", "place", "verdict", "replica", "Holm p"], cells), *told]


def latex(artefact: Artefact) -> str:
    """The artefact as LaTeX to \\input: a longtable for each part of its layout, the caption above the first."""
    text = _escape(" ".join([f"{artefact.title}.", *artefact.provenance]))
    caption = rf"\caption{{{text}}}\label{{tab:{artefact.paper}-{artefact.name}}}\\"
    first, *others = parts(artefact)
    lines = [
        r"% \usepackage{array,booktabs,longtable}; for a text at least 6.5 inches wide",
        r"\begingroup\footnotesize\setlength{\tabcolsep}{0.5em}",
        *_longtable(first, [caption]),
        *(line for part in others for line in [*_longtable(part, []), r"\addtocounter{table}{-1}"]),  # one table
        r"\endgroup",
    ]
    return "\n".join(lines) + "\n"


def _longtable(part: Part, caption: list[str]) -> list[str]:
    form = "".join(_form(part, n) for n in range(len(part.columns)))
    sides = ["r" if number else "l" for number in part.numeric]
    names = [_head(column.name, side) for column, side in zip(part.columns, sides, strict=True)]
    head = [r"\toprule", *_origin_heads(part), " & ".join(names) + r" \\", r"\midrule"]
    return [
        rf"\begin{{longtable}}{{@{{}}{form}@{{}}}}",
        *caption, *head, r"\endfirsthead",
        *head, r"\endhead",
        *(" & ".join(map(_escape, row)) + r" \\" for row in part.rows),
        r"\bottomrule",
        r"\end{longtable}",
    ]  # fmt: skip


def _form(part: Part, n: int) -> str:
    """How a column is set: numbers to the right, text to the left, and text of several lines as a paragraph."""
    if part.numeric[n]:
        return "r"
    if all(len(cell) <= CELL for cell in part.cells[n]):
        return "l"
    return rf">{{\raggedright\arraybackslash}}p{{{0.5 * part.widths[n]:g}em}}"


def _origin_heads(part: Part) -> list[str]:
    """The line that says over the columns where they come from, and the rule below it."""
    over = [rf"\multicolumn{{{stop - start}}}{{c}}{{{origin}}}" for origin, start, stop in part.spans]
    rules = [rf"\cmidrule(lr){{{start + 1}-{stop}}}" for origin, start, stop in part.spans if origin]
    return [" & ".join(over) + r" \\", "".join(rules)] if rules else []


def _head(name: str, side: str) -> str:
    lines = [_escape(line) for line in head_lines(name)]
    stacked = r"\\".join(lines)
    return stacked if len(lines) == 1 else rf"\shortstack[{side}]{{{stacked}}}"


def _heads(artefact: Artefact) -> list[str]:
    return [
        f"{column.name} ({artefact.origin(column)})" if column.origin in ("published", "replica") else column.name
        for column in artefact.columns
    ]


_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "±": r"$\pm$",
        "×": r"$\times$",
        "≈": r"$\approx$",
        "|": r"\textbar{}",
    }
)


def _escape(text: str) -> str:
    return text.replace("\n", " ").translate(_LATEX)
