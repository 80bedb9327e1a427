"""Artefacts by file name: experiments/<paper>/<name>.py with conf/<paper>/<name>.yaml. There is no registry."""

from __future__ import annotations

import importlib
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hydra
from omegaconf import DictConfig, OmegaConf

from common.artefact import Artefact
from common.benchmarks import BenchmarkError
from common.paths import Workspace
from common.render import write_artefact
from common.traces import TraceError, TraceKey, read_trace, sealed_rows
from experiments.config import ConfigError, compose_config
from experiments.paired import NoTraces

PAPERS = ("knowforge", "flowreader", "joint")
Run = Callable[[DictConfig], Artefact]


class UnknownArtefact(Exception):
    """A name that no script has; the message lists the known ones."""


@dataclass(frozen=True)
class Entry:
    """One artefact script."""

    paper: str
    name: str

    @property
    def module(self) -> str:
        return f"experiments.{self.paper}.{self.name}"

    @property
    def config(self) -> str:
        return f"{self.paper}/{self.name}"


@dataclass(frozen=True)
class Outcome:
    """What became of one artefact: the artefact, or why there is none. `unrecorded`: nothing it reads was recorded."""

    entry: Entry
    artefact: Artefact | None
    error: str
    seconds: float
    unrecorded: bool = False


def discover(workspace: Workspace) -> list[Entry]:
    """Every artefact script, by paper and name."""
    entries = []
    for paper in PAPERS:
        files = sorted((workspace.experiments / paper).glob("*.py"))
        entries += [Entry(paper, path.stem) for path in files if not path.stem.startswith("_")]
    return entries


def select(names: Sequence[str], workspace: Workspace) -> list[Entry]:
    """The artefacts named as NAME or PAPER/NAME, or all of them. Raises `UnknownArtefact`."""
    entries = discover(workspace)
    unknown = sorted(set(names) - {name for entry in entries for name in (entry.name, entry.config)})
    if unknown:
        known = ", ".join(entry.name for entry in entries) or "none"
        raise UnknownArtefact(f"no artefact {', '.join(unknown)}; known: {known}")
    return [entry for entry in entries if not names or entry.name in names or entry.config in names]


def artefact_config(entry: Entry, workspace: Workspace, overrides: Sequence[str] = ()) -> DictConfig:
    """The composed configuration of one artefact, with its name, paper and workspace filled in."""
    return _complete(compose_config(entry.config, overrides, workspace=workspace), entry, workspace)


def reads(cfg: DictConfig) -> list[TraceKey]:
    """The traces an artefact reads: its `artefact.reads` (method -> systems) on its model and benchmark.

    An artefact of several benchmarks names the corpora that stand for them in `artefact.replicas`; one that reads
    each method on corpora of its own names them in `artefact.corpora`.
    """
    benchmarks = list((cfg.artefact.get("replicas") or {"": cfg.benchmark.name}).values())
    corpora = cfg.artefact.get("corpora") or dict.fromkeys(cfg.artefact.reads, benchmarks)
    return [
        TraceKey(str(benchmark), cfg.model.name, str(method), str(system))
        for method, systems in cfg.artefact.reads.items()
        for benchmark in corpora[method]
        for system in systems
    ]


def compute(entry: Entry, workspace: Workspace, overrides: Sequence[str] = ()) -> Outcome:
    """Run one artefact's script. Any failure is kept in the outcome, so that the others go on."""
    started = time.perf_counter()
    try:
        run: Run = importlib.import_module(entry.module).run
        artefact = _made(run, artefact_config(entry, workspace, overrides), workspace)
    except NoTraces as error:
        return Outcome(entry, None, str(error), time.perf_counter() - started, not committed(entry, workspace))
    except Exception as error:  # one broken artefact must not hide the others; the caller exits non-zero
        return Outcome(entry, None, explain(error), time.perf_counter() - started)
    return Outcome(entry, artefact, "", time.perf_counter() - started)


def _made(run: Run, cfg: DictConfig, workspace: Workspace) -> Artefact:
    require_sealed_rows(reads(cfg), workspace)
    return run(cfg)


def require_sealed_rows(keys: Sequence[TraceKey], workspace: Workspace) -> None:
    """Refuse traces that hold fewer runs than were sealed: averages over what is left would pass for the whole.

    Raises `TraceError` naming each with its counts.
    """
    sealed = sealed_rows(workspace.traces)
    there = {key: len(read_trace(key, workspace.records).records) for key in keys}
    lost = [
        f"{key.path(workspace.records)} holds {there[key]} runs of {sealed[f'records/{key}']} sealed"
        for key in there
        if there[key] < sealed[f"records/{key}"]
    ]
    if lost:
        remedy = "restore it with git checkout; if that is meant, seal it (python -m experiments seal)"
        raise TraceError(f"{'; '.join(lost)}; {remedy}")


def committed(entry: Entry, workspace: Workspace) -> bool:
    """Whether the artefact's table is in figures/."""
    return (workspace.figures / f"{entry.config}.csv").exists()


def explain(error: Exception) -> str:
    """Type and message of an error; of a defect also the line that raised it."""
    if isinstance(error, (BenchmarkError, ConfigError, TraceError)):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" [{Path(frames[-1].filename).name}:{frames[-1].lineno}]" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def script_main(file: str, run: Run) -> Callable[[], Any]:
    """The Hydra entry point of one script: `python -m experiments.<paper>.<name> KEY=VALUE ...` writes its figures."""
    path = Path(file).resolve()
    entry, workspace = Entry(path.parent.name, path.stem), Workspace()

    def task(cfg: DictConfig) -> None:
        artefact = _made(run, _complete(cfg, entry, workspace), workspace)
        for written in write_artefact(artefact, workspace.figures):
            print(written.relative_to(workspace.root))

    return hydra.main(version_base=None, config_path=str(workspace.conf), config_name=entry.config)(task)


def _complete(cfg: DictConfig, entry: Entry, workspace: Workspace) -> DictConfig:
    filled = {
        "artefact": {"name": entry.name, "paper": entry.paper},
        "workspace": {"root": str(workspace.root), "cache": str(workspace.cache)},
    }
    OmegaConf.set_struct(cfg, False)
    return OmegaConf.merge(cfg, filled)  # type: ignore[return-value]
