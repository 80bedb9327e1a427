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
    workspace, words = workspace or Workspace(), [_readable(word) for word in overrides]
    conf = str(workspace.conf)
    inside = GlobalHydra.instance().is_initialized()  # a script's own Hydra application has this folder open already
    try:
        with nullcontext() if inside else initialize_config_dir(config_dir=conf, version_base=None):
            cfg = compose(config_name=name, overrides=words)
            OmegaConf.resolve(cfg)
    except (HydraException, ConfigCompositionException, OmegaConfBaseException, ValueError) as error:
        raise ConfigError(_told(str(error), name, words, workspace)) from error
    return cfg


def _readable(word: str) -> str:
    """An override as Hydra takes it: it knows no stage, as `stages` is empty where none has a model of its own."""
    key, equals, _ = word.partition("=")
    if not key.strip() or not equals:
        raise ConfigError(f"{word!r}: write KEY=VALUE, such as system=M5")
    return re.sub(r"^stages\.", "++stages.", word)


def _told(said: str, name: str, words: Sequence[str], workspace: Workspace) -> str:
    """What is unknown and what there is, instead of Hydra's search path, links and advice to add a field."""
    if unknown := re.search(r"Could not override '(.+?)'", said):
        return _unknown_field(unknown[1], name, workspace)
    if unknown := re.search(r"Could not find '(\w+)/(.+?)'", said):
        group, option = unknown.groups()
        return f"{group}={option}: no such choice; known: {', '.join(group_options(group, workspace))}"
    reason = re.split(r"\n(?:Config search path|See https:)", said)[0].strip()
    return f"configuration {name!r} with {' '.join(words)}: {reason}"


def _unknown_field(field: str, name: str, workspace: Workspace) -> str:
    """A field that is not there beside those that are; one with a default of its own can be set with ++."""
    group = field.rpartition(".")[0]
    node = compose_config(name, workspace=workspace)
    found = OmegaConf.select(node, group) if group else node
    if not isinstance(found, DictConfig):
        return _unknown_field(group, name, workspace)
    known = ", ".join(map(str, found))
    more = f"; ++{field}=VALUE sets one that has a default in the code" if group else ""
    return f"no field {field!r}; known{f' in {group}' if group else ''}: {known}{more}"


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
