"""Traces in the result that allure-pytest keeps of the running test, and what Allure finds that
test by."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import uuid4

import pytest
from allure_commons import model2, plugin_manager
from allure_commons.model2 import ATTACHMENT_PATTERN, Label, Link, Parameter, StatusDetails

from ...drivers import device_name
from ...errors import ActionFailed, SoftFailures, what_happened
from ...kept_runs import FLAKY, REQUEUED, RunRow, reported_outcome
from ...model import BROKEN, VERDICTS, Attachment, LooksRecord, TestTrace, TraceEvent
from ...model.printable import as_seen_from, one_line, plain_text
from ...pytest_private import HookWrapper, ReportWrapper, outermost
from ...running import SECRETS
from ..artifacts.pictures import address
from ..artifacts.storage import NEWS, attachment_file_name, epoch_ms
from ..attempts.attempt import FAILED_THEN, VERDICT, attempt_of
from ..findings import recoverable, recovered, unverified
from ..trace_files import TraceFiles
from ..triage.cause import cause_of_trace
from .public import attach_file, begun_result, hook, link_pattern, results_folder
from .steps import StepTree, walk

OUTCOME = "replicant_outcome"
"""Label of outcomes that Allure has no status for: recovered, infra, error, xfailed, xpassed, and
the verdicts of a replay."""

ATTEMPT = "replicant_attempt"
"""Hidden parameter of a result that has a cause: which attempt it is of, until the title of the
cause is known."""

BEGUN = "replicant_allure"
"""Attribute of the report of a setup on a worker: the result as allure-pytest begins it, in JSON,
for the controller to write should the worker die."""

CLASS, CODE, SCREEN = "failure_class", "failure_code", "screen"
"""Labels, which have the names of the facts of a ``Cause``."""
CAUSE = "cause"
"""Label with the title of the cause, which is known once the run has ended."""

CASE = "case_id"
TMS, TRACE = "tms", "trace"
"""Kinds of links: to a test case, as ``allure.testcase`` has it, and to ``trace.html``."""

REPLAY = "-replay"
"""How the ids of a replay end, which are those of its test otherwise."""

_encode = (
    json.JSONEncoder().encode
)  # while the report is made, a test's replacement of json.dumps is in force
_STATUSES = frozenset({"passed", "failed", "skipped"})


class _Part(NamedTuple):
    """The setup or the finalizers of one fixture: the ``befores`` or ``afters`` of its container.
    ``start`` and ``end`` say how many events each phone of the test had had by then."""

    fixture: str
    kind: str
    start: list[int]
    end: list[int]

    def events(self, phone: int) -> range:
        start, end = ((*counts, *[0] * (phone + 1))[phone] for counts in (self.start, self.end))
        return range(start, end)


class AllureResults:
    """Registered in each process that runs tests, with pytest and with Allure: all that is known of
    a test goes into its result when allure-pytest reports that. It reports the fixtures of a test
    as they are torn down; of a test with a phone, their setup and finalizers are reported when the
    trace is complete."""

    def __init__(self, config: pytest.Config) -> None:
        self._redactor = config.stash[SECRETS]
        self._on_worker = hasattr(config, "workerinput")
        self._seen_from = config.invocation_params.dir
        self._patterns = {kind: link_pattern(config, kind) for kind in (TMS, TRACE)}
        self._folder = results_folder(config)
        self._phones = 0
        self._ours: set[int] = set()
        self._changes: list[Callable[[Any], None]] = []  # of the result of the test that runs
        self._item: pytest.Item | None = None
        self._parts: list[_Part] = []
        self._holds = False
        self._held: list[Any] = []
        self._ended: list[int] = []  # what had happened when the fixture before was torn down

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._item = item
        self._parts.clear()
        self._phones = 0
        self._ours.clear()

    @outermost
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        """The first phase that breaks decides about the status."""
        report = yield
        attempt = attempt_of(item)
        broken = any(phase.outcome in BROKEN for phase in attempt.phases)
        if call.excinfo is not None and not attempt.calling and not broken:
            self._changes.append(partial(correct_status, error=call.excinfo.value))
        if hasattr(report, VERDICT) and not attempt.calling:
            self._changes.append(partial(show_verdict, report=report))
        if report.when == "setup" and self._on_worker:
            with suppress(Exception):  # a parameter that cannot be shown
                setattr(report, BEGUN, _encode(begun_result(item, self._redactor)))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(
        self, report: pytest.TestReport, trace: TestTrace, files: TraceFiles | None, row: RunRow
    ) -> None:
        self._phones += 1
        phone = self._phones
        stored = dict(files.screenshots) if files else {}
        shown: set[Path] = set()
        steps: list[tuple[Any, Any]] = []  # each with the setup or finalizer that it was in
        runs = groupby(enumerate(trace.events), lambda one: self.around(phone - 1, one[0]))
        for owner, run in runs:
            tree = StepTree(replace(trace, events=tuple(event for _, event in run)))
            for step in walk(tree.roots):
                if event := tree.events.get(id(step)):
                    found = of_step(trace, step, event, stored, shown)
                    step.attachments = list(self._attached(found))
            steps += [(owner, step) for step in tree.roots]
        evidence = [*of_test(trace, files)]
        if row.divergence:
            evidence.append(Evidence("compared with the last pass", row.divergence))
        attachments = list(self._attached(evidence))

        def add(result: Any) -> None:
            label(result, trace, phone)
            self._link(result, files, row, phone)
            set_times(result, trace)
            for owner, step in steps:
                _place((owner or result).steps, self._ours, step)
            result.attachments += attachments

        self._changes.append(add)

    @hook(tryfirst=True)
    def report_result(self, result: Any) -> None:
        changes, self._changes = self._changes, []
        for change in changes:
            with suppress(Exception):  # the result says more without it than not at all
                change(result)
        self.release()

    def _link(self, result: Any, files: TraceFiles | None, row: RunRow, phone: int) -> None:
        """The cases that the test covers, and where its trace is: a path is true wherever the
        report is read, a link leads somewhere where the user says where to."""
        trace = f"{TRACE} {phone}"
        if phone == 1:
            trace = TRACE
            self._link_test(result, row)
        page = files.trace_html if files else None
        if page is None:
            return
        shown = as_seen_from(page, self._seen_from).as_posix()
        result.parameters.append(Parameter(name=trace, value=plain_text(shown), excluded=True))
        if pattern := self._patterns[TRACE]:
            path = "/".join(page.parts[-3:])  # the run's folder, the test's, the page
            result.links.append(Link(type=TRACE, url=pattern.format(quote(path)), name=trace))

    def _link_test(self, result: Any, row: RunRow) -> None:
        """Said once for all the phones of a test: its attempt, and the cases it covers."""
        if row.cause is not None:
            value = attempt_key(row.test, row.attempt)
            result.parameters.append(
                Parameter(name=ATTEMPT, value=value, excluded=True, mode="hidden")
            )
        for one in filter(None, row.case_id.split(", ")):
            name = one_line(one)
            result.labels.append(Label(name=CASE, value=name))
            if pattern := self._patterns[TMS]:
                result.links.append(Link(type=TMS, url=pattern.format(quote(one)), name=name))

    def _attached(self, evidence: Iterable[Evidence]) -> Iterator[Any]:
        """Attachments of a result, or of a step of it."""
        for one in evidence:
            with suppress(OSError):  # a full disk: the result says more without it than not at all
                body, extension = plain_text(one.text), "txt"
                if one.path is not None:
                    extension = one.path.suffix[1:]
                elif one.media_type == IMAGE_DIFF:
                    body, extension = one.text, "imagediff"
                source = ATTACHMENT_PATTERN.format(prefix=uuid4(), ext=extension)
                if one.path is not None:
                    attach_file(one.path, source, self._folder)
                else:
                    plugin_manager.hook.report_attached_data(body=body, file_name=source)
                yield model2.Attachment(name=one_line(one.name), source=source, type=one.media_type)

    # --- fixtures ---------------------------------------------------------------------------------
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        self._ended = self._counts()

    @outermost
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        start = self._counts()
        try:
            return (yield)
        finally:
            self._note(fixturedef, "befores", start)

    @outermost
    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        if fixturedef.scope == "function" and self._item is not None:
            self._holds = attempt_of(self._item).is_about_phones
            self._note(fixturedef, "afters", self._ended)
        try:
            return (yield)
        finally:
            self._holds = False

    def _note(self, fixture: pytest.FixtureDef[Any], kind: str, start: list[int]) -> None:
        name = getattr(fixture.func, "__allure_display_name__", fixture.argname)
        self._ended = self._counts()
        self._parts.append(_Part(str(name), kind, start, self._ended))

    @hook(tryfirst=True)
    def report_container(self, container: Any) -> None:
        if self._holds:
            self._held.append(copy(container))
            container.befores, container.afters = [], []

    def release(self) -> None:
        """Reports what was held."""
        held, self._held, self._item = self._held, [], None
        for container in held:
            plugin_manager.hook.report_container(container=container)

    pytest_sessionfinish = release

    def around(self, phone: int, event: int) -> Any:
        """The innermost setup or finalizer that the event of a phone was in, None for the test
        itself; both are counted from zero."""
        parts = [part for part in self._parts if event in part.events(phone)]
        part = min(parts, key=lambda one: len(one.events(phone)), default=None)
        if part is None:
            return None
        own = [held for held in self._held if held.befores and held.befores[0].name == part.fixture]
        shown = chain.from_iterable(getattr(held, part.kind) for held in own)
        return max(shown, key=lambda one: (one.stop or 0) - (one.start or 0), default=None)

    def _counts(self) -> list[int]:
        sessions = attempt_of(self._item).sessions if self._item is not None else ()
        return [entry.recorder.newest + 1 for entry in sessions]


def attempt_key(test: str, attempt: object) -> str:
    return f"{attempt} {test}"


def correct_status(result: Any, error: BaseException) -> None:
    """Corrects the status that the first ``error`` gave it: an action that could not be done failed
    the test, and several soft checks are all listed."""
    if isinstance(error, ActionFailed) and result.status == "broken":
        result.status = "failed"
    if isinstance(error, SoftFailures) and result.statusDetails is not None:
        lines = map(what_happened, error.exceptions)
        result.statusDetails.message = plain_text(
            "\n".join((f"SoftFailures: {error.message}", *lines))
        )


def show_verdict(result: Any, report: pytest.TestReport) -> None:
    """Of a replay, whose report it is: neither a pass nor a failure."""

    ended = getattr(report, VERDICT)
    failed = "\n".join(text for title, text in report.sections if title == FAILED_THEN)
    message = plain_text(f"{ended['verdict']} {ended['sentence']}")
    result.status = "skipped"
    result.statusDetails = StatusDetails(message=message, trace=plain_text(failed) or None)


def set_times(result: Any, trace: TestTrace) -> None:
    """It lasts as long as its trace. A replay is no run of its test: with the same ids Allure would
    take it for a retry, in its history, and its length for how long the test takes."""
    if trace.test.outcome not in VERDICTS:
        began = epoch_ms(trace.test.started_at)
        result.start = min(result.start, began)
        result.stop = max(result.stop, began + trace.test.duration_ms)
        return
    result.stop = result.start
    if not result.historyId.endswith(REPLAY):  # of a test with several phones, once
        result.historyId += REPLAY
        result.testCaseId += REPLAY


def _place(steps: list[Any], ours: set[int], step: Any) -> None:
    """Puts ``step`` among ``steps`` in the order of time, or below that step of the test's own
    during which it happened."""
    middle = (step.start + step.stop) / 2
    for around in steps:
        if id(around) not in ours and (around.start or middle + 1) <= middle <= (around.stop or 0):
            return _place(around.steps, ours, step)
    at = next(
        (index for index, one in enumerate(steps) if (one.start or 0) > step.start), len(steps)
    )
    steps.insert(at, step)
    return ours.add(id(step))


def label(result: Any, trace: TestTrace, phone: int = 1) -> None:
    """Puts the labels, parameters and details of one attempt into Allure's ``result``. A test with
    several phones has a trace for each, of which ``phone`` is the number; the first one says why it
    failed."""

    present = {(one.name, one.value) for one in result.labels}
    why = unverified(trace)
    found = [*_labels(trace)] if phone == 1 else []
    found += [("tag", "unverified")] if why else []
    for name, value in found:
        shown = one_line(value)
        if shown and (name, shown) not in present:
            present.add((name, shown))
            result.labels.append(Label(name=name, value=shown))
    taken = {one.name for one in result.parameters}
    mark = f" {phone}" if phone > 1 else ""
    model = device_name({**trace.device, "serial": ""})
    known = {f"device{mark}": model, f"serial{mark}": str(trace.device.get("serial") or "")}
    for name, value in known.items():
        # Which phone it was is no part of which test it was: history goes on.
        if value and name not in taken:
            result.parameters.append(Parameter(name=name, value=one_line(value), excluded=True))
    if phone > 1:
        return
    details = result.statusDetails or StatusDetails()
    news = [f"recovered: {line}" for line in recovered(trace) if trace.test.outcome == "recovered"]
    news += [f"passed without proof: {why}"] if why else []
    if news and not details.message:  # why a test that passed deserves a look
        details.message = plain_text("\n".join(news))
    if reported_outcome(trace.test) == FLAKY:
        details.flaky = True
    cause = cause_of_trace(trace)
    if cause is not None and details.message:
        # What categories of Allure 2 match, as they see no labels.
        facts = cause.named(CLASS, CODE, SCREEN)
        signature = ", ".join(f"{name}: {one_line(value)}" for name, value in facts)
        details.trace = f"{details.trace or ''}\n\n{signature}".lstrip("\n")
    if details.message or details.flaky:
        result.statusDetails = details


def _labels(trace: TestTrace) -> Iterator[tuple[str, str]]:
    outcome = trace.test.outcome
    if outcome not in _STATUSES:
        yield OUTCOME, outcome
    if outcome in ("recovered", "infra", "known flaky"):
        yield "tag", outcome
    if outcome in VERDICTS:
        yield "tag", "replay"
    ended = reported_outcome(trace.test)
    if ended in (FLAKY, REQUEUED):
        yield "tag", ended
    if trace.test.lost:
        yield "tag", "lost phone"
    cause = cause_of_trace(trace)
    if cause is not None:
        yield from cause.named(CLASS, CODE, SCREEN)


# --- attachments of a step and of a test: pictures, changes, reads, lines of the device log -------

MOST_LOG_LINES = 300
AROUND_MS = 2_000
"""How long before a failed step the log may say why."""

PLAYWRIGHT_TRACE = "application/vnd.allure.playwright-trace"
"""Allure 3 opens it in its own copy of the trace viewer."""

_BAD_NEWS = "WEF"


@dataclass(frozen=True)
class Evidence:
    """One attachment: a file, or a text."""

    name: str
    text: str
    media_type: str = "text/plain"
    path: Path | None = None


def pictures_of(
    event: TraceEvent, stored: Mapping[str, Path], shown: set[Path], *, failed: bool
) -> Iterator[Evidence]:
    """A screen is ``shown`` where it first came, and again at every step that failed: before a step
    is what was after the one above it. Each is a file of its own, as Allure 3 shows one that
    several steps name at one of them."""
    for when, name in (("before", event.before), ("after", event.after)):
        path = stored.get(name or "") if (when, name) != ("before", event.after) else None
        if path is not None and (path not in shown or failed):
            shown.add(path)
            yield Evidence(when, "", f"image/{path.suffix[1:]}", path)


def of_step(
    trace: TestTrace,
    step: Any,
    event: TraceEvent,
    stored: Mapping[str, Path],
    shown: set[Path],
) -> Iterator[Evidence]:
    failed = step.statusDetails is not None  # itself, and not a check below it
    yield from pictures_of(event, stored, shown, failed=failed)
    if event.diff is not None:
        yield Evidence("what changed", "\n".join((event.diff.summary, *event.diff.lines)))
    check = event.check
    if failed and check is not None and check.reads:
        reads = [
            f"{one.at:8.3f} s  {'held' if one.held else 'no  '}  {one.observed}"
            for one in check.reads
        ]
        yield Evidence("reads", "\n".join((f"expected: {check.expected}", *_few(reads))))
    if check is not None and check.looks is not None:
        yield from _compared(trace, check.looks)
    after = trace.snapshots.get(event.after or "")
    if failed and after is not None:
        yield Evidence("screen", after.outline)
    lines = list(_log_lines(trace, event, failed))
    if lines:
        yield Evidence("device log", "\n".join(_few(lines)))


IMAGE_DIFF = "application/vnd.allure.image.diff"
"""What Allure shows with a slider: three pictures as addresses of themselves, in JSON."""


def _compared(trace: TestTrace, looks: LooksRecord) -> Iterator[Evidence]:
    if looks.expected is None or looks.actual is None:
        return
    places = {"expected": looks.expected, "actual": looks.actual, "diff": looks.difference}
    shown = {
        name: address("picture.png", trace.attachments[place].data)
        for name, place in places.items()
        if place is not None and place < len(trace.attachments)
    }
    yield Evidence(f"{looks.name} compared", _encode({**shown, "name": looks.name}), IMAGE_DIFF)


def of_test(trace: TestTrace, files: TraceFiles | None) -> Iterator[Evidence]:
    for name, lines in (
        ("what was recovered", recovered(trace)),
        ("what recovery would have tried", recoverable(trace)),
        ("apps that died", [death.text for death in trace.deaths]),
        ("apps that did not respond", [one.text for one in trace.anrs]),
        ("passed without proof", [why] if (why := unverified(trace)) else []),
        ("screen at the failure", _last_outline(trace)),
    ):
        if lines:
            yield Evidence(name, "\n".join(lines))
    if files is None:
        return
    for index, attachment in enumerate(trace.attachments):
        yield _attached(index, attachment, files.folder / "attachments")
    for name, path, media_type in (
        ("trace.html", files.trace_html, "text/html"),
        ("trace.zip", files.trace_zip, PLAYWRIGHT_TRACE),
        ("trace.json", files.trace_json, "application/json"),
    ):
        if path is not None and trace.test.outcome in NEWS:  # others are where the parameter says
            yield Evidence(name, "", media_type, path)


def _last_outline(trace: TestTrace) -> list[str]:
    """The screen as it was last seen before the test failed."""
    names = [name for event in trace.events for name in (event.before, event.after) if name]
    seen = [trace.snapshots[name].outline for name in names if name in trace.snapshots]
    return seen[-1:] if trace.failures else []


def _log_lines(trace: TestTrace, event: TraceEvent, failed: bool) -> Iterator[str]:
    begun = event.start_ms - AROUND_MS if failed else event.start_ms
    first = bisect_left(trace.logs, begun, key=lambda record: record.at_ms)
    for record in trace.logs[first:]:
        if record.at_ms > event.start_ms + event.duration_ms:
            return
        if failed or record.level in _BAD_NEWS:
            yield f"{record.at_ms / 1000:8.3f} s  {record.level}  {record.tag}: {record.message}"


def _few(lines: list[str]) -> list[str]:
    """The last ones, as what failed comes at the end."""
    if len(lines) <= MOST_LOG_LINES:
        return lines
    return [f"… {len(lines) - MOST_LOG_LINES} lines before these", *lines[-MOST_LOG_LINES:]]


def _attached(index: int, attachment: Attachment, folder: Path) -> Evidence:
    path = folder / attachment_file_name(index, attachment.name, attachment.media_type)
    media_type = attachment.media_type.partition(";")[0].strip().lower()
    if not re.fullmatch(r"[a-z0-9.+-]+/[a-z0-9.+-]+", media_type):
        media_type = "application/octet-stream"
    return Evidence(attachment.name, "", media_type, path)
