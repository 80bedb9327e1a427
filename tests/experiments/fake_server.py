"""An OpenAI-compatible server in this process that answers every request by its wording."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "fake-model"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(request)  # type: ignore[attr-defined]
        if getattr(self.server, "down", False):
            self.send_error(500, "made to fail")
            return
        text = reply_to(request["messages"])
        usage = {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": 60},
        }
        chunk: dict[str, Any] = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
        events = [
            {
                **chunk,
                "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}],
            },
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {**chunk, "choices": [], "usage": usage},
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Quiet."""


def reply_to(messages: list[dict[str, Any]]) -> str:
    """One search, then a stop; a judge that is content; an answer that names the first winner of the materials."""
    told, last = str(messages[0]["content"]), str(messages[-1]["content"])
    if "short answer out of" in told:  # the extractor
        return '{"kind": "text", "answer": "Name 1"}'
    if "FINAL ANSWER" in told:  # the checker
        return '{"final": "Name 1"}'
    if "need_more" in last:
        return '{"need_more": false, "bridge_entities": [], "queries": [], "reason": "all there"}'
    if "search_knowledge" in told and len(messages) == 2:
        return '{"thought": "look it up", "tool": "search_knowledge", "args": {"query": "who won"}}'
    if '"thought"' in last or len(messages) > 2:
        return '{"thought": "enough", "final": "ok"}'
    return "The materials name the winner.\nFINAL ANSWER: Name 1"


@contextmanager
def fake_server() -> Iterator[ThreadingHTTPServer]:
    """Serves until the end of the block; `asked` collects the requests, `down = True` makes it answer 500."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
