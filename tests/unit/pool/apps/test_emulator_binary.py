"""Finding the emulator's program, and naming its virtual devices."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import avd_home, check_avd, find_emulator


def program(place: Path, text: str = "#!/bin/sh\n") -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="ascii")
    place.chmod(0o755)
    return place


@pytest.fixture(autouse=True)
def _on_linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "environ", {"HOME": str(tmp_path)})


def test_what_the_environment_names_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path = program(tmp_path / "bin" / "emulator")
    usual = program(tmp_path / "Android" / "Sdk" / "emulator" / "emulator")
    tools = program(tmp_path / "b" / "tools" / "emulator")
    other = program(tmp_path / "b" / "emulator" / "emulator")
    first = program(tmp_path / "a" / "emulator" / "emulator")
    for name, folder in (("PATH", "bin"), ("ANDROID_SDK_ROOT", "b"), ("ANDROID_HOME", "a")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    for expected in (first, other, tools, usual, on_path):
        assert find_emulator() == expected
        expected.unlink()
    with pytest.raises(UsageError, match="sdkmanager emulator"):
        find_emulator()


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", "Android/Sdk/emulator/emulator"),
        ("darwin", "Library/Android/sdk/emulator/emulator"),
        ("win32", "AppData/Local/Android/Sdk/emulator/emulator.exe"),
    ],
)
def test_each_system_has_its_usual_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, place: str
) -> None:
    expected = program(tmp_path / place)
    monkeypatch.setattr(sys, "platform", system)
    assert find_emulator() == expected


def test_what_is_not_found_names_every_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_HOME", "/no/such/sdk")
    with pytest.raises(UsageError) as caught:
        find_emulator()
    for place in (
        "/no/such/sdk/emulator/emulator",
        "/no/such/sdk/tools/emulator",
        "emulator on PATH",
    ):
        assert place in str(caught.value)


def test_an_unknown_avd_is_reported_with_the_nearest() -> None:
    check_avd("Pixel_6", ["Pixel_6"])
    with pytest.raises(UsageError, match=r"Did you mean Pixel_6\? There are: Pixel_6, Tablet"):
        check_avd("pixel_6", ["Pixel_6", "Tablet"])
    with pytest.raises(UsageError, match=r"no such virtual device. There are: Tablet"):
        check_avd("pixel_6", ["Tablet"])
    with pytest.raises(UsageError, match="avdmanager create avd"):
        check_avd("pixel_6", [])


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HOME": "/h"}, "/h/.android/avd"),
        ({"HOME": "/h", "ANDROID_SDK_HOME": "/s"}, "/s/.android/avd"),
        ({"HOME": "/h", "ANDROID_EMULATOR_HOME": "/e"}, "/e/avd"),
        ({"HOME": "/h", "ANDROID_USER_HOME": "/u", "ANDROID_EMULATOR_HOME": "/e"}, "/u/avd"),
        ({"HOME": "/h", "ANDROID_USER_HOME": "/u", "ANDROID_AVD_HOME": "/a"}, "/a"),
    ],
)
def test_where_virtual_devices_are(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(os, "environ", environment)
    assert avd_home() == Path(expected)
