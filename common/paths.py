"""Where things lie. The only module that knows folder names; everything else asks a `Workspace`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def cache_root() -> Path:
    """Folder of what is large and can be made again: `DOCQA_CACHE`, else `docqa` in `XDG_CACHE_HOME` or `~/.cache`."""
    chosen = os.environ.get("DOCQA_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "docqa"


@dataclass(frozen=True)
class Workspace:
    """The folders of one checkout. Tests make their own over a temporary `root`."""

    root: Path = ROOT
    cache: Path = field(default_factory=cache_root)

    @property
    def experiments(self) -> Path:
        return self.root / "experiments"

    @property
    def conf(self) -> Path:
        return self.experiments / "conf"

    @property
    def published(self) -> Path:
        return self.experiments / "published"

    @property
    def traces(self) -> Path:
        return self.experiments / "traces"

    @property
    def outputs(self) -> Path:
        return self.experiments / "outputs"

    @property
    def figures(self) -> Path:
        return self.root / "figures"

    @property
    def records(self) -> Path:
        return self.traces / "records"

    def calls(self, benchmark: str, model: str, *, redistributable: bool = True) -> Path:
        """Call cache of one benchmark and model; outside the tree where the corpus may not be passed on."""
        return self._traces(redistributable) / "calls" / benchmark / model

    def corpus(self, benchmark: str, *, redistributable: bool = True) -> Path:
        """Corpus snapshot of one benchmark; outside the tree where the corpus may not be passed on."""
        return self._traces(redistributable) / "corpora" / benchmark

    def find_corpus(self, benchmark: str) -> Path:
        """The snapshot in the tree if there is one, else the place of a local one."""
        inside = self.corpus(benchmark)
        return inside if inside.exists() else self.corpus(benchmark, redistributable=False)

    def outline(self, benchmark: str) -> Path:
        """What is in the tree of a corpus that may not be passed on: its questions' ids and types, no text."""
        return self.traces / "outlines" / benchmark

    def benchmark_files(self, benchmark: str) -> Path:
        """Default folder of a benchmark's own files (PDFs, questions)."""
        return self.cache / "benchmarks" / benchmark

    def store(self, benchmark: str) -> Path:
        """Folder of the parsed documents and cropped assets of a benchmark."""
        return self.cache / "parsed" / benchmark

    def _traces(self, redistributable: bool) -> Path:
        return self.traces if redistributable else self.cache / "traces"
