"""Field-by-field comparison of a recorded and a replayed run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from common.records import RunRecord

# Latencies are the recorded ones in replay too; only the commit a run was made at is no part of what it did.
VOLATILE = frozenset({"commit"})
_WINDOW = 60


@dataclass(frozen=True)
class Difference:
    """One field, as recorded and as replayed, both as short JSON text."""

    field: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.field}: recorded {self.recorded}, replayed {self.replayed}"


def compare_records(recorded: RunRecord, replayed: RunRecord) -> list[Difference]:
    """All fields in which two runs part, except the volatile ones."""
    left, right = _plain(recorded), _plain(replayed)
    return list(_walk(left, right, ""))


def _plain(record: RunRecord) -> dict[str, Any]:
    data = json.loads(json.dumps(record.to_json()))
    return {name: value for name, value in data.items() if name not in VOLATILE}


def _walk(left: Any, right: Any, where: str) -> Iterator[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        for name in [*left, *(n for n in right if n not in left)]:
            inner = f"{where}.{name}" if where else name
            if name not in left or name not in right:
                yield Difference(inner, _show(left, name), _show(right, name))
            else:
                yield from _walk(left[name], right[name], inner)
    elif isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            yield Difference(f"len({where})", str(len(left)), str(len(right)))
        for index, (a, b) in enumerate(zip(left, right, strict=False)):  # the lengths are compared above
            yield from _walk(a, b, f"{where}[{index}]")
    elif left != right or type(left) is not type(right):
        yield Difference(where, *_windows(left, right))


def _show(mapping: dict[str, Any], name: str) -> str:
    return json.dumps(mapping[name], ensure_ascii=False)[:_WINDOW] if name in mapping else "nothing"


def _windows(left: Any, right: Any) -> tuple[str, str]:
    """Both values cut around their first differing character, so that long texts stay readable."""
    a, b = json.dumps(left, ensure_ascii=False), json.dumps(right, ensure_ascii=False)
    first = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, first - _WINDOW // 3)
    mark = "..." if start else ""
    return mark + a[start : start + _WINDOW], mark + b[start : start + _WINDOW]
