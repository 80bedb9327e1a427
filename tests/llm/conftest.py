"""Fixtures of the model client's tests; their helpers lie beside them under names no other folder has."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from common.llm import LLM, CallCache, Mode, Profile, Reply

sys.path.insert(0, str(Path(__file__).parent))

from llm_calls import Complete, user  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "calls"


@pytest.fixture
def complete(folder: Path) -> Complete:
    """One call through a fresh client over the test's cache folder."""

    def run(profile: Profile, text: str = "hello", *, mode: Mode = Mode.RECORD, **options: Any) -> Reply:
        async def call() -> Reply:
            async with LLM({"default": profile}, CallCache(folder), mode) as llm:
                return await llm.complete("locator", user(text), **{"question_id": "q1", **options})

        return asyncio.run(call())

    return run
