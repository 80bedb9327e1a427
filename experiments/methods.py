"""The two methods by the names that traces carry, and how `record` is asked for their systems and variants."""

from __future__ import annotations

from collections.abc import Iterable

KNOWFORGE, FLOWREADER = "knowforge", "flowreader"
FIELDS = {KNOWFORGE: "systems", FLOWREADER: "variants"}  # of the configuration: they list what to record


def override(method: str, names: Iterable[str]) -> str:
    """The override of `record` that asks for these systems or variants."""
    return f"{FIELDS[method]}=[{','.join(names)}]"
