"""Lines in zstd files of bounded size: same lines, same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import zstandard

SHARD_BYTES = 5_000_000  # of one file of the traces at most


def pack(
    lines: Sequence[bytes], compressor: zstandard.ZstdCompressor, limit: int = SHARD_BYTES
) -> Iterator[tuple[int, bytes]]:
    """How many lines, and the file that holds them: halved until a file has at most `limit` bytes, or one line."""
    packed = compressor.compress(b"".join(lines))
    if len(packed) <= limit or len(lines) == 1:
        yield len(lines), packed
        return
    half = len(lines) // 2
    yield from pack(lines[:half], compressor, limit)
    yield from pack(lines[half:], compressor, limit)


def unpack(path: Path) -> bytes:
    """What a file holds, decompressed where its name ends in .zst. Raises `zstandard.ZstdError`."""
    data = path.read_bytes()
    if path.suffix != ".zst":
        return data
    frame = zstandard.ZstdDecompressor().decompressobj()
    held = frame.decompress(data)
    if not frame.eof:  # the decompressor itself takes a cut file for a shorter one
        raise zstandard.ZstdError("the file is cut off")
    return held
