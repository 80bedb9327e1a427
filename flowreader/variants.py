"""Variants by name: the YAML files of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from common.paths import Workspace
from flowreader.config import FlowReaderConfig


class UnknownVariant(ValueError):
    """A name without a file, or a file that is no variant; the message lists what exists."""


def load_variant(name: str, folder: Path | None = None, sizes: Mapping[str, Any] | None = None) -> FlowReaderConfig:
    """The variant `name`, with the paper's sizes or those given; see `read_variant`.

    Raises `UnknownVariant` naming the file and field, or the variants that exist.
    """
    folder = folder if folder is not None else Workspace().conf / "variant"
    path = folder / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.yaml")))
        raise UnknownVariant(f"no variant {name!r}; known: {known}")
    return read_variant(path, sizes)


def read_variant(path: Path, sizes: Mapping[str, Any] | None = None) -> FlowReaderConfig:
    """The variant of a file. A field of `sizes` counts where the file does not set it. Raises `UnknownVariant`."""
    try:
        own = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(own, dict):
            raise ValueError("not a mapping of fields")
        return FlowReaderConfig.from_mapping(_filled(own, sizes or {}))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UnknownVariant(f"{path} is no YAML: {error}") from error
    except (TypeError, ValueError) as error:
        raise UnknownVariant(f"{path}: {error}") from error


def _filled(own: Mapping[str, Any], sizes: Mapping[str, Any]) -> dict[str, Any]:
    """`own` with what it lacks from `sizes`, in its groups too."""
    groups = {
        name: _filled(own[name], group)
        for name, group in sizes.items()
        if isinstance(group, Mapping) and isinstance(own.get(name), Mapping)
    }
    return {**sizes, **own, **groups}
