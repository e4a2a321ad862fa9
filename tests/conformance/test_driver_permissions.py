"""Permissions: set without a dialog, and the dialog answered by what the driver knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import UsageError
from pytest_replicant.virtual import Latency, VirtualPhone, start_server
from tests.unit.virtual.frail_app import CAMERA, CONTACTS, FRAIL, NOTIFICATIONS, frail_app

from .packages import CAMERA_APP, camera_app

COARSE, FINE = (f"android.permission.ACCESS_{kind}_LOCATION" for kind in ("COARSE", "FINE"))


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone([frail_app()], latency=Latency.from_knobs({"latency": "0"}))


@pytest.fixture
def driver(phone: VirtualPhone) -> Iterator[AndroidDriver]:
    with start_server(phone) as server:
        connected = AndroidDriver.connect(server.host, server.port, phone.profile.serial)
        connected.launch(FRAIL, None, ())
        yield connected
        connected.close()


def test_a_short_name_sets_all_that_it_stands_for(driver: AndroidDriver, tmp_path: Path) -> None:
    driver.install(camera_app(tmp_path).path)
    driver.set_permission(CAMERA_APP, "location", True)
    held = driver.permissions(CAMERA_APP)
    assert (held[FINE], held[COARSE], held[CAMERA]) == (True, True, False)


def test_what_the_app_does_not_declare_cannot_be_given(driver: AndroidDriver) -> None:
    with pytest.raises(UsageError, match="does not ask for") as raised:
        driver.set_permission(FRAIL, "contacts", True)
    assert CONTACTS in str(raised.value)
    assert "It asks for: CAMERA, INTERNET, POST_NOTIFICATIONS" in str(raised.value)


def test_permissions_of_a_session_are_put_back(driver: AndroidDriver) -> None:
    driver.set_permission(FRAIL, "notifications", True)
    driver.restore_settings()
    driver.set_permission(FRAIL, "camera", True)
    driver.set_permission(FRAIL, "camera", False)
    driver.set_permission(FRAIL, "camera", True)
    driver.restore_settings()
    held = driver.permissions(FRAIL)
    assert (held[CAMERA], held[NOTIFICATIONS]) == (False, False)


def test_taking_a_permission_away_ends_the_app(driver: AndroidDriver) -> None:
    driver.set_permission(FRAIL, "camera", True)
    assert driver.app_status(FRAIL) == "foreground"
    driver.set_permission(FRAIL, "camera", False)
    assert driver.app_status(FRAIL) == "stopped"
