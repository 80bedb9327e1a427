"""pocket-visdom: papers, wiki pages and slide decks of an invented world, questions in VisDoMBench's five subsets."""

from common.benchmarks.pocket_visdom.corpus import generate, smoke_ids

__all__ = ["generate", "smoke_ids"]
