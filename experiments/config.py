"""Composing Hydra configurations without Hydra's application: no chdir, no outputs folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import ConfigCompositionException, HydraException
from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from common.paths import Workspace


class ConfigError(Exception):
    """A configuration that does not compose; the message names the override and what exists."""


def compose_config(
    name: str = "config", overrides: Sequence[str] = (), *, workspace: Workspace | None = None
) -> DictConfig:
    """Compose `conf/<name>.yaml` with command-line overrides such as `system=M5 benchmark=pocket_m3doc`."""
    conf = str((workspace or Workspace()).conf)
    inside = GlobalHydra.instance().is_initialized()  # a script's own Hydra application has this folder open already
    try:
        with nullcontext() if inside else initialize_config_dir(config_dir=conf, version_base=None):
            cfg = compose(config_name=name, overrides=list(overrides))
            OmegaConf.resolve(cfg)
    except (HydraException, ConfigCompositionException, OmegaConfBaseException) as error:
        raise ConfigError(f"configuration {name!r} with {list(overrides)}: {_told(error)}") from error
    return cfg


def _told(error: Exception) -> str:
    """Hydra's message without its search path, and without its advice to add a field that nobody would read."""
    text = str(error).partition("\nConfig search path")[0].strip()
    return re.sub(r"\nTo append to your config use .*", " The fields are those of experiments/conf/config.yaml.", text)


def group_options(group: str, workspace: Workspace) -> list[str]:
    """Names that `group=NAME` accepts."""
    return sorted(path.stem for path in (workspace.conf / group).glob("*.yaml"))


def load_option(group: str, option: str, workspace: Workspace) -> dict[str, Any]:
    """One component's YAML as plain data, for instance the profile of a model that overrides one stage."""
    if option not in group_options(group, workspace):
        known = ", ".join(group_options(group, workspace))
        raise ConfigError(f"{group}={option}: no such file in {workspace.conf / group}; known: {known}")
    return plain(compose_config(f"{group}/{option}", workspace=workspace)[group])


def option_named(group: str, name: str, workspace: Workspace) -> str:
    """The option of a group whose field `name` is this. Raises `ConfigError`."""
    options = group_options(group, workspace)
    likely = [option for option in (name, name.replace("-", "_")) if option in options]
    for option in [*likely, *options]:
        if load_option(group, option, workspace).get("name") == name:
            return option
    raise ConfigError(f"a trace is of {group} {name!r}, but no file in {workspace.conf / group} has that name")


def plain(cfg: DictConfig | ListConfig) -> dict[str, Any]:
    """A configuration node as plain dicts and lists."""
    return OmegaConf.to_container(cfg, resolve=True)  # type: ignore[return-value]
