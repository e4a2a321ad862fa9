"""The adb binary of the adbutils wheel, as a server of our own: its own port, home and temporary
folder."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

PATIENCE = 30.0  # seconds for any command; they take milliseconds


def adb_binary() -> Path | None:
    """None where the wheel for this platform brings none."""
    found = find_spec("adbutils")
    if found is None or found.origin is None:
        return None
    binary = Path(found.origin).parent / "binaries" / "adb"
    return binary if os.access(binary, os.X_OK) else None


def environment(folder: Path, port: int) -> dict[str, str]:
    """Keeps adb off the user's server, keys, log, USB and network."""
    return {
        "PATH": "",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "TERM": "xterm",
        "ADB_USB": "0",
        "ADB_MDNS": "0",
        "ADB_EMU": "0",
        "ADB_REJECT_KILL_SERVER": "1",
        "ANDROID_ADB_SERVER_HOST": "127.0.0.1",
        "ANDROID_ADB_SERVER_PORT": str(port),
    }


class Adb:
    """The command line, as a client of the server at ``port``; ``prefix`` goes before each
    command."""

    def __init__(self, binary: Path, folder: Path, port: int, *prefix: str) -> None:
        self.binary = binary
        self.folder = folder
        self.port = port
        self.prefix = prefix

    def on(self, serial: str) -> Adb:
        return Adb(self.binary, self.folder, self.port, "-s", serial)

    def run(
        self, *arguments: str, given: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Whatever its exit code."""
        return subprocess.run(
            [str(self.binary), *self.prefix, *arguments],
            env=environment(self.folder, self.port),
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A command that runs on, without input."""
        return subprocess.Popen(
            [str(self.binary), *self.prefix, *arguments],
            env=environment(self.folder, self.port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __call__(self, *arguments: str, given: bytes | None = None) -> str:
        """The output of a command that succeeds."""
        done = self.run(*arguments, given=given)
        assert done.returncode == 0, (
            f"adb {' '.join(arguments)}: exit {done.returncode}: {done.stderr!r}"
        )
        return done.stdout.decode()


class PrivateAdb:
    """A real adb server, started and ended with this context."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self._binary = binary
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Adb:
        self._process = subprocess.Popen(
            [str(self._binary), "-L", f"tcp:localhost:{self._port}", "nodaemon", "server"],
            env=environment(self._folder, self._port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + PATIENCE
        while not _accepts(self._port):
            assert self._process.poll() is None, f"adb ended with {self._process.returncode}"
            assert time.monotonic() < deadline, (
                f"no adb server on port {self._port} in {PATIENCE} s"
            )
            time.sleep(0.01)
        return Adb(self._binary, self._folder, self._port)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(5)


class Recorder:
    """Takes the place of an adb server on its usual port, and keeps what anybody says there."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._listener.setblocking(False)

    def heard(self) -> list[bytes]:
        """The first bytes of every connection so far."""
        heard: list[bytes] = []
        while True:
            try:
                connection, _ = self._listener.accept()
            except BlockingIOError:
                return heard
            with connection:
                connection.settimeout(0.2)
                try:
                    heard.append(connection.recv(100))
                except OSError as error:
                    heard.append(str(error).encode())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
