"""Processes that write to the same place take turns: the second waits, says so, and finds the work done."""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def in_turn(places: Iterable[Path]) -> Iterator[None]:
    """Hold each place (a file or folder that need not exist yet) for as long as this lasts.

    Locks are files beside the places, taken in one order so that no two processes wait for each other; the kernel
    drops them when a process dies. Raises OSError where none can be made.
    """
    with ExitStack() as stack:
        for place in sorted(set(places)):
            place.parent.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context(place.with_name(f"{place.name}.lock").open("ab"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(f"waiting: another process is writing to {place}", file=sys.stderr, flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
