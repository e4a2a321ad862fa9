"""``replicant triage``: why tests failed, over the artifacts of one run or of many."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from .process import (
    TROUBLE,
    argument,
    code_of,
    command,
    either,
    existing,
    flag,
    print_json,
    print_text,
)

if TYPE_CHECKING:
    from ..reporting.triage.runs import Found
    from ..reporting.triage.summary import Summary

DURATIONS = "test_durations.json"
"""What pytest-split reads as ``--durations-path``."""


@command(
    "triage",
    "say why tests failed, over the reports of many runs",
    "Reads every run.json below the folders: reports, shards of one, downloaded artifacts. "
    "Says how each test stands, which failures have one cause, and where a failing test "
    "parted from its last pass. Exit codes: 0 nothing failed, or with --flaky no test is "
    "flaky, 1 failures or flaky tests, 2 usage, 3 as 0, but not all could be read.",
    argument("folders", "DIR", "where reports lie, at any depth", nargs="+"),
    argument("--baseline", "DIR", "look for the last pass of a test there as well"),
    flag("--flaky", "the tests that fail now and then, by cause, instead"),
    either(
        flag("--json", "one JSON object, replicant.triage/1"),
        flag("--markdown", "Markdown, for a comment on a pull request"),
    ),
    argument(
        "--output",
        "DIR",
        "write the runs as one there too: run.json, index.html with links, history.json, "
        f"{DURATIONS}",
    ),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the summary. Raises ``UsageError``."""
    from ..model.printable import preformatted
    from ..reporting.run_text import flaky_table, triage_lines
    from ..reporting.triage.runs import MERGED, find_runs, joined
    from ..reporting.triage.summary import summary_of

    passes = [
        existing(name, Path.is_dir, f"triage reads folders, and {name!r} is none")
        for name in (*arguments.folders, arguments.baseline)
        if name is not None
    ]
    roots = passes[: len(arguments.folders)]
    found = joined(find_runs(roots))
    if not found.runs and not (arguments.flaky and found.kept):
        return _nothing(found, arguments.folders)
    digest = hashlib.sha256(
        "\n".join(run.run_id for run in found.runs).encode("utf-8", "backslashreplace")
    )
    # the same for the same runs, and safe as the name of a folder
    run_id = f"{MERGED}{digest.hexdigest()[:12]}"
    output = Path(arguments.output).absolute() if arguments.output is not None else None
    summary = summary_of(found, run_id, output / run_id if output else Path.cwd(), passes)
    warnings = _written(summary, output) if output else ()
    lines = flaky_table(summary) if arguments.flaky else triage_lines(summary)
    if arguments.json:
        print_json(summary.to_dict())
    else:
        print_text(preformatted(lines) if arguments.markdown else "\n".join(lines))
    if warnings:
        sys.stderr.write(f"replicant: {'; '.join(warnings)}\n")
        return TROUBLE
    finding = summary.merged.flaky if arguments.flaky else summary.failed
    return code_of(finding, found.troubles)


def _written(summary: Summary, output: Path) -> Sequence[str]:
    """What could not be."""
    from ..kept_runs import test_of
    from ..kept_runs.whole_file import write_whole
    from ..model import WrongSchema
    from ..reporting.pages.index_page import write_run
    from ..reporting.triage.history import FILE_NAME, remember

    warnings = [*write_run(summary.merged, output).warnings]
    took = {test_of(row): row.duration_ms / 1000 for row in summary.merged.rows if not row.lost}
    try:
        write_whole(output / DURATIONS, json.dumps(took).encode("ascii"))
        _, problem = remember(summary.history, output / FILE_NAME)
        warnings += [problem] if problem else []
    except (OSError, WrongSchema) as error:
        warnings.append(f"{output}: no history: {getattr(error, 'strerror', None) or error}")
    return warnings


def _nothing(found: Found, folders: Sequence[str]) -> int:
    from ..model.printable import printable

    named = ", ".join(map(repr, folders))
    if not found.troubles:
        raise UsageError(
            f"no run.json of ours below {named}. A test run writes one below --replicant-output "
            "(replicant-report by default), where its trace is not off."
        )
    lines = [f"  {printable(line)}\n" for line in found.troubles]
    sys.stderr.write(f"replicant: no run could be read below {named}\n{''.join(lines)}")
    return TROUBLE
