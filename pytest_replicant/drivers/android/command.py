"""One command on the phone: the shell protocol's second version, with exit code, stderr and a deadline."""

from __future__ import annotations

import shlex
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol

from ...errors import DeviceTimeout, UsageError
from ..translate import foreign_errors
from .adb import AdbPhone, AdbServer, SyncPipe, exactly

_STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = 1, 2, 3, 4
_HEADER = struct.Struct("<BI")
_LONGEST = 0xFFFF - 64  # bytes; a request's length is four hexadecimal digits, and the service has a name


class Pipe(SyncPipe, Protocol):
    """The part of a socket that is used here."""

    def settimeout(self, value: float | None, /) -> None: ...


@dataclass(frozen=True)
class Ended:
    """Output of a command, as bytes, and its exit code."""

    stdout: bytes
    stderr: bytes
    exit_code: int

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are no UTF-8 become U+FFFD."""
        return _text(self.stdout)

    @property
    def error_text(self) -> str:
        return _text(self.stderr)

    @property
    def words(self) -> str:
        """Both outputs together, for messages and for tools that complain on either."""
        return f"{self.text}\n{self.error_text}".strip()


def command_line(command: str | Sequence[str]) -> str:
    """Command line: a string as it is, a list with each word quoted by the rules of the phone's shell.

    Raises ``UsageError`` for what no command line can carry.
    """
    line = command if isinstance(command, str) else " ".join(shlex.quote(word) for word in command)
    if "\0" in line:
        raise UsageError("a command cannot hold a NUL character; nothing was run")
    try:
        size = len(line.encode())
    except UnicodeEncodeError as error:
        raise UsageError(f"a command cannot hold half a character: {error}; nothing was run") from None
    if size > _LONGEST:
        raise UsageError(f"a command of {size} bytes; adb carries at most {_LONGEST}; nothing was run")
    if not line.strip():
        raise UsageError("an empty command; nothing was run")
    return line


def read_to_end(pipe: Pipe, seconds: float, line: str, device: str) -> Ended:
    """Reads packets until the exit code. Raises ``DeviceTimeout`` once ``seconds`` are over, however much the
    command still prints, and ``EOFError`` where the connection ends without an exit code."""
    deadline, when = time.monotonic() + seconds, "before the command had ended"

    def recv(limit: int) -> bytes:
        left = deadline - time.monotonic()
        if left > 0:
            pipe.settimeout(left)
            with suppress(TimeoutError):
                return pipe.recv(limit)
        message = (
            f"{line[:80]!r} on {device} did not end in {seconds:g} s. It was hung up on; "
            "give a longer timeout, or a command that ends."
        )
        raise DeviceTimeout(message, device=device)

    pipe.sendall(_HEADER.pack(_CLOSE_STDIN, 0))  # whoever reads its input finds the end, and not us waiting
    outputs = {_STDOUT: bytearray(), _STDERR: bytearray()}
    while True:
        kind, size = _HEADER.unpack(exactly(recv, _HEADER.size, when))
        data = exactly(recv, size, when)
        if kind == _EXIT:
            code = data[0] if data else 255
            return Ended(bytes(outputs[_STDOUT]), bytes(outputs[_STDERR]), code)
        if kind in outputs:
            outputs[kind] += data


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def ask(host: str, port: int, serial: str, command: str, seconds: float) -> str:
    """Both outputs of a command, within ``seconds``. Raises ``DeviceError``."""
    server = AdbServer(host, port)
    phone = AdbPhone(server, serial)
    with foreign_errors(serial, "asking"), server.until(seconds, f"asking {serial}"):
        said: bytes = phone.shell(command, timeout=seconds, encoding=None)
    return said.decode("utf-8", "replace").replace("\r\n", "\n")


class Followed:
    """Lines of a command that goes on until it is closed, read on a thread of its own: of both its outputs, as
    they come. ``take`` may be called from another thread."""

    def __init__(self, host: str, port: int, serial: str, command: str) -> None:
        """Raises ``DeviceError``."""
        with foreign_errors(serial, f"running {command[:80]!r}"):
            self._stream = AdbPhone(AdbServer(host, port), serial).shell(command, stream=True)
            self._socket = self._stream.conn  # which adbutils forgets when it is closed
        self._lines: SimpleQueue[str] = SimpleQueue()
        self.ended = False
        self._thread = threading.Thread(target=self._read, name="replicant-followed", daemon=True)
        self._thread.start()

    def take(self, seconds: float = 0.0) -> list[str]:
        """The lines that have come since; the first one is waited for so long."""
        lines: list[str] = []
        with suppress(Empty):
            lines.append(self._lines.get(timeout=seconds) if seconds > 0 else self._lines.get_nowait())
            while True:
                lines.append(self._lines.get_nowait())
        return lines

    def close(self) -> None:
        """Ends the command, as a terminal does that is closed. May be called again."""
        self._stream.close()
        self._thread.join(1.0)

    def _read(self) -> None:
        begun = b""
        with suppress(OSError):  # it was closed
            while chunk := self._socket.recv(65536):
                *whole, begun = (begun + chunk).split(b"\n")
                for line in whole:
                    self._lines.put(_text(line).rstrip("\r"))
        self.ended = True


def server_version(host: str, port: int, seconds: float) -> int:
    """Version of a running adb server, the last number of adb's "1.0.41". Raises ``DeviceError``."""
    server = AdbServer(host, port)
    with foreign_errors(f"the adb server at {host}:{port}", "asking its version"), server.until(seconds, "adb"):
        return int(server.server_version())
