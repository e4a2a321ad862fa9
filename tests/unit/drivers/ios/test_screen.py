"""The screen of an iPhone: pixels and points, an app without a window."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import IosDriver, Screen
from pytest_replicant.errors import ProtocolError
from pytest_replicant.model import Point
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, lab, start_server


def test_a_hierarchy_of_an_application_alone_is_a_failed_read() -> None:
    phone = VirtualPhone([lab()], profile=IPHONE, latency=Latency.from_knobs({"latency": "0"}))
    with start_server(phone, server=False, wda=True) as server:
        driver = IosDriver.connect(server.wda_url)
        try:
            phone.start_app("dev.replicant.lab", url="lab://no-dump?lasts=0")
            with pytest.raises(ProtocolError, match="hierarchy without an element"):
                driver.dump_hierarchy()
            phone.start_app("dev.replicant.lab", url="lab://counter")
            assert b"Counter" in driver.dump_hierarchy()
        finally:
            driver.close()


@pytest.fixture
def screen() -> Screen:
    return Screen(3.0, 393, 852)


def test_the_portrait_size_is_in_pixels_however_the_phone_is_held() -> None:
    assert Screen(3.0, 393, 852).portrait == (1179, 2556)
    assert Screen(3.0, 852, 393).portrait == (1179, 2556)


def test_a_place_is_sent_in_points(screen: Screen) -> None:
    assert screen.in_points(Point(590, 1278)) == {"x": 196.667, "y": 426.0}


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((0, 0), True),
        ((1178, 2555), True),
        ((1179, 5), False),
        ((5, 2556), False),
        ((-1, 5), False),
    ],
)
def test_the_screen_ends_at_its_last_pixel(
    screen: Screen, point: tuple[int, int], inside: bool
) -> None:
    assert screen.shows(Point(*point)) is inside


def test_turned_it_is_as_wide_as_it_was_high(screen: Screen) -> None:
    screen.learn(852, 393)
    assert screen.shows(Point(2555, 1178))
    assert not screen.shows(Point(1178, 2555))


@pytest.mark.parametrize("size", [(0, 0), (320, 852), (393, 0)])
def test_a_size_that_is_not_the_screens_is_not_believed(
    screen: Screen, size: tuple[int, int]
) -> None:
    screen.learn(*size)
    assert screen.size == "1179 x 2556"


def test_a_hierarchy_tells_how_the_screen_is_up(screen: Screen) -> None:
    screen.learn_from(
        b'<?xml version="1.0"?>\n<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="A > b" '
        b'x="0" y="0" width="852" height="393" index="0">'
    )
    assert screen.size == "2556 x 1179"
    screen.learn_from(b"<nothing/>")
    assert screen.size == "2556 x 1179"
