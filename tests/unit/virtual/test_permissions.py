"""The permission controller's dialog: when it comes, what it says, what an answer changes."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import Latency, VirtualPhone, active_window
from pytest_replicant.virtual.designs.material.permissions import RUNTIME

from .frail_app import (
    CAMERA,
    CONTACTS,
    FRAIL,
    INTERNET,
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


def test_the_dialog_is_the_systems_and_says_what_the_app_wants() -> None:
    phone, hand = asked()
    window = hand.top
    assert (window.kind, window.package, window.accessible) == ("system_dialog", CONTROLLER, True)
    assert active_window(phone.windows()) is window
    assert hand.find(resource_id=f"{IDS}permission_message").text == "Allow Frail to send you notifications?"
    assert hand.find(resource_id=f"{IDS}permission_message").package == CONTROLLER
    assert hand.find(resource_id=f"{IDS}grant_dialog")
    assert hand.top_texts()[1:] == ["Allow", "Don\u2019t allow"]
    assert ids(hand) == ["permission_allow_button", "permission_deny_button"]


def test_its_activity_is_the_one_in_front() -> None:
    phone, _ = asked()
    assert phone.foreground() == (CONTROLLER, ACTIVITY)
    assert CONTROLLER in phone.processes()
    assert f" u0 {CONTROLLER}/{ACTIVITY}}}" in sh(phone, "dumpsys window | grep mCurrentFocus").out
    assert f" u0 {CONTROLLER}/{ACTIVITY} t1}}" in sh(phone, "dumpsys activity | grep mResumedActivity").out
    assert f"ACTIVITY {CONTROLLER}/{ACTIVITY} " in sh(phone, "dumpsys activity top").out
    assert f"{FRAIL}/{FRAIL}.MainActivity" in sh(phone, "dumpsys window windows").out


def test_allowing_grants_and_closes() -> None:
    phone, hand = asked()
    assert granted(phone, NOTIFICATIONS) == "granted=false, flags=[ ]"
    hand.tap(text="Allow")
    assert frail_state(phone).answers == [True]
    assert granted(phone, NOTIFICATIONS) == "granted=true, flags=[ ]"
    assert hand.top.package == FRAIL
    assert phone.foreground()[0] == FRAIL
    assert CONTROLLER not in phone.processes()
    hand.tap(id="ask")
    assert frail_state(phone).answers == [True, True]
    assert hand.top.package == FRAIL


def test_refused_twice_it_is_not_asked_again() -> None:
    phone, hand = asked()
    hand.tap(text="Don\u2019t allow")
    assert frail_state(phone).answers == [False]
    assert granted(phone, NOTIFICATIONS) == "granted=false, flags=[ USER_SET ]"
    hand.tap(id="ask")
    assert ids(hand) == ["permission_allow_button", "permission_deny_and_dont_ask_again_button"]
    hand.tap(text="Don\u2019t allow")
    assert granted(phone, NOTIFICATIONS) == "granted=false, flags=[ USER_SET|USER_FIXED ]"
    hand.tap(id="ask")
    assert frail_state(phone).answers == [False, False, False]
    assert hand.top.package == FRAIL


@pytest.mark.parametrize(
    "reset", [f"pm clear {FRAIL}", "pm reset-permissions", f"pm revoke {FRAIL} {NOTIFICATIONS}"]
)
def test_what_was_refused_for_good_can_be_asked_again_after_a_reset(reset: str) -> None:
    phone, hand = asked()
    hand.tap(text="Don\u2019t allow")
    hand.tap(id="ask")
    hand.tap(text="Don\u2019t allow")
    assert sh(phone, reset).code == 0
    phone.start_app(FRAIL)
    hand.tap(id="ask")
    assert hand.top.package == CONTROLLER


def test_the_camera_can_be_had_while_in_use_or_once() -> None:
    phone, hand = asked(CAMERA)
    assert hand.top_texts() == [
        "Allow Frail to take pictures and record video?",
        "While using the app",
        "Only this time",
        "Don\u2019t allow",
    ]
    assert ids(hand) == [
        "permission_allow_foreground_only_button",
        "permission_allow_one_time_button",
        "permission_deny_button",
    ]
    hand.tap(text="While using the app")
    phone.stop_app(FRAIL)
    assert granted(phone, CAMERA) == "granted=true, flags=[ ]"


def test_what_is_allowed_for_this_time_ends_with_the_process() -> None:
    phone, hand = asked(CAMERA)
    hand.tap(text="Only this time")
    assert granted(phone, CAMERA) == "granted=true, flags=[ ONE_TIME ]"
    phone.press_key("HOME")
    assert granted(phone, CAMERA) == "granted=true, flags=[ ONE_TIME ]"
    phone.stop_app(FRAIL)
    assert granted(phone, CAMERA) == "granted=false, flags=[ ]"


@pytest.mark.parametrize(("permission", "answer"), [(INTERNET, True), (CONTACTS, False)])
def test_what_needs_no_question_is_answered_at_once(permission: str, answer: bool) -> None:
    phone, hand = asked(permission)
    assert hand.top.package == FRAIL
    assert frail_state(phone).answers == [answer]


def test_granted_from_outside_it_is_not_asked() -> None:
    phone, hand = frail_phone()
    sh(phone, f"pm grant {FRAIL} {NOTIFICATIONS}")
    hand.tap(id="ask")
    assert frail_state(phone).answers == [True]
    assert hand.top.package == FRAIL


def test_what_is_taken_away_from_outside_ends_the_app() -> None:
    phone, _ = asked()
    assert sh(phone, f"pm revoke {FRAIL} {NOTIFICATIONS}").code == 0
    assert FRAIL in phone.processes()
    assert sh(phone, f"pm grant {FRAIL} {NOTIFICATIONS}").code == 0
    assert FRAIL in phone.processes()
    assert sh(phone, f"pm revoke {FRAIL} {NOTIFICATIONS}").code == 0
    assert FRAIL not in phone.processes()


@pytest.mark.parametrize("verb", ["grant", "revoke"])
@pytest.mark.parametrize(
    ("permission", "problem"),
    [
        (CONTACTS, f"SecurityException: Package {FRAIL} has not requested permission {CONTACTS}"),
        (
            INTERNET,
            f"SecurityException: Permission {INTERNET} requested by {FRAIL} is not a changeable permission",
        ),
    ],
)
def test_what_no_one_can_decide_is_refused_in_androids_words(verb: str, permission: str, problem: str) -> None:
    phone, _ = frail_phone()
    refused = sh(phone, f"pm {verb} {FRAIL} {permission}")
    assert refused.code == 255
    assert problem in refused.error


def test_going_back_is_no_answer() -> None:
    phone, hand = asked()
    phone.press_key("BACK")
    assert frail_state(phone).answers == [False]
    assert hand.top.package == FRAIL
    assert granted(phone, NOTIFICATIONS) == "granted=false, flags=[ ]"


def test_a_touch_next_to_it_does_nothing() -> None:
    phone, hand = asked()
    add = hand.find(id="add").bounds.center
    phone.tap(add.x, add.y)
    assert hand.top.package == CONTROLLER
    assert frail_state(phone).count == 0
    assert frail_state(phone).answers == []


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
    phone, hand = frail_phone(clock, Latency.from_knobs({"latency": "0", "screen_change_ms": "100"}))
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


def test_every_runtime_permission_has_its_wording() -> None:
    assert len(RUNTIME) > 30
    assert all(name.startswith("android.permission.") and wording for name, wording in RUNTIME.items())
