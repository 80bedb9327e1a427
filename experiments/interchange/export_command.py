"""A trace, recorded or imported, as a result file of the released KnowForge runner.

python -m experiments export M5.json --benchmark pocket-m3doc --model qwen2.5-coder-1.5b --system M5
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from common.paths import Workspace
from common.traces import TraceError
from experiments.interchange.files import export_file
from experiments.interchange.records import Names


def main(argv: Sequence[str], workspace: Workspace | None = None) -> int:
    """Write the file; a trace that does not exist is one line on stderr and code 2."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments export", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the result file to write")
    for name in ("benchmark", "model", "system"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args(argv)
    names = Names(options.benchmark, options.model, options.system)
    try:
        count = export_file(options.file, names, workspace or Workspace())
    except TraceError as error:
        print(f"TraceError: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{options.file}: cannot be written ({error}); name a file in a folder that may be", file=sys.stderr)
        return 2
    print(f"{options.file}: {count} records")
    return 0
