"""A small OpenAI-like HTTP server whose every answer is scripted, faults included."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Serves the next behaviour of its server's script; the last one repeats."""

    server: FakeHTTPServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fake = self.server.fake
        with fake.lock:
            fake.requests.append(body)
            step = fake.script[min(len(fake.requests), len(fake.script)) - 1]
            fake.in_flight += 1
            fake.most_in_flight = max(fake.most_in_flight, fake.in_flight)
        with suppress(BrokenPipeError, ConnectionResetError):  # a client that gave up
            step(self)

    def plain(self, status: int, body: str, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body.encode())

    def start_events(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()

    def event(self, **choice: Any) -> None:
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": self.server.fake.model}
        self.data({**chunk, "choices": [{"index": 0, "finish_reason": None, "delta": {}, **choice}]})

    def data(self, value: Any) -> None:
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


class FakeHTTPServer(ThreadingHTTPServer):
    daemon_threads = True
    fake: FakeServer


@dataclass
class FakeServer:
    """What the server was asked and how busy it was."""

    url: str
    script: list[Behaviour]
    model: str = "fake"
    requests: list[dict[str, Any]] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def fake_server(*script: Behaviour, model: str = "fake", port: int = 0) -> Iterator[FakeServer]:
    http = FakeHTTPServer(("127.0.0.1", port), Handler)
    http.fake = FakeServer(f"http://127.0.0.1:{http.server_port}/v1", list(script), model)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield http.fake
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def says(
    text: str, *, finish: str = "stop", cached: int | None = 3, timings: int | None = None, wait: float = 0
) -> Behaviour:
    """A good answer, two pieces, with usage: 10 prompt tokens, `cached` of them from the prefix cache."""

    def answer(handler: Handler) -> None:
        time.sleep(wait)
        with handler.server.fake.lock:  # before the answer: once it is read, the client may rightly send the next
            handler.server.fake.in_flight -= 1
        handler.start_events()
        half = len(text) // 2
        for piece in (text[:half], text[half:]):
            handler.event(delta={"content": piece})
        handler.event(finish_reason=finish)
        usage: dict[str, Any] = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
        if cached is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": cached}
        extra = {} if timings is None else {"timings": {"cache_n": timings}}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": handler.server.fake.model}
        handler.data({**chunk, "choices": [], "usage": usage, **extra})
        handler.wfile.write(b"data: [DONE]\n\n")

    return answer


def status(code: int, message: str = "no", kind: str = "error", **headers: str) -> Behaviour:
    """An HTTP error in OpenAI's JSON form."""
    body = json.dumps({"error": {"message": message, "type": kind, "code": code}})
    return lambda handler: handler.plain(code, body, **headers)


def html(code: int = 200) -> Behaviour:
    return lambda handler: handler.plain(code, "<html><title>It works!</title></html>", "text/html")


def cut(*, chunked: bool = False) -> Behaviour:
    """Two pieces, then the connection is gone: closed cleanly, or in the middle of a declared length."""

    def answer(handler: Handler) -> None:
        if chunked:
            handler.send_response(200)
            handler.send_header("content-type", "text/event-stream")
            handler.send_header("content-length", "100000")
            handler.end_headers()
        else:
            handler.start_events()
        handler.event(delta={"content": "half of"})
        handler.event(delta={"content": " a thought"})
        handler.close_connection = True

    return answer


def stalls(seconds: float) -> Behaviour:
    """One piece, then nothing for a while."""

    def answer(handler: Handler) -> None:
        handler.start_events()
        handler.event(delta={"content": "wait"})
        time.sleep(seconds)

    return answer


def broken_event() -> Behaviour:
    def answer(handler: Handler) -> None:
        handler.start_events()
        handler.wfile.write(b'data: {"choices": [\n\n')

    return answer


def event(value: Any) -> Behaviour:
    """One event of any shape, then the end."""

    def answer(handler: Handler) -> None:
        handler.start_events()
        handler.data(value)
        handler.wfile.write(b"data: [DONE]\n\n")

    return answer


def error_event(message: str, kind: str) -> Behaviour:
    def answer(handler: Handler) -> None:
        handler.start_events()
        handler.event(delta={"content": "so"})
        handler.data({"error": {"message": message, "type": kind, "code": 500}})

    return answer
