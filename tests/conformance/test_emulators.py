"""Booting, using, resetting and ending an emulator: the program a stand-in, the adb server a real
one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_replicant.drivers import known_phones
from pytest_replicant.errors import DeviceError, DeviceTimeout
from pytest_replicant.model import SystemClock
from pytest_replicant.pool import (
    AdbBooting,
    BootGate,
    Emulator,
    Wish,
    choose_port,
    lease_folder,
    open_device,
    pass_gates,
    running_avds,
    start_emulator,
)

from .emulator_sdk import Sdk, is_running, make_sdk, soon
from .private_adb import Adb
from .standin_emulator import STAYS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        "sys.platform == 'win32'", reason="the stand-in is a script with a first line of its own"
    ),
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
        emulator = start_emulator(
            self.sdk.program, Wish(avd, snapshot), port, self._folder / f"{avd}.log", CLOCK
        )
        self.emulators.append(emulator)
        return emulator

    def booting(self, emulator: Emulator) -> AdbBooting:
        return AdbBooting("127.0.0.1", self.sdk.adb.port, emulator.serial)

    def wait(self, *emulators: Emulator, timeout: float = 400) -> None:
        gates = [
            BootGate(each.wish.avd, self.booting(each), each.check_alive) for each in emulators
        ]
        pass_gates(
            gates,
            timeout,
            CLOCK,
            lambda gates, _: self.standings.extend(gate.standing for gate in gates),
        )

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


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("PANIC: Missing emulator engine program for 'arm64' CPU.", "another kind of processor"),
        pytest.param("Segmentation fault", "", marks=pytest.mark.thorough),
    ],
)
def test_a_death_is_reported_at_once_with_its_last_words(
    boots: Boots, words: str, hint: str
) -> None:
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


def test_time_out_says_at_what_it_stands(boots: Boots) -> None:
    boots.sdk.behave(stays_before="ready", phase=0.01)
    emulator = boots.start()
    assert soon(lambda: STAYS in emulator.log.read_text(encoding="utf-8"))
    assert soon(lambda: boots.booting(emulator).state() == "device")
    seen = r"Pixel_6 stands at: package manager.*; last seen: .*Can't find service: package"
    with pytest.raises(DeviceTimeout, match=seen):
        boots.wait(emulator, timeout=4)


@pytest.mark.ci
def test_a_snapshot_is_loaded_and_the_answer_is_checked(boots: Boots) -> None:
    boots.sdk.behave(snapshots=["clean"])
    emulator = boots.start(snapshot="clean")
    boots.wait(emulator)
    assert boots.sdk.started()["given"]["-snapshot"] == "clean"
    assert "clean" in emulator.console.ask("avd snapshot list").split()
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
