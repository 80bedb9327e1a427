"""pocket-mhr: an invented world of business news in Markdown, with questions in MultiHop-RAG's four types."""

from common.benchmarks.pocket.smoke import smoke_ids
from common.benchmarks.pocket_mhr.corpus import generate_pocket_mhr, load_pocket_mhr

__all__ = ["generate_pocket_mhr", "load_pocket_mhr", "smoke_ids"]
