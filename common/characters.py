"""What no file can hold: half of a surrogate pair, and the characters that XML forbids."""

from __future__ import annotations

import re

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def has_half_pair(text: str) -> bool:
    """Whether `text` is no valid Unicode: JSON can spell such text, and a terminal of another encoding can give it."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def for_xml(text: str) -> str:
    """`text` with a blank for every character that no XML may hold."""
    return _NOT_XML.sub(" ", text)
