"""KnowForge, Sections 3.4 and 5.3: how often the answer-bearing fragment stays visible under a smaller or untyped pool.

    python -m experiments regenerate section53_pool_cap
    python -m experiments.knowforge.section53_pool_cap artefact.caps=[6000,12000,30000]

Replays the recorded searches of M5 over the corpus snapshot through `knowforge.pool`. No model, no embedding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.benchmarks.question import Question
from common.metrics.text import answer_visible, normalise
from common.records import RunRecord
from common.traces import TraceKey, read_snapshot
from experiments.artefacts import script_main
from experiments.direction import direction_claims, paired_settings
from experiments.paired import NoTraces, paired_runs, workspace_of
from experiments.printed import value
from experiments.running.provenance import config_path, read_config
from knowforge.base import KnowledgeBase
from knowforge.pool import Block, Measure
from knowforge.replayed import bare_base, best_of_each, first_blocks, pool_of
from knowforge.system import SystemConfig

RULES = ("first in order", "one ranked list", "typed")


@dataclass(frozen=True)
class Kept:
    """One pool of one question: whether a kept block holds the answer, and the pool's size."""

    visible: bool
    size: int


def run(cfg: DictConfig) -> Artefact:
    """One row per rule and cap, over the questions whose answer stands in something a search brought."""
    spec, workspace = cfg.artefact, workspace_of(cfg)
    paired = paired_runs(cfg, "knowforge", ["M5"])
    base = bare_base(read_snapshot(workspace.find_corpus(paired.benchmark)).documents)
    key = TraceKey(paired.benchmark, paired.model, "knowforge", "M5")
    system = _system(key, cfg)
    pools = [
        made
        for question, record in zip(paired.questions, paired.runs["M5"], strict=True)
        if (made := dict(_pools(base, question, record, system, spec)))
    ]
    if not pools:
        raise NoTraces(f"no search of the {len(paired.questions)} recorded questions brought the answer")
    source = Source(paired.benchmark, paired.model, len(pools))
    visible = {name: [100.0 * pool[name].visible for pool in pools] for name in pools[0]}
    rows = [
        [name, _printed(spec, name), _mean(visible[name]), int(sum(visible[name]) / 100),
         _mean([pool[name].size for pool in pools])]
        for name in pools[0]
    ]  # fmt: skip
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(source, system), rows,
        notes=(*_notes(spec, system, len(paired.questions), len(pools)), *paired.notes()),
        claims=direction_claims(spec.claims, visible, source, measure="answer visible", **paired_settings(spec)),
    )  # fmt: skip


def _system(key: TraceKey, cfg: DictConfig) -> SystemConfig:
    """The configuration the trace was recorded with. Raises `NoTraces` where it is not kept beside the trace."""
    records = workspace_of(cfg).records
    recorded = read_config(key, records).get("system")
    if recorded is None:
        raise NoTraces(f"{config_path(key, records)}: no recorded configuration of {key.system}; record it again")
    return SystemConfig.from_mapping(recorded)


def _pools(
    base: KnowledgeBase, question: Question, record: RunRecord, system: SystemConfig, spec: DictConfig
) -> Iterator[tuple[str, Kept]]:
    """Every pool of one question by its row's name; none where no search brought a text with the answer."""
    everything = pool_of(base, record.searches, system)
    shown = _showing(everything.offered.values(), question)
    if not shown:
        return
    for rule in RULES:
        for cap in spec.caps:
            # What was offered does not depend on caps and typing: the pools part when they are fitted.
            pool = replace(everything, config=replace(system.pool.scaled(cap / spec.paper_cap), typed=rule == "typed"))
            blocks = first_blocks(pool) if rule == RULES[0] else pool.fit().blocks
            yield _row(rule, cap), _kept(blocks, shown, pool.measure)
    best = pool_of(base, best_of_each(record.searches, spec.best), system)
    hits = tuple(best.offered.values())
    yield f"top-{spec.best} per search", _kept(hits, _showing(hits, question), best.measure)


def _kept(blocks: Sequence[Block], shown: Collection[str], measure: Measure) -> Kept:
    return Kept(any(block.block_id in shown for block in blocks), sum(measure(block.text) for block in blocks))


def _showing(blocks: Iterable[Block], question: Question) -> frozenset[str]:
    """Ids of the blocks that hold a gold string; yes and no stand in no fragment as an answer."""
    golds = [answer for answer in question.answers if normalise(answer) not in ("yes", "no")]
    return frozenset(block.block_id for block in blocks if answer_visible(block.text, golds))


def _row(rule: str, cap: int) -> str:
    return f"{rule} {cap // 1000}K"


def _printed(spec: DictConfig, name: str) -> str | None:
    """The printed share: the caps without a rule stand beside the plain cut, the simulation beside typed and top-5."""
    for cap in (12_000, 20_000, 30_000):
        if name == _row(RULES[0], cap):
            return value(spec.paper, spec.published, "answer-bearing fragment visible", f"{cap // 1000}K cap")
    column = {_row("typed", 30_000): "typed pool", "top-5 per search": "top-5 per search"}.get(name)
    return value(spec.paper, spec.published, "simulation", column) if column else None


def _columns(source: Source, system: SystemConfig) -> list[Column]:
    return [
        Column("pool", "label"),
        Column("answer visible", "published"),
        Column("answer visible", "replica", "percent", source),
        Column("questions", "replica", "count", source),
        Column(f"mean size ({system.pool.unit})", "replica", "mean", source),
    ]


def _notes(spec: DictConfig, system: SystemConfig, recorded: int, used: int) -> tuple[str, ...]:
    caps = ", ".join(f"{cap // 1000}K = {system.pool.scaled(cap / spec.paper_cap).cap:,}" for cap in spec.caps)
    return (
        f"Scaling: the recorded pool of {system.pool.cap:,} {system.pool.unit} stands for the paper's "
        f"{spec.paper_cap:,}; caps and sub-pools keep that ratio: {caps}.",
        f"Of {recorded} recorded questions {used} have their answer in a text that some search brought.",
        "The paper names no eviction rule for its three caps; its text reads as a plain cut (the first 12K), so they "
        "stand there. The typed pool of its simulation has no printed cap; it stands at 30K.",
        f"top-{spec.best} per search has no cap: the {spec.best} best hits of each search with what travels with them.",
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
