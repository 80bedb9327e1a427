"""pocket-mmlb: six long reports of an invented country as PDFs, with questions in MMLongBench-Doc's five formats."""

from common.benchmarks.pocket.smoke import smoke_ids
from common.benchmarks.pocket_mmlb.corpus import generate

__all__ = ["generate", "smoke_ids"]
