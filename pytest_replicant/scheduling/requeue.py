"""A test whose phone was lost runs once more, on another phone, in the same process.

No scheduler is asked: the whole protocol of the item is gone through again, so that it works with and without
xdist, and beside pytest-rerunfailures, which finds an attempt of its own there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import DeviceError, UsageError
from ..pool import NoneFits, is_lost, tells_of_a_loss
from ..stash import EARLIER_ATTEMPTS, LOSS, OPTIONS, POOL, REQUEUED_FROM, SESSIONS, attempt_number
from .selection import FIXTURE, wanted_by

if TYPE_CHECKING:
    from ..pool import Loss, Opened, WarmPhones

REQUEUED = "replicant_requeued"
"""Attribute of failed reports of an attempt that does not count: "told" of the first, "quiet" of the others."""

_AGAIN = pytest.StashKey[bool]()
_PART_FAILED = pytest.StashKey[bool]()


class Requeue:
    """Registered in every process that runs tests, after what reports attempts: it is told the real outcome."""

    def __init__(self, config: pytest.Config) -> None:
        options = config.stash[OPTIONS]
        self._stash = config.stash
        self._on = options.requeue and not config.getoption("usepdb", False)
        self._calling = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """The outermost: whatever others do around an attempt has ended before the next one begins."""
        done = yield
        again, loss = item.stash.get(_AGAIN, False), item.stash.get(LOSS, None)
        keys: tuple[pytest.StashKey[Any], ...] = (_AGAIN, _PART_FAILED, LOSS)
        for key in keys:
            if key in item.stash:
                del item.stash[key]
        if not again or loss is None:
            return done
        item.stash[EARLIER_ATTEMPTS] = attempt_number(item) + 1
        item.stash[REQUEUED_FROM] = (*item.stash.get(REQUEUED_FROM, ()), loss)
        _make_afresh(item)
        return item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        before = self._losses()
        try:
            return (yield)
        except DeviceError as error:
            self._note(item, error, before)
            raise

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        before = self._losses()
        self._calling = True
        try:
            return (yield)
        except DeviceError as error:
            self._note(item, error, before)
            raise
        finally:
            self._calling = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """What outlives a test is kept for its next attempt, whichever test comes after."""
        phones = self._stash.get(POOL, None)
        lent = phones.lent if phones is not None else []
        try:
            if not item.stash.get(_AGAIN, False):
                return (yield)
            with _wider_scopes_held(item):
                return (yield)
        except DeviceError as error:
            self._lost_at_the_end(lent, error)
            raise

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if not report.failed:
            return report
        if self._calling:
            item.stash[_PART_FAILED] = True  # a subtest, which is a failure of its own
        elif item.stash.get(_AGAIN, False):
            _set_aside(report, "quiet")
        elif report.when != "teardown" and self._may_run_again(item, call):
            item.stash[_AGAIN] = True
            _set_aside(report, "told")
        return report

    def _losses(self) -> int:
        phones = self._stash.get(POOL, None)
        return len(phones.losses) if phones is not None else 0

    def _note(self, item: pytest.Item, error: DeviceError, before: int) -> None:
        """Finds out which phone was lost, where one was: it could not be opened, or is in use and gone."""
        phones = self._stash.get(POOL, None)
        if phones is None:
            return
        suspected = suspects(phones.lent, error)
        for opened in suspected:
            if is_lost(opened.driver, error, certain=len(suspected) == 1):
                phones.lose(opened, str(error))
        losses = phones.losses[before:]
        if losses:
            item.stash[LOSS] = losses[-1]

    def _lost_at_the_end(self, lent: list[Opened], error: DeviceError) -> None:
        """By a fixture that had the phone until now: it is given back by then, and the next test would get it."""
        phones = self._stash.get(POOL, None)
        if phones is None:  # closed, after the last test
            return
        suspected = suspects(lent, error)
        for opened in suspected:
            if not phones.is_lost(opened) and is_lost(opened.driver, error, certain=len(suspected) == 1):
                phones.quarantine(opened, str(error))

    def _may_run_again(self, item: pytest.Item, call: pytest.CallInfo[None]) -> bool:
        """The lost phone is all that was wrong, it is the first one, and another may do better."""
        loss = item.stash.get(LOSS, None)
        if loss is None or not self._on or item.stash.get(REQUEUED_FROM, ()):
            return False
        if call.excinfo is None or not isinstance(call.excinfo.value, DeviceError):
            return False
        if item.stash.get(_PART_FAILED, False) or item.session.shouldfail or item.session.shouldstop:
            return False
        if any(entry.recorder.soft_failures for entry in item.stash.get(SESSIONS, [])):
            return False
        return self._another(item, loss, self._stash[POOL])

    def _another(self, item: pytest.Item, loss: Loss, phones: WarmPhones) -> bool:
        kind: str | None = getattr(getattr(item, "callspec", None), "params", {}).get(FIXTURE)
        try:
            return phones.another(loss.uri, wanted_by(item), kind)
        except UsageError:  # which the test has failed by
            return False


def suspects(lent: list[Opened], error: DeviceError) -> list[Opened]:
    """The phones in use that the error may be about: those of the name in it, all where there is none. That no
    further phone could be had is about none of them."""
    if not tells_of_a_loss(error) or isinstance(error.__context__, NoneFits) or isinstance(error, NoneFits):
        return []
    return [one for one in lent if error.device in ("", one.driver.uri, one.driver.info.serial)]


def _set_aside(report: pytest.TestReport, how: str) -> None:
    """It is no failure any more, and no pass either: as pytest-rerunfailures says it, whom other reports know."""
    report.outcome = "rerun"  # type: ignore[assignment]
    setattr(report, REQUEUED, how)


@contextmanager
def _wider_scopes_held(item: pytest.Item) -> Iterator[None]:
    """The test alone is torn down, as if it came next itself."""
    stack: dict[Any, Any] = item.session._setupstate.stack
    held = {node: entry for node, entry in stack.items() if node is not item}
    for node in held:
        del stack[node]
    try:
        yield
    finally:
        stack.update(held)


def _make_afresh(item: pytest.Item) -> None:
    """Forgets what pytest keeps of a run of this item: errors of fixtures that outlive it, and the object that its
    method belongs to."""
    fixtures: Any = getattr(item, "_fixtureinfo", None)
    for definitions in fixtures.name2fixturedefs.values() if fixtures is not None else ():
        for definition in definitions:
            if definition.cached_result is not None and definition.cached_result[2] is not None:
                definition.cached_result = None
                definition._finalizers.clear()
    if getattr(item, "_instance", None) is not None:
        del item._instance  # type: ignore[attr-defined]
        item._obj = None  # type: ignore[attr-defined]
