"""What a phone answers to the one question at the start."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.android.screen import read_facts
from pytest_replicant.errors import ProtocolError

PROPERTIES = "R5CT\nGoogle\nPixel 8\n14\n34\narm64-v8a\n"


def test_the_facts_are_read() -> None:
    info = read_facts("10.0.0.2:5555", PROPERTIES + "Physical size: 1080x2400\nPhysical density: 420\n")
    assert (info.serial, info.platform, info.model, info.os_version) == (
        "10.0.0.2:5555",
        "android",
        "Pixel 8",
        "14",
    )
    assert (info.width, info.height, info.density) == (1080, 2400, 2.625)
    assert info.extra == {"serialno": "R5CT", "brand": "Google", "sdk": "34", "abi": "arm64-v8a"}


def test_an_override_wins() -> None:
    said = "Physical size: 1440x3120\nOverride size: 1080x2340\nPhysical density: 560\nOverride density: 480\n"
    info = read_facts("R5CT", PROPERTIES + said)
    assert (info.width, info.height, info.density) == (1080, 2340, 3.0)


def test_properties_that_are_not_set_are_empty() -> None:
    info = read_facts("R5CT", "\n" * 6 + "Physical size: 1080x2400\nPhysical density: 420\n")
    assert (info.model, info.os_version, info.extra) == ("", "", {})


@pytest.mark.parametrize("said", ["", PROPERTIES, PROPERTIES + "cmd: Can't find service: window\n"])
def test_a_phone_that_is_still_starting_has_no_size(said: str) -> None:
    with pytest.raises(ProtocolError, match="still starting"):
        read_facts("R5CT", said)
