"""A run in a GitHub workflow: summary of the job, errors next to lines, and text that must not be a
command."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from ..kept_runs import RunRecord, RunRow, failing, test_of
from ..model.printable import preformatted, printable
from .run_text import broken_rows, place, summary_line

LIMIT = 1_048_576
"""Bytes that GitHub takes of one step; it shows nothing at all of more."""

_LINE = re.compile(r"(.+):(\d+)")


def step_summary(run: RunRecord, lines: Sequence[str]) -> str:
    """Markdown: the counts, and as plain text the lines that the terminal ends with."""
    head = f"### replicant: {summary_line(run)}\n"
    return f"{head}\n{preformatted(lines)}\n\n" if lines else head


ANNOTATIONS = 10
"""Errors that GitHub shows of one step."""

_OLD = "##["


def error_commands(run: RunRecord, prefix: str = "") -> list[str]:
    """One ``::error`` a failure, at most ``ANNOTATIONS``, every cause before a second test of one;
    of a replay one a test that did not end as expected. ``prefix`` is where the run began, seen
    from the root of the repository."""
    replayed = run.replay.unexpected if run.replay is not None else ()
    by_test = {test_of(row): row for row in reversed(run.rows)}
    ended = [(by_test[one.nodeid], one.sentence) for one in replayed if one.nodeid in by_test]
    turns = zip_longest(
        *([(row, cause) for row in broken_rows(run, cause)] for cause in failing(run))
    )
    found = [one for turn in turns for one in turn if one is not None]
    # Of tool trouble it says what became of the phone, and not in which call that came out.
    ended += [
        (row, (cause.title if row.outcome == "infra" else row.failure) or row.outcome)
        for row, cause in found
    ]
    return [_command(row, text, prefix) for row, text in ended[:ANNOTATIONS]]


def defused(line: str) -> str:
    """A line that the runner prints and does not obey: it looks for ``::`` at the start and ``##[``
    anywhere."""
    shown = line.replace(_OLD, "## [")
    return shown.replace("::", ": :", 1) if shown.lstrip().startswith("::") else shown


def _command(row: RunRow, said: str, prefix: str) -> str:
    known: dict[str, str] = {}
    found = _LINE.fullmatch(place(row)) or _LINE.fullmatch(row.location)
    if found is not None:
        known = {"file": f"{prefix}{found[1]}", "line": found[2]}
    elif row.location:
        known = {"file": f"{prefix}{row.location}"}
    kind = row.cause.kind if row.cause is not None and row.is_broken else ""
    known["title"] = _plain(f"{row.outcome}: {kind}" if kind else row.outcome)
    shown = {
        name: _data(printable(value)).replace(":", "%3A").replace(",", "%2C")
        for name, value in known.items()
    }
    named = ",".join(f"{name}={value}" for name, value in shown.items())
    return f"::error {named}::{_data(_plain(f'{row.nodeid}: {said}', 1000))}"


def _plain(text: str, longest: int = 200) -> str:
    return printable(text, longest).replace(_OLD, "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def is_here() -> bool:
    """Whether lines that are printed may be taken for commands."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def prefix_of(began_in: Path) -> str:
    """The folder from which pytest was started, seen from the root of the repository, as
    ``"apps/shop/"``."""
    root = os.environ.get("GITHUB_WORKSPACE", "")
    if not root or not began_in.is_relative_to(root):
        return ""
    shown = began_in.relative_to(root).as_posix()
    return "" if shown == "." else f"{shown}/"


def summarize(run: RunRecord, lines: Sequence[str]) -> None:
    """Adds the run to the summary of the job. Never more than GitHub takes: what does not fit next
    to what others wrote is cut between two lines. Raises ``OSError`` if the file cannot be
    written."""
    path = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return
    with open(path, "ab") as file:
        room = LIMIT - os.fstat(file.fileno()).st_size
        data = step_summary(run, lines).encode("utf-8", errors="replace")
        if len(data) > room:
            end = b"\n</pre>\n\nThere is more in the report of the run.\n\n"
            kept = data[: max(room - len(end), 0)].rpartition(b"\n")[0]
            data = kept + end if b"<pre>" in kept else b""
        file.write(data)
