"""Fingers on the glass, from the phone's own events to pixels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from pytest_replicant.drivers import Followed, Orientation
from pytest_replicant.model import Point
from pytest_replicant.real_phones import Glass, Touch
from pytest_replicant.testing import VirtualDevice, virtual_device

ORIENTATIONS: tuple[Orientation, ...] = (
    "portrait",
    "landscape",
    "reverse_portrait",
    "reverse_landscape",
)


@contextmanager
def heard(device: VirtualDevice) -> Iterator[Callable[[int], list[Touch]]]:
    """A function that waits for so many touches."""
    glass = Glass(device.driver.shell("getevent -lp", 5).stdout)
    server = device.server
    followed = Followed(server.host, server.port, device.phone.profile.serial, "getevent -lt")
    deadline = time.monotonic() + 10
    while not device.phone.digitizer.hear and time.monotonic() < deadline:
        followed.take(0.01)

    def touches(count: int) -> list[Touch]:
        found: list[Touch] = []
        while len(found) < count and time.monotonic() < deadline:
            found += glass.touches(followed.take(0.2))
        return found

    try:
        yield touches
    finally:
        followed.close()


def near(one: Point, other: tuple[int, int]) -> bool:
    return abs(one.x - other[0]) <= 1 and abs(one.y - other[1]) <= 1


@pytest.mark.parametrize("rotation", range(4))
def test_a_tap_is_where_the_finger_was_however_the_phone_is_held(rotation: int) -> None:
    places = [(17, 40), (400, 40), (17, 900), (17, 900)]
    with virtual_device("dev.replicant.shop") as device:
        device.phone.digitizer.most = (4095, 32767)
        device.phone.set_rotation(rotation)
        with heard(device) as touches:
            for place in places:
                device.phone.finger(place)
            found = touches(len(places))
        size = device.phone.size
        for touch, place in zip(found, places, strict=True):
            assert touch.kind == "tap"
            assert near(touch.on(size, ORIENTATIONS[rotation], wide=False), place)


def test_kinds_of_touches() -> None:
    with virtual_device("dev.replicant.shop") as device, heard(device) as touches:
        device.driver.tap(Point(500, 500))  # what adb injects is no finger
        device.phone.finger((500, 500))
        device.phone.finger((500, 500), ms=900)
        device.phone.finger((500, 1800), (500, 600), ms=300)
        found = touches(3)
        assert [touch.kind for touch in found] == ["tap", "other", "swipe"]
        assert near(found[2].on(device.phone.size, "portrait", wide=False), (500, 1800))


def test_a_phone_that_lets_nobody_listen_has_no_glass() -> None:
    with virtual_device("dev.replicant.shop") as device:
        device.phone.digitizer.readable = False
        said = device.driver.shell("getevent -lp", 5)
        assert "Permission denied" in said.stderr
        assert not Glass(said.stdout)


DESCRIBED = """\
add device 1: /dev/input/event3
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEDOWN        KEY_POWER
  input props:
    <none>
add device 2: /dev/input/event2
  name:     "pad"
  events:
    ABS (0003): ABS_X                 : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_Y                 : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_POINTER
add device 3: /dev/input/event4
  name:     "glass"
  events:
    KEY (0001): BTN_TOUCH
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min -50, max 50, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 200, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""


def events(*said: str, path: str = "/dev/input/event4: ") -> list[str]:
    """Lines of ``getevent -lt``, a second apart."""
    return [f"[{number:8d}.000000] {path}{line}" for number, line in enumerate(said)]


REPORT = "EV_SYN       SYN_REPORT           00000000            "
X, Y = "EV_ABS       ABS_MT_POSITION_X    ", "EV_ABS       ABS_MT_POSITION_Y    "
DOWN, UP = (
    "EV_ABS       ABS_MT_TRACKING_ID   0000001f",
    "EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
)
SLOT = "EV_ABS       ABS_MT_SLOT          "


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        pytest.param(
            [DOWN, X + "ffffffce", Y + "00000064", REPORT, UP, REPORT], ["other"], id="protocol B"
        ),
        pytest.param([DOWN, REPORT, UP, REPORT], ["other"], id="no place"),
        pytest.param(
            [
                DOWN,
                X + "00000001",
                Y + "00000001",
                f"{SLOT}00000001",
                DOWN,
                REPORT,
                UP,
                f"{SLOT}00000000",
                UP,
                REPORT,
            ],
            ["other"],
            id="two fingers",
        ),
        pytest.param(
            [REPORT, "EV_KEY       KEY_POWER            DOWN", REPORT], [], id="no finger"
        ),
    ],
)
def test_other_makers(said: list[str], kinds: list[str]) -> None:
    found = Glass(DESCRIBED).touches(events(*said))
    assert [touch.kind for touch in found] == kinds
    assert found[:1] == [] or found[0].start in ((0.0, 0.5), (0, 0))
    assert (
        Glass(DESCRIBED).touches(events(*said, path="/dev/input/event2: ")) == []
    )  # a pad is no glass
