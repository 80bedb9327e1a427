"""Command line of the experiments: artefacts, recordings, checks, printed claims.

python -m experiments list
python -m experiments regenerate [NAME ...] [KEY=VALUE ...]
python -m experiments record systems=[S4,P1,P0,M5] subset=smoke --serve
python -m experiments show table02_role_ablation
python -m experiments show M5 pm3-026 [--prompts]
python -m experiments verify [--rebuild]
python -m experiments fetch mmlongbench --from DIR [--subset smoke+held]
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from common.paths import Workspace
from common.stopping import ended_from_outside

# Command -> the module that reads its own options, and what it does.
PASSED_ON = {
    "audit": ("experiments.audit", "what follows from the printed numbers, and what does not"),
    "power": ("experiments.power", "what difference a number of questions can resolve"),
    "bench": ("experiments.bench", "the measured goals on this machine"),
    "import": ("experiments.interchange.import_command", "result files of the released KnowForge runner into tables"),
    "export": ("experiments.interchange.export_command", "a trace as a result file of the released runner"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit code. Expected errors are one line on stderr and code 2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in PASSED_ON:
        return int(importlib.import_module(PASSED_ON[arguments[0]][0]).main(arguments[1:]) or 0)
    options = _parser().parse_args(arguments)
    try:
        return _dispatch(options, Workspace())
    except expected_errors() as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2


def expected_errors() -> tuple[type[Exception], ...]:
    """Errors whose message is meant for the user; anything else is a defect and keeps its traceback."""
    from common.benchmarks import BenchmarkError
    from common.llm import LLMError
    from common.llm.choice import ModelError
    from common.retrieval import EmbeddingStoreError, EncoderUnavailable, MissingEmbedding
    from common.traces import TraceError
    from experiments.artefacts import UnknownArtefact
    from experiments.config import ConfigError
    from experiments.paired import NoTraces
    from experiments.running.recording import StaleRecords

    return (
        BenchmarkError, LLMError, ModelError, EmbeddingStoreError, EncoderUnavailable, MissingEmbedding, TraceError,
        UnknownArtefact, ConfigError, NoTraces, StaleRecords,
    )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m experiments", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the artefact matrix")
    add = commands.add_parser("regenerate", help="artefacts from the records into figures/")
    add.add_argument("words", nargs="*", metavar="NAME|KEY=VALUE", help="artefacts (default: all) and overrides")
    add = commands.add_parser("record", help="run what is missing against a model server; seal")
    add.add_argument("words", nargs="*", metavar="KEY=VALUE", help="fields of experiments/conf/config.yaml")
    add.add_argument("--serve", action="store_true", help="start the embedded server for the configured model")
    add.add_argument("--rebuild", action="store_true", help="parse the corpus anew first")
    add = commands.add_parser("show", help="the questions behind an artefact; one run down to its model calls")
    add.add_argument("system", metavar="ARTEFACT|SYSTEM", help="an artefact; with QUESTION a system or variant")
    add.add_argument("question", nargs="?", metavar="QUESTION", help="a question's id: show this run in full")
    add.add_argument("--benchmark", metavar="NAME", help="where several benchmarks hold such a run")
    add.add_argument("--model", metavar="NAME", help="where several models made it")
    add.add_argument("--sample", type=int, default=0, metavar="N", help="which of its repeated runs, from 0")
    add.add_argument("--prompts", action="store_true", help="print what each call was sent, too")
    add = commands.add_parser("verify", help="seal, replay, recompute: exact")
    add.add_argument(
        "--rebuild", action="store_true", help="also parse and embed the corpora anew and report what differs"
    )
    commands.add_parser("seal", help="compact the traces and renew their manifest")
    add = commands.add_parser("run", help="compute one artefact under overrides and print it")
    add.add_argument("name", metavar="NAME", help="an artefact, such as joint/mmlongbench_retrieval")
    add.add_argument("words", nargs="*", metavar="KEY=VALUE", help="fields of its configuration")
    add = commands.add_parser("fetch", help="where a benchmark comes from; check a download and put it in place")
    add.add_argument("name", metavar="NAME", help="mmlongbench, m3docvqa, ...")
    add.add_argument("--from", dest="source", type=Path, metavar="DIR", help="check the release in DIR and link to it")
    add.add_argument("--subset", default="full", help="what to ask of a partial set: held, smoke+held, ...")
    for name, (_, does) in PASSED_ON.items():
        commands.add_parser(name, help=does)
    return parser


def _dispatch(options: argparse.Namespace, workspace: Workspace) -> int:
    if options.command == "list":
        from experiments.artefacts import discover
        from experiments.matrix import matrix, matrix_lines

        print("\n".join(matrix_lines(matrix(discover(workspace), workspace))))
        return 0
    if options.command == "regenerate":
        from experiments.regenerate import regenerate

        names = [word for word in options.words if "=" not in word]
        return regenerate(names, [word for word in options.words if "=" in word], workspace)
    if options.command == "record":
        from experiments.record import record_command

        return record_command(options.words, workspace, serve=options.serve, rebuild=options.rebuild)
    if options.command == "show":
        return _show(options, workspace)
    if options.command == "verify":
        from experiments.verify import verify

        return verify(workspace, rebuild=options.rebuild)
    if options.command == "seal":
        from experiments.sealing import seal_command

        return seal_command(workspace)
    if options.command == "run":
        from experiments.regenerate import run_command

        return run_command(options.name, options.words, workspace)
    return _fetch(options, workspace)


def _show(options: argparse.Namespace, workspace: Workspace) -> int:
    """One run in full, or the questions behind an artefact."""
    if options.question is not None:
        from experiments.show_run import show_command

        return show_command(options, workspace)
    from common.traces import TraceError
    from experiments.artefacts import UnknownArtefact, select
    from experiments.show_artefact import behind
    from experiments.show_run import which_question

    try:
        [entry] = select([options.system], workspace)
    except UnknownArtefact as error:
        if told := which_question(options.system, workspace):
            raise TraceError(told) from error
        raise UnknownArtefact(f"{error}; one run: show SYSTEM QUESTION") from error
    print("\n".join(behind(entry, workspace)))
    return 0


def _fetch(options: argparse.Namespace, workspace: Workspace) -> int:
    """Say where a benchmark comes from; with --from, check the folder and link to it."""
    from common.benchmarks import BenchmarkError
    from common.benchmarks.fetch import describe
    from common.benchmarks.placing import place_release, report_lines

    if options.source is None:
        if options.subset != "full":
            raise BenchmarkError("--subset says what to ask of a folder; name it with --from")
        print(describe(options.name))
        return 0
    target = workspace.benchmark_files(options.name)
    report = place_release(options.name, options.source, target, options.subset)
    print("\n".join(report_lines(report, options.source, target)))
    return 0


if __name__ == "__main__":
    with ended_from_outside():
        sys.exit(main())
