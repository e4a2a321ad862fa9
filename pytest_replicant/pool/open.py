"""Kinds of devices, one record each: how a URI is read and how its phone is opened. ``open_device``
opens any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import DeviceError, UsageError, did_you_mean
from ..model import AnyDict, Strings, public
from .attached import LIST_SECONDS, choose_phone, list_phones, server_address
from .uri import (
    DEMO_APPS,
    WDA_SCHEMES,
    DeviceUri,
    read_attached,
    read_cassette,
    read_remote,
    read_virtual,
    read_wda,
    unread,
)

if TYPE_CHECKING:
    from ..drivers import Driver, Platform
    from ..model import Clock
    from ..virtual import App, VirtualPhone
    from .readiness import Finding


class Opened(Protocol):
    """A phone that is ready, as pools and tests hold it: its driver, and how to close it."""

    @property
    def driver(self) -> Driver: ...

    def close(self) -> None: ...


@dataclass
class OpenDevice:
    """A phone in use. ``address`` is the host and port of the adb server or WebDriverAgent it is
    behind, for other tools to use next to the driver; over usbmux the host is the UDID; "" for a
    driver of the user's own. ``phone`` is the device model behind a virtual phone, None for any
    other. ``again`` connects one more driver to the same phone, which the caller closes; None for a
    driver of the user's own.

    Close it, or use it as a context manager; everything that was started for it is stopped, last
    first.
    """

    driver: Driver
    address: tuple[str, int] = ("", 0)
    phone: VirtualPhone | None = None
    again: Callable[[], Driver] | None = None
    _closing: ExitStack = field(default_factory=ExitStack, repr=False)

    @property
    def uri(self) -> str:
        return self.driver.uri

    @property
    def facts(self) -> AnyDict:
        """The phone in reports: its URI and ``DeviceInfo``, ready for JSON."""
        return {"uri": self.uri, **self.driver.info.to_dict()}

    def on_close(self, closer: Callable[[], object]) -> None:
        """Adds a function to be called when the phone is closed, before anything else is."""
        self._closing.callback(closer)

    def use_settings(self, words: Collection[str]) -> Finding | None:
        """Changes the settings of these words of ``replicant_prepare`` until it is closed; a phone
        that is gone by then keeps its record of them. Returns what could not be changed. Raises
        ``DeviceError``."""
        from .phone_settings import put_back, use_settings

        before, trouble = use_settings(self.driver, words)

        def restore() -> None:
            with suppress(DeviceError):
                put_back(self.driver, before or {})

        if before is not None:
            self.on_close(restore)
        return trouble

    def close(self) -> None:
        """May be called again."""
        self._closing.close()

    def __enter__(self) -> OpenDevice:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@public
def open_device(
    uri: str | DeviceUri, *, timeout: float = 60, clock: Clock | None = None
) -> OpenDevice:
    """Opens one phone within ``timeout`` seconds, of ``virtual:N`` the first. Its driver waits on
    ``clock``, the system's unless given.

    Raises ``UsageError`` for a URI that names none, and for a phone that cannot be had
    ``DeviceNotFound``, ``DeviceOffline``, ``DeviceBusy`` or ``DeviceTimeout``.

    A virtual phone is started for the caller alone; a real one is leased to this process until it
    is closed.
    """
    from .leases import Lease

    parsed = uri.checked() if isinstance(uri, DeviceUri) else parse_uri(uri)
    with (
        ExitStack() as closing
    ):  # whatever is raised, Ctrl-C included: nothing may be left running or leased
        connect, address, leased, phone = _SCHEMES[parsed.scheme].open(
            parsed, closing, timeout, clock
        )
        if leased:
            lease = Lease(leased).acquire()
            closing.callback(lease.release)
        driver = connect()
        closing.callback(driver.close)
        if leased:
            lease.publish(driver.info, driver.capabilities)
        return OpenDevice(driver, address, phone, connect, closing.pop_all())


Parts = tuple[Callable[[], "Driver"], tuple[str, int], str, "VirtualPhone | None"]
"""Connects a driver; the address, the name of the lease, "" for none, and the device model."""


def _open_virtual(uri: DeviceUri, closing: ExitStack, timeout: float, clock: Clock | None) -> Parts:
    from ..drivers import AndroidDriver, IosDriver
    from ..virtual import start_server

    phone = virtual_phone(uri)
    is_ios = uri.platform == "ios"
    server = start_server(phone, server=not is_ios, wda=is_ios)
    closing.callback(server.close)

    def connect() -> Driver:
        named: Any = {"uri": uri.reported, "timeout": timeout, "clock": clock}
        if is_ios:
            return IosDriver.connect(server.wda_url, **named)
        return AndroidDriver.connect(server.host, server.port, phone.profile.serial, **named)

    return connect, (server.host, server.wda_port if is_ios else server.port), "", phone


def virtual_phone(uri: DeviceUri) -> VirtualPhone:
    """A virtual phone, switched off: nothing can connect to it yet."""
    from ..virtual import VirtualPhone, used_before

    knobs = {name: values[-1] for name, values in uri.knobs.items() if name not in ("app", "apps")}
    return used_before(
        VirtualPhone.from_knobs(installed_apps(uri), uri.platform or "android", knobs)
    )


def _open_wda(uri: DeviceUri, closing: ExitStack, timeout: float, clock: Clock | None) -> Parts:
    """Two runs with one WebDriverAgent would end each other's sessions, and so the phone is leased
    as well."""
    from ..drivers import IosDriver

    url = uri.url
    assert url is not None

    def connect() -> Driver:
        return IosDriver.connect(url.text, uri=uri.reported, timeout=timeout, clock=clock)

    return connect, (url.host, url.port), f"ios:{url.place}", None


def _open_adb(uri: DeviceUri, closing: ExitStack, timeout: float, clock: Clock | None) -> Parts:
    from ..drivers import AndroidDriver
    from .readiness import await_start, has_started

    host, port = (uri.host, uri.port) if uri.kind == "remote" else server_address()
    phones = list_phones(host, port, min(timeout, LIST_SECONDS))
    serial = choose_phone(phones, uri.serial, f"the adb server at {host}:{port}").serial
    name = uri.reported if uri.serial else f"android:{serial}"

    def connect() -> Driver:
        left = await_start(lambda seconds: has_started(host, port, serial, seconds), name, timeout)
        return AndroidDriver.connect(host, port, serial, uri=name, timeout=left, clock=clock)

    return connect, (host, port), f"adb://{host}:{port}/{serial}", None


def _open_cassette(
    uri: DeviceUri, closing: ExitStack, timeout: float, clock: Clock | None
) -> Parts:
    raise UsageError(
        f"device {uri.text!r}: a recording answers a test, and there is none here. Next: pytest "
        f"--replicant-device={uri.text}, or replicant replay {uri.text.partition(':')[2]}"
    )


def demo_apps(ids: Sequence[str], others: Sequence[str] = ()) -> list[App[Any]]:
    """Fresh declarations. ``others`` are those that the phone has too. Raises ``UsageError`` for an
    id of none."""
    from ..virtual import lab, shop

    known: dict[str, Callable[[], App[Any]]] = dict(zip(DEMO_APPS, (shop, lab), strict=True))
    for app in ids:
        if app not in known:
            there = sorted({*DEMO_APPS, *others})
            meant = did_you_mean(app, there, 0.4)
            raise UsageError(
                f"app={app}: there is no such app.{meant} There are: {', '.join(there)}."
            )
    return [known[app]() for app in dict.fromkeys(ids or DEMO_APPS)]


def installed_apps(uri: DeviceUri) -> list[App[Any]]:
    """The apps of a virtual phone, apart from the system's own: those at the places of ``apps=``,
    imported here, and the demo apps of ``app=``, which without ``apps=`` are all of them. Raises
    ``UsageError``."""
    from ..virtual import load_apps, make_named

    places = uri.knobs.get("apps", ())
    makes = [make_named(name) for name in uri.knobs.get("profile", ()) if places]
    own = load_apps(
        places, {*DEMO_APPS, *(each.app for make in makes for each in make.profile.recorded)}
    )
    there = [app.package for app in own]
    ids = [each for each in uri.knobs.get("app", ()) if each not in there]
    return [*own, *(demo_apps(ids, there) if ids or not places else ())]


class Scheme(NamedTuple):
    """One kind of device. ``platform`` is of every URI of the scheme, None if the rest of it
    decides; ``read`` raises ``UsageError``, and ``open`` registers what undoes it before it can
    fail."""

    name: str
    platform: Platform | None
    forms: Strings
    read: Callable[[str], DeviceUri]
    open: Callable[[DeviceUri, ExitStack, float, Clock | None], Parts]


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
    Scheme("cassette", None, ("cassette:REPORT",), read_cassette, _open_cassette),
    Scheme(
        "ios", "ios", ("ios:http://HOST:PORT", "ios:http+usbmux://UDID:PORT"), read_wda, _open_wda
    ),
)
FORMS = tuple(form for scheme in SCHEMES for form in scheme.forms)
_SCHEMES = {scheme.name: scheme for scheme in SCHEMES}


def read_uri(text: str) -> DeviceUri:
    """The URI of a text; a ``custom`` one with its ``error`` where it is none of this plugin's."""
    if not isinstance(text, str):
        error = UsageError(
            f"device {text!r}: a device is named by a string. Forms: {', '.join(FORMS)}."
        )
        return replace(unread(str(text)), error=error)
    custom = unread(text.strip())
    scheme = _SCHEMES.get(custom.scheme)
    if scheme is None:
        near = did_you_mean(custom.scheme.lower(), _SCHEMES, form="{!r}")
        if custom.scheme in WDA_SCHEMES:
            near = f" Did you mean 'ios:{custom.masked}'?"
        unknown = f"device {custom.masked!r} is no device URI.{near} Forms: {', '.join(FORMS)}."
        return replace(custom, error=UsageError(unknown))
    try:
        return scheme.read(custom.text)
    except UsageError as error:
        return replace(custom, platform=scheme.platform, error=error)


def parse_uri(text: str) -> DeviceUri:
    """A URI of this plugin. Raises ``UsageError`` for any other text, naming the forms and the
    nearest one."""
    return read_uri(text).checked()
