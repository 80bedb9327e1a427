"""Text renderings of an artefact, and writing all of its files."""

from __future__ import annotations

from pathlib import Path

from common.artefact import ALPHA, Artefact, shown
from common.files import write_atomic
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
    lines = [f"# {artefact.item}: {artefact.title}", "", *_origin_lines(artefact), ""]
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
    """The artefact as a LaTeX table (booktabs) to \\input."""
    header = " & ".join(map(_escape, _heads(artefact)))
    body = [" & ".join(map(_escape, row)) + r" \\" for row in artefact.display()]
    caption = _escape(f"{artefact.title}. " + " ".join(_origin_lines(artefact)))
    return (
        "\n".join(
            [
                r"\begin{table}",
                r"\centering\small",
                rf"\begin{{tabular}}{{{'l' * len(artefact.columns)}}}",
                r"\toprule",
                header + r" \\",
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\caption{{{caption}}}",
                rf"\label{{tab:{artefact.paper}-{artefact.name}}}",
                r"\end{table}",
            ]
        )
        + "\n"
    )


def _heads(artefact: Artefact) -> list[str]:
    return [
        f"{column.name} ({artefact.origin(column)})" if column.origin in ("published", "replica") else column.name
        for column in artefact.columns
    ]


def _origin_lines(artefact: Artefact) -> list[str]:
    named = artefact.replicas.items()
    lines = [f"{name.capitalize()} measured on {source}: not the paper's number." for source, name in named]
    if any(column.origin == "published" for column in artefact.columns):
        lines.insert(0, "Published columns are as printed in the paper.")
    return lines


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
    }
)


def _escape(text: str) -> str:
    return text.replace("\n", " ").translate(_LATEX)
