"""The questions of pocket-m3doc from their drafts."""

from __future__ import annotations

from typing import Any

from common.benchmarks.pocket.draft import Draft, Gold
from common.benchmarks.question import Evidence, Question

BENCHMARK = "pocket-m3doc"


def to_question(draft: Draft, number: int, pages: dict[str, dict[str, int]]) -> Question:
    """A draft with its anchors resolved to pages. Raises KeyError where an anchor was not laid out."""

    def page_of(gold: Gold) -> int:
        return pages[gold.document_id][gold.anchor]

    evidence = dict.fromkeys(Evidence(gold.document_id, page_of(gold), gold.kind) for gold in draft.gold)
    places = [
        {"document_id": gold.document_id, "page": page_of(gold), "kind": gold.kind, "drawn": gold.drawn}
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
        question_id=f"pm3-{number:03d}",
        benchmark=BENCHMARK,
        question=draft.question,
        answers=draft.answers,
        gold_documents=draft.documents,
        evidence=tuple(evidence),
        question_type=draft.question_type,
        modalities=draft.modalities,
        hops=draft.hops,
        answer_format="List" if len(draft.answers) > 1 else "Str",
        extra=extra,
    )
