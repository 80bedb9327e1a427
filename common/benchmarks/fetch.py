"""Where each benchmark comes from, under which licence, how big it is, and whether a folder holds all of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from common.benchmarks.release import BenchmarkError


@dataclass(frozen=True)
class Source:
    """One thing to download."""

    url: str
    what: str


@dataclass(frozen=True)
class Release:
    """An official release: counts are of questions and of documents in the whole of it."""

    name: str
    title: str
    sources: tuple[Source, ...]
    licence: str
    questions: int
    documents: int
    layout: tuple[str, ...]
    redistributable: bool
    parts: tuple[tuple[str, int, int], ...] = ()  # (part, questions, documents)
    note: str = ""


@dataclass(frozen=True)
class ReleaseReport:
    """What a folder holds of a release; `complete` is both counts as published.

    `issues` are oddities of the official data, one line each: kept, scored as they are, and named.
    """

    name: str
    subset: str
    questions: int
    documents: int
    complete: bool
    issues: tuple[str, ...] = ()


_M3DOCVQA = Release(
    name="m3docvqa",
    title="M3DocVQA (open-domain MultimodalQA dev questions over Wikipedia PDFs)",
    sources=(
        Source("https://github.com/allenai/multimodalqa/raw/master/dataset/MMQA_dev.jsonl.gz", "2,441 dev questions"),
        Source("https://github.com/bloomberg/m3docrag", "scripts in m3docvqa/ that download the PDFs of the pages"),
        Source(
            "https://github.com/metask-ai/knowforge-bench/tree/main/data/subsets",
            "m3d_mid_qids.json (300) and m3d_smoke_qids.json (30): the KnowForge paper's question ids, optional",
        ),
    ),
    licence="MultimodalQA: see its repository; documents: Wikipedia content, CC BY-SA",
    questions=2441,
    documents=3368,
    layout=(
        "MMQA_dev.jsonl.gz            or MMQA_dev.jsonl, or either below multimodalqa/",
        "documents/<document id>.pdf  or splits/pdfs_dev/<document id>.pdf, as the M3DocVQA scripts leave them",
        "m3d_mid_qids.json            optional: subset mid; without it mid300 is drawn by a seed",
        "m3d_smoke_qids.json          optional: subset smoke",
    ),
    redistributable=False,
    note="the dev questions name 3,366 distinct documents; the corpus holds two more, which are distractors",
)
_MMLONGBENCH = Release(
    name="mmlongbench",
    title="MMLongBench-Doc",
    sources=(
        Source("https://github.com/mayubo2333/MMLongBench-Doc", "data/samples.json and data/documents/"),
        Source("https://huggingface.co/datasets/yubo2333/MMLongBench-Doc", "the same data, all 135 PDFs"),
    ),
    licence="CC BY-NC 4.0, research use: nothing of it may be committed or redistributed here",
    questions=1082,
    documents=135,
    layout=("samples.json", "documents/<doc_id, .pdf included>"),
    redistributable=False,
)
_MULTIHOP_RAG = Release(
    name="multihop_rag",
    title="MultiHop-RAG",
    sources=(Source("https://huggingface.co/datasets/yixuantt/MultiHopRAG", "MultiHopRAG.json and corpus.json"),),
    licence="ODC-BY",
    questions=2556,
    documents=609,
    layout=("MultiHopRAG.json", "corpus.json"),
    redistributable=False,
)
_VISDOM = Release(
    name="visdombench",
    title="VisDoMBench",
    sources=(Source("https://github.com/MananSuri27/VisDoM", "<part>/<part>.csv and the link to the PDFs"),),
    licence="none stated in the repository; its parts come from QASPER, FeTaQA, SciGraphQA, SPIQA and SlideVQA",
    questions=2271,
    documents=1277,
    layout=("<part>/<part>.csv (or scigraphvqa/scigraphqa.csv)", "<part>/docs/<document id>.pdf"),
    redistributable=False,
    parts=(
        ("paper_tab", 377, 297),
        ("feta_tab", 350, 300),
        ("scigraphqa", 407, 319),
        ("spiqa", 586, 117),
        ("slidevqa", 551, 244),
    ),
    note="counts as its README prints them; each part is a subset of its name",
)


def _generated(name: str, what: str, questions: int, documents: int) -> Release:
    """A corpus that is made here, from a seed."""
    maker = f"common.benchmarks.generate_benchmark({name!r}, folder)"
    sources = (Source(maker, "nothing to download: seeded, and made on first use"),)
    layout = ("written by the generator",)
    title = f"{name}, {what}, generated here"
    return Release(name, title, sources, "the repository's", questions, documents, layout, redistributable=True)


RELEASES: dict[str, Release] = {
    r.name: r
    for r in (
        *(_M3DOCVQA, _MMLONGBENCH, _MULTIHOP_RAG, _VISDOM),
        _generated("pocket-m3doc", "an encyclopedia of an invented world", 60, 128),
        _generated("pocket-mhr", "news of an invented world", 50, 80),
        _generated("pocket-mmlb", "long reports of an invented country", 40, 6),
        _generated("pocket-visdom", "papers, wiki pages and slides of an invented world", 60, 28),
    )
}


def release(name: str) -> Release:
    """The release of a benchmark. Raises BenchmarkError listing the names there are."""
    if name not in RELEASES:
        raise BenchmarkError(f"unknown benchmark {name!r}; there are {', '.join(RELEASES)}")
    return RELEASES[name]


def describe(name: str) -> str:
    """Text for `fetch NAME`: sources, licence, counts and the folder the loader expects."""
    it = release(name)
    lines = [it.title, f"  questions {it.questions:,}, documents {it.documents:,}", f"  licence: {it.licence}"]
    lines += [f"  part {part}: {questions} questions, {documents} documents" for part, questions, documents in it.parts]
    lines += ["  get:"] + [f"    {source.url}  ({source.what})" for source in it.sources]
    lines += ["  lay out the folder as:"] + [f"    {line}" for line in it.layout]
    return "\n".join(lines + ([f"  note: {it.note}"] if it.note else [])) + "\n"


def check_release(name: str, folder: Path, subset: str = "full") -> ReleaseReport:
    """Load a folder and hold it against the release's counts.

    A partial set passes only when a subset is asked for by name, which the report then carries.
    Raises BenchmarkError with the counts that differ, or for any damage the loader finds.
    """
    from common.benchmarks import load_benchmark  # the loaders read RELEASES

    it = release(name)
    loaded = load_benchmark(name, folder, subset=subset)
    found = sum(document_count(below) for below in (loaded.documents_folder, *loaded.documents_folder.glob("*/docs")))
    complete = (len(loaded.questions), found) == (it.questions, it.documents)
    if subset == "full" and not complete:
        raise BenchmarkError(
            f"{folder}: {len(loaded.questions):,} questions and {found:,} documents, the release of {name} has "
            f"{it.questions:,} and {it.documents:,}; complete it, or ask for a subset by name (held, mid, ...)"
        )
    return ReleaseReport(name, loaded.subset, len(loaded.questions), found, complete, loaded.issues)


def document_count(folder: Path) -> int:
    """PDFs and Markdown articles directly in a folder; 0 when there is none."""
    return sum(path.suffix.lower() in (".pdf", ".md") for path in folder.iterdir()) if folder.is_dir() else 0


def require_count(name: str, found: int, what: str, where: Path) -> None:
    """Refuse a file or folder that holds another number of questions or documents than the release."""
    expected = {"questions": release(name).questions, "documents": release(name).documents}[what]
    if found != expected:
        raise BenchmarkError(
            f"{where}: {found:,} {what}, the official release of {name} has {expected:,}; complete it, or ask for "
            f"what is there by name: subset 'held' takes the questions whose documents are in the folder"
        )
