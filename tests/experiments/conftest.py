"""A small checkout in a temporary folder: the repository's configurations and printed numbers, made-up traces."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from made_up import BENCHMARK, MODEL, SYSTEMS, make_document, make_question, make_record

from common.paths import Workspace
from common.traces import RecordWriter, TraceKey, write_snapshot

REPOSITORY = Workspace()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Folders of a checkout with configurations, scripts and printed numbers, but no traces."""
    root = tmp_path / "checkout"
    for folder in ("conf", "published", "knowforge", "flowreader", "joint"):
        if (REPOSITORY.experiments / folder).exists():
            shutil.copytree(REPOSITORY.experiments / folder, root / "experiments" / folder)
    return Workspace(root, tmp_path / "cache")


@pytest.fixture
def fill(workspace: Workspace) -> Callable[..., None]:
    """Write a snapshot and records: `fill(6, wrong={"S4": {0, 1}}, failed={"M5": {3}})`."""

    def write(count: int, wrong: dict[str, set[int]] | None = None, failed: dict[str, set[int]] | None = None) -> None:
        questions = [make_question(number) for number in range(count)]
        documents = [make_document(number) for number in range(count + 1)]
        smoke = [question.question_id for question in reversed(questions)]
        write_snapshot(workspace.corpus(BENCHMARK), questions, {"smoke": smoke}, documents, workspace.cache)
        for system in SYSTEMS:
            with RecordWriter(TraceKey(BENCHMARK, MODEL, "knowforge", system), workspace.records) as writer:
                for number in range(count):
                    status = "failed" if number in (failed or {}).get(system, set()) else "done"
                    answer = "somebody" if number in (wrong or {}).get(system, set()) else None
                    writer.append(make_record(number, system, status=status, answer=answer))

    return write
