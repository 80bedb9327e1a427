"""The generated corpora: invented worlds rendered as PDFs, with questions whose answers the generator checked."""

from common.benchmarks.pocket.corpus import generate_pocket_m3doc, load_pocket_m3doc
from common.benchmarks.pocket.fragments import generate_text_fragments
from common.benchmarks.pocket.smoke import smoke_ids

__all__ = ["generate_pocket_m3doc", "generate_text_fragments", "load_pocket_m3doc", "smoke_ids"]
