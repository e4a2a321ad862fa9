"""Putting a session together from a driver and plain settings."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .clock import Clock, SystemClock
from .device_session import DeviceSession
from .settings import SessionSettings
from .trace import Recorder

if TYPE_CHECKING:
    from ..drivers.base import Driver


def build_session(
    driver: Driver, *, app: str | None = None, clock: Clock | None = None, **settings: Any
) -> tuple[DeviceSession, Recorder]:
    """A session on the driver, and the recorder of what it does. ``settings`` are fields of
    ``SessionSettings``; raises ``UsageError`` for another name."""
    known = {item.name for item in fields(SessionSettings)}
    for name in settings:
        if name not in known:
            raise UsageError(f"a session has no setting {name!r}; it takes app, {', '.join(sorted(known))}")
    chosen = SessionSettings(**settings)
    clock = clock or SystemClock()
    recorder = Recorder(
        clock,
        device={"uri": driver.uri, **driver.info.to_dict()},
        screenshot=driver.screenshot if chosen.screenshots else None,
    )
    return DeviceSession(driver, recorder=recorder, clock=clock, settings=chosen, app=app), recorder
