"""The checks of the computer, each where it is fine and where it is not."""

from __future__ import annotations

import os
import stat
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pytest_replicant.pool import Finding, computer
from pytest_replicant.pool import doctor as checks
from pytest_replicant.virtual import VirtualPhone, start_server

ROOT = Path(__file__).parents[3]
NO_SERVER = "1"  # a port where nothing listens


def brief(findings: object) -> list[tuple[str, str]]:
    assert not isinstance(findings, Finding)
    return [(each.name, each.status) for each in findings]  # type: ignore[attr-defined]


def script(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def adb(folder: Path, version: int = 41) -> Path:
    """Says its version, and takes down in ``asked`` what it was called with."""
    said = (
        f"Android Debug Bridge version 1.0.{version}\\nVersion 35.0.1-11580240\\nInstalled as "
        f"{folder}/adb\\n"
    )
    return script(folder, "adb", f'echo "$@" >> "{folder}/asked"\nprintf "{said}"')


def asked(folder: Path | str, port: object = NO_SERVER, **more: str) -> list[Finding]:
    """What is found of adb where the PATH is that folder, and its server has that port."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            os, "environ", {"PATH": str(folder), "ANDROID_ADB_SERVER_PORT": str(port), **more}
        )
        return list(checks.adb())


# --- Python and libraries -------------------------------------------------------------------------
def test_python(monkeypatch: pytest.MonkeyPatch) -> None:
    assert brief(checks.python()) == [("Python", "ok")]
    monkeypatch.setattr(checks, "NEWEST", checks.OLDEST)
    (old,) = checks.python()
    assert old.status == "warn"
    assert "3.10 to 3.10" in old.next


@pytest.mark.slow
def test_libraries_that_load() -> None:
    (found,) = checks.libraries()
    assert found.status == "ok"
    assert "adbutils 2" in found.found


def test_a_library_that_does_not_load_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken_library.py").write_text("raise SystemError('built for another Python')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        checks, "LIBRARIES", {"filelock": "filelock", "lxml": "broken_library", "x": "not_there"}
    )
    found = {each.name: each for each in checks.libraries()}
    assert {name: each.status for name, each in found.items()} == {
        "lxml": "fail",
        "x": "fail",
        "libraries": "ok",
    }
    assert "SystemError: built for another Python" in found["lxml"].found
    assert found["lxml"].next == f"{sys.executable} -m pip install --force-reinstall lxml"


def test_a_plugin_that_pytest_does_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("replicant", "pytest_replicant.plugin", "pytest11")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    assert brief(checks.plugin()) == [("pytest-replicant", "ok")]
    points.clear()
    assert brief(checks.plugin()) == [("pytest-replicant", "fail")]


# --- adb ------------------------------------------------------------------------------------------
def test_adb_and_its_server_agree(tmp_path: Path) -> None:
    adb(tmp_path)
    with start_server(VirtualPhone()) as server:
        found = asked(tmp_path, server.port)
    assert brief(found) == [("adb command", "ok"), ("adb server", "ok")]
    assert "version 41 (35.0.1-11580240)" in found[0].found
    assert f"version 41 answers at 127.0.0.1:{server.port}" in found[1].found


def test_an_adb_of_another_version_ends_the_server(tmp_path: Path) -> None:
    """Each that may be called is looked at, that of the SDK too."""
    old, new = adb(tmp_path / "old", 39), adb(tmp_path / "sdk" / "platform-tools")
    with start_server(VirtualPhone()) as server:
        clash, fine, _ = asked(old.parent, server.port, ANDROID_HOME=str(tmp_path / "sdk"))
    assert (clash.status, fine.status) == ("warn", "ok")
    assert "version 39" in clash.found
    assert "the running server's is 41: the next adb command ends that server" in clash.found
    assert str(new) in fine.found


def test_a_port_that_is_none() -> None:
    found = asked("", "adb")
    assert brief(found) == [("adb server", "fail")]
    assert "'adb' is no port" in found[0].found


@pytest.mark.slow
def test_what_listens_is_no_adb_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ASK_SECONDS", 0.2)
    with start_server(VirtualPhone(), server=False, wda=True) as server:
        *_, found = asked("", server.wda_port)
    assert found.status == "fail"
    assert "does not answer as an adb server does" in found.found


@pytest.mark.parametrize(
    ("body", "message"),
    [("echo hello", "does not tell its version"), ("exec sleep 30", "did not end within 0.2 s")],
)
def test_an_adb_that_is_odd(
    body: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "PROGRAM_SECONDS", 0.2)
    script(tmp_path, "adb", body)
    command, _ = asked(tmp_path)
    assert (command.status, message in command.found) == ("warn", True)


# --- what only some need --------------------------------------------------------------------------
def test_emulators(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"PATH": "", "HOME": str(tmp_path)})
    assert brief(checks.emulator()) == [("emulator", "skip")]
    script(tmp_path / "sdk" / "emulator", "emulator", "")
    monkeypatch.setenv("ANDROID_HOME", str(tmp_path / "sdk"))
    assert "without any virtual device" in next(checks.emulator()).found
    monkeypatch.setenv(
        "ANDROID_EMULATOR_HOME", str(tmp_path / "devices")
    )  # which the emulator knows too
    folder = tmp_path / "devices" / "avd"
    folder.mkdir(parents=True)
    for number in range(3):
        (folder / f"Pixel_{number}.ini").touch()
    found = next(checks.emulator())
    assert found.status == "ok"
    assert "Pixel_0, Pixel_1" in found.found


# --- room -----------------------------------------------------------------------------------------
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_of_leases_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.setattr(checks, "lease_folder", lambda: tmp_path)
    assert brief(checks.leases()) == [("leases", "fail")]


def test_leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "lease_folder", lambda: tmp_path)
    assert brief(checks.leases()) == [("leases", "ok")]
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(checks, "lease_folder", lambda: tmp_path / "not-there")
    assert brief(checks.leases()) == [("leases", "fail")]


@pytest.mark.slow
def test_the_whole_computer_is_looked_at() -> None:
    names = [check.name for check in computer().checks()]
    assert names == [
        "Python",
        "pytest-replicant",
        "libraries",
        "adb",
        "emulator",
        "Allure",
        "Chromium",
        "leases",
    ]
