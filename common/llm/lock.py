"""One writer per cache folder. The kernel drops the lock when its process dies, so kill -9 leaves nothing stuck."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from common.llm.errors import CacheInUse

LOCK = ".lock"


class FolderLock:
    """Exclusive lock on a folder, taken at once or not at all."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._handle: int | None = None

    def acquire(self) -> None:
        """Take the lock; no-op if held. Raises `CacheInUse` naming the holder's process id."""
        while self._handle is None:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                holder = os.pread(handle, 20, 0).decode(errors="replace").strip()
                os.close(handle)
                raise CacheInUse(
                    f"{self._path.parent}: process {holder or '?'} is recording into this folder; "
                    "wait for it, stop it, or record into a folder of its own"
                ) from error
            if self._is_current(handle):
                os.truncate(handle, 0)
                os.pwrite(handle, str(os.getpid()).encode(), 0)
                self._handle = handle
            else:
                os.close(handle)  # its holder removed the file between our open and our lock

    def release(self) -> None:
        if self._handle is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = None

    def _is_current(self, handle: int) -> bool:
        try:
            return os.fstat(handle).st_ino == self._path.stat().st_ino
        except FileNotFoundError:
            return False
