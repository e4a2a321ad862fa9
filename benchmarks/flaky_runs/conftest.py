"""One run of the suite: what goes wrong in it is drawn by its number. Waits take no time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import Faults, VirtualPhone
from pytest_replicant.virtual.faults import FaultSource
from tests.shared_clock import OneClock

from .orders import ASKED, orders

MAKES = ("pixel", "one-ui")


class Phones(OneClock):
    """One phone, of the make that the run has."""

    phone: VirtualPhone

    def __init__(self, make: str) -> None:
        super().__init__()
        self._make = make

    def pytest_replicant_driver(self, uri: str) -> Driver | None:
        found = virtual_device(orders(), clock=self.clock, profile=self._make, start=False)
        device = self._phones.enter_context(found)
        self.phone = device.phone
        return device.driver


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--number", type=int, default=0, help="which run this is")
    parser.addoption("--drawn", default="", help="what else the draws depend on")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    drawn = f"{config.getoption('--drawn')} {config.getoption('--number')}"
    make = MAKES[random.Random(f"make {drawn}").random() < 0.4]
    config.pluginmanager.register(Phones(make), "flaky-phones")


class Run:
    """What the run has in store for one test. ``number`` is which run it is, ``chance`` is true now and then."""

    def __init__(self, config: pytest.Config, test: str, phones: Phones) -> None:
        self.number: int = config.getoption("--number")
        self._drawn = random.Random(f"{config.getoption('--drawn')} {self.number} {test}")
        self._phones = phones

    @property
    def is_other_make(self) -> bool:
        return self._phones._make == MAKES[1]

    def chance(self, share: float) -> bool:
        return self._drawn.random() < share

    def late(self, name: str, low: int, high: int) -> None:
        ASKED.late[name] = self._drawn.randint(low, high)

    def other(self, name: str, answer: str, log: str = "") -> None:
        ASKED.other[name] = answer
        ASKED.log[name] = log

    def trouble(self) -> None:
        """From now on the phone does not show its screen any more."""
        self._phones.phone.faults = FaultSource(Faults(fail_dump=1.0))


@pytest.fixture
def this_run(request: pytest.FixtureRequest) -> Iterator[Run]:
    phones: Any = request.config.pluginmanager.getplugin("flaky-phones")
    yield Run(request.config, request.node.name, phones)
    ASKED.late.clear()
    ASKED.other.clear()
    ASKED.log.clear()
    if hasattr(phones, "phone"):
        phones.phone.faults = FaultSource(Faults())
