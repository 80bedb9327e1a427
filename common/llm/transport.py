"""One attempt at one call: send, stream, measure, and sort what can go wrong into retryable and final."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from openai import APIConnectionError, APIError, APIStatusError, AsyncOpenAI

from common.llm.errors import BadReply, ContextTooLong, KeyRefused, LLMError, Refused
from common.llm.images import for_server
from common.llm.reply import Reply
from common.llm.request import Request

RETRIED = frozenset({408, 409, 425, 429})  # and every 5xx
_TOO_LONG = re.compile(
    r"exceed_context_size|context_length_exceeded|context (size|length|window)|prompt is too long", re.IGNORECASE
)


class Retryable(Exception):
    """A failure that another attempt may not meet. `retry_after` is the server's wish in seconds."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


@dataclass
class _Stream:
    """What the events of one stream add up to."""

    parts: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    model: str = ""
    first_token_s: float | None = None
    usage: tuple[int, int, int] = (0, 0, 0)  # prompt, cached, completion


async def attempt(
    client: AsyncOpenAI, request: Request, *, timeout_s: float, on_token: Callable[[str], None] | None = None
) -> Reply:
    """Send a request once and read the stream to its end. `server` and `cost` of the reply are left to the callers.

    Raises `Retryable`, or an `LLMError` that a repetition cannot help.
    """
    started = time.perf_counter()
    try:
        async with asyncio.timeout(timeout_s):
            stream = await _read(client, request, started, on_token)
    except TimeoutError as error:
        raise Retryable(f"no complete reply within {timeout_s:g} s") from error
    except APIConnectionError as error:  # timeouts of the client included
        raise Retryable(f"{error.message} {error.__cause__ or ''}".strip()) from error
    except APIError as error:
        raise _sorted(error) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadReply(f"malformed event in the stream: {error}") from error
    except UnicodeEncodeError as error:
        raise Refused(f"the prompt holds characters that are no Unicode text: {error}") from error
    if stream.finish_reason is None:
        raise Retryable(f"connection cut after {len(stream.parts)} pieces of the reply")
    if stream.finish_reason == "content_filter":
        raise Refused("the server's content filter stopped the reply")
    prompt, cached, completion = stream.usage
    return Reply(
        "".join(stream.parts), stream.finish_reason, prompt, cached, completion,
        round(time.perf_counter() - started, 3), stream.first_token_s, key=request.key,
    )  # fmt: skip


async def _read(
    client: AsyncOpenAI, request: Request, started: float, on_token: Callable[[str], None] | None
) -> _Stream:
    body = {**request.body, "messages": for_server(request.messages), "stream_options": {"include_usage": True}}
    raw = await client.chat.completions.with_raw_response.create(stream=True, **body)
    kind = raw.headers.get("content-type", "")
    if "event-stream" not in kind:
        await raw.http_response.aread()
        start = " ".join(raw.http_response.text[:200].split())
        raise BadReply(f"{kind or 'no content type'} instead of a stream of events: {start!r}; check base_urls")
    stream = _Stream()
    async with raw.parse() as chunks:
        async for chunk in chunks:
            text = _taken(stream, chunk, time.perf_counter() - started)
            if text and on_token is not None:
                on_token(text)
    pinned = request.identity["weights"].get("sha256")
    if pinned and stream.model and stream.model != request.body["model"]:
        raise BadReply(f"the server serves {stream.model!r}, the profile pins {request.body['model']!r}")
    return stream


def _taken(stream: _Stream, chunk: Any, elapsed: float) -> str:
    """Add an event to the stream and return its text. The client checks no shapes: `BadReply` shows a wrong one."""
    try:
        return _add(stream, chunk, elapsed)
    except (AttributeError, TypeError, ValueError) as error:
        raise BadReply(f"malformed event in the stream: {str(chunk)[:200]!r}; check base_urls") from error


def _add(stream: _Stream, chunk: Any, elapsed: float) -> str:
    stream.model = chunk.model or stream.model
    if chunk.usage is not None:
        stream.usage = _usage(chunk)
    text = ""
    for choice in (chunk.choices or ())[:1]:
        stream.finish_reason = choice.finish_reason or stream.finish_reason
        if getattr(choice.delta, "refusal", None):
            raise Refused(f"the model's server refused: {choice.delta.refusal}")
        text += choice.delta.content or ""  # TypeError for anything but text
    if text:
        if stream.first_token_s is None:
            stream.first_token_s = round(elapsed, 3)
        stream.parts.append(text)
    return text


def _usage(chunk: Any) -> tuple[int, int, int]:
    """Prompt, cached and completion tokens; llama.cpp before it filled the details says `timings.cache_n`."""
    details = chunk.usage.prompt_tokens_details
    cached = details.cached_tokens if details is not None else None
    if cached is None:
        timings = (chunk.model_extra or {}).get("timings") or {}
        cached = timings.get("cache_n", 0)
    return int(chunk.usage.prompt_tokens or 0), int(cached), int(chunk.usage.completion_tokens or 0)


def _sorted(error: APIError) -> LLMError | Retryable:
    status = error.status_code if isinstance(error, APIStatusError) else None
    said = " ".join(f"{error.message}".split())[:400]
    detail = f"{error.type or ''} {error.code or ''} {said}"
    if status in (None, 400, 413, 422, 500) and _TOO_LONG.search(detail):
        remedy = "start the server with more, or say what it has: `context` of the profile, --context for a URL"
        return ContextTooLong(f"the request does not fit the model's context: {said}; {remedy}")
    if status is None:
        return Retryable(f"error inside the stream: {said}")
    if status in RETRIED or status >= 500:
        return Retryable(f"HTTP {status}: {said}", _retry_after(error))  # type: ignore[arg-type]
    if status == 401:
        return KeyRefused(f"HTTP 401: {said}; the key is read from the variable named by api_key_env")
    hint = "; check base_urls (usually .../v1) and the model's name" if status == 404 else ""
    return Refused(f"HTTP {status}: {said}{hint}")


def _retry_after(error: APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None  # absent, or an HTTP date: the usual back-off is as good
