"""A run of one half, with the faults that ``--fault`` names switched on all the while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pytest_replicant.pool import DeviceUri
from pytest_replicant.virtual import App
from tests.shared_clock import OneClock

from .halves import HALVES, Half


class Phones(OneClock):
    """Phones with the app of the half."""

    def __init__(self, half: Half) -> None:
        super().__init__()
        self._half = half

    def apps(self, asked: DeviceUri) -> Sequence[App[Any]]:
        return [self._half.app()]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--half", choices=[*HALVES], help="which half this is")
    parser.addoption("--fault", action="append", default=[], metavar="NAME", help="what is broken; repeat it")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    half = config.getoption("--half")
    config.pluginmanager.register(Phones(HALVES[half]), "phones-of-the-half")


@pytest.fixture(scope="session", autouse=True)
def faults(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in request.config.getoption("--fault"):
            HALVES[request.config.getoption("--half")].faults[name](patch)
        yield
