"""A pair of ports for one more emulator: its console, and beside it its adbd."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from pathlib import Path

from filelock import FileLock, Timeout

from ...errors import DeviceError

FIRST, LAST = 5554, 5682  # what the emulator takes for -port, even numbers only


class ConsolePort:
    """``number`` is the console's; adbd has the next one. It is this process's until ``release``, so that two
    runs that begin together do not choose the same: the emulator opens its ports only after a while."""

    def __init__(self, number: int, lock: FileLock) -> None:
        self.number = number
        self._lock = lock

    @property
    def serial(self) -> str:
        return f"emulator-{self.number}"

    def release(self) -> None:
        """May be called again."""
        self._lock.release()


def choose_port(folder: Path, known: Collection[str]) -> ConsolePort:
    """The first pair that nobody listens on or has chosen. ``folder`` is where the locks are, ``known`` the
    serials that the adb server has: an emulator that it takes for offline still holds its name.

    Raises ``DeviceError`` where none is left.
    """
    for number in range(FIRST, LAST + 1, 2):
        if f"emulator-{number}" in known:
            continue
        lock = FileLock(folder / f"emulator-{number}.lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        if _is_free(number) and _is_free(number + 1):
            return ConsolePort(number, lock)
        lock.release()
    raise DeviceError(
        f"no two ports are free for an emulator between {FIRST} and {LAST + 1}: too many run already"
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # elsewhere it would let two listen on one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
