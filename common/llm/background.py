"""The embedded server in a process of its own, for tests and for `record --serve`."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from common.llm.errors import ServerUnavailable
from common.paths import ROOT

_STOP_S = 10.0


@dataclass(frozen=True)
class ServedModel:
    """A running server: `url` ends in /v1."""

    url: str
    model: str
    sha256: str
    pid: int


@contextmanager
def serve_in_background(
    model: str = "smollm2-135m", *, port: int = 0, context: int = 8192, slots: int = 1,
    threads: int | None = None, ready_s: float = 180.0,
) -> Iterator[ServedModel]:  # fmt: skip
    """Start the server, wait until it answers, stop it at the end.

    Raises `ServerUnavailable` with the server's own words if it does not start within `ready_s` seconds.
    """
    command = [sys.executable, "-m", "common.llm.server", "--model", str(model)]
    command += ["--port", str(port), "--ctx", str(context), "--slots", str(slots)]
    command += ["--until-eof"]  # a killed parent leaves no server behind
    if threads is not None:
        command += ["--threads", str(threads)]
    with TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=_environment()
        )
        try:
            yield _wait(process, errors, ready_s)
        finally:
            process.terminate()
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


def _wait(process: subprocess.Popen[bytes], errors: IO[bytes], ready_s: float) -> ServedModel:
    """Read lines until the one that says ready."""
    assert process.stdout is not None  # opened as a pipe
    deadline = time.monotonic() + ready_s
    while time.monotonic() < deadline:
        if not select.select([process.stdout], [], [], 0.2)[0]:
            continue
        words = process.stdout.readline().decode(errors="replace").split()
        if not words:
            process.wait()
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            raise ServerUnavailable(f"the embedded server ended with code {process.returncode}: {said[-1000:]}")
        if words[0] == "ready:":
            return ServedModel(words[1], words[3], words[5], process.pid)
    raise ServerUnavailable(f"the embedded server was not ready after {ready_s:g} s")


def _environment() -> dict[str, str]:
    """This process's environment, with the repository importable from any working folder."""
    inherited = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *([inherited] if inherited else [])])}
