"""Allure's fixtures of a test, held until what happened in them on a phone is known."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from ...pytest_private import HookWrapper
from ..attempts.attempt import attempt_of
from .public import hook


class HeldFixtures:
    """Hooks of pytest and of Allure. Allure-pytest reports the fixtures of a test as they are torn down. Of a test
    with a phone, their setup and finalizers are reported when the trace is complete."""

    def __init__(self) -> None:
        self._item: pytest.Item | None = None
        self._holds = False
        self._held: list[Any] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._item = item

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> HookWrapper:
        if fixturedef.scope == "function" and self._item is not None:
            self._holds = attempt_of(self._item).is_about_phones
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

    def around(self, moment: float) -> Any:
        """The innermost setup or finalizer that was going on then, in epoch ms; None for the test itself."""
        parts = [part for one in self._held for part in (*one.befores, *one.afters)]
        # A check that held at once begins and ends in the millisecond in which its fixture does.
        open_then = [part for part in parts if (part.start or 0) < moment <= (part.stop or 0)]
        return min(open_then, key=lambda part: part.stop - part.start, default=None)
