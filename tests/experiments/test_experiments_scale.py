"""Timings of retrieval rounds: measured on a small corpus, kept, read by the latency artefacts; the index ledger."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from made_up import BENCHMARK, make_document, make_question
from numpy.typing import NDArray

from common.paths import Workspace
from common.retrieval import CachedEncoder, load_encoder
from common.traces import TraceError, read_questions, write_snapshot
from experiments import bench
from experiments.artefacts import Entry, compute
from experiments.paired import NoTraces
from experiments.timing import growing, retrieval
from experiments.timing.growing import AT_ONCE, Grown, build_grown, grown_documents, measure_grown
from experiments.timing.measurements import (
    About,
    Measurement,
    Point,
    about_here,
    measurement_path,
    median_point,
    read_measurement,
    write_measurement,
)
from experiments.timing.rounds import ROUND, STAGES, LiveQueries, first_recall, time_at_once, time_rounds
from knowforge.base import KnowledgeBase
from knowforge.system import SearchConfig

LATENCY, SCALE, COST = (
    Entry("knowforge", name) for name in ("table05_serial_latency", "section58_corpus_scale", "table09_index_cost")
)
Fill = Callable[..., None]
ABOUT = About(BENCHMARK, "words", "1", "a processor", 2, "3.11.0", "commit", "2026-01-01")


def point(fragments: int, milliseconds: float, recall: float, questions: int = 4) -> Point:
    names = (*STAGES, ROUND, AT_ONCE)
    samples = {name: tuple(milliseconds * (n + 1) for n in range(questions)) for name in names}
    facts = {"documents": 10, "entries": 2 * fragments, "relations": 5, "load_s": 1.25, "resident_gb": 0.5}
    ids = tuple(f"q{n}" for n in range(questions))
    return Point(fragments, ids, samples, {"R@8": (recall,) * questions}, facts)


def rows(entry: Entry, workspace: Workspace) -> list[dict[str, str]]:
    outcome = compute(entry, workspace)
    assert outcome.artefact is not None, outcome.error
    return list(csv.DictReader(io.StringIO(outcome.artefact.csv())))


def cell(row: dict[str, str], name: str) -> str:
    [value] = [text for header, text in row.items() if header.startswith(f"{name} (") or header == name]
    return value


@pytest.fixture
def small() -> tuple[KnowledgeBase, list[str]]:
    documents = [make_document(number) for number in range(12)]
    base = KnowledgeBase.build(documents, load_encoder("wordllama"), Path())
    return base, [make_question(number).question for number in range(6)]


def test_stages_are_timed_inside_whole_rounds(small: tuple[KnowledgeBase, list[str]]) -> None:
    base, queries = small
    heard = base.index.on_stage
    samples = time_rounds(base, queries, SearchConfig(), repeats=1)
    assert set(samples) == {*STAGES, ROUND} and base.index.on_stage is heard
    for place in range(len(queries)):
        parts = [samples[stage][place] for stage in STAGES]
        assert all(part > 0 for part in parts) and sum(parts) == pytest.approx(samples[ROUND][place])


def test_a_search_without_a_graph_or_a_ranking_still_times_what_it_does(
    small: tuple[KnowledgeBase, list[str]],
) -> None:
    base, queries = small
    samples = time_rounds(base, queries, SearchConfig(graph=False, bm25=False), repeats=1)
    assert samples["graph expansion"] == (0.0,) * len(queries) and min(samples["vector search"]) > 0


def test_four_at_once_times_every_query(small: tuple[KnowledgeBase, list[str]]) -> None:
    base, queries = small
    assert [value > 0 for value in time_at_once(base, queries, SearchConfig(), repeats=2)] == [True] * len(queries)


def test_first_recall_is_of_documents(small: tuple[KnowledgeBase, list[str]]) -> None:
    base, _ = small
    questions = [make_question(number) for number in range(6)]
    assert first_recall(base, questions, SearchConfig(), k=12) == (1.0,) * 6
    assert 0 < sum(first_recall(base, questions, SearchConfig(), k=1)) < 6


def test_queries_are_embedded_anew_and_passages_are_not(tmp_path: Path) -> None:
    live = load_encoder("wordllama")
    CachedEncoder(live, tmp_path).encode(["kept"])
    encoder = LiveQueries(CachedEncoder(None, tmp_path, offline=True), live)
    assert encoder.encode(["a new one"], query=True).shape == (1, live.dim)
    assert encoder.encode(["kept"]).shape == (1, live.dim)
    with pytest.raises(LookupError):
        encoder.encode(["a new one"])


def test_the_corpus_grows_to_a_number_with_documents_of_other_worlds() -> None:
    own = [make_document(number) for number in range(3)]
    grown = grown_documents(own, 400)
    assert sum(len(document.fragments) for document in grown) == 400 and grown[:3] == own
    assert len({document.document_id for document in grown}) == len(grown)
    assert grown_documents(own, 300)[:-1] == grown[: len(grown_documents(own, 300)) - 1]
    with pytest.raises(TraceError, match="cannot be grown to 2"):
        grown_documents(own, 2)


def test_a_grown_index_is_built_once_and_measured_from_disk(workspace: Workspace, fill: Fill) -> None:
    fill(3)
    grown = Grown(BENCHMARK, "wordllama", 60)
    with pytest.raises(TraceError, match="build it first"):
        measure_grown(grown, workspace, 1)
    build_grown(Grown(BENCHMARK, "wordllama", 50), workspace)
    assert build_grown(Grown(BENCHMARK, "wordllama", 50), workspace) == 0.0
    made = measure_grown(Grown(BENCHMARK, "wordllama", 50), workspace, 1)
    assert made.fragments == 50 and len(made.samples[ROUND]) == len(made.recall["R@8"]) == 3
    assert made.facts["entries"] > 50 and 0 < made.facts["resident_gb"] < 10


def test_a_larger_corpus_embeds_only_what_it_adds(
    workspace: Workspace, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(3)
    encoder, seen = load_encoder("wordllama"), list[str]()

    def encode(texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        seen.extend(texts)
        return type(encoder).encode(encoder, texts, query=query)

    monkeypatch.setattr(encoder, "encode", encode)
    monkeypatch.setattr(growing, "load_encoder", lambda name: encoder)
    build_grown(Grown(BENCHMARK, "wordllama", 50), workspace)
    first = set(seen)
    build_grown(Grown(BENCHMARK, "wordllama", 60), workspace)
    assert len(first) >= 50 and len(seen) - len(first) >= 10 and len(seen) == len(set(seen))


def test_visits_to_one_size_are_their_medians() -> None:
    made = median_point([point(10, milliseconds, 0.5) for milliseconds in (3.0, 1.0, 2.0)])
    assert made.samples[ROUND] == (2.0, 4.0, 6.0, 8.0) and made.facts["load_s"] == 1.25 and made.fragments == 10


def test_measurements_round_trip_and_say_how_to_make_them(workspace: Workspace) -> None:
    with pytest.raises(NoTraces, match="bench growth --record"):
        read_measurement(BENCHMARK, "growth", workspace)
    made = Measurement(ABOUT, (point(10, 1.23456, 1.0),))
    path = write_measurement("growth", made, workspace)
    again = read_measurement(BENCHMARK, "growth", workspace)
    assert again.about == ABOUT and again.points[0].recall == made.points[0].recall
    assert again.points[0].samples[ROUND] == (1.235, 2.469, 3.704, 4.938)
    assert again.points[0].percentile(ROUND, 50) == pytest.approx(3.0865)
    for damage in ('{"format": 1}', "{", json.dumps({**json.loads(path.read_text()), "format": 9})):
        path.write_text(damage)
        with pytest.raises(NoTraces, match="growth"):
            read_measurement(BENCHMARK, "growth", workspace)


def test_this_machine_is_named(workspace: Workspace) -> None:
    about = about_here(BENCHMARK, load_encoder("wordllama"), workspace)
    assert about.machine and about.cores >= 1 and about.encoder.startswith("wordllama")


def test_latency_of_systems_and_stages_beside_the_printed(workspace: Workspace, fill: Fill) -> None:
    fill(4)
    write_measurement("rounds", Measurement(ABOUT, (point(993, 2.0, 1.0),)), workspace)
    table = {row["system or stage"]: row for row in rows(LATENCY, workspace)}
    assert list(table)[:6] == ["S4", "M5", "P1", "P0", "Flash one-shot", "Flash M5"]
    assert cell(table["M5"], "published p50 s") == "27.3" and cell(table["M5"], "replica p50 s") == "4.500"
    assert cell(table["M5"], "replica calls") == "2.0000" and cell(table["P1"], "published p50 s") == ""
    assert cell(table["Flash M5"], "published p90 s") == "47.2" and cell(table["Flash M5"], "replica p50 s") == ""
    assert cell(table["round: vector search"], "published round") == "8 ms"
    assert cell(table["round: fusion"], "published round") == ""
    assert cell(table["one round"], "published round") == "0.12 s"
    assert cell(table["one round"], "replica round p50 ms") == "5.0000"
    assert cell(table["one round"], "replica round p50 ms, 4 at once") == "5.0000"
    outcome = compute(LATENCY, workspace)
    assert outcome.artefact is not None
    assert [str(source) for source in outcome.artefact.sources] == [
        "pocket-m3doc, qwen2.5-coder-1.5b, n = 4", "pocket-m3doc, words, n = 4",
    ]  # fmt: skip
    # One search a question of 5 ms against 4.5 s.
    assert any("0.11 % of its median time (2 % printed)" in note for note in outcome.artefact.notes)
    assert outcome.artefact.claims[0].verdict == "not resolved"
    without = compute(LATENCY, workspace, ["artefact.reads.knowforge=[S4,P1]"])
    assert without.artefact is not None, without.error  # M5 may be missing, as any system of the other tables
    assert without.artefact.claims[0].verdict == "no data"


def test_scale_rows_growth_and_verdict(workspace: Workspace) -> None:
    points = (point(3_700, 1.0, 1.0, 30), point(25_000, 1.1, 0.5, 30), point(200_000, 1.2, 0.0, 30))
    write_measurement("growth-minilm", Measurement(ABOUT, points), workspace)
    assert "growth-wordllama --record" in compute(SCALE, workspace).error
    write_measurement("growth-wordllama", Measurement(ABOUT, (points[0], point(200_000, 2.0, 1.0, 30))), workspace)
    first, middle, last, fast_first, fast_last = rows(SCALE, workspace)
    assert [row["encoder"] for row in (first, last, fast_first, fast_last)] == ["minilm"] * 2 + ["wordllama"] * 2
    assert (
        cell(fast_last, "replica growth of p50 %") == "100.0000" and cell(fast_first, "replica growth of p50 %") == ""
    )
    assert (cell(first, "published fragments"), cell(last, "published fragments")) == ("3.7K", "200K")
    assert (cell(first, "published R@8"), cell(last, "published R@8"), cell(middle, "published R@8")) == (
        "99.4", "78.1", "",
    )  # fmt: skip
    assert (cell(last, "published round s"), cell(last, "replica round p50 ms")) == ("0.121", "18.6000")
    assert (cell(first, "replica growth of p50 %"), cell(last, "replica growth of p50 %")) == ("", "20.0000")
    assert (cell(middle, "replica R@8"), cell(last, "replica index load s")) == ("50.0000", "1.2500")
    outcome = compute(SCALE, workspace)
    assert outcome.artefact is not None
    assert [claim.verdict for claim in outcome.artefact.claims] == ["reproduced", "not resolved"]


def test_without_measurements_both_artefacts_name_the_command(workspace: Workspace, fill: Fill) -> None:
    fill(2)
    assert "bench rounds --record" in compute(LATENCY, workspace).error
    assert "bench growth-minilm --record" in compute(SCALE, workspace).error


def test_the_ledger_of_present_corpora_beside_the_printed(workspace: Workspace) -> None:
    assert "none of pocket-m3doc" in compute(COST, workspace).error
    documents, folder = [make_document(number) for number in range(4)], workspace.corpus(BENCHMARK)
    write_snapshot(folder, [make_question(1)], {}, documents, workspace.cache)
    KnowledgeBase.build(documents, CachedEncoder(load_encoder("wordllama"), folder / "embeddings-minilm"), Path())
    table = {row["corpus"]: row for row in rows(COST, workspace)}
    assert list(table) == ["M3DocVQA", "MMLongBench-Doc", "MultiHop-RAG", BENCHMARK]
    assert cell(table["M3DocVQA"], "published source size") == "1.02 GB"
    assert cell(table["M3DocVQA"], "published nodes") == "332K" and cell(table["M3DocVQA"], "replica documents") == ""
    ours = table[BENCHMARK]
    assert [cell(ours, f"replica {name}") for name in ("documents", "fragments", "points", "embeddings")] == [
        "4", "4", "4", "8",
    ]  # fmt: skip
    assert cell(ours, "replica tokens, total") == "0" and cell(ours, "published total") == ""


def test_bench_tells_growth_memory_and_load(workspace: Workspace, fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    points = (point(3_700, 1.0, 1.0), point(200_000, 2.0, 0.5))
    monkeypatch.setattr(retrieval, "measure_growth", lambda encoder, workspace: Measurement(ABOUT, points))
    found = list(bench.growth_measures(workspace, encoder="words", record=True))
    assert [measure.value for measure in found] == [5.0, 100.0, 0.5, 1.25]
    assert [measure.holds for measure in found] == [True, False, True, True]
    assert read_measurement(BENCHMARK, "growth-words", workspace).points[1].fragments == 200_000


def test_bench_records_rounds_and_seals(
    workspace: Workspace, fill: Fill, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(3)
    folder = workspace.corpus(BENCHMARK)
    documents = [make_document(number) for number in range(4)]
    encoder = load_encoder("wordllama")
    KnowledgeBase.build(documents, CachedEncoder(encoder, folder / "embeddings-minilm"), Path())
    monkeypatch.setattr(retrieval, "load_encoder", lambda name, **options: encoder)
    monkeypatch.setattr(bench, "Workspace", lambda: workspace)
    assert bench.main(["rounds", "--record"]) == 0
    assert "sealed:" in capsys.readouterr().out and measurement_path(BENCHMARK, "rounds", workspace).exists()
    kept = read_measurement(BENCHMARK, "rounds", workspace)
    assert kept.points[0].fragments == 4 and len(kept.points[0].samples[AT_ONCE]) == 3
    manifest = json.loads((workspace.traces / "manifest.json").read_text())["files"]
    assert f"measurements/{BENCHMARK}/rounds.json" in manifest
    assert len(read_questions(folder)) == 3
    with pytest.raises(SystemExit):
        bench.main(["parse", "--record"])
