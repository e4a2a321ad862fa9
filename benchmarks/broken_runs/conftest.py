"""Each test says by a marker what is broken while it runs; that is the truth that a grouping is measured by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.pool import open as opening
from pytest_replicant.virtual import App

from .faults import FAULTS, NOTIFICATIONS, Bench
from .pages import SHOP


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cause(name, fault): what is broken, and by which fault; itself by default")
    apps_of = opening.demo_apps

    def asking(ids: Sequence[str]) -> list[App[Any]]:
        apps = apps_of(ids)
        return [replace(app, permissions=(NOTIFICATIONS,)) if app.package == SHOP else app for app in apps]

    pytest.MonkeyPatch().setattr(opening, "demo_apps", asking)


@pytest.fixture(autouse=True)
def broken(request: pytest.FixtureRequest) -> Iterator[None]:
    marker = request.node.get_closest_marker("cause")
    with pytest.MonkeyPatch.context() as patch:
        if marker is not None:
            fault = FAULTS[marker.kwargs.get("fault", marker.args[0])]
            fault(Bench(patch, request))
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """What is true, for whoever measures: the cause of each test that has one."""
    path = session.config.getoption("--causes")
    if path:
        markers = {item.nodeid: item.get_closest_marker("cause") for item in session.items}
        causes = {nodeid: marker.args[0] for nodeid, marker in markers.items() if marker is not None}
        Path(path).write_text(json.dumps(causes), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--causes", metavar="FILE", default="", help="where the true causes are written to")


@pytest.fixture
def pull_cable(mobile_device: Any) -> Callable[[], None]:
    """Whatever is asked of the phone from then on cannot reach it."""
    closers: list[Callable[[], None]] = mobile_device._closers
    return closers[0]
