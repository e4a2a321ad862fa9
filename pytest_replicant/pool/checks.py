"""The checks of a phone that is about to be used: one command, and what it takes to be ready."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..drivers.base import Capability
from ..errors import DeviceTimeout, is_told
from . import android_findings as found
from .android_state import QUICK_QUESTION, read_state
from .finding import Finding, as_error

if TYPE_CHECKING:
    from ..drivers.base import Driver

__tracebackhide__ = is_told

ASK_SECONDS = 10.0
_BOOT_POLL = 0.5
_WAKE_SECONDS = 3.0  # the keyguard and the window manager notice a little later
_WAKE_POLL = 0.1


def quick_checks(driver: Driver) -> tuple[Finding, ...]:
    """One command on Android. None elsewhere: connecting to WebDriverAgent has asked what can be."""
    if driver.info.platform != "android" or Capability.SHELL not in driver.capabilities:
        return ()
    return quick_findings(driver.shell(QUICK_QUESTION, ASK_SECONDS).stdout)


def quick_findings(answer: str) -> tuple[Finding, ...]:
    """Of the answer to ``QUICK_QUESTION``; ``finding.unfit`` says whether the phone can be used."""
    state = read_state(answer)
    checks = (found.boot, found.screen, found.lock, found.storage, found.animations)
    return tuple(check(state) for check in checks)


def make_ready(
    driver: Driver,
    timeout: float,
    *,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Finding, ...]:
    """Waits for a phone that is still starting, and turns its screen on. Returns what a run should be told.

    Raises ``DeviceTimeout`` where it has not started within ``timeout`` seconds, ``DeviceError`` where it is
    locked.
    """
    deadline = now() + timeout
    findings = {finding.name: finding for finding in quick_checks(driver)}
    while _is(findings, "boot", "fail"):
        if now() >= deadline:
            raise DeviceTimeout(
                f"{driver.uri} was still starting after {timeout:g} s. Next: wait until its home screen shows, or "
                "set a longer replicant_device_timeout",
                device=driver.uri,
            )
        sleep(_BOOT_POLL)
        findings = {finding.name: finding for finding in quick_checks(driver)}
    if _is(findings, "screen", "warn"):
        findings = _woken(driver, now, sleep)
    if _is(findings, "lock", "fail"):
        raise as_error(driver.uri, findings["lock"])
    storage = findings.get("storage")
    return (storage,) if storage is not None and storage.status in ("warn", "fail") else ()


def _woken(driver: Driver, now: Callable[[], float], sleep: Callable[[float], None]) -> dict[str, Finding]:
    """What is found once its screen is on. One that stays dark is told by the tests better than by this."""
    driver.wake()
    deadline = now() + _WAKE_SECONDS
    while True:
        findings = {finding.name: finding for finding in quick_checks(driver)}
        if not _is(findings, "screen", "warn") or now() >= deadline:
            return findings
        sleep(_WAKE_POLL)


def _is(findings: dict[str, Finding], name: str, status: str) -> bool:
    return name in findings and findings[name].status == status
