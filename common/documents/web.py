"""An HTML or Markdown file -> pieces in reading order, as one page."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from bs4 import BeautifulSoup, Comment, Tag
from bs4.element import NavigableString
from markdown_it import MarkdownIt

from common.documents import ocr
from common.documents.errors import DocumentError
from common.documents.model import Section
from common.documents.options import ParseOptions
from common.documents.page import Piece
from common.documents.pdf import Parsed
from common.documents.render import to_png
from common.documents.web_table import read_table

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
SILENT = {"script", "style", "noscript", "template", "nav", "head", "iframe", "svg", "form", "button"}
BLOCKS = {"p", "li", "blockquote", "dt", "dd", "figcaption", "address", "summary", "caption"}
GROUPS = {"div", "section", "article", "main", "ul", "ol", "dl", "header", "footer", "aside", "details", "body", "html"}
HOLDERS = {*BLOCKS, *HEADINGS, *GROUPS, "table", "pre", "figure", "hr", "img"}  # tags that end a run of loose text
LEAST_PIXELS = 32
FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)


def parse_markdown(text: str, path: Path, root: Path, options: ParseOptions) -> Parsed:
    """Markdown by way of HTML: one reader for both. Front matter gives the title."""
    front = FRONT_MATTER.match(text)
    title = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front[1], re.MULTILINE) if front else None
    html = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render(text[front.end() :] if front else text)
    )
    return parse_html(html, path, root, options, title[1] if title else "")


def parse_html(text: str, path: Path, root: Path, options: ParseOptions, title: str = "") -> Parsed:
    """Pictures are read from files next to the page, inside `root`, or from data: addresses; none is fetched."""
    soup = BeautifulSoup(text, "lxml")
    declared = soup.title.get_text(" ", strip=True) if soup.title else ""
    reader = _Reader(path, root, options)
    try:
        pieces = tuple(reader.walk(soup.body or soup))
    except RecursionError as error:
        raise DocumentError("its tags are nested too deeply to be read; save it anew from a browser") from error
    sections = tuple(Section(piece.level, piece.text, 1) for piece in pieces if piece.kind == "heading")
    characters = sum(len(piece.text) for piece in pieces)
    name = title or declared or next((section.title for section in sections), path.stem)
    return Parsed(name, pieces, sections, 1, (), characters)


class _Reader:
    def __init__(self, path: Path, root: Path, options: ParseOptions) -> None:
        self.path, self.root, self.options = path, root, options

    def walk(self, node: Tag | BeautifulSoup) -> Iterator[Piece]:
        loose: list[str] = []
        for child in node.children:
            if isinstance(child, NavigableString):
                if not isinstance(child, Comment):
                    loose.append(str(child))
            elif isinstance(child, Tag) and child.name not in SILENT:
                if child.name in HOLDERS or child.find(list(HOLDERS)):
                    yield from _text(loose)
                    loose = []
                    yield from self.block(child)
                else:
                    loose.append(" " if child.name == "br" else child.get_text())
        yield from _text(loose)

    def block(self, node: Tag) -> Iterator[Piece]:
        if node.name in HEADINGS:
            title = " ".join(node.get_text(" ", strip=True).split())
            if title:
                yield Piece(1, "heading", title, HEADINGS[node.name])
            yield from self.pictures(node)
        elif node.name == "table":
            yield from self.table(node)
        elif node.name == "pre":
            if node.get_text().strip():
                yield Piece(1, "example", node.get_text().strip("\n"))
        elif node.name == "img":
            yield from self.picture(node, "")
        elif node.name == "figure":
            yield from self.figure(node)
        elif node.name == "blockquote" and not node.find(list(HOLDERS)):
            yield from _text([node.get_text()])
        else:
            yield from self.walk(node)

    def table(self, node: Tag) -> Iterator[Piece]:
        table = read_table(node)
        caption = node.caption.get_text(" ", strip=True) if node.caption else ""
        if table is None:
            yield from self.walk(node)
            return
        yield Piece(1, "table", "", 0, caption, table=table)
        yield from self.pictures(node)

    def figure(self, node: Tag) -> Iterator[Piece]:
        note = node.find("figcaption")
        caption = " ".join(note.get_text(" ", strip=True).split()) if isinstance(note, Tag) else ""
        images = node.find_all("img")
        if not images or node.find(["table", "pre"]):
            yield from self.walk(node)
            return
        for image in images:
            yield from self.picture(image, caption)

    def pictures(self, node: Tag) -> Iterator[Piece]:
        for image in node.find_all("img"):
            yield from self.picture(image, "")

    def picture(self, node: Tag, caption: str) -> Iterator[Piece]:
        alt = " ".join(str(node.get("alt") or node.get("title") or "").split())
        pixels = self.load(str(node.get("src") or ""))
        if pixels is None:
            yield from _text([caption or alt])
        elif min(pixels.shape[:2]) >= LEAST_PIXELS:
            said = ocr.read_picture(pixels, threads=self.options.threads) if self.options.ocr else ""
            inner = f"{alt}\n{said}" if alt and caption and alt != caption else said
            yield Piece(1, "image", inner.strip(), 0, caption or alt, png=to_png(pixels))

    def load(self, source: str) -> np.ndarray | None:
        data = _inline(source) if source.startswith("data:") else self.local(source)
        if data is None:
            return None
        try:
            return ocr.decode_picture(data, source[:80])
        except DocumentError:
            return None

    def local(self, source: str) -> bytes | None:
        """Bytes of a picture file; None when it is remote, missing or outside the parsed folder."""
        if not source or "://" in source or source.startswith("//"):
            return None
        target = (self.path.parent / unquote(source.split("?")[0].split("#")[0])).resolve()
        if not target.is_relative_to(self.root.resolve()) or not target.is_file():
            return None
        return target.read_bytes()


def _text(parts: list[str]) -> Iterator[Piece]:
    text = " ".join("".join(parts).split())
    if text:
        yield Piece(1, "text", text)


def _inline(source: str) -> bytes | None:
    head, _, body = source.partition(",")
    try:
        return base64.b64decode(body, validate=False) if "base64" in head else None
    except (binascii.Error, ValueError):
        return None
