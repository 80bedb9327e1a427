"""Analyze (FlowReader appendix A, eq. 11): from a parsed fragment to an annotated node, with a model or without."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bm25s.stopwords import STOPWORDS_EN

from common.documents.model import Document, Fragment
from common.llm import LLM, EmptyReply
from common.loose_json import json_objects
from common.prompting import Prompts
from common.retrieval.analysis import words
from common.text import first_sentence
from flowreader.graph import Modality, Node
from flowreader.options import ConstructionOptions

MODALITIES: dict[str, Modality] = {"text": "txt", "example": "txt", "image": "vis", "table": "tbl"}
ANALYSIS_SCHEMA = {
    "type": "object",
    "properties": {
        "keywords": {"type": "array", "items": {"type": "string"}, "maxItems": 40},
        "summary": {"type": "string", "maxLength": 400},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 6},
        "lettering": {"type": "string", "maxLength": 2000},
    },
    "required": ["keywords", "summary"],
}
_NAME = re.compile(r"\b[A-Z][\w'-]*|\b\d[\d.,]*")
_MARKUP = re.compile(r"[$\\{}]")
_WORD = re.compile(r"\w")
_STOP = frozenset(STOPWORDS_EN)


def units(documents: Sequence[Document]) -> list[Node]:
    """One bare node for each fragment with text or a picture, documents and fragments in reading order."""
    return [
        _unit(fragment)
        for document in documents
        for fragment in sorted(document.fragments, key=lambda f: f.order)
        if fragment.text.strip() or fragment.asset
    ]


def _unit(fragment: Fragment) -> Node:
    modality = MODALITIES[fragment.kind]
    lettering = fragment.text if modality == "vis" else ""
    return Node(
        fragment.fragment_id, modality, fragment.document_id, fragment.page, fragment.order, fragment.text,
        lettering=lettering, caption=fragment.caption, asset=fragment.asset,
    )  # fmt: skip


@dataclass(frozen=True)
class Salience:
    """Inverse document frequencies of a corpus's terms, for keywords without a model."""

    idf: dict[str, float]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Salience:
        seen = Counter(term for text in texts for term in set(words(text)))
        return cls({term: math.log(1 + len(texts) / count) for term, count in seen.items() if term not in _STOP})

    def terms(self, text: str, most: int) -> tuple[str, ...]:
        """The terms of highest tf idf, names and numbers counting double; ties in the text's order."""
        counts = Counter(term for term in words(text) if term in self.idf and len(term) > 1)
        named = {term for name in _NAME.findall(text) for term in words(name)}
        weight = {term: count * self.idf[term] * (1 + (term in named)) for term, count in counts.items()}
        return tuple(sorted(weight, key=lambda term: -round(weight[term], 9))[:most])


def extractive(node: Node, salience: Salience, options: ConstructionOptions) -> Node:
    """Analyze without a model: first sentence (of a figure or table: its caption first) and salient terms."""
    first = first_sentence(node.caption or node.text)
    summary = cut_words(first, options.extract_words)
    return replace(node, summary=summary, keywords=salience.terms(node.text, options.extract_keywords))


async def analyze(
    node: Node, salience: Salience, llm: LLM, prompts: Prompts, options: ConstructionOptions, assets: Path | None
) -> tuple[Node, bool]:
    """The node as the model describes it, and whether its reply could be used; without one, as `extractive` does.

    Raises `LLMError`, but not for an empty reply, which is an answer.
    """
    content = _content(node, prompts, options, assets)
    try:
        reply = await llm.complete(
            "analyze", [{"role": "user", "content": content}], question_id=node.node_id, context="construction",
            temperature=0.0, max_tokens=options.analyze_tokens, schema=ANALYSIS_SCHEMA,
        )  # fmt: skip
    except EmptyReply:
        return extractive(node, salience, options), False
    data = next((d for d in json_objects(reply.text) if said(d.get("summary"))), None)
    if data is None:
        return extractive(node, salience, options), False
    lettering = node.lettering
    if node.modality != "txt":
        lettering = said(data.get("lettering")) or lettering
    summary = cut_words(_plain(said(data["summary"])), options.analysis_words)
    return replace(
        node, summary=summary, keywords=keywords_of(data.get("keywords"), options), lettering=lettering
    ), True


def _content(
    node: Node, prompts: Prompts, options: ConstructionOptions, assets: Path | None
) -> str | list[dict[str, Any]]:
    text = node.text[: options.text_chars]
    if node.modality == "txt":
        return prompts.render("analyze_text", text=text)
    prompt = prompts.render("analyze_visual", caption=node.caption or "(none)", context=text)
    if options.vision == "endpoint" and node.asset and assets is not None:
        return [{"type": "image", "path": str(assets / node.asset)}, {"type": "text", "text": prompt}]
    return prompt


def keywords_of(value: object, options: ConstructionOptions) -> tuple[str, ...]:
    """Keywords of a reply: plain strings, no markup, none twice, no "..." copied from the prompt."""
    items = value if isinstance(value, list) else []
    found = (_plain(str(item)) for item in items if isinstance(item, str | int | float))
    return tuple(dict.fromkeys(word for word in found if said(word)))[: options.most_keywords]


def said(value: object) -> str:
    """A text of a reply; nothing where it is null, no text, or holds no word ("...", as the prompt has it)."""
    return value if isinstance(value, str) and _WORD.search(value) else ""


def cut_words(text: str, most: int) -> str:
    return " ".join(text.split()[:most])


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", text).split())
