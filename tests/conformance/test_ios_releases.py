"""The iPhone driver on each release of WebDriverAgent that it takes, under notifications, and
before links."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pytest_replicant.drivers import AppInFront, IosDriver
from pytest_replicant.errors import DeviceError, ProtocolError, UsageError
from pytest_replicant.model import Point
from pytest_replicant.pool import demo_apps
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import SharedClock
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, start_server

from .bad_agent import BadAgent, json_answer

RELEASES = ("9.0", "10.0", "16.7")
SHOP = "dev.replicant.shop"
LAB = "dev.replicant.lab"
EMAIL = Point(590, 890)
TOP, MIDDLE = Point(590, 150), Point(590, 1278)
LINK = "replicant-shop://catalogue"


def iphone(wda: str, clock: SharedClock | None = None) -> VirtualPhone:
    profile, latency = replace(IPHONE, wda=wda), Latency.from_knobs({"latency": "0"})
    if clock is None:
        return VirtualPhone(demo_apps([SHOP, LAB]), profile=profile, latency=latency)
    return VirtualPhone(
        demo_apps([SHOP, LAB]), profile=profile, latency=latency, clock=clock.now, sleep=clock.sleep
    )


@contextmanager
def driven(wda: str = "16.7") -> Iterator[tuple[IosDriver, VirtualPhone, BadAgent]]:
    """With the shop's sign-in in front, on a clock that moves only while something waits."""
    clock = SharedClock()
    phone = iphone(wda, clock)
    with (
        start_server(phone, server=False, wda=True) as server,
        BadAgent(upstream=server.wda_port) as agent,
    ):
        driver = IosDriver.connect(agent.url, timeout=30, clock=clock)
        driver.launch(SHOP, None, ())
        agent.calls.clear()
        yield driver, phone, agent
        driver.close()


def look(driver: IosDriver) -> Snapshot:
    return Snapshot.parse(driver.dump_hierarchy(), "ios", scale=3.0)


@pytest.mark.parametrize("wda", RELEASES)
def test_the_driver_does_on_each_release_what_it_does_on_the_newest(wda: str) -> None:
    with driven(wda) as (driver, _, agent):
        screen = look(driver)
        assert screen.app == SHOP
        assert screen.find(text="Email").hint == "Email"
        assert driver.app_in_front() == AppInFront(SHOP)
        assert driver.app_status(SHOP) == "foreground"
        driver.tap(EMAIL)
        field = driver.focused_field()
        assert field is not None
        assert field.resource_id == "email"
        driver.type_text("ada")
        driver.clear_text()
        driver.type_text("bob")
        assert look(driver).find(text="Email").text == "bob"
        with pytest.raises(UsageError, match="navigation bar has no button"):
            driver.press_key("back")
        driver.press_key("home")
        assert look(driver).app == "com.apple.springboard"
        assert agent.count("/session") == 0


@pytest.mark.parametrize("wda", ["9.0", "10.0"])
def test_a_hierarchy_without_a_bundle_id_is_of_the_app_that_was_active_before_and_after(
    wda: str,
) -> None:
    with driven(wda) as (driver, phone, _):
        assert look(driver).app == SHOP
        phone.start_app(LAB)
        assert look(driver).app == LAB
        phone.show_system_dialog("Battery low")
        assert look(driver).app == "com.apple.springboard"


def test_a_release_that_is_too_old_is_refused_with_what_to_install() -> None:
    with (
        start_server(iphone("8.12"), server=False, wda=True) as server,
        pytest.raises(DeviceError) as refused,
    ):
        IosDriver.connect(server.wda_url, timeout=5)
    assert (
        "it is version 8.12.0, and the oldest that can be driven is 9.0. Install a newer one"
        in str(refused.value)
    )


@pytest.mark.parametrize("version", [None, "my build"])
def test_a_version_that_cannot_be_read_is_taken_for_the_oldest(version: object) -> None:
    with (
        start_server(iphone("9.0"), server=False, wda=True) as server,
        BadAgent(upstream=server.wda_port) as agent,
    ):
        status = {
            "ready": True,
            "os": {"name": "iOS", "version": "17.5"},
            "build": {"version": version},
        }
        agent.spoilt["/status"] = json_answer({"value": status})
        driver = IosDriver.connect(agent.url, timeout=5)
        driver.launch(SHOP, None, ())
        driver.tap(EMAIL)
        assert driver.focused_field() is not None
        assert look(driver).find(text="Email").hint == "Email"
        driver.close()


# --- notifications --------------------------------------------------------------------------------


@pytest.mark.parametrize("wda", ["9.0", "16.7"])
def test_all_is_read_and_done_past_a_notification(wda: str) -> None:
    with driven(wda) as (driver, phone, _):
        phone.show_banner(seconds=3600)
        assert driver.app_in_front() == AppInFront(SHOP)
        assert look(driver).app == SHOP
        driver.tap(EMAIL)
        phone.show_banner(seconds=3600)
        assert driver.focused_field() is not None
        driver.type_text("ada")
        assert driver.keyboard_shown()
        assert look(driver).find(text="Email").text == "ada"


def test_a_touch_of_what_lies_under_it_waits_for_its_end() -> None:
    with driven() as (driver, phone, _):
        phone.show_banner(seconds=6)
        look(driver)
        driver.tap(TOP)
        assert driver.app_in_front() == AppInFront(SHOP), (
            "no touch of the notification led into its app"
        )


def test_one_that_stays_is_the_phone_s_trouble_and_says_what_helps() -> None:
    with driven() as (driver, phone, agent):
        phone.show_banner(seconds=3600)
        look(driver)
        driver.tap(MIDDLE)
        touched = agent.count("/wda/tap")
        with pytest.raises(ProtocolError, match=r"Nothing was touched\. Turn on Do Not Disturb"):
            driver.tap(TOP)
        assert agent.count("/wda/tap") == touched


def test_where_the_app_cannot_be_read_past_a_window_no_read_is_had() -> None:
    with driven() as (driver, phone, agent):
        phone.show_banner(seconds=3600)
        agent.spoilt["/appium/settings"] = json_answer({"value": {}})
        with pytest.raises(
            ProtocolError, match=f"a window of the system lies over {SHOP}.*Do Not Disturb"
        ):
            driver.dump_hierarchy()


def test_a_sheet_of_the_system_s_own_is_marked_as_one_over_the_app() -> None:
    sheet = (
        '<XCUIElementTypeApplication name=" " bundleId="com.apple.springboard">'
        '<XCUIElementTypeOther name="SBTransientOverlayWindow"><XCUIElementTypeButton label="Pay"/>'
        "</XCUIElementTypeOther></XCUIElementTypeApplication>"
    )
    with driven() as (driver, _, agent):
        agent.spoils = lambda path: json_answer({"value": sheet}) if "/source" in path else None
        assert look(driver).over == SHOP
        agent.spoils = lambda path: None
        assert look(driver).over == ""


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wda", ["9.0", "16.7"])
@pytest.mark.parametrize("app", [None, SHOP])
def test_the_question_before_a_link_is_answered_with_open(wda: str, app: str | None) -> None:
    with driven(wda) as (driver, _, agent):
        driver.press_key("home")
        driver.open_url(LINK, app)
        assert driver.app_in_front() == AppInFront(SHOP)
        assert look(driver).title == "Catalogue"
        driver.open_url("replicant-shop://cart", app)
        assert agent.count("/alert/accept") == 1


@pytest.mark.parametrize("buttons", [("Öffnen", "Abbrechen"), ("開く", "キャンセル")])
def test_the_question_is_known_by_its_buttons_in_other_languages(buttons: tuple[str, str]) -> None:
    with driven() as (driver, phone, _):
        driver.open_url(LINK, None)
        phone.show_system_dialog("In „Shop“ öffnen?", buttons=buttons)
        driver.open_url("replicant-shop://cart", None)
        assert look(driver).dialog is None


@pytest.mark.parametrize("buttons", [("Allow", "Don’t Allow"), ("OK",)])
def test_another_question_of_the_system_is_left_alone(buttons: tuple[str, ...]) -> None:
    with driven() as (driver, phone, agent):
        driver.open_url(LINK, None)
        phone.show_system_dialog("Something else?", buttons=buttons)
        driver.open_url("replicant-shop://cart", None)
        assert look(driver).dialog == "Something else?"
        assert agent.count("/alert/accept") == 1
