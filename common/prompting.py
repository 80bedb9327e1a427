"""Prompt texts are data files; their hash is part of every run record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template


@dataclass(frozen=True)
class Prompts:
    """All prompt texts of a method by name. `render` fills `$name` fields."""

    texts: Mapping[str, str]

    @classmethod
    def load(cls, packaged: Path, override: str | Path | None = None) -> Prompts:
        """The texts of the folder `packaged`; a file of the same name in `override` replaces one.

        Raises `FileNotFoundError` or `ValueError`, naming the folder and the file that does not fit.
        """
        texts = _read(packaged)
        if override is not None:
            folder = Path(override)
            if not folder.is_dir():
                raise FileNotFoundError(f"prompts: {folder} is not a folder of *.md prompt files")
            replaced = _read(folder)
            unknown = sorted(set(replaced) - set(texts))
            if unknown:
                raise ValueError(f"prompts: {folder} holds unknown prompts {unknown}; known: {sorted(texts)}")
            texts |= replaced
        return cls(texts)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(dict(self.texts), sort_keys=True).encode()).hexdigest()

    @property
    def digests(self) -> dict[str, str]:
        """Sixteen hex digits of each text, by name: they tell which prompt changed."""
        return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in self.texts.items()}

    def render(self, name: str, **fields: object) -> str:
        """The text `name` with its fields filled. Raises `KeyError` naming a missing prompt or field."""
        if name not in self.texts:
            raise KeyError(f"prompt {name!r} does not exist; known: {sorted(self.texts)}")
        return Template(self.texts[name]).substitute({key: str(value) for key, value in fields.items()})


def _read(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("*.md"))}
