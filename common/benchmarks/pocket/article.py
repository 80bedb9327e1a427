"""What an article is made of before it becomes a PDF: blocks with anchors that questions point to."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """A drawn picture. `lettering` is what it shows in writing; `colour` and `count` are seen only."""

    kind: str  # car, portrait, stage, poster, cover, crest, sign, statuette
    lettering: tuple[str, ...]
    colour: str
    count: int = 0
    motif: str = ""


@dataclass(frozen=True)
class Chart:
    """A bar or line chart drawn with its values written at the bars or points."""

    kind: str  # bar, line
    title: str
    labels: tuple[str, ...]
    values: tuple[int, ...]
    colour: str


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    anchor: str
    text: str


@dataclass(frozen=True)
class TableBlock:
    """A table with a caption. `as_image` tables are placed as a rendered picture and leave no text layer."""

    anchor: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    as_image: bool = False


@dataclass(frozen=True)
class Figure:
    """A picture or chart with a caption; all it shows is out of the text layer."""

    anchor: str
    caption: str
    content: Picture | Chart


Block = Heading | Paragraph | TableBlock | Figure


@dataclass(frozen=True)
class Article:
    """One document. `lead` and `infobox` share the head of page 1; `blocks` follow in order."""

    title: str
    kind: str
    lead: tuple[Paragraph, ...]
    infobox: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]

    @property
    def document_id(self) -> str:
        return slug(self.title)

    def text_layer(self) -> str:
        """The words a text extractor can see: no picture, chart or image-only table."""
        parts = [self.title, *(p.text for p in self.lead), *(f"{key} {value}" for key, value in self.infobox)]
        for block in self.blocks:
            match block:
                case Heading(text) | Paragraph(text=text):
                    parts.append(text)
                case Figure(caption=caption):
                    parts.append(caption)
                case TableBlock(caption=caption, columns=columns, rows=rows, as_image=as_image):
                    parts.append(caption)
                    if not as_image:
                        parts.extend(" ".join(row) for row in (columns, *rows))
        return "\n".join(parts)


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
