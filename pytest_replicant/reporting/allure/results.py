"""Traces in the result that allure-pytest keeps of the running test, and what Allure finds that test by."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from ...errors import ActionFailed, SoftFailures
from ...model import BROKEN
from ...stash import SECRETS
from ..attempts.attempt import attempt_of
from ..findings import recovered, unverified
from ..printable import device_name, one_line, plain_text
from ..triage.cause import cause_of_trace
from .evidence import chosen_pictures, of_step, of_test, text_evidence
from .private import begun_result, running_result
from .steps import Step, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...model import TestTrace
    from ..trace_files import TraceFiles
    from ..triage.run_record import RunRow
    from .evidence import Evidence, Pictures

OUTCOME = "replicant_outcome"
"""Label of outcomes that Allure has no status for: recovered, infra, error, xfailed, xpassed."""

BEGUN = "replicant_allure"
"""Attribute of the report of a setup on a worker: the result as allure-pytest begins it, in JSON, for the
controller to write should the worker die."""

CLASS = "failure_class"
CODE = "failure_code"
SCREEN = "screen"

_encode = json.JSONEncoder().encode  # while the report is made, a test's replacement of json.dumps is in force
_LONGEST_FACT = 200
_STATUSES = frozenset({"passed", "failed", "skipped"})
_GREEN = frozenset({"passed", "recovered"})


class AllureResults:
    """Registered in each process that runs tests, before what calls the report hook: there the result of the test
    is still open, and nothing else is."""

    def __init__(self, config: pytest.Config) -> None:
        self._redactor = config.stash[SECRETS]
        self._on_worker = hasattr(config, "workerinput")
        self._phones = 0
        self._ours: set[int] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._phones = 0
        self._ours.clear()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """The first phase that breaks decides about the status."""
        report = yield
        attempt = attempt_of(item)
        broken = any(phase.outcome in BROKEN for phase in attempt.phases)
        if call.excinfo is not None and not attempt.calling and not broken:
            correct_status(call.excinfo.value)
        if report.when == "setup" and self._on_worker:
            with suppress(Exception):  # a parameter that cannot be shown
                setattr(report, BEGUN, self._begun(item))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_trace(self, trace: TestTrace, files: TraceFiles | None, row: RunRow) -> None:
        result = running_result()
        if result is None:
            return
        self._phones += 1
        label(result, trace, self._phones)
        self._add(result, trace, files)
        if row.divergence:
            self._attach(result, [text_evidence("compared with the last pass", row.divergence)])

    def _begun(self, item: pytest.Item) -> str:
        begun = begun_result(item)
        for name in ("name", "parameters", "labels"):
            begun[name] = self._redactor.value(begun[name])
        return _encode(begun)

    def _add(self, result: Any, trace: TestTrace, files: TraceFiles | None) -> None:
        roots = steps_of(trace)
        pictures = chosen_pictures(roots, dict(files.screenshots) if files else {})
        for step in roots:
            _place(result.steps, self._ours, self._written(step, trace, pictures))
        self._attach(result, of_test(trace, files, pictures.left_out))

    def _written(self, step: Step, trace: TestTrace, pictures: Pictures) -> Any:
        """The step as Allure keeps it, with all below it."""
        from allure_commons.model2 import Parameter, StatusDetails, TestStepResult

        written = TestStepResult(name=one_line(step.title), status=step.status, start=step.begin, stop=step.end)
        if step.message:
            written.statusDetails = StatusDetails(message=plain_text(step.message))
        for name, value in step.facts.items():
            shown = one_line(str(value), _LONGEST_FACT)
            written.parameters.append(Parameter(name=one_line(name, _LONGEST_FACT), value=shown))
        written.steps = [self._written(one, trace, pictures) for one in step.steps]
        self._attach(written, of_step(trace, step, pictures))
        return written

    def _attach(self, owner: Any, evidence: Iterable[Evidence]) -> None:
        for one in evidence:
            with suppress(OSError):  # a full disk: the result says more without it than not at all
                _attach_one(owner, one)


def _attach_one(owner: Any, evidence: Evidence) -> None:
    from allure_commons import plugin_manager
    from allure_commons.model2 import ATTACHMENT_PATTERN, Attachment

    source = ATTACHMENT_PATTERN.format(prefix=uuid4(), ext=evidence.extension)
    if evidence.path is not None:
        plugin_manager.hook.report_attached_file(source=str(evidence.path), file_name=source)
    else:
        plugin_manager.hook.report_attached_data(body=plain_text(evidence.text), file_name=source)
    owner.attachments.append(Attachment(name=one_line(evidence.name), source=source, type=evidence.media_type))


def correct_status(error: BaseException) -> None:
    """Corrects the status of the phase that was just reported and raised ``error``: an action that could not be
    done failed the test, and several soft checks are all listed."""
    result = running_result()
    if result is None:
        return
    if isinstance(error, ActionFailed) and result.status == "broken":
        result.status = "failed"
    if isinstance(error, SoftFailures) and result.statusDetails is not None:
        lines = (str(one).partition("\n")[0] for one in error.exceptions)
        result.statusDetails.message = plain_text("\n".join((f"SoftFailures: {error.message}", *lines)))


def _place(steps: list[Any], ours: set[int], step: Any) -> None:
    """Puts ``step`` among ``steps`` in the order of time, or below that step of the test's own during which it
    happened."""
    middle = (step.start + step.stop) / 2
    for around in steps:
        if id(around) not in ours and (around.start or middle + 1) <= middle <= (around.stop or 0):
            return _place(around.steps, ours, step)
    at = next((index for index, one in enumerate(steps) if (one.start or 0) > step.start), len(steps))
    steps.insert(at, step)
    return ours.add(id(step))


def label(result: Any, trace: TestTrace, phone: int = 1) -> None:
    """Puts the labels, parameters and details of one attempt into Allure's ``result``. A test with several phones
    has a trace for each, of which ``phone`` is the number; the first one says why it failed."""
    from allure_commons.model2 import Label, Parameter, StatusDetails

    present = {(one.name, one.value) for one in result.labels}
    for name, value in _labels(trace) if phone == 1 else _unverified(trace):
        shown = one_line(value)
        if shown and (name, shown) not in present:
            present.add((name, shown))
            result.labels.append(Label(name=name, value=shown))
    taken = {one.name for one in result.parameters}
    for name, value in _device(trace, f" {phone}" if phone > 1 else ""):
        if name not in taken:  # which phone it was is no part of which test it was: history goes on
            result.parameters.append(Parameter(name=name, value=one_line(value), excluded=True))
    if phone > 1:
        return
    details = result.statusDetails or StatusDetails()
    news = "\n".join(_news(trace))
    if news and not details.message:
        details.message = plain_text(news)
    if _is_flaky(trace):
        details.flaky = True
    cause = signature(trace)
    if cause and details.message:
        details.trace = f"{details.trace or ''}\n\n{cause}".lstrip("\n")
    if details.message or details.flaky:
        result.statusDetails = details


def signature(trace: TestTrace) -> str:
    """The cause in one line below the traceback: what categories of Allure 2 match, as they see no labels."""
    cause = cause_of_trace(trace)
    if cause is None:
        return ""
    facts = ((CLASS, cause.failure_class), (CODE, cause.failure_code), (SCREEN, cause.screen))
    return ", ".join(f"{name}: {one_line(value)}" for name, value in facts if value)


def _labels(trace: TestTrace) -> Iterator[tuple[str, str]]:
    outcome = trace.test.outcome
    if outcome not in _STATUSES:
        yield OUTCOME, outcome
    if outcome in ("recovered", "infra"):
        yield "tag", outcome
    if _is_flaky(trace):
        yield "tag", "flaky"
    if trace.test.lost or (trace.test.requeues and trace.test.outcome in _GREEN and not _is_flaky(trace)):
        yield "tag", "requeued" if not trace.test.lost else "lost phone"
    yield from _unverified(trace)
    cause = cause_of_trace(trace)
    if cause is not None:
        yield CLASS, cause.failure_class
        yield CODE, cause.failure_code
        yield SCREEN, cause.screen


def _unverified(trace: TestTrace) -> Iterator[tuple[str, str]]:
    if unverified(trace):
        yield "tag", "unverified"


def _is_flaky(trace: TestTrace) -> bool:
    """Whether it passed only when it was run again, and not for want of a phone."""
    return trace.test.attempt > trace.test.requeues and trace.test.outcome in _GREEN


def _device(trace: TestTrace, mark: str) -> Iterator[tuple[str, str]]:
    name = device_name({**trace.device, "serial": ""})
    if name:
        yield f"device{mark}", name
    if trace.device.get("serial"):
        yield f"serial{mark}", str(trace.device["serial"])


def _news(trace: TestTrace) -> Iterator[str]:
    """Why a test that passed deserves a look."""
    yield from (f"recovered: {line}" for line in recovered(trace) if trace.test.outcome == "recovered")
    why = unverified(trace)
    if why:
        yield f"passed without proof: {why}"
