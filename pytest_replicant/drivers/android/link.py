"""The link to the phone: every command and every call of the driver's roles goes through here.

Foreign errors end here; the roles see only ours.
"""

from __future__ import annotations

import atexit
import http.client
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import IO, Any

import adbutils
import uiautomator2

from ...errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, ProtocolError
from ...model import Clock, come_true
from ..base_driver import Exchanges, Sent, unsent
from ..translate import foreign_errors
from .adb import (
    CALL_LIMIT,
    AdbPhone,
    AdbServer,
    Connection,
    Ended,
    Transfer,
    command_line,
    read_to_end,
)

SERVER_PORT = 9008  # on the phone; uiautomator2's own default

_LOST = (  # the server answers, but the phone's accessibility service has let go of it
    "UiAutomation not connected",
    "android.os.DeadObjectException",
    "android.os.DeadSystemRuntimeException",
)


class NotListening(DeviceOffline):
    """The server does not run: nothing was sent."""

    never_sent = True


class StartedAgain(NotListening):
    """The server did not run, and does now. What was to be touched may be elsewhere by then."""

    look_again = True


class ServerLost(DeviceOffline):
    """The server runs, but can see and touch nothing any more."""


class ObjectNotFound(ProtocolError):
    """Nothing on the screen fits the selector of the call."""


def call_method(phone: AdbPhone, method: str, params: list[Any], seconds: float) -> Any:
    """The ``result`` of one JSON-RPC call. Raises ``NotListening`` before anything is sent, and
    ``ServerLost``, ``ObjectNotFound``, ``ProtocolError`` or a socket's own error after. ``params``
    are in no message: they may hold secrets."""
    deadline = time.monotonic() + seconds
    with _open(phone, seconds) as connection:
        try:
            connection.conn.sendall(_request(method, params))
            status, body = _response(connection, deadline)
        except TimeoutError:
            raise DeviceTimeout(
                f"{method} on {phone.serial} was not answered in {seconds:g} s.",
                device=phone.serial,
            ) from None
    serial, said = phone.serial, body[:2000].decode("utf-8", "replace")
    if status != 200:
        why = f"the uiautomator2 server answered HTTP {status}."
        raise _unusable(serial, method, why, f"HTTP {status} {said}")
    answer = json.loads(body)
    if isinstance(answer, dict) and "error" in answer:
        raise _refusal(serial, method, answer["error"], said)
    if not isinstance(answer, dict) or "result" not in answer:
        raise _unusable(serial, method, "the uiautomator2 server answered without a result.", said)
    return answer["result"]


def _open(phone: AdbPhone, seconds: float) -> Connection:
    try:
        return phone.open_service(f"tcp:{SERVER_PORT}", seconds)
    except (adbutils.AdbError, OSError) as error:
        if str(error) != "closed":  # adb's word for a port of the phone where nothing listens
            error.never_sent = True  # type: ignore[union-attr]  # read where it becomes one of ours
            raise
        message = f"the uiautomator2 server on {phone.serial} does not run. Nothing was sent."
        raise NotListening(message, device=phone.serial) from None


def _request(method: str, params: list[Any]) -> bytes:
    payload = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    body = json.dumps(payload).encode()
    head = (
        "POST /jsonrpc/0 HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{SERVER_PORT}\r\n"
        "Content-Type: application/json\r\n"
        "Accept-Encoding: identity\r\n"  # the server leaks a compressor for each reply it packs
        f"Content-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body


def _response(connection: Connection, deadline: float) -> tuple[int, bytes]:
    response = http.client.HTTPResponse(connection.conn, method="POST")
    try:
        connection.conn.settimeout(max(deadline - time.monotonic(), 0.001))
        response.begin()
        body = bytearray()
        while chunk := response.read1(65536):
            body += chunk
            connection.conn.settimeout(max(deadline - time.monotonic(), 0.001))
        if response.length:  # bytes that were announced and did not come
            raise http.client.IncompleteRead(bytes(body), response.length)
        return response.status, bytes(body)
    finally:
        response.close()


_MAY_NOT_TOUCH = (
    "The phone's maker lets adb touch nothing. Next: turn on Developer options > USB debugging "
    "(Security settings), then restart the phone."
)


def _refusal(serial: str, method: str, error: Any, said: str) -> Exception:
    words, reason = str(error), ""
    if isinstance(error, dict):
        words, reason = str(error.get("message", "")), str(error.get("data") or "")
    named = words
    if words and reason.startswith(words):  # the reason is in the stack alone
        named = reason
    why = (named.strip().splitlines() or ["refused"])[0].rstrip(".")[:300]
    if "INJECT_EVENTS" in why:
        return _unusable(serial, method, f"{why}. {_MAY_NOT_TOUCH}", said).give_up()
    if any(sign in said for sign in _LOST):
        return ServerLost(f"{method} on {serial}: {why}.", device=serial, detail=why)
    kind = ObjectNotFound if "UiObjectNotFoundException" in words else ProtocolError
    return _unusable(serial, method, f"{why}.", said, kind)


def _unusable(
    serial: str, method: str, why: str, said: str, kind: type[ProtocolError] = ProtocolError
) -> ProtocolError:
    return kind(
        f"{method} on {serial}: {why}", exchange=f"{method} → {said}", device=serial, detail=why
    )


BOOT_QUESTION = "cat /proc/sys/kernel/random/boot_id 2>/dev/null"


def boot_of(answer: str) -> str:
    """The kernel's id of this run of the phone; "" if it reports none."""
    found = re.search(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$", answer, re.MULTILINE)
    return found[0].strip() if found else ""


_TOUCHES = frozenset(
    {"click", "swipe", "drag", "gesture"}
)  # calls that touch a place on the screen
START_SECONDS = 40.0  # uiautomator2 allows its server 30 s to start, after a push of 4 MB
STOP_SECONDS = 2.0
_STOP_POLL = 0.02
_RETURN_POLL = 0.1


@dataclass(eq=False)
class Link:
    """A phone with the uiautomator2 server running on it. Not to be shared between threads.

    ``calls`` are the commands and calls so far. ``front`` is the package of the app that was in
    front when that was last asked, ``boot`` the phone's boot id, "" where it reports none;
    ``longer_side`` is that of the screen, in pixels."""

    _server: AdbServer
    _phone: AdbPhone
    _automation: Any
    _features: frozenset[str]
    clock: Clock
    sent: Sent = field(default_factory=Sent)
    calls: int = 0
    front: str = ""
    boot: str = ""
    longer_side: int = 0
    _closed: bool = False

    def __post_init__(self) -> None:
        self.exchanges = Exchanges(self.clock)

    @classmethod
    def connect(cls, host: str, port: int, serial: str, timeout: float, clock: Clock) -> Link:
        """Connects within ``timeout`` seconds in all. Raises ``DeviceError``."""
        server = AdbServer(host, port)
        phone = AdbPhone(server, serial)
        try:
            with (
                foreign_errors(serial, "connecting"),
                server.until(timeout, f"connecting to {serial}"),
            ):
                features = frozenset(phone.get_features().split(","))
                # Only its start-up is used: the pushed server and its process. Left alone are its
                # selectors (wait 20 s), watchers (a thread, and a dump each 2 s), gestures (may be
                # sent twice), float coordinates (two commands each) and dumps (three tries 1 s
                # apart, then an empty screen).
                automation = uiautomator2.connect(phone)
        except BaseException:
            phone.hang_up()
            raise
        return cls(server, phone, automation, features, clock)

    def note_phone(self, boot: str, longer_side: int) -> None:
        self.boot, self.longer_side = boot, longer_side

    @property
    def serial(self) -> str:
        return str(self._phone.serial)

    def read(self, method: str, *params: Any, seconds: float = CALL_LIMIT) -> Any:
        """Result of a call that only looks: after a lost answer the server is restarted and it is
        sent again."""
        try:
            return self._call(method, params, seconds)
        except ServerLost:
            pass
        except DeviceError as error:  # a refusal of adb itself stays one
            broke = isinstance(error.__context__, (ConnectionError, EOFError, HTTPException))
            if not broke or isinstance(error, DeviceTimeout):
                raise
        self._restart()
        return self._call(method, params, seconds)

    def send(self, method: str, *params: Any, seconds: float = CALL_LIMIT) -> Any:
        """Result of a call that does something: sent once, and again only if nothing was listening
        the first time. A touch is not: the place that it was meant for is known no more when the
        server runs again. Then raises ``StartedAgain``."""
        with self.sent.one():
            return self._call(method, params, seconds)

    def _call(self, method: str, params: Sequence[Any], seconds: float) -> Any:
        self._begin(method)
        with self.exchanges.made("call", method), foreign_errors(self.serial, method):
            with suppress(NotListening):
                return call_method(self._phone, method, list(params), seconds)
            with unsent():
                self._restart()
            if method in _TOUCHES:
                raise StartedAgain(
                    f"{method} on {self.serial}: the uiautomator2 server had ended, and was "
                    "started again. Nothing was touched.",
                    device=self.serial,
                )
            return call_method(self._phone, method, list(params), seconds)

    def ask(self, command: str | Sequence[str], seconds: float = CALL_LIMIT) -> Ended:
        """Runs a command that only looks."""
        line = command_line(command)
        self._begin(line[:80])
        with (
            self.exchanges.made("command", line) as words,
            foreign_errors(self.serial, f"running {line[:80]!r}"),
        ):
            ended = self._run(line, seconds)
            if self.exchanges.listener is not None:
                words.append(ended.words)
            return ended

    def run(self, command: str | Sequence[str], seconds: float = CALL_LIMIT) -> Ended:
        """Runs a command to its end; never twice. Raises ``DeviceTimeout`` after ``seconds``."""
        with self.sent.one():
            return self.ask(command, seconds)

    def _run(self, line: str, seconds: float) -> Ended:
        if "shell_v2" not in self._features:
            # Android 6 and older: one output, the exit code printed behind it
            old = self._phone.shell2(line, timeout=seconds, encoding=None)
            return Ended(old.output, b"", old.returncode)
        service = self._phone.open_service(f"shell,v2,raw:{line}", min(seconds, CALL_LIMIT))
        with service as connection:  # hangs up on a command that has not ended
            return read_to_end(connection.conn, seconds, line, self.serial)

    def push(self, source: IO[bytes], remote: str, doing: str = "") -> None:
        """Sends a file to the phone; messages name the transfer ``doing``. Given up where the phone
        takes nothing for ``CALL_LIMIT`` seconds."""
        with self.sent.one(), self._transfer(doing or f"push_file to {remote}") as transfer:
            transfer.push(source, remote)

    def pull(self, remote: str) -> bytes:
        """Content of a file on the phone. Given up if nothing comes for ``CALL_LIMIT`` seconds."""
        with self._transfer(f"pull_file {remote}") as transfer:
            return transfer.pull(remote)

    def reconnect(self, timeout: float) -> None:
        """Disconnects, then waits for the phone to be there again and its uiautomator2 server to
        run. The adb server is only asked, and starts and connects nothing: others may use it as
        well."""
        self._begin("reconnecting")
        deadline = self.clock.now() + timeout
        started = self._phone.hang_up()
        self._automation.stop_uiautomator(wait=False)
        while True:
            try:
                left = max(deadline - self.clock.now(), 0.0)
                with (
                    foreign_errors(self.serial, "reconnecting"),
                    self._server.until(left, f"reconnecting to {self.serial}"),
                ):
                    self._features = frozenset(self._phone.get_features().split(","))
                    if started:
                        self._await_silence()
                    self._automation.start_uiautomator()
                    return self._check_boot()
            except (DeviceNotFound, DeviceOffline) as error:
                if not error.recoverable or self.clock.now() + _RETURN_POLL >= deadline:
                    raise
            self.clock.sleep(_RETURN_POLL)

    def close(self) -> None:
        """Stops the uiautomator2 server where this link started it, and leaves one that was there
        before."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(
            self._automation.stop_uiautomator
        )  # or each driver lives as long as the process
        started = self._phone.hang_up()
        self._automation.stop_uiautomator(wait=False)  # ends its reading thread
        if started:
            with suppress(DeviceError):  # a phone that is gone has nothing left to stop
                self._await_silence()

    @contextmanager
    def _transfer(self, doing: str) -> Iterator[Transfer]:
        self._begin(doing)
        with (
            foreign_errors(self.serial, doing),
            self._phone.open_service("sync:", CALL_LIMIT) as connection,
        ):
            yield Transfer(connection.conn, doing, self.serial)

    def _restart(self) -> None:
        with (
            foreign_errors(self.serial, "restarting the uiautomator2 server"),
            self._server.until(
                START_SECONDS, f"restarting the uiautomator2 server on {self.serial}"
            ),
        ):
            started = self._phone.hang_up()
            self._automation.stop_uiautomator(wait=False)
            self._check_boot()
            if started:
                self._await_silence()
            self._automation.start_uiautomator()

    def _check_boot(self) -> None:
        """Raises ``DeviceOffline``, once, where the phone was restarted since it was connected to:
        a new connection would find another state than the lost one."""
        before, now = self.boot, boot_of(str(self._phone.shell(BOOT_QUESTION)))
        if now:
            self.boot = now
        if before and now and now != before:
            raise DeviceOffline(
                f"{self.serial} was restarted in the middle: every app on it ended, and this says "
                "nothing about the one under test. Next: run it again; where it happens often, "
                "look at the phone's battery and heat.",
                device=self.serial,
            ).give_up()

    def _await_silence(self) -> None:
        """Waits until the stopped server has released its port: the next to connect must not meet
        it dying."""

        def is_silent() -> bool:
            try:
                _open(self._phone, seconds=2.0).close()
            except NotListening:
                return True
            return False

        with foreign_errors(self.serial, "stopping the uiautomator2 server"):
            come_true(self.clock, is_silent, STOP_SECONDS, _STOP_POLL)

    def _begin(self, doing: str) -> None:
        self.calls += 1
        if self._closed:
            raise ProtocolError(
                f"{doing} on {self.serial}: the driver is closed", device=self.serial
            )
