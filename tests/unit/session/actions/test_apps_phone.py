"""Going away and coming back on a virtual phone, through the real driver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Text, Widget

from ..on_phone import PACKAGE, session_on


class Counting(Screen[dict[str, Any]]):
    title = "Counting"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def add() -> None:
            app.state["count"] = app.state.get("count", 0) + 1

        def die() -> None:
            raise RuntimeError("on purpose")

        count = Text(f"{app.state.get('count', 0)} taps", id="count")
        return Column([count, Button("Add", id="add", on_click=add), Button("Die", id="die", on_click=die)])


@pytest.fixture
def mobile() -> Iterator[DeviceSession]:
    with session_on(Counting) as session:
        yield session


@pytest.mark.slow
def test_away_and_back_is_the_same_app_and_a_launch_a_new_one(mobile: DeviceSession) -> None:
    mobile.launch()
    mobile.tap(text="Add")
    mobile.home()
    assert mobile.current_app.app != PACKAGE
    mobile.activate().expect_visible(text="1 taps")
    mobile.background(0.05).expect_visible(text="1 taps")
    mobile.background()
    assert mobile.current_app.app != PACKAGE
    mobile.launch().expect_visible(text="0 taps")


@pytest.mark.slow
def test_what_is_not_there_does_not_come_to_the_front(mobile: DeviceSession) -> None:
    mobile.launch()
    mobile.tap(text="Die", silent=True)
    with pytest.raises(ActionFailed) as failed:
        mobile.background(0, timeout=0.1)  # the home screen is in front already
    assert failed.value.failure_code == "NAVIGATION_NO_CHANGE"
