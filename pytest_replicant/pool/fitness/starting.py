"""A phone that is still starting: adb answers before Android does, and nothing can be opened on it until then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...clock import SystemClock
from ...errors import DeviceError, DeviceTimeout

if TYPE_CHECKING:
    from ...clock import Clock

_POLL = 0.5
_ASK_SECONDS = 5.0


def await_start(started: Callable[[float], bool], uri: str, timeout: float, clock: Clock | None = None) -> float:
    """Waits for a phone that says that it is still starting; one that does not answer is left to whoever connects
    to it. Returns the seconds that are left.

    Raises ``DeviceTimeout`` where it has not started within ``timeout`` seconds.
    """
    clock = clock or SystemClock()
    deadline = clock.now() + timeout
    seen = False
    while _is_starting(started, seen):
        seen = True
        if clock.now() + _POLL >= deadline:
            raise still_starting(uri, timeout)
        clock.sleep(_POLL)
    return max(deadline - clock.now(), 1.0)


def _is_starting(started: Callable[[float], bool], unknown: bool) -> bool:
    """``unknown`` where it does not answer: a phone that is starting drops off adb now and then."""
    try:
        return not started(_ASK_SECONDS)
    except DeviceError:
        return unknown


def has_started(host: str, port: int, serial: str, seconds: float) -> bool:
    """Whether Android is up, as it says itself. Raises ``DeviceError``."""
    from ...drivers import ask

    return ask(host, port, serial, "getprop sys.boot_completed", seconds).strip() == "1"


def still_starting(uri: str, timeout: float) -> DeviceTimeout:
    return DeviceTimeout(
        f"{uri} was still starting after {timeout:g} s. Next: wait until its home screen shows, or set a longer "
        "replicant_device_timeout",
        device=uri,
    )
