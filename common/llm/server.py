"""`python -m common.llm.server`: llama.cpp, in this process, behind an OpenAI-compatible HTTP API.

Each slot answers one request at a time; several slots decode together, which costs little more than one where memory is
the limit. The prompt cache in host memory brings a stage's prefix back after another stage's call. A cached prefix is
not neutral: at temperature 0 a reply may differ in later words from the one computed without it, so a second recording
need not repeat the first; a replay does.
Exit code 2 and one line on stderr for a port in use, a missing file, wrong weights, or a file that is no GGUF.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from common.llm.weights import KNOWN, ModelFile, WeightsError, find_model
from common.paths import cache_root


class ServerError(Exception):
    """The server cannot start; the message says why and what to do."""


def model_folders() -> tuple[Path, ...]:
    """Where files of known models are looked for: folders of `DOCQA_MODELS`, then `models` in the cache folder."""
    named = [Path(part).expanduser() for part in os.environ.get("DOCQA_MODELS", "").split(os.pathsep) if part]
    return (*named, cache_root() / "models")


def start(
    model: ModelFile, *, host: str, port: int, context: int, slots: int, threads: int, cache_mib: int
) -> tuple[object, str]:
    """Load a model and serve it; returns the running server (keep it) and its base URL. Raises `ServerError`."""
    _check_port(host, port)
    import xllamacpp  # here, not above: a refused port or file needs none of its 100 MB

    params = xllamacpp.CommonParams()
    params.model.path = str(model.path)
    params.model_alias = {model.name}
    params.model_tags = {f"sha256:{model.sha256}"}
    params.hostnames = [host]
    params.port = port
    params.n_ctx = context * slots
    params.n_parallel = slots
    params.cache_prompt = True
    params.cache_ram_mib = cache_mib
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.use_jinja = True
    params.ui = False
    params.verbosity = 0
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise ServerError(f"{model.path}: llama.cpp cannot load it ({error}); is it whole, is there memory?") from error
    return server, f"{server.listening_address}/v1"


def usable_cores() -> int:
    """The cores this process may run on: under taskset, or in a container given some, fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    options = _parser().parse_args(arguments)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if options.until_eof:
        threading.Thread(target=_wait_for_eof, args=(stop,), daemon=True).start()
    try:
        model = find_model(options.model, model_folders())
        _server, url = start(
            model, host=options.host, port=options.port, context=options.ctx, slots=options.slots,
            threads=options.threads, cache_mib=options.cache_mib,
        )  # fmt: skip
    except (WeightsError, ServerError) as error:
        print(f"server: {error}", file=sys.stderr)
        return 2
    print(f"ready: {url} model {model.name} sha256 {model.sha256}", flush=True)
    while not stop.wait(1.0):  # a timeout, so that signals are seen on every platform
        pass
    sys.stdout.flush()
    os._exit(0)  # llama.cpp's own shutdown now and then waits for ever; there is nothing to save


def _parser() -> argparse.ArgumentParser:
    about = "OpenAI-compatible server on llama.cpp"
    parser = argparse.ArgumentParser(prog="python -m common.llm.server", description=about)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one")
    parser.add_argument("--model", default="smollm2-135m", help=f"a GGUF file, or one of: {', '.join(KNOWN)}")
    parser.add_argument("--ctx", type=int, default=8192, help="context in tokens, of each slot")
    parser.add_argument("--slots", type=int, default=1, help="requests answered at once")
    parser.add_argument("--threads", type=int, default=usable_cores(), help="default: all cores it may use")
    parser.add_argument("--cache-mib", type=int, default=2048, help="host memory for prompt prefixes of other stages")
    parser.add_argument("--until-eof", action="store_true", help="stop when standard input ends")
    return parser


def _wait_for_eof(stop: threading.Event) -> None:
    while os.read(0, 4096):  # not sys.stdin: a thread inside its lock breaks the interpreter's exit
        pass
    stop.set()


def _check_port(host: str, port: int) -> None:
    """llama.cpp only says "failed to init" when the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ServerError(f"cannot listen on {host}:{port} ({error.strerror}); change --port") from error


if __name__ == "__main__":
    sys.exit(main())
