"""The checks of an Android phone behind an adb server, from its cable to the server that reads its screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ...errors import DeviceNotFound, DeviceOffline
from ..attached import LIST_SECONDS, choose_phone, list_phones, server_address
from ..fitness import android_findings as found
from ..fitness.android_state import FULL_QUESTION, AndroidState, read_state
from ..fitness.finding import Finding, failed
from ..uri import DeviceUri
from .check import Check, Subject
from .opened import opened

ASK_SECONDS = 15.0
_GRACE = 2.0  # what has a limit of its own is given time to tell it


def android_phone(uri: DeviceUri, open_seconds: float) -> Subject:
    examined = _AndroidPhone(uri, open_seconds)
    return Subject(uri.text, examined.checks)


class _AndroidPhone:
    def __init__(self, uri: DeviceUri, open_seconds: float) -> None:
        self._uri = uri
        self._seconds = open_seconds
        self._serial = ""
        self._state: AndroidState | None = None

    def checks(self) -> Iterator[Check]:
        """The later ones only where the earlier ones let them."""
        yield Check("connection", LIST_SECONDS + _GRACE, self._connection)
        if not self._serial:
            return
        yield Check("state", ASK_SECONDS + _GRACE, self._state_of_it)
        if self._state is None or self._state.booted is False:
            return
        yield Check("uiautomator2", self._seconds + _GRACE, self._opened)

    def _server(self) -> tuple[str, int]:
        return (self._uri.host, self._uri.port) if self._uri.kind == "remote" else server_address()

    def _connection(self) -> Iterator[Finding]:
        """Each way to have no such phone is told by an error of its own."""
        host, port = self._server()
        where = f"the adb server at {host}:{port}"
        try:
            chosen = choose_phone(list_phones(host, port, LIST_SECONDS), self._uri.serial, where)
        except DeviceNotFound as error:
            finding = failed("connection", error)
            yield replace(finding, next=finding.next.replace("Attached:", "Name one that is attached:"))
            return
        except DeviceOffline as error:
            trouble, colon, advice = str(error).partition(": ")
            yield (
                Finding("fail", "connection", trouble, advice.rstrip("."))
                if colon
                else failed("connection", error)
            )
            return
        self._serial = chosen.serial
        yield Finding("ok", "connection", f"authorised and online at {host}:{port}")

    def _state_of_it(self) -> Iterator[Finding]:
        from ...drivers import ask

        host, port = self._server()
        state = self._state = read_state(ask(host, port, self._serial, FULL_QUESTION, ASK_SECONDS))
        now = time.time()
        yield found.system(state)
        yield found.boot(state)
        yield found.screen(state)
        yield found.lock(state)
        yield found.animations(state)
        yield found.storage(state)
        yield found.battery(state)
        yield found.keyboard(state)
        yield found.clock(state, now)
        injection = found.injection(state)
        if injection is not None:
            yield injection

    def _opened(self) -> Iterator[Finding]:
        dark = self._state is not None and self._state.awake is False
        yield from opened(self._uri.text, self._seconds, "uiautomator2", dark=dark)
