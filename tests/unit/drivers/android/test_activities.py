"""What the activity manager says, as real phones word it."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import AppInFront
from pytest_replicant.drivers.android.apps import component, in_front, launcher_component, refusal
from pytest_replicant.errors import UsageError

SHOP = AppInFront("com.example.shop", "com.example.shop.MainActivity")


@pytest.mark.parametrize(
    "said",
    [
        "  topResumedActivity=ActivityRecord{1a2b3c u0 com.example.shop/.MainActivity t12}",
        "  topResumedActivity=ActivityRecord{1a2b3c u0 com.example.shop/.MainActivity} t12}",
        "    mResumedActivity: ActivityRecord{1a2b3c u0 com.example.shop/.MainActivity t12}",
        "  ResumedActivity: ActivityRecord{1a2b3c u10 com.example.shop/com.example.shop.MainActivity t12}",
        "  mFocusedApp=ActivityRecord{1a2b3c u0 com.example.shop/.MainActivity t12}",
    ],
)
def test_the_resumed_activity_is_in_front_under_its_full_name(said: str) -> None:
    assert in_front(f"ACTIVITY MANAGER ACTIVITIES\n{said}\n") == SHOP


def test_the_newest_wording_wins_over_what_other_displays_resumed() -> None:
    said = (
        "  ResumedActivity: ActivityRecord{1 u0 com.other/.Second t3}\n"
        "  topResumedActivity=ActivityRecord{2 u0 com.example.shop/.MainActivity t12}\n"
    )
    assert in_front(said) == SHOP


def test_an_inner_class_may_be_an_activity() -> None:
    said = "topResumedActivity=ActivityRecord{2 u0 com.example.shop/.Main$Inner t1}"
    assert in_front(said) == AppInFront("com.example.shop", "com.example.shop.Main$Inner")


@pytest.mark.parametrize("said", ["", "topResumedActivity=null", "mResumedActivity: null\nmFocusedApp=null"])
def test_where_nothing_is_resumed_there_is_nothing_in_front(said: str) -> None:
    assert in_front(said) is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("priority=0 preferredOrder=0 match=0x108000\ncom.a.b/.Main\n", "com.a.b/.Main"),
        ("com.a.b/com.a.b.Main", "com.a.b/com.a.b.Main"),
        ("No activity found", ""),
        ("priority=0\nandroid/com.android.internal.app.ResolverActivity\n", ""),
        ("", ""),
    ],
)
def test_the_launcher_activity_is_the_last_line_where_it_is_the_apps_own(said: str, expected: str) -> None:
    assert launcher_component("com.a.b", said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Starting: Intent { cmp=com.a.b/.Main }", ""),
        (
            "Starting: Intent { }\nWarning: Activity not started, its current task has been brought to the front",
            "",
        ),
        (
            "Starting: Intent { }\nError type 3\nError: Activity class {com.a.b/com.a.b.No} does not exist.",
            "Error: Activity class {com.a.b/com.a.b.No} does not exist.",
        ),
        ("Error type 3", "Error type 3"),
        (
            "Starting: Intent { }\n\nException occurred while executing 'start':\n"
            "java.lang.SecurityException: Permission Denial: not exported from uid 10100\n\tat android.os",
            "java.lang.SecurityException: Permission Denial: not exported from uid 10100",
        ),
    ],
)
def test_why_nothing_was_started(said: str, expected: str) -> None:
    assert refusal(said) == expected


@pytest.mark.parametrize(
    ("activity", "expected"),
    [("Main", "com.a.b/.Main"), (".Main", "com.a.b/.Main"), ("com.a.b.Main", "com.a.b/com.a.b.Main")],
)
def test_an_activity_may_be_named_in_three_ways(activity: str, expected: str) -> None:
    assert component("com.a.b", activity) == expected


@pytest.mark.parametrize("activity", ["com.a.b/.Main", "Main; reboot", "two words", "1st"])
def test_what_is_no_activity_name_is_refused(activity: str) -> None:
    with pytest.raises(UsageError, match="Nothing was started"):
        component("com.a.b", activity)
