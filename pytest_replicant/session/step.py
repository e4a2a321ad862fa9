"""One action asked for (``Step``), the state it is performed with, and the failure of a stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeAlias

from ..cassettes import TakenOver
from ..drivers import Capability, Driver, Platform, Relay, phone_name
from ..errors import DeviceError, ReplicantError, TargetError, UsageError
from ..model import (
    AnyDict,
    Clock,
    Element,
    Failure,
    FailureCode,
    Line,
    Parted,
    Point,
    PublicMethods,
    Recovery,
    RecoveryState,
    Secret,
    Selector,
    Stage,
    Strings,
    Verb,
    verb_of,
    with_texts,
)
from ..snapshots import Snapshot
from .arguments import Target, TargetLike, as_target, checked_target, describe
from .device_log.log import DeviceLog
from .drawn import DrawnElement, Source, refuse_drawn
from .guard import Guard
from .recording.failures import failure_record, structure_of
from .recording.screens import Screens
from .recording.secret_fields import blank
from .recording.trace import Recorder, StepLog
from .settings import SecondsLeft, SessionSettings
from .stabilize.observer import Observer

if TYPE_CHECKING:
    from typing_extensions import Self


Ask = Callable[[Failure, RecoveryState], "Recovery | None"]
"""Callable that asks the recovery policies."""
Details: TypeAlias = Mapping[str, Any]
"""Facts of an action, by name, for the trace."""


class Tape(Protocol):
    """What a session is recorded on, or replayed from. ``hides``: a secret is typed now."""

    hides: bool = False

    def step(self, kind: str, title: str) -> None:
        """A step of the test begins: an "action", a "check" of one, or a "look" at the screen."""
        return

    def secret(self, value: str) -> str:
        """What the session works with in place of a secret."""
        return value

    def text(self, value: str) -> str:
        """A text of the test's as the screens have it: a recording hides what redaction hides."""
        return value

    def typed(self, value: str) -> str:
        """The same of a plain text that is typed next."""
        return value

    def value(self, name: str, make: Callable[[], Any]) -> Any:
        """Data that a test makes, or those that it made when it was recorded."""
        return make()

    def withdraw(self) -> None:
        """What was asked for last was no part of a proof."""
        return


class NoTape(Tape):
    """Nothing is recorded: all is as it was given."""


Meanwhile = Literal["asking", "preparing", "interrupted"]
"""What calls are made for: a recovery policy or a check of the test's own, which only look; to make
a state of the app; in the handler of an interruption."""
BaselineKind = Literal["looks", "accessibility"]


class BaselineFiles(Protocol):
    """The files next to the file of a test that its checks compare with."""

    proposed: dict[
        Path, Callable[[bytes | None], bytes]
    ]  # by their paths, as ``propose`` was given them

    def folder(self, kind: BaselineKind) -> Path:
        """Where those of this kind are: ``tests/looks/test_shop`` for ``tests/test_shop.py``."""

    def shown(self, path: Path) -> str:
        """The path for messages, as seen from the root of the project."""

    def updates(self, kind: BaselineKind) -> bool:
        """Whether this run writes those of this kind."""

    def propose(self, path: Path, make: Callable[[bytes | None], bytes]) -> None:
        """Has a file written when the test has ended green. ``make`` is given what it holds then,
        None if there is none, and returns what it is to hold. Raises ``UsageError`` for a path
        outside of the test's folder."""


class Interrupt(Protocol):
    """An announced interruption, which every wait for the screen looks out for."""

    title: str

    def shows(self, snapshot: Snapshot) -> bool:
        """Whether the screen shows it and it is still to be handled."""

    def meet(self, snapshot: Snapshot) -> None:
        """Runs the test's handler. Raises ``UsageError`` if the interruption stays."""


@dataclass
class SessionContext:
    """The state of a session, which every stage works with; made once.

    ``app`` is the app under test, "" if none was named; ``apps`` are those that the session
    started, in order, touched, ended and has not started since, and uninstalled, with those of the
    started ones that the test never named, as a link led there; ``starting`` is the one whose start
    began last. ``last_resolved`` holds the element that each selector was last resolved to,
    ``before_latest`` the screen before the latest action, ``handed`` the last one that the test was
    given; ``read_on``: a soft or nested check has been read on about, for which ``reading_on`` are
    the seconds left; ``meanwhile`` says what the running calls are made for, ``lost_for`` how many
    seconds went into a phone that is still lost. ``guard`` says what to leave alone, None for
    nothing. ``pause`` hands the session to a person, at a line of the test; None if there is none.
    ``baselines`` are the files that checks compare with; None if no test file is known. ``sends``
    is how much of the latest action may have reached the app. ``ended`` stands for the phone of a
    session that has ended.
    """

    driver: Driver
    observer: Observer
    clock: Clock
    settings: SessionSettings
    recorder: Recorder
    screens: Screens
    log: DeviceLog
    tape: Tape
    ask: Ask | None
    pause: Callable[[str], None] | None
    baselines: BaselineFiles | None
    reading_on: SecondsLeft
    app: str
    guard: Guard | None  # set by an explorer, for one step
    # actions change these, by ``note_app`` and ``note_action``
    apps: TakenOver
    starting: str = ""
    last_resolved: dict[Selector, Element] = field(default_factory=dict)
    before_latest: Snapshot | None = None
    sends: int = 0
    # what the test is given, and what runs meanwhile
    handed: Snapshot | None = None
    meanwhile: list[Meanwhile] = field(default_factory=list)
    interrupts: list[Interrupt] = field(default_factory=list)
    # checks, recovery and the end of the session change one each
    read_on: bool = False
    lost_for: float = 0.0
    ended: EndedPhone | None = None

    def as_recorded(self, selector: Selector) -> Selector:
        """The selector as the screens of a recording have its texts."""
        return with_texts(selector, self.tape.text)

    def known_secret(self, secret: Secret) -> Secret:
        """The secret as the session compares it, which no artifact shows from now on."""
        self.recorder.redactor.add(secret.value)
        return Secret(self.tape.secret(secret.value))

    @property
    def platform(self) -> Platform:
        return self.driver.info.platform

    def picture(self, snapshot: Snapshot) -> bytes:
        """The screen as PNG, secrets painted over, which a recording keeps as it is. Raises
        ``DeviceError``, and ``SnapshotError`` for bytes that are no picture."""
        png = blank(self.driver.screenshot(), snapshot, self.recorder.redactor)
        self.driver.listener.note_picture(png)
        return png

    @property
    def recovers(self) -> bool:
        """Whether what a policy answers is carried out."""
        return self.ask is not None and self.settings.recovery in ("allow", "fail")

    @property
    def newest_app(self) -> str:
        """The app that the test started last; "" if it started none."""
        return self.apps.launched[-1] if self.apps.launched else ""

    @property
    def launched_apps(self) -> dict[str, bool]:
        """The apps that the session started, the newest last, and of each whether the test has
        named it; for what resets them when the test has ended. One that it only touched, as the
        home screen, is none of them."""
        return {app: app not in self.apps.led_to for app in self.apps.launched}

    @property
    def cleared_apps(self) -> list[str]:
        """The apps whose data the session cleared, once for each time."""
        cleared = []
        for done in self.recorder.results:
            app = done.details.get("app")
            if app and (done.action_type == "clear_data" or done.details.get("fresh")):
                cleared.append(app)
        return cleared

    @property
    def replaced_apps(self) -> bool:
        """Whether the session installed or removed an app: another build proves nothing of the one
        before."""
        return any(one.action_type in ("install", "uninstall") for one in self.recorder.results)

    def other_app(self, app: str) -> str:
        """The app that fills the screen of the last read, where that is another one; "" if it is
        not known."""
        seen = self.observer.latest
        if not seen or seen.platform != "android" or seen.app == app:
            return ""
        return seen.app

    @contextmanager
    def passed_screens(self) -> Iterator[set[str]]:
        """Yields a set that holds the screens which were read meanwhile, once that is over, except
        those on which something was done: these lead nowhere by themselves."""
        passed, began = set[str](), self.clock.epoch_ms()
        yield passed
        events = map(self.recorder.event_of, (one.action_id for one in self.recorder.results))
        touched = {event.met_on for event in events if event and event.target is not None}
        read = [one for one in self.observer.earlier() if one.captured_at_ms >= began]
        passed.update(map(structure_of, read))
        passed.difference_update(structure_of(one) for one in read if one.id in touched)

    def known_app(self, verb: str, app: str | None) -> str:
        """The app that is meant: given, set for the session, or launched last. Raises
        ``UsageError`` for none."""
        name = app or self.app or self.newest_app
        if not name or not isinstance(name, str):
            raise UsageError(
                f"{verb}(): {app!r} names no app; name it by its package, as in "
                f'{verb}(app="dev.replicant.shop")'
            )
        if self.guard and verb_of(verb).kind == "action":
            self.guard.names(verb, name)
        return name

    def refuse_unknown_app(self, verb: str, app: str) -> None:
        """Raises ``UsageError`` for an app that is not installed, unless this test removed it: of a
        misspelt one everything bad is untrue. Where the phone does not tell, it is one that this
        test has seen."""
        if app in (*self.apps.launched, *self.apps.removed, *self.apps.touched, self.app):
            return
        wrong = "no such app is installed, and nothing can be said of it"
        advice = "is the name right? mobile.current_app says which app is in front"
        if Capability.INSTALL not in self.driver.capabilities:
            is_known = self.platform != "ios"
            wrong = (
                "this phone does not tell which apps are installed, and this test has neither "
                "launched nor used that one"
            )
            advice = "is the name right? Launch it first"
        else:
            is_known = self.driver.installed(app)
        if not is_known:
            raise UsageError(f"{verb}({app!r}) on {self.phone}: {wrong}", advice=advice)

    @cached_property
    def phone(self) -> str:
        """Names the phone in messages."""
        return phone_name(self.driver)

    def end(self, why: str) -> None:
        """Makes everything that needs the phone raise ``UsageError``: it may be in other hands. Its
        results stay, and snapshots say what they hold without asking it."""
        why = f"this session has ended: {why}. Next: use the session of the test that is running"
        self.ended = EndedPhone(why, f"{self.phone} (ended)")
        gone: Any = self.ended
        self.observer.end(gone)
        self.driver = self.observer = gone

    def refuse_when_ended(self) -> None:
        """Raises ``UsageError`` if the session has ended."""
        if self.ended:
            self.ended.refuse()

    def note_action(self, action: ActionContext, *, failed: bool) -> None:
        """An action has ended. The outline in an error is not given to the test: who only tries
        again has not looked at it. An action that leads elsewhere unseen leaves no screen to
        compare with."""
        self.sends, self.before_latest = action.sends.count, action.before or action.seen_before
        unseen = action.after is None and not action.step.targets and not action.step.kind.local
        if not failed:
            self.handed = None if unseen else action.after or self.handed

    def hand(self, snapshot: Snapshot | None) -> None:
        """The test is given this screen; None leaves it with the one before."""
        self.handed = snapshot or self.handed

    def note_read(self) -> None:
        """The test, and no policy, is given something that was read of the app."""
        if not self.is_asking:
            self.recorder.mark_read()

    def note_app(self, app: str, **became: bool) -> None:
        """What became of an app, by the names of the lists in ``apps``: it is added to those that
        are True, at the end, and taken from those that are False."""
        for name, is_now in became.items():
            known: Strings = getattr(self.apps, name)
            if (app in known) != is_now:
                names = (*known, app) if is_now else tuple(one for one in known if one != app)
                self.apps = replace(self.apps, **{name: names})

    @property
    def is_asking(self) -> bool:
        """Whether calls answer, and do nothing by themselves."""
        return "asking" in self.meanwhile

    @contextmanager
    def during(self, what: Meanwhile) -> Iterator[None]:
        """Calls made until the block ends are made for that."""
        self.meanwhile.append(what)
        try:
            yield
        finally:
            self.meanwhile.pop()

    @contextmanager
    def interrupted(self, snapshot: Snapshot) -> Iterator[None]:
        """A handler runs for what came up on this screen. Nothing interrupts it in turn, and what
        it is given is not given to the test."""
        handed, self.handed = self.handed, snapshot
        waiting = list(self.interrupts)
        self.interrupts.clear()
        try:
            with self.during("interrupted"):
                yield
        finally:
            self.interrupts[:] = waiting
            self.handed = handed

    @contextmanager
    def reconnecting(self) -> Iterator[float]:
        """Yields how many seconds are left for connecting to a lost phone again: a test that goes
        on with one does not pay for it twice."""
        began = self.clock.now()
        try:
            yield self.settings.reconnect_timeout - self.lost_for
            self.lost_for = 0.0
        except DeviceError:
            self.lost_for += self.clock.now() - began
            raise
        finally:
            self.observer.invalidate()

    def refuse_while_asking(self, verb: str) -> None:
        """Raises ``UsageError`` while a recovery policy is asked, which answers and does nothing by
        itself; and where the session has ended."""
        self.refuse_when_ended()
        if self.is_asking:
            raise UsageError(only_answers(verb))


class EndedPhone:
    """Stands for the phone of a session that has ended, and refuses everything; ``name`` is for
    messages."""

    def __init__(self, why: str, name: str) -> None:
        self.name = name
        self._why = why

    def refuse(self) -> NoReturn:
        raise UsageError(self._why)

    def __getattr__(self, name: str) -> NoReturn:
        self.refuse()


def only_answers(verb: str) -> str:
    """The message for an action or check that a recovery policy, or a check of the test's own,
    tries to make."""
    return (
        f"{verb}() in a recovery policy: a policy answers with a Recovery, and the session "
        "performs it; what has to be done first goes into before=(Remedy.tap(...),). A check of "
        "your own only looks, too"
    )


class SessionView(PublicMethods):
    """Base of all that a test calls on its session: a view of one ``SessionContext``. Selectors are
    meant inside ``scope``; with ``soft``, failed checks are collected instead of raised."""

    def __init__(
        self, context: SessionContext, *, scope: Target | None = None, soft: bool = False
    ) -> None:
        self._context = context
        self._scope = scope
        self._is_soft = soft

    def _view(self, *, scope: Target | None, soft: bool) -> Self:
        """Another view of the same session."""
        return type(self)(self._context, scope=scope, soft=soft)

    def _target(self, verb: str, target: TargetLike | None, by: Mapping[str, object]) -> Target:
        return self._of_now(verb, as_target(verb, target, by, scope=self._scope))

    def _checked(self, verb: str, target: object) -> Target:
        return self._of_now(verb, checked_target(verb, target, scope=self._scope))

    def _of_now(self, verb: str, target: Target) -> Target:
        """Raises ``UsageError`` for an element that was read before this session began, as by an
        earlier test."""
        if isinstance(target, Selector):
            return self._context.as_recorded(target)
        began_ms = self._context.recorder.began_ms
        if isinstance(target, DrawnElement):
            refuse_drawn(verb, target, self._context, began_ms)
        if not isinstance(target, Element):
            return target
        if 0 < getattr(target.family, "captured_at_ms", 0) < began_ms:
            raise UsageError(
                f"{verb}(): {describe(target)} was never printed in this session: it was read "
                "before that began, by an earlier test or on another phone. Next: find it in this "
                "test, or name it by a selector"
            )
        return target.as_printed


@dataclass(frozen=True)
class ResolvedTarget:
    """An element that was found fit for a gesture, and the point in it that the gesture goes to."""

    element: Element
    point: Point
    snapshot: Snapshot
    notes: Details = field(default_factory=dict)  # what was waited for, for the trace
    seen_at: float = float("-inf")  # when a picture of it was received
    details: Details = field(default_factory=dict)  # of the action, where it was found by picture


Dispatch = Callable[["ActionContext"], Details]
"""Sends the action, and returns details for the trace."""
Verdict: TypeAlias = "tuple[Failure | None, str]"
"""What came of an action: its failure, if any, and what was read: ``exact``, ``unavailable`` or the
observed value."""
Postcondition = Callable[["ActionContext", Snapshot], Verdict]
"""Judges an action by its settled screen."""


@dataclass(frozen=True)
class Step:
    """One action, ready to be performed. ``postcondition`` is its own promise (RFC 005: ``fill``
    reads back), judged on the settled screen. ``proof`` says the same, of a silent action too: it
    shows that an action whose answer was lost was done. ``about`` is what an action looks for by
    itself, which has no ``targets``; ``source`` says where these are looked for."""

    kind: Verb
    title: str
    dispatch: Dispatch
    targets: tuple[Target, ...] = ()
    timeout: float = 5.0
    silent: bool = False
    postcondition: Postcondition | None = None
    proof: Postcondition | None = None
    about: Target | None = None
    source: Source = "hierarchy"

    @property
    def verb(self) -> str:
        """What the test called."""
        return self.kind.name

    def is_harmless(self, *, lost: bool) -> bool:
        """Whether it may be sent again without proof. One that looks first what there is to be done
        may see too little yet, if the answer of what it sent was ``lost``."""
        return self.kind.idempotent and not (lost and self.kind.looks_first)


@dataclass(frozen=True)
class Plan:
    """How an attempt at an action is made: at which targets, with which stage it begins, and by
    which ``params`` if a recovery asks for another way. ``lost`` is the error of a dispatch that
    broke off behind something sent: the attempt only looks whether it was done. ``met`` is the
    screen that was in the way of the first attempt. ``waits_since``: no policy closes what lies
    over the target, which is waited for since then."""

    targets: tuple[Target, ...]
    begin: Stage = "resolve"
    params: Details = field(default_factory=dict)
    lost: ReplicantError | None = None
    met: Snapshot | None = None
    waits_since: float | None = None


@dataclass
class Sends:
    """What one action has sent, over all attempts. ``count`` is how much may have reached the app,
    ``harmless`` how much of that would do no more if it were sent again, ``at`` the time of the
    last. ``unsent`` is the error of the last that never left, ``hiding`` that of hiding a keyboard
    whose answer was lost."""

    count: int = 0
    at: float = 0.0
    unsent: DeviceError | None = None
    hiding: DeviceError | None = None
    harmless: int = 0

    @contextmanager
    def counted(self, now: float) -> Iterator[None]:
        """Something is sent: it counts, unless it certainly never left this computer."""
        self.count += 1
        self.at = now
        try:
            yield
        except DeviceError as error:
            if error.never_sent:
                self.count -= 1
                self.unsent = error
            raise

    def note_harmless(self) -> None:
        """The last of them would do no more if it were sent again."""
        self.harmless += 1

    def count_unsent(self) -> None:
        """Another attempt would not begin where this one did, though its last never left."""
        self.unsent = None

    def note_hiding(self, error: DeviceError | None) -> None:
        """The keyboard was hidden, or that broke off."""
        self.hiding = None if not error or error.never_sent else error


@dataclass(eq=False)
class ActionContext:
    """One action as far as it has come, with all that a dispatch may use: its stages change it, and
    nothing else.

    ``stage`` is the current one, ``resolved`` are the elements of the plan's targets, ``at`` is the
    place of the one that is being resolved. ``before`` and ``after`` are the screens around it,
    ``seen_before`` is what was read last before a gesture that needs no screen. ``touched`` are the
    points for the report, ``details`` the facts for the trace.
    """

    context: SessionContext
    step: Step
    plan: Plan
    log: StepLog
    sends: Sends = field(default_factory=Sends)
    touched: list[Point] = field(default_factory=list)
    details: AnyDict = field(default_factory=dict)
    stage: Stage = "resolve"
    resolved: tuple[ResolvedTarget, ...] = ()
    at: int = 0
    before: Snapshot | None = None
    seen_before: Snapshot | None = None
    after: Snapshot | None = None

    @property
    def observer(self) -> Observer:
        return self.context.observer

    @property
    def driver(self) -> Driver:
        """The driver, for what touches the app."""
        return _Sender(self)

    @property
    def sent(self) -> bool:
        """Whether something may have reached the app."""
        return self.sends.count > 0

    @property
    def may_have_acted(self) -> bool:
        """Whether something may have reached the app that may do more when it is sent again."""
        return self.sends.count > self.sends.harmless

    @property
    def params(self) -> Details:
        """How it is to be done, if a recovery asks for another way."""
        return self.plan.params

    @property
    def query(self) -> Driver:
        """The driver, for questions, which change nothing."""
        return self.context.driver

    @property
    def phone(self) -> str:
        """Names the phone in messages."""
        return self.context.phone

    @property
    def target(self) -> ResolvedTarget:
        """The first of the resolved targets."""
        return self.resolved[0]

    @property
    def acted(self) -> Element | None:
        """The element acted on; None for an action without a target, or before it is resolved."""
        return self.resolved[0].element if self.resolved else None

    def timer(self) -> Callable[[], bool]:
        """Whether the action's time-out is over, counted from now."""
        now = self.context.clock.now
        deadline = now() + self.step.timeout
        return lambda: now() >= deadline

    def acted_on(self, snapshot: Snapshot) -> Element | None:
        """The same, as it is on a later screen; None if it is gone, and for what only a picture
        shows."""
        acted = None if isinstance(self.acted, DrawnElement) else self.acted
        return snapshot.locate(acted).element if acted else None


class _Sender(Relay):
    """The driver of one action, which counts what it sends, and notes the points that it
    touches."""

    def __init__(self, action: ActionContext) -> None:
        super().__init__(action.context.driver)
        self._action = action

    def _ask(self, verb: str, args: Sequence[Any], named: Details) -> Any:
        self._action.touched.extend(each for each in args if isinstance(each, Point))
        with self._action.sends.counted(self._action.context.clock.now()):
            return super()._ask(verb, args, named)


def failure_on(
    snapshot: Snapshot,
    code: FailureCode,
    observed: Line,
    candidates: Sequence[Element] = (),
    **parts: Any,
) -> Failure:
    """A failure on a screen; ``parts`` are further fields of it."""
    return Failure(code, observed, tuple(candidates), snapshot=snapshot, **parts)


class StageFailed(Parted, Exception):
    """One stage's failure on its way to ``perform``; never leaves the session. ``final`` failures
    do not get better by waiting. ``waits_since`` is when a wait began that was left for the
    policies to be asked. If the target is there, but not fit for the gesture now, ``short`` says in
    few words why, for the trace."""

    def __init__(
        self,
        failure: Failure,
        *,
        final: bool = False,
        waits_since: float | None = None,
        short: str = "",
    ) -> None:
        super().__init__(failure.code)
        self._say(failure)
        self.failure = failure
        self.final = final
        self.waits_since = waits_since
        self.short = short

    @classmethod
    def on(
        cls,
        snapshot: Snapshot,
        code: FailureCode,
        observed: Line,
        candidates: Sequence[Element] = (),
        *,
        final: bool = False,
        **parts: Any,
    ) -> Self:
        """The failure on a screen, which it shows."""
        return cls(failure_on(snapshot, code, observed, candidates, **parts), final=final)

    def as_target_error(
        self, verb: str, target: Target | None, call: str = "", page: str = ""
    ) -> TargetError:
        """The same, for reads, whose errors do leave the session."""
        known = self.failure
        failure = replace(
            known, action_type=verb, target=target, call=call or known.call, page=page
        )
        error = TargetError(failure, outline=failure.snapshot.outline() if failure.snapshot else "")
        error.failure = failure_record(failure, type(error).__name__)
        return error
