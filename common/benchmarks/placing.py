"""Puts a downloaded release where the experiments look for it: checked first, then linked, never copied in part."""

from __future__ import annotations

from pathlib import Path

from common.benchmarks.fetch import ReleaseReport, check_release, release
from common.benchmarks.release import BenchmarkError, listed

_MAGIC = b"%PDF-"
_HEAD = 1024  # readers accept the mark anywhere in the first kilobyte


def place_release(name: str, source: Path, target: Path, subset: str = "full") -> ReleaseReport:
    """Check the release in folder `source` and make `target` a link to it.

    Anything less than the whole must be asked for by a subset's name. Raises BenchmarkError for what the check finds,
    for files that are no PDFs, for a corpus that is generated, and where `target` is something else already.
    """
    if release(name).redistributable:
        raise BenchmarkError(f"{name} is generated here on first use; there is nothing to fetch, leave out --from")
    if not source.is_dir():
        raise BenchmarkError(f"{source}: no such folder; unpack the release there, laid out as `fetch {name}` says")
    report = check_release(name, source, subset)
    refuse_strange_files(source)
    _link(source.resolve(), target)
    return report


def report_lines(report: ReleaseReport, source: Path, target: Path) -> list[str]:
    """What was found, for a person: counts beside the release's, every oddity, and how to use a partial set."""
    it = release(report.name)
    whole = "complete" if report.complete else f"a part, under the name {report.subset!r}"
    lines = [
        f"{report.name}: {whole}",
        f"  questions {report.questions:,} of {it.questions:,}, documents {report.documents:,} of {it.documents:,}",
        *(f"  kept as it is: {issue}" for issue in report.issues),
        f"  {target} -> {source.resolve()}",
    ]
    return [*lines, f"  use it with: {_usage(report)}"]


def refuse_strange_files(folder: Path) -> None:
    """Refuse files named .pdf that are something else, such as the error page of a server."""
    strange = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf"):
        with path.open("rb") as file:
            if _MAGIC not in file.read(_HEAD):
                strange.append(path.relative_to(folder).as_posix())
    if strange:
        raise BenchmarkError(f"{folder}: {len(strange):,} files are no PDFs ({listed(strange)}); fetch them again")


def _usage(report: ReleaseReport) -> str:
    parts = report.subset.split("+")
    if "questions" in parts:
        return f"load_benchmark({report.name!r}, folder, subset={report.subset!r}); without documents nothing is run"
    rule = next((part for part in parts if part != "held"), "full")
    return f"benchmark={report.name} subset={rule}" + (" benchmark.documents=held" if "held" in parts else "")


def _link(source: Path, target: Path) -> None:
    """Renews a link; leaves alone what is a folder of its own."""
    if target.resolve() == source:
        return
    if target.exists() and not target.is_symlink():
        raise BenchmarkError(f"{target} is there already and no link; move it away, or set benchmark.root={source}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.symlink_to(source, target_is_directory=True)
