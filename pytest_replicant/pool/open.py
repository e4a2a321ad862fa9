"""``open_device``: a URI in, a running phone with its driver out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .attached import LIST_SECONDS, choose_phone, list_phones, server_address
from .fitness.starting import await_start, has_started
from .leases.lease import Lease
from .uri import DeviceUri, parse_uri
from .wda_url import WdaUrl

if TYPE_CHECKING:
    from types import TracebackType

    from ..drivers import Driver
    from ..virtual import VirtualPhone


@dataclass
class OpenDevice:
    """A phone in use. ``address`` is the host and port of the adb server or WebDriverAgent it is behind, for
    other tools to use beside the driver; over usbmux the host is the UDID. ``phone`` is the device model behind a
    virtual phone, None for any other.

    Close it, or use it as a context manager; everything that was started for it is stopped, last first.
    """

    driver: Driver
    address: tuple[str, int]
    phone: VirtualPhone | None = None
    _closers: list[Callable[[], object]] = field(default_factory=list, repr=False)

    @property
    def uri(self) -> str:
        return self.driver.uri

    @property
    def facts(self) -> dict[str, Any]:
        """What reports say of the phone: its URI and ``DeviceInfo``, ready for JSON."""
        return {"uri": self.uri, **self.driver.info.to_dict()}

    def on_close(self, closer: Callable[[], object]) -> None:
        """To be done when the phone is let go of, before anything else is."""
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


def open_device(uri: str, *, timeout: float = 60, name: str = "") -> OpenDevice:
    """Opens one phone within ``timeout`` seconds, of ``virtual:N`` the first. ``name`` is what reports call it,
    where that is another than the URI.

    Raises ``UsageError`` for a URI that names none, and for a phone that cannot be had ``DeviceNotFound``,
    ``DeviceOffline``, ``DeviceBusy`` or ``DeviceTimeout``.

    A virtual phone is started for the caller alone; a real one is leased to this process until it is closed.
    """
    parsed = parse_uri(uri)
    parsed = replace(parsed, text=name or parsed.text)
    closers: list[Callable[[], object]] = []
    try:
        if parsed.kind == "virtual":
            return _open_virtual(parsed, closers, timeout)
        if parsed.url is not None:
            return _open_wda(parsed, parsed.url, closers, timeout)
        return _open_adb(parsed, closers, timeout)
    except BaseException:  # Ctrl-C included: nothing may be left running or leased
        _close_all(closers)
        raise


def _open_virtual(uri: DeviceUri, closers: list[Callable[[], object]], timeout: float) -> OpenDevice:
    from ..virtual import start_server

    phone = virtual_phone(uri)
    if uri.platform == "ios":
        server = start_server(phone, server=False, wda=True)
        closers.append(server.close)
        driver, port = _connect_wda(server.wda_url, uri.text, timeout), server.wda_port
    else:
        server = start_server(phone)
        closers.append(server.close)
        driver, port = _connect(server.host, server.port, phone.profile.serial, uri.text, timeout), server.port
    closers.append(driver.close)
    return OpenDevice(driver, (server.host, port), phone, closers)


def virtual_phone(uri: DeviceUri) -> VirtualPhone:
    """Switched off still; nobody can connect to it."""
    from ..virtual import IPHONE, Faults, Latency, Profile, VirtualPhone
    from .demo_apps import demo_apps

    knobs = {name: values[-1] for name, values in uri.knobs.items() if name not in ("app", "serial")}
    profile = IPHONE if uri.platform == "ios" else Profile()
    serial = uri.knobs.get("serial", (profile.serial,))[-1]
    return VirtualPhone(
        demo_apps(uri.knobs.get("app", ())),
        profile=replace(profile, serial=serial),
        latency=Latency.from_knobs(knobs),
        faults=Faults.from_knobs(knobs),
    )


def _open_wda(uri: DeviceUri, url: WdaUrl, closers: list[Callable[[], object]], timeout: float) -> OpenDevice:
    """Two runs with one WebDriverAgent would end each other's sessions, and so the phone is leased as well."""
    lease = Lease(f"ios:{url.place}").acquire()
    closers.append(lease.release)
    driver = _connect_wda(url.text, uri.text, timeout)
    closers.append(driver.close)
    lease.tell(driver.info, driver.capabilities)
    return OpenDevice(driver, (url.host, url.port), None, closers)


def _open_adb(uri: DeviceUri, closers: list[Callable[[], object]], timeout: float) -> OpenDevice:
    host, port = (uri.host, uri.port) if uri.kind == "remote" else server_address()
    chosen = choose_phone(
        list_phones(host, port, min(timeout, LIST_SECONDS)), uri.serial, f"the adb server at {host}:{port}"
    )
    lease = Lease(f"adb://{host}:{port}/{chosen.serial}").acquire()
    closers.append(lease.release)
    name = uri.text if uri.serial else f"android:{chosen.serial}"
    left = await_start(lambda seconds: has_started(host, port, chosen.serial, seconds), name, timeout)
    driver = _connect(host, port, chosen.serial, name, left)
    closers.append(driver.close)
    lease.tell(driver.info, driver.capabilities)
    return OpenDevice(driver, (host, port), None, closers)


def _connect(host: str, port: int, serial: str, uri: str, timeout: float) -> Driver:
    from ..drivers import AndroidDriver

    return AndroidDriver.connect(host, port, serial, uri=uri, timeout=timeout)


def _connect_wda(url: str, uri: str, timeout: float) -> Driver:
    from ..drivers import IosDriver

    return IosDriver.connect(url, uri=uri, timeout=timeout)


def _close_all(closers: list[Callable[[], object]]) -> None:
    """Last first; each is tried whatever becomes of the others."""
    if not closers:
        return
    try:
        closers.pop()()
    finally:
        _close_all(closers)
