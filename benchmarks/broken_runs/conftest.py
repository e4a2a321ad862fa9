"""A run of one half, with the faults that ``--fault`` names switched on all the while; or one in which each test
says by a marker what is broken while it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.pool import DeviceUri
from pytest_replicant.pool import open as opening
from pytest_replicant.virtual import App
from tests.shared_clock import OneClock

from .halves import HALVES, Half
from .shop_faults import ALONE, asking_shop


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
    parser.addoption("--causes", metavar="FILE", default="", help="where the markers are written to")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cause(name, fault): what is broken, and by which fault; itself by default")
    half = config.getoption("--half")
    if half:
        config.pluginmanager.register(Phones(HALVES[half]), "phones-of-the-half")
    else:
        pytest.MonkeyPatch().setattr(opening, "demo_apps", lambda *_: [asking_shop()])


@pytest.fixture(scope="session", autouse=True)
def faults(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in request.config.getoption("--fault"):
            HALVES[request.config.getoption("--half")].faults[name](patch)
        yield


@pytest.fixture(autouse=True)
def broken(request: pytest.FixtureRequest) -> Iterator[None]:
    marker = request.node.get_closest_marker("cause")
    with pytest.MonkeyPatch.context() as patch:
        if marker is not None:
            ALONE[marker.kwargs.get("fault", marker.args[0])](patch)
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    path = session.config.getoption("--causes")
    if path:
        markers = {item.nodeid: item.get_closest_marker("cause") for item in session.items}
        causes = {nodeid: marker.args[0] for nodeid, marker in markers.items() if marker is not None}
        Path(path).write_text(json.dumps(causes), encoding="utf-8")


@pytest.fixture
def pull_cable(mobile_device: Any) -> Callable[[], None]:
    """Whatever is asked of the phone from then on cannot reach it."""
    closers: list[Callable[[], None]] = mobile_device._closers
    return closers[0]
