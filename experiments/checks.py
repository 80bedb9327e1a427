"""What a part of `verify` found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One part of the verification and what it found."""

    name: str
    passed: str
    problems: tuple[str, ...]
