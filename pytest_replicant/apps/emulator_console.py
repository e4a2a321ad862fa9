"""The console of a running emulator, which `adb emu` uses as well: a command line out, lines in, ``OK`` or ``KO``.

It listens on this computer alone and asks for the token in a file of the user's.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError, UsageError

CONSOLE_SECONDS = 10.0
LOAD_SECONDS = 60.0  # a snapshot of several gigabytes, from a slow disk
TOKEN_FILE = ".emulator_console_auth_token"
_SERIAL = re.compile(r"emulator-(\d{4,5})")
_WORD = re.compile(r"[A-Za-z0-9._-]{1,100}")
_LONGEST = 1 << 20


class Console:
    """Of the emulator whose console port this is. Every call is a conversation of its own.

    Raises ``DeviceOffline`` where none listens, ``DeviceTimeout``, and ``DeviceError`` with the console's own
    words where it answers ``KO``.
    """

    def __init__(self, port: int, *, home: Path | None = None) -> None:
        self.port = port
        self._home = home

    def avd_name(self) -> str:
        return self._ask("avd name").strip()

    def load_snapshot(self, name: str, timeout: float = LOAD_SECONDS) -> None:
        self._ask(f"avd snapshot load {snapshot_name(name)}", timeout)

    def snapshots(self) -> list[str]:
        """The words of its list, names among them: its columns differ between versions."""
        return self._ask("avd snapshot list").split()

    def kill(self) -> None:
        """It says good-bye first; that it has ended is seen by its process."""
        self._ask("kill")

    def _ask(self, command: str, timeout: float = CONSOLE_SECONDS) -> str:
        with self._conversation(timeout) as lines:
            greeting = _answer(lines, self._named("its greeting"))
            if "Authentication required" in greeting:
                lines.say(f"auth {self._token()}")
                _answer(lines, self._named("auth"))
            lines.say(command)
            return _answer(lines, self._named(command))

    def _named(self, command: str) -> str:
        return f"emulator-{self.port}, console: {command}"

    @contextmanager
    def _conversation(self, timeout: float) -> Iterator[_Lines]:
        try:
            with socket.create_connection(("127.0.0.1", self.port), min(timeout, CONSOLE_SECONDS)) as plain:
                plain.settimeout(timeout)
                with plain.makefile("rb") as answers:  # which keeps the socket open, whatever closes that
                    yield _Lines(plain, answers)
        except TimeoutError:
            raise DeviceTimeout(
                f"the console of emulator-{self.port} gave no answer in {timeout:g} s", device=self._serial
            ) from None
        except OSError as error:
            raise DeviceOffline(
                f"the console of emulator-{self.port} cannot be reached: {error.strerror or error}",
                device=self._serial,
            ) from None

    @property
    def _serial(self) -> str:
        return f"emulator-{self.port}"

    def _token(self) -> str:
        place = (self._home or Path.home()) / TOKEN_FILE
        try:
            return place.read_text(encoding="ascii").strip()
        except (OSError, UnicodeError):
            raise DeviceError(
                f"the console of emulator-{self.port} asks for the token in {place}, which cannot be read: the "
                "emulator belongs to another user, or to another HOME",
                device=self._serial,
            ) from None


class _Lines:
    def __init__(self, plain: socket.socket, answers: BinaryIO) -> None:
        self._plain = plain
        self._answers = answers

    def say(self, line: str) -> None:
        self._plain.sendall(f"{line}\n".encode("ascii"))

    def next(self) -> str | None:
        """None where the console has hung up."""
        line = self._answers.readline(_LONGEST)
        return line.decode("utf-8", "replace").rstrip("\r\n") if line else None


def _answer(lines: _Lines, asked: str) -> str:
    """What stands before its ``OK``. Anything else is none, a connection that ends included."""
    said: list[str] = []
    while (line := lines.next()) is not None:
        if line == "OK" or line.startswith("OK:"):
            return "\n".join(said)
        if line.startswith("KO"):
            raise DeviceError(f"{asked}: {line.removeprefix('KO').lstrip(': ') or 'refused'}")
        said.append(line)
    raise ProtocolError(f"{asked}: it hung up without an answer", exchange="\n".join(said))


def console_port(serial: str) -> int | None:
    """Of an emulator's serial, on whichever computer it is; None for any other phone."""
    found = _SERIAL.fullmatch(serial)
    return int(found[1]) if found else None


def snapshot_name(name: str) -> str:
    """Raises ``UsageError`` for what would be more than one word of a command."""
    if not _WORD.fullmatch(name):
        raise UsageError(f"avd:NAME?snapshot={name}: a snapshot's name has letters, digits, . _ and - only")
    return name
