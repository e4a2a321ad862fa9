"""The checks of an iPhone through its WebDriverAgent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...errors import DeviceBusy, DeviceError, ProtocolError
from ..fitness.finding import Finding, failed
from ..leases.lease import Lease
from ..uri import DeviceUri
from ..wda_url import WdaUrl, told_uri
from .check import Check, Subject
from .opened import held

if TYPE_CHECKING:
    from ...drivers import Link

ASK_SECONDS = 10.0
_GRACE = 2.0


def iphone(uri: DeviceUri, url: WdaUrl, open_seconds: float) -> Subject:
    examined = _Iphone(url, open_seconds)
    return Subject(told_uri(uri.text), examined.checks)


class _Iphone:
    def __init__(self, url: WdaUrl, open_seconds: float) -> None:
        self._url = url
        self._seconds = open_seconds
        self._answers = False

    def checks(self) -> Iterator[Check]:
        yield Check("WebDriverAgent", ASK_SECONDS + _GRACE, self._status)
        if self._answers:
            yield Check("session", self._seconds + _GRACE, self._in_session)

    def _status(self) -> Iterator[Finding]:
        """Asked outside of any session: one that a test has is not ended by it."""
        from ...drivers import Link, is_status

        link = Link(self._url.text)
        try:
            with link.within(ASK_SECONDS):
                said = link.get_sessionless("status")
        except DeviceError as error:
            words = str(error).removeprefix(f"status on WebDriverAgent at {self._url.text}: ")
            yield failed("WebDriverAgent", DeviceError(words))
            return
        if not is_status(said):
            raise ProtocolError(f"what answers at {self._url.text} is no WebDriverAgent. Next: {_WHERE}")
        self._answers = True
        yield Finding("ok", "WebDriverAgent", _told_status(said))

    def _in_session(self) -> Iterator[Finding]:
        """WebDriverAgent has one session, and a new one ends it: only where no other run holds the phone."""
        from ...drivers import Link

        lease = Lease(f"ios:{self._url.place}")
        try:
            lease.acquire()
        except DeviceBusy as busy:
            yield held(busy)
            yield Finding("skip", "session", "not opened while another run uses the phone")
            return
        try:
            yield Finding("ok", "lease", "free")
            link = Link.connect(self._url.text, self._seconds)
            try:
                with link.within(self._seconds):
                    yield from _looked_at(link)
            finally:
                link.close()
        finally:
            lease.release()


_WHERE = "name the port of WebDriverAgent, such as ios:http://127.0.0.1:8100; `iproxy 8100 8100` forwards it"


def _told_status(said: Mapping[str, Any]) -> str:
    build, system = said.get("build"), said.get("os")
    version = build.get("version") if isinstance(build, Mapping) else None
    ios = system.get("version") if isinstance(system, Mapping) else None
    parts = (f"version {version}" if version else "answers", f"iOS {ios}" if ios else "")
    return ", ".join(filter(None, parts))


def _looked_at(link: Link) -> Iterator[Finding]:
    from ...drivers import read_facts, read_screen

    yield Finding("ok", "session", "opens")
    yield _lock(link)
    yield _alert(link)
    screen = read_screen(link)
    info = read_facts(link, screen)
    yield Finding(
        "ok", "screen", f"{info.model}, {info.width} x {info.height} pixels, {info.density:g} to a point"
    )


def _lock(link: Link) -> Finding:
    from ...drivers import Refused

    with suppress(Refused):
        if link.get_sessionless("wda/locked") is True:
            return Finding(
                "fail", "lock", "the screen is locked", "unlock it; Settings > Display > Auto-Lock > Never"
            )
        return Finding("ok", "lock", "unlocked")
    return Finding("skip", "lock", "this WebDriverAgent is too old to say")


def _alert(link: Link) -> Finding:
    """That of a permission is answered by a test run, by ``replicant_permission_prompts``."""
    from ...drivers import Refused

    try:
        said = link.get("alert/text")
    except Refused:
        return Finding("ok", "alert", "none is in front")
    text = " ".join(str(said).split())
    return Finding("warn", "alert", f"one is in front: {text[:120]!r}", "answer it on the phone")
