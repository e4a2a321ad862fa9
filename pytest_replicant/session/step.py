"""One action asked for (``Step``), the state it is performed with, and the failure of a stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import TargetError, UsageError

if TYPE_CHECKING:
    from ..clock import Clock
    from ..drivers import Driver
    from ..model import Element, Failure, Point, Recovery, RecoveryState, Selector
    from ..snapshots import Snapshot
    from .arguments import Target
    from .device_log.log import DeviceLog
    from .recording.trace import Recorder
    from .settings import SessionSettings
    from .stabilize.observer import Observer


Ask = Callable[["Failure", "RecoveryState"], "Recovery | None"]
"""Callable that asks the recovery policies."""


@dataclass
class PolicyGuard:
    """Whose turn it is: while a policy is asked, nothing is done on the session. ``starting`` is the app that an
    action began to start last."""

    asking: bool = False
    starting: str = ""

    def check(self, verb: str) -> None:
        """Raises ``UsageError`` while a policy is asked."""
        if self.asking:
            raise UsageError(
                f"{verb}() in a recovery policy: a policy answers with a Recovery, and the session performs it; "
                "what has to be done first goes into before=(Remedy.tap(...),)"
            )


class Interrupt(Protocol):
    """An announced interruption, which every wait for the screen looks out for."""

    title: str

    def shows(self, snapshot: Snapshot) -> bool:
        """Whether the screen shows it and it is still to be handled."""

    def meet(self, snapshot: Snapshot) -> None:
        """Runs the test's handler. Raises ``UsageError`` where the interruption stays."""


@dataclass(frozen=True)
class SessionContext:
    """What every stage works with. Made once a session. ``launched`` are the apps that it started, in order;
    ``app`` is the one that it is about, "" where none was named; ``meant`` is the element that each selector was
    last resolved to; ``stopped`` are the apps that it ended, and did not start since."""

    driver: Driver
    observer: Observer
    clock: Clock
    settings: SessionSettings
    recorder: Recorder
    log: DeviceLog
    ask: Ask | None = None
    app: str = ""
    guard: PolicyGuard = field(default_factory=PolicyGuard)
    launched: list[str] = field(default_factory=list)
    stopped: set[str] = field(default_factory=set)
    meant: dict[Selector, Element] = field(default_factory=dict)
    interrupts: list[Interrupt] = field(default_factory=list)

    @property
    def newest_app(self) -> str:
        """The app that the test started last; "" where it started none."""
        return self.launched[-1] if self.launched else ""


class HasContext(Protocol):
    """A ``DeviceSession``, for the modules below it."""

    _context: SessionContext


@dataclass(frozen=True)
class ResolvedTarget:
    """An element that was found fit for a gesture, and the point in it that the gesture goes to."""

    element: Element
    point: Point
    snapshot: Snapshot
    notes: Mapping[str, Any] = field(default_factory=dict)  # what was waited for, for the trace


@dataclass
class ActionContext:
    """What the sending half of an action may use. ``touched`` collects the points for the report; ``params`` is
    how it is to be done, where a recovery asks for another way; ``sent`` turns True with the first thing that may
    have reached the app."""

    context: SessionContext
    resolved: tuple[ResolvedTarget, ...]
    touched: list[Point] = field(default_factory=list)
    params: Mapping[str, Any] = field(default_factory=dict)
    sent: bool = False

    @property
    def driver(self) -> Driver:
        """The driver, for what touches the app."""
        self.sent = True
        return self.context.driver

    @property
    def query(self) -> Driver:
        """The driver, for questions, which change nothing."""
        return self.context.driver

    @property
    def uri(self) -> str:
        """Names the phone in messages."""
        return self.context.driver.uri

    @property
    def target(self) -> ResolvedTarget:
        """The first of the resolved targets."""
        return self.resolved[0]


Dispatch = Callable[[ActionContext], Mapping[str, Any]]
Postcondition = Callable[["Snapshot", "Element | None"], "tuple[Failure | None, str]"]
"""(settled screen, element acted on) to what is wrong with it, if anything, and how that was found out."""


@dataclass(frozen=True)
class Step:
    """One action, ready to be performed.

    ``postcondition`` is its own promise (RFC 005: ``fill`` reads back), judged on the settled screen.
    ``sweeps`` marks a gesture across its target, which needs no free point in it. ``idempotent``: giving it twice
    does no more than once.
    """

    kind: str
    title: str
    dispatch: Dispatch
    targets: tuple[Target, ...] = ()
    timeout: float = 5.0
    silent: bool = False
    sweeps: bool = False
    postcondition: Postcondition | None = None
    idempotent: bool = False

    @property
    def verb(self) -> str:
        """What the test called, ``fill`` where ``kind`` is ``type_text``: a title begins with it."""
        return self.title.partition(" ")[0]


class StageFailed(Exception):
    """One stage's failure on its way to ``perform``; never leaves the session. ``final`` failures do not
    get better by waiting."""

    def __init__(self, failure: Failure, snapshot: Snapshot | None = None, *, final: bool = False) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.snapshot = snapshot
        self.final = final

    def as_target_error(self, preface: str = "") -> TargetError:
        """The same, for reads, whose errors do leave the session."""
        failure = self.failure
        outline = self.snapshot.outline() if self.snapshot else ""
        return TargetError(
            preface + failure.message, code=failure.code, candidates=failure.candidates, outline=outline
        )
