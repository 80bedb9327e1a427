"""FlowReader, Table 6: decoding settings by stage, as printed and as the recorded requests were sent.

    python -m experiments regenerate table06_decoding
    python -m experiments.flowreader.table06_decoding benchmark=pocket_visdom model=qwen2.5-coder-1.5b

Reads the requests in the call cache that FlowReader's runs made, and the printed table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from common.artefact import Artefact, Column, Source
from common.llm.shards import open_shards, read_rows, sealed_shards
from experiments.artefacts import script_main
from experiments.flowreader._judged import printed
from experiments.paired import NoTraces, workspace_of

FIELDS = ("temperature", "top_p", "max_tokens", "seed")


def run(cfg: DictConfig) -> Artefact:
    """One row per printed stage: temperature and top-p beside what its requests said."""
    spec = cfg.artefact
    calls = workspace_of(cfg).calls(str(cfg.benchmark.name), str(cfg.model.name))
    sent = requests(calls)
    if not sent:
        raise NoTraces(
            f"no request of FlowReader in {calls.name}'s call cache; record: python -m experiments record "
            f"variants=[full] benchmark={str(cfg.benchmark.name).replace('-', '_')} model={cfg.model.name}"
        )
    source = Source(str(cfg.benchmark.name), str(cfg.model.name), sum(map(len, sent.values())))
    columns = [
        Column("stage", "label"), *(Column(name, "published") for name in ("prompt", "temperature", "top-p", "notes")),
        Column("stages here", "label"), *(Column(name, "replica", "text", source) for name in FIELDS),
        Column("requests", "replica", "count", source),
    ]  # fmt: skip
    rows = []
    for label, stages in spec.stages_of.items():
        print_ = [printed(spec.name, str(label), name) for name in ("prompt", "temperature", "top-p", "notes")]
        mine = [request for stage in stages for request in sent.get(str(stage), ())]
        rows.append([label, *print_, ", ".join(stages), *(_values(mine, name) for name in FIELDS), len(mine) or None])
    return Artefact.from_rows(spec.name, spec.paper, spec.item, spec.title, columns, rows, notes=tuple(spec.notes))


def requests(calls: Path) -> dict[str, list[dict[str, Any]]]:
    """Stage -> what each stored request of FlowReader was sent with."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for shard in [*sealed_shards(calls), *open_shards(calls)]:
        for row in read_rows(shard):
            if "/flowreader-" in row["context"] or row["context"].startswith("construction"):
                found[row["stage"]].append({name: row["request"].get(name) for name in FIELDS})
    return dict(found)


def _values(sent: Iterable[dict[str, Any]], name: str) -> str | None:
    values = sorted({request[name] for request in sent if request[name] is not None})
    return ", ".join(f"{value:g}" for value in values) or None


main = script_main(__file__, run)

if __name__ == "__main__":
    main()
