"""Kinds of devices, one record each: how a URI is read and how its phone is opened. ``open_device`` opens any."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..drivers import Platform
from ..errors import UsageError
from .attached import LIST_SECONDS, choose_phone, list_phones, server_address
from .readiness import await_start, has_started
from .uri import WDA_SCHEMES, DeviceUri, nearest, read_attached, read_remote, read_virtual, read_wda, unread

if TYPE_CHECKING:
    from types import TracebackType

    from ..clock import Clock
    from ..drivers import Driver
    from ..virtual import App, VirtualPhone

DEFAULT_APPS = ("dev.replicant.shop", "dev.replicant.lab")

Closers = list[Callable[[], object]]
"""Functions that undo the opening of a phone, called last first."""


class Opened(Protocol):
    """A phone that is ready, as pools and tests hold it: its driver, and how to close it."""

    @property
    def driver(self) -> Driver: ...

    def close(self) -> None: ...


@dataclass
class OpenDevice:
    """A phone in use. ``address`` is the host and port of the adb server or WebDriverAgent it is behind, for
    other tools to use next to the driver; over usbmux the host is the UDID. ``phone`` is the device model behind a
    virtual phone, None for any other.

    Close it, or use it as a context manager; everything that was started for it is stopped, last first.
    """

    driver: Driver
    address: tuple[str, int]
    phone: VirtualPhone | None = None
    _closers: Closers = field(default_factory=list, repr=False)

    @property
    def uri(self) -> str:
        return self.driver.uri

    @property
    def facts(self) -> dict[str, Any]:
        """The phone in reports: its URI and ``DeviceInfo``, ready for JSON."""
        return {"uri": self.uri, **self.driver.info.to_dict()}

    def on_close(self, closer: Callable[[], object]) -> None:
        """Adds a function to be called when the phone is closed, before anything else is."""
        self._closers.append(closer)

    def close(self) -> None:
        """May be called again."""
        _close_all(self._closers)

    def __enter__(self) -> OpenDevice:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_device(uri: str | DeviceUri, *, timeout: float = 60, clock: Clock | None = None) -> OpenDevice:
    """Opens one phone within ``timeout`` seconds, of ``virtual:N`` the first. Its driver waits on ``clock``, the
    system's unless given.

    Raises ``UsageError`` for a URI that names none, and for a phone that cannot be had ``DeviceNotFound``,
    ``DeviceOffline``, ``DeviceBusy`` or ``DeviceTimeout``.

    A virtual phone is started for the caller alone; a real one is leased to this process until it is closed.
    """
    parsed = uri.checked() if isinstance(uri, DeviceUri) else parse_uri(uri)
    closers: Closers = []
    try:
        return _SCHEMES[parsed.scheme].open(parsed, closers, timeout, clock)
    except BaseException:  # Ctrl-C included: nothing may be left running or leased
        _close_all(closers)
        raise


def _open_virtual(uri: DeviceUri, closers: Closers, timeout: float, clock: Clock | None) -> OpenDevice:
    from ..virtual import start_server

    phone = virtual_phone(uri)
    if uri.platform == "ios":
        server = start_server(phone, server=False, wda=True)
        closers.append(server.close)
        driver, port = _connect_wda(server.wda_url, uri.reported, timeout, clock), server.wda_port
    else:
        server = start_server(phone)
        closers.append(server.close)
        serial, port = phone.profile.serial, server.port
        driver = _connect(server.host, port, serial, uri.reported, timeout, clock)
    closers.append(driver.close)
    return OpenDevice(driver, (server.host, port), phone, closers)


def virtual_phone(uri: DeviceUri) -> VirtualPhone:
    """A virtual phone, switched off: nothing can connect to it yet."""
    from ..virtual import IPHONE, Faults, Latency, Profile, VirtualPhone

    knobs = {name: values[-1] for name, values in uri.knobs.items() if name not in ("app", "serial")}
    profile = IPHONE if uri.platform == "ios" else Profile()
    serial = uri.knobs.get("serial", (profile.serial,))[-1]
    return VirtualPhone(
        demo_apps(uri.knobs.get("app", ())),
        profile=replace(profile, serial=serial),
        latency=Latency.from_knobs(knobs),
        faults=Faults.from_knobs(knobs),
    )


def _open_wda(uri: DeviceUri, closers: Closers, timeout: float, clock: Clock | None) -> OpenDevice:
    """Two runs with one WebDriverAgent would end each other's sessions, and so the phone is leased as well."""
    from .leases import Lease

    assert uri.url is not None
    lease = Lease(f"ios:{uri.url.place}").acquire()
    closers.append(lease.release)
    driver = _connect_wda(uri.url.text, uri.reported, timeout, clock)
    closers.append(driver.close)
    lease.publish(driver.info, driver.capabilities)
    return OpenDevice(driver, (uri.url.host, uri.url.port), None, closers)


def _open_adb(uri: DeviceUri, closers: Closers, timeout: float, clock: Clock | None) -> OpenDevice:
    from .leases import Lease

    host, port = (uri.host, uri.port) if uri.kind == "remote" else server_address()
    chosen = choose_phone(
        list_phones(host, port, min(timeout, LIST_SECONDS)), uri.serial, f"the adb server at {host}:{port}"
    )
    lease = Lease(f"adb://{host}:{port}/{chosen.serial}").acquire()
    closers.append(lease.release)
    name = uri.reported if uri.serial else f"android:{chosen.serial}"
    left = await_start(lambda seconds: has_started(host, port, chosen.serial, seconds), name, timeout)
    driver = _connect(host, port, chosen.serial, name, left, clock)
    closers.append(driver.close)
    lease.publish(driver.info, driver.capabilities)
    return OpenDevice(driver, (host, port), None, closers)


def _connect(host: str, port: int, serial: str, uri: str, timeout: float, clock: Clock | None) -> Driver:
    from ..drivers import AndroidDriver

    return AndroidDriver.connect(host, port, serial, uri=uri, timeout=timeout, clock=clock)


def _connect_wda(url: str, uri: str, timeout: float, clock: Clock | None) -> Driver:
    from ..drivers import IosDriver

    return IosDriver.connect(url, uri=uri, timeout=timeout, clock=clock)


def _close_all(closers: Closers) -> None:
    """Last first; each is tried whatever becomes of the others."""
    if not closers:
        return
    try:
        closers.pop()()
    finally:
        _close_all(closers)


def _shop() -> App[Any]:
    from ..virtual import shop

    return shop()


def _lab() -> App[Any]:
    from ..virtual import lab

    return lab()


DEMO_APPS: Mapping[str, Callable[[], App[Any]]] = {"dev.replicant.shop": _shop, "dev.replicant.lab": _lab}
"""The apps that a virtual phone can have installed, by id."""


def demo_apps(ids: Sequence[str]) -> list[App[Any]]:
    """Fresh declarations. Raises ``UsageError`` for an id that is none of ours."""
    for app in ids:
        if app not in DEMO_APPS:
            near = difflib.get_close_matches(app, DEMO_APPS, 1, 0.4)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(f"app={app}: no such demo app.{meant} There are: {', '.join(sorted(DEMO_APPS))}.")
    return [DEMO_APPS[app]() for app in dict.fromkeys(ids or DEFAULT_APPS)]


class Scheme(NamedTuple):
    """One kind of device. ``platform`` is of every URI of the scheme, None where the rest of it decides; ``read``
    raises ``UsageError``, and ``open`` registers what undoes it before it can fail."""

    name: str
    platform: Platform | None
    forms: tuple[str, ...]
    read: Callable[[str], DeviceUri]
    open: Callable[[DeviceUri, Closers, float, Clock | None], OpenDevice]


SCHEMES = (
    Scheme(
        "virtual",
        None,
        ("virtual", "virtual:android", "virtual:ios", "virtual:N", "virtual?knob=value"),
        read_virtual,
        _open_virtual,
    ),
    Scheme("android", "android", ("android", "android:SERIAL"), read_attached, _open_adb),
    Scheme("adb", "android", ("adb://HOST:PORT/SERIAL",), read_remote, _open_adb),
    Scheme("ios", "ios", ("ios:http://HOST:PORT", "ios:http+usbmux://UDID:PORT"), read_wda, _open_wda),
)
FORMS = tuple(form for scheme in SCHEMES for form in scheme.forms)
_SCHEMES = {scheme.name: scheme for scheme in SCHEMES}


def read_uri(text: str) -> DeviceUri:
    """The URI of a text; a ``custom`` one with its ``error`` where it is none of this plugin's."""
    if not isinstance(text, str):
        error = UsageError(f"device {text!r}: a device is named by a string. Forms: {', '.join(FORMS)}.")
        return replace(unread(str(text)), error=error)
    custom = unread(text.strip())
    scheme = _SCHEMES.get(custom.scheme)
    if scheme is None:
        return replace(custom, error=_unknown(custom))
    try:
        return scheme.read(custom.text)
    except UsageError as error:
        return replace(custom, platform=scheme.platform, error=error)


def parse_uri(text: str) -> DeviceUri:
    """A URI of this plugin. Raises ``UsageError`` for any other text, naming the forms and the nearest one."""
    return read_uri(text).checked()


def _unknown(uri: DeviceUri) -> UsageError:
    near = nearest(uri.scheme.lower(), tuple(_SCHEMES))
    if uri.scheme in WDA_SCHEMES:
        near = f" Did you mean 'ios:{uri.masked}'?"
    return UsageError(f"device {uri.masked!r} is no device URI.{near} Forms: {', '.join(FORMS)}.")
