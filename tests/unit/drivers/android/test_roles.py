"""Roles of the driver, given what odd phones print; what a good one prints is the conformance
tests' business."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Any, cast, get_args

import pytest

from pytest_replicant.drivers import AndroidDriver, Ended, Key
from pytest_replicant.drivers.checks import fingers
from pytest_replicant.errors import ProtocolError, UsageError
from pytest_replicant.model import Point, Rect
from tests.unit.drivers.android.odd_phone import APP, Phone


@pytest.mark.parametrize("scale", [2.0, 0.5, 1.2, 4.0])
@pytest.mark.parametrize(
    "area", [Rect(0, 0, 1000, 600), Rect(40, 300, 640, 1300), Rect(0, 0, 500, 500)]
)
def test_fingers_stay_inside_and_end_as_far_apart_as_asked(area: Rect, scale: float) -> None:
    start, end = fingers(area, scale)
    inside = Rect(area.left + 1, area.top + 1, area.right - 1, area.bottom - 1)
    assert all(
        inside.left < p.x < inside.right and inside.top < p.y < inside.bottom
        for p in (*start, *end)
    )
    assert apart(end) / apart(start) == pytest.approx(scale, rel=0.03)
    assert {start[0].x + start[1].x, end[0].x + end[1].x} == {2 * area.center.x}


def apart(pair: tuple[Point, Point]) -> int:
    return abs(pair[0].x - pair[1].x) + abs(pair[0].y - pair[1].y)


@pytest.mark.parametrize("scale", [0.0, -2.0, 1.0, float("inf"), float("nan"), 100.0])
def test_a_pinch_that_cannot_be(scale: float) -> None:
    phone = Phone()
    with pytest.raises(UsageError, match="Nothing was touched"):
        phone.driver.pinch(Rect(0, 0, 1000, 1000), scale, 0.1)
    assert phone.gesture == []


def test_a_pinch_is_one_call() -> None:
    phone = Phone()
    phone.driver.pinch(Rect(0, 0, 1000, 1000), 2.0, 0.5)
    method, _, *points, steps = phone.gesture
    assert (method, len(points), steps) == ("gesture", 4, 30)


PNG = b"\x89PNG\r\n\x1a\n" + b"pixels" + b"IEND\xaeB`\x82"


@pytest.mark.parametrize(
    "ended",
    [
        Ended(b"", b"", 0),
        Ended(PNG[:-4], b"", 0),
        Ended(b"[Warning] Multiple displays were found\n" + PNG, b"", 0),
        Ended(PNG, b"", 1),
        Ended(b"", b"Failed to take screenshot. Status: -38", 1),
    ],
)
def test_bytes_that_are_no_whole_png_are_no_screenshot(ended: Ended) -> None:
    with pytest.raises(ProtocolError, match="no whole PNG"):
        Phone(screencap=ended).driver.screenshot()


def test_a_log_that_cannot_be_read_is_not_an_empty_log() -> None:
    with pytest.raises(ProtocolError, match="logcat read failure"):
        Phone(logcat=Ended(b"", b"logcat read failure", 1)).driver.logs()


def test_lines_of_the_log_are_kept_whole() -> None:
    said = "--------- beginning of main\n01-02 03:04:05.678  1  1 I Tag: one\u2028still one\r\n\n"
    assert Phone(logcat=said).driver.logs() == [
        "01-02 03:04:05.678  1  1 I Tag: one\u2028still one"
    ]


def test_an_installed_app_without_one_launcher_activity_asks_for_its_name() -> None:
    phone = Phone(cmd_package="No activity found", pm_path="package:/data/app/base.apk")
    with pytest.raises(UsageError, match=r"launch\(app, activity="):
        phone.driver.launch(APP, None, ())


def test_an_activity_that_may_not_be_started_says_why() -> None:
    denied = "Starting: Intent { }\njava.lang.SecurityException: Permission Denial: not exported"
    phone = Phone(am_start=denied, pm_path="package:/data/app/base.apk")
    with pytest.raises(UsageError, match="Permission Denial: not exported"):
        phone.driver.launch(APP, ".Hidden", ())


def test_data_that_cannot_be_cleared_is_no_success() -> None:
    phone = Phone(pm_clear="Failed", pm_path="package:/data/app/base.apk")
    with pytest.raises(ProtocolError, match="Failed"):
        phone.driver.clear_data(APP)


def test_a_locked_phone_has_no_app_in_front() -> None:
    with pytest.raises(ProtocolError, match="locked"):
        Phone().driver.app_in_front()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("\n", "stopped"),
        (f"4711\n\n  topResumedActivity=ActivityRecord{{1 u0 {APP}/.Main t1}}", "foreground"),
        (
            "4711 4712\n\n  topResumedActivity=ActivityRecord{1 u0 com.launcher/.Home t1}",
            "background",
        ),
        ("4711\n\n", "background"),
    ],
)
def test_the_status_is_asked_in_one_command(said: str, expected: str) -> None:
    phone = Phone(pidof=said)
    assert phone.driver.app_status(APP) == expected
    assert len(phone.commands) == 1


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "tab\there",
        "two\nlines",
        "100% 'a' \"b\" $c `d`",
        "日本語",
        "👩\u200d🚀",
        "e\u0301",
        "\u2028",
    ],
)
def test_typeable(text: str) -> None:
    Phone().driver.check_typeable(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\0b", "U+0000 at position 1 is a control character"),
        ("\r", "U+000D at position 0"),
        ("\x7f", "U+007F"),
        ("\x85", "U+0085"),
        ("a\ud83d", "U+D83D at position 1 is half of a surrogate pair"),
        ("\ufffe", "U+FFFE"),
    ],
)
def test_untypeable(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        Phone().driver.check_typeable(text)
    assert said in str(refused.value)
    assert "Nothing was typed" in str(refused.value)


def test_an_unknown_key_lists_the_known() -> None:
    with pytest.raises(UsageError) as refused:
        Phone().driver.press_key(cast(Any, "any"))
    assert all(key in str(refused.value) for key in get_args(Key))


@pytest.mark.parametrize(
    ("said", "expected"),
    [("  mInputShown=true", True), ("  mInputShown=false", False), ("", False)],
)
def test_whether_a_keyboard_is_up(said: str, expected: bool) -> None:
    assert Phone(dumpsys=said).driver.keyboard_shown() is expected


def clashes(kind: type) -> dict[str, list[str]]:
    """Names that two classes define, neither of which inherits from the other."""
    owners: dict[str, list[type]] = defaultdict(list)
    for base in kind.__mro__:
        if base.__module__.startswith("pytest_replicant.drivers.android."):
            for name in vars(base):
                if not name.startswith("__"):
                    owners[name].append(base)
    return {
        name: [each.__name__ for each in classes]
        for name, classes in owners.items()
        if any(not issubclass(one, other) for one, other in pairwise(classes))
    }


def test_no_role_takes_anothers_name() -> None:
    assert clashes(AndroidDriver) == {}
