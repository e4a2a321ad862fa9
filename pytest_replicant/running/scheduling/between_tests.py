"""Phones between tests: idle ones go to waiting processes, and long waits are reported. A test that
lost its phone is requeued once, on another one, in the same process.

No scheduler takes part: the whole protocol of the item runs again, so that it works with and
without xdist, and next to pytest-rerunfailures, which finds an attempt of its own there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import DeviceError, UsageError
from ...pytest_private import HookWrapper, ReportWrapper, mark_rerun, reset_item, wider_scopes_held
from ..stash import EARLIER_ATTEMPTS, LOSS, OPTIONS, POOL, SECRETS, SESSIONS, WAITS, attempt_number
from .selection import FIXTURE, requirements_of

if TYPE_CHECKING:
    from ...pool import DevicePool, DeviceUri, Loss, Opened


REQUEUED = "replicant_requeued"
"""Attribute of the failed reports of an attempt that does not count: "reported" on the first,
"quiet" on others."""

_AGAIN = pytest.StashKey[bool]()
_PART_FAILED = pytest.StashKey[bool]()
_around = pytest.hookimpl(wrapper=True, tryfirst=True)
"""Marks a hook that encloses those of all other plugins."""


class LossWatch:
    """Records lost phones, also if no test is requeued. Registered in every process that runs
    tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._stash = config.stash

    @_around
    def pytest_runtest_setup(self, item: pytest.Item) -> HookWrapper:
        if LOSS in item.stash:
            del item.stash[LOSS]
        with self._noted(item):
            return (yield)

    @_around
    def pytest_runtest_call(self, item: pytest.Item) -> HookWrapper:
        with self._noted(item):
            return (yield)

    @_around
    def pytest_runtest_teardown(self) -> HookWrapper:
        """Quarantines a phone whose fixture found the loss in its teardown: it is released, and the
        next test would get it."""
        phones = self._phones
        in_use = phones.in_use if phones is not None else []
        try:
            return (yield)
        except DeviceError as error:
            phones = self._phones
            if phones is not None:  # else closed, after the last test
                for opened, reason in _gone(phones, in_use, error):
                    phones.quarantine(opened, reason)
            raise

    @property
    def _phones(self) -> DevicePool | None:
        return self._stash.get(POOL, None)

    @contextmanager
    def _noted(self, item: pytest.Item) -> Iterator[None]:
        """Records which phone was lost, if one was: it could not be opened, or is in use and
        gone."""
        phones = self._phones
        before = len(phones.losses) if phones is not None else 0
        try:
            yield
        except DeviceError as error:
            phones = self._phones
            if phones is not None:
                for opened, reason in _gone(phones, phones.in_use, error):
                    phones.lose(opened, reason)
                for loss in phones.losses[before:]:
                    item.stash[LOSS] = loss
            raise


class Requeue:
    """Registered in every process that runs tests, after the reporter of attempts, which gets the
    real outcome."""

    def __init__(self, config: pytest.Config) -> None:
        self._stash = config.stash
        self._on = not config.getoption("usepdb", False)
        self._calling = False

    @_around
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> HookWrapper:
        """The outermost wrapper: all others around an attempt have ended before the next attempt
        begins."""
        done = yield
        again, loss = item.stash.get(_AGAIN, False), item.stash.get(LOSS, None)
        for key in (_AGAIN, _PART_FAILED):
            if key in item.stash:
                del item.stash[key]
        if not again or loss is None:
            return done
        item.stash[EARLIER_ATTEMPTS] = attempt_number(item) + 1
        reset_item(item)
        return item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)

    @_around
    def pytest_runtest_call(self) -> HookWrapper:
        self._calling = True
        try:
            return (yield)
        finally:
            self._calling = False

    @_around
    def pytest_runtest_teardown(self, item: pytest.Item) -> HookWrapper:
        """Keeps wider fixtures for the next attempt, whichever test comes after."""
        with wider_scopes_held(item) if item.stash.get(_AGAIN, False) else nullcontext():
            return (yield)

    @_around
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        report = yield
        if not report.failed:
            return report
        if self._calling:
            item.stash[_PART_FAILED] = True  # a subtest, which is a failure of its own
        elif item.stash.get(_AGAIN, False):
            self._set_aside(report, "quiet")
        elif report.when != "teardown" and self._may_run_again(item, call):
            item.stash[_AGAIN] = True
            self._set_aside(report, "reported")
        return report

    def _set_aside(self, report: pytest.TestReport, how: str) -> None:
        mark_rerun(report)
        setattr(report, REQUEUED, how)

    def _may_run_again(self, item: pytest.Item, call: pytest.CallInfo[None]) -> bool:
        """Whether the lost phone is all that was wrong, it is the first one, and there is an
        alternative."""
        loss = item.stash.get(LOSS, None)
        if loss is None or not self._on or EARLIER_ATTEMPTS in item.stash:
            return False
        if call.excinfo is None or not isinstance(call.excinfo.value, DeviceError):
            return False
        session = item.session
        if any((item.stash.get(_PART_FAILED, False), session.shouldfail, session.shouldstop)):
            return False
        if any(entry.recorder.soft_failures for entry in item.stash.get(SESSIONS, [])):
            return False
        return self._has_alternative(item, loss, self._stash[POOL])

    def _has_alternative(self, item: pytest.Item, loss: Loss, phones: DevicePool) -> bool:
        kind: DeviceUri | None = getattr(getattr(item, "callspec", None), "params", {}).get(FIXTURE)
        try:
            return phones.has_alternative(loss.uri, requirements_of(item), kind)
        except UsageError:  # which the test has failed by
            return False


def _gone(
    phones: DevicePool, in_use: list[Opened], error: DeviceError
) -> Iterator[tuple[Opened, str]]:
    """The phones in use that are lost by the error, and how."""
    from ...pool import is_lost, loss_reason

    suspected = suspects(in_use, error)
    for opened in suspected:
        if not phones.is_lost(opened) and is_lost(
            opened.driver, error, certain=len(suspected) == 1
        ):
            yield opened, loss_reason(error)


def suspects(in_use: list[Opened], error: DeviceError) -> list[Opened]:
    """The phones in use that the error may be about: those that it names, all where it names
    none."""
    from ...pool import is_device_loss

    if not is_device_loss(error):
        return []
    return [one for one in in_use if error.device in ("", one.driver.uri, one.driver.info.serial)]


REPORTED_SECONDS = 5.0  # a shorter wait is worth no line
REPORTED_TESTS = 5
OUTPUT = "replicant_lease_handover"


class LeaseHandover:
    """Registered in every process. A worker hands its waits to the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._waits: dict[str, float] = {}
        self._passed_over: dict[str, None] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Keeps the reasons of the pool, which the last teardown closes."""
        if (phones := self._phones) is not None:
            self._passed_over.update(phones.passed_over)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self) -> None:
        """Yields idle phones after each test, also one that uses none: many such may follow."""
        if (phones := self._phones) is not None:
            phones.yield_idle()

    @property
    def _phones(self) -> DevicePool | None:
        return self._config.stash.get(POOL, None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        waits: dict[str, float] = self._config.stash.get(WAITS, {})
        self._waits.update(waits)
        output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[OUTPUT] = {"waits": self._waits, "passed_over": list(self._passed_over)}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker that died has reported nothing."""
        report = getattr(node, "workeroutput", {}).get(OUTPUT, {})
        self._waits.update(report.get("waits", {}))
        self._passed_over.update(dict.fromkeys(report.get("passed_over", ())))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in wait_lines(
            self._waits, list(self._passed_over), self._config.stash[OPTIONS].lease_timeout
        ):
            terminalreporter.write_line(self._config.stash[SECRETS].text(line))


def wait_lines(waits: dict[str, float], passed_over: list[str], limit: float) -> list[str]:
    long = sorted(
        ((seconds, nodeid) for nodeid, seconds in waits.items() if seconds >= REPORTED_SECONDS),
        reverse=True,
    )
    lines = [f"replicant: passed over {each}" for each in passed_over]
    if long:
        lines.append(
            f"replicant: {len(long)} test{'' if len(long) == 1 else 's'} waited "
            f"{REPORTED_SECONDS:g} s or more for a phone or a resource that others held "
            f"(replicant_lease_timeout = {limit:g}); the longest:"
        )
        lines += [f"  {seconds:.0f} s  {nodeid}" for seconds, nodeid in long[:REPORTED_TESTS]]
    return lines
