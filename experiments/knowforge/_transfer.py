"""What the transfer tables share: the runs of the corpora that stand for the paper's, and buckets of questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from omegaconf import DictConfig

from common.artefact import ClaimVerdict, Column, Source
from common.benchmarks.question import Question
from common.metrics import Row, is_refused, was_extracted
from experiments.direction import direction_claims, paired_settings
from experiments.knowforge._rows import Measured, measured_systems, printed
from experiments.paired import NoTraces, on_benchmark

MMLONG, MULTIHOP = "MMLongBench-Doc", "MultiHop-RAG"
SYSTEMS = ("S4", "1+1", "M5", "P1")  # as the transfer tables print them
Cells = list[str | float | None]


@dataclass(frozen=True)
class Replica(Measured):
    """Measured runs of one corpus, by the printed names of the systems."""

    scorer: str
    refusal: str

    def rows_of(self, system: str, keep: Callable[[Question], bool]) -> list[Row]:
        """The rows of a system on the questions of a bucket; empty for a system without runs."""
        pairs = zip(self.paired.questions, self.rows.get(system, ()), strict=system in self.rows)
        return [row for question, row in pairs if keep(question)]

    def refused(self, system: str) -> list[bool]:
        """For each question, whether the system's answer is the benchmark's refusal."""
        return [is_refused(record.answer, self.refusal) for record in self.records.get(system, ())]

    def notes(self) -> tuple[str, ...]:
        """What was left out, and where the scored answer comes from; each names the corpus."""
        said = [f"{self.paired.benchmark}: {note}" for note in self.paired.notes()]
        everything = [record for records in self.records.values() for record in records]
        extracted = sum(map(was_extracted, everything))
        if self.scorer == "mmlongbench":
            said.append(
                f"{self.paired.benchmark}: of {len(everything)} scored answers {extracted} were taken out of the reply "
                f"by the recording model, as the benchmark's protocol has it; any other is the run's own final line."
            )
        return tuple(said)


@dataclass(frozen=True)
class Bucket:
    """One row of a table: which questions, and what of each is averaged, in [0, 1] or None to leave it out."""

    label: str
    keep: Callable[[Question], bool]
    value: Callable[[Row], float | None] = lambda row: row.score.primary


def system_name(system: str) -> str:
    """How the transfer tables print a system: `1+1` for M5-1+1."""
    return system.removeprefix("M5-")


def load_replicas(cfg: DictConfig) -> dict[str, Replica]:
    """Benchmark of the paper -> runs of the corpus that `artefact.replicas` names for it; those with runs only.

    Raises `NoTraces` where none of them has any.
    """
    found: dict[str, Replica] = {}
    reasons: list[str] = []
    for title, name in cfg.artefact.replicas.items():
        try:
            found[str(title)] = load_replica(cfg, str(name))
        except NoTraces as error:
            reasons.append(str(error))
    if not found:
        raise NoTraces("; ".join(reasons))
    return found


def load_replica(cfg: DictConfig, benchmark: str) -> Replica:
    """The runs of the artefact's systems on one corpus; a system without any is left out. Raises `NoTraces`."""
    part = on_benchmark(cfg, benchmark)
    table = measured_systems(part, system_name)
    refusal = str(part.benchmark.refusal or "")
    return Replica(table.paired, table.labels, table.rows, table.records, str(part.benchmark.scorer), refusal)


def bucket_cells(replica: Replica | None, systems: Sequence[str], bucket: Bucket) -> Cells:
    """n and the mean of each system in percent; blank without runs or questions."""
    if replica is None:
        return [None] * (1 + len(systems))
    measured = bucket_values(replica, bucket)
    kept = {system: measured.get(system, []) for system in systems}
    n = max(map(len, kept.values()))
    return [n, *(100 * fmean(values) if values else None for values in kept.values())]


def printed_cells(item: str, label: str, columns: Sequence[str]) -> Cells:
    return [printed(item, label, column) for column in columns]


def replica_columns(replicas: Mapping[str, Replica], systems: Sequence[str]) -> list[Column]:
    """n and the systems for every corpus with runs; the n of a column's head is of all its questions."""
    return [
        Column(name, "replica", "count" if name == "n" else "score", replica.source)
        for replica in replicas.values()
        for name in ("n", *systems)
    ]


def bucket_values(replica: Replica, bucket: Bucket) -> dict[str, list[float]]:
    """The bucket's values by system, one per question that has one."""
    found = {system: map(bucket.value, replica.rows_of(system, bucket.keep)) for system in replica.rows}
    return {system: [value for value in values if value is not None] for system, values in found.items()}


def bucket_verdicts(
    cfg: DictConfig, replicas: Mapping[str, Replica], buckets: Mapping[str, Bucket]
) -> tuple[ClaimVerdict, ...]:
    """Verdicts on `artefact.claims`: bucket -> [higher, lower, place]; a bucket's label begins with its benchmark."""
    made: list[ClaimVerdict] = []
    for label, claims in cfg.artefact.claims.items():
        title = next(str(title) for title in cfg.artefact.replicas if str(label).startswith(str(title)))
        bucket, replica = buckets[str(label)], replicas.get(title)
        values = {} if replica is None else bucket_values(replica, bucket)
        made += paired_verdicts(cfg, replicas, title, claims, values, str(label))
    return tuple(made)


def paired_verdicts(
    cfg: DictConfig, replicas: Mapping[str, Replica], title: str, claims: Sequence[Sequence[str]],
    values: Mapping[str, Sequence[float]], measure: str,
) -> tuple[ClaimVerdict, ...]:  # fmt: skip
    """Verdicts from one value in [0, 1] per question and system; "no data" where the benchmark has no runs."""
    spec = cfg.artefact
    if title not in replicas:
        source = Source(str(spec.replicas[title]), str(cfg.model.name), 0)
        claimed = [(f"{higher} above {lower} in {measure}", place) for higher, lower, place in claims]
        return tuple(ClaimVerdict(claim, place, "no data", "nothing is recorded", source) for claim, place in claimed)
    points = {system: [100.0 * value for value in found] for system, found in values.items()}
    source = replace(replicas[title].source, n=len(next(iter(points.values()))))
    return direction_claims(claims, points, source, measure=measure, **paired_settings(spec))


def absent(cfg: DictConfig, replicas: Mapping[str, Replica]) -> tuple[str, ...]:
    """One note for each benchmark of the paper without runs."""
    return tuple(
        f"{title}: nothing is recorded on {name}, so its rows have no replica."
        for title, name in cfg.artefact.replicas.items()
        if title not in replicas
    )
