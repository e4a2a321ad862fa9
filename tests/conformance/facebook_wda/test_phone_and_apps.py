"""Plain facebook-wda against the virtual iPhone: the phone itself, its apps, its screen."""

from __future__ import annotations

import io
import json
import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from pytest_replicant.virtual import VirtualPhone

from .stock import LAB, SHOP, SIZE, SPRINGBOARD, follow, leaves_sockets_to_the_collector, opened, wda

pytestmark = leaves_sockets_to_the_collector


@pytest.fixture(autouse=True)
def nothing_failed_inside(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    failures = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in failures] == []


@pytest.fixture
def s(c: wda.Client) -> wda.Client:
    """In a session with a fresh process of the shop, upright."""
    session = opened(c, SHOP)
    if session.orientation != wda.PORTRAIT:
        session.orientation = wda.PORTRAIT
    return session


def test_it_is_ready_and_says_what_it_is(c: wda.Client) -> None:
    assert c.is_ready()
    assert c.wait_ready(timeout=1, noprint=True)
    status = c.status()
    assert status["ready"] is True
    assert status["os"]["name"] == "iOS"
    assert status["os"]["version"] == "17.5"
    assert "sessionId" in status


def test_healthcheck(c: wda.Client) -> None:
    c.healthcheck()


def test_a_session_starts_an_app(c: wda.Client) -> None:
    with c.session(SHOP) as s:
        assert re.fullmatch(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", s.session_id)
        assert s.bundle_id == SHOP
        assert s.app_current()["bundleId"] == SHOP
        assert c.status()["sessionId"] == s.session_id


def test_a_session_closed_is_gone(c: wda.Client) -> None:
    s = c.session(SHOP)
    first = s.session_id
    s.close()
    assert c.status()["sessionId"] != first


def test_a_session_of_no_app_leaves_the_screen_alone(c: wda.Client, phone: VirtualPhone) -> None:
    c.session()  # whichever app an earlier session was for has ended with it
    phone.start_app(SHOP)
    assert c.session().app_current()["bundleId"] == SHOP


def test_a_session_of_an_app_that_is_not_there(c: wda.Client) -> None:
    with pytest.raises(wda.WDARequestError) as raised:
        c.session("dev.example.absent")
    assert raised.value.value["error"] in ("session not created", "unknown error")
    assert "dev.example.absent" in raised.value.value["message"]


def test_source_as_xml(s: wda.Client) -> None:
    root = ET.fromstring(s.source())
    application = root if root.tag == "XCUIElementTypeApplication" else root.find("XCUIElementTypeApplication")
    assert application is not None
    assert (application.get("x"), application.get("y")) == ("0", "0")
    assert (application.get("width"), application.get("height")) == tuple(str(side) for side in SIZE)
    fields = root.findall(".//XCUIElementTypeTextField")
    assert [field.get("name") for field in fields] == ["email"]
    assert root.findall(".//XCUIElementTypeSecureTextField")
    assert root.find(".//XCUIElementTypeButton[@label='Forgot password?']") is not None


def test_source_as_json(s: wda.Client) -> None:
    tree = s.source("json")
    assert tree["type"] == "Application"
    assert tree["rect"] == {"x": 0, "y": 0, "width": SIZE[0], "height": SIZE[1]}
    assert tree["frame"] == "{{0, 0}, {393, 852}}"
    email = next(node for node in walk(tree) if node.get("rawIdentifier") == "email")
    assert (email["type"], email["isEnabled"], email["isVisible"]) == ("TextField", "1", "1")
    assert "Forgot password?" in [node.get("label") for node in walk(tree)]


def test_source_as_a_description(s: wda.Client) -> None:
    text = s.source("description")
    assert "TextField" in text
    assert "Forgot password?" in text


def test_what_is_accessible_is_a_part_of_it(s: wda.Client) -> None:
    accessible = json.dumps(s.source(accessible=True))
    assert "Forgot password?" in accessible


def walk(node: dict[str, object]) -> Iterator[dict[str, object]]:
    yield node
    for child in node.get("children") or []:  # type: ignore[attr-defined]
        yield from walk(child)


def test_window_size_is_in_points(s: wda.Client) -> None:
    assert s.window_size() == SIZE
    assert s.window_size().width == SIZE[0]


def test_scale_is_pixels_to_a_point(s: wda.Client) -> None:
    assert s.scale == 3


def test_a_screenshot_has_the_pixels(s: wda.Client) -> None:
    picture = s.screenshot()
    assert picture.size == (SIZE[0] * s.scale, SIZE[1] * s.scale)
    assert picture.mode == "RGB"
    assert len(picture.resize((39, 85)).getcolors(10_000)) > 4  # there is something on it


def test_a_screenshot_raw_and_in_a_file(s: wda.Client, tmp_path: Path) -> None:
    raw = s.screenshot(format="raw")
    assert Image.open(io.BytesIO(raw)).format == "PNG"
    s.screenshot(str(tmp_path / "screen.png"))
    assert Image.open(tmp_path / "screen.png").size == (1179, 2556)


def test_apps_come_and_go(s: wda.Client) -> None:
    assert s.app_state(SHOP).value == 4
    s.app_launch(LAB)
    assert s.app_current()["bundleId"] == LAB
    assert s.app_state(SHOP).value in (2, 3)
    s.app_activate(SHOP)
    assert s.app_current()["bundleId"] == SHOP
    assert s.app_terminate(LAB).value is True
    assert s.app_state(LAB).value == 1
    assert s.app_terminate(LAB).value is False


def test_app_start_and_stop_are_the_same(s: wda.Client) -> None:
    s.app_stop(SHOP)
    assert s.app_state(SHOP).value == 1
    s.app_start(SHOP)
    assert s.app_state(SHOP).value == 4


def test_launching_brings_an_app_back_as_it_was(s: wda.Client, phone: VirtualPhone) -> None:
    before = phone.processes()[SHOP]
    s.home()
    s.app_activate(SHOP)
    assert phone.processes()[SHOP] == before


def test_the_app_in_front_has_a_process(s: wda.Client, phone: VirtualPhone) -> None:
    assert s.app_current()["pid"] == phone.processes()[SHOP]


def test_the_list_of_apps_in_front(s: wda.Client) -> None:
    assert SHOP in [each["bundleId"] for each in s.app_list()]


def test_an_app_that_is_not_there_is_not_launched(s: wda.Client) -> None:
    with pytest.raises(wda.WDARequestError, match=r"dev\.example\.absent"):
        s.app_launch("dev.example.absent")
    assert s.app_current()["bundleId"] == SHOP


def test_deactivating_puts_an_app_behind_for_a_while(s: wda.Client) -> None:
    s.deactivate(0.05)
    assert s.app_current()["bundleId"] == SHOP


def test_home(c: wda.Client, s: wda.Client) -> None:
    c.home()
    assert c.app_current()["bundleId"] == SPRINGBOARD
    assert s.app_state(SHOP).value in (2, 3)


def test_the_home_button(s: wda.Client) -> None:
    s.press("home")
    assert s.app_current()["bundleId"] == SPRINGBOARD


def test_the_volume_buttons(s: wda.Client, phone: VirtualPhone) -> None:
    before = phone.volume
    s.press("volumeUp")
    assert phone.volume == before + 1
    s.press("volumeDown")
    assert phone.volume == before
    s.press_duration("volumeup", 0.01)
    assert phone.volume == before + 1
    s.press("volumeDown")


def test_lock_and_unlock(c: wda.Client, phone: VirtualPhone) -> None:
    assert c.locked() is False
    c.lock()
    assert c.locked() is True
    assert phone.awake is False
    c.unlock()
    assert c.locked() is False
    assert phone.awake is True


def test_a_session_unlocks_the_phone_first(c: wda.Client) -> None:
    c.lock()
    c.session(SHOP)
    assert c.locked() is False
    assert c.app_current()["bundleId"] == SHOP


def test_orientation(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://rotation")
    assert s.orientation == wda.PORTRAIT
    s.orientation = wda.LANDSCAPE
    assert s.orientation == wda.LANDSCAPE
    assert s.window_size() == (SIZE[1], SIZE[0])
    assert s(name="reply").exists
    s.orientation = wda.PORTRAIT
    assert s.window_size() == SIZE
    assert not s(name="reply").exists


def test_an_orientation_that_is_none(s: wda.Client) -> None:
    with pytest.raises(wda.WDARequestError):
        s.orientation = "SIDEWAYS"
    assert s.orientation == wda.PORTRAIT


def test_open_url_shows_a_place_in_an_app(s: wda.Client) -> None:
    follow(s, "replicant-shop://catalogue")
    assert s(name="welcome").get(timeout=2).text == "Welcome"
    follow(s, "lab://counter")
    assert s.app_current()["bundleId"] == LAB


def test_an_url_that_no_app_opens(s: wda.Client) -> None:
    with pytest.raises(wda.WDARequestError):
        s.open_url("unhandled-scheme://this")


def test_the_clipboard_is_set(s: wda.Client, phone: VirtualPhone) -> None:
    s.set_clipboard("zażółć 👩‍🚀")
    assert phone.clipboard == "zażółć 👩‍🚀"


def test_battery(s: wda.Client) -> None:
    battery = s.battery_info()
    assert 0 < battery["level"] <= 1
    assert battery["state"] in (1, 2, 3)


def test_device_info(s: wda.Client) -> None:
    info = s.device_info()
    assert info["model"] == "iPhone"
    assert info["isSimulator"] is False
    assert info["currentLocale"] == "en_US"
    assert info["timeZone"]
    assert info["uuid"]
    assert s.info == info


def test_settings_are_kept(s: wda.Client) -> None:
    assert s.appium_settings()["snapshotMaxDepth"] == 50
    assert s.appium_settings({"snapshotMaxDepth": 30})["snapshotMaxDepth"] == 30
    assert s.appium_settings()["snapshotMaxDepth"] == 30
    s.appium_settings({"snapshotMaxDepth": 50})


def test_an_accessibility_audit(s: wda.Client) -> None:
    """facebook-wda has no verb for it; its own HTTP does."""
    follow(s, "replicant-shop://catalogue")
    answer = s._session_http.post(
        "/wda/performAccessibilityAudit", {"auditTypes": ["XCUIAccessibilityAuditTypeAll"]}
    )
    assert isinstance(answer.value, list)
    with pytest.raises(wda.WDARequestError, match="is not known"):
        s._session_http.post("/wda/performAccessibilityAudit", {"auditTypes": ["all"]})
