"""The Android driver against the virtual phone, over the real clients and the real protocols: role
by role."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.errors import ProtocolError, UsageError
from pytest_replicant.model import Point
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import UiNode, VirtualPhone

SHOP = "dev.replicant.shop"


@pytest.fixture(scope="module")
def device() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0&screen_timeout=3600") as opened:
        yield opened


@pytest.fixture
def driver(device: OpenDevice) -> Driver:
    """The shop's first screen, of a fresh process."""
    device.driver.clear_data(SHOP)
    device.driver.launch(SHOP, None, ())
    return device.driver


@pytest.fixture
def phone(device: OpenDevice) -> VirtualPhone:
    assert device.phone is not None
    return device.phone


def node(phone: VirtualPhone, name: str) -> UiNode:
    """What the phone itself has on its screen under that id; no parser is asked."""
    found = [
        node
        for window in phone.windows()
        for node in window.root.walk()
        if node.resource_id.endswith(f":id/{name}")
    ]
    assert len(found) == 1, f"{len(found)} nodes with the id {name}"
    return found[0]


def center(phone: VirtualPhone, name: str) -> Point:
    return node(phone, name).bounds.center


def email(phone: VirtualPhone) -> str:
    return node(phone, "email").text


def test_a_monitor_next_to_the_phone_is_none_of_its_screen() -> None:
    with open_device("virtual?latency=0&displays=2") as monitored:
        monitored.driver.launch("dev.replicant.shop", None, ())
        source = monitored.driver.dump_hierarchy()
        assert b'display-id="2"' in source
        snapshot = Snapshot.parse(source)
        assert snapshot.app == "dev.replicant.shop"
        assert "Files" not in snapshot.outline()


def test_a_phone_that_may_not_be_touched_is_refused_when_it_is_opened() -> None:
    with (
        pytest.raises(
            ProtocolError,
            match=r"INJECT_EVENTS permission\. .* USB debugging \(Security settings\)",
        ) as error,
        open_device("virtual?latency=0&inject=denied"),
    ):
        pass
    assert not error.value.recoverable


def test_a_tap_is_one_gesture(driver: Driver, phone: VirtualPhone) -> None:
    before = phone.pace.calls["gesture"]
    driver.tap(center(phone, "forgot_password"))
    assert phone.pace.calls["gesture"] == before + 1
    assert phone.foreground()[1].endswith("ResetPasswordActivity")


@pytest.mark.parametrize("seconds", [-1.0, 61.0, float("nan")])
def test_a_gesture_has_a_length(driver: Driver, seconds: float) -> None:
    with pytest.raises(UsageError, match="Nothing was touched"):
        driver.swipe(Point(500, 500), Point(500, 900), seconds)


def test_text_is_added_behind_what_is_there(driver: Driver, phone: VirtualPhone) -> None:
    phone.set_clip("mine")
    driver.tap(center(phone, "email"))
    for part in ("one", " & two", " 三"):
        driver.type_text(part)
    assert email(phone) == "one & two 三"
    assert phone.clipboard == "mine"


def test_a_hint_is_not_what_was_typed(driver: Driver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "email"))
    driver.type_text("gone soon")
    driver.clear_text()
    assert email(phone) in ("", "Email")
    driver.type_text("ada@example.com")
    assert email(phone) == "ada@example.com"


def test_filling_a_field_takes_four_calls(driver: Driver, phone: VirtualPhone) -> None:
    phone.pace.calls.clear()
    driver.tap(center(phone, "email"))
    assert driver.focused_field() is not None
    driver.clear_text()
    driver.type_text("ada@example.com")
    assert phone.pace.calls == {"gesture": 1, "rpc": 1, "text": 2}
    assert email(phone) == "ada@example.com"


def test_what_was_empty_a_while_ago_may_not_be_empty_now(
    driver: Driver, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "email"))
    driver.clear_text()
    phone.type_text("somebody else's ")
    driver.shell("true", 5)
    driver.type_text("text")
    assert email(phone) == "somebody else's text"


def test_a_field_that_lost_the_focus_is_not_typed_into(driver: Driver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "email"))
    driver.clear_text()
    password = center(phone, "password")
    phone.tap(password.x, password.y)
    driver.type_text("secret")
    assert email(phone) in ("", "Email")
    assert len(node(phone, "password").text) == len("secret")


def test_a_masked_field_takes_more_behind_unreadable_text(
    driver: Driver, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "password"))
    driver.type_text("correct ")
    driver.type_text("horse")
    driver.tap(center(phone, "email"))
    driver.type_text("ada@example.com")
    driver.press_key("enter")
    driver.press_key("enter")
    assert phone.foreground()[1].endswith("CatalogueActivity")


def test_words_for_the_app_are_never_words_for_the_shell(driver: Driver) -> None:
    driver.launch(SHOP, None, ("--es", "name", "it's $(reboot); reboot"))
    assert driver.app_in_front().app == SHOP


def test_an_app_that_is_not_installed_names_the_near_one(driver: Driver) -> None:
    with pytest.raises(
        UsageError, match=r"dev\.replicant\.shpo is not installed.*dev\.replicant\.shop"
    ):
        driver.launch("dev.replicant.shpo", None, ())


@pytest.mark.parametrize("app", ["com.nope", "com.replicant.launcher"])
def test_a_url_is_opened_in_that_app_or_not_at_all(driver: Driver, app: str) -> None:
    before = driver.app_in_front()
    with pytest.raises(UsageError, match=app):
        driver.open_url("replicant-shop://cart", app)
    assert driver.app_in_front() == before
    driver.open_url("replicant-shop://cart", SHOP)
    assert driver.app_in_front().app == SHOP


def test_an_open_keyboard_is_announced_and_none_of_its_keys_is_an_element(
    driver: Driver, phone: VirtualPhone
) -> None:
    closed = Snapshot.parse(driver.dump_hierarchy())
    assert not closed.keyboard_visible
    driver.tap(center(phone, "email"))
    snapshot = Snapshot.parse(driver.dump_hierarchy())
    assert phone.keyboard_shown
    assert snapshot.keyboard_visible
    assert snapshot.keyboard == phone.windows()[1].root.bounds
    assert not [
        element for element in snapshot.elements if element.label in ("q", "Delete", "Space")
    ]
    assert "(keyboard open)" in snapshot.outline()
    assert "inputArea" not in snapshot.outline()
    stock = driver.shell("uiautomator dump /sdcard/seen.xml && cat /sdcard/seen.xml", 10).stdout
    assert "<node" in stock
    assert "inputmethod" not in stock
