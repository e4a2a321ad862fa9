"""Booting, using, resetting and ending an emulator: the program a stand-in, the adb server a real one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_replicant.apps import (
    AdbBooting,
    BootGate,
    Emulator,
    Wish,
    choose_port,
    known_avds,
    pass_gates,
    running_avds,
    start_emulator,
)
from pytest_replicant.clock import SystemClock
from pytest_replicant.drivers import known_phones
from pytest_replicant.errors import DeviceError, DeviceTimeout
from pytest_replicant.pool import lease_folder, open_device

from .emulator_sdk import Sdk, is_running, make_sdk, soon
from .private_adb import Adb
from .standin_emulator import STAYS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("sys.platform == 'win32'", reason="the stand-in is a script with a first line of its own"),
]


class QuickClock(SystemClock):
    """Twenty times as fast as everybody's."""

    def now(self) -> float:
        return time.monotonic() * 20

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds / 20)


CLOCK = QuickClock()


@pytest.fixture
def sdk(tmp_path: Path, private_adb: Adb, monkeypatch: pytest.MonkeyPatch) -> Sdk:
    return make_sdk(tmp_path, private_adb, monkeypatch)


class Boots:
    """Starts emulators, and ends whatever a test has left."""

    def __init__(self, sdk: Sdk, folder: Path) -> None:
        self.sdk = sdk
        self.emulators: list[Emulator] = []
        self.standings: list[str] = []
        self._folder = folder

    def start(self, avd: str = "Pixel_6", snapshot: str = "") -> Emulator:
        taken = [phone.serial for phone in known_phones("127.0.0.1", self.sdk.adb.port, 5)]
        port = choose_port(lease_folder(), taken)
        emulator = start_emulator(self.sdk.program, Wish(avd, snapshot), port, self._folder / f"{avd}.log", CLOCK)
        self.emulators.append(emulator)
        return emulator

    def booting(self, emulator: Emulator) -> AdbBooting:
        return AdbBooting("127.0.0.1", self.sdk.adb.port, emulator.serial)

    def wait(self, *emulators: Emulator, timeout: float = 400) -> None:
        gates = [BootGate(each.wish.avd, self.booting(each), each.check_alive) for each in emulators]
        pass_gates(gates, timeout, CLOCK, lambda gates, _: self.standings.extend(gate.standing for gate in gates))

    def running(self) -> dict[str, str]:
        port = self.sdk.adb.port
        return running_avds("127.0.0.1", port, known_phones("127.0.0.1", port, 5))


@pytest.fixture
def boots(sdk: Sdk, tmp_path: Path) -> Iterator[Boots]:
    made = Boots(sdk, tmp_path)
    yield made
    for emulator in made.emulators:
        with suppress(DeviceError):
            emulator.stop()
        assert not is_running(emulator.tree.pid)


def test_it_is_booted_used_and_ended_with_all_that_it_started(boots: Boots) -> None:
    boots.sdk.behave(child=True)
    emulator = boots.start()
    boots.wait(emulator)
    steps = list(dict.fromkeys(boots.standings))
    assert steps[0].startswith("attached")
    assert steps[-1] == "ready"
    assert boots.running() == {"Pixel_6": emulator.serial}
    with open_device(f"adb://127.0.0.1:{boots.sdk.adb.port}/{emulator.serial}") as device:
        device.driver.launch("dev.replicant.shop", None, ())
        assert b"dev.replicant.shop" in device.driver.dump_hierarchy()
    child = boots.sdk.child()
    assert is_running(child)
    emulator.stop()
    assert not is_running(emulator.tree.pid)
    assert not is_running(child)
    assert boots.sdk.started()["given"]["-port"] == emulator.serial.partition("-")[2]


@pytest.mark.thorough
def test_two_boot_side_by_side(boots: Boots) -> None:
    pair = [boots.start("Pixel_6"), boots.start("Tablet")]
    boots.wait(*pair)
    assert boots.running() == {"Pixel_6": pair[0].serial, "Tablet": pair[1].serial}
    pair[0].stop()
    assert is_running(pair[1].tree.pid)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("PANIC: Missing emulator engine program for 'arm64' CPU.", "another kind of processor"),
        pytest.param(
            "ERROR   | x86_64 emulation currently requires hardware acceleration!\nKVM is required",
            "-accel-check",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "FATAL   | Not enough disk space to run AVD 'Pixel_6'. Exiting...",
            "the disk is full",
            marks=pytest.mark.thorough,
        ),
        pytest.param("Segmentation fault", "", marks=pytest.mark.thorough),
    ],
)
def test_a_death_is_reported_at_once_with_its_last_words(boots: Boots, words: str, hint: str) -> None:
    boots.sdk.behave(dies=words, exit_code=3)
    with pytest.raises(DeviceError, match="ended with exit code 3") as caught:
        boots.wait(boots.start())
    assert words.splitlines()[-1] in str(caught.value)
    assert hint in str(caught.value)
    assert ("before it was ready." in str(caught.value)) == (not hint)


@pytest.mark.thorough
def test_the_same_avd_twice_is_reported(boots: Boots) -> None:
    first = boots.start()
    boots.wait(first)
    with pytest.raises(DeviceError, match="runs already, and the adb server does not show it"):
        boots.wait(boots.start())
    assert is_running(first.tree.pid)


@pytest.mark.parametrize(
    ("phase", "standing", "seen"),
    [
        pytest.param("attached", "attached to adb", "does not know it", marks=pytest.mark.thorough),
        pytest.param("booted", "boot completed", r"sys.boot_completed=\(unset\)", marks=pytest.mark.thorough),
        pytest.param("animated", "boot completed", "boot animation is running", marks=pytest.mark.thorough),
        ("ready", "package manager", "Can't find service: package"),
    ],
)
def test_time_out_says_at_what_it_stands(boots: Boots, phase: str, standing: str, seen: str) -> None:
    boots.sdk.behave(stays_before=phase, phase=0.01)
    emulator = boots.start()
    assert soon(lambda: STAYS in emulator.log.read_text(encoding="utf-8"))
    assert phase == "attached" or soon(lambda: boots.booting(emulator).state() == "device")
    with pytest.raises(DeviceTimeout, match=rf"Pixel_6 stands at: {standing}.*; last seen: .*{seen}"):
        boots.wait(emulator, timeout=4)


@pytest.mark.ci
def test_an_app_that_hangs_is_given_time_once(boots: Boots) -> None:
    boots.sdk.behave(hangs_in_front=True)
    emulator = boots.start()
    boots.wait(emulator)
    assert "Application Not Responding" not in boots.booting(emulator).shell("dumpsys window")
    assert any(standing.startswith("a window in front") for standing in boots.standings)


@pytest.mark.ci
def test_a_snapshot_is_loaded_and_the_answer_is_checked(boots: Boots) -> None:
    boots.sdk.behave(snapshots=["clean"])
    emulator = boots.start(snapshot="clean")
    boots.wait(emulator)
    assert boots.sdk.started()["given"]["-snapshot"] == "clean"
    assert "clean" in emulator.console.snapshots()
    with pytest.raises(DeviceError, match="does not have the requested snapshot 'other'"):
        emulator.console.load_snapshot("other")
    boots.booting(emulator).shell("setprop debug.mark 1")
    emulator.console.load_snapshot("clean")
    phone = boots.booting(emulator)
    assert soon(lambda: phone.state() == "device")
    assert phone.shell("getprop debug.mark").strip() == ""


@pytest.mark.ci
def test_one_that_listens_to_nothing_is_killed(boots: Boots) -> None:
    boots.sdk.behave(deaf=True, child=True)
    emulator = boots.start()
    boots.wait(emulator)
    child = boots.sdk.child()
    emulator.stop()
    assert not is_running(emulator.tree.pid)
    assert soon(lambda: not is_running(child))


@pytest.mark.thorough
def test_a_wrong_token_is_reported(boots: Boots, sdk: Sdk, monkeypatch: pytest.MonkeyPatch) -> None:
    emulator = boots.start()
    boots.wait(emulator)
    token = sdk.folder.parent / "home" / ".emulator_console_auth_token"
    token.write_text("other", encoding="ascii")
    # the stand-in reads the same file again for each conversation, so that only one side may see the new one
    home = sdk.folder.parent / "elsewhere"
    home.mkdir()
    (home / token.name).write_text("wrong", encoding="ascii")
    from pytest_replicant.apps import Console

    port = int(emulator.serial.partition("-")[2])
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(DeviceError, match="authentication token does not match"):
        Console(port).avd_name()
    monkeypatch.setenv("HOME", str(home / "none"))
    with pytest.raises(DeviceError, match="cannot be read"):
        Console(port).avd_name()


@pytest.mark.thorough
def test_avds_are_listed_without_what_is_logged_between(sdk: Sdk) -> None:
    assert known_avds(sdk.program) == ["Pixel_6", "Tablet"]
    sdk.behave(list_fails="cannot open /avd")
    with pytest.raises(DeviceError, match="ended with 1: cannot open /avd"):
        known_avds(sdk.program)
