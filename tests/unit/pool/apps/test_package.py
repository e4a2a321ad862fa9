"""What packages say of themselves, and the errors for those that say nothing usable."""

from __future__ import annotations

import contextlib
import io
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import AppPackage, read_package
from pytest_replicant.pool.apps.package import sha256_of
from tests.apks import apk, app_folder, info_plist, ipa, manifest


def test_an_apk(tmp_path: Path) -> None:
    path = apk(tmp_path, permissions=("INTERNET", "CAMERA"), abis=("x86_64", "arm64-v8a"))
    package = read_package(path)
    assert package == AppPackage(
        path=path,
        platform="android",
        id="dev.replicant.shop",
        label="Replicant Shop",
        version_name="1.4",
        version_code="37",
        min_api=24,
        target_api=34,
        abis=("arm64-v8a", "x86_64"),
        main_activity="dev.replicant.shop.MainActivity",
        permissions=("android.permission.CAMERA", "android.permission.INTERNET"),
        sha256=sha256_of(path),
    )
    assert package.version == "1.4 (37)"
    assert package.facts["app package"] == f"shop.apk, sha256 {package.sha256[:12]}"


@pytest.mark.parametrize("activity", ["Main", ".Main", "dev.replicant.shop.Main"])
def test_an_activity_by_its_full_name(tmp_path: Path, activity: str) -> None:
    assert read_package(apk(tmp_path, activity=activity)).main_activity == "dev.replicant.shop.Main"


def test_an_ipa(tmp_path: Path) -> None:
    package = read_package(ipa(tmp_path))
    assert (package.platform, package.id, package.label) == ("ios", "dev.replicant.shop", "Shop")
    assert (package.version, package.min_api, package.target_api) == ("2.1 (2.1.7)", 15, 17)
    assert package.permissions == ("NSCameraUsageDescription",)


def test_an_app_folder_is_known_by_all_that_is_in_it(tmp_path: Path) -> None:
    path = app_folder(tmp_path, CFBundleDisplayName="The Shop")
    before = read_package(path)
    assert (before.id, before.label) == ("dev.replicant.shop", "The Shop")
    assert read_package(path) == before
    (path / "en.lproj" / "Words.strings").write_bytes(b"other words")
    assert read_package(path) == replace(before, sha256=sha256_of(path))
    assert read_package(path) != before


def _zip(**parts: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)

    return write


def _bytes(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def _manifest(**facts: str) -> Callable[[Path], None]:
    return _zip(AndroidManifest_dot_xml=manifest(**facts))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.apk", _bytes(b""), "an APK by name, but no such zip"),
        ("a.apk", _bytes(b"not a zip" * 99), "an APK by name, but no such zip"),
        ("a.apk", _zip(classes_dot_dex=b""), "no AndroidManifest.xml"),
        ("a.apk", _zip(AndroidManifest_dot_xml=b"<manifest package='a.b'/>"), "manifest"),
        ("a.apk", _zip(AndroidManifest_dot_xml=b""), "manifest"),
        ("a.apk", _zip(AndroidManifest_dot_xml=b"\0" * (5 << 20)), "larger than 4 MB"),
        ("a.apk", _manifest(package="../../etc/passwd"), "which no app can have"),
        ("a.apk", _manifest(package="shop; reboot"), "which no app can have"),
        ("a.apk", _manifest(split="config.xxhdpi"), "one part of dev.replicant.shop"),
        ("a.aab", _bytes(b""), "a .aab holds several packages.*bundletool"),
        ("a.xapk", _bytes(b""), "holds several packages"),
        ("a.txt", _bytes(b""), "an .apk, an .ipa, or the .app folder"),
        ("a.ipa", _bytes(b"PK"), "an .ipa by name, but no such zip"),
        ("a.ipa", _zip(Info_dot_plist=b""), "holds Payload/.*/Info.plist 0 times"),
        (
            "a.ipa",
            _zip(Payload__A_dot_app__Info_dot_plist=b"bplist00" + b"\xff" * 40),
            "cannot be read",
        ),
        (
            "a.ipa",
            _zip(Payload__A_dot_app__Info_dot_plist=b"<plist><array/></plist>"),
            "no names and values",
        ),
        ("a.ipa", _zip(Payload__A_dot_app__Info_dot_plist=b"\0" * (5 << 20)), "larger than 4 MB"),
        (
            "a.ipa",
            _zip(Payload__A_dot_app__Info_dot_plist=info_plist(CFBundleIdentifier="a b")),
            "which no app can have",
        ),
    ],
)
def test_what_is_no_package(
    tmp_path: Path, name: str, write: Callable[[Path], None], message: str
) -> None:
    write(tmp_path / name)
    with pytest.raises(UsageError, match=message) as raised:
        read_package(tmp_path / name)
    assert str(raised.value).isprintable()


def test_an_app_folder_without_facts(tmp_path: Path) -> None:
    (tmp_path / "A.app").mkdir()
    with pytest.raises(UsageError, match=r"no Info\.plist"):
        read_package(tmp_path / "A.app")


def test_a_compressed_entry_that_is_damaged(tmp_path: Path) -> None:
    content = bytearray(apk(tmp_path).read_bytes())
    content[60:200] = b"\xff" * 140
    (tmp_path / "bad.apk").write_bytes(content)
    with pytest.raises(UsageError, match=r"bad\.apk"):
        read_package(tmp_path / "bad.apk")


def test_names_that_try_something_are_one_printable_line(tmp_path: Path) -> None:
    package = read_package(
        apk(tmp_path, label="Shop\n::error::x\x1b[31m", version_name="1\r\n2" + "9" * 900)
    )
    assert package.label == "Shop ::error::x [31m"
    assert package.version_name.startswith("1 2999")
    assert len(package.version_name) == 100


@pytest.mark.slow
@pytest.mark.ci
def test_a_damaged_manifest_is_refused_or_read(tmp_path: Path) -> None:
    for seed in range(6):
        dice = random.Random(seed)
        damaged = bytearray(manifest(permissions=("CAMERA",)))
        for _ in range(6):
            at = dice.randrange(8, len(damaged) - 4)
            damaged[at : at + 4] = dice.choice(
                [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\0"]
            )
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as archive:
            archive.writestr("AndroidManifest.xml", bytes(damaged))
        path = tmp_path / f"{seed}.apk"
        path.write_bytes(whole.getvalue())
        with contextlib.suppress(UsageError):
            assert read_package(path).id
