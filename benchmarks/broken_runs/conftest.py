"""A run of the bank's suite, with the faults that ``--fault`` names switched on all the while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pytest_replicant.pool import DeviceUri
from pytest_replicant.virtual import App
from tests.shared_clock import OneClock

from .bank_app import bank
from .bank_faults import FAULTS


class Phones(OneClock):
    """Phones with the bank."""

    def apps(self, asked: DeviceUri) -> Sequence[App[Any]]:
        return [bank()]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fault", action="append", default=[], metavar="NAME", help="what is broken; repeat it"
    )


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Phones(), "phones-with-the-bank")


@pytest.fixture(scope="session", autouse=True)
def faults(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in request.config.getoption("--fault"):
            FAULTS[name](patch)
        yield
