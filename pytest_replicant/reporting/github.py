"""A run in a GitHub workflow: summary of the job, errors next to lines, and text that must not be a command."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

from ..kept import CauseGroup, ReplayedTest, RunRecord, RunRow, failing, test_of
from .printable import counted, few, in_trouble, left_out, printable
from .run_text import (
    HOLDS,
    again,
    broken_rows,
    numbered,
    opens,
    outcome_and_kind,
    own_facts,
    place,
    replay_groups,
    shared_facts,
    summary_line,
)

LIMIT = 1_048_576
"""Bytes that GitHub takes of one step; it shows nothing at all of more."""

LISTED = 50
"""Causes, and tests of one cause, that the page shows."""

_LINE = re.compile(r"(.+):(\d+)")


def step_summary(run: RunRecord, folder: Path | None, source_url: str = "") -> str:
    """Markdown. ``folder`` is the run's as seen from where it began; ``source_url`` begins the address of a file
    of the repository at this commit, "" where that is not known."""
    parts = [f"### replicant: {summary_line(run)}\n"]
    causes = failing(run)
    parts += _table("cause", [_cause(run, each, folder, source_url) for each in causes[:LISTED]], causes)
    groups = replay_groups(run.replay.tests) if run.replay is not None else []
    telling = [own for own in groups if own[0].verdict != HOLDS or not own[0].is_as_wanted]
    parts += _table("replay", [_replayed(run, own, folder, source_url) for own in telling[:LISTED]], telling)
    holding = [one.nodeid for own in groups if own not in telling for one in own]
    parts += _folded(numbered(len(holding), HOLDS), holding)
    for outcome in ("flaky", "known flaky", "requeued"):
        tests = [result.nodeid for result in run.results if result.outcome == outcome]
        parts += _folded(f"{len(tests)} {outcome}", tests)
    lost = in_trouble(run.phones)
    parts += _folded(f"{counted(len(lost), 'phone')} in trouble", lost)
    if folder is not None:
        parts.append(
            f"<p>Report: {_code((folder / 'index.html').as_posix())} among the artifacts of this job.</p>\n"
        )
    return "\n".join(parts) + "\n"


def _table(title: str, rows: list[str], found: Sequence[object]) -> list[str]:
    """``rows`` are of the first ones that were ``found``. Without an empty line, which would end the HTML."""
    if not rows:
        return []
    more = [f"<td colspan=3>{line}</td>" for line in left_out(found, LISTED)]
    head = f"<th>outcome</th><th>{title}</th><th>tests</th>"
    return ["\n".join(["<table>", *(f"<tr>{row}</tr>" for row in (head, *rows, *more)), "</table>\n"])]


def _folded(title: str, lines: list[str]) -> list[str]:
    items = "".join(f"<li>{line}</li>" for line in few([*map(_code, lines)], LISTED))
    return [f"<details><summary>{title}</summary><ul>{items}</ul></details>\n"] if lines else []


def append_summary(path: str, text: str) -> None:
    """Never more than GitHub takes: what does not fit next to what others wrote is cut between two rows. Raises
    ``OSError``."""
    with open(path, "ab") as file:
        room = LIMIT - os.fstat(file.fileno()).st_size
        data = text.encode("utf-8", errors="replace")
        if len(data) > room:
            end = b"</table>\n\nThere is more in the report of the run.\n\n"
            kept = data[: max(room - len(end), 0)].rpartition(b"</tr>\n")
            data = kept[0] + kept[1] + end if kept[1] else b""
        file.write(data)


def _cause(run: RunRecord, cause: CauseGroup, folder: Path | None, source_url: str) -> str:
    rows = broken_rows(run, cause)
    outcome, kind = outcome_and_kind(rows)
    shared = dict(shared_facts(rows))
    about = [_code(cause.title), kind, *_named(shared.items())]
    command, note = again(rows)
    about += [f"run again{note}: {_code(command, len(command))}"] if command else []
    shown = ([*_test(row, folder, source_url), *_named(own_facts(row, shared))] for row in rows)
    tests = few([*map("<br>".join, shown)], LISTED)
    return "".join(f"<td>{cell}</td>" for cell in (outcome, "<br>".join(about), "<br>".join(tests)))


def _named(facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name}: {_code(fact, 600)}" for name, fact in facts)


def _replayed(run: RunRecord, tests: Sequence[ReplayedTest], folder: Path | None, source_url: str) -> str:
    first = tests[0]
    about = [_code(line, 600) for line in first.sentence.splitlines()]
    about += [] if first.is_as_wanted else [f"expected: {first.wanted}"]
    rows = [row for one in tests if (row := _row_of(run, one)) is not None]
    shown = few(["<br>".join(_test(row, folder, source_url)) for row in rows], LISTED)
    return "".join(f"<td>{cell}</td>" for cell in (first.verdict, "<br>".join(about), "<br>".join(shown)))


def _row_of(run: RunRecord, test: ReplayedTest) -> RunRow | None:
    return next((row for row in run.rows if test_of(row) == test.nodeid), None)


def _test(row: RunRow, folder: Path | None, source_url: str) -> Iterator[str]:
    yield _code(row.nodeid)
    found = _line_of(row)
    if found is not None:
        shown = _code(f"{found[1]}:{found[2]}")
        address = f"{source_url}{quote(found[1])}#L{found[2]}" if source_url else ""
        yield f'at <a href="{html.escape(address)}">{shown}</a>' if address else f"at {shown}"
    trace = opens(row, folder)
    if trace:
        yield f"open {_code(trace)}"


def _line_of(row: RunRow) -> re.Match[str] | None:
    """The file and the line of what failed."""
    return _LINE.fullmatch(place(row)) or _LINE.fullmatch(row.location)


def _code(text: str, longest: int = 300) -> str:
    return f"<code>{html.escape(printable(text, longest))}</code>"


ANNOTATIONS = 10
"""Errors that GitHub shows of one step."""

_OLD = "##["


def error_commands(run: RunRecord, prefix: str = "") -> list[str]:
    """One ``::error`` a failure, at most ``ANNOTATIONS``, every cause before a second test of one; of a replay one
    a test that did not end as expected. ``prefix`` is where the run began, seen from the root of the
    repository."""
    replayed = run.replay.unexpected if run.replay is not None else ()
    ended = [(row, one.sentence) for one in replayed if (row := _row_of(run, one)) is not None]
    turns = zip_longest(*([(row, cause) for row in broken_rows(run, cause)] for cause in failing(run)))
    found = [one for turn in turns for one in turn if one is not None]
    said = [*ended, *((row, _said(row, cause)) for row, cause in found)]
    return [_command(row, text, prefix) for row, text in said[:ANNOTATIONS]]


def defused(line: str) -> str:
    """A line that the runner prints and does not obey: it looks for ``::`` at the start and ``##[`` anywhere."""
    shown = line.replace(_OLD, "## [")
    return shown.replace("::", ": :", 1) if shown.lstrip().startswith("::") else shown


def _said(row: RunRow, cause: CauseGroup) -> str:
    """Of tool trouble it says what became of the phone, and not in which call that came out."""
    return (cause.title if row.outcome == "infra" else row.failure) or row.outcome


def _command(row: RunRow, said: str, prefix: str) -> str:
    named = ",".join(f"{name}={_property(value)}" for name, value in _properties(row, prefix))
    message = f"{row.nodeid}: {said}"
    return f"::error {named}::{_data(_plain(message, 1000))}"


def _properties(row: RunRow, prefix: str) -> Iterator[tuple[str, str]]:
    found = _line_of(row)
    if found is not None:
        yield from (("file", f"{prefix}{found[1]}"), ("line", found[2]))
    elif row.location:
        yield "file", f"{prefix}{row.location}"
    kind = row.cause.kind if row.cause is not None and row.is_broken else ""
    yield "title", _plain(f"{row.outcome}: {kind}" if kind else row.outcome)


def _plain(text: str, longest: int = 200) -> str:
    return printable(text, longest).replace(_OLD, "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")


class GitHub:
    """``began_in`` is the folder from which pytest was started, ``environment`` the variables of the job."""

    def __init__(self, began_in: Path, environment: Mapping[str, str] = os.environ) -> None:
        self._began_in = began_in
        self._environment = environment

    @property
    def is_here(self) -> bool:
        """Whether lines that are printed may be taken for commands."""
        return self._environment.get("GITHUB_ACTIONS") == "true"

    def errors(self, run: RunRecord) -> list[str]:
        return error_commands(run, self._prefix()) if self.is_here else []

    def summarize(self, run: RunRecord, folder: Path | None) -> None:
        """Raises ``OSError`` where the file cannot be written."""
        path = self._environment.get("GITHUB_STEP_SUMMARY", "")
        if path:
            append_summary(path, step_summary(run, folder, self._source_url()))

    def _prefix(self) -> str:
        """Where the run began, seen from the root of the repository, as ``"apps/shop/"``."""
        root = self._environment.get("GITHUB_WORKSPACE", "")
        if not root or not self._began_in.is_relative_to(root):
            return ""
        shown = self._began_in.relative_to(root).as_posix()
        return "" if shown == "." else f"{shown}/"

    def _source_url(self) -> str:
        names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
        server, repository, commit = (self._environment.get(name, "") for name in names)
        if not (server and repository and commit):
            return ""
        return f"{server}/{repository}/blob/{commit}/{self._prefix()}"
