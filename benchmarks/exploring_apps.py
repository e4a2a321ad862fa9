"""A plugin of pytest runs of saved tests; a module of its own, since it imports a plugin of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_replicant.pool import DeviceUri
from pytest_replicant.virtual import App
from tests.shared_clock import OneClock

from .exploring_phone import MAKES


class Phones(OneClock):
    """Phones with all the apps, which are cleared before each test."""

    def apps(self, asked: DeviceUri) -> Sequence[App[Any]]:
        return [make() for make in MAKES.values()]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        for phone in self.phones:
            for app in MAKES:
                phone.clear_app(app)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Phones(), "exploring-phones")
