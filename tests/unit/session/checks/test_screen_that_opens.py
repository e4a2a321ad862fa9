"""The activity in front and the screen that is drawn: they differ while an app hangs in opening
one."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ExpectationFailed
from pytest_replicant.drivers import AppInFront
from pytest_replicant.drivers.android.screen import shows_activity
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import App, Button, Column, RunningApp, Screen, Text, Widget

APP = "dev.example.slow"
Slow = RunningApp[dict[str, Any]]


class Main(Screen[dict[str, Any]]):
    def build(self, app: Slow) -> Widget:
        return Column([Button("Open", on_click=lambda: app.go(Detail()))])


class Detail(Screen[dict[str, Any]]):
    activity = ".DetailActivity"

    def build(self, app: Slow) -> Widget:
        return Column([Text("Price"), Button("Again", on_click=lambda: app.hang(2_000))])

    def opened(self, app: Slow) -> None:
        app.hang(60_000)


SLOW: App[dict[str, Any]] = App(
    package=APP, label="Slow", state=lambda _: {}, start=Main, screens={".DetailActivity": Detail}
)


def test_a_screen_is_what_is_drawn() -> None:
    with virtual_session(SLOW) as session:
        session.launch(APP).expect_screen("Main").expect_visible(text="Open")
        opened = session.tap(text="Open")
        for name in ("Detail", "DetailActivity", f"{APP}.DetailActivity"):
            with pytest.raises(ExpectationFailed) as failed:
                opened.expect_screen(name, timeout=0.4)
        assert "has drawn nothing yet" in str(failed.value).split("\n", 1)[0]
        assert "It held before" not in str(failed.value), (
            "another activity was in front of that screen"
        )
        opened.expect_screen("Detail", timeout=70).expect_visible(text="Price")
        session.tap(text="Again").expect_screen("Detail")  # it hangs, and was drawn before


@pytest.mark.ci
def test_nor_is_one_that_hangs_at_its_start_and_under_the_question_about_it() -> None:
    with virtual_session(SLOW) as session:
        opened = session.launch(APP, activity=".DetailActivity")
        with pytest.raises(ExpectationFailed):
            opened.expect_screen("Detail", timeout=0.4)
        session.tap_at(500, 500, timeout=0.4)  # the system asks whether to wait, five seconds after
        with pytest.raises(ExpectationFailed):
            session.expect_screen("Detail", timeout=6)
        session.expect_screen("Detail", timeout=70)


WINDOWS = """  Window #9 Window{1a u0 StatusBar}:
    mHasSurface=true isReadyForDisplay()=true layer=9
  Window #3 Window{2b u0 dev.example.slow/dev.example.slow.DetailActivity}:
    mHasSurface=true isReadyForDisplay()=READY
  Window #2 Window{3c u0 dev.example.slow/dev.example.slow.MainActivity}:
    mHasSurface=true isReadyForDisplay()=true
"""


@pytest.mark.parametrize(
    ("activity", "said", "shown"),
    [
        ("DetailActivity", WINDOWS.replace("READY", "true"), True),
        ("DetailActivity", WINDOWS.replace("READY", "false"), False),
        ("OtherActivity", WINDOWS, False),
        (
            "OtherActivity",
            WINDOWS.replace("dev.example.slow", "dev.example.other"),
            True,
        ),  # it says nothing
        ("DetailActivity", "  Window #1 Window{4d u0 Splash Screen dev.example.slow}:\n", False),
        ("DetailActivity", "  Window #1 Window{4d dev.example.slow/.DetailActivity}:\n", True),
        ("DetailActivity", "", True),
    ],
)
def test_what_the_window_manager_says(activity: str, said: str, shown: bool) -> None:
    assert (
        shows_activity(said, AppInFront("dev.example.slow", f"dev.example.slow.{activity}"))
        is shown
    )
