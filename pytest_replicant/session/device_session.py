"""``DeviceSession``, the object that a test holds, and ``build_session``.

Its actions are in ``actions``, its checks in ``checks``, its reads in ``queries``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from ..clock import Clock, SystemClock
from ..drivers import Driver
from ..errors import UsageError
from ..model import Failure, Recovery, RecoveryState
from .actions.apps import AppActions
from .actions.controls import ControlActions
from .actions.device import DeviceActions
from .actions.gestures import GestureActions
from .arguments import describe
from .checks.checks import ScreenChecks
from .device_log.log import DeviceLog
from .leftovers import close_crash_dialogs
from .queries import Queries, RecoveryContext
from .recording.trace import Recorder
from .scopes import Scopes
from .settings import SessionSettings
from .stabilize.observer import Observer
from .step import SessionContext

ELSEWHERE = {
    "click": "tap(...)",
    "dblclick": "double_tap(...)",
    "press": "press_key(...), or tap(...)",
    "type": "fill(..., value=...)",
    "send_keys": "fill(..., value=...)",
    "type_text": "fill(..., value=...)",
    "check": "tap(...), or adjust(..., to=True)",
    "goto": "open_url(...)",
    "get": "open_url(...)",
    "locator": "find(...), or by(...) as a value",
    "find_element": "find(...)",
    "find_elements": "find_all(...)",
    "get_by_text": "find(text=...)",
    "get_by_role": "find(role=...)",
    "wait": "wait_for(...)",
    "sleep": "wait_for(...), or wait_for_change()",
    "expect": "expect_visible(...) and the other expect_...",
    "expect_text": "expect_state(..., text=...)",
    "expect_value": "expect_state(..., value=...)",
    "expect_enabled": "expect_state(..., enabled=True)",
    "expect_checked": "expect_state(..., checked=True)",
    "expect_hidden": "expect_gone(...)",
    "expect_not_visible": "expect_gone(...)",
}
"""What Playwright and Appium call it, for who comes from there."""


class DeviceSession(Queries, Scopes, AppActions, GestureActions, ControlActions, DeviceActions, ScreenChecks):
    """One phone in one test.

    Actions return an ``Expectation``; each takes ``timeout`` (seconds until its target must be actionable) and
    ``silent`` (no read afterwards). Checks on the session itself look at the current screen. Lengths are device
    pixels. Raises ``ActionFailed`` for an action that could not be done, ``UsageError`` for a wrong call, and
    ``DeviceError`` where the phone is in trouble.
    """

    if not TYPE_CHECKING:  # a checker knows which names there are

        def __getattr__(self, name: str) -> NoReturn:
            """For who knows another tool: what its name for it is here."""
            here = ELSEWHERE.get(name)
            hint = f"; here that is mobile.{here}" if here else ""
            raise AttributeError(f"a DeviceSession has no {name!r}{hint}", name=name, obj=self)

    def __repr__(self) -> str:
        within = f" within {describe(self._scope)}" if self._scope is not None else ""
        phone: Driver | _Ended = self._context.driver
        return f"<DeviceSession {phone.name if isinstance(phone, _Ended) else phone.uri}{within}>"


Mobile: TypeAlias = DeviceSession
"""The type of the fixture ``mobile``, for annotations."""


def build_session(
    driver: Driver,
    *,
    app: str | None = None,
    clock: Clock | None = None,
    recover: Callable[[RecoveryContext, Failure, RecoveryState], Recovery | None] | None = None,
    **settings: Any,
) -> tuple[DeviceSession, Recorder]:
    """A session on the driver, and its recorder. ``recover`` is asked for each failure; without it none is
    recovered. ``settings`` are fields of ``SessionSettings``; raises ``UsageError`` for another name."""
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
    recorder.noticed = getattr(driver, "noticed", recorder.noticed)
    observer = Observer(driver, clock, chosen, recorder.keep_snapshot)
    observer.pictures.redactor = recorder.redactor
    recorder.gestures = lambda: observer.pictures.forgotten
    context = SessionContext(driver, observer, clock, chosen, recorder, DeviceLog(driver, clock), app=app or "")
    if recover is not None:
        context.ask = partial(recover, RecoveryContext(context))
        observer.at_first = partial(close_crash_dialogs, context)
    return DeviceSession(context), recorder


def launched_apps(session: DeviceSession) -> dict[str, bool]:
    """The apps that the session started, the newest last, and of each whether the test has named it; for whoever
    resets them when the test has ended. One that it only touched, as the home screen, is none of them."""
    context = session._context
    return {app: app not in context.led_to for app in context.launched}


def end_session(session: DeviceSession, why: str) -> None:
    """Makes a session refuse to work: its phone is given back, and may be in other hands. Its results stay, and
    snapshots say what they hold without asking the phone."""
    context = session._context
    ended: Any = _Ended(
        f"this session has ended: {why}. Next: use the session of the test that is running",
        f"{context.driver.uri} (ended)",
    )
    context.observer.end(ended)
    context.driver = context.observer = ended


class _Ended:
    """Stands for the phone of a session that has ended; its ``name`` is for those who look at it."""

    def __init__(self, why: str, name: str) -> None:
        self._why = why
        self.name = name

    def __getattr__(self, name: str) -> NoReturn:
        raise UsageError(self._why)
