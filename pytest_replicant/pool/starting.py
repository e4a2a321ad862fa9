"""A phone that is still starting: adb answers before Android does, and nothing can be opened on it until then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import DeviceError, DeviceTimeout, is_told

if TYPE_CHECKING:
    from ..drivers.base import Driver

__tracebackhide__ = is_told

_POLL = 0.5
_ASK_SECONDS = 5.0


def connect_once_started(
    connect: Callable[[float], Driver], started: Callable[[float], bool], uri: str, timeout: float
) -> Driver:
    """``connect`` takes the seconds that it has. Where it fails, and the phone is found to be still starting, it
    is waited for and connected to again: one that has started is asked nothing for this.

    Raises ``DeviceTimeout`` where it has not started within ``timeout`` seconds in all.
    """
    deadline = time.monotonic() + timeout
    try:
        return connect(timeout)
    except DeviceError:
        if _has_started(started, unknown=True):
            raise
    while not _has_started(started, unknown=False):
        if time.monotonic() + _POLL >= deadline:
            raise still_starting(uri, timeout)
        time.sleep(_POLL)
    return connect(max(deadline - time.monotonic(), 1.0))


def _has_started(started: Callable[[float], bool], *, unknown: bool) -> bool:
    """``unknown`` where the phone does not answer: a phone that starts drops off adb now and then."""
    try:
        return started(_ASK_SECONDS)
    except DeviceError:
        return unknown


def has_started(host: str, port: int, serial: str, seconds: float) -> bool:
    """Whether Android is up, as it says itself. Raises ``DeviceError``."""
    from ..drivers.android.plain_shell import ask

    return ask(host, port, serial, "getprop sys.boot_completed", seconds).strip() == "1"


def still_starting(uri: str, timeout: float) -> DeviceTimeout:
    return DeviceTimeout(
        f"{uri} was still starting after {timeout:g} s. Next: wait until its home screen shows, or set a longer "
        "replicant_device_timeout",
        device=uri,
    )
