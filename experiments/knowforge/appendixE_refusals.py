"""KnowForge, Appendix E and Section 5.7: refusals, and how many of them are on questions that have an answer.

    python -m experiments regenerate appendixE_refusals

Reads the run records of the four systems on the corpora that stand for MultiHop-RAG and MMLongBench-Doc
(`artefact.replicas`). A refusal is a final answer that is the benchmark's refusal string after the checker.
"""

from __future__ import annotations

from omegaconf import DictConfig

from common.artefact import Artefact, ClaimVerdict, Column
from experiments.artefacts import script_main
from experiments.knowforge._rows import printed
from experiments.knowforge._transfer import (
    MMLONG,
    MULTIHOP,
    SYSTEMS,
    Cells,
    Replica,
    absent,
    load_replicas,
    paired_verdicts,
)

REFERENCE = "S4"
PREDICTED, FALSE = "refused", "refused, answerable"
MEASURED = (
    ("answerable", "count"), ("null", "count"), (PREDICTED, "count"), (FALSE, "count"), ("false rate", "percent"),
    ("null refused", "percent"), (f"of {REFERENCE}'s false refusals answered right", "count"),
)  # fmt: skip


def run(cfg: DictConfig) -> Artefact:
    """One row per benchmark and system: the printed counts, then the replica's."""
    spec = cfg.artefact
    replicas = load_replicas(cfg)
    columns = [
        Column("benchmark", "label"), Column("system", "label"),
        Column(PREDICTED, "published", "text"), Column(FALSE, "published", "text"),
        Column("false rate", "published", "text"),
        *(Column(name, "replica", kind, r.source) for r in replicas.values() for name, kind in MEASURED),  # type: ignore[arg-type]
    ]  # fmt: skip
    rows: list[Cells] = []
    for title in spec.replicas:
        for system in SYSTEMS:
            ours = [
                _counted(replica, system) if name == title else [None] * len(MEASURED)
                for name, replica in replicas.items()
            ]
            rows.append([str(title), system, *_printed(str(title), system), *(c for part in ours for c in part)])
    notes = (*_notes(), *absent(cfg, replicas), *(note for replica in replicas.values() for note in replica.notes()))
    return Artefact.from_rows(
        spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=notes, claims=_verdicts(cfg, replicas)
    )


def _counted(replica: Replica, system: str) -> Cells:
    if system not in replica.rows:
        return [None] * len(MEASURED)
    answerable = [question.answerable for question in replica.paired.questions]
    refused = replica.refused(system)
    false = [r and a for r, a in zip(refused, answerable, strict=True)]
    right_null = sum(refused) - sum(false)
    n, null = sum(answerable), len(answerable) - sum(answerable)
    return [
        n, null, sum(refused), sum(false), 100 * sum(false) / n if n else None,
        100 * right_null / null if null else None, _turned(replica, system, answerable),
    ]  # fmt: skip


def _turned(replica: Replica, system: str, answerable: list[bool]) -> int | None:
    """How many answerable questions that the reference refuses this system answers right (score 1)."""
    if system == REFERENCE or REFERENCE not in replica.rows:
        return None
    rows = zip(replica.rows[system], replica.refused(REFERENCE), answerable, strict=True)
    return sum(row.score.primary == 1 for row, refused, wanted in rows if refused and wanted)


def _printed(title: str, system: str) -> Cells:
    """Refusals, false refusals and their share, where the paper prints them."""
    if title == MULTIHOP:
        item = "text_appendix_transfer"
        return [
            printed(item, "refusals predicted", system), printed(item, "refusals on answerable questions", system),
            printed("table04_transfer", f"{MULTIHOP} False refusals", system),
        ]  # fmt: skip
    names = {"S4": "one-shot", "M5": "M5"}
    false = printed("text_transfer_efficiency", "refusals", names[system]) if system in names else None
    return [None, false, None]


def _false(replica: Replica, system: str) -> list[float]:
    """1 for each answerable question that the system refuses, else 0."""
    pairs = zip(replica.refused(system), replica.paired.questions, strict=True)
    return [float(refused) for refused, question in pairs if question.answerable]


def _verdicts(cfg: DictConfig, replicas: dict[str, Replica]) -> tuple[ClaimVerdict, ...]:
    """Claims on false refusals: [higher, lower, place] by benchmark; on answerable questions alone."""
    made: list[ClaimVerdict] = []
    for title, claims in cfg.artefact.claims.items():
        replica = replicas.get(str(title))
        values = {} if replica is None else {system: _false(replica, system) for system in replica.rows}
        made += paired_verdicts(cfg, replicas, str(title), claims, values, f"false refusals on {title}")
    return tuple(made)


def _notes() -> tuple[str, ...]:
    answerable = printed("text_transfer_efficiency", "refusals", "answerable")
    turned = printed("text_transfer_efficiency", "false refusals", "turned into right answers")
    return (
        f"{MMLONG}: printed in Section 5.7 for one-shot and M5 alone, of {answerable} answerable questions.",
        f"Of the false refusals of one-shot on {MULTIHOP} the paper says that the pipeline answers {turned} right.",
    )


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
