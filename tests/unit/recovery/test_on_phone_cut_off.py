"""The built-in policies where the phone itself is in trouble: an app that hangs, a connection that is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import ActionFailed, DeviceOffline
from pytest_replicant.model import Point
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import virtual_device
from pytest_replicant.virtual import App, Button, Column, Screen, Text, Widget

from .test_on_phone import QUICK, mended

pytestmark = pytest.mark.slow

PACKAGE = "dev.replicant.trial"


class Main(Screen[dict[str, Any]]):
    title = "Trial"

    def build(self, app: Any) -> Widget:
        def add() -> None:
            app.state["count"] = app.state.get("count", 0) + 1

        return Column(
            [
                Text(f"{app.state.get('count', 0)} taps", id="count"),
                Button("Add", id="add", on_click=add),
                Button("Hang", id="hang", on_click=lambda: app.hang(2500)),
            ]
        )


class CutOff(AndroidDriver):
    """Loses the connection before a touch, and has it again once it was made anew."""

    lost = False

    def tap(self, point: Point) -> None:
        if self.lost:
            raise DeviceOffline("the phone is gone", device=self.uri)
        super().tap(point)

    def reconnect(self, timeout: float) -> None:
        super().reconnect(timeout)
        self.lost = False


@contextmanager
def trial(**settings: Any) -> Iterator[tuple[DeviceSession, CutOff]]:
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Trial", state=dict, start=Main, anr_ms=200)
    given = {**QUICK, "action_timeout": 3.0, "expect_timeout": 2.0, **settings}
    with virtual_device(app, driver=CutOff) as device, device.session(**given) as session:
        assert isinstance(device.driver, CutOff)
        yield session, device.driver


def test_an_app_that_does_not_respond_is_waited_for() -> None:
    with trial() as (mobile, _):
        mobile.tap(text="Hang", silent=True)
        mobile.tap(text="Add", silent=True)
        mobile.wait_for(text="Trial isn't responding")
        with suppress(ActionFailed):  # the system may ask again before the app is back
            mobile.tap(text="Add", timeout=0.1)
        answered = [each.policy for each in mobile._context.recorder.recoveries if each.done]
        assert "anr_dialog" in answered
        mobile.wait_for(text_contains="taps", timeout=5)  # it was not closed


def test_a_connection_that_was_lost_is_made_anew() -> None:
    with trial() as (mobile, driver):
        driver.lost = True
        mobile.tap(text="Add").expect_visible(text="1 taps")
        assert mended(mobile) == [("tap", "reconnect", "state_refresh")]


def test_what_may_have_been_taken_is_not_sent_again_by_it() -> None:
    class Late(CutOff):
        def tap(self, point: Point) -> None:
            super(CutOff, self).tap(point)
            if self.lost:
                raise DeviceOffline("the phone is gone", device=self.uri)

    with trial() as (mobile, driver):
        driver.__class__ = Late
        driver.lost = True
        with pytest.raises(DeviceOffline):
            mobile.tap(text="Add")
        mobile.expect_visible(text="1 taps")
