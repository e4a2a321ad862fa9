"""A virtual phone with the lab on it, behind its real sockets, on a clock that moves only while a session waits.

The real server, driver and session, and no time lost: a phone's timers run when the session's waits have come to
them, in steps so small that whatever looks at the phone meanwhile sees every change. The same test takes the same
course each time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytest_replicant.drivers import AndroidDriver, Driver, IosDriver, Platform
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, Recorder, build_session
from pytest_replicant.virtual import (
    IPHONE,
    Faults,
    LabState,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    lab,
    start_server,
)
from pytest_replicant.virtual.demo_apps.lab import PACKAGE

STEP = 0.02  # seconds of the phone's time between two looks at it
BOOTED = 4_000_000_000.0  # later than anything that was logged before the phone got this clock
TICK = 0.001  # seconds that pass whenever a session asks what time it is: nothing takes no time at all

QUICK: dict[str, Any] = {
    "action_timeout": 2.0,
    "expect_timeout": 1.5,
    "window": 0.4,
    "interval": 0.1,
    "quiet": 0.2,
    "screenshots": False,
    "recover": builtin,
    "app": PACKAGE,
}


class SharedClock:
    """The session's and the phone's. The phone only reads it. ``watch`` is called after each step."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._lock = threading.Lock()
        self.watch: Callable[[], object] = lambda: None

    def read(self) -> float:
        """For the phone."""
        with self._lock:
            return self._now

    def now(self) -> float:
        self._advance(TICK)
        return self._now

    def epoch_ms(self) -> int:
        return round(self._now * 1000)

    def sleep(self, seconds: float) -> None:
        end = self._now + max(seconds, 0.0)
        while self._now < end:
            self._advance(min(STEP, end - self._now))

    def _advance(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds
        self.watch()


class LabPhone:
    """Opened by ``lab_phone``. ``events`` is what really happened to the lab since it was started last."""

    def __init__(self, phone: VirtualPhone, driver: Any, clock: SharedClock) -> None:
        self.phone = phone
        self.driver = driver
        self.clock = clock

    @property
    def events(self) -> list[str]:
        state = self.phone.app_state(PACKAGE)
        return list(state.events) if isinstance(state, LabState) else []

    @property
    def log(self) -> str:
        """All that was ever logged; a crashed app takes its events along, and leaves this."""
        return "\n".join(f"{entry.level} {entry.tag}: {entry.message}" for entry in self.phone.log.entries())

    @property
    def is_spoilt(self) -> bool:
        """Whether an app died or hung, of which a phone tells again later."""
        return "FATAL EXCEPTION" in self.log or "sorting" in self.log

    def reset(self) -> None:
        """As if the lab had just been installed."""
        self.phone.press_key("HOME")
        self.phone.set_rotation(0)
        self.phone.clear_app(PACKAGE)  # and with it what the system asks about it
        while notices := [window for window in self.phone.windows() if window.kind == "system_dialog"]:
            buttons = [node for node in notices[-1].root.walk() if node.clickable]
            self.phone.tap(*buttons[-1].bounds.center)
        self.phone.last_toast = None
        self.phone.log.clear()

    @contextmanager
    def session(self, **settings: Any) -> Iterator[DeviceSession]:
        with self.recorded(**settings) as (session, _):
            yield session

    @contextmanager
    def recorded(self, **settings: Any) -> Iterator[tuple[DeviceSession, Recorder]]:
        session, recorder = build_session(self.driver, clock=self.clock, **{**QUICK, **settings})
        try:
            yield session, recorder
        finally:
            recorder.close()


PROFILES: dict[Platform, Profile] = {"android": Profile(), "ios": IPHONE}


@contextmanager
def lab_phone(platform: Platform = "android", faults: Faults | None = None) -> Iterator[LabPhone]:
    clock = SharedClock()
    phone = VirtualPhone(
        [lab()],
        profile=PROFILES[platform],
        latency=Latency.from_knobs({"latency": "0"}),
        faults=faults,
        clock=clock.read,
    )
    clock.watch = phone.version  # what is due happens, whether anybody looks or not
    phone.log.now = lambda: BOOTED + clock.read()  # the log goes by the phone's time too
    with start_server(phone, server=platform == "android", wda=platform == "ios") as server:
        driver = _driver(platform, server)
        try:
            yield LabPhone(phone, driver, clock)
        finally:
            driver.close()


def _driver(platform: Platform, server: PhoneServer) -> Driver:
    if platform == "android":
        return AndroidDriver.connect(server.host, server.port, server.serials[0], uri="virtual")
    return IosDriver.connect(server.wda_url, uri="virtual:ios")
