"""Questions to and from JSON lines."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from common.benchmarks.question import Question


def dump(questions: list[Question]) -> bytes:
    """One line a question, keys sorted."""
    lines = [json.dumps(asdict(question), ensure_ascii=False, sort_keys=True) for question in questions]
    return ("\n".join(lines) + "\n").encode()


def load(path: Path) -> list[Question]:
    """Questions of a JSON-lines file. Raises ValueError naming file and line where one does not fit the schema."""
    questions: list[Question] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            questions.append(Question.from_json(json.loads(line)))
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(
                f"{path}:{number}: not a question ({error}); delete the folder and generate the corpus anew"
            ) from error
    return questions
