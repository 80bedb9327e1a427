"""pocket-mhr: an invented world of business news in Markdown, with questions in MultiHop-RAG's four types."""

from common.benchmarks.pocket.smoke import smoke_ids
from common.benchmarks.pocket_mhr.corpus import generate

__all__ = ["generate", "smoke_ids"]
