"""The permission controller's dialog: when it comes, what it says, what an answer changes."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import Latency, VirtualPhone

from .frail_app import (
    CAMERA,
    FRAIL,
    NOTIFICATIONS,
    FrailHand,
    frail_phone,
    frail_state,
)
from .notes_phone import sh
from .toy_app import ManualClock

CONTROLLER = "com.google.android.permissioncontroller"
ACTIVITY = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
IDS = "com.android.permissioncontroller:id/"


def asked(permission: str = NOTIFICATIONS) -> tuple[VirtualPhone, FrailHand]:
    phone, hand = frail_phone()
    frail_state(phone).permission = permission
    hand.tap(id="ask")
    return phone, hand


def granted(phone: VirtualPhone, permission: str) -> str:
    lines = sh(phone, f"dumpsys package {FRAIL}").out.splitlines()
    (line,) = [line.strip() for line in lines if line.strip().startswith(permission + ": ")]
    return line.removeprefix(permission + ": ")


def ids(hand: FrailHand) -> list[str]:
    found = (node.resource_id for node in hand.top.root.walk() if node.clickable)
    return [resource_id.removeprefix(IDS) for resource_id in found]


@pytest.mark.parametrize("reset", [f"pm clear {FRAIL}", f"pm revoke {FRAIL} {NOTIFICATIONS}"])
def test_what_was_refused_for_good_can_be_asked_again_after_a_reset(reset: str) -> None:
    phone, hand = asked()
    hand.tap(text="Don\u2019t allow")
    hand.tap(id="ask")
    hand.tap(text="Don\u2019t allow")
    assert sh(phone, reset).code == 0
    phone.start_app(FRAIL)
    hand.tap(id="ask")
    assert hand.top.package == CONTROLLER


def test_what_is_allowed_for_this_time_ends_with_the_process() -> None:
    phone, hand = asked(CAMERA)
    hand.tap(text="Only this time")
    assert granted(phone, CAMERA) == "granted=true, flags=[ ONE_TIME ]"
    phone.press_key("HOME")
    assert granted(phone, CAMERA) == "granted=true, flags=[ ONE_TIME ]"
    phone.stop_app(FRAIL)
    assert granted(phone, CAMERA) == "granted=false, flags=[ ]"


def test_it_belongs_to_its_app_and_waits_for_it() -> None:
    phone, hand = asked()
    phone.press_key("HOME")
    assert hand.top.package == "com.replicant.launcher"
    phone.start_app(FRAIL)
    assert hand.top.package == CONTROLLER
    phone.stop_app(FRAIL)
    phone.start_app(FRAIL)
    assert hand.top.package == FRAIL


def test_it_takes_a_screen_change_to_come_and_is_asked_once() -> None:
    clock = ManualClock()
    phone, hand = frail_phone(
        clock, Latency.from_knobs({"latency": "0", "screen_change_ms": "100"})
    )
    clock.now += 1
    hand.tap(id="ask")
    hand.tap(id="ask")
    assert hand.top.package == FRAIL
    assert frail_state(phone).answers == [False]
    clock.now += 0.1
    assert hand.top.package == CONTROLLER
    hand.tap(text="Allow")
    assert frail_state(phone).answers == [False, True]
    assert hand.top.package == FRAIL
