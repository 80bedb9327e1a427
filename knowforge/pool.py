"""The typed, size-bounded evidence pool that merges every search's ranking (KnowForge 3.4).

Blocks are kept in the order of their first appearance. When a sub-pool is over its cap the unprotected
block with the lowest cosine leaves first; cosine is the only score comparable between queries. What
travels with an anchor (context, attached media, graph neighbours) has the anchor's score and fate.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from common.records import PoolStats
from knowforge.search import Material
from knowforge.system import PoolConfig

Measure = Callable[[str], int]
SUBPOOLS = ("image", "table", "example", "text")
_TOKEN = re.compile(r"\w{1,6}|[^\w\s]")


def measure_of(unit: str) -> Measure:
    """Size in characters, or in tokens: pieces of up to six word characters, close to a BPE count and model-free."""
    return len if unit == "chars" else lambda text: len(_TOKEN.findall(text))


@dataclass(frozen=True)
class Block:
    """One piece of the pool. `anchor` is the block it travels with, its own id for an anchor itself."""

    block_id: str
    kind: str
    text: str
    score: float
    protected: bool
    anchor: str

    @property
    def travels(self) -> bool:
        return self.anchor != self.block_id


@dataclass
class EvidencePool:
    """Collects blocks; `fit` is a pure function of everything offered, so trimming never depends on when."""

    config: PoolConfig
    measure: Measure = len
    offered: dict[str, Block] = field(default_factory=dict)

    def add_search(
        self, materials: Sequence[Material], render: Callable[[Material], list[tuple[str, str, str]]]
    ) -> None:
        """Add one search's hits. `render` gives (block id, kind, text) of a hit and of what travels with it."""
        ranks: Counter[str] = Counter()
        protected: dict[str, bool] = {}
        cosines = {m.hit.fragment_id: m.hit.cosine for m in materials}
        for material in materials:
            hit = material.hit
            anchor = hit.anchor if hit.anchor in cosines else hit.fragment_id
            if anchor == hit.fragment_id:
                ranks[hit.kind] += 1
                protected[anchor] = ranks[hit.kind] <= self.config.protected
            for block_id, kind, text in render(material):
                self._offer(Block(block_id, kind, text, cosines[anchor], protected.get(anchor, False), anchor))

    def add_note(self, block_id: str, text: str, source: str | None) -> None:
        """Add text that a reading tool produced: its source fragment's score, protected when that is unknown."""
        known = self.offered.get(source) if source else None
        score = known.score if known else 0.0
        self._offer(Block(block_id, "text", text, score, known is None or known.protected, block_id))

    def _offer(self, block: Block) -> None:
        held = self.offered.get(block.block_id)
        if held is None:
            self.offered[block.block_id] = block
            return
        anchor = max(held, block, key=lambda b: (not b.travels, b.score)).anchor
        self.offered[block.block_id] = replace(
            held,
            text=max(held.text, block.text, key=len),  # a handle grows into the full block once it is a hit itself
            score=max(held.score, block.score),
            protected=held.protected or block.protected,
            anchor=anchor,
        )

    def fit(self) -> FittedPool:
        """The blocks that stay under the caps, with statistics."""
        blocks = list(self.offered.values())
        gone = self._evict_typed(blocks) if self.config.typed else self._evict(blocks, self.config.cap, set())
        kept = tuple(block for block in blocks if block.block_id not in gone)
        used = Counter[str]()
        for block in kept:
            used[block.kind] += self.measure(block.text)
        total = sum(self.measure(block.text) for block in blocks)
        stats = PoolStats(
            unit=self.config.unit,
            cap=self.config.cap,
            total=total,
            kept=sum(used.values()),
            dropped=len(gone),
            kept_ids=tuple(block.block_id for block in kept),
            used={kind: used[kind] for kind in SUBPOOLS},
        )
        return FittedPool(kept, stats)

    def _evict_typed(self, blocks: list[Block]) -> set[str]:
        gone: set[str] = set()
        caps = {"image": self.config.image, "table": self.config.table, "example": self.config.example}
        for kind, cap in caps.items():
            gone = self._evict([b for b in blocks if b.kind == kind], cap, gone)
        media = sum(self.measure(b.text) for b in blocks if b.kind in caps and b.block_id not in gone)
        rest = max(self.config.text_floor, self.config.cap - media)
        gone = self._evict([b for b in blocks if b.kind == "text"], rest, gone)
        return gone | {b.block_id for b in blocks if b.travels and b.anchor in gone}

    def _evict(self, blocks: list[Block], cap: int, gone: set[str]) -> set[str]:
        """`gone` and the ids of the blocks that must leave so that the others fit `cap`."""
        gone = gone | {b.block_id for b in blocks if b.travels and b.anchor in gone}
        staying = [b for b in blocks if b.block_id not in gone]
        size = sum(self.measure(b.text) for b in staying)
        company: defaultdict[str, list[Block]] = defaultdict(list)  # block id -> it and what travels with it
        for b in staying:
            company[b.anchor].append(b)
            if b.travels:
                company[b.block_id].append(b)
        order = sorted(staying, key=lambda b: (b.protected, b.score, b.travels, b.block_id))
        for block in order:
            if size <= cap:
                break
            if block.block_id in gone:
                continue
            leaving = [b for b in company[block.block_id] if b.block_id not in gone]
            gone |= {b.block_id for b in leaving}
            size -= sum(self.measure(b.text) for b in leaving)
        return gone


@dataclass(frozen=True)
class FittedPool:
    """What the judge, the reader and the synthesizer see."""

    blocks: tuple[Block, ...]
    stats: PoolStats

    @property
    def text(self) -> str:
        return "\n\n".join(f"[{number}] {block.text}" for number, block in enumerate(self.blocks, start=1))
