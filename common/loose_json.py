"""JSON as models write it: inside prose or fences, with trailing commas, or cut off."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```[a-zA-Z]*\n?|```")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_CLOSER = {"{": "}", "[": "]"}


def json_objects(text: str) -> list[dict[str, Any]]:
    """Every top-level JSON object in `text`, repaired where a small repair is enough."""
    return [value for value in json_values(text, "{") if isinstance(value, dict)]


def json_array(text: str) -> list[Any] | None:
    """The first top-level JSON array in `text`, or None."""
    return next((value for value in json_values(text, "[") if isinstance(value, list)), None)


def json_values(text: str, opener: str) -> list[Any]:
    """The values of all outermost spans that begin with `opener`, one of { and [; unreadable spans are left out."""
    text = _FENCE.sub("", text)
    loaded = (_load(span) for span in _spans(text, opener))
    return [value for value in loaded if value is not None]


def _spans(text: str, opener: str) -> list[str]:
    """Substrings from each outermost opener to its match; the last one may lack its end."""
    closer = _CLOSER[opener]
    spans: list[str] = []
    start, depth, in_string, escaped = -1, 0, False, False
    for position, char in enumerate(text):
        if depth and in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif depth and char == '"':
            in_string = True
        elif char == opener:
            start = position if depth == 0 else start
            depth += 1
        elif char == closer and depth:
            depth -= 1
            if depth == 0:
                spans.append(text[start : position + 1])
    return [*spans, text[start:]] if depth else spans


def _load(span: str) -> Any:
    for candidate in (span, _TRAILING_COMMA.sub(r"\1", span), _close(span)):
        try:
            return json.loads(candidate, strict=False)
        except (json.JSONDecodeError, RecursionError):
            continue
    return None


def _close(span: str) -> str:
    """`span` with the quotes and brackets that a cut-off reply left open."""
    stack: list[str] = []
    in_string, escaped = False, False
    for char in span:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in _CLOSER:
            stack.append(_CLOSER[char])
        elif char in "}]" and stack:
            stack.pop()
    closed = span + '"' if in_string else span.rstrip().rstrip(",:")
    return _TRAILING_COMMA.sub(r"\1", closed + "".join(reversed(stack)))
