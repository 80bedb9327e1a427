"""Images in messages: a path for the caller, base64 for the server, a sha256 for the cache key."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from common.files import sha256_of

_MAGIC = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"RIFF", "image/webp"))

Message = dict[str, Any]


def for_server(messages: list[Message]) -> list[Message]:
    """Messages in OpenAI's form: `{"type": "image", "path": ...}` becomes an `image_url` part with a data URL."""
    return [_map_parts(message, _to_data_url) for message in messages]


def for_key(messages: list[Message]) -> list[Message]:
    """Messages with each image replaced by its sha256.

    An image part may carry its own `sha256`, so that a replay works where the file is not kept. Raises `ValueError`
    if the file is there with other bytes, `FileNotFoundError` if there is neither file nor hash.
    """
    return [_map_parts(message, _to_hash) for message in messages]


def _map_parts(message: Message, change: Any) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return dict(message)
    return {**message, "content": [change(part) for part in content]}


def _to_data_url(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") != "image":
        return part
    data = Path(part["path"]).read_bytes()
    media = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    if media is None:
        raise ValueError(f"{part['path']}: not a PNG, JPEG, GIF or WebP image")
    return {"type": "image_url", "image_url": {"url": f"data:{media};base64,{base64.b64encode(data).decode()}"}}


def _to_hash(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "image_url":
        raise ValueError('give images as {"type": "image", "path": ...}: the cache key needs their bytes')
    if part.get("type") != "image":
        return part
    given = part.get("sha256")
    path = Path(part["path"])
    if given is not None and not path.exists():
        return {"type": "image", "sha256": given}
    digest = sha256_of(path)
    if given is not None and digest != given:
        raise ValueError(f"{path}: sha256 {digest}, the request says {given}; restore the image or parse anew")
    return {"type": "image", "sha256": digest}
