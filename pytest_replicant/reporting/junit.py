"""What JUnit XML says of a test: its cause, its phone and its files as properties, and its files as attachments.

GitLab and Jenkins find attachments in ``[[ATTACHMENT|path]]`` lines of what a test printed, Bitrise in properties.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..stash import OPTIONS, RUN_ID
from .printable import as_seen_from, printable
from .report_rows import rows_of

if TYPE_CHECKING:
    from .triage.run_record import RunRow

PRINTED = "Captured stdout, files of the test"
"""Title of the section with the attachments. JUnit takes it for what the test printed, by its first words; a
terminal shows it beside nothing but a teardown that failed."""

RECOVERED = "recovered"
"""Name of the property of a recovered test. One a recovery."""


class JUnitProperties:
    """Registered in each process. JUnit reads the properties of the report of the teardown, and of the call where
    the teardown breaks as well; others may read them too."""

    def __init__(self, config: pytest.Config) -> None:
        self._run_folder = config.stash[OPTIONS].output / config.stash[RUN_ID]
        self._seen_from = config.invocation_params.dir
        xml = config.getoption("xmlpath", None)
        self._xml = Path(os.path.expandvars(xml)).expanduser().absolute() if xml else None
        self._rows: list[RunRow] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._rows.clear()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":  # on a worker, and again on its controller
            found = self._properties(rows_of(report))
            report.user_properties += [each for each in found if each not in report.user_properties]

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(self, report: pytest.TestReport, row: RunRow) -> None:
        earlier = self._properties(self._rows)
        self._rows.append(row)
        others = [each for each in report.user_properties if each not in earlier]
        report.user_properties = [*others, *self._properties(self._rows)]
        report.sections = [one for one in report.sections if one[0] != PRINTED]
        if self._xml:
            paths = attachments(self._rows, self._run_folder)
            print_attachments(report, paths, os.environ.get("CI_PROJECT_DIR", ""))

    def _properties(self, rows: Sequence[RunRow]) -> list[tuple[str, object]]:
        found = properties(rows, self._run_folder, self._seen_from)
        if not self._xml:
            return found
        return [*found, *numbered(attachments(rows, self._run_folder), self._xml.parent)]


def properties(rows: Sequence[RunRow], run_folder: Path, seen_from: Path) -> list[tuple[str, object]]:
    """Facts about one attempt; paths as seen from ``seen_from`` where they lie below it. A test with several
    phones has one ``device`` and one of each file a phone."""
    if not rows:
        return []
    from ..model import BROKEN

    found = [*_facts(rows[0])]
    for row in rows:
        found += [("device", row.device)]
        found += [(name, as_seen_from(path, seen_from).as_posix()) for name, path in _files(row, run_folder)]
        if row.outcome == "recovered" or row.outcome in BROKEN:
            found += [(RECOVERED, line) for line in row.recovered]
    return [(name, printable(value, 1000)) for name, value in found if value]


def reported_outcome(row: RunRow) -> str:
    """That of the attempt, and whether it took more than one to pass: for want of a phone, or otherwise."""
    from ..model import HEALTHY

    if row.attempt == 0 or row.outcome not in HEALTHY:
        return row.outcome
    return "flaky" if row.attempt > row.requeues else "requeued"


def attachments(rows: Sequence[RunRow], run_folder: Path) -> list[Path]:
    """What to look at, the picture of a failure first, as some systems show no more than one."""
    from ..model import BROKEN

    found = [(row, name, path) for row in rows for name, path in _files(row, run_folder)]
    pictures = [path for row, name, path in found if name == "screenshot" and row.outcome in BROKEN]
    pages = [path for _, name, path in found if name in ("trace_html", "trace_zip")]
    return [*pictures, *pages]


def numbered(paths: Sequence[Path], xml_folder: Path) -> list[tuple[str, object]]:
    """The attachments as properties, seen from where the XML lies."""
    shown = [as_seen_from(path, xml_folder).as_posix() for path in paths]
    return [(f"attachment_{number}", printable(path, 4000)) for number, path in enumerate(shown, 1)]


def print_attachments(report: pytest.TestReport, paths: Sequence[Path], project: str = "") -> None:
    """Adds them to what the test printed, of which JUnit reads that of the teardown's report. GitLab wants them as
    seen from ``project``, the folder that its job has the repository in; others want the whole path."""
    if paths:
        shown = [as_seen_from(path, Path(project)).as_posix() if project else str(path) for path in paths]
        lines = "".join(f"[[ATTACHMENT|{printable(path, 4000)}]]\n" for path in shown)
        report.sections.append((PRINTED, lines))


def _facts(row: RunRow) -> Iterator[tuple[str, str]]:
    yield "outcome", reported_outcome(row)
    yield "attempt", str(row.attempt + 1)
    yield "lost_phone", row.lost.partition("\n")[0]
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
