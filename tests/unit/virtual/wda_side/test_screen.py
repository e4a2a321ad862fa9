"""The screen as tree and picture, its size and orientation."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from .desk_app import DESK, Wire


def test_the_three_formats_report_one_tree(desk: Wire) -> None:
    xml = ElementTree.fromstring(desk.get("source?format=xml"))
    assert xml.tag == "XCUIElementTypeApplication"
    reported = desk.get("source?format=json")
    assert reported["type"] == "Application"
    text = desk.get("source?format=description")
    assert text.startswith("Application, pid: ")

    def count(node: dict[str, object]) -> int:
        below = node.get("children") or []
        assert isinstance(below, list)
        return 1 + sum(count(each) for each in below)

    assert count(reported) == len(list(xml.iter())) == len(text.splitlines())


def test_an_unknown_format_is_refused(desk: Wire) -> None:
    status, error, message = desk.refused("GET", "source?format=yaml")
    assert (status, error) == (500, "unsupported operation")
    assert "Unknown source format 'yaml'" in message


def test_the_accessible_source_has_no_groups(desk: Wire) -> None:
    reported = desk.get("wda/accessibleSource")
    assert [each["name"] for each in reported["children"]][:3] == ["Desk", "note", "memo"]
    assert all(each["isAccessible"] == "1" for each in reported["children"])


def test_the_source_is_cut_where_the_settings_say(desk: Wire) -> None:
    desk.set(snapshotMaxDepth=3)
    assert len(list(ElementTree.fromstring(desk.get("source")).iter())) == 3
    desk.set(snapshotMaxDepth=50)
    desk.tap("deep")
    assert "At the bottom" not in desk.get("source")


def test_a_tree_that_is_too_deep_cannot_be_had_at_all(desk: Wire) -> None:
    desk.set(snapshotMaxDepth=100)
    assert "Press" in desk.get("source")
    desk.tap("deep")
    for form in ("xml", "json", "description"):
        status, error, message = desk.refused("GET", f"source?format={form}")
        assert (status, error) == (500, "unknown error")
        assert "kAXErrorIllegalArgument" in message
        assert DESK in message


def test_the_phone_turns(desk: Wire) -> None:
    assert desk.get("orientation") == "PORTRAIT"
    desk.post("orientation", orientation="LANDSCAPE")
    assert (desk.get("orientation"), desk.get("rotation")["z"]) == ("LANDSCAPE", 270)
    assert desk.get("window/size") == {"width": 852, "height": 393}
    assert desk.get("source?format=json")["rect"]["width"] == 852
    desk.post("rotation", x=0, y=0, z=90)
    assert desk.get("orientation") == "LANDSCAPE", "there are two for WebDriver"
    assert desk.get("rotation")["z"] == 90
    desk.post("orientation", orientation="portrait")
    assert desk.phone.rotation == 0


def test_without_time_to_turn_a_turn_is_refused_and_happens(desk: Wire) -> None:
    desk.post("appium/settings", settings={"animationCoolOffTimeout": 0})
    assert desk.refused("POST", "orientation", {"orientation": "LANDSCAPE"})[1:] == (
        "unknown error",
        "Unable To Rotate Device",
    )
    assert desk.get("rotation")["z"] == 270
    desk.post("orientation", orientation="LANDSCAPE")  # so it stands by now
    assert desk.refused("POST", "rotation", {"x": 0, "y": 0, "z": 0})[1] == "invalid element state"


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("orientation", {"orientation": "SIDEWAYS"}, "unknown error"),
        ("orientation", {}, "invalid argument"),
        (
            "orientation",
            {"orientation": "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN"},
            "unknown error",
        ),
        ("rotation", {"x": 0, "y": 0, "z": 45}, "invalid argument"),
    ],
)
def test_how_the_phone_does_not_turn(desk: Wire, path: str, body: object, error: str) -> None:
    assert desk.refused("POST", path, body)[1] == error
    assert desk.phone.rotation == 0
