"""The one seam between the driver's roles and the phone: every command and every call goes through here.

Foreign errors end here; the roles see only ours.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPException
from typing import Any

import uiautomator2

from ...errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, ProtocolError
from ..translate import foreign_errors
from . import restarts, rpc, sync
from .adb import CALL_LIMIT, AdbPhone, AdbServer, Connection
from .command import Ended, command_line, read_to_end

START_SECONDS = 40.0  # uiautomator2 allows its server 30 s to start, after a push of 4 MB
STOP_SECONDS = 2.0
_STOP_POLL = 0.02
_RETURN_POLL = 0.1


class Link:
    """A phone with the uiautomator2 server running on it. Not to be shared between threads."""

    def __init__(self, server: AdbServer, phone: AdbPhone, automation: Any, features: frozenset[str]) -> None:
        self._server = server
        self._phone = phone
        self._automation = automation
        self._features = features
        self._closed = False
        self.calls = 0  # everything said to the phone so far
        self.boot = ""  # by which it is known again; "" where it does not tell

    @classmethod
    def connect(cls, host: str, port: int, serial: str, timeout: float) -> Link:
        """Within ``timeout`` seconds in all. Raises ``DeviceError``."""
        server = AdbServer(host, port)
        phone = AdbPhone(server, serial)
        try:
            with foreign_errors(serial, "connecting"), server.until(timeout, f"connecting to {serial}"):
                features = frozenset(phone.get_features().split(","))
                # Only its start-up is used: the pushed server and its process. Left alone are its selectors
                # (wait 20 s), watchers (a thread, and a dump each 2 s), gestures (may be sent twice), float
                # coordinates (two commands each) and dumps (three tries 1 s apart, then an empty screen).
                automation = uiautomator2.connect(phone)
        except BaseException:
            phone.hang_up()
            raise
        return cls(server, phone, automation, features)

    @property
    def serial(self) -> str:
        return str(self._phone.serial)

    def read(self, method: str, *params: Any, seconds: float = CALL_LIMIT) -> Any:
        """A call that only looks: after a lost answer the server is restarted and it is sent once more."""
        try:
            return self.send(method, *params, seconds=seconds)
        except DeviceError as error:
            if isinstance(error, DeviceTimeout) or not _is_lost(error):
                raise
        self._restart()
        return self.send(method, *params, seconds=seconds)

    def send(self, method: str, *params: Any, seconds: float = CALL_LIMIT) -> Any:
        """A call that does something: sent once, and again only where nobody was listening the first time."""
        self._begin(method)
        with foreign_errors(self.serial, method):
            with suppress(rpc.NotListening):
                return rpc.call(self._phone, method, list(params), seconds)
            self._restart()
            return rpc.call(self._phone, method, list(params), seconds)

    def run(self, command: str | Sequence[str], seconds: float = CALL_LIMIT) -> Ended:
        """Runs a command to its end; never twice. Raises ``DeviceTimeout`` after ``seconds``."""
        line = command_line(command)
        self._begin(line[:80])
        with foreign_errors(self.serial, f"running {line[:80]!r}"):
            if "shell_v2" not in self._features:
                return self._run_old(line, seconds)
            connection = self._phone.open_service(f"shell,v2,raw:{line}", min(seconds, CALL_LIMIT))
            try:
                return read_to_end(connection.conn, seconds, line, self.serial)
            finally:
                connection.close()  # hangs up on a command that has not ended

    def push(self, source: sync.Source, remote: str, doing: str = "") -> None:
        """A file to the phone; ``doing`` is what messages call it. Given up where the phone takes nothing for
        ``CALL_LIMIT`` seconds."""
        doing = doing or f"push_file to {remote}"
        with self._transfer(doing) as connection:
            sync.push(connection.conn, source, remote, self.serial, doing)

    def pull(self, remote: str) -> bytes:
        """A file from the phone. Given up where nothing comes for ``CALL_LIMIT`` seconds."""
        with self._transfer(f"pull_file {remote}") as connection:
            return sync.pull(connection.conn, remote, self.serial)

    def reconnect(self, timeout: float) -> None:
        """Lets go, then waits for the phone to be there again and its uiautomator2 server to run. The adb server
        is only asked, never told to do anything: whose it is, and what else it serves, is not known here."""
        self._begin("reconnecting")
        deadline = time.monotonic() + timeout
        started = self._phone.hang_up()
        self._automation.stop_uiautomator(wait=False)
        while True:
            try:
                return self._take_hold(max(deadline - time.monotonic(), 0.0), started)
            except (DeviceNotFound, DeviceOffline) as error:
                if not error.mendable or time.monotonic() + _RETURN_POLL >= deadline:
                    raise
            time.sleep(_RETURN_POLL)

    def close(self) -> None:
        """Stops the uiautomator2 server where this link started it, and leaves one that was there before."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self._automation.stop_uiautomator)  # or each driver lives as long as the process
        started = self._phone.hang_up()
        self._automation.stop_uiautomator(wait=False)  # ends its reading thread
        if started:
            with suppress(DeviceError):  # a phone that is gone has nothing left to stop
                self._await_silence()

    def _take_hold(self, seconds: float, stopped: bool) -> None:
        with (
            foreign_errors(self.serial, "reconnecting"),
            self._server.until(seconds, f"reconnecting to {self.serial}"),
        ):
            self._features = frozenset(self._phone.get_features().split(","))
            if stopped:
                self._await_silence()
            self._automation.start_uiautomator()
            self._check_boot()

    @contextmanager
    def _transfer(self, doing: str) -> Iterator[Connection]:
        self._begin(doing)
        with foreign_errors(self.serial, doing):
            connection = self._phone.open_service("sync:", CALL_LIMIT)
            try:
                yield connection
            finally:
                connection.close()

    def _run_old(self, line: str, seconds: float) -> Ended:
        """Android 6 and older: one output, the exit code printed behind it."""
        old = self._phone.shell2(line, timeout=seconds, encoding=None)
        return Ended(old.output, b"", old.returncode)

    def _restart(self) -> None:
        with (
            foreign_errors(self.serial, "restarting the uiautomator2 server"),
            self._server.until(START_SECONDS, f"restarting the uiautomator2 server on {self.serial}"),
        ):
            started = self._phone.hang_up()
            self._automation.stop_uiautomator(wait=False)
            self._check_boot()
            if started:
                self._await_silence()
            self._automation.start_uiautomator()

    def _check_boot(self) -> None:
        """Raises ``DeviceOffline``, once, where the phone was restarted since it was connected to."""
        before, now = self.boot, restarts.boot_of(str(self._phone.shell(restarts.QUESTION)))
        if now:
            self.boot = now
        if before and now and now != before:
            raise restarts.restarted(self.serial)

    def _await_silence(self) -> None:
        """Until the stopped server has let go of its port: whoever connects next must not meet it dying."""
        deadline = time.monotonic() + STOP_SECONDS
        with foreign_errors(self.serial, "stopping the uiautomator2 server"):
            while rpc.is_listening(self._phone) and time.monotonic() < deadline:
                time.sleep(_STOP_POLL)

    def _begin(self, doing: str) -> None:
        self.calls += 1
        if self._closed:
            raise ProtocolError(f"{doing} on {self.serial}: the driver is closed", device=self.serial)


def _is_lost(error: DeviceError) -> bool:
    """The server or its connection broke: a fresh one may answer. What adb itself refuses, it will again."""
    if isinstance(error, rpc.ServerLost):
        return True
    return isinstance(error.__context__, (ConnectionError, EOFError, HTTPException))
