"""A command on a phone that no test uses: nothing is started there for it."""

from __future__ import annotations

from ..translate import foreign_errors
from .adb import AdbPhone, AdbServer


def ask(host: str, port: int, serial: str, command: str, seconds: float) -> str:
    """What the command prints, both outputs, within ``seconds``. Raises ``DeviceError``."""
    server = AdbServer(host, port)
    phone = AdbPhone(server, serial)
    with foreign_errors(serial, "asking"), server.until(seconds, f"asking {serial}"):
        said: bytes = phone.shell(command, timeout=seconds, encoding=None)
    return said.decode("utf-8", "replace").replace("\r\n", "\n")


def server_version(host: str, port: int, seconds: float) -> int:
    """Of a running adb server, which is what the last number of an adb's "1.0.41" is. Raises ``DeviceError``."""
    server = AdbServer(host, port)
    with foreign_errors(f"the adb server at {host}:{port}", "asking its version"), server.until(seconds, "adb"):
        return int(server.server_version())
