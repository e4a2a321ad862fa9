"""The iOS driver against the virtual iPhone, over unmodified facebook-wda and a real socket: role
by role."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

import pytest

from pytest_replicant.drivers import AppInFront, IosDriver, Orientation
from pytest_replicant.errors import DeviceError, ProtocolError, UsageError
from pytest_replicant.model import Point
from pytest_replicant.pool import demo_apps
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import (
    IPHONE,
    Latency,
    PhoneServer,
    UiNode,
    VirtualPhone,
    start_server,
)

from .iphone_app import NOTES, notes

SHOP = "dev.replicant.shop"
SPRINGBOARD = "com.apple.springboard"


@pytest.fixture(scope="module")
def phone() -> VirtualPhone:
    apps = [*demo_apps([SHOP]), notes()]
    return VirtualPhone(apps, profile=IPHONE, latency=Latency.from_knobs({"latency": "0"}))


@pytest.fixture(scope="module")
def server(phone: VirtualPhone) -> Iterator[PhoneServer]:
    with start_server(phone, server=False, wda=True) as running:
        yield running


@pytest.fixture(scope="module")
def connected(server: PhoneServer) -> Iterator[IosDriver]:
    driver = IosDriver.connect(server.wda_url, timeout=10)
    yield driver
    driver.close()


@pytest.fixture
def driver(connected: IosDriver, phone: VirtualPhone) -> Iterator[IosDriver]:
    """On the notes' first screen, of a fresh process; the shop, too, begins at its first."""
    connected.stop(SHOP)
    connected.stop(NOTES)
    connected.launch(NOTES, None, ())
    usual = connected._link.settings["defaultActiveApplication"]
    yield connected
    connected._link.change_setting("defaultActiveApplication", usual)
    alerts = [window for window in phone.windows() if window.kind == "system_dialog"]
    for alert in reversed(alerts):
        button = next(node for node in alert.root.walk() if node.clickable).bounds.center
        phone.tap(button.x, button.y)


def nodes(phone: VirtualPhone, name: str) -> list[UiNode]:
    """What the phone itself has on its screen under that id; no parser is asked."""
    found = [node for window in phone.windows() for node in window.root.walk()]
    return [node for node in found if node.resource_id.rpartition("/")[2] == name]


def center(phone: VirtualPhone, name: str) -> Point:
    return nodes(phone, name)[0].bounds.center


def text(phone: VirtualPhone, name: str) -> str:
    return nodes(phone, name)[0].text


def test_it_says_which_phone_it_is(connected: IosDriver, server: PhoneServer) -> None:
    info = connected.info
    assert (info.platform, info.os_version, info.density) == ("ios", IPHONE.release, 3.0)
    assert (info.width, info.height) == (IPHONE.width, IPHONE.height)
    assert connected.uri == f"ios:{server.wda_url}"


def test_a_tap_is_one_gesture_at_its_pixel(driver: IosDriver, phone: VirtualPhone) -> None:
    before = phone.pace.calls["gesture"]
    driver.tap(center(phone, "title"))
    assert phone.pace.calls["gesture"] == before + 1
    assert nodes(phone, "title")[0].focused


@pytest.mark.parametrize("seconds", [-1.0, 61.0, float("nan")])
def test_a_gesture_has_a_length(driver: IosDriver, seconds: float) -> None:
    for gesture in (driver.swipe, driver.drag):
        with pytest.raises(UsageError, match="Nothing was touched"):
            gesture(Point(500, 500), Point(500, 900), seconds)
    with pytest.raises(UsageError, match="Nothing was touched"):
        driver.long_press(Point(500, 500), seconds)


def test_a_turned_screen_has_other_edges(driver: IosDriver, phone: VirtualPhone) -> None:
    low, right = Point(500, 2000), Point(2000, 500)
    driver.tap(low)
    with pytest.raises(UsageError, match="1179 x 2556"):
        driver.tap(right)
    driver.rotate("landscape")
    try:
        driver.tap(right)
        with pytest.raises(UsageError, match="2556 x 1179"):
            driver.tap(low)
    finally:
        driver.restore_settings()
    assert driver.orientation() == "portrait"
    phone.set_rotation(1)  # by hand, unknown to the driver
    try:
        driver.dump_hierarchy()
        with pytest.raises(UsageError, match="2556 x 1179"):
            driver.tap(low)
    finally:
        phone.set_rotation(0)


@pytest.mark.parametrize("orientation", ["landscape", "reverse_landscape"])
def test_a_turn_that_webdriveragent_does_not_wait_for_is_awaited(
    driver: IosDriver, phone: VirtualPhone, orientation: Orientation
) -> None:
    """It looks before the screen has turned, and refuses; and it calls both landscapes the same."""
    phone.set_rotation(3 if orientation == "landscape" else 1)
    before = driver.orientation()
    driver.rotate(orientation)
    assert (driver.orientation(), phone.rotation) == (
        orientation,
        1 if orientation == "landscape" else 3,
    )
    driver.restore_settings()
    assert driver.orientation() == before != orientation
    phone.set_rotation(0)


def test_what_is_typed_goes_behind_what_is_there(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "title"))
    driver.type_text("one")
    for _ in range(2):
        phone.press_key("DPAD_LEFT")  # as a tap puts the caret into the middle
    driver.type_text(" two")
    assert text(phone, "title") == "one two"


def test_a_placeholder_is_no_text(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "title"))
    field = driver.focused_field()
    assert field is not None
    assert (field.resource_id, field.text) == ("title", "")
    assert field.bounds.contains(center(phone, "title"))
    driver.type_text("Title")  # the very word
    assert text(phone, "title") == "Title"


@pytest.mark.parametrize("hostile", ["two\nlines", "a\ttab"])
def test_only_a_field_of_several_lines_takes_them(
    driver: IosDriver, phone: VirtualPhone, hostile: str
) -> None:
    driver.tap(center(phone, "title"))
    with pytest.raises(UsageError, match="Nothing was typed"):
        driver.type_text(hostile)
    assert text(phone, "title") == ""
    driver.tap(center(phone, "text"))
    driver.check_field_takes(hostile)


def test_a_field_is_found_again_in_a_new_session(
    driver: IosDriver, server: PhoneServer, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "title"))
    driver.type_text("old")
    assert driver.focused_field() is not None
    forget_sessions(server)
    driver.clear_text()
    driver.type_text("new")
    assert text(phone, "title") == "new"


def test_another_field_is_not_cleared_in_a_new_session(
    driver: IosDriver, server: PhoneServer, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "title"))
    driver.type_text("kept")
    driver.tap(center(phone, "text"))
    driver.type_text("too")
    assert driver.focused_field() is not None
    forget_sessions(server)
    phone.tap(center(phone, "title").x, center(phone, "title").y)
    with pytest.raises(UsageError, match="the focus moved on"):
        driver.clear_text()
    assert (text(phone, "title"), text(phone, "text")) == ("kept", "too")


def test_alerts_of_the_system_are_shown_over_the_app_in_front(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    """WebDriverAgent shows them only in a session of the app that they are over."""
    with system_alert(driver, phone, "20% of battery remaining"):
        assert b"20% of" in driver.dump_hierarchy()
        assert driver.app_in_front().app == SPRINGBOARD
    phone.start_app(SHOP)  # by hand, unknown to the driver
    pids = phone.processes()
    assert driver.app_in_front().app == SHOP
    with system_alert(driver, phone, "10% of battery remaining"):
        assert b"10% of" in driver.dump_hierarchy()
    assert phone.processes() == pids, "an app is not started again for it"


@contextmanager
def system_alert(driver: IosDriver, phone: VirtualPhone, message: str) -> Iterator[None]:
    phone.show_system_dialog("Low Battery", message, ("Close",))
    yield
    (close,) = (
        node for window in phone.windows() for node in window.root.walk() if node.text == "Close"
    )
    driver.tap(close.bounds.center)


def test_what_an_element_was_asked_is_reported_without_its_id(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "title"))
    assert driver.focused_field() is not None
    phone.stop_app(NOTES)
    with pytest.raises(ProtocolError, match=r"^element/ID/clear on .* The app has ended by itself"):
        driver.clear_text()
    with pytest.raises(DeviceError, match=r"^element/ID/clear on "):
        driver._link.post("element/4FCFD715-9067/clear")


def forget_sessions(server: PhoneServer) -> None:
    """As a WebDriverAgent does that is used by somebody else meanwhile."""
    body = b'{"capabilities": {}}'
    with urlopen(
        Request(f"{server.wda_url}/session", body, {"Content-Type": "application/json"})
    ) as answer:
        assert answer.status == 200


def test_a_plain_return_key_hides_the_keyboard(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.hide_keyboard()
    driver.tap(center(phone, "title"))
    driver.type_text("kept")
    driver.hide_keyboard()
    assert not phone.keyboard_shown
    assert text(phone, "title") == "kept"


def test_a_return_key_that_does_more_is_not_pressed_for_that(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "text"))
    with pytest.raises(UsageError, match="would add a line"):
        driver.hide_keyboard()
    assert text(phone, "text") == ""
    driver.launch(SHOP, None, ())
    driver.tap(center(phone, "password"))
    with pytest.raises(UsageError, match="does more than that"):
        driver.hide_keyboard()
    assert phone.keyboard_shown


def test_back_is_the_bars_back_button(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "nested"))
    driver.press_key("back")
    assert nodes(phone, "title")
    with pytest.raises(UsageError, match=r"its navigation bar has no button.*Nothing was pressed"):
        driver.press_key("back")


def test_back_does_not_answer_a_dialog(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "ask"))
    try:
        with pytest.raises(UsageError, match="an alert is up"):
            driver.press_key("back")
        assert driver.app_in_front() == AppInFront(SPRINGBOARD)
        assert "Don\u2019t Allow" in driver.dump_hierarchy().decode()
    finally:
        driver.stop(NOTES)


def test_deep_screens_are_read_and_too_deep_ones_are_marked(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    driver.tap(center(phone, "nested"))
    source = driver.dump_hierarchy()
    assert b"at the bottom" in source
    assert Snapshot.parse(source).cut == 0
    driver.press_key("back")
    driver.tap(center(phone, "too_deep"))
    source = driver.dump_hierarchy()
    assert b"at the bottom" not in source
    assert Snapshot.parse(source).cut == 62
    driver.press_key("back")
    source = driver.dump_hierarchy()
    assert b'name="title"' in source
    assert Snapshot.parse(source).cut == 0


def test_arguments_reach_a_process_that_starts(driver: IosDriver) -> None:
    with pytest.raises(UsageError, match="Stop it first"):
        driver.launch(NOTES, None, ["-reset"])
    driver.stop(NOTES)
    driver.launch(NOTES, None, ["-reset"])
    assert driver.app_status(NOTES) == "foreground"


def test_an_app_that_died_is_stopped(driver: IosDriver, phone: VirtualPhone) -> None:
    driver.tap(center(phone, "crash"))
    assert driver.app_status(NOTES) == "stopped"
    assert driver.app_in_front() == AppInFront(SPRINGBOARD)
    assert SPRINGBOARD.encode() in driver.dump_hierarchy()


def test_a_link_that_no_app_opens(driver: IosDriver) -> None:
    with pytest.raises(UsageError, match="no app on the phone opens it"):
        driver.open_url("no-such-scheme://anywhere", None)
    driver.open_url("replicant-shop://catalogue", None)
    assert driver.app_in_front() == AppInFront(SHOP)


def test_webdriveragent_is_asked_only_for_keys_that_are_there(
    driver: IosDriver, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It spins 3 s before it says that one is not."""
    asked: list[str] = []
    post = driver._link.post

    def posted(path: str, *args: Any, **more: Any) -> Any:
        asked.append(path)
        return post(path, *args, **more)

    monkeypatch.setattr(driver._link, "post", posted)
    driver.tap(center(phone, "title"))
    asked.clear()
    before = driver._link.calls
    driver.hide_keyboard()
    assert asked == ["wda/keys"]
    assert driver._link.calls - before <= 5
    driver.tap(center(phone, "text"))
    asked.clear()
    with pytest.raises(UsageError, match="would add a line"):
        driver.hide_keyboard()
    assert asked == []


def test_a_read_leaves_out_what_nobody_reads(driver: IosDriver) -> None:
    source = driver.dump_hierarchy()
    assert b' visible="' in source
    assert b' accessible="' not in source
    assert b' index="' not in source


def test_an_alert_over_an_app_that_came_to_the_front_by_itself_is_seen(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    """A link, another app's button: the session is that of the app before."""
    phone.start_app(SHOP)
    with system_alert(driver, phone, "30% of battery remaining"):
        assert b"30% of" in driver.dump_hierarchy()
        calls = driver._link.calls
        assert b"30% of" in driver.dump_hierarchy()
        assert driver._link.calls == calls + 1, "from then on it is the session's"


def test_the_question_which_contacts_an_app_may_see_is_preferred_while_it_is_up(
    driver: IosDriver, phone: VirtualPhone
) -> None:
    prompt = driver._link.settings["defaultActiveApplication"]
    assert prompt in driver.system_dialogs.permission_packages
    driver._link.change_setting("defaultActiveApplication", SHOP)  # in its place
    try:
        with system_alert(driver, phone, "40% of battery remaining"):
            assert b"40% of" in driver.dump_hierarchy()
            phone.start_app(SHOP)
            assert f'bundleId="{SHOP}"'.encode() in driver.dump_hierarchy()
    finally:
        driver._link.change_setting("defaultActiveApplication", prompt)
