"""A virtual phone with the lab on it, behind its real sockets, on a clock that moves only while a
session waits.

The real server, driver and session, and no time lost: a phone's timers run when the session's waits
have come to them, in steps so small that whatever looks at the phone meanwhile sees every change.
The same test takes the same course each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession, Recorder
from pytest_replicant.testing import SharedClock, VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    App,
    Faults,
    LabState,
    lab,
    profile_of,
)

PACKAGE = "dev.replicant.lab"
QUICK: dict[str, Any] = {
    "action_timeout": 2.0,
    "expect_timeout": 1.5,
    "window": 0.4,
    "interval": 0.1,
    "quiet": 0.2,
    "read_on": 0.0,
    "screenshots": False,
}


class LabPhone:
    """Opened by ``lab_phone``. ``events`` is what really happened to the lab since it was started
    last."""

    def __init__(self, device: VirtualDevice, clock: SharedClock) -> None:
        self.device = device
        self.phone = device.phone
        self.driver: Any = device.driver
        self.clock = clock

    @property
    def events(self) -> list[str]:
        state = self.phone.app_state(PACKAGE)
        return list(state.events) if isinstance(state, LabState) else []

    @property
    def log(self) -> str:
        """All that was ever logged; a crashed app takes its events along, and leaves this."""
        return "\n".join(
            f"{entry.level} {entry.tag}: {entry.message}" for entry in self.phone.log.entries()
        )

    @property
    def is_spoilt(self) -> bool:
        """Whether an app died or hung, which a phone reports again later."""
        return "FATAL EXCEPTION" in self.log or "sorting" in self.log

    def reset(self) -> None:
        """As if the lab had just been installed."""
        self.phone.press_key("HOME")
        self.phone.set_rotation(
            0 if self.phone.profile.width < self.phone.profile.height else 1
        )  # held upright
        self.phone.clear_app(PACKAGE)  # and with it what the system asks about it
        while notices := [
            window for window in self.phone.windows() if window.kind == "system_dialog"
        ]:
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
        with self.device.recorded(**{**QUICK, **settings}) as recorded:
            yield recorded


@contextmanager
def lab_phone(
    platform: Platform = "android",
    faults: Faults | None = None,
    profile: str = "",
    windows: str = "",
    apps: Sequence[str | App[Any]] = (),
) -> Iterator[LabPhone]:
    """``windows`` lie over the app, by the names that the knob has for them; ``apps`` are further
    demo apps."""
    make = profile_of(platform, {"profile": profile, **({"windows": windows} if windows else {})})
    with virtual_device(
        *apps, lab(), platform=platform, faults=faults, profile=make, start=False
    ) as device:
        assert isinstance(device.clock, SharedClock)
        yield LabPhone(device, device.clock)
