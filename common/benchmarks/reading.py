"""Reading official question files: every failure names the file, the line or entry, and the field."""

from __future__ import annotations

import ast
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from common.benchmarks.release import BenchmarkError, listed

Record = TypeVar("Record", bound=BaseModel)
_ENTRY = re.compile(r"[\s,]*")


def first_existing(root: Path, candidates: Sequence[str], what: str, name: str) -> Path:
    """The first candidate below `root` that exists: a file where its name has a suffix, else a folder.

    Raises BenchmarkError naming all that were tried.
    """
    if not root.is_dir():
        raise BenchmarkError(f"{root}: no such folder; `python -m experiments fetch {name}` says where to get {name}")
    for candidate in candidates:
        path = root / candidate
        if path.is_dir() == (not path.suffix) and path.exists():
            return path
    raise BenchmarkError(
        f"{root}: no {what} (looked for {', '.join(candidates)}); "
        f"`python -m experiments fetch {name}` says where to get it and how to lay out the folder"
    )


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """(line number, parsed object) of a JSON-lines file, gzipped or not; blank lines are passed over."""
    line_number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for line_number, line in enumerate(file, start=1):
                if line.strip():
                    yield line_number, json.loads(line)
    except json.JSONDecodeError as error:
        raise BenchmarkError(
            f"{path}, line {line_number}: no complete JSON object ({error.msg} at column {error.colno}); "
            "the file is truncated or damaged, fetch it again"
        ) from error
    except (EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError, RecursionError) as error:
        raise BenchmarkError(f"{path}, after line {line_number}: {error}; fetch the file again") from error


def read_list(path: Path) -> list[Any]:
    """The JSON list in a file. Raises BenchmarkError with line and column on damage, or when it is no list."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise BenchmarkError(
            f"{path}, line {error.lineno}, column {error.colno}: {error.msg}; "
            "the file is truncated or damaged, fetch it again"
        ) from error
    except RecursionError as error:
        raise BenchmarkError(f"{path}: nested too deeply for a question file; fetch it again") from error
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}); fetch it again") from error
    if not isinstance(data, list):
        raise BenchmarkError(f"{path}: holds a JSON {type(data).__name__}, not the list of questions of the release")
    return data


def read_entries(path: Path) -> list[tuple[str, Any]]:
    """(place, entry) of the JSON list in a file; the place names file, entry from 0 and the line where it begins."""
    entries = read_list(path)
    text, decoder = path.read_text(encoding="utf-8"), json.JSONDecoder()
    placed, line, counted, position = [], 1, 0, text.index("[")
    for number, entry in enumerate(entries):
        position = _ENTRY.match(text, position + 1 if number == 0 else position).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, position), position
        placed.append((f"{path}, entry {number} (line {line})", entry))
        position = decoder.raw_decode(text, position)[1]
    return placed


def validated(model: type[Record], data: Any, where: str) -> Record:
    """`data` as `model`; a BenchmarkError names `where` and each field that does not fit, never its content."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fields = [
            f"field {'.'.join(map(str, problem['loc'])) or '(whole record)'!r}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        ]
        raise BenchmarkError(f"{where}: {listed(fields)}") from None


def literal_list(value: Any) -> Any:
    """The list that a field holds as Python text, "['a.pdf', 'b.pdf']"; what is no text stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, TypeError, RecursionError) as error:
        raise ValueError("is no list literal") from error


def refuse_duplicates(ids: Sequence[tuple[str, str]], path: Path) -> None:
    """Refuse two entries of one id; `ids` are (id, place in the file)."""
    seen: dict[str, str] = {}
    for identifier, place in ids:
        if identifier in seen:
            raise BenchmarkError(f"{path}: question id {identifier!r} stands at {seen[identifier]} and at {place}")
        seen[identifier] = place
