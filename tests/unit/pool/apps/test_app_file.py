"""What ``--replicant-app`` may be given."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import find_file, is_path


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("dev.replicant.shop", False),
        ("com.example.app", False),
        ("shop.apk", True),
        ("SHOP.APK", True),
        ("shop.aab", True),
        ("build/shop", True),
        ("./com.example.app", True),
        ("*.apk", True),
        ("Shop.app", True),
        ("Other.app", False),
        ("'shop.apk'", True),
        ("shop.apk ", True),
    ],
)
def test_a_path_is_known_from_an_id(tmp_path: Path, given: str, expected: bool) -> None:
    (tmp_path / "Shop.app").mkdir()
    assert is_path(given, tmp_path) is expected


def test_the_newest_of_several(tmp_path: Path) -> None:
    for name, moment in (("old.apk", 1_000), ("new.apk", 2_000), ("mid.apk", 1_500)):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (moment, moment))
    assert find_file("*.apk", tmp_path) == tmp_path / "new.apk"
    assert find_file("old.apk", tmp_path) == tmp_path / "old.apk"


def test_files_of_one_build_are_no_choice(tmp_path: Path) -> None:
    for name, moment in (("arm.apk", 2_000), ("x86.apk", 2_003), ("old.apk", 1_000)):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (moment, moment))
    with pytest.raises(UsageError, match="2 files match, none of which is newer") as raised:
        find_file("*.apk", tmp_path)
    assert str(raised.value).endswith(f"\n  {tmp_path / 'arm.apk'}\n  {tmp_path / 'x86.apk'}")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "shpo.apk",
            r"there is no such file: .*shpo\.apk\. In that folder: folder\.apk, shop\.apk\. Next: build it",
        ),
        ("nowhere/shop.apk", "Nor is there .*nowhere"),
        ("out/**/*.apk", "no file matches, seen from"),
        ("folder.apk", "is a folder; a package is a file"),
        ("'shop.apk'", "The quotes are part of that name"),
        ("~nobody-of-that-name/shop.apk", r"Next: correct the path"),
        ("x" * 3000 + ".apk", "(?s)^.{,300}Next: correct the path"),
        ("out/a**b.apk", r"Next: (correct the path|build it)"),
    ],
)
def test_what_is_not_there(tmp_path: Path, given: str, message: str) -> None:
    (tmp_path / "shop.apk").write_bytes(b"")
    (tmp_path / "folder.apk").mkdir()
    with pytest.raises(UsageError, match=message):
        find_file(given, tmp_path)


def test_only_what_was_given_is_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "shop [new] *"
    (folder / ".cache").mkdir(parents=True)
    for place in (folder, folder / ".cache"):
        (place / "shop.apk").write_bytes(b"")
    assert find_file("*.apk", folder) == folder / "shop.apk"
    assert find_file("**/*.apk", folder) == folder / "shop.apk"
    assert find_file(".cache/*.apk", folder) == folder / ".cache" / "shop.apk"
    assert find_file(f"{tmp_path}/*/*.apk", Path()) == folder / "shop.apk"


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes that have a name")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "shop.apk")
    with pytest.raises(UsageError, match="no file that could be read twice"):
        find_file("shop.apk", tmp_path)
