"""Questions to and from JSON lines."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from common.benchmarks.pocket.draft import Draft
from common.benchmarks.question import Evidence, Question

BENCHMARK = "pocket-m3doc"


def to_question(draft: Draft, number: int, pages: dict[str, dict[str, int]]) -> Question:
    """A draft with its anchors resolved to pages. Raises KeyError where an anchor was not laid out."""
    evidence = tuple(
        dict.fromkeys(
            Evidence(gold.document_id, pages[gold.document_id][gold.anchor], gold.kind) for gold in draft.gold
        )
    )
    places = [
        {
            "document_id": gold.document_id,
            "page": pages[gold.document_id][gold.anchor],
            "kind": gold.kind,
            "drawn": gold.drawn,
        }
        for gold in draft.answer_gold
    ]
    extra: dict[str, Any] = {
        "recipe": list(draft.recipe),
        "hidden_documents": list(draft.hidden),
        "answer_places": places,
        "image_only": any(gold.drawn for gold in draft.gold),
        "visual_only": draft.visual,
        "drawn_evidence": [[gold.document_id, gold.anchor] for gold in draft.gold if gold.drawn],
    }
    return Question(
        f"pm3-{number:03d}",
        BENCHMARK,
        draft.question,
        draft.answers,
        draft.documents,
        evidence,
        draft.question_type,
        draft.modalities,
        draft.hops,
        "List" if len(draft.answers) > 1 else "Str",
        extra=extra,
    )


def dump(questions: list[Question]) -> bytes:
    lines = [json.dumps(asdict(question), ensure_ascii=False, sort_keys=True) for question in questions]
    return ("\n".join(lines) + "\n").encode()


def load(path: Path) -> list[Question]:
    """Questions of a JSON-lines file. Raises ValueError naming file and line where one does not fit the schema."""
    questions: list[Question] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            raw = json.loads(line)
            raw["evidence"] = tuple(Evidence(**item) for item in raw["evidence"])
            for key in ("answers", "gold_documents", "modalities"):
                raw[key] = tuple(raw[key])
            questions.append(Question(**raw))
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(
                f"{path}:{number}: not a question ({error}); delete the folder and generate the corpus anew"
            ) from error
    return questions
