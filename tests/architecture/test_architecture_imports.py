"""Import borders: common imports no method, methods not each other, nothing imports experiments."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from common.paths import ROOT

FORBIDDEN = {
    "common": {"knowforge", "flowreader", "experiments"},
    "knowforge": {"flowreader", "experiments"},
    "flowreader": {"knowforge", "experiments"},
}


def imported(source: str, package: str) -> set[str]:
    """Top-level names a file imports, lazily or not; a relative import stays inside `package`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(package if node.level else str(node.module).split(".")[0])
    return found


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", FORBIDDEN)
def test_borders_hold(package: str) -> None:
    crossings = [
        f"{path.relative_to(ROOT)} imports {', '.join(sorted(crossed))}"
        for path in python_files(package)
        if (crossed := imported(path.read_text(), package) & FORBIDDEN[package])
    ]
    assert not crossings, "\n".join(crossings)


def test_the_check_sees_lazy_and_plain_imports() -> None:
    assert imported("def f():\n    from knowforge.pool import x\n", "common") == {"knowforge"}
    assert imported("import experiments.config as c\n", "common") == {"experiments"}


def test_no_code_outside_the_fixed_folders() -> None:
    folders = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and any(path.glob("**/*.py")) and not path.name.startswith(".")
    }
    assert folders <= {"common", "knowforge", "flowreader", "experiments", "tests"}


def test_the_length_of_a_csv_cell_is_set_in_one_place() -> None:
    files = [path for package in (*FORBIDDEN, "experiments") for path in python_files(package)]
    setting = [path.relative_to(ROOT).as_posix() for path in files if "field_size_limit" in path.read_text()]
    assert setting == ["common/__init__.py"]


BANNED_CALLS = {"eval", "exec"}


@pytest.mark.parametrize("package", ["common", "knowforge", "flowreader", "experiments"])
def test_no_eval_pickle_or_shell_strings(package: str) -> None:
    found = []
    for path in python_files(package):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                shell = any(k.arg == "shell" and getattr(k.value, "value", False) for k in node.keywords)
                if name in BANNED_CALLS or shell:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
        if "pickle" in imported(text, package):
            found.append(f"{path.relative_to(ROOT)} imports pickle")
    assert not found, "\n".join(found)
