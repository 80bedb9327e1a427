"""Ctrl-C at a command line: one line and code 130, from the first import on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_told() -> Iterator[None]:
    """Around the imports and the work of a `__main__`, which imports nothing slow before it."""
    try:
        yield
    except KeyboardInterrupt:
        print("stopped; what was finished is kept: the same command goes on from here", file=sys.stderr)
        raise SystemExit(130) from None
