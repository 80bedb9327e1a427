"""KnowForge, Section 5.8: latency of one retrieval round and R@8 while the corpus grows to 200,000 fragments.

    python -m experiments regenerate section58_corpus_scale
    python -m experiments bench growth-minilm growth-wordllama --record          (measures anew on this machine)

Reads recorded timings. Distractors are generated fragments in the style of the corpus; no model answers here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from omegaconf import DictConfig

from common.artefact import Artefact, ClaimVerdict, Column, Source
from experiments.artefacts import script_main
from experiments.direction import direction_claims, paired_settings
from experiments.paired import workspace_of
from experiments.printed import value
from experiments.timing.growing import AT_ONCE
from experiments.timing.measurements import Measurement, Point, read_measurement
from experiments.timing.rounds import ROUND

PLACE = "5.8, Corpus scale"
PRINTED = (("fragments", "scale"), ("round", "scale"), ("R@8", "scale accuracy"), ("F1", "scale accuracy"))


def run(cfg: DictConfig) -> Artefact:
    """One row per encoder and corpus size."""
    spec, workspace = cfg.artefact, workspace_of(cfg)
    timed = {
        str(encoder): read_measurement(str(cfg.benchmark.name), f"growth-{encoder}", workspace)
        for encoder in spec.encoders
    }
    first = next(iter(timed.values()))
    source = Source(first.about.benchmark, "the row's encoder", len(first.points[0].questions))
    rows = [_row(spec, name, point, made.points[0]) for name, made in timed.items() for point in made.points]
    claims = [claim for name, made in timed.items() for claim in _claims(spec, name, made)]
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, _columns(source), rows, notes=_notes(timed), claims=tuple(claims)
    )


def _claims(spec: DictConfig, encoder: str, made: Measurement) -> Sequence[ClaimVerdict]:
    """R@8 at the smallest size above that at the largest, as printed."""
    found = {
        f"{p.fragments:,} fragments ({encoder})": [100 * recall for recall in p.recall["R@8"]] for p in made.points
    }
    source = Source(made.about.benchmark, made.about.encoder, len(made.points[0].questions))
    small, *_, large = found
    return direction_claims([[small, large, PLACE]], found, source, measure="R@8", **paired_settings(spec))


def _row(spec: DictConfig, encoder: str, point: Point, first: Point) -> list[Any]:
    """Printed cells where the paper has this size, then ours; growth is that of the median round."""
    when = spec.printed_sizes.get(point.fragments)
    printed = [value(spec.paper, spec.published, row, f"{name} {when}") if when else None for name, row in PRINTED]
    p50 = point.percentile(ROUND, 50)
    growth = 100 * (p50 / first.percentile(ROUND, 50) - 1) if point is not first else None
    return [
        encoder, f"{point.fragments:,}", *printed, int(point.facts["documents"]), int(point.facts["entries"]),
        p50, point.percentile(ROUND, 90), growth, point.percentile(AT_ONCE, 50),
        100 * float(np.mean(point.recall["R@8"])), point.facts["resident_gb"], point.facts["load_s"],
    ]  # fmt: skip


def _columns(source: Source) -> list[Column]:
    ours = [
        ("documents", "count"), ("index entries", "count"), ("round p50 ms", "mean"), ("round p90 ms", "mean"),
        ("growth of p50 %", "mean"), ("round p50 ms, 4 at once", "mean"), ("R@8", "score"), ("resident GB", "mean"),
        ("index load s", "mean"),
    ]  # fmt: skip
    return [
        Column("encoder", "label"),
        Column("fragments", "label"),
        *(Column("round s" if name == "round" else name, "published") for name, _ in PRINTED),
        *(Column(name, "replica", kind, source) for name, kind in ours),  # type: ignore[arg-type]
    ]


def _notes(timed: Mapping[str, Measurement]) -> tuple[str, ...]:
    measured = (f"{name}: {made.about.encoder} on {made.where}" for name, made in timed.items())
    first = next(iter(timed.values())).points[0]
    return (
        f"Measured: {'; '.join(measured)}.",
        "A question's time is the median of its passes in each of several visits to a size, then of the visits; sizes "
        "take turns, since a machine's speed drifts. p50 and p90 are over questions.",
        "minilm is the encoder of every other table. wordllama looks words up instead of running a network, so hardly "
        "anything of its round is the query's embedding, and what the corpus adds is the larger share of it.",
        f"The first {first.fragments:,} fragments are the benchmark's documents and generated ones; the rest comes "
        "from other generated worlds, whose documents are no question's gold. Knowledge points are indexed beside "
        "fragments: index entries. R@8 is of one search with the question itself.",
        "F1 at each size needs a model's answers over each corpus: not recorded.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
