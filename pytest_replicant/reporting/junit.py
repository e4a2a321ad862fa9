"""What JUnit XML says of a test: its cause, its phone and its files as properties, its files as
attachments, and its earlier attempts within the test case of the last one.

GitLab and Jenkins find attachments in ``[[ATTACHMENT|path]]`` lines of what a test printed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..model import first_line
from ..model.printable import as_seen_from, plain_text, printable
from ..options.marks import case_id
from ..pytest_private import JUnitXml, outermost, summary_of
from ..running import ASKED, OPTIONS, REQUEUED, RUN_ID, SECRETS
from .attempts.attempt import FAILED_THEN, VERDICT
from .report_rows import rows_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ..kept_runs import RunRow

PRINTED = "Captured stdout, files of the test"
"""Title of the section with the attachments. JUnit takes it for what the test printed, by its first
words; a terminal shows it next to nothing but a teardown that failed."""

Property = tuple[str, object]
RECOVERED = "recovered"
"""Name of the property of a recovered test. One a recovery."""


class JUnitProperties:
    """Registered in each process. JUnit reads the properties of the report of the teardown, and of
    the call where the teardown breaks as well; others may read them too."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._seen_from = config.invocation_params.dir
        self._writes_xml = bool(config.getoption("xmlpath", None))
        self._rows: list[RunRow] = []
        self._clean = config.stash[SECRETS].text

    @property
    def _run_folder(self) -> Path:
        """That of a replay has its name only once all is registered."""
        return self._config.stash[OPTIONS].output / self._config.stash[RUN_ID]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """The cases that a test covers are facts of any test, with a phone or without."""
        self._rows.clear()
        cases = case_properties(self._clean(case_id(item)))
        item.user_properties.extend(each for each in cases if each not in item.user_properties)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":  # on a worker, and again on its controller
            found = self._properties(rows_of(report))
            report.user_properties.extend(
                each for each in found if each not in report.user_properties
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(self, report: pytest.TestReport, row: RunRow) -> None:
        earlier = self._properties(self._rows)
        self._rows.append(row)
        found = self._properties(self._rows)
        others = [each for each in report.user_properties if each not in (*earlier, *found)]
        report.user_properties = [*others, *found]
        report.sections = [one for one in report.sections if one[0] != PRINTED]
        paths = attachments(self._rows, self._run_folder) if self._writes_xml else ()
        if paths:
            # GitLab wants them as seen from the folder that its job has the repository in, others
            # the whole path.
            project = os.environ.get("CI_PROJECT_DIR", "")
            shown = list(map(str, paths))
            if project:
                shown = [as_seen_from(path, Path(project)).as_posix() for path in paths]
            lines = "".join(f"[[ATTACHMENT|{printable(path, 4000)}]]\n" for path in shown)
            report.sections.append((PRINTED, lines))

    def _properties(self, rows: Sequence[RunRow]) -> list[Property]:
        return properties(rows, self._run_folder, self._seen_from)


def properties(rows: Sequence[RunRow], run_folder: Path, seen_from: Path) -> list[Property]:
    """Facts about one attempt; paths as seen from ``seen_from`` where they lie below it. A test
    with several phones has one ``device`` and one of each file a phone."""
    if not rows:
        return []
    from ..kept_runs import reported_outcome

    first = rows[0]
    found = [
        ("outcome", reported_outcome(first)),
        ("attempt", str(first.attempt + 1)),
        ("lost_phone", first_line(first.lost)),
    ]
    if first.cause is not None:
        found += first.cause.named("failure_class", "failure_code", "target", "screen", "crash")
    for row in rows:
        found.append(("device", row.device))
        for name, path in _files(row, run_folder):
            found.append((name, as_seen_from(path, seen_from).as_posix()))
        if row.outcome == "recovered" or row.is_broken:
            found += [(RECOVERED, line) for line in row.recovered]
    shown = [(name, printable(value, 1000)) for name, value in found if value]
    return [*case_properties(first.case_id), *shown]


def case_properties(case_id: str) -> Iterator[Property]:
    """The ids by the names that readers look for: TestRail's takes several, Xray's takes one."""
    ids = case_id.split(", ") if case_id else []
    for one in ids:
        yield "id", printable(one, 1000)
    if testrail := [one for one in ids if re.fullmatch(r"C[0-9]+", one)]:
        yield "test_id", ", ".join(testrail)
    for one in [one for one in ids if re.fullmatch(r"[A-Z][A-Z0-9_]*-[0-9]+", one)][:1]:
        yield "test_key", one


def attachments(rows: Sequence[RunRow], run_folder: Path) -> list[Path]:
    """What to look at, the picture of a failure first, as some systems show no more than one."""
    found = [(row, name, path) for row in rows for name, path in _files(row, run_folder)]
    pictures = [path for row, name, path in found if name == "screenshot" and row.is_broken]
    return pictures + [path for _, name, path in found if name in ("trace_html", "trace_zip")]


def _files(row: RunRow, run_folder: Path) -> Iterator[tuple[str, Path]]:
    paths = {
        "trace_html": row.trace,
        "trace_json": row.trace_json,
        "trace_zip": row.trace_zip,
        "screenshot": row.screenshot,
    }
    for name, path in paths.items():
        if path:
            yield name, Path(os.path.normpath(run_folder / path))


# --- one test case a test: its earlier attempts as readers of JUnit XML know reruns ---------------

_ORDER = (
    "properties", "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError",
    "flakyError", "system-out", "system-err",
)  # fmt: skip
"""Children of a test case as Surefire's schema has them; that of Jenkins' xUnit plugin takes any
order."""

_PRINTED = ("system-out", "system-err")
_BROKEN = ("failed", "rerun")
_KEPT = {"trace_html": "earlier_trace_html", "lost_phone": "lost_phone"}


@dataclass
class _Attempt:
    """``failure`` is the first report that was not well, ``cases`` what pytest made of them all,
    ``outcomes`` those of its rows. ``lost`` says that a phone's loss ended it, so that it says
    nothing about the test; ``replayed`` is the report of a replay with its verdict."""

    failure: pytest.TestReport | None = None
    replayed: pytest.TestReport | None = None
    rerun: bool = False
    lost: bool = False
    outcomes: frozenset[str] = frozenset()
    cases: list[Element] = field(default_factory=list)

    def take(self, report: pytest.TestReport) -> None:
        self.outcomes = frozenset(row.outcome for row in rows_of(report)) or self.outcomes
        self.replayed = report if hasattr(report, VERDICT) else self.replayed
        if report.outcome in _BROKEN:
            self.rerun |= report.outcome != "failed"
            self.lost |= hasattr(report, REQUEUED)
            self.failure = self.failure or report

    @property
    def is_error(self) -> bool:
        """Whether it was the trouble of a phone, a tool, a fixture or the process."""
        if self.outcomes:
            return not self.outcomes.isdisjoint({"infra", "error"})
        return self.failure is not None and self.failure.when != "call"


class JUnitAttempts:
    """Registered where JUnit XML is written. Of a run in which a test asked for a phone each test
    is one test case: pytest writes nothing of an earlier attempt but that it was, which is read as
    a pass."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._by_worker = config.getoption("dist", "no") == "each"  # each of them runs every test
        self._about_phones = False
        self._open: dict[tuple[str, object], _Attempt] = {}
        self._tests: dict[tuple[str, object], list[list[_Attempt]]] = {}

    @cached_property
    def _xml(self) -> JUnitXml:
        return JUnitXml(self._config)

    @outermost
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        self._about_phones |= hasattr(report, ASKED) or bool(rows_of(report))
        worker: object = getattr(report, "node", None)
        attempt = self._open.setdefault((report.nodeid, worker), _Attempt())
        attempt.take(report)
        if report.when != "teardown":
            return (yield)
        del self._open[report.nodeid, worker]
        with self._xml.cases_of(report) as attempt.cases:
            yield
        runs = self._tests.setdefault((report.nodeid, worker if self._by_worker else None), [])
        if not runs or not runs[-1][-1].rerun:
            runs.append([])  # the same test once more, which is no rerun: it was named twice
        runs[-1].append(attempt)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Before pytest writes the file."""
        if not self._about_phones:
            return
        dropped: list[Element] = []
        for runs in self._tests.values():
            for *earlier, last in runs:
                correct_cases(last)
                add_attempts(last, earlier)
                dropped += [case for one in earlier for case in one.cases]
        self._xml.drop({id(case) for case in dropped})


def correct_cases(attempt: _Attempt) -> None:
    """Trouble that says nothing about the app is an error; what failed has a type; a test is not
    skipped for a part that was, where another one failed; and one that was never run again has
    failed."""
    if attempt.replayed is not None:
        correct_replayed(attempt.cases, attempt.replayed)
    if attempt.rerun and attempt.failure is not None:
        attempt.cases[0].append(_failure("failure", attempt.failure))
    for case in attempt.cases:
        broken = [child for child in case if child.tag in ("failure", "error")]
        for child in broken:
            child.tag = "error" if attempt.is_error else child.tag
            child.set(
                "type", _exception(re.sub(r'^failed on \w+ with "', "", child.get("message", "")))
            )
        if broken:
            for child in case.findall("skipped"):
                case.remove(child)
        for printed in filter(None, map(case.findall, _PRINTED)):  # readers look for one
            printed[0].text = "".join(each.text or "" for each in printed)
            for more in printed[1:]:
                case.remove(more)
        _sort(case)


def correct_replayed(cases: Sequence[Element], report: pytest.TestReport) -> None:
    """The verdict of a replay, once, with what failed, in a ``<skipped>``: readers count neither a
    pass nor a failure. Its time is none: it is no measure of the test."""
    ended = getattr(report, VERDICT)
    failed = [text for title, text in report.sections if title == FAILED_THEN]
    for case in cases:
        case.set("time", "0.000")
        first, *more = case.findall("skipped") or [_child(case, "skipped")]
        for one in more:
            case.remove(one)
        message = f"{ended['verdict']} {ended['sentence']}"
        first.set("type", f"replicant.{ended['verdict'].partition(' ')[0]}")
        first.set("message", printable(first_line(message), 1000))
        first.text = plain_text("\n\n".join([message, *failed]))


def add_attempts(last: _Attempt, earlier: Iterable[_Attempt]) -> None:
    """The failures of earlier attempts in the test case of the last one, and where their traces
    are."""
    case = last.cases[0]
    kind = "rerun" if last.failure is not None else "flaky"
    for attempt in earlier:
        for before in attempt.cases:
            for one in before.iter("property"):
                if name := _KEPT.get(one.get("name", "")):
                    held = case.find("properties")
                    held = _child(case, "properties") if held is None else held
                    _child(held, "property", name=name, value=one.get("value", ""))
        if attempt.failure is None or attempt.lost:
            continue
        found = _failure(
            f"{kind}{'Error' if attempt.is_error else 'Failure'}", attempt.failure, "stackTrace"
        )
        for name in _PRINTED:
            printed = [child.text or "" for one in attempt.cases for child in one.findall(name)]
            if any(printed):
                _child(found, name).text = "\n".join(printed)
        case.append(found)
    _sort(case)


def _failure(tag: str, report: pytest.TestReport, part: str = "") -> Element:
    """``part`` is the child that the error stands in."""
    from xml.etree.ElementTree import Element

    summary = summary_of(report)
    found = Element(tag, message=printable(first_line(summary), 1000), type=_exception(summary))
    (_child(found, part) if part else found).text = plain_text(str(report.longrepr or ""))
    return found


def _child(owner: Element, tag: str, **attributes: str) -> Element:
    from xml.etree.ElementTree import SubElement

    return SubElement(owner, tag, attributes)


def _sort(case: Element) -> None:
    case[:] = sorted(case, key=lambda child: (*_ORDER, child.tag).index(child.tag))


def _exception(message: str) -> str:
    """The class that a message begins with; that of a plain ``assert`` says none."""
    found = re.match(r'([A-Za-z_][\w.]*)(?:[:\n"]|$)', message)
    return found[1] if found else "AssertionError" if message.startswith("assert ") else "unknown"
