"""What a session recorded, as values: steps, their checks, and what became of each that was asked
for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from ..model import AnyDict, AnyMapping, Element, Strings
from ..session import Expectation
from ..snapshots import Snapshot
from ..test_code import Call
from .running import Ran

SESSION_SCHEMA = "replicant.session/1"


@dataclass
class RecordedCheck:
    """A check that held. ``own``: its author wrote it, else it was proposed; ``vacuous``: it held
    before too."""

    id: str
    call: Call
    own: bool
    vacuous: bool = False


@dataclass
class RecordedStep:
    """An action that succeeded. ``call`` is as it was given, ``durable`` has a locator for each
    ref.

    ``before`` and ``after`` are the screens around it, ``acted`` the element. ``title`` is that of
    the ``mobile.step`` around it. ``warnings`` are about its locators."""

    number: int
    call: Call
    durable: Call
    before: Snapshot | None
    after: Snapshot
    acted: Element | None = None
    title: str = ""
    checks: list[RecordedCheck] = field(default_factory=list)
    warnings: Strings = ()


@dataclass(frozen=True)
class StepFailure:
    """Why a step failed, by its ``code``: AMBIGUOUS_TARGET, GUARDED and the like. ``sent`` is
    whether something may have reached the app; ``kept``: the action itself was done and is
    recorded, and a check behind it failed. ``advice`` is what to do next, and ``step`` the step
    that it is, "" if it is none; ``allow`` is the word by which the guard lets it pass. ``trouble``
    is "usage", "phone" or "" for what the app showed."""

    code: str
    message: str
    sent: bool = False
    kept: bool = False
    candidates: Strings = ()
    advice: str = ""
    trouble: str = ""
    is_check: bool = False
    step: str = ""
    allow: str = ""

    @property
    def lines(self) -> list[str]:
        """The message, line by line."""
        return self.message.split("\n")

    @property
    def exit_code(self) -> int:
        """1 a failed step or check, 2 usage, 3 the phone."""
        return {"phone": 3, "usage": 2}.get(self.trouble, 1)


@dataclass
class StepResult:
    """What became of one step that was asked for. ``code`` is the line of a test that it became."""

    given: str
    state: Literal["ok", "failed", "not tried"] = "not tried"
    number: int = 0
    code: str = ""
    summary: str = ""
    toasts: Strings = ()
    dialogs: Strings = ()
    recoveries: Strings = ()
    warnings: Strings = ()
    checks: Strings = ()
    failure: StepFailure | None = None

    def succeed(self, code: str) -> None:
        self.state, self.code = "ok", code

    def hold(self, said: str) -> None:
        """``said`` is what there is to say of a check that holds."""
        self.state, self.failure = "ok", None
        self.checks = (*self.checks, said)

    def fail(self, failure: StepFailure) -> None:
        self.state, self.failure = "failed", failure

    def saw(self, outcome: Expectation) -> None:
        """What came up while the action was done."""
        seen = outcome.seen
        self.toasts, self.dialogs, self.summary = seen.toasts, seen.dialogs, outcome.summary
        self.recoveries = tuple(
            f"{one.strategy} after {one.code}: {one.reason}" for one in seen.recoveries
        )

    def warn(self, *warnings: str) -> None:
        self.warnings = (*self.warnings, *warnings)

    def to_dict(self) -> AnyDict:
        return {name: value for name, value in asdict(self).items() if value not in ((), "", None)}


@dataclass
class Batch:
    """The steps of one request, by its ``id``. ``screen`` is the present one, in words;
    ``proposed`` are checks by their ids. ``is_over`` is False while it runs."""

    id: str
    results: list[StepResult] = field(default_factory=list)
    screen: str = ""
    proposed: dict[str, str] = field(default_factory=dict)
    is_over: bool = False

    def end(self) -> None:
        self.is_over = True

    def show(self, screen: str) -> str:
        """The screen as it is after it."""
        self.screen = screen
        return screen

    @property
    def failed(self) -> bool:
        return any(one.failure for one in self.results)

    @property
    def exit_code(self) -> int:
        """0 fine, 1 a failed step or check, 2 usage, 3 the phone."""
        return next((one.failure.exit_code for one in self.results if one.failure), 0)

    def to_dict(self) -> AnyDict:
        return {
            "id": self.id,
            "steps": [one.to_dict() for one in self.results],
            "screen": self.screen,
            "proposed": self.proposed,
            "is_over": self.is_over,
        }


@dataclass(frozen=True)
class SessionAnswer:
    """An answer of a kept session, with ``--json``: the ``command``, its exit code (0 fine, 1 a
    failed step or check, 2 usage, 3 the phone), and what that command says. ``error`` is why
    nothing was done. ``screen`` is the outline, or what changed since the last one that was
    printed. ``proposed`` are checks of the last step, by id; ``differs`` says of rewind what
    differs from before; ``unsaved`` counts recorded steps that no test has. ``id`` is that of the
    request: sent again, it does nothing; ``is_over`` is false while its steps are done. ``said`` is
    what save has to say of the test, ``open_end`` that no check follows the last action."""

    command: str
    code: int
    error: str = ""
    session: str = ""
    phone: str = ""
    app: str = ""
    how: str = ""
    guard: str = ""
    screen: str = ""
    elements: tuple[AnyMapping, ...] = ()
    id: str = ""
    is_over: bool = True
    steps: tuple[StepResult, ...] = ()
    checks: tuple[StepResult, ...] = ()
    proposed: Mapping[str, str] = field(default_factory=dict)
    differs: Strings = ()
    server: str = ""
    title: str = ""
    logs: Strings = ()
    crashes: Strings = ()
    marks: Strings = ()
    grid: Strings = ()
    path: str = ""
    bytes: int = 0
    added: int = 0
    removed: int = 0
    patch: str = ""
    said: str = ""
    open_end: str = ""
    unsaved: int = 0
    ran: Ran | None = None
    schema: Literal["replicant.session/1"] = "replicant.session/1"
