"""adbutils, as this driver uses it: never starts an adb server, never waits longer than allowed,
never dawdles.

Stock adbutils starts an adb server if none listens, probes its version before each call (10 ms),
sends without TCP_NODELAY (44 ms a call), and waits up to ten minutes. uiautomator2 is given this
device instead. A command on the phone goes by the shell protocol's second version, with exit code,
stderr and a deadline.
"""

from __future__ import annotations

import shlex
import socket
import stat
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import IO, Any

import adbutils
from adbutils.errors import AdbConnectionError

from ...errors import DeviceTimeout, ProtocolError, UsageError
from ..translate import foreign_errors

CONNECT_LIMIT = 3.0  # seconds to reach the adb server, which is near or not there
CALL_LIMIT = (
    20.0  # seconds for a call that names no limit of its own; the slowest honest dump takes ten
)


class Connection(adbutils.AdbConnection):  # type: ignore[misc]  # adbutils ships no types
    """One connection to the adb server. Raises ``AdbError`` if none listens."""

    def __init__(self, host: str, port: int, patience: float) -> None:
        self._address = (host, port)
        self._patience = patience
        super().__init__(host, port)

    def _safe_connect(self) -> socket.socket:
        # The stock one answers a refused connection by starting an adb server, on the default port.
        try:
            plain = socket.create_connection(self._address, min(self._patience, CONNECT_LIMIT))
        except TimeoutError as error:
            raise adbutils.AdbTimeout("the adb server does not answer") from error
        except OSError as error:
            why = error.strerror or error
            raise AdbConnectionError(
                f"no adb server answers at {self._address[0]}:{self._address[1]}: {why}"
            ) from error
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.settimeout(self._patience)
        return plain

    def check_okay(self) -> None:
        try:
            super().check_okay()
        except BaseException:
            self.close()  # adbutils forgets the connection of a request that was refused
            raise

    def close(self) -> None:
        if not self.closed:
            plain: socket.socket = self.conn
            with suppress(OSError):  # the other side was first
                plain.shutdown(socket.SHUT_RDWR)  # wakes a thread that reads from it, too
            plain.close()
        super().close()  # finds it closed, and leaves out its pause of 10 ms


class AdbServer(adbutils.AdbClient):  # type: ignore[misc]  # adbutils ships no types
    """A running adb server."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self._deadline: float | None = None
        self._waiting = ""

    def make_connection(self, timeout: float | None = None) -> Connection:
        return Connection(self.host, self.port, self.patience(timeout))

    @contextmanager
    def until(self, seconds: float, doing: str) -> Iterator[None]:
        """Sets one deadline for all calls in the block, above the limits they ask for. The error at
        the deadline names ``doing`` ("connecting to R5CT")."""
        self._deadline, self._waiting = time.monotonic() + seconds, doing
        try:
            yield
        finally:
            self._deadline = None

    def patience(self, wanted: float | None) -> float:
        """Seconds that a call may take now. Raises ``DeviceTimeout`` if the block's deadline has
        passed."""
        limit = CALL_LIMIT if wanted is None else wanted
        if self._deadline is None:
            return limit
        left = self._deadline - time.monotonic()
        if left <= 0:
            # None of adbutils' own errors: uiautomator2 takes those for "not ready yet", and waits
            # on.
            raise DeviceTimeout(
                f"{self._waiting}: not ready in the time allowed. Is it still starting?"
            )
        return min(limit, left)


class AdbPhone(adbutils.AdbDevice):  # type: ignore[misc]  # adbutils ships no types
    """One phone behind an adb server. Remembers the streams it keeps open, so that they can be hung
    up."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        super().__init__(server, serial=serial)
        self._server = server
        self._streams: list[Connection] = []

    def open_transport(
        self, command: str | None = None, timeout: float | None = None
    ) -> Connection:
        """Opens a transport: with a command, as the parent does; without, straight to the phone,
        the server's version unasked: every server since 2018 knows ``tport``. ``timeout`` in
        seconds, None for ``CALL_LIMIT``. An error of the way to the phone says so: nothing was sent
        to it."""
        if command:
            connection: Connection = super().open_transport(command, timeout)
            return connection
        try:
            connection = self._server.make_connection(timeout)
            _ask(connection, f"host:tport:serial:{self.serial}", 8)  # the transport's number
        except Exception as error:
            error.never_sent = True  # type: ignore[attr-defined]  # read where it becomes one of ours
            raise
        return connection

    def open_service(self, service: str, timeout: float) -> Connection:
        """Connects to a service of the phone, which has accepted; what follows on the connection is
        its own."""
        connection = self.open_transport(timeout=timeout)
        _ask(connection, service)
        return connection

    def shell(
        self,
        cmdargs: str | list[str],
        stream: bool = False,
        timeout: float | None = None,
        encoding: str | None = "utf-8",
        rstrip: bool = True,
    ) -> Any:
        """Runs a command as adbutils does, but bounded. A ``stream`` has no limit: it lives until
        ``hang_up``."""
        if not stream:
            return super().shell(
                cmdargs, timeout=self._server.patience(timeout), encoding=encoding, rstrip=rstrip
            )
        connection: Connection = super().shell(cmdargs, stream=True)
        connection.conn.settimeout(None)
        self._streams.append(connection)
        return connection

    def hang_up(self) -> bool:
        """Closes the kept streams, which ends their commands on the phone; False if there was
        none."""
        streams = [stream for stream in self._streams if not stream.closed]
        self._streams.clear()
        for stream in streams:
            stream.close()
        return bool(streams)


def _ask(connection: Connection, request: str, answer: int = 0) -> None:
    """``answer`` is how many bytes come behind adb's consent."""
    try:
        connection.send_command(request)
        connection.check_okay()
        connection.read_exact(answer)
    except BaseException:
        connection.close()
        raise


@dataclass(frozen=True)
class KnownPhone:
    """A line of ``adb devices``. ``state`` is adb's word: device, offline, unauthorized, …"""

    serial: str
    state: str
    model: str = ""

    @property
    def usable(self) -> bool:
        return self.state == "device"


def known_phones(host: str, port: int, timeout: float) -> list[KnownPhone]:
    """The phones that a running adb server knows. Raises ``DeviceOffline`` if no server listens."""
    server = AdbServer(host, port)
    with (
        foreign_errors(f"the adb server at {host}:{port}", "listing phones"),
        server.until(timeout, "listing phones"),
    ):
        return [
            KnownPhone(info.serial, info.state, info.tags.get("model", ""))
            for info in server.list(extended=True)
        ]


_CHUNK = 64 * 1024  # the most that a phone takes at once
_MODE = stat.S_IFREG | 0o644
_SIZE = struct.Struct("<I")
_PHONES_TROUBLE = ("No space left", "Read-only file system", "I/O error", "Out of memory")
FULL = (
    "The phone's storage is full: `adb shell df /data` tells. Next: remove apps or files, and "
    "run again."
)


@dataclass(frozen=True)
class Transfer:
    """One file on its way. ``doing`` names it in messages. Raises ``UsageError`` with the phone's
    reason where it does not take or give it."""

    pipe: socket.socket
    doing: str
    device: str

    def push(self, source: IO[bytes], remote: str) -> None:
        self._request(b"SEND", f"{remote},{_MODE}".encode())
        try:
            while chunk := source.read(_CHUNK):
                self._request(b"DATA", chunk)
            self.pipe.sendall(b"DONE" + _SIZE.pack(int(time.time()) & 0xFFFFFFFF))
        except ConnectionError:  # a phone that has refused listens no longer; it has said why
            self._answer(b"OKAY")
            raise
        self._answer(b"OKAY")

    def pull(self, remote: str) -> bytes:
        self._request(b"RECV", remote.encode())
        content = bytearray()
        while True:
            kind, size = self._answer(b"DATA", b"DONE")
            if kind == b"DONE":
                return bytes(content)
            content += exactly(self.pipe.recv, size)

    def _request(self, kind: bytes, data: bytes) -> None:
        self.pipe.sendall(kind + _SIZE.pack(len(data)) + data)

    def _answer(self, *known: bytes) -> tuple[bytes, int]:
        """Kind of the answer, one of the ``known``, and the number after it."""
        recv, doing = self.pipe.recv, f"{self.doing} on {self.device}"
        kind, size = exactly(recv, 4), _SIZE.unpack(exactly(recv, 4))[0]
        if kind in known:
            return kind, size
        if kind != b"FAIL":
            why = f"the phone answered {kind!r}, which means nothing here."
            raise ProtocolError(f"{doing}: {why}", device=self.device, detail=why)
        why = _text(exactly(recv, min(size, 4096)))
        said = f"{doing}: {why}."
        if any(sign in why for sign in _PHONES_TROUBLE):
            if "No space left" in why:
                said += f" {FULL}"
            # It answered, and would answer so again.
            raise ProtocolError(said, exchange=why, device=self.device, detail=why).give_up()
        if "denied" in why:
            said += " Open to everybody are /sdcard and /data/local/tmp."
        raise UsageError(said)


def exactly(
    recv: Callable[[int], bytes], count: int, when: str = "in the middle of a file"
) -> bytes:
    """So many bytes. Raises ``EOFError`` if the connection ends before."""
    data = bytearray()
    while len(data) < count:
        chunk = recv(min(count - len(data), 1 << 20))
        if not chunk:
            raise EOFError(f"connection closed {when}")
        data += chunk
    return bytes(data)


_STDOUT, _STDERR, _EXIT, _CLOSE_STDIN = 1, 2, 3, 4
_HEADER = struct.Struct("<BI")
_LONGEST = (
    0xFFFF - 64
)  # bytes; a request's length is four hexadecimal digits, and the service has a name


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
    """Command line: a string as it is, a list with each word quoted by the rules of the phone's
    shell.

    Raises ``UsageError`` for what no command line can carry.
    """
    line = command if isinstance(command, str) else " ".join(shlex.quote(word) for word in command)
    if "\0" in line:
        raise UsageError("a command cannot hold a NUL character; nothing was run")
    try:
        size = len(line.encode())
    except UnicodeEncodeError as error:
        raise UsageError(
            f"a command cannot hold half a character: {error}; nothing was run"
        ) from None
    if size > _LONGEST:
        raise UsageError(
            f"a command of {size} bytes; adb carries at most {_LONGEST}; nothing was run"
        )
    if not line.strip():
        raise UsageError("an empty command; nothing was run")
    return line


def read_to_end(pipe: socket.socket, seconds: float, line: str, device: str) -> Ended:
    """Reads packets until the exit code. Raises ``DeviceTimeout`` once ``seconds`` are over,
    however much the command still prints, and ``EOFError`` where the connection ends without an
    exit code."""
    deadline, when = time.monotonic() + seconds, "before the command had ended"

    def recv(limit: int) -> bytes:
        left = deadline - time.monotonic()
        if left > 0:
            pipe.settimeout(left)
            with suppress(TimeoutError):
                return pipe.recv(limit)
        raise DeviceTimeout(
            f"{line[:80]!r} on {device} did not end in {seconds:g} s. It was hung up on; "
            "give a longer timeout, or a command that ends.",
            device=device,
        )

    pipe.sendall(
        _HEADER.pack(_CLOSE_STDIN, 0)
    )  # whoever reads its input finds the end, and not us waiting
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
    return _text(said).replace("\r\n", "\n")


class Followed:
    """Lines of a command that goes on until it is closed, read on a thread of its own: of both its
    outputs, as they come. ``take`` may be called from another thread."""

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
            while True:
                lines.append(self._lines.get(seconds > 0 and not lines, seconds))
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
    """Version of a running adb server, the last number of adb's "1.0.41". Raises
    ``DeviceError``."""
    server = AdbServer(host, port)
    with (
        foreign_errors(f"the adb server at {host}:{port}", "asking its version"),
        server.until(seconds, "adb"),
    ):
        return int(server.server_version())
