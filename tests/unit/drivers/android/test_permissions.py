"""Names of permissions, and what ``dumpsys package`` says of them."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Ended
from pytest_replicant.drivers.android.apps import (
    full_names,
    read_permissions,
)
from pytest_replicant.errors import ProtocolError, UsageError

from .odd_phone import APP, Phone

DUMP = f"""\
Activity Resolver Table:
  Non-Data Actions:
Permissions:
  Permission [{APP}.OWN] (1a2b):
    requested permissions:
      android.permission.SEND_SMS
Packages:
  Package [{APP}] (3c4d):
    userId=10123
    requested permissions:
      android.permission.INTERNET
      android.permission.CAMERA
      android.permission.READ_CONTACTS: restricted=true
      android.permission.RECORD_AUDIO
      {APP}.OWN
    install permissions:
      android.permission.INTERNET: granted=true
      {APP}.OWN: granted=true
    User 0: ceDataInode=1000 installed=true
      gids=[3003]
      runtime permissions:
        android.permission.CAMERA: granted=true, flags=[ USER_SET|USER_SENSITIVE_WHEN_GRANTED]
        android.permission.READ_CONTACTS: granted=false, flags=[ USER_FIXED]
    User 10: ceDataInode=0 installed=false
      runtime permissions:
        android.permission.CAMERA: granted=false, flags=[ ]
  Package [{APP}.beta] (5e6f):
    requested permissions:
      android.permission.READ_SMS
    User 0: installed=true
      runtime permissions:
        android.permission.READ_SMS: granted=true, flags=[ ]
"""


def test_what_an_app_asks_for_and_its_user_may_decide() -> None:
    requested, held = read_permissions(APP, DUMP)
    assert requested == {
        *(
            f"android.permission.{name}"
            for name in ("INTERNET", "CAMERA", "READ_CONTACTS", "RECORD_AUDIO")
        ),
        f"{APP}.OWN",
    }
    assert held == {
        "android.permission.CAMERA": True,
        "android.permission.READ_CONTACTS": False,
        "android.permission.RECORD_AUDIO": False,  # undecided
    }


def test_older_phones_list_them_with_commas() -> None:
    held = DUMP.replace(": granted=", ", granted=")
    assert read_permissions(APP, held) == read_permissions(APP, DUMP)


@pytest.mark.parametrize("said", ["", f"  Package [{APP}] (1):\n    userId=1\n"])
def test_an_app_may_ask_for_nothing(said: str) -> None:
    assert read_permissions(APP, said) == (frozenset(), {})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("camera", "CAMERA"),
        ("Camera", "CAMERA"),
        ("body sensors", "BODY_SENSORS"),
        ("body-sensors", "BODY_SENSORS"),
        ("CAMERA", "CAMERA"),
        ("POST_NOTIFICATIONS", "POST_NOTIFICATIONS"),
        ("android.permission.CAMERA", "CAMERA"),
    ],
)
def test_a_permission_by_any_of_its_names(given: str, expected: str) -> None:
    assert full_names(given) == (f"android.permission.{expected}",)


def test_an_apps_own_permission_is_a_name() -> None:
    assert full_names("com.example.shop.permission.SCAN") == ("com.example.shop.permission.SCAN",)


@pytest.mark.parametrize(
    ("given", "near"), [("camra", "camera"), ("notification", "notifications"), ("CAMRA", "CAMERA")]
)
def test_a_slip_finds_the_name_that_was_meant(given: str, near: str) -> None:
    with pytest.raises(UsageError, match=rf"{given}.*names no permission\. Near ones: .*{near}"):
        full_names(given)


@pytest.mark.parametrize("given", ["", "x; reboot", "xyzzy", "$(reboot)"])
def test_what_is_near_nothing_lists_all(given: str) -> None:
    with pytest.raises(UsageError, match="There are: activity, background_location"):
        full_names(given)


FRESH = (
    f"Packages:\n  Package [{APP}] (1):\n    requested permissions:\n      "
    "android.permission.CAMERA\n"
)
FIXED = (
    "java.lang.SecurityException: Permission x requested by y is not a changeable permission type"
)


@pytest.mark.parametrize(
    ("said", "kind", "expected"),
    [
        (
            FIXED,
            UsageError,
            "it cannot be given or taken there: .*not a changeable permission type",
        ),
        (
            "java.lang.IllegalArgumentException: Unknown permission: x",
            UsageError,
            "Unknown permission: x",
        ),
        (
            "Exception occurred while executing 'grant':\njava.lang.SecurityException: no",
            ProtocolError,
            "Exception",
        ),
        (
            "Operation not allowed: java.lang.SecurityException",
            ProtocolError,
            "Operation not allowed",
        ),
    ],
)
def test_a_permission_that_is_refused(said: str, kind: type[Exception], expected: str) -> None:
    phone = Phone(
        pm_path="package:/data/app/base.apk",
        dumpsys_package=FRESH,
        pm_grant=Ended(b"", said.encode(), 255),
    )
    driver = phone.driver
    with pytest.raises(kind, match=expected):
        driver.set_permission(APP, "camera", True)
    driver._changes.undo()
    assert not any("revoke" in command for command in phone.commands)


TWO = FRESH + "      android.permission.READ_SMS\n"
REFUSAL = "Exception occurred while executing 'grant':\njava.lang.SecurityException: "


def test_all_is_granted_in_one_command() -> None:
    phone = Phone(dumpsys_package=TWO)
    phone.driver.keep_granted(APP)
    assert sorted(phone.commands[-1].split("; ")) == [
        f"pm grant {APP} android.permission.CAMERA",
        f"pm grant {APP} android.permission.READ_SMS",
    ]


def test_what_is_granted_already_is_not_granted_again() -> None:
    phone = Phone(dumpsys_package=DUMP.replace("granted=false", "granted=true"))
    phone.driver.keep_granted(APP)
    assert phone.commands[-1] == f"pm grant {APP} android.permission.RECORD_AUDIO"


@pytest.mark.parametrize(("refused", "is_trouble"), [(2, True), (1, False)])
def test_a_phone_that_refuses_grants_says_so(refused: int, is_trouble: bool) -> None:
    """One that cannot be given, as a policy keeps it, is left out."""
    phone = Phone(
        dumpsys_package=TWO,
        pm_grant=f"{REFUSAL}Neither user 2000 nor current process may\n" * refused,
    )
    if not is_trouble:
        phone.driver.keep_granted(APP)
        return
    with pytest.raises(
        ProtocolError, match=r"SecurityException: Neither user.*replicant_prepare = animations"
    ):
        phone.driver.keep_granted(APP)
