"""The text layer of a PDF page by pdfium: words and lines with boxes, in the page's own order."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from common.documents.geometry import Box, union
from common.documents.page import Line, Word

LINE_BREAKS = {0x02, 0xFFFE}  # what pdfium reports for the hyphen of a word broken at a line's end
SOFT_HYPHENS = LINE_BREAKS | {0xAD}
BOLD_WEIGHT = 600


@dataclass(frozen=True)
class Placement:
    """Affine map from PDF user space to the displayed page (rotation and crop box included)."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        x0, y0 = self.a * left + self.c * top + self.e, self.b * left + self.d * top + self.f
        x1, y1 = self.a * right + self.c * bottom + self.e, self.b * right + self.d * bottom + self.f
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def placement(page: pdfium.PdfPage) -> Placement:
    """Read the map off three points; pdfium answers in whole device units, so ask on a fine device."""
    width, height = page.get_size()
    fine, reach = 64, 1000.0
    size = max(1, round(width * fine)), max(1, round(height * fine))

    def at(x: float, y: float) -> tuple[float, float]:
        out_x, out_y = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, out_x, out_y)
        return out_x.value * width / size[0], out_y.value * height / size[1]

    (x0, y0), (x1, y1), (x2, y2) = at(0, 0), at(reach, 0), at(0, reach)
    return Placement((x1 - x0) / reach, (y1 - y0) / reach, (x2 - x0) / reach, (y2 - y0) / reach, x0, y0)


def read_text(page: pdfium.PdfPage) -> tuple[tuple[Line, ...], tuple[Word, ...]]:
    """Lines and words of the text layer; both empty for a page without one."""
    textpage = page.get_textpage()
    place = placement(page)
    codes = [raw.FPDFText_GetUnicode(textpage, index) for index in range(textpage.count_chars())]
    lines: list[Line] = []
    words: list[Word] = []
    start = 0
    for end in [index for index, code in enumerate(codes) if code == 10 or code in LINE_BREAKS] + [len(codes)]:
        found = _line_words(textpage, codes, start, end, place)
        if found:
            soft = end < len(codes) and codes[end] in LINE_BREAKS
            line = Line(" ".join(word.text for word in found), union(word.box for word in found), soft)
            if lines and _same_line(lines[-1], line):
                lines[-1] = Line(_side_by_side(lines[-1], line), union((lines[-1].box, line.box)), soft)
            else:
                lines.append(line)
            words.extend(found)
        start = end + 1
    textpage.close()
    return tuple(lines), tuple(words)


def _same_line(last: Line, line: Line) -> bool:
    """pdfium breaks lines at raised and lowered characters: footnote marks, exponents."""
    if last.soft_hyphen:
        return False
    low, high = min(last.box[3], line.box[3]), max(last.box[1], line.box[1])
    heights = last.box[3] - last.box[1], line.box[3] - line.box[1]
    gap = line.box[0] - last.box[2]
    return low - high > 0.4 * min(heights) and -0.2 * max(heights) < gap < 0.7 * max(heights)


def _side_by_side(last: Line, line: Line) -> str:
    space = line.box[0] - last.box[2] > 0.12 * max(last.box[3] - last.box[1], line.box[3] - line.box[1])
    return f"{last.text} {line.text}" if space else last.text + line.text


def _line_words(textpage: pdfium.PdfTextPage, codes: list[int], start: int, end: int, place: Placement) -> list[Word]:
    words: list[Word] = []
    first, bold = start, end > start and _is_bold(textpage, start)  # asked once a line: it serves table header rows
    for index in range(start, end + 1):
        if index < end and codes[index] not in (13, 32, 9, 0xA0, 0x3000):
            continue
        text = _characters(codes[first:index])
        if text:
            box = _range_box(textpage, first, index - first, place)
            if box is not None:
                words.append(Word(text, box, bold))
        first = index + 1
    return words


def _characters(codes: list[int]) -> str:
    """Text of pdfium's codes: surrogate pairs joined, control characters and soft hyphens dropped."""
    kept = [code for code in codes if code >= 32 and code not in SOFT_HYPHENS and code != 0xFFFF]
    if kept and max(kept) >= 0xD800:
        units = b"".join(chr(code).encode("utf-16-le", "surrogatepass") for code in kept)
        return units.decode("utf-16-le", "replace")
    return "".join(map(chr, kept))


def _range_box(textpage: pdfium.PdfTextPage, start: int, count: int, place: Placement) -> Box | None:
    boxes = []
    left, top, right, bottom = ctypes.c_double(), ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
    for index in range(raw.FPDFText_CountRects(textpage, start, count)):
        if raw.FPDFText_GetRect(textpage, index, left, top, right, bottom):
            boxes.append(place.box(left.value, top.value, right.value, bottom.value))
    return boxes[0] if len(boxes) == 1 else union(boxes) if boxes else None


def _is_bold(textpage: pdfium.PdfTextPage, index: int) -> bool:
    """By weight, or by the font's name: many embedded bold fonts declare weight 400."""
    if raw.FPDFText_GetFontWeight(textpage, index) >= BOLD_WEIGHT:
        return True
    buffer, flags = ctypes.create_string_buffer(64), ctypes.c_int()
    raw.FPDFText_GetFontInfo(textpage, index, buffer, 64, flags)
    name = buffer.raw.split(b"\0", 1)[0].lower()
    return b"bold" in name or b"black" in name or b"heavy" in name
