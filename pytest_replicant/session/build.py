"""Putting a session together from a driver and plain settings."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..clock import Clock, SystemClock
from ..errors import UsageError
from .device_session import DeviceSession
from .recording.trace import Recorder
from .settings import SessionSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..drivers import Driver
    from ..model import Failure, Recovery, RecoveryState


def build_session(
    driver: Driver,
    *,
    app: str | None = None,
    clock: Clock | None = None,
    recover: Callable[[DeviceSession, Failure, RecoveryState], Recovery | None] | None = None,
    **settings: Any,
) -> tuple[DeviceSession, Recorder]:
    """A session on the driver, and the recorder of what it does. ``recover`` is asked for each failure; none is
    mended without it. ``settings`` are fields of ``SessionSettings``; raises ``UsageError`` for another name."""
    known = {item.name for item in fields(SessionSettings)}
    for name in settings:
        if name not in known:
            raise UsageError(f"a session has no setting {name!r}; it takes app, {', '.join(sorted(known))}")
    chosen = SessionSettings(**settings)
    clock = clock or SystemClock()
    recorder = Recorder(
        clock,
        device={"uri": driver.uri, **driver.info.to_dict()},
        screenshot=driver.screenshot if chosen.screenshots and chosen.trace else None,
        keeps_screens=chosen.trace,
    )
    session = DeviceSession(driver, recorder=recorder, clock=clock, settings=chosen, app=app, recover=recover)
    return session, recorder
