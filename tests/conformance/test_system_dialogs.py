"""The system's own dialogs, as plain uiautomator2 and adbutils see and answer them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import adbutils
import pytest
import uiautomator2

from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Latency,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
    start_server,
)

PACKAGE = "dev.replicant.asker"
CONTROLLER = "com.google.android.permissioncontroller"
IDS = "com.android.permissioncontroller:id/"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Asker(Screen[dict[str, Any]]):
    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def store(granted: bool) -> None:
            app.state["granted"] = granted

        return Column(
            [
                Text(f"granted: {app.state.get('granted')}", id="state"),
                Button("Ask", id="ask", on_click=lambda: app.request_permission(LOCATION, store)),
                Button("Hang", id="hang", on_click=lambda: app.hang(600_000)),
            ]
        )


@pytest.fixture
def adb_device() -> Iterator[adbutils.AdbDevice]:
    app: App[dict[str, Any]] = App(
        package=PACKAGE, label="Asker", state=dict, start=Asker, permissions=(LOCATION,), anr_ms=50
    )
    phone = VirtualPhone([app], latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    with start_server(phone) as server:
        yield adbutils.AdbClient(server.host, server.port).device(server.serials[0])


@pytest.fixture
def d(adb_device: adbutils.AdbDevice) -> Iterator[uiautomator2.Device]:
    device = uiautomator2.connect(adb_device)
    yield device
    device.stop_uiautomator()


@pytest.mark.slow
def test_a_permission_is_asked_for_and_given(
    d: uiautomator2.Device, adb_device: adbutils.AdbDevice
) -> None:
    d(resourceId=f"{PACKAGE}:id/ask").click()
    message = d(resourceId=f"{IDS}permission_message")
    assert message.get_text() == "Allow Asker to access this device\u2019s location?"
    assert message.info["packageName"] == CONTROLLER
    assert d.app_current()["package"] == CONTROLLER
    front = adb_device.app_current()
    assert front.package == CONTROLLER
    assert (
        front.activity == "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
    )
    assert f"{IDS}permission_deny_button" in d.dump_hierarchy()
    d(resourceId=f"{IDS}permission_allow_foreground_only_button").click()
    assert d(resourceId=f"{PACKAGE}:id/state").get_text() == "granted: True"
    assert adb_device.app_current().package == PACKAGE
    assert f"{LOCATION}: granted=true" in adb_device.shell(f"dumpsys package {PACKAGE}")
