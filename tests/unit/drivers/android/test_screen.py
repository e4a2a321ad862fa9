"""Orientation and facts of an Android phone."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.drivers import Orientation
from pytest_replicant.drivers.android import screen
from pytest_replicant.errors import ProtocolError, UsageError
from tests.unit.drivers.android.odd_phone import Phone

UPRIGHT = {"displayWidth": 1080, "displayHeight": 2400, "displayRotation": 0}
UPRIGHT_TURNED = {"displayWidth": 2400, "displayHeight": 1080, "displayRotation": 1}
WIDE = {"displayWidth": 2560, "displayHeight": 1600, "displayRotation": 0}
WIDE_TURNED = {"displayWidth": 1600, "displayHeight": 2560, "displayRotation": 3}


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        (UPRIGHT, "portrait"),
        (UPRIGHT_TURNED, "landscape"),
        ({**UPRIGHT, "displayRotation": 2}, "reverse_portrait"),
        ({**UPRIGHT_TURNED, "displayRotation": 3}, "reverse_landscape"),
        (WIDE, "landscape"),
        (WIDE_TURNED, "portrait"),
    ],
)
def test_the_orientation_of_phones_and_of_tablets(
    screen: dict[str, int], expected: Orientation
) -> None:
    phone = Phone()
    phone.screens = [screen]
    assert phone.driver.orientation() == expected


def test_a_tablet_is_turned_the_other_way_to_stand() -> None:
    phone = Phone(settings_get="0\n1\n")
    phone.screens = [WIDE, WIDE_TURNED]
    phone.driver.rotate("portrait")
    assert phone.commands[-1] == (
        "settings put system user_rotation 3 && settings put system accelerometer_rotation 0"
    )


def test_an_app_that_keeps_its_orientation_is_reported_and_the_setting_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "ROTATE_SECONDS", 0.0)
    phone = Phone(settings_get="null\n1\n")
    phone.screens = [UPRIGHT]
    with pytest.raises(UsageError, match=r"stayed portrait .*keeps its own orientation"):
        phone.driver.rotate("landscape")
    assert phone.commands[-1] == (
        "settings delete system user_rotation && settings put system accelerometer_rotation 1"
    )


@pytest.mark.parametrize("said", ["", "null\n", "java.lang.SecurityException: no\n at x"])
def test_settings_that_cannot_be_read_are_not_changed(said: str) -> None:
    phone = Phone(settings_get=said)
    phone.screens = [UPRIGHT]
    with pytest.raises(ProtocolError, match="rotate landscape on R5CT"):
        phone.driver.rotate("landscape")
    assert not any("put" in command for command in phone.commands)


@pytest.mark.parametrize("screen", [None, [], {"displayWidth": 1}])
def test_a_screen_that_the_phone_does_not_describe(screen: Any) -> None:
    phone = Phone()
    phone.screens = [screen]
    with pytest.raises(ProtocolError, match="orientation on R5CT"):
        phone.driver.orientation()


PROPERTIES = "R5CT\nGoogle\nPixel 8\n14\n34\narm64-v8a\n"


def test_the_facts_are_read() -> None:
    info = screen.read_facts(
        "10.0.0.2:5555", PROPERTIES + "Physical size: 1080x2400\nPhysical density: 420\n"
    )
    assert (info.serial, info.platform, info.model, info.os_version) == (
        "10.0.0.2:5555",
        "android",
        "Pixel 8",
        "14",
    )
    assert (info.width, info.height, info.density) == (1080, 2400, 2.625)
    assert info.extra == {"serialno": "R5CT", "brand": "Google", "sdk": "34", "abi": "arm64-v8a"}


def test_an_override_wins() -> None:
    said = (
        "Physical size: 1440x3120\nOverride size: 1080x2340\nPhysical density: 560\nOverride "
        "density: 480\n"
    )
    info = screen.read_facts("R5CT", PROPERTIES + said)
    assert (info.width, info.height, info.density) == (1080, 2340, 3.0)


def test_a_density_that_was_not_said_is_marked_as_assumed() -> None:
    info = screen.read_facts("R5CT", PROPERTIES + "Physical size: 1080x2400\n")
    assert (info.density, info.extra["density"]) == (1.0, "assumed")
    assert (
        "density"
        not in screen.read_facts(
            "R5CT", PROPERTIES + "Physical size: 1080x2400\nPhysical density: 420\n"
        ).extra
    )


@pytest.mark.parametrize("said", ["", PROPERTIES, PROPERTIES + "cmd: Can't find service: window\n"])
def test_a_phone_that_is_still_starting_has_no_size(said: str) -> None:
    with pytest.raises(ProtocolError, match="still starting"):
        screen.read_facts("R5CT", said)
