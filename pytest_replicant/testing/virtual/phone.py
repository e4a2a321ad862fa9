"""A virtual phone with a driver and sessions, on one clock: for tests of apps, drivers and
policies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...drivers import AndroidDriver, Driver, IosDriver, Platform
from ...model import Clock, SharedClock, SystemClock
from ...pool import DEMO_APPS, demo_apps
from ...recovery import builtin
from ...session import DeviceSession, Recorder, build_session
from ...virtual import (
    App,
    Faults,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    profile_of,
    start_server,
    used_before,
)

# seconds; later than anything that was logged before the phone got the shared clock
BOOTED = 4_000_000_000.0
NO_LATENCY = Latency.from_knobs({"latency": "0"})


@dataclass(frozen=True)
class VirtualDevice:
    """A running virtual phone: the device model, the server in front of it, a driver connected to
    that, the clock. ``app`` is the package of the app in front at first."""

    phone: VirtualPhone
    server: PhoneServer
    driver: Driver
    clock: Clock
    app: str

    def connect(self, kind: type[Any] | None = None) -> Driver:
        """Another driver of the phone, ours or one of that class. The caller closes it."""
        return _connect(self.phone, self.server, kind, self.clock)

    @contextmanager
    def session(self, **settings: Any) -> Iterator[DeviceSession]:
        """A new session on the phone. ``settings`` as for ``virtual_session``."""
        with self.recorded(**settings) as (session, _):
            yield session

    @contextmanager
    def recorded(self, **settings: Any) -> Iterator[tuple[DeviceSession, Recorder]]:
        """A new session and the recorder of what it does."""
        chosen = {"app": self.app, "recover": builtin, **settings}
        session, recorder = build_session(self.driver, clock=self.clock, **chosen)
        try:
            yield session, recorder
        finally:
            recorder.close()


@contextmanager
def virtual_device(
    *apps: App[Any] | str,
    platform: Platform = "android",
    clock: SharedClock | SystemClock | None = None,
    latency: Latency = NO_LATENCY,
    faults: Faults | None = None,
    profile: Profile | str | None = None,
    driver: type[Any] | None = None,
    start: bool = True,
) -> Iterator[VirtualDevice]:
    """A virtual phone with these apps, or the demo apps of these ids, the first one in front unless
    ``start`` is False; without any, the shop and the lab. ``profile`` may be the name of one.
    ``driver`` is a driver class in place of ours.

    Its screen stays on while it is plugged in. Without a ``clock`` it gets a ``SharedClock``, on
    which waits and the phone's ``latency`` cost no time; a ``SystemClock`` lets real time pass.
    Raises ``UsageError`` for an id that is no demo app's.
    """
    installed = [demo_apps([app])[0] if isinstance(app, str) else app for app in apps or DEMO_APPS]
    clock = clock or SharedClock()
    if not isinstance(profile, Profile):
        profile = profile_of(platform, {"profile": profile or ""})
    timing: dict[str, Any] = {}
    if isinstance(clock, SharedClock):
        timing = {"clock": clock.read, "sleep": clock.sleep}
    phone = used_before(
        VirtualPhone(installed, profile=profile, latency=latency, faults=faults, **timing)
    )
    phone.settings.put("global", "stay_on_while_plugged_in", "7")
    if isinstance(clock, SharedClock):
        clock.on_step.append(phone.version)  # every due event happens, whether anybody looks or not
        phone.log.now = lambda: BOOTED + clock.read()  # the log goes by the phone's time too
    if start:
        phone.start_app(installed[0].package)
    is_ios = phone.profile.platform == "ios"
    with start_server(phone, server=not is_ios, wda=is_ios) as server:
        connected = _connect(phone, server, driver, clock)
        try:
            yield VirtualDevice(phone, server, connected, clock, installed[0].package)
        finally:
            connected.close()
            if isinstance(clock, SharedClock) and phone.version in clock.on_step:
                clock.on_step.remove(phone.version)


@contextmanager
def virtual_session(
    *apps: App[Any] | str,
    platform: Platform = "android",
    clock: SharedClock | SystemClock | None = None,
    latency: Latency = NO_LATENCY,
    faults: Faults | None = None,
    **settings: Any,
) -> Iterator[DeviceSession]:
    """A session on a virtual phone with an app in front, on a clock that moves only while something
    waits::

        with virtual_session("dev.replicant.shop", expect_timeout=60) as mobile:
            mobile.tap(text="Sign in").expect_gone(text="Catalogue")   # a minute, in a moment

    ``settings`` are the fields of ``SessionSettings``, ``app``, and ``recover`` in place of the
    built-in recovery policies. The rest is for ``virtual_device``, which also hands out the phone
    itself.
    """
    with (
        virtual_device(
            *apps, platform=platform, clock=clock, latency=latency, faults=faults
        ) as device,
        device.session(**settings) as mobile,
    ):
        yield mobile


def _connect(
    phone: VirtualPhone, server: PhoneServer, kind: type[Any] | None, clock: Clock
) -> Driver:
    driver: Driver
    if phone.profile.platform == "ios":
        driver = (kind or IosDriver).connect(server.wda_url, uri="virtual:ios", clock=clock)
    else:
        serial = phone.profile.serial
        driver = (kind or AndroidDriver).connect(
            server.host, server.port, serial, uri="virtual", clock=clock
        )
    return driver
