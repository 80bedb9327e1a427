"""Do the values of a configuration have the types its dataclass declares? YAML and command lines do not care."""

from __future__ import annotations

import math
import types
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def check_types(config: Any, place: str) -> None:
    """Raises `ValueError` naming the first field of a dataclass, or of one inside it, whose value has another type.

    Values stay as they are: a whole number serves as a float, but is not made one, since hashes are over the values.
    """
    hints = get_type_hints(type(config))
    for field in fields(config):
        value, hint = getattr(config, field.name), hints[field.name]
        if not fits(value, hint):
            raise ValueError(f"{place}{field.name}: {value!r} is no {_said(hint)}")
        if is_dataclass(value):
            check_types(value, f"{place}{field.name}.")


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of an annotated type; a float must be finite, and no truth value is a number."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return any(value == choice and type(value) is type(choice) for choice in inner)
    if origin in (Union, types.UnionType):
        return any(fits(value, choice) for choice in inner)
    if origin is tuple:
        return (
            isinstance(value, tuple)
            and len(value) == len(inner)
            and all(fits(item, kind) for item, kind in zip(value, inner, strict=True))
        )
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _said(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"one of {', '.join(str(choice) for choice in get_args(hint))}"
    if get_origin(hint) is tuple:
        return f"list of {len(get_args(hint))} numbers"
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_said(choice) for choice in get_args(hint))
    return {float: "number", int: "whole number", str: "text", bool: "true or false", type(None): "null"}.get(
        hint, getattr(hint, "__name__", str(hint))
    )
