"""The page that GitHub shows of a job step: counts, causes, and the failures with their traces.

Text of apps and tests stands in HTML of our own, where Markdown means nothing, and in ``<code>``, where nobody is
mentioned.
"""

from __future__ import annotations

import html
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..failure_blocks import opens, place, shared_facts
from ..printable import counted, printable
from ..tally import broken_places, failing, summary_line
from ..triage.run_record import in_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..triage.run_record import CauseGroup, RunRecord, RunRow

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
    if causes:
        parts.append(
            _table(("outcome", "cause", "tests"), [_cause(run, each, folder, source_url) for each in causes])
        )
    for outcome in ("flaky", "requeued"):
        tests = [result.nodeid for result in run.results if result.outcome == outcome]
        parts += _folded(f"{len(tests)} {outcome}", tests)
    lost = in_trouble(run.phones)
    parts += _folded(f"{counted(len(lost), 'phone')} in trouble", lost)
    if folder is not None:
        parts.append(
            f"<p>Report: {_code((folder / 'index.html').as_posix())} among the artifacts of this job.</p>\n"
        )
    return "\n".join(parts) + "\n"


def _folded(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    items = [f"<li>{_code(line)}</li>" for line in lines[:LISTED]]
    more = [f"<li>and {len(lines) - LISTED} more</li>"] if len(lines) > LISTED else []
    return [f"<details><summary>{title}</summary><ul>{''.join([*items, *more])}</ul></details>\n"]


def append_summary(path: str, text: str) -> None:
    """Never more than GitHub takes: what does not fit beside what others wrote is cut between two rows. Raises
    ``OSError``."""
    with open(path, "ab") as file:
        room = LIMIT - os.fstat(file.fileno()).st_size
        file.write(_within(text, room))


def _within(text: str, room: int) -> bytes:
    data = text.encode("utf-8", errors="replace")
    if len(data) <= room:
        return data
    end = b"</table>\n\nThere is more in the report of the run.\n\n"
    kept = data[: max(room - len(end), 0)].rpartition(b"</tr>\n")
    return kept[0] + kept[1] + end if kept[1] else b""


def _table(heads: tuple[str, ...], rows: list[list[str]]) -> str:
    """Without an empty line, which would end the HTML."""
    shown = [
        heads_row(heads),
        *("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[:LISTED]),
    ]
    if len(rows) > LISTED:
        shown.append(f"<tr><td colspan={len(heads)}>and {len(rows) - LISTED} more</td></tr>")
    return "<table>\n" + "\n".join(shown) + "\n</table>\n"


def heads_row(heads: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"


def _cause(run: RunRecord, cause: CauseGroup, folder: Path | None, source_url: str) -> list[str]:
    rows = [run.rows[at] for at in broken_places(run, cause)]
    facts = cause.cause
    kind = f"{facts.failure_class} {facts.failure_code}".strip()
    told = [_code(cause.title), kind]
    told += [f"{name}: {_code(fact)}" for name, fact in shared_facts(rows)]
    tests = ["<br>".join(_test(row, folder, source_url)) for row in rows[:LISTED]]
    if len(rows) > LISTED:
        tests.append(f"and {len(rows) - LISTED} more")
    return [html.escape(rows[0].outcome), "<br>".join(told), "<br>".join(tests)]


def _test(row: RunRow, folder: Path | None, source_url: str) -> Iterator[str]:
    yield _code(row.nodeid)
    found = _LINE.fullmatch(place(row)) or _LINE.fullmatch(row.location)
    if found is not None:
        shown = _code(f"{found[1]}:{found[2]}")
        address = f"{source_url}{quote(found[1])}#L{found[2]}" if source_url else ""
        yield f'at <a href="{html.escape(address)}">{shown}</a>' if address else f"at {shown}"
    trace = opens(row, folder)
    if trace:
        yield f"open {_code(trace)}"


def _code(text: str) -> str:
    return f"<code>{html.escape(printable(text, 300))}</code>"
