"""Settings of a system or a variant: frozen dataclasses, one YAML each; what a field may hold is its annotation."""

from __future__ import annotations

import hashlib
import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Settings = TypeVar("Settings")


@dataclass(frozen=True)
class Range:
    """An interval; `above` and `below` leave its ends out."""

    low: float = 0.0
    high: float = math.inf
    above: bool = False
    below: bool = False

    def __contains__(self, value: float) -> bool:
        over = value > self.low if self.above else value >= self.low
        return over and (value < self.high if self.below else value <= self.high)

    def __str__(self) -> str:
        low = f"{'above' if self.above else 'at least'} {self.low:g}"
        return low if math.isinf(self.high) else f"{low} and {'below' if self.below else 'at most'} {self.high:g}"


Count = Annotated[int, Range()]  # 0, 1, ...
CountFrom1 = Annotated[int, Range(low=1)]
NonNegative = Annotated[float, Range()]
Positive = Annotated[float, Range(above=True)]
Share = Annotated[float, Range(high=1.0)]  # [0, 1]
ShareAbove0 = Annotated[float, Range(high=1.0, above=True)]
ShareBelow1 = Annotated[float, Range(high=1.0, below=True)]


def from_mapping(cls: type[Settings], data: Any, place: str) -> Settings:
    """Settings from a parsed YAML, nested ones too; a list becomes a tuple.

    Raises `ValueError` naming an unknown or missing field, or a group that is no mapping.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"{place}: {data!r} is no mapping of fields")
    hints = get_type_hints(cls)
    unknown = [repr(name) for name in data if name not in hints]
    if unknown:
        raise ValueError(f"{place}: unknown field {', '.join(unknown)}; known fields: {', '.join(sorted(hints))}")
    for field in fields(cls):  # type: ignore[arg-type]  # every caller gives a dataclass
        if field.name not in data and field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{place}: field '{field.name}' is missing")
    return cls(**{name: _value(hints[name], value, f"{place}.{name}") for name, value in data.items()})


def _value(hint: Any, value: Any, place: str) -> Any:
    if is_dataclass(hint) and isinstance(hint, type):
        return from_mapping(hint, value, place)
    return tuple(value) if isinstance(value, list) else value


def check(settings: Any, place: str) -> None:
    """Raises `ValueError` naming the first field, here or in a group, whose value has another type or range.

    Values stay as they are: a whole number serves as a float, but is not made one, since hashes are over the values.
    """
    hints = get_type_hints(type(settings), include_extras=True)
    for field in fields(settings):
        value, hint = getattr(settings, field.name), hints[field.name]
        if not fits(value, hint):
            raise ValueError(f"{place}{field.name}: {value!r} is no {_said(hint)}")
        if is_dataclass(value):
            check(value, f"{place}{field.name}.")


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of an annotated type, in its range; a float must be finite, and no truth value is a number."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, inner[0]) and all(value in range_ for range_ in inner[1:])
    if origin is Literal:
        return any(value == choice and type(value) is type(choice) for choice in inner)
    if origin in (Union, types.UnionType):
        return any(fits(value, choice) for choice in inner)
    if origin is tuple:
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(fits, value, inner))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def settings_hash(settings: Any, **inputs: str) -> str:
    """16 hex digits over the fields and what else a run depends on: its prompt texts, its base or graph."""
    return hashlib.sha256(json.dumps({**asdict(settings), **inputs}, sort_keys=True).encode()).hexdigest()[:16]


_NAMES: dict[Any, str] = {
    float: "number", int: "whole number", str: "text", bool: "true or false", type(None): "null",
}  # fmt: skip


def _said(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return " ".join((_said(inner[0]), *map(str, inner[1:])))
    if origin is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if origin in (Union, types.UnionType):
        return " or ".join(map(_said, inner))
    if origin is tuple:
        return f"list of {len(inner)}, each a {_said(inner[0])}"
    return _NAMES.get(hint, getattr(hint, "__name__", str(hint)))
