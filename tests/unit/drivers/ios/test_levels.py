"""How deep a hierarchy is."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.ios.screen import levels_of


def nested(levels: int) -> bytes:
    inner = b'<XCUIElementTypeOther label="&lt;/XCUIElementTypeOther&gt;"/>'
    for _ in range(levels - 1):
        inner = b"<XCUIElementTypeOther>" + inner + b"<XCUIElementTypeButton/></XCUIElementTypeOther>"
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + inner


@pytest.mark.parametrize("levels", [1, 2, 50, 62, 400])
def test_levels_are_elements_within_elements(levels: int) -> None:
    assert levels_of(nested(levels)) == levels


def test_what_lies_around_does_not_count() -> None:
    assert levels_of(b"<AppiumAUT>" + nested(3).partition(b"\n")[2] + b"</AppiumAUT>") == 3


def test_of_damaged_xml_it_is_as_far_as_it_can_be_read() -> None:
    assert 0 < levels_of(nested(50)[:600]) < 50
    assert levels_of(b"no xml") == 0
