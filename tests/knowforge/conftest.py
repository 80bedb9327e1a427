"""Fixtures of the KnowForge tests: a three-book library, and sessions driven by a scripted model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from knowforge_fakes import LABEL, QUESTION, ScriptedLLM, WordEncoder, library

from knowforge.base import KnowledgeBase
from knowforge.session import Session
from knowforge.system import SystemConfig


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return KnowledgeBase.build(library(), WordEncoder(), tmp_path)


@pytest.fixture
def make_session(base: KnowledgeBase) -> Callable[..., Session]:
    def make(scripts: dict[str, list[str | Exception]], **system: Any) -> Session:
        config = SystemConfig.from_mapping({"name": "M5", **system})
        return Session(QUESTION, base, ScriptedLLM(scripts), config, config.load_prompts(), LABEL)  # type: ignore[arg-type]

    return make
