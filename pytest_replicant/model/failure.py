"""Failure codes and classes, and the fixed mapping between them (RFC 011.1 §3.1, §3.3, §6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .element import Element
    from .selector import Selector

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
    {"ELEMENT_NOT_FOUND", "STALE_REFERENCE", "TIMEOUT", "ELEMENT_NOT_INTERACTABLE", "NAVIGATION_NO_CHANGE"}
)
"""What may be tried again as it is, unless a failure itself says otherwise."""


Hindrance = Literal[
    "", "disabled", "off screen", "covered", "under a window", "touches taken", "under the keyboard", "moving"
]
"""Why an element is not fit for a gesture."""


@dataclass(frozen=True)
class CheckFacts:
    """Facts of a check, for policies and reports.

    ``kind`` is its call (``expect_visible``), ``expected`` its condition in one line, ``wanted`` the same by name:
    ``{"count": 2}``, ``{"enabled": True}``; empty for presence alone. ``problem`` is one word for its failure.

    - ``verifies``: one that holds proves that the action before it worked.
    - ``proves_absence``: something on the screen makes it fail, so that removing that would make it hold.
    - ``denies_effect``: an effect makes it fail, so that repeating the action cannot help.
    - ``about_screen``: a dialog may stand in its way.
    - ``about_acted``: it is about the element of the action, and names no other.
    - ``reports_crash``: its message says how the app died.
    """

    kind: str
    expected: str
    wanted: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    verifies: bool = True
    proves_absence: bool = False
    denies_effect: bool = False
    about_screen: bool = True
    about_acted: bool = False
    reports_crash: bool = False


@dataclass(frozen=True)
class Failure:
    """The failure of one attempt, before recovery.

    Its cause: ``code``, ``message``, and where known ``candidates`` (elements that were possible), ``blocker``
    (the element that covers it), ``unfit`` (why it cannot be touched) and ``may_retry`` (None leaves that to the
    code). Its place, for policies:
    ``action_type`` (``tap``, ``expect_visible``), the ``target`` as the test gave it, the ``element`` that was
    meant, ``snapshot`` (the screen on which it failed; None where nothing could be read) and whether it was
    ``steady`` (two reads in a row agreed on it), the number of failed reads, ``app`` (the one the test started
    last), the ``error`` of the phone or a tool, if that was the cause. ``check``: facts of the check, None for an
    action. ``sent``: the phone may have received the action; ``idempotent``: repeating it does no harm.
    """

    code: FailureCode
    message: str
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
    error: Exception | None = None
    sent: bool = False
    idempotent: bool = False
    check: CheckFacts | None = None
    unfit: Hindrance = ""

    @property
    def failure_class(self) -> FailureClass:
        return FAILURE_CLASSES[self.code]

    @property
    def retryable(self) -> bool:
        return self.code in RETRYABLE if self.may_retry is None else self.may_retry


@dataclass(frozen=True)
class ElementRecord:
    """An element as a report names it, wherever it is on the screen. ``context`` is the row it sits in."""

    class_name: str = ""
    label: str = ""
    resource_id: str = ""
    context: str = ""
    ref: str = ""

    @classmethod
    def of(cls, element: Element) -> ElementRecord:
        return cls(element.class_name, element.label, element.resource_id, element.context, element.ref)


Owner = Literal["app", "system", "permission"]
"""Whose a window is: the app's own, the system's, or a permission prompt of the system's."""


@dataclass(frozen=True)
class ObstacleRecord:
    """What lies over an element, or over the whole app: a window with its ``title``, or an ``element``."""

    owner: Owner = "app"
    title: str = ""
    element: ElementRecord | None = None


@dataclass(frozen=True)
class FailureRecord:
    """What failed one action, check, wait or read, as fields. Reports and triage read these, and no message.

    ``kind`` is the action type or the check (``tap``, ``expect_visible``), ``exception`` the class of what was
    raised. The target is a ``selector``, a ``ref`` or neither; ``element`` is the one that was meant,
    ``matches`` are those that the target means on that screen, and ``alike`` the labels there that equal the
    wanted text but for numbers. Of a check, ``problem`` is a word for what was wrong, ``wanted`` and
    ``observed`` are by name: ``{"count": 2}``, ``{"matches": 0}``, ``{"enabled": True}``. ``unfit`` says why
    the element is not fit for a gesture, ``blocker`` is what lies over it, ``over`` what lies over the app.
    ``screen`` and ``screen_key`` say on which screen, ``snapshot`` on which read of it. ``detail`` is what a
    tool or a phone said. ``logs`` are the warnings and errors that the apps under test logged since the last
    action, ``toasts`` what the platform showed meanwhile. Empty means not known, or not applicable.
    """

    kind: str
    code: FailureCode
    stage: Stage = "resolve"
    exception: str = ""
    selector: Selector | None = None
    ref: str = ""
    element: ElementRecord | None = None
    matches: tuple[ElementRecord, ...] = ()
    alike: tuple[str, ...] = ()
    problem: str = ""
    wanted: Mapping[str, Any] = field(default_factory=dict)
    observed: Mapping[str, Any] = field(default_factory=dict)
    unfit: Hindrance = ""
    blocker: ObstacleRecord | None = None
    over: ObstacleRecord | None = None
    candidates: tuple[ElementRecord, ...] = ()
    screen: str = ""
    screen_key: str = ""
    app: str = ""
    snapshot: str = ""
    detail: str = ""
    logs: tuple[str, ...] = ()
    toasts: tuple[str, ...] = ()
