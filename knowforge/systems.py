"""Systems by name: the YAML files of a folder, and M5 under any pair of round caps."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from common.paths import Workspace
from knowforge.system import SystemConfig

_PAIR = re.compile(r"M5-(\d{1,2})\+(\d{1,2})")


class UnknownSystem(ValueError):
    """A name without a file, or a file that is no system; the message lists what exists."""


def system_names(folder: Path | None = None) -> list[str]:
    """Names that `load_system` finds as files."""
    return sorted(path.stem for path in _folder(folder).glob("*.yaml"))


def load_system(name: str, folder: Path | None = None) -> SystemConfig:
    """The system `name`, with the paper's sizes. `M5-L+R` needs no file: it is M5 with these caps (paper, Table 3).

    Raises `UnknownSystem` naming the file and field, or the systems that exist.
    """
    path = _folder(folder) / f"{name}.yaml"
    pair = _PAIR.fullmatch(name)
    if not path.is_file() and pair is not None:
        return SystemConfig(name, locator_rounds=int(pair[1]), reader_rounds=int(pair[2]))
    if not path.is_file():
        raise UnknownSystem(f"no system {name!r}; known: {', '.join(system_names(folder))}, and M5-L+R for any caps")
    try:
        return SystemConfig.from_mapping(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (TypeError, ValueError, yaml.YAMLError) as error:
        raise UnknownSystem(f"{path}: {error}") from error


def _folder(folder: Path | None) -> Path:
    return folder if folder is not None else Workspace().conf / "system"
