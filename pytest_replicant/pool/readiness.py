"""Readiness of a phone for tests: started, awake, unlocked. One command asks, and a run waits or acts on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..clock import Clock, SystemClock, come_true
from ..drivers import Capability, Driver
from ..errors import DeviceError, DeviceTimeout
from .android_state import LOCKED, QUICK_CHECKS, QUICK_QUESTION, read_state
from .findings import Finding, PhoneUnfit, unfit

ASK_SECONDS = 10.0
_BOOT_POLL = 0.5
_LIT_SECONDS = 3.0  # the window manager shows a little later what was asked of it
_LIT_POLL = 0.1
_UNLOCK = ("wm", "dismiss-keyguard")  # one with a PIN asks for it, and stays

_NEEDED = ("lock",)  # other failures are waited for or only reported


def quick_checks(driver: Driver) -> tuple[Finding, ...]:
    """One command on Android. None elsewhere: connecting to WebDriverAgent has asked what can be."""
    if not driver.traits.android_commands or Capability.SHELL not in driver.capabilities:
        return ()
    return quick_findings(driver.shell(QUICK_QUESTION, ASK_SECONDS).stdout)


def quick_findings(answer: str) -> tuple[Finding, ...]:
    """Of the answer to ``QUICK_QUESTION``; ``finding.unfit`` says whether the phone can be used."""
    state = read_state(answer)
    return tuple(check(state) for check in QUICK_CHECKS)


def why_unfit(host: str, port: int, serial: str, seconds: float = ASK_SECONDS) -> str:
    """Why no test can begin on a phone behind an adb server, "" where one can. Opens nothing there; asked in
    threads, many phones take no longer than one. One that is still starting will be waited for."""
    from ..drivers import ask

    try:
        findings = quick_findings(ask(host, port, serial, QUICK_QUESTION, seconds))
    except DeviceError as error:
        return str(error)
    return unfit(finding for finding in findings if finding.name in _NEEDED)


def why_unusable(driver: Driver) -> str:
    """Why a phone in use can be used no more, "" if nothing is known against it. One that only shows a dark
    screen, or a lock screen that asks for nothing, can be."""
    try:
        if Capability.LOCK in driver.capabilities:
            return LOCKED.found if driver.is_locked() else ""
        driver.app_in_front()  # whether it answers at all
        return ""
    except DeviceError as error:
        return str(error)


def make_ready(driver: Driver, timeout: float, clock: Clock | None = None) -> tuple[Finding, ...]:
    """Waits for a phone that is still starting, turns its screen on, opens a lock screen that asks for nothing.
    Returns warnings for the run.

    Raises ``DeviceTimeout`` where it has not started within ``timeout`` seconds, ``PhoneUnfit`` where it stays
    locked.
    """
    phone = _Phone(driver, clock or SystemClock())
    if not phone.comes_to("boot", timeout, _BOOT_POLL):
        raise still_starting(driver.uri, timeout)
    if not phone.is_fine("screen"):
        driver.wake()
        phone.comes_to("screen", _LIT_SECONDS, _LIT_POLL)
    if not phone.is_fine("lock"):
        driver.shell(_UNLOCK, ASK_SECONDS)
        if not phone.comes_to("lock", _LIT_SECONDS, _LIT_POLL):
            raise PhoneUnfit(f"{driver.uri} cannot be tested on: {LOCKED}", device=driver.uri)
    return tuple(phone.findings[name] for name in ("storage",) if not phone.is_fine(name))


@dataclass
class _Phone:
    """A phone and the findings of the last look."""

    driver: Driver
    clock: Clock
    findings: dict[str, Finding] = field(default_factory=dict)

    def is_fine(self, name: str) -> bool:
        """Also if nothing is known about it: that is no reason to do without the phone."""
        return name not in self.findings or self.findings[name].status in ("ok", "skip")

    def comes_to(self, name: str, seconds: float, poll: float) -> bool:
        """Whether it is fine in time. Looks at least once."""

        def look() -> bool:
            self.findings = {finding.name: finding for finding in quick_checks(self.driver)}
            return self.is_fine(name)

        return come_true(self.clock, look, seconds, poll)


_START_POLL = 0.5
_START_ASK_SECONDS = 5.0


def await_start(started: Callable[[float], bool], uri: str, timeout: float, clock: Clock | None = None) -> float:
    """Waits for a phone that says that it is still starting; one that does not answer is left to what connects
    to it. Returns the seconds that are left.

    Raises ``DeviceTimeout`` where it has not started within ``timeout`` seconds.
    """
    clock = clock or SystemClock()
    deadline = clock.now() + timeout
    seen = False
    while _is_starting(started, seen):
        seen = True
        if clock.now() + _START_POLL >= deadline:
            raise still_starting(uri, timeout)
        clock.sleep(_START_POLL)
    return max(deadline - clock.now(), 1.0)


def _is_starting(started: Callable[[float], bool], unknown: bool) -> bool:
    """``unknown`` where it does not answer: a phone that is starting drops off adb now and then."""
    try:
        return not started(_START_ASK_SECONDS)
    except DeviceError:
        return unknown


def has_started(host: str, port: int, serial: str, seconds: float) -> bool:
    """Whether Android is up, as it says itself. Raises ``DeviceError``."""
    from ..drivers import ask

    return ask(host, port, serial, "getprop sys.boot_completed", seconds).strip() == "1"


def still_starting(uri: str, timeout: float) -> DeviceTimeout:
    return DeviceTimeout(
        f"{uri} was still starting after {timeout:g} s. Next: wait until its home screen shows, or set a longer "
        "replicant_device_timeout",
        device=uri,
    )
