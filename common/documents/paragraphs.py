"""Lines to paragraphs, and paragraphs to pieces no longer than asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from common.documents.geometry import x_overlap
from common.documents.page import Line

SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
ENDS_SENTENCE = (".", "!", "?", ":", "”", '"')
BULLET = re.compile(r"^([•▪■●○◦‣∙–—-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+\S")


def join_lines(lines: Sequence[Line]) -> str:
    """One paragraph of text; words broken at a line's end are mended."""
    text = ""
    for index, line in enumerate(lines):
        broken = index > 0 and (lines[index - 1].soft_hyphen or _breaks_word(lines[index - 1].text, line.text))
        if broken:
            text = text.rstrip("-‐") + line.text
        else:
            text = f"{text} {line.text}" if text else line.text
    return text


def _breaks_word(line: str, following: str) -> bool:
    return len(line) > 2 and line[-1] in "-‐" and line[-2].islower() and following[:1].islower()


def paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Groups of lines: a wide white, a jump to another column, a short last line or a bullet starts a new one."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _continues(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _continues(group: Sequence[Line], line: Line) -> bool:
    last = group[-1]
    height = max(last.box[3] - last.box[1], 1.0)
    if BULLET.match(line.text):
        return False
    open_end = not last.text.endswith(ENDS_SENTENCE)
    if line.box[1] < last.box[1] - height or x_overlap(last.box, line.box) < 0.1:  # next column
        return open_end and line.text[:1].islower()
    if line.box[1] - last.box[3] > 0.9 * height:
        return False
    width = max(item.box[2] for item in group) - min(item.box[0] for item in group)
    short = len(group) > 1 and last.box[2] - last.box[0] < 0.8 * width
    return open_end or not short


def split_text(text: str, words: int) -> list[str]:
    """Stretches of at most `words` words, cut at sentences; a longer sentence is cut at a word."""
    parts: list[str] = []
    for sentence in SENTENCE_END.split(text):
        tokens = sentence.split()
        for start in range(0, len(tokens), words):
            chunk = tokens[start : start + words]
            if parts and len(parts[-1].split()) + len(chunk) <= words:
                parts[-1] += " " + " ".join(chunk)
            else:
                parts.append(" ".join(chunk))
    return parts


def first_words(text: str, count: int) -> str:
    words = text.split()
    return " ".join(words[:count]) + (" …" if len(words) > count else "")


def count_words(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)
