"""Arguments of an emulator, which ports it gets, and how its console answers."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_replicant.errors import DeviceError, ProtocolError, UsageError
from pytest_replicant.model import SystemClock
from pytest_replicant.pool import (
    Console,
    Wish,
    choose_port,
    has_display,
    snapshot_name,
    start_emulator,
)
from pytest_replicant.pool.apps.emulator import FIRST, LAST, arguments, log_tail


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


def test_a_cold_boot_and_one_from_a_snapshot() -> None:
    always = ["-avd", "A", "-port", "5556", "-no-boot-anim", "-no-audio"]
    assert arguments(Wish("A", window=True), 5556) == [
        *always,
        "-no-snapshot-load",
        "-no-snapshot-save",
    ]
    found = arguments(Wish("A", "clean"), 5556)
    assert found == [*always, "-no-window", "-snapshot", "clean", "-no-snapshot-save"]


@pytest.mark.parametrize(
    ("environment", "system", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({}, "darwin", True),
        ({"CI": "1"}, "win32", False),
    ],
)
def test_a_window_only_where_someone_may_look(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], system: str, expected: bool
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "environ", environment)
    assert has_display() == expected


def test_two_runs_never_choose_the_same_ports(tmp_path: Path) -> None:
    one, other = choose_port(tmp_path, ()), choose_port(tmp_path, ())
    assert one.number != other.number
    assert all(port.number % 2 == 0 and FIRST <= port.number <= LAST for port in (one, other))
    one.release()
    one.release()
    assert choose_port(tmp_path, ()).number == one.number
    other.release()


def test_ports_that_are_taken_or_known_are_passed_over(tmp_path: Path) -> None:
    free = choose_port(tmp_path, ())
    free.release()
    with socket.create_server(
        ("127.0.0.1", free.number + 1)
    ):  # adbd's, though the console's is free
        beside = choose_port(tmp_path, ())
        assert beside.number != free.number
        beside.release()
    known = choose_port(tmp_path, [free.serial])
    assert known.number != free.number
    known.release()


def test_one_that_cannot_be_started_gives_its_ports_back(tmp_path: Path) -> None:
    port = choose_port(tmp_path, ())
    with pytest.raises(DeviceError, match="the emulator of A cannot be started"):
        start_emulator(
            tmp_path / "none", Wish("A"), port, tmp_path / "run" / "a.log", SystemClock()
        )
    again = choose_port(tmp_path, ())
    assert again.number == port.number
    again.release()


def test_the_end_of_a_log(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    assert log_tail(log) == []
    log.write_bytes(
        b"x" * 20_000 + b"\n" + b"".join(b"line %d\n\n" % number for number in range(20)) + b"\xff"
    )
    assert log_tail(log, 3) == ["line 18", "line 19", "�"]


@pytest.mark.parametrize("name", ["a b", "a\nkill", "", "../x", "x" * 101])
def test_a_snapshot_is_one_word(name: str) -> None:
    assert snapshot_name("default_boot-1.2") == "default_boot-1.2"
    with pytest.raises(UsageError, match=r"avd:NAME\?snapshot"):
        snapshot_name(name)


@contextmanager
def console(*answers: str) -> Iterator[tuple[int, list[str]]]:
    """Gives one answer to each line that it hears, the first one unasked; then it hangs up."""
    heard: list[str] = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(answers[0].encode())
            for answer in answers[1:]:
                heard.append(lines.readline().decode().strip())
                connection.sendall(answer.encode())
            if answers[-1] == "":
                lines.readline()  # until the other side hangs up

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1], heard
        thread.join(5)


HELLO = "Android Console: type 'help' for a list of commands\r\nOK\r\n"
AUTH = "Android Console: Authentication required\r\nOK\r\n"


def test_a_console_is_answered_with_its_token(tmp_path: Path) -> None:
    (tmp_path / ".emulator_console_auth_token").write_text("abc\n", encoding="ascii")
    with console(AUTH, HELLO, "Pixel_6\r\nOK\r\n") as (port, heard):
        assert Console(port).ask("avd name").strip() == "Pixel_6"
    assert heard == ["auth abc", "avd name"]


def test_a_console_that_asks_for_no_token_gets_none(tmp_path: Path) -> None:
    with console(HELLO, "OK: killing emulator, bye bye\r\n") as (port, heard):
        Console(port).ask("kill")
    assert heard == ["kill"]


def test_ko_is_an_error_in_its_own_words(tmp_path: Path) -> None:
    with (
        console(HELLO, "KO: no such snapshot\r\n") as (port, _),
        pytest.raises(DeviceError, match="avd snapshot load a: no such snapshot"),
    ):
        Console(port).load_snapshot("a")


def test_hanging_up_is_no_answer(tmp_path: Path) -> None:
    with console(HELLO, "Pixel_6\r\n") as (port, _), pytest.raises(ProtocolError, match="hung up"):
        Console(port).ask("avd name")
