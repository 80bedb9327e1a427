"""The difference of two JSON values as a JSON value: what a conversion could not carry, kept beside it."""

from __future__ import annotations

import json
from typing import Any

Patch = dict[str, Any]


def difference(rebuilt: Any, wanted: Any) -> Patch | None:
    """What turns `rebuilt` into `wanted`, exact to types and to the order of keys; None where they are the same."""
    if _text(rebuilt) == _text(wanted):
        return None
    if isinstance(rebuilt, dict) and isinstance(wanted, dict):
        inner = {name: difference(rebuilt[name], value) for name, value in wanted.items() if name in rebuilt}
        new = {name: value for name, value in wanted.items() if name not in rebuilt}
        return {"keys": list(wanted), "inner": {k: v for k, v in inner.items() if v is not None}, "new": new}
    if isinstance(rebuilt, list | tuple) and isinstance(wanted, list | tuple) and len(rebuilt) == len(wanted):
        items = [difference(a, b) for a, b in zip(rebuilt, wanted, strict=True)]
        return {"items": {str(i): item for i, item in enumerate(items) if item is not None}}
    return {"value": wanted}


def patched(rebuilt: Any, patch: Patch | None) -> Any:
    """Inverse of `difference`. Raises KeyError, IndexError or TypeError where the patch is of another value."""
    if patch is None:
        return rebuilt
    if "value" in patch:
        return patch["value"]
    if "items" in patch:
        changed = {int(i): item for i, item in patch["items"].items()}
        return [patched(value, changed.get(i)) for i, value in enumerate(rebuilt)]
    new, inner = patch["new"], patch["inner"]
    return {name: new[name] if name in new else patched(rebuilt[name], inner.get(name)) for name in patch["keys"]}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
