"""``DeviceSession``, the object that a test holds, and ``build_session``.

Its actions are in ``actions``, its checks in ``checks``, its reads in ``queries``.
"""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from ..clock import Clock, SystemClock
from ..drivers import Capability
from ..errors import UsageError
from .actions import Actions
from .checks.checks import ScreenChecks
from .device_log.crashes import ended_by_nobody
from .device_log.log import DeviceLog
from .queries import Queries
from .recording.trace import Recorder
from .scopes import Scopes
from .settings import SessionSettings
from .stabilize.observer import Observer
from .step import SessionContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..clock import Clock
    from ..drivers import Driver, SystemDialogs
    from ..model import Element, Failure, Recovery, RecoveryState, Selector

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


class DeviceSession(Queries, Scopes, Actions, ScreenChecks):
    """One phone in one test.

    Actions return an ``Expectation``; each takes ``timeout`` (seconds until its target must be actionable) and
    ``silent`` (no read afterwards). Checks on the session itself look at the current screen. Lengths are device
    pixels. Raises ``ActionFailed`` for an action that could not be done, ``UsageError`` for a wrong call, and
    ``DeviceError`` where the phone is in trouble.
    """

    def __init__(
        self,
        driver: Driver,
        *,
        recorder: Recorder,
        clock: Clock,
        settings: SessionSettings | None = None,
        app: str | None = None,
        recover: Callable[[DeviceSession, Failure, RecoveryState], Recovery | None] | None = None,
    ) -> None:
        settings = settings or SessionSettings()
        observer = Observer(driver, clock, settings, recorder.keep_snapshot)
        ask = partial(recover, self) if recover is not None else None
        log = DeviceLog(driver, clock)
        self._context = SessionContext(driver, observer, clock, settings, recorder, log, ask, app or "")
        self._app = app

    @property
    def launched(self) -> list[str]:
        """The apps that this session started, the newest last."""
        return self._context.launched

    @property
    def settings(self) -> SessionSettings:
        """The numbers that this session works by, and what recovery may do in this test."""
        return self._context.settings

    def resolved_before(self, selector: Selector) -> Element | None:
        """The element that an action's selector was last resolved to in this test; for recovery policies."""
        return self._context.meant.get(selector)

    def ended_by_nobody(self, app: str) -> bool:
        """Whether this is an app that the test started and did not stop, and that does not run any more, on a
        phone that does not tell of crashes; for recovery policies."""
        context = self._context
        return Capability.CRASHES not in context.driver.capabilities and app in ended_by_nobody(context)

    @property
    def system_dialogs(self) -> SystemDialogs:
        """How this platform's own dialogs look: whose packages they are, and which buttons answer what."""
        return self._context.driver.system_dialogs

    if not TYPE_CHECKING:  # a checker knows which names there are

        def __getattr__(self, name: str) -> NoReturn:
            """For who knows another tool: what its name for it is here."""
            here = ELSEWHERE.get(name)
            hint = f"; here that is mobile.{here}" if here else ""
            raise AttributeError(f"a DeviceSession has no {name!r}{hint}", name=name, obj=self)

    def __repr__(self) -> str:
        return f"<DeviceSession {self._context.driver.uri}>"


Mobile: TypeAlias = DeviceSession
"""The type of the fixture ``mobile``, for annotations."""


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
