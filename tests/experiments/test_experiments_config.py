"""Options read alone are those the command line composes, sizes shared by several benchmarks among them."""

from __future__ import annotations

import pytest
from hydra import initialize_config_dir

from common.paths import Workspace
from experiments.config import ConfigError, compose_config, group_options, load_option, plain

GROUPS = ("benchmark", "encoder", "model", "system")
OPTIONS = [(group, option) for group in GROUPS for option in group_options(group, Workspace())]


@pytest.mark.parametrize(("group", "option"), OPTIONS, ids=[f"{group}={option}" for group, option in OPTIONS])
def test_an_option_is_what_the_command_line_composes(group: str, option: str) -> None:
    assert load_option(group, option, Workspace()) == plain(compose_config("config", [f"{group}={option}"])[group])


def test_a_benchmark_has_its_shared_sizes_inside_a_scripts_own_application_too() -> None:
    with initialize_config_dir(config_dir=str(Workspace().conf), version_base=None):
        option = load_option("benchmark", "pocket_mhr", Workspace())
    assert (option["name"], option["system"]["pool"]["cap"]) == ("pocket-mhr", 4500)
    assert "sizes" not in option and not load_option("benchmark", "m3docvqa", Workspace()).get("system")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("benchmrk=x", "no field 'benchmrk'; known: model, benchmark, system, "),
        (
            "model.base_url=x",
            r"no field 'model.base_url'; known in model: name, .*\+\+model.base_url=VALUE sets one",
        ),
        ("nosuch.field=1", "no field 'nosuch'; known: model, "),
        ("model=smol", r"^model=smol: no such choice; known: .*, smollm2-135m$"),
        ("foo", "^'foo': write KEY=VALUE, such as system=M5$"),
        ("=3", "^'=3': write KEY=VALUE"),
        ("limit=[", r"with limit=\[: no viable alternative at input '\['$"),
        ("model=3", "with model=3: Config group override must be"),
    ],
)
def test_a_misspelt_override_is_told_with_what_there_is(override: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as told:
        compose_config("config", [override])
    assert "\n" not in str(told.value) and "hydra.cc" not in str(told.value)


def test_a_stage_gets_a_model_as_the_configuration_says() -> None:
    assert compose_config("config", ["stages.reader=qwen3-vl-32b"]).stages == {"reader": "qwen3-vl-32b"}
