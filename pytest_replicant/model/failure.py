"""Failures and recovery (RFC 011.1 §3, §6, §8, §9): codes, classes, their mapping, and the typed
contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from .aliases import AnyDict, AnyMapping, Strings
from .element import Element
from .json_values import OPTIONAL, plain
from .quoting import one_line, quoted
from .secret import Redactor
from .selector import Selector

# --- the parts of what a failure says, as values: text is made of them where someone reads it -----

MOST_ADVICE = 2
"""Proposals that one failure makes: a reader tries the first, and seldom a third."""


@dataclass(frozen=True)
class AppText:
    """Text that an app, a phone or a tool chose: hostile, and perhaps secret. It prints as one line
    in quotes, or, if it is ``bare``, as one line without."""

    text: str
    bare: bool = False

    def __str__(self) -> str:
        return one_line(self.text) if self.bare else quoted(self.text)


Line = str | AppText | tuple[str | AppText, ...]
"""One line: words of ours, text of an app, or both in turn."""
Lines = tuple[Line, ...]


Hide = Callable[[str], str]
"""What replaces the secrets in a text."""


def spans(line: Line) -> tuple[str | AppText, ...]:
    """Its words and texts, one after the other."""
    return line if isinstance(line, tuple) else (line,)


def written(line: Line, hide: Hide = str) -> str:
    """The line as a person reads it, each text of an app hidden on its own."""
    return "".join(
        str(replace(one, text=hide(one.text))) if isinstance(one, AppText) else one
        for one in spans(line)
    )


@dataclass(frozen=True)
class Advice:
    """One proposal that was judged: a ``call`` that a test can make, or a ``locator`` whose
    keywords go into the call that failed, ``instead`` of one that it has. ``rest`` follows it as it
    stands: ``, if it is further on``. No full stop ends it. Advice that is neither call nor locator
    is a sentence, a plain string."""

    call: str = ""
    locator: Selector | None = None
    rest: str = ""
    instead: bool = False

    def __str__(self) -> str:
        said = (self.call if self.locator is None else self.locator.describe()) + self.rest
        return f"Did you mean {said}?" if self.instead else said


Proposals = tuple[Advice | str, ...]
"""What to do next, the best first; ``MOST_ADVICE`` at most are shown."""


@dataclass(frozen=True)
class Explanation:
    """What says more of a failure: ``lines`` of what came near, or lies in the way, and what to do
    next."""

    lines: Lines = ()
    advice: Proposals = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.advice)


NOTHING_MORE = Explanation()


@dataclass(frozen=True)
class Undecided:
    """The verdict that is neither yes nor no: ``why``, a clause, and what would decide it. It is
    never a pass. ``but`` is what follows ``while`` that is so: of what lies under an open
    dialog."""

    why: Line
    more: Explanation = NOTHING_MORE
    known: AnyMapping = field(default_factory=dict, compare=False)
    but: str = ""
    held: ClassVar[bool] = False
    final: ClassVar[bool] = False
    excused: ClassVar[bool] = False
    problem: ClassVar[str] = "undecided"
    snapshot: ClassVar[None] = None

    @property
    def decides(self) -> Proposals:
        """What would decide it."""
        return self.more.advice

    @property
    def observed(self) -> Line:
        why = written(self.why)
        if self.but:
            return f"cannot be decided while {why}: {self.but}"
        return f"cannot be decided: {why}"

    @property
    def facts(self) -> AnyMapping:
        """What was observed by name, for the trace."""
        return {"undecided": written(self.why), **self.known}


# --- codes, classes and their mapping, and the failure itself -------------------------------------

Stage = Literal["resolve", "execute", "verify", "stabilize", "recover"]
"""The stages of an action or check (RFC 012 §6.2)."""

FailureClass = Literal[
    "TargetResolutionFailure",
    "ExecutionFailure",
    "VerificationFailure",
    "ControlConvergenceFailure",
    "SemanticMismatchFailure",
]

FailureCode = Literal[
    "ELEMENT_NOT_FOUND",
    "STALE_REFERENCE",
    "AMBIGUOUS_TARGET",
    "TIMEOUT",
    "ACTION_REJECTED",
    "VERIFICATION_FAILED",
    "EXPECT_STATE_MISMATCH",
    "CONTROL_CONVERGENCE_FAILED",
    "SEMANTIC_MISMATCH",
    "UNKNOWN",
    "ELEMENT_NOT_INTERACTABLE",
    "NAVIGATION_NO_CHANGE",
]

FAILURE_CLASSES: dict[FailureCode, FailureClass] = {
    "ELEMENT_NOT_FOUND": "TargetResolutionFailure",
    "STALE_REFERENCE": "TargetResolutionFailure",
    "AMBIGUOUS_TARGET": "TargetResolutionFailure",
    "TIMEOUT": "ExecutionFailure",
    "ACTION_REJECTED": "ExecutionFailure",
    "UNKNOWN": "ExecutionFailure",
    "ELEMENT_NOT_INTERACTABLE": "ExecutionFailure",
    "NAVIGATION_NO_CHANGE": "ExecutionFailure",
    "VERIFICATION_FAILED": "VerificationFailure",
    "EXPECT_STATE_MISMATCH": "VerificationFailure",
    "CONTROL_CONVERGENCE_FAILED": "ControlConvergenceFailure",
    "SEMANTIC_MISMATCH": "SemanticMismatchFailure",
}

RETRYABLE: frozenset[FailureCode] = frozenset(
    {
        "ELEMENT_NOT_FOUND",
        "STALE_REFERENCE",
        "TIMEOUT",
        "ELEMENT_NOT_INTERACTABLE",
        "NAVIGATION_NO_CHANGE",
    }
)
"""What may be tried again as it is, unless a failure itself says otherwise."""


Hindrance = Literal[
    "",
    "disabled",
    "off screen",
    "covered",
    "under a window",
    "touches taken",
    "under the keyboard",
    "moving",
]
"""Why an element is not fit for a gesture."""


@dataclass(frozen=True)
class CheckFacts:
    """Facts of a check, for policies and reports.

    ``kind`` is its call (``expect_visible``), ``expected`` its condition in one line, ``wanted``
    the same by name: ``{"count": 2}``, ``{"enabled": True}``; empty for presence alone. ``problem``
    is one word for its failure.

    - ``verifies``: one that holds proves that the action before it worked.
    - ``proves_absence``: something on the screen makes it fail, so that removing that would make it
      hold.
    - ``absent``: the selectors of what makes it fail, if only these do.
    - ``denies_effect``: an effect makes it fail, so that repeating the action cannot help.
    - ``about_screen``: a dialog may stand in its way.
    - ``about_acted``: it is about the element of the action, and names no other.
    - ``reports_crash``: its message says how the app died.
    """

    kind: str
    expected: str
    wanted: AnyMapping = field(default_factory=dict)
    problem: str = ""
    verifies: bool = True
    proves_absence: bool = False
    absent: tuple[Selector, ...] = ()
    denies_effect: bool = False
    about_screen: bool = True
    about_acted: bool = False
    reports_crash: bool = False


@dataclass(frozen=True)
class Failure:
    """The failure of one attempt, before recovery and after it. Every part of what it says is a
    field. Text is made of them by ``text_for_terminal``, ``text_for_page`` and ``lines_for_agent``.

    Its cause: ``code``, and if known ``candidates`` (elements that were possible), ``blocker`` (the
    element that covers it), ``unfit`` (why it cannot be touched). ``may_retry`` is None if the code
    decides. ``other_way`` holds the params of another way that is left.

    What it says: ``call`` is the call with its phone and its reads, ``waited`` what it waited for,
    ``asked`` what it asked for, ``observed`` what was observed in its place. ``details`` and
    ``nearest`` are lines that say more, and what came near. ``changed`` is what the action changed,
    ``meanwhile`` what the app or its backend said meanwhile. ``undecided`` is what could not be
    decided, and what would decide it. ``advice`` is what to do next, ``tried`` the recoveries and
    what they leave open, ``page`` what to open. ``snapshot`` is the screen that it shows, in place
    of which ``screen`` compares it with that of another failure next to it. ``redactor`` hides what
    its text must not show, even to the test itself.

    Its place, for policies: ``action_type`` (``tap``, ``expect_visible``), whether that
    ``starts_app``, the ``target`` as the test gave it, and the ``element`` that was meant.
    ``snapshot`` is the screen on which it failed, None if nothing could be read. It was ``steady``
    if two reads in a row agreed. ``app`` is the one the test started last. ``error`` is that of the
    phone or a tool, if that was the cause. ``two_places``: the candidates lie in different windows,
    or on screens before and after a change. ``check``: facts of the check, None for an action.
    ``sent``: the phone may have received the action. ``idempotent``: repeating it does no harm."""

    code: FailureCode
    observed: Line = ""
    candidates: tuple[Element, ...] = ()
    blocker: Element | None = None
    may_retry: bool | None = None
    stage: Stage = "resolve"
    action_type: str = ""
    target: str | Element | Selector | None = None
    element: Element | None = None
    snapshot: Any = None  # a Snapshot
    steady: bool = True
    failed_reads: int = 0
    app: str = ""
    error: BaseException | None = None
    sent: bool = False
    idempotent: bool = False
    check: CheckFacts | None = None
    unfit: Hindrance = ""
    other_way: AnyMapping = field(default_factory=dict)
    starts_app: bool = False
    two_places: bool = False
    call: str = ""
    waited: str = ""
    asked: str = ""
    details: Lines = ()
    nearest: Lines = ()
    changed: Lines = ()
    meanwhile: Lines = ()
    undecided: Undecided | None = None
    advice: Proposals = ()
    tried: Lines = ()
    page: str = ""
    screen: Lines = ()
    redactor: Redactor | None = None

    def explained(self, more: Explanation) -> Failure:
        """The same, with further lines. Its own proposals stand: they are of the cause that was
        known first."""
        return replace(
            self, nearest=(*self.nearest, *more.lines), advice=self.advice or more.advice
        )

    @property
    def answer(self) -> Advice | None:
        """What was meant, if a slip of the keyboard explains it: the screen has that name."""
        return next((one for one in self.advice if isinstance(one, Advice) and one.instead), None)

    @property
    def failure_class(self) -> FailureClass:
        return FAILURE_CLASSES[self.code]

    @property
    def retryable(self) -> bool:
        if self.may_retry is not None:
            return self.may_retry
        return bool(self.other_way) or self.code in RETRYABLE


@dataclass(frozen=True)
class ElementRecord:
    """An element as a report names it, wherever it is on the screen. ``context`` is the row it sits
    in."""

    class_name: str = ""
    label: str = ""
    resource_id: str = ""
    context: str = ""
    ref: str = ""

    @classmethod
    def of(cls, element: Element) -> ElementRecord:
        return cls(
            element.class_name, element.label, element.resource_id, element.context, element.ref
        )


Owner = Literal["app", "system", "permission"]
"""Whose a window is: the app's own, the system's, or a permission prompt of the system's."""


@dataclass(frozen=True)
class ObstacleRecord:
    """What lies over an element, or over the whole app: a window with its ``title``, or an
    ``element``."""

    owner: Owner = "app"
    title: str = ""
    element: ElementRecord | None = None


@dataclass(frozen=True)
class FailureRecord:
    """What failed one action, check, wait or read, as fields. Reports and triage read these, and no
    message.

    ``kind`` is the action type or the check (``tap``, ``expect_visible``), ``exception`` the class
    of what was raised. The target is a ``selector``, a ``ref`` or neither; ``element`` is the one
    that was meant, ``matches`` are those that the target means on that screen, and ``alike`` the
    labels there that equal the wanted text but for numbers. Of a check, ``problem`` is a word for
    what was wrong, ``wanted`` and ``observed`` are by name: ``{"count": 2}``, ``{"matches": 0}``,
    ``{"enabled": True}``. ``unfit`` says why the element is not fit for a gesture, ``blocker`` is
    what lies over it, ``over`` what lies over the app. ``screen`` and ``screen_key`` say on which
    screen, ``snapshot`` on which read of it. ``detail`` is what a tool or a phone said. ``logs``
    are the warnings and errors that the apps under test logged since the last action, ``toasts``
    what the platform showed meanwhile. Empty means not known, or not applicable.
    """

    kind: str
    code: FailureCode
    stage: Stage = "resolve"
    exception: str = ""
    selector: Selector | None = None
    ref: str = ""
    element: ElementRecord | None = None
    matches: tuple[ElementRecord, ...] = ()
    alike: Strings = ()
    problem: str = ""
    wanted: AnyMapping = field(default_factory=dict)
    observed: AnyMapping = field(default_factory=dict)
    unfit: Hindrance = ""
    blocker: ObstacleRecord | None = None
    over: ObstacleRecord | None = None
    candidates: tuple[ElementRecord, ...] = ()
    screen: str = ""
    screen_key: str = ""
    app: str = ""
    snapshot: str = ""
    detail: str = ""
    logs: Strings = ()
    toasts: Strings = ()


RecoveryStrategy = Literal[
    "re_resolve", "alternate_candidate", "state_refresh", "retry_adjustment", "step_back"
]
RecoveryMode = Literal["off", "report", "allow", "fail"]
"""``report`` asks the policies and records what they would have done; ``fail`` recovers, and fails
the test."""

Allowance = Literal["relaunch", "step_back", "crash", "cut"]
"""A recovery that only happens if a test allows it."""
PermissionPrompts = Literal["deny", "allow", "leave"]
"""How recovery answers a permission prompt that is in the way."""

MAX_RECOVERY_ATTEMPTS = 3
MAX_RETRY_DEPTH = 3

RESOLVING: frozenset[RecoveryStrategy] = frozenset(
    {"re_resolve", "alternate_candidate", "step_back"}
)
"""The strategies that resolve a target again, which ``retry_depth`` counts."""


@dataclass(frozen=True)
class RecoveryState:
    """The progress of recovery for one failed action. Field names are the contract's; ``attempted``
    becomes ``attempted_recovery_strategies`` of a ``TerminalFailure``, and stays out of the
    contract's record."""

    failure_class: FailureClass
    runtime_code: FailureCode
    recovery_strategy: RecoveryStrategy | None = field(default=None, metadata=OPTIONAL)
    recovery_attempts: int = 0
    max_recovery_attempts: int = MAX_RECOVERY_ATTEMPTS
    retry_depth: int = 0
    max_retry_depth: int = MAX_RETRY_DEPTH
    is_terminal: bool = False
    retry_allowed: bool | None = field(default=None, metadata=OPTIONAL)
    attempted: tuple[RecoveryStrategy, ...] = field(default=(), repr=False)

    @classmethod
    def initial(cls, code: FailureCode, *, retry_allowed: bool | None = None) -> RecoveryState:
        allowed = code in RETRYABLE if retry_allowed is None else retry_allowed
        return cls(FAILURE_CLASSES[code], code, retry_allowed=allowed)


@dataclass(frozen=True)
class TerminalFailure:
    """The final failure, once recovery is spent or had nothing to offer (RFC 011.1 §9)."""

    failure_class: FailureClass
    runtime_code: FailureCode
    recovery_attempts: int
    attempted_recovery_strategies: tuple[RecoveryStrategy, ...] = ()
    resolved_target: str | None = field(default=None, metadata=OPTIONAL)
    final_state: Literal["failed"] = "failed"

    @classmethod
    def of(cls, state: RecoveryState, resolved_target: str | None = None) -> TerminalFailure:
        return cls(
            state.failure_class,
            state.runtime_code,
            state.recovery_attempts,
            state.attempted,
            resolved_target,
        )

    def to_dict(self) -> AnyDict:
        return dict(plain(self))


RemedyKind = Literal["tap", "press_key", "hide_keyboard", "wait_gone", "relaunch", "reconnect"]


@dataclass(frozen=True)
class Remedy:
    """One step that the session takes before it tries again. Make it with the function of the same
    name. A remedy is performed once, in the trace, without recovery of its own."""

    kind: RemedyKind
    target: str | Element | Selector | None = None
    value: str = ""

    @classmethod
    def tap(cls, target: str | Element | Selector) -> Remedy:
        """Taps the obstruction, or the button that closes it."""
        return cls("tap", target)

    @classmethod
    def press_key(cls, key: str) -> Remedy:
        """Presses a key of the phone, such as "back"."""
        return cls("press_key", value=key)

    @classmethod
    def hide_keyboard(cls) -> Remedy:
        """Hides the on-screen keyboard, if it is up."""
        return cls("hide_keyboard")

    @classmethod
    def wait_gone(cls, target: str | Element | Selector) -> Remedy:
        """Waits until it is no longer on the screen, as long as an action waits for its target."""
        return cls("wait_gone", target)

    @classmethod
    def relaunch(cls, app: str = "") -> Remedy:
        """Starts the app again; without a name the one that the test started last."""
        return cls("relaunch", value=app)

    @classmethod
    def reconnect(cls) -> Remedy:
        """Drops the connection to the phone and makes a new one."""
        return cls("reconnect")

    def describe(self) -> str:
        if self.target is not None:
            target = self.target if isinstance(self.target, str) else self.target.describe()
            return f"{self.kind} {target}"
        return f"{self.kind} {self.value}".rstrip()


@dataclass(frozen=True)
class Recovery:
    """A policy's proposal for a failure: do ``before``, then try again as ``strategy`` says.

    ``state_refresh`` looks again, and goes on from the failed stage. ``re_resolve`` resolves the
    target again, or ``target`` in its place. ``alternate_candidate`` takes ``target``, one of the
    failure's candidates. ``retry_adjustment`` does the same in another way, which ``params`` name,
    and only if the failure is retryable. ``step_back`` enters the action again from its beginning.

    The meaning of ``params`` is the action's own. ``mode`` "keys" types one by one, "next" is a
    control's next way. ``semantics`` "raw" leaves derived roles out. ``reason`` is the evidence,
    for the reader of the trace, and ``policy`` the name shown with it."""

    strategy: RecoveryStrategy
    before: tuple[Remedy, ...] = ()
    target: str | Element | Selector | None = None
    params: AnyMapping = field(default_factory=dict)
    reason: str = ""
    policy: str = ""


# --- its text: its parts as lines, for a terminal, for a page, and for an agent -------------------

NEXT_TO_IT = 3
"""Lines of an outline above and below the element that was meant: its row, and what names that."""
SHORT_SCREEN = 12
"""Lines of an outline that is shown whole: its part would be hardly shorter."""
LONGEST_SCREEN = 12_000
"""Characters: some hundreds of lines. The trace has more."""


def text_for_terminal(failure: Failure) -> str:
    """The whole message of an error: every part, the screen, and what to open."""
    return _joined([text_for_page(failure), failure.page])


def text_for_page(failure: Failure, hide: Hide = str) -> str:
    """The same for a report, which has itself for what to open, and shows no secret."""
    lines = [*_head(failure, code=failure.check is None), *_more(failure)]
    lines += [advice_text(failure.advice), *failure.changed, *failure.tried, *_screen(failure)]
    text = _joined(lines, hide)
    return text if failure.redactor is None else failure.redactor.text(text)


def lines_for_agent(failure: Failure) -> Strings:
    """The parts without code, proposals and screen, which an agent is given as fields."""
    parts = [*_head(failure, code=False), *_more(failure), *failure.changed]
    return tuple(line for line in map(written, parts) if line)


def opening(failure: Failure) -> str:
    """The first line: the code, and what was asked and observed, or the call."""
    return written(next(_head(failure, code=failure.check is None)))


def headline(failure: Failure) -> str:
    """What was asked and what was observed, in one line."""
    asked = f"{failure.asked}: " if failure.asked else ""
    return f"{asked}{written(failure.observed)}"


def screen_text(snapshot: Any) -> str:
    """The outline for a message; of a screen that is very large, its upper levels, and how much was
    left out."""
    outline: str = snapshot.outline()
    if len(outline) > LONGEST_SCREEN:
        outline = snapshot.outline(max_chars=LONGEST_SCREEN)
    return outline


def advice_text(advice: Proposals) -> str:
    """The line of what to do next; "" for nothing."""
    if not advice:
        return ""
    said = ", or ".join(map(str, advice[:MOST_ADVICE]))
    return f"Next: {said}" if said.endswith((".", "?")) else f"Next: {said}."


def _screen(failure: Failure) -> Sequence[Line]:
    """The screen that it shows: if the answer is known, that and its neighbours."""
    if failure.screen or failure.snapshot is None:
        return failure.screen
    lines = screen_text(failure.snapshot).splitlines()
    refs: list[str] = []
    if failure.answer is not None and failure.answer.locator is not None:
        refs = [f"[{one.ref}]" for one in failure.snapshot.match_labels(failure.answer.locator)]
    near = [at for at, line in enumerate(lines) if any(ref in line for ref in refs)]
    if not near or len(lines) <= SHORT_SCREEN:
        return lines
    first, end = max(near[0] - NEXT_TO_IT, 1), min(near[-1] + NEXT_TO_IT + 1, len(lines))
    rest = f"… {len(lines) - 1 - (end - first)} further lines"
    return [lines[0], *lines[first:end], rest]


def _head(failure: Failure, *, code: bool) -> Iterator[Line]:
    """The code with the call, or with what was asked; what the app said meanwhile comes right
    below."""
    if failure.error is not None:
        yield str(failure.error) or type(failure.error).__name__
        return
    asked = f"{failure.asked}: " if failure.asked else ""
    said = (asked, *spans(failure.observed))
    first, *rest = [(failure.call,), (failure.waited,), said] if failure.call else [said]
    yield (f"{failure.code}  " if code else "", *first)
    yield from failure.meanwhile
    yield from rest


def _more(failure: Failure) -> Iterator[Line]:
    yield from failure.details
    yield from failure.nearest
    if failure.undecided is not None:
        yield advice_text(failure.undecided.decides)


def _joined(lines: list[Line], hide: Hide = str) -> str:
    return "\n".join(text for line in lines if (text := written(line, hide)))
