"""Allure's fixtures of a test, held until what happened in them on a phone is known."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

import pytest

from ...pytest_private import HookWrapper
from ..attempts.attempt import attempt_of
from .public import hook


class _Part(NamedTuple):
    """The setup or the finalizers of one fixture: the ``befores`` or ``afters`` of its container. ``start`` and
    ``end`` say how many events each phone of the test had had by then."""

    fixture: str
    kind: str
    start: list[int]
    end: list[int]

    def events(self, phone: int) -> range:
        start, end = ((*counts, *[0] * (phone + 1))[phone] for counts in (self.start, self.end))
        return range(start, end)


class HeldFixtures:
    """Hooks of pytest and of Allure. Allure-pytest reports the fixtures of a test as they are torn down. Of a test
    with a phone, their setup and finalizers are reported when the trace is complete."""

    def __init__(self) -> None:
        self._item: pytest.Item | None = None
        self._parts: list[_Part] = []
        self._holds = False
        self._held: list[Any] = []
        self._ended: list[int] = []  # what had happened when the fixture before was torn down

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
            self._parts.append(_Part(_shown_name(fixturedef), "befores", start, self._counts()))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        if fixturedef.scope == "function" and self._item is not None:
            self._holds = attempt_of(self._item).is_about_phones
            self._parts.append(_Part(_shown_name(fixturedef), "afters", self._ended, self._counts()))
            self._ended = self._counts()
        try:
            return (yield)
        finally:
            self._holds = False

    @hook(tryfirst=True)
    def report_container(self, container: Any) -> None:
        if self._holds:
            self._held.append(copy(container))
            container.befores, container.afters = [], []

    def pytest_sessionfinish(self) -> None:
        self.release()

    def release(self) -> None:
        """Reports what was held."""
        from allure_commons import plugin_manager

        held, self._held, self._item = self._held, [], None
        for container in held:
            plugin_manager.hook.report_container(container=container)

    def around(self, phone: int, event: int) -> Any:
        """The innermost setup or finalizer that the event of a phone was in, None for the test itself; both are
        counted from zero."""
        parts = [part for part in self._parts if event in part.events(phone)]
        if not parts:
            return None
        part = min(parts, key=lambda one: len(one.events(phone)))
        own = [held for held in self._held if held.befores and held.befores[0].name == part.fixture]
        shown = [one for held in own for one in getattr(held, part.kind)]
        return max(shown, key=lambda one: (one.stop or 0) - (one.start or 0), default=None)

    def _counts(self) -> list[int]:
        sessions = attempt_of(self._item).sessions if self._item is not None else ()
        return [entry.recorder.newest + 1 for entry in sessions]


def _shown_name(fixture: pytest.FixtureDef[Any]) -> str:
    """As allure-pytest names it."""
    return str(getattr(fixture.func, "__allure_display_name__", fixture.argname))
