"""``replicant zip``: a trace for Playwright's viewer, of a test that left none."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ..errors import UsageError
from .process import argument, command, print_text


@command(
    "zip",
    "make trace.zip, for Playwright's trace viewer, of a test that passed",
    "Tests that failed or were recovered have a trace.zip; of another one it is made here, of its "
    "files and the pictures of its run. Exit codes: 0 written, 2 usage, 3 it could not be written.",
    argument("trace", "FOLDER", "the folder of the test, or a file in it: trace.html"),
    argument("--output", "FILE", "where to write it: trace.zip in that folder"),
)
def run(arguments: argparse.Namespace) -> int:
    """Writes the archive and prints its path. Raises ``UsageError`` and ``OSError``."""
    from ..kept_runs.whole_file import write_whole
    from ..reporting.trace_files import zip_of

    named = Path(arguments.trace)
    try:
        folder = named if named.is_dir() else named.parent
        data = zip_of(folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{arguments.trace!r} leads to no trace that can be read: {reason}"
        ) from None
    target = Path(arguments.output) if arguments.output is not None else folder / "trace.zip"
    write_whole(target, data)
    print_text(f"{target}\nOpen it: npx playwright show-trace {shlex.quote(str(target))}")
    return 0
