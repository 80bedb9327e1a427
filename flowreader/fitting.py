"""Sizes of a variant, and of the making of its graph, for a model of limited context."""

from __future__ import annotations

from dataclasses import replace

from common.room import evidence_room
from flowreader.config import FlowReaderConfig
from flowreader.options import ConstructionOptions

INSTRUCTIONS = 1_000  # tokens of the longest prompt without its evidence: rules, question, labels of the passages


def fit_to_context(config: FlowReaderConfig, context: int, question: str) -> FlowReaderConfig:
    """`config` with the evidence of every prompt cut to what fits `context` tokens beside `question`.

    Unchanged where the context is large enough. Raises `ContextTooSmall` where no room is left for evidence.
    """
    reading, refinement = config.reading, config.refinement
    reply = max(reading.worker_tokens, reading.synthesis_tokens)
    room = evidence_room(
        f"variant {config.name}", context, instructions=INSTRUCTIONS, reply=reply, question=question
    )  # fmt: skip
    sizes = ("worker_chars", "node_chars", "synthesis_chars", "zero_shot_chars")
    return replace(
        config,
        reading=replace(reading, **{name: min(getattr(reading, name), room) for name in sizes}),
        refinement=replace(refinement, passage_chars=min(refinement.passage_chars, room // 2)),  # two in a prompt
    )


def fit_construction(options: ConstructionOptions, context: int) -> ConstructionOptions:
    """`options` with the text shown to Analyze and Evolve cut to what fits. Raises `ContextTooSmall`."""
    neighbours = int(options.neighbours * options.neighbour_chars)
    reply = max(options.analyze_tokens, options.evolve_tokens)
    room = evidence_room("--graph-model", context, instructions=INSTRUCTIONS, reply=reply) - neighbours
    return replace(options, text_chars=min(options.text_chars, max(1, room)))
