"""``DeviceSession``, the object that a test holds, ``build_session``, and what a fixture does with
the session.

Its actions are in ``actions``, its checks in ``checks``, its reads in ``queries``; its scopes are
here: groups, interruptions, and views of a part of the screen. A phone that several sessions use in
turn has its part behind that: what the next one takes over, and the proof of a state.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..cassettes import TakenOver
from ..drivers import Capability, Driver
from ..errors import DeviceError, DeviceOffline, SnapshotError, UsageError
from ..model import (
    Attachment,
    Clock,
    Failure,
    HasSelector,
    Recovery,
    RecoveryState,
    Screen,
    Selector,
    SelectorKeywords,
    SystemClock,
    screen_text,
)
from ..snapshots import Snapshot
from .actionability import is_on
from .actions.controls import ControlActions
from .actions.device import AppActions, DeviceActions
from .actions.gestures import GestureActions
from .arguments import (
    Target,
    TargetLike,
    as_selector,
    checked_name,
    checked_target,
    checked_whole,
    describe,
)
from .checks import elements, screens
from .checks.check import Baseline, Check, CheckInput, Failed, Verdict, await_check
from .checks.checks import ScreenChecks
from .checks.screens import CustomCheck, custom_check
from .device_log.evidence import died_unexpectedly
from .device_log.log import DeviceLog
from .guard import Guard
from .locator import Locator
from .other_names import OtherNames
from .prompts import close_leftovers
from .queries import Queries, RecoveryContext
from .recording.failures import structure_of
from .recording.screens import Keeping, Screens
from .recording.trace import Recorder, line_in_test
from .settings import SecondsLeft, SessionSettings
from .stabilize.observer import Observer
from .stabilize.reads import Reads, settle
from .step import BaselineFiles, NoTape, SessionContext, SessionView, Tape

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Value = TypeVar("Value")


class Scopes(SessionView):
    """Scopes of a part of a test, and attachments to its trace."""

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Names a group of actions in every report; groups may hold groups."""
        checked_name(title, f'step({title!r}): the title is a string, as in step("Pay")')
        self._context.refuse_when_ended()
        with self._context.recorder.group(title):
            yield

    def attach(self, name: str, data: bytes | str, media_type: str = "text/plain") -> None:
        """Puts a piece of evidence into every report, under that name; a string is written as
        UTF-8."""
        checked_name(name, f"attach({name!r}): the name is a string")
        if not isinstance(data, (bytes, str)):
            raise UsageError(
                f"attach({name!r}): the data is bytes or a string, not {type(data).__name__}"
            )
        if not isinstance(media_type, str) or "/" not in media_type:
            raise UsageError(
                f'attach({name!r}): {media_type!r} is no media type such as "text/plain"'
            )
        self._context.refuse_when_ended()
        body = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        self._context.recorder.attachments.append(Attachment(name, media_type, body))

    def recorded(self, name: str, make: Callable[[], Value]) -> Value:
        """The value of ``make()``, which a replay of this test gets in place of a new one: a uuid,
        today, a user made over HTTP. It is data: texts, numbers, dates, UUIDs, and lists, tuples,
        sets and dicts of them."""
        checked_name(
            name,
            f'recorded({name!r}, ...): the name is a string, as in recorded("user", make_user)',
        )
        if not callable(make):
            raise UsageError(
                f"recorded({name!r}, {make!r}): give the function that makes it, not its value"
            )
        self._context.refuse_when_ended()
        value: Value = self._context.tape.value(name, make)
        return value

    @contextmanager
    def on_interrupt(
        self, target: TargetLike, do: Callable[[Self], object], times: int = 1
    ) -> Iterator[Interruption]:
        """For what may come up at any moment, such as a request to rate the app. Whenever an action
        or check that waits for the screen sees ``target``, ``do(mobile)`` is called to close it, at
        most ``times`` times. The waiting goes on as if it had not been there. Yields an object with
        a ``count``."""
        wanted = checked_target("on_interrupt", target)
        if not callable(do):
            advice = 'on_interrupt(by(text="Rate us"), lambda mobile: mobile.tap(text="Later"))'
            raise UsageError(
                f"on_interrupt(do={do!r}): a function of the session that closes it", advice=advice
            )
        checked_whole("on_interrupt", "times", times, 1)
        context = self._context
        whole = self._view(
            scope=None, soft=self._is_soft
        )  # an interruption of a part lies over the whole screen
        title = f"interrupt: {describe(wanted)}"
        announced = Interruption(context, wanted, lambda: do(whole), times, title)
        context.observer.invalidate()  # what was read before was not looked at for it
        context.interrupts.append(announced)
        try:
            yield announced
        finally:
            context.interrupts.remove(announced)

    def within(self, target: TargetLike | None = None, /, **by: Unpack[SelectorKeywords]) -> Self:
        """A view of one part of the screen: the same actions, reads and checks, with every selector
        meant inside ``target``. Refs, elements and locators, whole snapshots, and what an action
        returns are not confined."""
        return self._view(scope=self._target("within", target, by), soft=self._is_soft)

    def pause(self) -> None:
        """Stops the test here, for looking and acting by hand. In a terminal there is a prompt.
        Without one the command to attach by is printed, and it goes on if none comes for ten
        minutes. Under CI it raises ``UsageError``, as no one would come. Outside a test it shows
        the screen and waits for Enter."""
        if self._context.pause is not None:
            self._context.refuse_while_asking("pause")
            self._context.pause(line_in_test()[0])
        elif sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty():
            outline = settle(self._context).snapshot.outline()
            input(
                f"{self._context.recorder.redactor.text(outline)}\n{self!r} is paused; Enter goes "
                "on. "
            )
        else:
            raise UsageError(
                "pause(): no terminal is attached; pytest captures input and output: pytest -s"
            )
        self._context.observer.invalidate()  # somebody may have used the phone meanwhile


@dataclass(eq=False)
class Interruption:
    """One ``on_interrupt``. ``count`` is how often it was met."""

    _context: SessionContext
    _target: Target
    _do: Callable[[], object]
    _times: int
    title: str
    count: int = 0
    _is_dealt_with: bool = False  # and was not seen to be gone yet

    def shows(self, snapshot: Snapshot) -> bool:
        """Whether it has come up, as long as there is anything to be done about it."""
        is_on = self._is_on(snapshot)
        self._is_dealt_with &= is_on is not False
        return is_on is True and (self._is_dealt_with or self.count < self._times)

    def meet(self, snapshot: Snapshot) -> None:
        """Does what the test wants done, once for each time that it comes up. Raises ``UsageError``
        if that did not make it go away. An error of the phone's ends the test: what was done by
        then may not be done twice."""
        context, observer = self._context, self._context.observer
        with suppress(DeviceError):
            observer.poll_toast()  # the next action clears it
        # without affecting the interrupted action or check: its trace, its reads, its log window
        with context.interrupted(snapshot), context.recorder.apart(self.title), context.log.apart():
            try:
                with observer.apart(snapshot):
                    self._close()
                    with suppress(DeviceError):
                        observer.poll_toast()  # of the handler's last action
            finally:
                observer.invalidate()
                with suppress(DeviceError):
                    observer.clear_toast()

    def _is_on(self, snapshot: Snapshot) -> bool | None:
        return is_on(self._context.observer, snapshot, self._target)

    def _close(self) -> None:
        """A read that fails proves nothing: if the screen cannot be read, the wait finds out."""
        if not self._is_dealt_with:
            self._is_dealt_with = True
            self.count += 1
            try:
                self._do()
            except (DeviceError, SnapshotError) as error:
                error.give_up()
                raise
        context = self._context
        seconds = context.settings.action_timeout
        for reading in Reads(context, seconds):
            if reading and self._is_on(reading.snapshot) is False:
                self._is_dealt_with = False
                return
        if reading:
            raise UsageError(
                f"on_interrupt({describe(self._target)}) on {context.phone}: it is still on the "
                f"screen {seconds:g} s after what was to be done about it. Does that close "
                f"it?\n{screen_text(reading.snapshot)}"
            )


class DeviceSession(
    Queries,
    Scopes,
    AppActions,
    GestureActions,
    ControlActions,
    DeviceActions,
    ScreenChecks,
    OtherNames,
):
    """One phone in one test.

    Actions return an ``Expectation``; each takes ``timeout`` (seconds until its target must be
    actionable) and ``silent`` (no read afterwards). Checks on the session itself look at the
    current screen. Lengths are device pixels. Raises ``ActionFailed`` for an action that could not
    be done, ``UsageError`` for a wrong call, and ``DeviceError`` where the phone is in trouble.
    """

    def locator(
        self, target: Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]
    ) -> Locator:
        """A description of an element, bound to this session: looked up at each use, and so never
        stale. Takes keywords, or a constant that ``by(...)`` made."""
        wanted = as_selector("locator", target, by, scope=self._scope)
        return Locator(self._context, wanted, soft=self._is_soft)

    def __repr__(self) -> str:
        within = f" within {describe(self._scope)}" if self._scope is not None else ""
        ended = self._context.ended
        return f"<DeviceSession {ended.name if ended else self._context.phone}{within}>"


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
    """A session on the driver, and its recorder. ``recover`` is asked for each failure; without it
    none is recovered. ``tape`` is what it is recorded on, or replayed from. ``guard`` says what to
    leave alone, ``pause`` is what its method of that name does, ``baselines`` are the files that
    its checks compare with. ``reading_on`` are the seconds that sessions have left for reading on
    about failed checks. ``keeping`` says how it is reported. ``left`` is what an earlier session on
    the same phone left: its remains on the screen are closed, as the dialog of a crash.
    ``settings`` are fields of ``SessionSettings``; raises ``UsageError`` for another name."""
    known = {item.name for item in fields(SessionSettings)}
    for name in settings:
        if name not in known:
            raise UsageError(
                f"a session has no setting {name!r}; it takes app, {', '.join(sorted(known))}"
            )
    chosen = SessionSettings(**settings)
    clock = clock or SystemClock()
    tape = tape or NoTape()
    keeping = keeping or Keeping()
    kept = Screens(
        keeping,
        driver.listener.report_picture if chosen.screenshots and chosen.trace else None,
        lambda: observer.pictures.forgotten,
        chosen.trace,
        driver.traits.dear_pictures,
    )
    recorder = Recorder(
        clock,
        kept,
        keeping,
        {"uri": driver.uri, **driver.info.to_dict()},
        driver.notices,
        tape.step,
    )
    prompts, left = left is not None, left or TakenOver()
    observer = Observer(
        driver,
        clock,
        chosen,
        kept.keep,
        recorder.redactor,
        lambda screen: close_leftovers(context, screen, prompts=prompts),
    )
    context = SessionContext(
        driver,
        observer,
        clock,
        chosen,
        recorder,
        kept,
        DeviceLog(driver, clock),
        tape,
        (lambda *failed: recover(RecoveryContext(context), *failed))
        if recover is not None
        else None,
        (lambda spot: pause(session, spot)) if pause is not None else None,
        baselines,
        reading_on or SecondsLeft(),
        app or "",
        guard,
        left,
    )
    if prompts:
        # an app may die of what the earlier test did, before anything is sent
        context.log.begin_action()
    session = DeviceSession(context)
    return session, recorder


Proof: TypeAlias = Selector | Screen | CustomCheck
"""What shows on the screen that a state holds."""


class ScopedSession(DeviceSession):
    """The session of whichever test is running, for a fixture of wider scope. What it returns is of
    that test alone, its views too. ``current`` gives that session, or raises ``UsageError`` if
    there is none."""

    def __init__(self, current: Callable[[], DeviceSession]) -> None:
        self._current = current
        self._scope, self._is_soft = None, False

    @property
    def _context(self) -> Any:  # type: ignore[override]
        return self._current()._context

    def __repr__(self) -> str:
        try:
            return super().__repr__()
        except UsageError:
            return "<DeviceSession (ended)>"

    def step(self, title: str) -> AbstractContextManager[None]:  # type: ignore[override]
        return self._current().step(
            title
        )  # which ends where it began, though another test may run by then

    def _view(self, **how: Any) -> Any:
        return self._current()._view(**how)


def note_dead_apps(session: DeviceSession) -> None:
    """Where a phone reports no crashes, an app that is gone by now is none that the next test has
    lost. Raises ``DeviceError``."""
    context = session._context
    if Capability.CRASHES not in context.driver.capabilities:
        for app in died_unexpectedly(context):
            context.note_app(app, stopped=True)


def check_of(session: DeviceSession, state: str, proof: object) -> Check:
    """The check that the proof of a state stands for. Raises ``UsageError`` for anything else."""
    if isinstance(proof, CustomCheck):
        return custom_check(proof, session._context)
    if isinstance(proof, Screen):
        return screens.screen_is(proof)
    if isinstance(proof, Selector):
        return elements.visible(proof)
    raise UsageError(
        f"state {state}: proof={proof!r}: a proof is something on the screen: by(text=...), "
        "Screen(...), or a check of your own"
    )


def why_not_proven(session: DeviceSession, check: Check) -> str:
    """What was seen where the check does not hold; else "". It takes one read, or none if the last
    one still counts. A failed read proves nothing. Raises ``DeviceOffline``."""
    return _why_not(session, replace(check, holds="once", stays=0.0), 0.0)


def came_back(session: DeviceSession, check: Check, passed: set[str] | None) -> bool:
    """Whether a check holds once an app was launched, in the time-out of actions: no longer than
    ``AT_REST`` on a screen that is none of those ``passed`` on the way to it, which are noted if it
    holds. All of the time-out if these are not known. Raises ``DeviceOffline``."""
    if passed is None:
        return not _why_not(session, check, session._context.settings.action_timeout)
    context, volatile = session._context, session._context.observer.volatile
    last: Snapshot | None = None  # the last read, and since when the screen is at rest
    since = 0.0

    def test(look: CheckInput) -> Verdict:
        nonlocal last, since
        found, now, here = check.test(look), context.clock.now(), look.snapshot
        rested = last is not None and volatile.alike(last, here)
        if volatile.loads(here) or not rested:
            since = now
        last = here
        elsewhere = now - since >= AT_REST and structure_of(here) not in passed
        return Failed(found.observed, final=True) if elsewhere and not found.held else found

    why = _why_not(session, replace(check, test=test), context.settings.action_timeout)
    if not why:
        passed.update(map(structure_of, context.observer.seen))
    return not why


AT_REST = 2.0
"""Seconds: longer than screens of a start stand still on their way to the next, but for those that
wait for a backend, which are known once one was passed."""


def _why_not(session: DeviceSession, check: Check, seconds: float) -> str:
    try:
        outcome = await_check(session._context, check, seconds, Baseline())
    except DeviceOffline:
        raise
    except (DeviceError, SnapshotError) as error:
        return f"the screen could not be read: {error.what}"
    return "" if outcome.held else f"{check.kind} {check.expected}: {outcome.observed}"
