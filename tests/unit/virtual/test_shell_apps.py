from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_replicant.virtual import Terminal, VirtualPhone

from .notes_phone import APP, apk, make_phone, sh, words


@pytest.fixture
def phone() -> VirtualPhone:
    return make_phone()


def test_starting_and_stopping(phone: VirtualPhone) -> None:
    start = (
        "am start -W -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -n "
        f"{APP}/.NotesActivity"
    )
    answer = sh(phone, start)
    assert answer.out.startswith("Starting: Intent { act=android.intent.action.MAIN")
    assert f"Status: ok\nLaunchState: COLD\nActivity: {APP}/.NotesActivity\n" in answer.out
    assert phone.foreground() == (APP, f"{APP}.NotesActivity")
    assert phone.pace.calls == {"launch": 1}
    assert "brought to the front" in sh(phone, start).error
    pid = phone.processes()[APP]
    assert sh(phone, f"pidof {APP}").out == f"{pid}\n"
    row = next(line for line in sh(phone, "ps -A").out.splitlines() if line.endswith(f" {APP}"))
    assert row.split()[1] == str(pid)
    assert len(row.split()) == 9
    assert sh(phone, f"am force-stop {APP}; pidof {APP}").code == 1
    assert sh(phone, f"am start -n {APP}/.OtherActivity && kill {pid}").code == 1
    assert phone.foreground() == (APP, f"{APP}.OtherActivity")


@pytest.mark.parametrize(
    ("line", "part", "code"),
    [
        (
            "am start -n no.such/.Main",
            "Error type 3\nError: Activity class {no.such/no.such.Main} does not exist.",
            1,
        ),
        (f"am start -n {APP}/.Nope", "does not exist", 1),
        ("am start -n nonsense", "Bad component name: nonsense", 1),
        ("am start -a android.intent.action.VIEW -d x://y", "unable to resolve Intent", 1),
        (f"am start -a android.intent.action.VIEW -d x://y -p {APP}", f"dat=x://y pkg={APP} }}", 1),
        ("am nope", "Unknown command: nope", 255),
        (
            "monkey -p no.such -c android.intent.category.LAUNCHER 1",
            "No activities found to run, monkey aborted.",
            252,
        ),
        ("am instrument -w no.such/.Runner", "INSTRUMENTATION_FAILED: no.such/.Runner", 1),
        ("app_process / no.Such", "java.lang.ClassNotFoundException: no.Such", 134),
        ("cmd nope", "cmd: Can't find service: nope", 20),
        ("pm grant no.such p.X", "Unknown package: no.such", 255),
        (f"pm grant {APP} p.X", f"Package {APP} has not requested permission p.X", 255),
        ("settings get nope x", "Invalid namespace 'nope'", 255),
        ("setprop ro.product.model x", "Failed to set property", 1),
        ("wm size 10x10", "cannot change its size", 255),
    ],
)
def test_refusals(phone: VirtualPhone, line: str, part: str, code: int) -> None:
    answer = sh(phone, line)
    assert part in answer.error
    assert answer.code == code


def test_what_a_link_needs_is_kept_by_an_update(phone: VirtualPhone) -> None:
    installed = phone.packages.get(APP)
    assert installed is not None
    phone.packages.add(replace(installed, url_prefixes=("notes://",)))
    phone.files.write("/data/local/tmp/new.apk", apk(package=APP, version_code=2))
    assert sh(phone, "pm install -r /data/local/tmp/new.apk").out == "Success\n"
    updated = phone.packages.get(APP)
    assert updated is not None
    assert (updated.version_code, updated.url_prefixes) == (2, ("notes://",))


def test_a_broadcast_is_answered_by_a_running_app(phone: VirtualPhone) -> None:
    phone.start_app(APP)
    answer = sh(phone, "am broadcast -a dev.example.PING --es word 'a b'")
    assert 'Broadcast completed: result=-1, data="a b"\n' in answer.out
    assert "result=0\n" in sh(phone, "am broadcast -a dev.example.NONE").out


def test_the_system_and_the_home_screen_are_packages_too(phone: VirtualPhone) -> None:
    assert sh(phone, "pm path android").out == "package:/system/framework/framework-res.apk\n"
    home = (
        "cmd package resolve-activity --brief -a android.intent.action.MAIN -c "
        "android.intent.category.HOME"
    )
    assert sh(phone, home).out.splitlines()[-1].startswith("com.replicant.launcher/")
    other = home.replace("HOME", "CAR_DOCK")
    assert sh(phone, other).out == "No activity found\n"


def test_packages(phone: VirtualPhone) -> None:
    assert sh(phone, "pm list packages -3 ''").out == f"package:{APP}\n"
    assert (
        sh(phone, "cmd package list packages --show-versioncode notes").out
        == f"package:{APP} versionCode:1\n"
    )
    assert sh(phone, f"pm path {APP}").out.startswith("package:/data/app/")
    assert sh(phone, "pm path no.such").code == 1
    brief = sh(phone, f"cmd package resolve-activity --brief {APP}").out.splitlines()
    assert brief[-1] == f"{APP}/.NotesActivity"
    query = (
        "cmd package query-activities -a android.intent.action.MAIN -c "
        "android.intent.category.LAUNCHER"
    )
    assert f"      packageName={APP}\n" in sh(phone, query).out
    assert "android.permission.CAMERA: granted=false" in sh(phone, f"dumpsys package {APP}").out
    assert sh(phone, f"pm grant {APP} android.permission.CAMERA").code == 0
    assert "android.permission.CAMERA: granted=true" in sh(phone, f"dumpsys package {APP}").out
    assert f"  Package [{APP}] (" in sh(phone, f"dumpsys package {APP}").out
    assert "Unable to find package: no.such" in sh(phone, "dumpsys package no.such").out


def test_installing_from_a_file_and_removing(phone: VirtualPhone) -> None:
    phone.files.write(
        "/data/local/tmp/a b.apk", apk(package="dev.other.app", version_code=7, permissions=["p.X"])
    )
    assert sh(phone, "pm install -r -t -g '/data/local/tmp/a b.apk'").out == "Success\n"
    assert "dev.other.app versionCode:7" in sh(phone, "pm list packages --show-versioncode").out
    assert "p.X: granted=true" in sh(phone, "dumpsys package dev.other.app").out
    assert sh(phone, "cmd package 'uninstall' 'dev.other.app'").out == "Success\n"
    again = sh(phone, "pm uninstall dev.other.app")
    assert (again.out, again.code) == ("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1)
    phone.files.write("/data/local/tmp/bad.apk", b"no apk")
    refused = sh(phone, "pm install /data/local/tmp/bad.apk")
    assert refused.out.startswith("Failure [INSTALL_PARSE_FAILED_NOT_APK: ")
    assert refused.code == 1
    assert "Unable to open file: /nope.apk" in sh(phone, "pm install /nope.apk").error


def test_installing_from_an_open_stream(phone: VirtualPhone) -> None:
    data = apk(package="dev.streamed.app")
    answer = words(phone, "package", "install", "-S", str(len(data)), data=data, live=True)
    assert (answer.out, answer.code) == ("Success\n", 0)
    assert phone.packages.get("dev.streamed.app") is not None
    short = words(phone, "package", "install", "-S", "999999", data=data)
    assert "of 999999 bytes came" in short.error


def test_words_of_a_service_call_are_never_read_as_a_line(phone: VirtualPhone) -> None:
    assert words(phone, "settings", "put", "global", "k", "a; echo $HOME `id` 'b").code == 0
    assert words(phone, "settings", "get", "global", "k").out == "a; echo $HOME `id` 'b\n"
    assert (
        words(phone, "settings", "get", "global", "enable_adb_incremental_install_default").out
        == "null\n"
    )


def test_programs_that_the_phone_was_given(phone: VirtualPhone) -> None:
    async def program(given: VirtualPhone, arguments: Sequence[str], terminal: Terminal) -> int:
        await terminal.write(repr(list(arguments)).encode())
        return 3

    phone.programs["dev.example.Main"] = program
    line = "CLASSPATH=/data/local/tmp/x.jar app_process / dev.example.Main -p '90 08'"
    assert sh(phone, line).code == 134
    phone.files.write("/data/local/tmp/x.jar", b"jar")
    answer = sh(phone, line)
    assert (answer.out, answer.code) == ("['-p', '90 08']", 3)


def test_logcat_shows_filters_and_clears(phone: VirtualPhone) -> None:
    sh(phone, "logcat -c")
    phone.log.append("I", "Shop", "one", 77)
    phone.log.append("E", "Shop", "two", 77)
    phone.log.append("D", "Other", "three", 78)
    assert sh(phone, "logcat -d -v brief").out == (
        "--------- beginning of main\nI/Shop    (   77): one\nE/Shop    (   77): two\nD/Other   "
        "(   78): three\n"
    )
    assert sh(phone, "logcat -d -v raw -s Shop:E").out.splitlines()[1:] == ["two"]
    assert sh(phone, "logcat -d -v raw --pid=78").out.splitlines()[1:] == ["three"]
    assert sh(phone, "logcat -t 1 -v raw").out.splitlines()[1:] == ["three"]
    assert sh(phone, "logcat -d -v raw -T '01-01 00:00:00.000'").out.count("\n") == 4
    assert sh(phone, "logcat --clear; logcat -d").out == ""
    assert "Invalid parameter 'nope' to -v" in sh(phone, "logcat -v nope").error
    assert sh(phone, "log -t Mark 'here 日本語'; logcat -d -v tag").out.endswith(
        "I/Mark    : here 日本語\n"
    )


def test_logcat_since_a_moment_begins_at_the_first_entry_of_then_whatever_is_stamped_behind_it(
    phone: VirtualPhone,
) -> None:
    sh(phone, "logcat -c")
    for at, text in ((100.0, "one"), (110.0, "two"), (104.0, "three, the clock was set back")):
        phone.log.now = lambda at=at: 1_700_000_000.0 + at  # type: ignore[misc]
        phone.log.append("I", "Shop", text, 77)
    assert sh(phone, "logcat -d -v raw -T 1700000105.0").out.splitlines()[1:] == [
        "two",
        "three, the clock was set back",
    ]
    assert sh(phone, "logcat -d -v raw -T 1700000111.0").out == ""
