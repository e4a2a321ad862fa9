"""A phone that restarts: what ends, what comes back and when; and a program on it that is
killed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pytest_replicant.virtual import Latency, Terminal, VirtualPhone, run

from .frail_app import FRAIL, frail_app
from .notes_phone import Memory, sh
from .toy_app import ManualClock

MAIN = "dev.test.Main"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> VirtualPhone:
    latency = Latency(**{**dict.fromkeys(Latency.__dataclass_fields__, 0), "boot_ms": 5000})
    phone = VirtualPhone([frail_app()], latency=latency, clock=clock)
    phone.start_app(FRAIL)
    return phone


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("am start -n a/.B", "cmd: Can't find service: activity\n"),
        ("pm list packages", "cmd: Can't find service: package\n"),
        ("cmd package list packages", "cmd: Can't find service: package\n"),
        ("settings get global wifi_on", "cmd: Can't find service: settings\n"),
        ("wm size", "cmd: Can't find service: window\n"),
        ("dumpsys battery", "Can't find service: battery\n"),
    ],
)
def test_adb_answers_before_the_services_do(
    phone: VirtualPhone, clock: ManualClock, command: str, said: str
) -> None:
    assert said not in sh(phone, command).error
    phone.restart()
    assert said in sh(phone, command).error
    assert sh(phone, "getprop sys.boot_completed; echo here").out == "\nhere\n"
    clock.now += 5
    assert said not in sh(phone, command).error
    assert sh(phone, "getprop sys.boot_completed").out == "1\n"


@pytest.mark.parametrize("command", ["reboot"])
def test_its_own_shell_can_restart_it(phone: VirtualPhone, command: str) -> None:
    message: list[str] = []
    phone.on_restart.append(lambda: message.append("restarted"))
    assert sh(phone, command).code == 0
    assert message == ["restarted"]


def test_no_program_starts_before_android_does(phone: VirtualPhone) -> None:
    async def program(*_: object) -> int:
        return 0

    phone.programs[MAIN] = program
    phone.files.write("/data/local/tmp/a.jar", b"")
    command = f"CLASSPATH=/data/local/tmp/a.jar app_process / {MAIN}"
    assert sh(phone, command).code == 0
    phone.restart()
    answer = sh(phone, command)
    assert answer.code == 134
    assert "NullPointerException" in answer.error


def test_a_program_can_be_killed(phone: VirtualPhone) -> None:
    began = asyncio.Event()

    async def program(_phone: VirtualPhone, _words: Sequence[str], terminal: Terminal) -> int:
        began.set()
        await asyncio.Event().wait()
        return 0

    async def killed() -> tuple[int, Memory]:
        terminal = Memory()
        command = asyncio.ensure_future(
            run(phone, f"app_process -Djava.class.path=/a.jar / {MAIN}", terminal)
        )
        await asyncio.wait_for(began.wait(), 5)
        phone.kill_program(MAIN)
        return await asyncio.wait_for(command, 5), terminal

    phone.programs[MAIN] = program
    phone.files.write("/a.jar", b"")
    code, terminal = asyncio.run(killed())
    assert code == 137
    assert terminal.errors == b"Killed\n"
    assert phone.running_programs == {}
    with pytest.raises(KeyError):
        phone.kill_program(MAIN)
