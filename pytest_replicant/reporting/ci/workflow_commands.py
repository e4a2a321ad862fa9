"""GitHub's workflow commands: errors beside the lines they are about, and text that must not become a command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..failure_blocks import place
from ..printable import printable
from ..tally import broken_places, failing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..triage.run_record import RunRecord, RunRow

ANNOTATIONS = 10
"""Errors that GitHub shows of one step."""

_OLD = "##["
_LINE = re.compile(r"(.+):(\d+)")


def error_commands(run: RunRecord, prefix: str = "") -> list[str]:
    """One ``::error`` a failure, at most ``ANNOTATIONS``, every cause before a second test of one. ``prefix`` is
    where the run began, seen from the root of the repository."""
    by_cause = [broken_places(run, cause) for cause in failing(run)]
    deepest = max(map(len, by_cause), default=0)
    turns = [places[turn] for turn in range(deepest) for places in by_cause if turn < len(places)]
    return [_command(run.rows[at], prefix) for at in turns[:ANNOTATIONS]]


def defused(line: str) -> str:
    """A line that the runner prints and does not obey: it looks for ``::`` at the start and ``##[`` anywhere."""
    shown = line.replace(_OLD, "## [")
    return shown.replace("::", ": :", 1) if shown.lstrip().startswith("::") else shown


def _command(row: RunRow, prefix: str) -> str:
    named = ",".join(f"{name}={_property(value)}" for name, value in _properties(row, prefix))
    message = f"{row.nodeid}: {row.failure or row.outcome}"
    return f"::error {named}::{_data(_plain(message, 1000))}"


def _properties(row: RunRow, prefix: str) -> Iterator[tuple[str, str]]:
    found = _LINE.fullmatch(place(row)) or _LINE.fullmatch(row.location)
    if found is not None:
        yield from (("file", f"{prefix}{found[1]}"), ("line", found[2]))
    elif row.location:
        yield "file", f"{prefix}{row.location}"
    cause = row.cause
    kind = f"{cause.failure_class} {cause.failure_code}".strip() if cause is not None else ""
    yield "title", _plain(f"{row.outcome}: {kind}" if kind else row.outcome)


def _plain(text: str, longest: int = 200) -> str:
    return printable(text, longest).replace(_OLD, "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
