"""A capture becomes a phone: its facts, its screens, the ways between them, and what nobody
recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import DeviceInfo
from pytest_replicant.real_phones import Capture, Reached, facts_of, learn, refused_in
from pytest_replicant.virtual import Profile

from .captured import Tour, different, facts_said, phone, played, shop_walk

SHOP = "dev.replicant.shop"


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["one-ui", "iphone"])
def test_recorded_screens_are_the_same_again(profile: str, tmp_path: Path) -> None:
    platform = "ios" if profile == "iphone" else "android"
    with phone(SHOP, platform=platform, profile=profile) as tour:
        shop_walk(tour)
        kept = tour.capture(facts=facts_said(tour))
    with played(kept, tmp_path, SHOP) as again:
        shop_walk(again)
    assert different(kept.screens, again.screens) == []


@pytest.fixture
def shop(tmp_path: Path) -> Any:
    with phone(SHOP) as tour:
        shop_walk(tour)
    with played(tour.capture(), tmp_path, SHOP) as again:
        yield again


def said(tour: Tour) -> list[str]:
    return [entry.message for entry in tour.device.phone.log.entries() if entry.tag == "Recorded"]


@pytest.mark.slow
def test_ways_that_were_recorded_and_others(shop: Tour) -> None:
    shop.tap(text="Forgot password?")
    assert shop.look().title == "Reset password"
    assert said(shop) == []
    shop.tap(text="Send reset link")
    shop.driver.press_key("back")
    assert shop.look().title == "Sign in"
    shop.tap(text="Remember me")
    shop.scroll()
    assert shop.look().find(text="Remember me").states.checked is False
    assert [line.split(" on ")[0].split(" at ")[0] for line in said(shop)][-2:] == [
        "a tap",
        "a swipe that way",
    ]
    assert "sign-in was never recorded: nothing happens" in said(shop)[-1]


@pytest.mark.slow
def test_a_field_is_typed_into(shop: Tour) -> None:
    shop.tap(text="Email")
    assert shop.device.phone.keyboard_shown
    shop.driver.type_text("ada@x.org")
    field = shop.look().find(text="Email")
    assert (field.value, field.states.focused) == ("ada@x.org", True)
    shop.driver.clear_text()
    assert shop.look().find(text="Email").value in ("", None)


DEVICE = DeviceInfo(
    "", "android", "SM-S911B", "14", 1080, 2340, 3.0, {"sdk": "34", "brand": "samsung"}
)
EMPTY = Capture({"command": "a test"}, DEVICE)


def learned(answers: Any = None, refused: Any = (), took: Any = None) -> dict[str, Any]:
    said = facts_of(DEVICE, answers or {}, refused, took or {})
    found = learn(replace(EMPTY, facts=said.facts))
    return {name: value for values in found.facts.values() for name, value in values.items()}


def test_facts_of_the_phone_itself() -> None:
    assert learned() == {
        "model": "SM-S911B", "brand": "samsung", "width": 1080, "height": 2340, "release": "14",
        "density": 480, "sdk": 34,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("command", "output", "fact", "value"),
    [
        ("getprop", "[ro.product.device]: [dm1q]\n[ro.build.characteristics]: [phone]", "device",
         "dm1q"),
        ("settings get secure autofill_service", "a.b/.C\n", "autofill", "a.b/.C"),
        ("settings get secure default_input_method", "com.x/.Ime\n", "keyboard", "com.x/.Ime"),
        ("settings get system screen_off_timeout", "120000\n", "screen_timeout", 120),
        ("cmd package resolve-activity --brief -a android.content.pm.action.REQUEST_PERMISSIONS",
         "priority=0\ncom.samsung.android.permissioncontroller/.permission.ui.X", "permissions",
         "samsung"),
        ("dumpsys display", "DisplayCutout{insets=Rect(0, 136 - 0, 0) waterfall", "cutout", 45),
    ],
)  # fmt: skip
def test_facts_that_commands_printed(command: str, output: str, fact: str, value: object) -> None:
    assert learned({command: output})[fact] == value


@pytest.mark.parametrize(
    ("call", "answer", "fact", "value"),
    [
        ("tap", "java.lang.SecurityException: Injecting to another application requires "
            "INJECT_EVENTS permission",
         "injects", False),
        ("settings put", "requires android.permission.WRITE_SECURE_SETTINGS", "writes_settings",
         False),
        ("getClipboard", "null", "reads_clipboard", False),
        ("dumpWindowHierarchy", "java.lang.StackOverflowError: stack size 1039KB", "deepest", 60),
    ],
)  # fmt: skip
def test_facts_that_a_phone_refused(call: str, answer: str, fact: str, value: object) -> None:
    assert fact not in learned()
    assert learned(refused=refused_in(f"{call} {answer}"))[fact] == value


def test_timings_and_what_was_not_timed() -> None:
    said = facts_of(DEVICE, {}, (), {"dump_ms": [0.1, 0.18, 0.9] * 3, "odd_ms": [1.0]})
    found = learn(replace(EMPTY, facts=said.facts))
    assert found.facts["medians of 9 calls"] == {"latency": {"dump_ms": 180}}
    assert "gesture_ms" in found.unknown["latency"]
    assert "dump_ms" not in found.unknown["latency"]


def test_what_is_not_known_is_named_with_the_reason() -> None:
    with phone(SHOP) as tour:
        tour.keep("sign-in", Reached("launch"))
        screen = tour.screens[0]
    odd = (
        replace(screen, name="sideways", orientation="landscape"),
        replace(screen, name="damaged", hierarchy=b"<hierarchy><node"),
        replace(screen, name="system", app="com.android.systemui"),
        replace(screen, name="elsewhere", app="com.other"),
    )
    found = learn(
        replace(tour.capture(unknown={"verifier": "no answer in 5 s"}), screens=(screen, *odd))
    )
    assert [each.name for each in found.screens] == ["sign-in"]
    assert found.unknown["verifier"] == "no answer in 5 s"
    assert found.unknown["cutout"] == "the capture does not say"
    assert "seen in landscape" in found.unknown["screen sideways"]
    assert "cut off" in found.unknown["screen damaged"]
    assert "com.other has no window" in found.unknown["screen elsewhere"]
    known = {name for values in found.facts.values() for name in values} | set(found.unknown)
    assert set(vars(Profile())) - {"platform", "serial", "recorded"} <= known
