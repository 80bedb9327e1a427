"""How a command line ends from outside: Ctrl-C, and a reader of its output that goes away, as `head` does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_from_outside() -> Iterator[None]:
    """Around the imports and the work of a `__main__`, which imports nothing slow before it.

    Ctrl-C is one line and code 130, a reader that has gone is no line and code 1.
    """
    try:
        try:
            yield
        except KeyboardInterrupt:
            print("stopped; what was finished is kept: the same command goes on from here", file=sys.stderr)
            raise SystemExit(130) from None
        finally:
            print(end="", flush=True)  # a short output meets the closed pipe here, not at the interpreter's end
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
