"""The store: incremental, resumable, deterministic."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from documents_fixtures import canvas, draw_prose, report

from common.documents import ParseOptions, document_from_json, document_to_json, load_documents, parse_folder
from common.documents import folder as folder_module

PLAIN = ParseOptions(ocr=False, layout=False)
ROOT = Path(__file__).parents[2]


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n\nText of {name}.\n")


def test_only_the_changed_file_is_redone_and_removed_ones_go(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    write(source, "a.md", "b.md", "c.md")
    assert parse_folder(source, store, options=PLAIN, progress=False).redone == ("a", "b", "c")
    (source / "b.md").write_text("# B\n\nNew text.\n")
    (source / "c.md").unlink()
    result = parse_folder(source, store, options=PLAIN, progress=False)
    assert (result.documents, result.redone, result.reused) == (("a", "b"), ("b",), ("a",))
    assert [d.document_id for d in load_documents(store)] == ["a", "b"]
    assert "New text." in load_documents(store)[1].fragments[0].text


def test_options_that_change_the_result_redo_and_threads_do_not(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    write(source, "a.md")
    parse_folder(source, store, options=PLAIN, progress=False)
    same = parse_folder(source, store, options=ParseOptions(ocr=False, layout=False, threads=1), progress=False)
    assert same.reused == ("a",)
    other = ParseOptions(ocr=False, layout=False, words_per_fragment=60)
    assert parse_folder(source, store, options=other, progress=False).redone == ("a",)


def test_a_file_that_breaks_is_dropped_and_comes_back(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    write(source, "a.md", "b.md")
    parse_folder(source, store, options=PLAIN, progress=False)
    (source / "b.md").write_bytes(b"")
    broken = parse_folder(source, store, options=PLAIN, progress=False)
    assert broken.documents == ("a",) and [f.source for f in broken.failures] == ["b.md"]
    write(source, "b.md")
    assert parse_folder(source, store, options=PLAIN, progress=False).redone == ("b",)


def test_a_parser_that_crashes_costs_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "in"
    write(source, "a.md", "b.md")
    whole = folder_module.parse_file

    def crash(item: folder_module.Source, options: ParseOptions, *, progress: bool = False) -> object:
        if item.name == "a.md":
            raise RecursionError("too deep")
        return whole(item, options, progress=progress)

    monkeypatch.setattr(folder_module, "parse_file", crash)
    result = parse_folder(source, tmp_path / "store", options=PLAIN, progress=False)
    assert result.documents == ("b",) and result.failures[0].reason == "RecursionError: too deep"


def test_missing_picture_and_torn_json_are_redone(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    source.mkdir()
    report(source / "a.pdf")
    parse_folder(source, store, options=PLAIN, progress=False)
    pictures = list((store / "assets").rglob("*.png"))
    assert pictures
    pictures[0].unlink()
    assert parse_folder(source, store, options=PLAIN, progress=False).redone == ("a",)
    document = store / "documents" / "a.json"
    document.write_bytes(document.read_bytes()[:200])
    assert parse_folder(source, store, options=PLAIN, progress=False).redone == ("a",)


def test_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    report(tmp_path / "a.pdf")
    stores = [tmp_path / name for name in ("one", "two")]
    for store in stores:
        parse_folder(tmp_path / "a.pdf", store, progress=False)
    one, two = ({p.relative_to(s).as_posix(): p.read_bytes() for p in s.rglob("*") if p.is_file()} for s in stores)
    assert one == two and any(name.endswith(".png") for name in one)


def test_json_round_trip(tmp_path: Path) -> None:
    report(tmp_path / "a.pdf")
    parse_folder(tmp_path / "a.pdf", tmp_path / "store", progress=False)
    (document,) = load_documents(tmp_path / "store")
    assert any(f.table for f in document.fragments)
    assert document_from_json(document_to_json(document)) == document


def test_ids_of_equal_stems(tmp_path: Path) -> None:
    write(tmp_path / "in", "x/a.md", "y/a.md", "a.md", "b.md", "b.html")
    parse_folder(tmp_path / "in", tmp_path / "store", options=PLAIN, progress=False)
    found = {d.document_id: d.source for d in load_documents(tmp_path / "store")}
    assert found == {"a": "a.md", "x__a": "x/a.md", "y__a": "y/a.md", "b__html": "b.html", "b__md": "b.md"}


def test_workers_give_the_same_store(tmp_path: Path) -> None:
    write(tmp_path / "in", "a.md", "b.md", "c.md")
    (tmp_path / "in" / "d.md").write_bytes(b"")
    stores = tmp_path / "one", tmp_path / "two"
    for store, workers in zip(stores, (1, 2), strict=True):
        result = parse_folder(
            tmp_path / "in", store, options=ParseOptions(ocr=False, layout=False, workers=workers), progress=False
        )
        assert result.documents == ("a", "b", "c") and [f.source for f in result.failures] == ["d.md"]
    assert load_documents(stores[0]) == load_documents(stores[1])


def test_killed_run_leaves_whole_documents_and_resumes(tmp_path: Path) -> None:
    source, store = tmp_path / "in", tmp_path / "store"
    source.mkdir()
    for number in range(40):
        page = canvas(source / f"d{number:02}.pdf")
        for _ in range(20):
            draw_prose(page, 700)
            page.showPage()
        page.save()
    code = (
        "import sys; from pathlib import Path; from common.documents import ParseOptions, parse_folder; "
        "options = ParseOptions(ocr=False, layout=False); "
        "parse_folder(Path(sys.argv[1]), Path(sys.argv[2]), options=options, progress=False)"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(source), str(store)], cwd=ROOT)
    deadline = time.monotonic() + 60
    while len(list(store.glob("documents/*.json"))) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    survivors = {document.document_id for document in load_documents(store)}
    assert 3 <= len(survivors) < 40
    result = parse_folder(source, store, options=PLAIN, progress=False)
    assert set(result.reused) == survivors and len(result.documents) == 40
    assert not list(store.rglob("*.tmp"))
