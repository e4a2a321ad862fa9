"""Rotation, permissions, packages and files, on a virtual phone; wrong calls, on a scripted one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant import UsageError
from pytest_replicant.drivers import Capability
from pytest_replicant.errors import Unsupported
from pytest_replicant.session import DeviceSession
from pytest_replicant.virtual import Button, Column, RunningApp, Screen, Text, Widget
from tests.lab.exhibits_shown import refused

from ..conftest import Play
from ..on_phone import PACKAGE, session_on
from ..scripted_phone import button, screen

LOCATION = "android.permission.ACCESS_FINE_LOCATION"
HOME = screen(button("Go"), title="Home")


class Asking(Screen[dict[str, Any]]):
    title = "Asking"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def store(granted: bool) -> None:
            app.state["granted"] = granted

        return Column(
            [
                Text(f"granted: {app.state.get('granted')}", id="state"),
                Button("Ask", id="ask", on_click=lambda: app.request_permission(LOCATION, store)),
            ]
        )


@pytest.fixture
def mobile() -> Iterator[DeviceSession]:
    with session_on(Asking, permissions=(LOCATION,)) as session:
        yield session


@pytest.mark.parametrize(
    ("answer", "granted"), [("allow", True), ("allow_once", True), ("deny", False)]
)
def test_a_prompt_is_answered(mobile: DeviceSession, answer: Any, granted: bool) -> None:
    mobile.tap(text="Ask")
    outcome = mobile.answer_permission(answer)
    outcome.expect_visible(text=f"granted: {granted}")
    assert outcome.result.details["answer"] == answer


def test_where_no_prompt_is_up_that_is_said_and_nothing_is_tapped(mobile: DeviceSession) -> None:
    with refused("ELEMENT_NOT_FOUND", "no permission prompt is up"):
        mobile.answer_permission("allow", timeout=0.1)
    mobile.expect_visible(text="granted: None")


def test_a_permission_is_set_without_a_prompt(mobile: DeviceSession) -> None:
    mobile.set_permission("location", True)
    mobile.launch(PACKAGE)
    mobile.tap(text="Ask").expect_visible(text="granted: True")
    with pytest.raises(UsageError, match="camera"):
        mobile.set_permission("camera", True)


def test_the_screen_turns_and_is_put_back(mobile: DeviceSession) -> None:
    outcome = mobile.rotate("landscape")
    assert (
        outcome.result.details["orientation"] == outcome.result.details["read_back"] == "landscape"
    )
    width, height = outcome.snapshot.size
    assert width > height
    mobile.tap_at(width - 10, height // 2)  # beyond the right edge, were the phone upright
    with pytest.raises(UsageError, match=r"the screen of .* has"):
        mobile.tap_at(10, width - 10)
    mobile._context.driver.restore_settings()
    assert mobile._context.driver.orientation() == "portrait"


def test_files_go_there_and_come_back(mobile: DeviceSession, tmp_path: Path) -> None:
    here, remote = tmp_path / "a.bin", "/sdcard/Download/a.bin"
    here.write_bytes(b"\x00\r\nabc\xff")
    mobile.push_file(here, remote)
    outcome = mobile.pull_file(remote, tmp_path / "b.bin")
    assert outcome.data == here.read_bytes() == (tmp_path / "b.bin").read_bytes()
    mobile.push_file(b"other", remote)
    assert mobile.pull_file(remote).data == b"other"
    with pytest.raises(UsageError):
        mobile.pull_file("/sdcard/Download/none")


def test_an_app_is_removed(mobile: DeviceSession) -> None:
    mobile.launch(PACKAGE)
    mobile.uninstall(PACKAGE)
    assert not mobile._context.launched_apps
    with pytest.raises(UsageError):
        mobile.launch(PACKAGE)


def test_what_a_phone_cannot_do_is_said_before_anything_is_read(play: Play) -> None:
    session, phone = play([HOME])
    phone.capabilities = Capability.NONE
    calls: list[Callable[[], object]] = [
        lambda: session.open_url("shop://cart"),
        lambda: session.launch("dev.example.app", fresh=True),
        lambda: session.clear_data("dev.example.app"),
        lambda: session.rotate("landscape"),
        lambda: session.answer_permission("allow"),
        lambda: session.set_permission("camera", True, "dev.example.app"),
        lambda: session.install(__file__),
        lambda: session.uninstall("dev.example.app"),
        lambda: session.push_file(b"x", "/sdcard/a"),
        lambda: session.pull_file("/sdcard/a"),
        lambda: session.pinch(text="Go", scale=2),
        lambda: session.drag(session.find(text="Go"), session.find(text="Go")),
    ]
    for call in calls[:-1]:
        with pytest.raises(Unsupported):
            call()
    assert phone.dumps == 0
    with pytest.raises(Unsupported) as missing:
        calls[-1]()
    assert missing.value.capability == "drag"
