"""`python -m flowreader graph PATH...`: the graph of your own files in words, as a picture, as GraphML."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from common.command_line import CommandError, Write, add_file_options, add_model_options, keep_file, require_place
from common.llm import LLM
from common.llm.choice import choose_profile
from common.own_files import resolve_paths
from flowreader.description import described
from flowreader.own_files import NoModel, Opened, add_graph_options, build_graph, open_model

FIGURES = (".svg", ".png", ".pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `graph`."""
    add_file_options(parser)
    parser.add_argument("--figure", type=Path, metavar="OUT.svg", help="draw the graph, as .svg, .png or .pdf")
    parser.add_argument(
        "--graphml", type=Path, metavar="OUT.graphml", help="write the graph for Gephi, yEd and the like"
    )
    add_model_options(parser)
    add_graph_options(parser)


def graph_command(options: argparse.Namespace, write: Write) -> int:
    """Build the graph or open it again, say what it is, draw and export it. Raises errors meant for the user."""
    resolve_paths(options.paths)  # a misspelt path is told before a server is looked for
    if options.serve and not options.graph_model:
        raise CommandError("--serve: without --graph-model no model is asked; add that, or leave out --serve")
    require_place("--figure", options.figure, FIGURES)
    require_place("--graphml", options.graphml)
    if not options.graph_model:
        return _show(options, asyncio.run(build_graph(options, NoModel())), write)
    with open_model(options, choose_profile(options.model, context=options.context)) as llm:
        return _show(options, asyncio.run(_build(options, llm)), write)


async def _build(options: argparse.Namespace, llm: LLM) -> Opened:
    async with llm:
        return await build_graph(options, llm)


def _show(options: argparse.Namespace, opened: Opened, write: Write) -> int:
    write("\n".join([*described(opened.graph), ""]))
    write(f"{opened.calls} calls, {opened.new_calls} of them new\n" if opened.calls else "no calls\n")
    if options.graphml is not None:
        opened.graph.write_graphml(options.graphml)
        write(f"graphml: {options.graphml}\n")
    if options.figure is not None:
        from flowreader.graph_picture import draw_graph  # here, not above: only this needs matplotlib

        form = options.figure.suffix.lower().removeprefix(".")
        keep_file("--figure", options.figure, draw_graph(opened.graph, form))
        write(f"figure: {options.figure}\n")
    return 0
