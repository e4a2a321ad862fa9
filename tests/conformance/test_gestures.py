"""What a gesture is on the phone: how long it takes, and when two taps are one double tap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pytest_replicant.errors import ProtocolError
from pytest_replicant.model import Point
from pytest_replicant.testing import Latency, VirtualDevice, virtual_device
from pytest_replicant.virtual import IPHONE, App, Button, Column, Profile, RunningApp, Screen, Text

PIXEL = Profile()
OLD = replace(PIXEL, sdk=30, release="11")  # its `input` is a Java program


@dataclass
class Photo:
    stored: dict[str, Any]
    touches: list[str] = field(default_factory=list)


class PhotoScreen(Screen[Photo]):
    activity = ".Photo"

    def build(self, app: RunningApp[Photo]) -> Column:
        touches = app.state.touches
        zoom = Button(
            "Zoom",
            id="photo",
            width="fill",
            on_click=lambda: touches.append("click"),
            on_double_click=lambda: touches.append("double click"),
        )
        return Column([zoom, Text("A photo")], padding=16)


ALBUM: App[Photo] = App(package="dev.example.album", label="Album", state=Photo, start=PhotoScreen)


@contextmanager
def photo(
    profile: Profile = PIXEL, **latency: Any
) -> Iterator[tuple[VirtualDevice, list[str], Point]]:
    """A phone, what was touched on it, and where the photo is."""
    with virtual_device(ALBUM, profile=profile, latency=replace(Latency(), **latency)) as device:
        state = device.phone.app_state(ALBUM.package)
        assert isinstance(state, Photo)
        device.clock.sleep(2.0)  # it is on the screen by then
        nodes = [node for window in device.phone.windows() for node in window.root.walk()]
        yield (
            device,
            state.touches,
            next(node.bounds.center for node in nodes if node.text == "Zoom"),
        )


@pytest.mark.parametrize("profile", [PIXEL, OLD, IPHONE], ids=["android", "old", "iphone"])
def test_a_double_tap_is_one_gesture(profile: Profile) -> None:
    with photo(profile) as (device, touches, place):
        device.driver.double_tap(place)
    assert touches == ["click", "double click"]


@pytest.mark.parametrize("link_ms", [0, 250, 2000])
def test_a_double_tap_over_a_slow_link(link_ms: int) -> None:
    with photo(rpc_ms=link_ms) as (device, touches, place):
        device.driver.double_tap(place)
    assert touches == ["click", "double click"]


@pytest.mark.parametrize(
    ("profile", "slow"), [(OLD, "rpc_ms"), (OLD, "gesture_ms"), (PIXEL, "gesture_ms")]
)
def test_two_taps_that_came_apart_are_no_double_tap(profile: Profile, slow: str) -> None:
    with photo(profile, **{slow: 320}) as (device, touches, place):
        with pytest.raises(
            ProtocolError, match=r"double_tap\(.*the second tap came up to 0\.\d\d s after"
        ) as error:
            device.driver.double_tap(place)
        assert touches == ["click", "click"]
    assert not error.value.recoverable


def test_a_double_tap_that_fails_is_not_sent_again() -> None:
    with photo(OLD, rpc_ms=320) as (device, touches, _), device.session() as mobile:
        with pytest.raises(ProtocolError, match="single tap"):
            mobile.double_tap(text="Zoom")
        assert touches == ["click", "click"]


@pytest.mark.parametrize(
    ("pause", "touched"),
    [(0.03, ["click", "click"]), (0.2, ["click", "double click"]), (0.31, ["click", "click"])],
)
def test_what_the_phone_takes_for_a_double_tap(pause: float, touched: list[str]) -> None:
    with photo(PIXEL, **dict.fromkeys(("gesture_ms", "rpc_ms"), 0)) as (device, touches, place):
        for _ in range(2):
            device.driver.tap(place)
            device.clock.sleep(pause)
        assert touches == touched
        device.driver.tap(Point(place.x, place.y + 500))
        assert len(touches) == 2


@pytest.mark.parametrize(
    ("seconds", "gesture"), [(0.3, "swipe"), (1.0, "swipe"), (4.0, "swipe"), (0.8, "drag")]
)
def test_a_gesture_takes_about_as_long_as_it_was_to(seconds: float, gesture: str) -> None:
    """A drag holds for half a second first, and for a tenth at its end."""
    with photo() as (device, _, _):
        began = device.clock.now()
        getattr(device.driver, gesture)(Point(500, 1500), Point(500, 900), seconds)
        took = device.clock.now() - began
    held = 0.6 if gesture == "drag" else 0.0
    assert took - held == pytest.approx(seconds, rel=0.1, abs=0.08)
