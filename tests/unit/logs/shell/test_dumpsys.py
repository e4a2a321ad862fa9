"""What system services say of themselves, in the words of several Androids."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import parse, resumed_activity

BATTERY = """\
Current Battery Service state:
  (UPDATES STOPPED -- use 'reset' to restart)
  AC powered: false
  USB powered: true
  Max charging current: 500000
  status: 2
  level: 85
  temperature: -12
  technology: Li-ion
  Scheduled charging: at 6:30
"""

PACKAGE = """\
Packages:
  Package [com.example.shop.test] (1a):
    versionCode=9 minSdk=1 targetSdk=2
  Package [com.example.shop] (2b):
    appId=10123
    pkg=Package{3c com.example.shop}
    versionCode=42 minSdk=24 targetSdk=34
    versionName=1.2 beta (3)
    flags=[ DEBUGGABLE HAS_CODE ]
    lastUpdateTime=2024-02-01 10:00:00
    declared permissions:
      com.example.shop.OWN: prot=signature
    requested permissions:
      android.permission.INTERNET
      android.permission.CAMERA: restricted=true
    install permissions:
      android.permission.INTERNET: granted=true
    User 0: ceDataInode=1 installed=true
      installReason=0
      firstInstallTime=2024-01-01 09:00:00
      gids=[3003]
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET]
        android.permission.RECORD_AUDIO: granted=false, flags=[ ]
      enabledComponents:
        com.example.shop.Odd: granted=true
    User 10: ceDataInode=0 installed=false
      runtime permissions:
        android.permission.CAMERA: granted=false

Hidden system packages:
  Package [com.example.shop] (9f):
    versionCode=1 minSdk=1 targetSdk=1
"""

MEMINFO = """\
Applications Memory Usage (in Kilobytes):
Uptime: 12 Realtime: 34

** MEMINFO in pid 4058 [com.example.shop] **
                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap
                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free
                ------   ------   ------   ------   ------   ------   ------   ------
  Native Heap     9284     9240        8       12    11684    18432    13219     5212
    .so mmap     3521      240      144       10    41280
       TOTAL    53222    24016    12552       24   150324    30000    20000    10000

 App Summary
                       Pss(KB)                        Rss(KB)
           Java Heap:     6088                          16456
               TOTAL:    53000{rss}      TOTAL SWAP PSS:       24

 Objects
               Views:       48         ViewRootImpl:        2
"""


def test_a_battery() -> None:
    assert parse("dumpsys battery", BATTERY) == {
        "ac_powered": False,
        "usb_powered": True,
        "max_charging_current": 500_000,
        "status": 2,
        "level": 85,
        "temperature": -12,
        "technology": "Li-ion",
        "scheduled_charging": "at 6:30",
    }


def test_a_package_is_its_own_and_no_other() -> None:
    assert parse("dumpsys package com.example.shop", PACKAGE) == {
        "package": "com.example.shop",
        "version_code": 42,
        "version_name": "1.2 beta (3)",
        "first_installed": "2024-01-01 09:00:00",
        "last_updated": "2024-02-01 10:00:00",
        "min_sdk": 24,
        "target_sdk": 34,
        "uid": 10123,
        "flags": ["DEBUGGABLE", "HAS_CODE"],
        "requested": ["android.permission.INTERNET", "android.permission.CAMERA"],
        "granted": ["android.permission.INTERNET", "android.permission.CAMERA"],
        "denied": ["android.permission.RECORD_AUDIO"],
    }


def test_what_a_package_does_not_tell_is_not_known() -> None:
    found = parse("dumpsys package com.example.shop.test", PACKAGE)
    assert found is not None
    assert (found["version_code"], found["version_name"], found["uid"], found["granted"]) == (
        9,
        None,
        None,
        [],
    )


@pytest.mark.parametrize("name", ["com.example", "shop", "com.example.shop.tes", "com.other"])
def test_a_package_that_is_not_there(name: str) -> None:
    assert parse(["dumpsys", "package", name], PACKAGE) is None


@pytest.mark.parametrize(
    "line",
    [
        "  topResumedActivity=ActivityRecord{3d u0 com.example/.Main t1}",
        "    mResumedActivity: ActivityRecord{3d u0 com.example/.Main t1}",
        "  mFocusedActivity: ActivityRecord{3d u0 com.example/com.example.Main t1}",
    ],
)
def test_the_resumed_activity_on_newer_and_older_phones(line: str) -> None:
    assert resumed_activity(f"Display #0\n{line}\n") == ("com.example", "com.example.Main")


SHOP_RECORD, OTHER_RECORD = (
    f"ActivityRecord{{3d u0 com.{app}/.Main t1}}" for app in ("shop", "other")
)
MONITOR = (
    "Display #44 (activities from top to bottom):\n"
    f"      topResumedActivity={OTHER_RECORD}\n    Resumed: {OTHER_RECORD}\n"
)
PHONE = (
    "Display #0 (activities from top to bottom):\n"
    f"      topResumedActivity={SHOP_RECORD}\n    Resumed: {SHOP_RECORD}\n"
)
FOCUS = (
    f"  Display: mDisplayId=0 (organized)\n  mFocusedApp={SHOP_RECORD}\n"
    f"  Display: mDisplayId=44 (organized)\n  mFocusedApp={OTHER_RECORD}\n"
)
SPLIT = f"Display #0\n    topResumedActivity={OTHER_RECORD}\n    topResumedActivity={SHOP_RECORD}\n"


@pytest.mark.parametrize(
    "said",
    [
        MONITOR + PHONE + f"  ResumedActivity: {OTHER_RECORD}\n" + FOCUS,
        PHONE + MONITOR + f"  ResumedActivity: {OTHER_RECORD}\n" + FOCUS,
        f"Display #44 (activities)\n    mResumedActivity: {OTHER_RECORD}\nDisplay #0 "
        f"(activities)\n    mResumedActivity: {SHOP_RECORD}\n  ResumedActivity: {OTHER_RECORD}\n",
        MONITOR + f"Display #0 (activities)\n  ResumedActivity: {OTHER_RECORD}\n" + FOCUS,
        SPLIT + f"  Display: mDisplayId=0 (organized)\n  mFocusedApp={SHOP_RECORD}\n",
        SPLIT + f"  ResumedActivity: {SHOP_RECORD}\n",
    ],
    ids=[
        "monitor on top",
        "monitor below",
        "android 9",
        "only the focus",
        "split",
        "split, no focus",
    ],
)
def test_of_several_displays_and_windows_the_phones_own_with_the_focus_is_in_front(
    said: str,
) -> None:
    assert resumed_activity(said) == ("com.shop", "com.shop.Main")


@pytest.mark.parametrize(
    "said", [MONITOR, MONITOR + f"Display #0\n  ResumedActivity: {OTHER_RECORD}\n", SPLIT]
)
def test_what_another_display_has_in_front_and_a_choice_of_two_are_no_answer(said: str) -> None:
    assert resumed_activity(said) is None


def test_the_stack_is_distinguished_from_the_top() -> None:
    found = parse(
        "dumpsys activity activities",
        "    * Hist #1: ActivityRecord{3d u0 com.example/.Cart t1}\n"
        "    * Hist  #0: ActivityRecord{4e u0 com.example/.Main t1 f}}\n"
        "  mResumedActivity: ActivityRecord{3d u0 com.example/.Cart t1}\n",
    )
    assert found == {
        "resumed": "com.example/com.example.Cart",
        "stack": ["com.example/com.example.Cart", "com.example/com.example.Main"],
    }


def test_the_top_of_each_task() -> None:
    task = (
        "TASK a id=1 userId=0\n  ACTIVITY com.{}/.Main 3d pid={}\n    Local\n      mResumed={} "
        "mStopped=x\n"
    )
    found = parse(
        "dumpsys activity top",
        task.format("one", "4058", "false") + task.format("two", "(not running)", "true"),
    )
    assert found == {
        "resumed": "com.two/com.two.Main",
        "activities": [
            {"activity": "com.one/com.one.Main", "pid": 4058, "resumed": False},
            {"activity": "com.two/com.two.Main", "pid": None, "resumed": True},
        ],
    }
    split = parse(
        "dumpsys activity top", task.format("one", "1", "true") + task.format("two", "2", "true")
    )
    assert split is not None
    assert split["resumed"] is None  # two are, on a divided screen


@pytest.mark.parametrize(("rss", "expected"), [("", None), ("       TOTAL RSS:   150324", 150_324)])
def test_memory_with_and_without_what_is_resident(rss: str, expected: int | None) -> None:
    assert parse("dumpsys meminfo com.example.shop", MEMINFO.format(rss=rss)) == {
        "pid": 4058,
        "process": "com.example.shop",
        "total_pss": 53_000,
        "total_rss": expected,
        "pss": {"Native Heap": 9284, ".so mmap": 3521},
    }


def test_of_several_processes_the_one_of_that_name() -> None:
    both = MEMINFO.format(rss="") + MEMINFO.format(rss="").replace("4058", "4060").replace(
        ".shop]", ".shop:sync]"
    )
    found = parse("dumpsys meminfo com.example.shop", both)
    assert found is not None
    assert found["pid"] == 4058
    assert parse("dumpsys meminfo com.example.shop", both + MEMINFO) is None


@pytest.mark.parametrize(
    "said", ["", "\0", "No process found for: com.example.shop", "x" * 1000, "** MEMINFO in pid"]
)
def test_what_has_no_known_form_is_not_known(said: str) -> None:
    for asked in ("battery", "package a.b", "activity activities", "activity top", "meminfo a.b"):
        assert parse(f"dumpsys {asked}", said) is None
