"""What phones say of packages that they do not take."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pytest_replicant.drivers.android.apps import AndroidApps
from pytest_replicant.errors import ProtocolError, UsageError

from .odd_phone import APP, Phone


@pytest.mark.parametrize(
    ("said", "kind", "expected"),
    [
        ("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures differ]", UsageError, "uninstall it first"),
        ("Failure [INSTALL_FAILED_OLDER_SDK]", UsageError, "older than the app allows"),
        ("Failure [INSTALL_FAILED_TEST_ONLY: x]", UsageError, "INSTALL_FAILED_TEST_ONLY: x"),
        ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", ProtocolError, "INSUFFICIENT_STORAGE"),
        ("Failure [INSTALL_FAILED_USER_RESTRICTED: cancelled]", ProtocolError, "Install via USB"),
        ("Error: Unable to open file", ProtocolError, "Unable to open file"),
        ("", ProtocolError, "the phone refused"),
        ("Success of nothing", ProtocolError, "Success of nothing"),
    ],
)
def test_an_install_that_is_refused(tmp_path: Path, said: str, kind: type[Exception], expected: str) -> None:
    phone = Phone(pm_install=said)
    with pytest.raises(kind, match=expected):
        AndroidApps(phone.link).install(archive(tmp_path))
    assert phone.commands[-1] == f"rm -f {phone.pushed[0]}"


def test_an_install_leaves_no_file(tmp_path: Path) -> None:
    phone = Phone(pm_install="Performing Streamed Install\nSuccess")
    AndroidApps(phone.link).install(str(archive(tmp_path)))
    assert phone.pushed[0].startswith("/data/local/tmp/")
    assert phone.commands == [f"pm install -r -t {phone.pushed[0]}", f"rm -f {phone.pushed[0]}"]


def test_a_bundle_of_packages_is_distinguished_from_an_apk(tmp_path: Path) -> None:
    phone = Phone()
    with pytest.raises(UsageError, match=r"a \.aab holds several packages"):
        AndroidApps(phone.link).install(archive(tmp_path, "shop.aab"))
    assert (phone.pushed, phone.commands) == ([], [])


def archive(folder: Path, name: str = "shop.apk") -> Path:
    with zipfile.ZipFile(folder / name, "w") as made:
        made.writestr("AndroidManifest.xml", "")
    return folder / name


def test_an_app_of_the_system_is_kept() -> None:
    phone = Phone(pm_uninstall="Failure [DELETE_FAILED_INTERNAL_ERROR]", pm_path="package:/system/app/x.apk")
    with pytest.raises(UsageError, match="the phone keeps it"):
        AndroidApps(phone.link).uninstall(APP)
