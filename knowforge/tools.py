"""The tools of both roles. Each answers with text for the agent; what it finds joins the evidence pool."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from common.documents.model import Fragment
from common.records import ToolCall
from knowforge import library
from knowforge.library import LookupFailed
from knowforge.rendering import block_text, hit_list, rows_text, shorten, where
from knowforge.session import Session
from knowforge.system import LoopConfig
from knowforge.vision import read_asset

Args = dict[str, Any]


@dataclass(frozen=True)
class ToolResult:
    """What a tool answers. `fragments` are the ids it names; `model_calls` counts its vision calls."""

    text: str
    fragments: tuple[str, ...] = ()
    model_calls: int = 0
    ok: bool = True


LOCATOR = (
    "search_knowledge",
    "list_books",
    "book_toc",
    "list_tables",
    "query_table",
    "get_table",
    "list_media",
    "find_figure",
)
READER = ("fragment_context", "read_media", "media_context", "find_figure")


def reader_tools(loop: LoopConfig) -> tuple[str, ...]:
    """The released set shares find_figure with the Locator; `strict` has nothing in common with it."""
    return READER if loop.tools == "released" else tuple(name for name in READER if name not in LOCATOR)


async def call_tool(session: Session, stage: str, allowed: Sequence[str], name: str, args: Args) -> ToolResult:
    """Run a tool by name. A tool that does not exist or fails answers with a structured error."""
    if name not in allowed:
        result = _error("unknown_tool", f"there is no tool {name!r} in this stage", allowed)
    else:
        try:
            result = await TOOLS[name](session, stage, args)
        except LookupFailed as failure:
            result = _error(failure.code, str(failure), failure.candidates)
    session.note_tool(ToolCall(stage, name, args, result.ok, result.fragments, result.model_calls))
    return result


def _error(code: str, message: str, candidates: Sequence[str] = ()) -> ToolResult:
    body: dict[str, Any] = {"error": code, "message": message}
    if candidates:
        body["candidates"] = list(candidates)
    return ToolResult(json.dumps(body, ensure_ascii=False), ok=False)


def _text(args: Args, *names: str) -> str:
    """The first argument given under one of `names`, as text."""
    value = next((args[name] for name in names if args.get(name) not in (None, "")), "")
    return str(value[0] if isinstance(value, list) and value else value).strip()


def _number(args: Args, name: str) -> int | None:
    """A whole number argument. Raises `LookupFailed` for anything else."""
    value = args.get(name)
    if value in (None, ""):
        return None
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):  # a model may write 1e999
        raise LookupFailed("bad_argument", f"{name} must be a whole number, not {value!r}") from None


def _needed(args: Args, *names: str) -> str:
    value = _text(args, *names)
    if not value:
        raise LookupFailed("bad_argument", f"argument {names[0]!r} is missing")
    return value


def _ids(fragments: Sequence[Fragment]) -> tuple[str, ...]:
    return tuple(f.fragment_id for f in fragments)


def _note(session: Session, tool: str, text: str, source: Fragment | None) -> None:
    """Put what a tool found into the pool; a second reading of the same source with other words is a second note."""
    body = f"{tool}: {text}"
    number = sum(1 for key in session.pool.offered if key.startswith("note_"))
    if all(block.text != body for block in session.pool.offered.values()):
        session.pool.add_note(f"note_{number + 1}", body, source.fragment_id if source else None)


async def search_knowledge(session: Session, stage: str, args: Args) -> ToolResult:
    query = _needed(args, "query", "q", "text")
    materials = session.search(query, stage)
    loop = session.system.loop
    shown = hit_list(session.base, materials, loop.hits_shown, loop.snippet_chars)
    return ToolResult(shown, tuple(m.hit.fragment_id for m in materials))


async def list_books(session: Session, stage: str, args: Args) -> ToolResult:
    books = library.list_books(session.base, _text(args, "contains", "filter"))
    lines = [f"{book.title} ({book.page_count} pages)" for book in books[: library.LIST_LIMIT]]
    more = len(books) - len(lines)
    return ToolResult(
        "\n".join(lines + ([f"({more} more; give 'contains' to narrow)"] if more > 0 else [])) or "no books"
    )


async def book_toc(session: Session, stage: str, args: Args) -> ToolResult:
    document, sections = library.book_toc(session.base, _text(args, "book", "title"))
    lines = [f"{'  ' * (s.level - 1)}{s.title} (p.{s.page})" for s in sections]
    return ToolResult("\n".join([document.title, *lines]) if lines else f"{document.title}: no headings were found")


async def list_tables(session: Session, stage: str, args: Args) -> ToolResult:
    fragments = library.tables_of(session.base, _text(args, "book", "title"))
    lines = [
        f"{where(session.base, fragment)}: {len(table.rows)} rows; {shorten(' | '.join(table.columns), 80)}"
        for fragment in fragments[: library.LIST_LIMIT]
        for table in [library.cells_of(fragment)]
    ]
    more = len(fragments) - len(lines)
    lines += [f"({more} more; give 'book' to narrow)"] if more > 0 else []
    return ToolResult("\n".join(lines) or "no tables with cells", _ids(fragments[: library.LIST_LIMIT]))


async def query_table(session: Session, stage: str, args: Args) -> ToolResult:
    found = library.query_table(session.base, _text(args, "item", "query"), _text(args, "table_id", "fragment_id"))
    if not found:
        return ToolResult("no row has all of these words")
    texts = [rows_text(session.base, rows) for rows in found[:5]]
    for rows, text in zip(found, texts, strict=False):
        _note(session, "query_table", text, rows.fragment)
    return ToolResult("\n".join(texts), _ids([rows.fragment for rows in found[:5]]))


async def get_table(session: Session, stage: str, args: Args) -> ToolResult:
    rows = library.get_table(session.base, _needed(args, "table_id", "fragment_id"))
    text = rows_text(session.base, rows)
    _note(session, "get_table", text, rows.fragment)
    return ToolResult(text, (rows.fragment.fragment_id,))


async def list_media(session: Session, stage: str, args: Args) -> ToolResult:
    document, media = library.list_media(
        session.base, _text(args, "book", "title"), _text(args, "kind"), _number(args, "page"), _text(args, "heading")
    )
    shown = media[: library.LIST_LIMIT]
    lines = [f"{where(session.base, f)}: {shorten(f.caption or f.text, 80)}" for f in shown]
    head = f"{document.title}: {len(media)} figures and tables, {len(shown)} shown"
    text = "\n".join([head, *lines])
    _note(session, "list_media", text, None)
    return ToolResult(text, _ids(shown))


async def find_figure(session: Session, stage: str, args: Args) -> ToolResult:
    match = library.find_figure(session.base, _needed(args, "label", "figure"), _text(args, "book", "title"))
    lines = [f"{match.book}, {match.label}: pages {', '.join(map(str, match.pages)) or 'none'}"]
    lines += [f"{where(session.base, f)}: {shorten(f.caption or f.text, 160)}" for f in (*match.captions, *match.media)]
    _note(session, "find_figure", "\n".join(lines), next(iter(match.media), None))
    return ToolResult("\n".join(lines), _ids(match.media))


async def fragment_context(session: Session, stage: str, args: Args) -> ToolResult:
    fragments = library.fragment_context(
        session.base, _needed(args, "fragment_id", "fragment_ids", "id"), _number(args, "window") or 1
    )
    text = "\n\n".join(block_text(session.base, f) for f in fragments)
    source = library.find_fragment(session.base, _text(args, "fragment_id", "fragment_ids", "id"))
    _note(session, "fragment_context", text, source)
    return ToolResult(text, _ids(fragments))


async def read_media(session: Session, stage: str, args: Args) -> ToolResult:
    """One vision call an asset, every answer into the pool (KnowForge 3.5)."""
    names = args.get("fragment_ids") or args.get("fragment_id") or args.get("ids") or []
    if not isinstance(names, str | list | dict):
        raise LookupFailed("bad_argument", f"fragment_ids must be a list of ids, not {names!r}")
    names = [names] if isinstance(names, str) else [str(name) for name in names]
    limit = session.system.read_limit
    if not 1 <= len(names) <= limit:
        raise LookupFailed("bad_argument", f"fragment_ids must hold 1 to {limit} ids, not {len(names)}")
    question = _text(args, "question", "query") or session.question.question
    fragments = [library.find_fragment(session.base, name) for name in dict.fromkeys(names)]
    texts = []
    for fragment in fragments:
        answer = await read_asset(session, fragment, question)
        texts.append(f"{where(session.base, fragment)}: {answer}")
        _note(session, "read_media", texts[-1], fragment)
    return ToolResult("\n".join(texts), _ids(fragments), model_calls=len(fragments))


async def media_context(session: Session, stage: str, args: Args) -> ToolResult:
    fragment, texts, siblings = library.media_context(session.base, _needed(args, "fragment_id", "fragment_ids", "id"))
    lines = [f"{where(session.base, fragment)}: {fragment.caption or 'no caption'}"]
    lines += [f.text for f in texts]
    lines += [f"also on the page: {where(session.base, f)}" for f in siblings]
    _note(session, "media_context", "\n".join(lines), fragment)
    return ToolResult("\n".join(lines), (fragment.fragment_id,))


TOOLS: dict[str, Callable[[Session, str, Args], Awaitable[ToolResult]]] = {
    tool.__name__: tool
    for tool in (
        search_knowledge, list_books, book_toc, list_tables, query_table, get_table, list_media, find_figure,
        fragment_context, read_media, media_context,
    )
}  # fmt: skip
