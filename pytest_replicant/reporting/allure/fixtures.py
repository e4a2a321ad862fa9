"""Which fixture was being set up or torn down while something happened on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

import pytest

from ...model import TraceEvent
from ...pytest_private import HookWrapper
from ..attempts.attempt import attempt_of
from .private import held_group, write_group


@dataclass(frozen=True)
class _Part:
    """The setup or the finalizers of one fixture. ``start`` and ``end`` say how many events each phone of the test
    had had by then."""

    fixture: int
    kind: Literal["befores", "afters"]
    start: Sequence[int]
    end: Sequence[int]

    def events(self, phone: int) -> range:
        start = self.start[phone] if phone < len(self.start) else 0
        return range(start, self.end[phone] if phone < len(self.end) else 0)


class FixtureParts:
    """Hooks of pytest. Allure-pytest writes the fixtures of a test as they are torn down; here they stay open
    until the trace of the test is complete, and what they did stands in them."""

    def __init__(self) -> None:
        self._item: pytest.Item | None = None
        self._parts: list[_Part] = []
        self._groups: dict[int, Any] = {}  # by the identity of the fixture
        self._ended: Sequence[int] = ()  # what had happened when the fixture before was torn down

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._item = item
        self._parts.clear()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        self._ended = self._counts()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        start = self._counts()
        try:
            return (yield)
        finally:
            self._parts.append(_Part(id(fixturedef), "befores", start, self._counts()))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        if self._item is not None and fixturedef.scope == "function" and attempt_of(self._item).is_about_phones:
            group = held_group(fixturedef)
            if group is not None:
                self._groups[id(fixturedef)] = group
                self._parts.append(_Part(id(fixturedef), "afters", self._ended, self._counts()))
            self._ended = self._counts()
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.pytest_sessionfinish()

    def pytest_sessionfinish(self) -> None:
        groups, self._groups, self._item = self._groups, {}, None
        for group in groups.values():
            write_group(group)

    def by_fixture(self, phone: int, events: Sequence[TraceEvent]) -> Iterator[tuple[Any, tuple[TraceEvent, ...]]]:
        """The events of a phone in runs of what went on: Allure's setup or finalizer, None for the test itself."""
        for place, run in groupby(range(len(events)), key=lambda at: self._place(phone, at)):
            yield self._shown(place), tuple(events[at] for at in run)

    def _place(self, phone: int, event: int) -> int:
        """The innermost part, -1 where there is none."""
        around = [at for at, part in enumerate(self._parts) if event in part.events(phone)]
        return min(around, key=lambda at: len(self._parts[at].events(phone)), default=-1)

    def _shown(self, place: int) -> Any:
        part = self._parts[place] if place >= 0 else None
        shown = getattr(self._groups.get(part.fixture), part.kind, ()) if part is not None else ()
        return max(shown, key=lambda one: (one.stop or 0) - (one.start or 0), default=None)

    def _counts(self) -> list[int]:
        sessions = attempt_of(self._item).sessions if self._item is not None else ()
        return [entry.recorder.newest + 1 for entry in sessions]
