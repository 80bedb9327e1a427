"""The generated corpora: invented worlds rendered as PDFs, with questions whose answers the generator checked."""

from common.benchmarks.pocket.corpus import generate
from common.benchmarks.pocket.fragments import generate_text_fragments
from common.benchmarks.pocket.smoke import smoke_ids

__all__ = ["generate", "generate_text_fragments", "smoke_ids"]
