"""A small checkout whose FlowReader variants were recorded against the made-up model."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import fake_server as server_module
import flow_replies
import pytest
from fake_server import MODEL, fake_server
from made_up import BENCHMARK, make_document, make_question

from common.paths import Workspace
from common.traces import write_snapshot
from experiments.record import record_command

COUNT = 3
KINDS = ("feta_tab", "paper_tab", "slidevqa")


def checkout(folder: Path, *, closed: bool = False, redistributable: bool = True) -> Workspace:
    """Configurations, printed numbers and a snapshot; `closed`: each question is asked of one document."""
    root = folder / "checkout"
    for name in ("conf", "published"):
        shutil.copytree(Workspace().experiments / name, root / "experiments" / name)
    workspace = Workspace(root, folder / "cache")
    questions = [replace(make_question(n), question_type=kind) for n, kind in enumerate(KINDS)]
    if closed:
        questions = [replace(question, document_id=f"doc-{n}") for n, question in enumerate(questions)]
    documents = [make_document(number) for number in range(COUNT + 1)]
    folder = workspace.corpus(BENCHMARK, redistributable=redistributable)
    write_snapshot(folder, questions, {"smoke": ["q1", "q0"]}, documents, root)
    return workspace


def record_with_fake(workspace: Workspace, overrides: list[str]) -> list[str]:
    """Record, and return the last message of each request."""
    with pytest.MonkeyPatch.context() as patch, fake_server() as server:
        patch.setattr(server_module, "reply_to", flow_replies.reply_to)
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        path = workspace.conf / "model" / f"{MODEL}.yaml"
        path.write_text(f"name: {MODEL}\nmodel: {MODEL}\nbase_urls: ['{url}']\nretries: 0\ntimeout_s: 20\n")
        assert record_command(overrides, workspace, serve=False) == 0
        return [request["messages"][-1]["content"] for request in server.asked]  # type: ignore[attr-defined]
