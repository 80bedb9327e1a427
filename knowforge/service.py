"""The read-only knowledge-base HTTP API: `create_app` over served packages, `serve-kb` over one's own files.

Every route is under /api/v2/kb/{package_uuid}/ and answers {"success": true, "data": ...}; a look-up without an answer
is data too: {"error": code, "message": ..., "candidates": [...]}. A denied request answers {"success": false, "error":
{"code": HTTP status, "message": ...}}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from pydantic import AfterValidator, BaseModel
from starlette.exceptions import HTTPException

from common.characters import has_half_pair
from knowforge import kb_views as views
from knowforge.kb_accounts import Accounts, Denied
from knowforge.kb_views import Data, Package
from knowforge.library import LookupFailed, find_fragment


@dataclass(frozen=True)
class Service:
    """What an app serves, and to whom."""

    packages: dict[str, Package]
    accounts: Accounts


def _encodable(text: str) -> str:
    """`text`, which an encoder, an index and a reply can hold. Raises `ValueError`."""
    if has_half_pair(text):
        raise ValueError("holds half of a surrogate pair, which is no character; send valid Unicode")
    return text


Text = Annotated[str, AfterValidator(_encodable)]


class SearchBody(BaseModel):
    query: Text
    topk: int = 8
    score_fields: bool = False


class ImportBody(BaseModel):
    items: list[Text]


def create_app(packages: Sequence[Package], accounts: Accounts) -> FastAPI:
    """The API over `packages`."""
    app = FastAPI(title="KnowForge knowledge bases", docs_url=None, redoc_url=None)
    app.state.service = Service({package.uuid: package for package in packages}, accounts)
    app.include_router(_ACCOUNT)
    app.include_router(_PACKAGE)
    app.add_exception_handler(Denied, _denied)
    app.add_exception_handler(LookupFailed, _unanswered)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _not_served)
    return app


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _key(request: Request) -> str:
    return _service(request).accounts.enter(request.headers.get("authorization"))


def _package(request: Request, package_uuid: str, key: Annotated[str, Depends(_key)]) -> Package:
    service = _service(request)
    service.accounts.check(key, package_uuid)
    if package_uuid not in service.packages:
        raise Denied(403, f"package {package_uuid} is not served here")
    return service.packages[package_uuid]


Key = Annotated[str, Depends(_key)]
Served = Annotated[Package, Depends(_package)]
_ACCOUNT = APIRouter(prefix="/api/v2/me")
_PACKAGE = APIRouter(prefix="/api/v2/kb/{package_uuid}")


def _ok(data: Data) -> Data:
    return {"success": True, "data": data}


@_ACCOUNT.post("/subscriptions/import")
def import_subscriptions(request: Request, key: Key, body: ImportBody) -> Data:
    service = _service(request)
    added, skipped = service.accounts.subscribe(key, body.items, service.packages)
    return _ok({"added": added, "skipped": skipped})


@_PACKAGE.get("/card")
def card(package: Served) -> Data:
    return _ok(views.card(package))


@_PACKAGE.get("/overview")
def overview(package: Served) -> Data:
    return _ok(views.overview(package))


@_PACKAGE.get("/sources")
def sources(package: Served) -> Data:
    return _ok(views.sources(package))


@_PACKAGE.post("/search")
def search(package: Served, body: SearchBody) -> Data:
    return _ok(views.search_hits(package, body.query, body.topk, body.score_fields))


@_PACKAGE.get("/fragment-context")
def fragment_context(package: Served, fragment_id: str, window: int = 1) -> Data:
    return _ok(views.context(package.base, fragment_id, window))


@_PACKAGE.get("/book-toc")
def book_toc(package: Served, book: str = "") -> Data:
    return _ok(views.toc(package.base, book))


@_PACKAGE.get("/tables")
def tables(package: Served, book: str = "") -> Data:
    return _ok(views.tables(package.base, book))


@_PACKAGE.get("/query-table")
def query_table(package: Served, item: str = "", table_id: str = "") -> Data:
    return _ok(views.query_table(package.base, item, table_id))


@_PACKAGE.get("/table")
def table(package: Served, table_id: str) -> Data:
    return _ok(views.table(package.base, table_id))


@_PACKAGE.get("/list-media")
def list_media(package: Served, book: str = "", kind: str = "", page: int | None = None, heading: str = "") -> Data:
    return _ok(views.media(package.base, book, kind, page, heading))


@_PACKAGE.get("/find-figure")
def find_figure(package: Served, label: str, book: str = "") -> Data:
    return _ok(views.figure(package.base, label, book))


@_PACKAGE.get("/media-context")
def media_context(package: Served, fragment_id: str) -> Data:
    return _ok(views.media_context(package.base, fragment_id))


@_PACKAGE.get("/download", response_model=None)
def download(package: Served, fragment_id: str) -> FileResponse:
    """The asset as a PNG attachment named page_<n>_....png."""
    fragment = find_fragment(package.base, fragment_id)
    path = package.base.assets / fragment.asset if fragment.asset else None
    if path is None or not path.is_file():
        raise LookupFailed("not_found", f"{fragment.fragment_id} ({fragment.kind}) has no asset to download")
    return FileResponse(path, media_type="image/png", filename=PurePosixPath(fragment.asset or "").name)


def _denied(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Denied)  # registered for it alone
    return _refusal(error.status, str(error))


def _malformed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # registered for it alone
    fields = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    return _refusal(422, fields)


def _not_served(_: Request, error: Exception) -> JSONResponse:
    """No such route (404), another method (405), a body that is no JSON (400)."""
    assert isinstance(error, HTTPException)  # registered for it alone
    return _refusal(error.status_code, error.detail)


def _refusal(status: int, message: str) -> JSONResponse:
    return JSONResponse({"success": False, "error": {"code": status, "message": message}}, status)


def _unanswered(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, LookupFailed)  # registered for it alone
    data: dict[str, Any] = {"error": error.code, "message": str(error)}
    if error.candidates:
        data |= {"matched": error.matched, "candidates": list(error.candidates)}
    return JSONResponse(_ok(data))
