"""What JUnit XML says of a test: its cause, its phone and its files as properties, and its files as attachments.

GitLab and Jenkins find attachments in ``[[ATTACHMENT|path]]`` lines of what a test printed, Bitrise in properties.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .attempts.attempt import BROKEN
from .printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from .triage.run_record import RunRow

PRINTED = "Captured stdout, files of the test"
"""Title of the section with the attachments. JUnit takes it for what the test printed, by its first words; a
terminal shows it beside nothing but a teardown that failed."""

_HEALTHY = frozenset({"passed", "recovered", "xpassed"})


def properties(rows: Sequence[RunRow], run_folder: Path, seen_from: Path) -> list[tuple[str, object]]:
    """Facts about one attempt; paths as seen from ``seen_from`` where they lie below it. A test with several
    phones has one ``device`` and one of each file a phone."""
    if not rows:
        return []
    found = [*_facts(rows[0])]
    for row in rows:
        found += [("device", row.device)]
        found += [(name, _seen(path, seen_from)) for name, path in _files(row, run_folder)]
        if row.outcome == "recovered" or row.outcome in BROKEN:
            found += [("recovered", line) for line in row.recovered]
    return [(name, printable(value, 1000)) for name, value in found if value]


def attachments(rows: Sequence[RunRow], run_folder: Path) -> list[Path]:
    """What to look at, the picture of a failure first, as some systems show no more than one."""
    found = [(row, name, path) for row in rows for name, path in _files(row, run_folder)]
    pictures = [path for row, name, path in found if name == "screenshot" and row.outcome in BROKEN]
    pages = [path for _, name, path in found if name in ("trace_html", "trace_zip")]
    return [*pictures, *pages]


def numbered(paths: Sequence[Path], xml_folder: Path) -> list[tuple[str, object]]:
    """The attachments as properties, seen from where the XML lies."""
    shown = [_seen(path, xml_folder) for path in paths]
    return [(f"attachment_{number}", printable(path, 4000)) for number, path in enumerate(shown, 1)]


def print_attachments(report: pytest.TestReport, paths: Sequence[Path], project: str = "") -> None:
    """Adds them to what the test printed, of which JUnit reads that of the teardown's report. GitLab wants them as
    seen from ``project``, the folder that its job has the repository in; others want the whole path."""
    if paths:
        shown = [_seen(path, Path(project)) if project else str(path) for path in paths]
        lines = "".join(f"[[ATTACHMENT|{printable(path, 4000)}]]\n" for path in shown)
        report.sections.append((PRINTED, lines))


def _facts(row: RunRow) -> Iterator[tuple[str, str]]:
    flaky = row.attempt > 0 and row.outcome in _HEALTHY
    yield "outcome", "flaky" if flaky else row.outcome
    yield "attempt", str(row.attempt + 1)
    if row.cause is not None:
        cause = row.cause
        yield from (("failure_class", cause.failure_class), ("failure_code", cause.failure_code))
        yield from (("target", cause.target), ("screen", cause.screen), ("crash", cause.crash))


def _files(row: RunRow, run_folder: Path) -> Iterator[tuple[str, Path]]:
    named = (
        ("trace_html", row.trace),
        ("trace_json", row.trace_json),
        ("trace_zip", row.trace_zip),
        ("screenshot", row.screenshot),
    )
    yield from ((name, Path(os.path.normpath(run_folder / path))) for name, path in named if path)


def _seen(path: Path, folder: Path) -> str:
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()
