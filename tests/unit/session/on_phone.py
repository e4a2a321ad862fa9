"""A session on a virtual phone that runs an app of the test's own: for what a script of screens cannot show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pytest_replicant.drivers import AndroidDriver, IosDriver
from pytest_replicant.session import DeviceSession, build_session
from pytest_replicant.virtual import IPHONE, App, Latency, Screen, VirtualPhone, start_server

PACKAGE = "dev.replicant.trial"
QUICK: dict[str, Any] = {
    "action_timeout": 1.0,
    "expect_timeout": 1.0,
    "window": 0.3,
    "interval": 0.01,
    "quiet": 0.05,
    "screenshots": False,
}


@contextmanager
def session_on_iphone(start: type[Screen[dict[str, Any]]], **options: Any) -> Iterator[DeviceSession]:
    """As ``session_on``."""
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Trial", state=dict, start=start, **options)
    phone = VirtualPhone([app], profile=IPHONE, latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    with start_server(phone, server=False, wda=True) as server:
        driver = IosDriver.connect(server.wda_url)
        try:
            session, recorder = build_session(driver, app=PACKAGE, **QUICK)
            try:
                yield session
            finally:
                recorder.close()
        finally:
            driver.close()


@contextmanager
def session_on(start: type[Screen[dict[str, Any]]], **options: Any) -> Iterator[DeviceSession]:
    """``start`` is the app's first screen, which is in front; ``options`` are further ones of ``App``."""
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Trial", state=dict, start=start, **options)
    phone = VirtualPhone([app], latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    with start_server(phone) as server:
        driver = AndroidDriver.connect(server.host, server.port, server.serials[0])
        try:
            session, recorder = build_session(driver, app=PACKAGE, **QUICK)
            try:
                yield session
            finally:
                recorder.close()
        finally:
            driver.close()
