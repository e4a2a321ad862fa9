"""``DeviceSession``, the object that a test holds, and ``build_session``.

Its actions are in ``actions``, its checks in ``checks``, its reads in ``queries``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ..cassettes import TakenOver
from ..clock import Clock, SystemClock
from ..drivers import Driver
from ..errors import UsageError
from ..model import Failure, HasSelector, Recovery, RecoveryState, Selector, SelectorKeywords
from .actions.apps import AppActions
from .actions.controls import ControlActions
from .actions.device import DeviceActions
from .actions.gestures import GestureActions
from .arguments import as_selector, describe
from .checks.checks import ScreenChecks
from .device_log.log import DeviceLog
from .guard import Guard
from .locator import Locator
from .other_names import OtherNames
from .prompts import close_leftovers
from .queries import Queries, RecoveryContext
from .recording.trace import Keeping, Recorder
from .scopes import Scopes
from .settings import SecondsLeft, SessionSettings
from .stabilize.observer import Observer
from .step import BaselineFiles, NoTape, SessionContext, Tape

if TYPE_CHECKING:
    from typing_extensions import Unpack


class DeviceSession(
    Queries, Scopes, AppActions, GestureActions, ControlActions, DeviceActions, ScreenChecks, OtherNames
):
    """One phone in one test.

    Actions return an ``Expectation``; each takes ``timeout`` (seconds until its target must be actionable) and
    ``silent`` (no read afterwards). Checks on the session itself look at the current screen. Lengths are device
    pixels. Raises ``ActionFailed`` for an action that could not be done, ``UsageError`` for a wrong call, and
    ``DeviceError`` where the phone is in trouble.
    """

    def locator(self, target: Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]) -> Locator:
        """A description of an element, bound to this session: looked up at each use, and so never stale. Takes
        keywords, or a constant that ``by(...)`` made."""
        wanted = as_selector("locator", target, by, scope=self._scope)
        return Locator(self._context, wanted, soft=self._is_soft)

    def __repr__(self) -> str:
        within = f" within {describe(self._scope)}" if self._scope is not None else ""
        ended = self._context.ended
        return f"<DeviceSession {ended.name if ended is not None else self._context.phone}{within}>"


OtherNames._on_session = frozenset(name for name in dir(DeviceSession) if not name.startswith("_"))

Mobile: TypeAlias = DeviceSession
"""The type of the fixture ``mobile``, for annotations."""


def build_session(
    driver: Driver,
    *,
    app: str | None = None,
    clock: Clock | None = None,
    recover: Callable[[RecoveryContext, Failure, RecoveryState], Recovery | None] | None = None,
    tape: Tape | None = None,
    guard: Guard | None = None,
    pause: Callable[[DeviceSession, str], None] | None = None,
    baselines: BaselineFiles | None = None,
    reading_on: SecondsLeft | None = None,
    keeping: Keeping | None = None,
    left: TakenOver | None = None,
    **settings: Any,
) -> tuple[DeviceSession, Recorder]:
    """A session on the driver, and its recorder. ``recover`` is asked for each failure; without it none is
    recovered. ``tape`` is what it is recorded on, or replayed from. ``guard`` says what is not to be touched,
    ``pause`` is what its method of that name does, ``baselines`` are the files that its checks compare with.
    ``reading_on`` is what is left for reading on about failed checks, of sessions that share it. ``keeping`` says
    how it is reported. ``left`` is what an earlier session on the same phone left: what is on the screen of it is
    closed, as the dialog of a crash. ``settings`` are fields of ``SessionSettings``; raises ``UsageError`` for
    another name."""
    known = {item.name for item in fields(SessionSettings)}
    for name in settings:
        if name not in known:
            raise UsageError(f"a session has no setting {name!r}; it takes app, {', '.join(sorted(known))}")
    chosen = SessionSettings(**settings)
    clock = clock or SystemClock()
    tape = tape if tape is not None else NoTape()
    recorder = Recorder(
        clock,
        device={"uri": driver.uri, **driver.info.to_dict()},
        screenshot=driver.listener.report_picture if chosen.screenshots and chosen.trace else None,
        notices=driver.notices,
        sparing=driver.traits.dear_pictures,
        keeps_screens=chosen.trace,
        gestures=lambda: observer.pictures.forgotten,
        announce=tape.step,
        keeping=keeping,
    )
    prompts, left = left is not None, left or TakenOver()
    begins = partial(close_leftovers, prompts=prompts) if recover is not None or prompts else None
    observer = Observer(
        driver,
        clock,
        chosen,
        recorder.keep_snapshot,
        recorder.redactor,
        at_first=(lambda screen: begins(context, screen)) if begins is not None else None,
    )
    context = SessionContext(
        driver,
        observer,
        clock,
        chosen,
        recorder,
        DeviceLog(driver, clock),
        ask=(lambda *failed: recover(RecoveryContext(context), *failed)) if recover is not None else None,
        app=app or "",
        tape=tape,
        guard=guard,
        pause=(lambda spot: pause(session, spot)) if pause is not None else None,
        baselines=baselines,
        reading_on=reading_on or SecondsLeft(),
        launched=[*left.launched],
        touched=dict.fromkeys(left.touched),
        stopped=set(left.stopped),
        removed=set(left.removed),
        led_to=set(left.led_to),
    )
    if prompts:
        context.log.begin_action()  # an app may die of what the earlier test did, before anything is sent
    session = DeviceSession(context)
    return session, recorder


def launched_apps(session: DeviceSession) -> dict[str, bool]:
    """The apps that the session started, the newest last, and of each whether the test has named it; for what
    resets them when the test has ended. One that it only touched, as the home screen, is none of them."""
    context = session._context
    return {app: app not in context.led_to for app in context.launched}


def end_session(session: DeviceSession, why: str) -> None:
    """Makes a session refuse to work: its phone is given back, and may be in other hands. Its results stay, and
    snapshots say what they hold without asking the phone."""
    session._context.end(f"this session has ended: {why}. Next: use the session of the test that is running")
