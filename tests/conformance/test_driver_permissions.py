"""Permissions: set without a dialog, and the dialog answered by what the driver knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.drivers import AndroidDriver, PermissionAnswer
from pytest_replicant.errors import UsageError
from pytest_replicant.session import permission_prompt
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import Latency, VirtualPhone, start_server
from tests.unit.virtual.frail_app import CAMERA, CONTACTS, FRAIL, NOTIFICATIONS, frail_app, frail_state

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


@pytest.mark.parametrize(
    ("permission", "answer", "granted"),
    [
        (NOTIFICATIONS, "allow", True),
        (NOTIFICATIONS, "deny", False),
        (CAMERA, "allow", True),
        (CAMERA, "allow_once", True),
        (CAMERA, "deny", False),
    ],
)
def test_the_dialog_is_answered_by_its_buttons(
    driver: AndroidDriver, phone: VirtualPhone, permission: str, answer: PermissionAnswer, granted: bool
) -> None:
    frail_state(phone).permission = permission
    _press(driver, f"{FRAIL}:id/ask")
    assert driver.system_dialogs.asks(driver.app_in_front().app)
    _answer(driver, answer)
    assert frail_state(phone).answers == [granted]


def test_a_second_refusal_has_another_button(driver: AndroidDriver, phone: VirtualPhone) -> None:
    for answers in ([False], [False, False]):
        _press(driver, f"{FRAIL}:id/ask")
        _answer(driver, "deny")
        assert frail_state(phone).answers == answers


def _answer(driver: AndroidDriver, answer: PermissionAnswer) -> None:
    snapshot, dialogs = Snapshot.parse(driver.dump_hierarchy()), driver.system_dialogs
    question = permission_prompt(dialogs, snapshot, {FRAIL})
    matches = ([e for e in snapshot.match(each) if e in question] for each in dialogs.permission_buttons[answer])
    (button,) = next(filter(None, matches))
    driver.tap(button.center)


def _press(driver: AndroidDriver, resource_id: str) -> None:
    nodes = Snapshot.parse(driver.dump_hierarchy()).nodes
    (node,) = [node for node in nodes if node.resource_id == resource_id]
    driver.tap(node.bounds.center)
