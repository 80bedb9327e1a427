"""A question over one's own files: index them once, answer, cite. `ask_command` is the command line over this."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.benchmarks.question import Question
from common.command_line import Answered, Write
from common.documents import ParseOptions
from common.documents.model import Document
from common.llm.listening import HeardCall, Listener, ModelClient
from common.own_files import Library, open_library, resolve_paths, stores_of
from common.records import RunLabel, RunRecord, Usage
from common.retrieval import CachedEncoder, Encoder
from common.turns import in_turn
from knowforge.citations import cite
from knowforge.construction import Built, build_without_model
from knowforge.narration import Narrator
from knowforge.pipeline import answer_question
from knowforge.stored import base_key, open_base
from knowforge.system import SystemConfig

Build = Callable[[Sequence[Document], Encoder, Path], Built]


@dataclass(frozen=True)
class Extractor:
    """How knowledge points are made. `name` tells indexes of different extractors apart."""

    name: str
    build: Build


WITHOUT_MODEL = Extractor("sentences", build_without_model)


@dataclass(frozen=True)
class Indexed:
    """A user's files, ready to be asked: documents, knowledge base, and whether the stored index was used again."""

    library: Library
    built: Built
    reused: bool

    def lines(self) -> list[str]:
        """The ledger of the index, what was read anew, and what could not be read."""
        state = "index used again" if self.reused else "index built"
        head = f"{state}: {self.library.redone} files read, {self.library.reused} kept from before"
        return [head, *self.built.ledger.lines(), *self.library.left_out()]


@dataclass(frozen=True)
class Asked:
    """One answered question and the model calls it took."""

    question: str
    record: RunRecord
    calls: tuple[HeardCall, ...]


def index_files(
    paths: Sequence[Path],
    cache: Path,
    encoder: Encoder,
    *,
    extractor: Extractor = WITHOUT_MODEL,
    parse: ParseOptions | None = None,
    progress: bool = True,
) -> Indexed:
    """Parse and index files and folders below `cache`; only changed files are parsed and only new texts embedded.

    Another process at the same files or index waits for its turn. Raises `SourceError` where nothing can be read, and
    what the extractor raises.
    """
    folder = index_folder(paths, cache, encoder.name)
    with in_turn([*stores_of(paths, cache), folder]):
        library = open_library(paths, cache, parse, progress=progress)
        remembered = CachedEncoder(encoder, folder / "embeddings")
        key = base_key(library.documents, remembered, {"extractor": extractor.name})
        built, reused = open_base(
            folder, key, library.documents, remembered, library.assets,
            lambda: extractor.build(library.documents, remembered, library.assets),
        )  # fmt: skip
        return Indexed(library, built, reused)


def index_folder(paths: Sequence[Path], cache: Path, encoder: str) -> Path:
    """Where the index of these paths is kept."""
    named = "\n".join([encoder, *sorted(map(str, resolve_paths(paths)))])
    return cache / "indexes" / hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


async def ask(
    question: str, indexed: Indexed, client: ModelClient, system: SystemConfig, *, model: str, write: Write
) -> Asked:
    """Answer one question, telling the stages through `write` as they happen. A model failure is in the record."""
    heard, narrator = Listener(client), Narrator(write)
    asked = Question(f"ask-{hashlib.sha256(question.encode()).hexdigest()[:8]}", "own-files", question, ())
    label = RunLabel("own-files", model)
    record = await answer_question(asked, indexed.built.base, heard.llm, system, label, on_event=narrator)
    narrator.close()
    return Asked(question, record, tuple(heard.calls))


def answered(asked: Asked, indexed: Indexed) -> Answered:
    """The run as a user wants it: the answer, its pages, the record behind them."""
    record = asked.record
    cited = cite(record, indexed.built.base, indexed.library.files) if record.status == "done" else []
    return Answered(
        asked.question, record.status == "done", record.answer, tuple(cited), record.errors, record.to_json()
    )


def spent(asked: Asked) -> str:
    """What the run took."""
    total = sum(asked.record.usage.values(), Usage())
    tokens = total.prompt_tokens + total.completion_tokens
    new = sum(not call.reply.replayed for call in asked.calls)
    seconds = f"{asked.record.elapsed_s:.1f} s of model time"
    return f"{total.calls} model calls, {new} of them new, {tokens:,} tokens, {seconds}"
