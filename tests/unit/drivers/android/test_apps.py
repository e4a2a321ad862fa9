"""Android apps: names, activities, packages, and installing them."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import AppInFront
from pytest_replicant.drivers.android.apps import (
    component,
    refusal,
)
from pytest_replicant.errors import ProtocolError, UsageError
from tests.unit.drivers.android.odd_phone import APP, Phone


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("priority=0 preferredOrder=0 match=0x108000\ncom.a.b/.Main\n", "com.a.b/.Main"),
        ("com.a.b/com.a.b.Main", "com.a.b/com.a.b.Main"),
    ],
)
def test_the_launcher_activity_is_the_last_line(said: str, expected: str) -> None:
    phone = Phone(cmd_package=said)
    phone.driver.launch("com.a.b", None, ())
    assert phone.commands[-1].endswith(f" -n {expected}")


@pytest.mark.parametrize(
    "said",
    [
        "No activity found",
        "com.a.b/.Main\nandroid/com.android.internal.app.ResolverActivity\n",
        "",
    ],
)
def test_a_launcher_activity_is_the_apps_own_or_none(said: str) -> None:
    phone = Phone(cmd_package=said, pm_path="package:/data/app")
    with pytest.raises(UsageError, match="no one activity for a launcher"):
        phone.driver.launch("com.a.b", None, ())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Starting: Intent { cmp=com.a.b/.Main }", ""),
        (
            "Starting: Intent { }\nWarning: Activity not started, its current task has been "
            "brought to the front",
            "",
        ),
        (
            "Starting: Intent { }\nError type 3\nError: Activity class {com.a.b/com.a.b.No} does "
            "not exist.",
            "Error: Activity class {com.a.b/com.a.b.No} does not exist.",
        ),
        ("Error type 3", "Error type 3"),
        (
            "Starting: Intent { }\n\nException occurred while executing "
            "'start':\njava.lang.SecurityException: Permission Denial: not exported from uid "
            "10100\n\tat android.os",
            "java.lang.SecurityException: Permission Denial: not exported from uid 10100",
        ),
    ],
)
def test_why_nothing_was_started(said: str, expected: str) -> None:
    assert refusal(said) == expected


@pytest.mark.parametrize(
    ("activity", "expected"),
    [
        ("Main", "com.a.b/.Main"),
        (".Main", "com.a.b/.Main"),
        ("com.a.b.Main", "com.a.b/com.a.b.Main"),
    ],
)
def test_an_activity_may_be_named_in_three_ways(activity: str, expected: str) -> None:
    assert component("com.a.b", activity) == expected


@pytest.mark.parametrize("activity", ["com.a.b/.Main", "Main; reboot", "two words", "1st"])
def test_what_is_no_activity_name_is_refused(activity: str) -> None:
    with pytest.raises(UsageError, match="Nothing was started"):
        component("com.a.b", activity)


INSTALLED = [
    "android",
    "com.android.settings",
    "com.example.shop",
    "com.example.shop.beta",
    "org.mozilla.firefox",
]
LISTED = "".join(f"package:{name}\n" for name in INSTALLED)


def test_the_last_part_of_a_name_finds_it_under_another_owner() -> None:
    with pytest.raises(UsageError, match=r"Near names on it: org\.mozilla\.firefox\."):
        Phone(pm_list=LISTED).driver.stop("dev.somebody.firefox")


def test_what_is_not_installed_names_the_near_ones_and_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"com\.exmple\.shop is not installed on R5CT") as raised:
        Phone(pm_list=LISTED).driver.stop("com.exmple.shop")
    said = str(raised.value)
    assert "com.example.shop" in said
    assert "Install it first" in said


@pytest.mark.parametrize(
    ("said", "kind", "expected"),
    [
        (
            "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures differ]",
            UsageError,
            "uninstall it first",
        ),
        ("Failure [INSTALL_FAILED_OLDER_SDK]", UsageError, "older than the app allows"),
        ("Failure [INSTALL_FAILED_TEST_ONLY: x]", UsageError, "INSTALL_FAILED_TEST_ONLY: x"),
        ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", ProtocolError, "INSUFFICIENT_STORAGE"),
        ("Failure [INSTALL_FAILED_USER_RESTRICTED: cancelled]", ProtocolError, "Install via USB"),
        ("Error: Unable to open file", ProtocolError, "Unable to open file"),
        ("", ProtocolError, "the phone refused"),
        ("Success of nothing", ProtocolError, "Success of nothing"),
    ],
)
def test_an_install_that_is_refused(
    tmp_path: Path, said: str, kind: type[Exception], expected: str
) -> None:
    phone = Phone(pm_install=said)
    with pytest.raises(kind, match=expected):
        phone.driver.install(archive(tmp_path))
    assert phone.commands[-1] == f"rm -f {phone.pushed[0]}"


def test_an_install_leaves_no_file(tmp_path: Path) -> None:
    phone = Phone(pm_install="Performing Streamed Install\nSuccess")
    phone.driver.install(str(archive(tmp_path)))
    assert phone.pushed[0].startswith("/data/local/tmp/")
    assert phone.commands == [f"pm install -r -t {phone.pushed[0]}", f"rm -f {phone.pushed[0]}"]


def test_a_bundle_of_packages_is_distinguished_from_an_apk(tmp_path: Path) -> None:
    phone = Phone()
    with pytest.raises(UsageError, match=r"a \.aab holds several packages"):
        phone.driver.install(archive(tmp_path, "shop.aab"))
    assert (phone.pushed, phone.commands) == ([], [])


def archive(folder: Path, name: str = "shop.apk") -> Path:
    with zipfile.ZipFile(folder / name, "w") as made:
        made.writestr("AndroidManifest.xml", "")
    return folder / name


def test_an_app_of_the_system_is_kept() -> None:
    phone = Phone(
        pm_uninstall="Failure [DELETE_FAILED_INTERNAL_ERROR]", pm_path="package:/system/app/x.apk"
    )
    with pytest.raises(UsageError, match="the phone keeps it"):
        phone.driver.uninstall(APP)


# --- a cold start ---------------------------------------------------------------------------------

FRONT = "  ResumedActivity: ActivityRecord{1a2b3c u0 %s/.MainActivity t12}\n"
HOME = FRONT % "com.example.home"
THERE = (
    f"{HOME}\n--- replicant\npackage:/data/app/base.apk\n--- "
    f"replicant\npriority=0\n{APP}/.MainActivity\n"
)
STARTED = f"Starting: Intent\n--- replicant\n{FRONT % APP}"


def cold_start(
    phone: Phone, app: str = APP, *args: str, **how: Any
) -> tuple[AppInFront | None, list[Any]]:
    before: list[Any] = []
    given = {"activity": None, "fresh": False, **how}
    activity, fresh = given["activity"], given["fresh"]
    after = phone.driver.cold_start(app, activity, args, fresh=fresh, ended=before.append)
    return after, before


def test_a_cold_start_takes_two_commands_and_says_what_was_and_is_in_front() -> None:
    phone = Phone(dumpsys=THERE, am_start=STARTED)
    after, before = cold_start(phone, APP, "--es", "note", "a b; reboot")
    assert after == AppInFront(APP, f"{APP}.MainActivity")
    assert before == [AppInFront("com.example.home", "com.example.home.MainActivity")]
    assert len(phone.commands) == 2
    assert f"; am force-stop {APP}; pm path {APP}; " in phone.commands[0]
    assert f"-n {APP}/.MainActivity --es note 'a b; reboot'; " in phone.commands[1]


def test_a_fresh_one_clears_its_data() -> None:
    phone = Phone(dumpsys=THERE.replace("package:/data/app/base.apk", "Success"), am_start=STARTED)
    cold_start(phone, fresh=True)
    assert f"; pm clear {APP}; " in phone.commands[0]
    assert "force-stop" not in phone.commands[0]
    assert len(phone.commands) == 2


def test_one_that_cannot_be_cleared_is_not_started() -> None:
    said = THERE.replace("package:/data/app/base.apk", "Failed")
    phone = Phone(dumpsys=said, pm_path="package:/data/app/base.apk", am_start=STARTED)
    with pytest.raises(ProtocolError, match=f"clear_data {APP} .*Failed"):
        cold_start(phone, fresh=True)
    assert not any("am start" in command for command in phone.commands)


@pytest.mark.parametrize(
    ("said", "fresh", "message"),
    [
        (THERE.replace("package:/data/app/base.apk", ""), False, "is not installed"),
        (THERE.replace("package:/data/app/base.apk", "Failed"), True, "is not installed"),
        (THERE.replace(f"{APP}/", "android/"), False, "is not installed"),
    ],
)
def test_one_that_is_not_there_is_not_started(said: str, fresh: bool, message: str) -> None:
    phone = Phone(dumpsys=said, am_start=STARTED)
    with pytest.raises(UsageError, match=message):
        cold_start(phone, fresh=fresh)
    assert not any("am start" in command for command in phone.commands)


def test_one_without_a_launcher_activity_names_the_way() -> None:
    phone = Phone(
        dumpsys=THERE.replace(f"{APP}/", "android/"), pm_path="package:/data/app/base.apk"
    )
    with pytest.raises(UsageError, match=r'activity="\.MainActivity"'):
        cold_start(phone)


@pytest.mark.parametrize(
    "app", ["com.example.shop; reboot", "$(reboot)", "com.example.`x`", "a b", "-S", "shop"]
)
def test_a_hostile_name_reaches_no_shell(app: str) -> None:
    phone = Phone()
    with pytest.raises(UsageError, match="no Android package name"):
        cold_start(phone, app)
    with pytest.raises(UsageError, match="no activity's name"):
        cold_start(phone, activity="a; reboot")
    assert phone.commands == []
