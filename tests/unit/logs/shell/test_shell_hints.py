"""What to do about a command that failed; nothing about one that went well."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.logs import hints


@pytest.mark.parametrize(
    ("command", "error", "code", "next_step"),
    [
        ("nope", "/system/bin/sh: nope: inaccessible or not found", 127, "`which nope`"),
        ("nope", "sh: nope: not found\n", 127, "`which nope`"),
        ("nope", "", 127, "`toybox`"),
        ("cat /data/data/a/x", "cat: /data/data/a/x: Permission denied", 1, "`run-as PACKAGE`"),
        ("chown a b", "chown: 'b': Operation not permitted", 1, "`adb root`"),
        ("run-as a.b ls", "run-as: package not debuggable: a.b", 1, "debug build"),
        ("run-as a.b ls", "run-as: unknown package: a.b", 1, "a.b is not installed"),
        ("touch /system/x", "touch: '/system/x': Read-only file system", 1, "/data/local/tmp"),
        ("dd", "dd: /data/x: No space left on device", 1, "`df -h /data`"),
        ("kill 9", "kill: 9: No such process", 1, "`pidof NAME`"),
        ("ls /nope", "ls: /nope: No such file or directory", 1, "`ls` of the folder above"),
        (
            "/sdcard/x",
            "/system/bin/sh: /sdcard/x: can't execute: Permission denied",
            126,
            "`run-as PACKAGE`",
        ),
        ("/sdcard/x", "", 126, "`chmod +x`"),
        ("big", "Killed \n", 137, "lowmemorykiller"),
        ("big", "", 137, "lowmemorykiller"),
        ("odd", "", 139, "`logcat -d -b crash`"),
        ("odd", "", 134, "`logcat -d -b crash`"),
        ("odd", "", 255, "`adb devices`"),
    ],
)
def test_a_failure_names_the_next_step(command: str, error: str, code: int, next_step: str) -> None:
    given = hints(command, "", error, code)
    assert len(given) == 1
    assert next_step in given[0]


@pytest.mark.parametrize(
    ("command", "said", "next_step"),
    [
        (
            "am start -n a.b/.C",
            "Error: Activity class {a.b/a.b.C} does not exist.",
            "resolve-activity",
        ),
        (
            "am start -a X",
            "Error: Activity not started, unable to resolve Intent { act=X }",
            "query-activities",
        ),
        ("dumpsys nope", "Can't find service: nope", "`service list`"),
        ("am instrument x", "INSTRUMENTATION_FAILED: a/b", "`pm list instrumentation`"),
        (
            "pm grant a b",
            "Security exception: grant requires android.permission.X",
            "USB debugging",
        ),
        ("pm uninstall a.b", "Failure: Unknown package: a.b", "`pm list packages`"),
        ("pm clear a.b", "Failed\n", "`pm list packages`"),
        (
            ["settings", "put", "x"],
            "java.lang.SecurityException: Permission denial",
            "USB debugging",
        ),
    ],
)
def test_tools_that_fail_with_zero_or_on_standard_output(
    command: str, said: str, next_step: str
) -> None:
    out = ("", said) if command == "dumpsys nope" else (said, "")
    assert next_step in " ".join(hints(command, *out, 0))


@pytest.mark.parametrize(
    "command",
    [
        "cat /sdcard/notes",
        "logcat -d",
        "settings get system note",
        "dumpsys notification",
        "pm list x | cat",
    ],
)
def test_what_an_app_wrote_is_no_failure(command: str) -> None:
    said = "x: not found\nPermission denied\nKilled\nUnable to find package: a\nSecurityException"
    assert hints(command, said, "", 0) == ()


def test_what_a_tool_reports_of_others_is_no_failure_of_its_own() -> None:
    assert hints("cmd wifi status", "Wifi is not running\n  last: Permission denied\n", "", 0) == ()
    assert hints("cmd wifi status", "Error: wifi is not running\n", "", 0) != ()


def test_what_is_not_known_has_no_hint() -> None:
    assert hints("grep x y", "", "", 1) == ()
    assert hints("ls", "", "warning: odd", 0) == ()


def test_two_troubles_have_two() -> None:
    assert (
        len(hints("x", "", "cat: /a: Permission denied\ncat: /b: No such file or directory", 1))
        == 2
    )


def test_a_name_is_no_format() -> None:
    assert "{0}" not in "".join(hints("x", "", "sh: {what.__class__}: not found", 127))


@given(st.text(), st.text(), st.text(), st.integers(0, 255))
def test_it_never_raises(command: str, out: str, error: str, code: int) -> None:
    assert all(isinstance(one, str) for one in hints(command, out, error, code))


def test_what_is_not_named_is_not_called_it() -> None:
    given = hints(["nope;id"], "", "/system/bin/sh: nope;id: inaccessible or not found", 127)
    assert given == ("the phone has no command of that name: `toybox` lists what there is",)
