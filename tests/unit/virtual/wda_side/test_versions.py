"""Each release of WebDriverAgent that a virtual iPhone can be answers as that release does, by
plain requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import demo_apps, open_device
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, start_server

from .desk_app import Wire, desk_phone

RELEASES = ("9.0", "9.7", "10.0", "10.1", "16.7")
SHOP = "dev.replicant.shop"


@contextmanager
def shop(wda: str) -> Iterator[Wire]:
    """The shop's sign-in, in a session of the shop."""
    profile = replace(IPHONE, wda=wda)
    phone = VirtualPhone(
        demo_apps([SHOP]), profile=profile, latency=Latency.from_knobs({"latency": "0"})
    )
    with start_server(phone, server=False, wda=True) as server:
        yield Wire(server.wda_port, phone).open(bundleId=SHOP)


@pytest.mark.parametrize("wda", RELEASES)
def test_the_page_source_has_the_attributes_of_its_release(wda: str) -> None:
    major, _, minor = wda.partition(".")
    release = (int(major), int(minor))
    with shop(wda) as wire:
        source, as_json = wire.get("source"), str(wire.get("source?format=json"))
        assert wire.get("/status")["build"]["version"] == f"{wda}.0"
    for name, since in (("placeholderValue", (9, 7)), ("traits", (9, 12)), ("bundleId", (10, 1))):
        assert (f' {name}="' in source) is (release >= since), name
        assert (f"'{name}'" in as_json) is (release >= since), name
    assert (' processId="' in source) is (release >= (10, 1))
    assert 'label="Shop"' in source


def test_an_attribute_that_a_release_lacks_is_refused_wherever_it_is_named() -> None:
    with shop("9.0") as wire:
        field = wire.find("email")
        status, error, said = wire.refused("GET", f"element/{field}/attribute/placeholderValue")
        assert (status, error) == (400, "invalid selector")
        assert "The attribute 'placeholderValue' is unknown. Valid attribute names are: " in said
        assert "traits" not in said
        query = {"using": "predicate string", "value": "placeholderValue == 'Email'"}
        assert wire.refused("POST", "elements", query)[1] == "invalid selector"
        query["value"] = "label == 'placeholderValue'"
        assert wire.post("elements", query) == []
        wire.set(
            shouldUseCompactResponses=False,
            elementResponseAttributes="type,attribute/placeholderValue",
        )
        assert (
            wire.refused("POST", "elements", {"using": "id", "value": "email"})[1]
            == "invalid selector"
        )
    with shop("9.7") as wire:
        assert wire.attribute(wire.find("email"), "placeholderValue") == "Email"
        assert (
            wire.refused("GET", f"element/{wire.find('email')}/attribute/traits")[1]
            == "invalid selector"
        )


def test_settings_and_paths_come_and_go_with_releases() -> None:
    for wda, has, lacks in (
        (
            "9.0",
            {"respectSystemAlerts", "includeNonModalElements"},
            {"autoClickAlertSelector", "customSnapshotTimeout"},
        ),
        (
            "9.7",
            {"autoClickAlertSelector", "customSnapshotTimeout"},
            {"includeHittableInPageSource"},
        ),
        (
            "10.1",
            {"includeHittableInPageSource", "includeNonModalElements"},
            {"snapshotMaxChildren"},
        ),
        ("16.7", {"snapshotMaxChildren", "enforceCustomSnapshots"}, {"includeNonModalElements"}),
    ):
        with shop(wda) as wire:
            known = wire.get("appium/settings").keys()
            wire.set(**dict.fromkeys(lacks, "whatever"))
            assert (has - known, lacks & wire.get("appium/settings").keys()) == (set(), set()), wda
            assert wire.send("GET", "window/rect")[0] == (404 if wda == "9.0" else 200)


def test_a_release_that_there_is_not_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"wda=9.1: give one of 8.12, 9.0, 9.7, 10.0, 10.1, 16.7"):
        open_device("virtual:ios?wda=9.1")
    with pytest.raises(UsageError, match="no knob 'wda' on an Android phone"):
        open_device("virtual?wda=9.0")


# --- banners --------------------------------------------------------------------------------------


def active(wire: Wire) -> str:
    return str(wire.get("wda/activeAppInfo")["bundleId"])


def test_a_banner_goes_by_itself_and_takes_what_touches_it() -> None:
    now = [0.0]
    phone = desk_phone(clock=lambda: now[0])
    with start_server(phone, server=False, wda=True) as server:
        wire = Wire(server.wda_port, phone).show()
        phone.show_banner()
        wire.post("wda/tap", x=200, y=40)
        assert active(wire) == "com.apple.mobilephone"
        phone.show_banner()
        assert active(wire) == "com.apple.springboard", (
            "what is near the upper left corner, in a session of no app"
        )
        now[0] += 6
        assert active(wire) == "com.apple.mobilephone"


def test_banners_come_at_their_rate_by_their_seed() -> None:
    with open_device("virtual:ios?latency=0&banners=0.2&seed=7") as device:
        phone = device.phone
        assert phone is not None
        for _ in range(200):
            phone.tap(5, 1500)
        assert 20 < phone.faults.injected["banners"] < 60


# --- the question before a link -------------------------------------------------------------------


def test_a_link_of_an_app_s_own_scheme_is_asked_about_until_it_was_allowed(desk: Wire) -> None:
    desk.post("url", url="desk://rows")
    assert desk.get("alert/text") == "Open in “Desk”?"
    assert desk.get("wda/alert/buttons") == ["Cancel", "Open"]
    desk.post("alert/dismiss")
    assert "Row 1" not in desk.get("source")
    desk.post("url", url="desk://rows")
    desk.post("alert/accept")
    assert "Row 1" in desk.get("source")
    desk.post("url", url="desk://page")
    assert desk.refused("GET", "alert/text")[1] == "no such alert"
    assert "line_1" in desk.get("source")


@pytest.mark.parametrize("wda", ["9.0", "16.7"])
def test_a_banner_makes_springboard_the_active_app_where_alerts_are_respected(wda: str) -> None:
    with shop(wda) as wire:
        wire.phone.show_banner("MESSAGES, now, Ada, Lunch?", 3600)
        assert active(wire) == SHOP
        wire.set(respectSystemAlerts=True)
        assert active(wire) == "com.apple.springboard"
        source = wire.get("source")
        assert 'name="NotificationShortLookView" label="MESSAGES, now, Ada, Lunch?"' in source
        assert "Email" not in source
        assert "XCUIElementTypeAlert" not in source
        assert wire.post("wda/apps/state", bundleId=SHOP) == 4
        assert wire.refused("GET", "alert/text")[1] == "no such alert"
        wire.set(respectSystemAlerts=False)
        assert "Email" in wire.get("source")
