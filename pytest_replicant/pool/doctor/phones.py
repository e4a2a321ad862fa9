"""Checks of the phones that a run names, from the cable or port to the screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import DeviceBusy, DeviceError, DeviceNotFound, DeviceOffline, ProtocolError, UsageError, version_of
from ..android_state import FULL_CHECKS, FULL_QUESTION, AndroidState, read_state
from ..attached import LIST_SECONDS, choose_phone, list_phones, server_address
from ..findings import Check, Finding, Subject, failed
from ..leases import Lease
from ..open import SCHEMES, open_device, read_uri
from ..phone_settings import put_back_left
from ..uri import DeviceUri, Kind, WdaUrl

if TYPE_CHECKING:
    from ...drivers import Link

STATE_SECONDS = 15.0
WDA_SECONDS = 10.0
_GRACE = 2.0  # time for a check with a limit of its own to report that
_WHERE = "name the port of WebDriverAgent, such as ios:http://127.0.0.1:8100; `iproxy 8100 8100` forwards it"


def phones(uris: Sequence[str], open_seconds: float) -> list[Subject]:
    """One subject for each phone; ``android`` is every phone that is attached."""
    texts: dict[str, None] = {}
    for given in uris:
        texts.update(dict.fromkeys((given.strip() == "android" and attached_phones()) or [given]))
    return [Subject(uri.masked, partial(_CHECKS[uri.kind], uri, open_seconds)) for uri in map(read_uri, texts)]


def attached_phones() -> list[str]:
    """Every phone that the adb server knows, in any state. None where no server answers: the check of the
    server reports that."""
    with suppress(DeviceError, UsageError):
        return [f"android:{phone.serial}" for phone in list_phones(*server_address(), LIST_SECONDS)]
    return []


def _custom(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    """A driver of the project's own may know it, which only a test run loads. A URI with a scheme of ours is more
    likely misspelt."""
    if uri.is_virtual:
        yield from _virtual(uri, open_seconds)
        return
    text = "no URI of this plugin's own: only a test run loads the driver that knows it"
    found = Finding("skip", "driver", text)
    if uri.scheme in (scheme.name for scheme in SCHEMES):
        advice = "correct it, unless a driver of the project's own knows it"
        found = Finding("warn", "driver", str(uri.error), advice)
    yield Check("driver", 1.0, lambda: [found])


def _virtual(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    """Whether a virtual phone starts on this computer, and answers; the first, where the URI asks for several."""

    def look() -> Iterator[Finding]:
        one = uri.members[0] if uri.count else uri
        yield from (finding for finding in _opened(one, open_seconds, "screen") if finding.name != "lease")

    yield Check("screen", open_seconds + _GRACE, look)


def _android(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    return _AndroidPhone(uri, open_seconds).checks()


@dataclass
class _AndroidPhone:
    """The checks of an Android phone, from its cable to the server that reads its screen."""

    uri: DeviceUri
    seconds: float
    _serial: str = ""
    _state: AndroidState | None = None

    def checks(self) -> Iterator[Check]:
        """The later ones only where the earlier ones let them."""
        yield Check("connection", LIST_SECONDS + _GRACE, self._connection)
        if not self._serial:
            return
        yield Check("state", STATE_SECONDS + _GRACE, self._state_of_it)
        if self._state is None or self._state.booted is False:
            return
        yield Check("uiautomator2", self.seconds + _GRACE, self._opened)

    def _server(self) -> tuple[str, int]:
        return (self.uri.host, self.uri.port) if self.uri.kind == "remote" else server_address()

    def _connection(self) -> Iterator[Finding]:
        """Each way to have no such phone has an error of its own."""
        host, port = self._server()
        where = f"the adb server at {host}:{port}"
        try:
            chosen = choose_phone(list_phones(host, port, LIST_SECONDS), self.uri.serial, where)
        except (DeviceNotFound, DeviceOffline) as error:
            yield failed("connection", error)
            return
        self._serial = chosen.serial
        yield Finding("ok", "connection", f"authorised and online at {host}:{port}")

    def _state_of_it(self) -> Iterator[Finding]:
        from ...drivers import ask

        host, port = self._server()
        state = self._state = read_state(ask(host, port, self._serial, FULL_QUESTION, STATE_SECONDS))
        yield from (finding for check in FULL_CHECKS if (finding := check(state)) is not None)

    def _opened(self) -> Iterator[Finding]:
        dark = self._state is not None and self._state.awake is False
        yield from _opened(self.uri, self.seconds, "uiautomator2", dark=dark)


def _iphone(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    assert uri.url is not None
    return _Iphone(uri.url, open_seconds).checks()


@dataclass
class _Iphone:
    """The checks of an iPhone through its WebDriverAgent."""

    url: WdaUrl
    seconds: float
    _answers: bool = False

    def checks(self) -> Iterator[Check]:
        yield Check("WebDriverAgent", WDA_SECONDS + _GRACE, self._status)
        if self._answers:
            yield Check("session", self.seconds + _GRACE, self._in_session)

    def _status(self) -> Iterator[Finding]:
        """Asked outside of any session: one that a test has is not ended by it."""
        from ...drivers import Link, Release, is_status

        link = Link(self.url.text)
        try:
            with link.within(WDA_SECONDS):
                status = link.get_sessionless("status")
        except DeviceError as error:
            yield failed("WebDriverAgent", DeviceError(error.detail or error.what, advice=error.advice))
            return
        if not is_status(status):
            raise ProtocolError(f"what answers at {self.url.text} is no WebDriverAgent. Next: {_WHERE}")
        if refusal := Release.of(status).refusal:
            yield failed("WebDriverAgent", DeviceError(refusal))
            return
        self._answers = True
        yield Finding("ok", "WebDriverAgent", _versions(status))

    def _in_session(self) -> Iterator[Finding]:
        """WebDriverAgent has one session, and a new one ends it: only where no other run holds the phone."""
        from ...drivers import Link

        lease = Lease(f"ios:{self.url.place}")
        try:
            lease.acquire()
        except DeviceBusy as busy:
            yield _held(busy)
            yield Finding("skip", "session", "not opened while another run uses the phone")
            return
        try:
            yield Finding("ok", "lease", "free")
            link = Link.connect(self.url.text, self.seconds)
            try:
                with link.within(self.seconds):
                    yield from _session(link)
            finally:
                link.close()
        finally:
            lease.release()


def _versions(status: Mapping[str, Any]) -> str:
    build, system = status.get("build"), status.get("os")
    version = build.get("version") if isinstance(build, Mapping) else None
    ios = system.get("version") if isinstance(system, Mapping) else None
    parts = (f"version {version}" if version else "answers", f"iOS {ios}" if ios else "")
    return ", ".join(filter(None, parts))


def _session(link: Link) -> Iterator[Finding]:
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
    """The alert in front. A test run answers that of a permission, by ``replicant_permission_prompts``."""
    from ...drivers import Refused

    try:
        alert = link.get("alert/text")
    except Refused:
        return Finding("ok", "alert", "none is in front")
    text = " ".join(str(alert).split())
    return Finding("warn", "alert", f"one is in front: {text[:120]!r}", "answer it on the phone")


def _opened(uri: DeviceUri, seconds: float, name: str, *, dark: bool = False) -> Iterator[Finding]:
    """Opens the phone as a test would: leased, its server started, its screen read once; and closes it. Opens
    nothing that another run holds. A ``dark`` screen is not read, and left dark."""
    began = time.monotonic()
    try:
        phone = open_device(uri, timeout=seconds)
    except DeviceBusy as busy:
        yield _held(busy)
        yield Finding("skip", name, "not looked at while another run uses the phone")
        return
    with phone:
        yield Finding("ok", "lease", "free")
        ready = time.monotonic() - began
        if left := put_back_left(phone.driver):
            yield Finding(
                "ok", "settings", f"put back what a run that was killed had left changed: {', '.join(left)}"
            )
        text = f"ready in {ready:.1f} s"
        if dark:
            text += f"; held {phone.driver.orientation()}; its screen is off, so nothing was read"
        else:
            size = len(phone.driver.dump_hierarchy())
            text += f", then read the screen in {time.monotonic() - began - ready:.1f} s ({size} bytes)"
    version = version_of("uiautomator2") if name == "uiautomator2" else ""
    yield Finding("ok", name, f"{version}: {text}" if version else text)


def _held(busy: DeviceBusy) -> Finding:
    """A phone that another run uses is no worse for it."""
    return Finding(
        "warn", "lease", busy.what, "wait for it: a test run does, as long as replicant_lease_timeout says"
    )


_CHECKS: Mapping[Kind, Callable[[DeviceUri, float], Iterator[Check]]] = {
    "virtual": _virtual,
    "attached": _android,
    "remote": _android,
    "wda": _iphone,
    "custom": _custom,
}
