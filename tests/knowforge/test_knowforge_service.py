"""The knowledge-base API: every route, who is let in, and errors inside the data."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from knowforge_fakes import WordEncoder, fragment, library

from common.documents.model import Document
from knowforge import serve_kb
from knowforge.base import KnowledgeBase
from knowforge.cli import main
from knowforge.kb_accounts import Accounts
from knowforge.kb_views import Package
from knowforge.service import create_app

PNG = b"\x89PNG\r\n\x1a\nresults"
ASSET = "orlen_cup/page_1_table_ab12.png"
Get = Callable[..., Any]


def book(number: int) -> Document:
    part = fragment(f"cup_{number}", 0, f"Race {number} report")
    return Document(f"cup_{number}", f"Halden Cup {number}", f"cup_{number}.pdf", "d" * 64, 1, (part,))


@pytest.fixture
def package(tmp_path: Path) -> Package:
    cup, *others = library()
    placed = tuple(replace(f, asset=ASSET) if f.asset == "results.png" else f for f in cup.fragments)
    (tmp_path / ASSET).parent.mkdir()
    (tmp_path / ASSET).write_bytes(PNG)
    documents = [replace(cup, fragments=placed), *others, book(1), book(2)]
    base = KnowledgeBase.build(documents, WordEncoder(), tmp_path)  # type: ignore[arg-type]
    return Package("p1", "Races", "questions on races", base)


@pytest.fixture
def client(package: Package) -> TestClient:
    accounts = Accounts({"k1": {"p1"}, "k2": set()}, per_minute=1000)
    return TestClient(create_app([package], accounts))


@pytest.fixture
def get(client: TestClient) -> Get:
    def data(route: str, **params: Any) -> Any:
        answer = client.get(f"/api/v2/kb/p1/{route}", params=params, headers={"Authorization": "Bearer k1"})
        assert answer.status_code == 200 and answer.json()["success"] is True
        return answer.json()["data"]

    return data


def ids(package: Package, kind: str) -> list[str]:
    return [f.fragment_id for f in package.base.fragments.values() if f.kind == kind]


def test_who_is_let_in(package: Package) -> None:
    now = [0.0]
    accounts = Accounts({"k1": {"p1"}, "k2": set()}, per_minute=3, clock=lambda: now[0])
    client = TestClient(create_app([package], accounts))

    def status(key: str | None, uuid: str = "p1") -> int:
        headers = {} if key is None else {"Authorization": key}
        answer = client.get(f"/api/v2/kb/{uuid}/card", headers=headers)
        assert answer.json()["success"] == (answer.status_code == 200)
        assert answer.status_code == 200 or answer.json()["error"]["code"] == answer.status_code
        return answer.status_code

    assert [status(None), status("Basic k1"), status("Bearer "), status("Bearer k9")] == [426, 426, 426, 401]
    assert [status("Bearer k1"), status("Bearer k1", "p9"), status("bearer k1"), status("Bearer k1")] == [
        200,
        403,
        200,
        429,
    ]
    assert status("Bearer k2") == 403
    now[0] = 60.0
    assert status("Bearer k1") == 200


def test_importing_puts_a_served_package_on_the_account(client: TestClient) -> None:
    headers = {"Authorization": "Bearer k2"}
    assert client.get("/api/v2/kb/p1/card", headers=headers).status_code == 403
    url = "/api/v2/me/subscriptions/import"
    answer = client.post(url, json={"items": ["p1", "p9"]}, headers=headers)
    assert answer.json() == {"success": True, "data": {"added": ["p1"], "skipped": ["p9"]}}
    assert client.post(url, json={"items": ["p1"]}, headers=headers).json()["data"]["skipped"] == ["p1"]
    assert client.get("/api/v2/kb/p1/card", headers=headers).status_code == 200
    assert client.post(url, json={"items": ["p1"]}).status_code == 426
    malformed = client.post(url, json={"item": "p1"}, headers=headers)
    assert malformed.status_code == 422 and "items" in malformed.json()["error"]["message"]


def test_what_a_package_is(get: Get) -> None:
    assert get("card")["documents"] == 5 and get("card")["tables"] == 1
    assert get("overview")["modules"][0] == {"title": "1979 Orlen Cup"}
    first = get("sources")["sources"][0]
    assert (first["name"], first["root_node_id"]) == ("orlen_cup.pdf", "orlen_cup")
    assert first["one_line"].startswith("The 1979 Orlen Cup was a race")


def test_search(client: TestClient, package: Package) -> None:
    def post(**body: Any) -> Any:
        headers = {"Authorization": "Bearer k1"}
        return client.post("/api/v2/kb/p1/search", json=body, headers=headers).json()["data"]

    found = post(query="Iska Dorn driver results", topk=8, score_fields=True)
    assert set(found) == {"results", "images", "tables", "examples"}
    best = found["results"][0]
    assert set(best) == {
        "fragment_id", "text", "source_file", "source_path", "section_title", "score", "vec_score", "raw_score", "page",
        "from_graph", "anchor_fragment_id", "origin_kind", "media_path", "context",
    }  # fmt: skip
    assert [c["fragment_id"] for c in best["context"] if c["anchor"]] == [best["fragment_id"]]
    assert set(best["context"][0]) == {"kind", "text", "caption", "path", "ext", "fragment_id", "anchor"}
    assert found["tables"][0]["fragment_id"] == ids(package, "table")[0] and found["tables"][0]["ext"] == ".png"
    scores = [r["score"] for r in found["results"]]
    assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 10
    assert "vec_score" not in post(query="Iska Dorn")["results"][0]
    assert post(query=" ")["error"] == "bad_argument" and post(query="x", topk=99)["error"] == "bad_argument"


def test_what_is_no_request_is_refused_in_the_same_form(client: TestClient) -> None:
    headers, search = {"Authorization": "Bearer k1", "content-type": "application/json"}, "/api/v2/kb/p1/search"
    half = b'{"query": "\\ud800"}'  # JSON allows it, no text can hold it
    answers = {
        404: client.get("/api/v2/kb/p1/nothing", headers=headers), 405: client.get(search, headers=headers),
        400: client.post(search, headers=headers, content=b"\xff{"),
        422: client.post(search, headers=headers, content=half),
    }  # fmt: skip
    for status, answer in answers.items():
        assert answer.status_code == status
        body = answer.json()
        assert body["success"] is False and body["error"]["code"] == status and body["error"]["message"]
    assert "body.query" in answers[422].json()["error"]["message"]
    imported = client.post("/api/v2/me/subscriptions/import", headers=headers, content=b'{"items": ["\\udfff"]}')
    assert imported.status_code == 422


def test_books_and_tables(get: Get, package: Package) -> None:
    table = ids(package, "table")[0]
    toc = {"sections": [{"level": 1, "title": "Race"}]}
    assert get("book-toc", book="orlen cup") == {"book": "1979 Orlen Cup", "toc": toc}
    assert get("book-toc")["error"] == "book_required"
    several = get("book-toc", book="Halden")
    assert several["error"] == "ambiguous" and several["matched"] == 2
    assert sorted(several["candidates"]) == ["Halden Cup 1", "Halden Cup 2"]
    assert get("book-toc", book="Nobody")["error"] == "not_found"
    listed = {"name": "Table 1: Results", "table_id": table, "row_count": 2, "columns": ["pos", "driver", "time"]}
    assert get("tables") == {"tables": [listed]}
    dorn = {"pos": "2", "driver": "Iska Dorn", "time": "+1 lap"}
    result = {"name": "Table 1: Results", "matched": 1, "truncated": False, "rows": [dorn]}
    assert get("query-table", item="Dorn") == {"item": "Dorn", "results": [result]}
    assert get("query-table", item="nobody", table_id=table)["results"] == []
    assert get("query-table")["error"] == "not_found"
    whole = get("table", table_id=table)
    assert (whole["row_count"], whole["truncated"], whole["rows"][1]) == (2, False, dorn)
    assert get("table", table_id=ids(package, "text")[0])["error"] == "not_found"


def test_media(get: Get, package: Package) -> None:
    listed = get("list-media", book="orlen cup")
    assert (listed["total_images"], listed["total_tables"], listed["shown"], listed["span"]) == (1, 1, 2, [1, 2])
    table = {"kind": "table", "fragment_id": ids(package, "table")[0], "page": 1, "desc": "Table 1: Results"}
    assert listed["items"][0] == {**table, "boundary": True}
    assert get("list-media", book="orlen cup", page=9)["span"] == []
    assert get("list-media", book="orlen cup", kind="photo")["message"] == "kind must be image or table, not 'photo'"
    figure = get("find-figure", label="Figure 2", book="orlen cup")
    assert figure["pages"] == [2] and figure["media"][0]["kind"] == "image"
    assert [m["page"] for m in figure["mentions"]] == [2]
    assert get("find-figure", label="the map", book="orlen cup")["error"] == "bad_label"
    assert get("find-figure", label="Figure 9", book="orlen cup")["error"] == "not_found"
    around = get("media-context", fragment_id=ids(package, "image")[0])
    assert around["captions"] == ["Figure 2: Track"] and "Weather was dry" in around["page_text"]
    assert get("media-context", fragment_id="frag_ffff")["error"] == "not_found"
    near = get("fragment-context", fragment_id=ids(package, "table")[0], window=1)["context"]
    assert [c["anchor"] for c in near] == [False, True, False] and near[1]["media_path"] == ASSET


def test_download(client: TestClient, package: Package) -> None:
    def download(fragment_id: str) -> Any:
        headers = {"Authorization": "Bearer k1"}
        return client.get("/api/v2/kb/p1/download", params={"fragment_id": fragment_id}, headers=headers)

    answer = download(ids(package, "table")[0])
    assert answer.content == PNG and answer.headers["content-type"] == "image/png"
    assert 'filename="page_1_table_ab12.png"' in answer.headers["content-disposition"]
    assert download(ids(package, "text")[0]).json()["data"]["error"] == "not_found"
    assert download(ids(package, "image")[0]).json()["data"]["error"] == "not_found"  # its file is gone


def test_an_address_that_is_taken_is_told_before_the_files_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve_kb, "index_of", lambda options: pytest.fail("files were read"))
    (tmp_path / "a.md").write_text("# A\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for number, said in ((port, "Address already in use"), ("99999", "port must be 0-65535")):
            assert main(["serve-kb", str(tmp_path), "--port", number]) == 2
            told = capsys.readouterr()
            assert f"--port {number}: cannot listen there" in told.err and said in told.err and not told.out
    for option in ("--port", "--per-minute"):
        with pytest.raises(SystemExit):
            main(["serve-kb", str(tmp_path), option, "0"])
        assert "'0' is no number from 1 on" in capsys.readouterr().err
