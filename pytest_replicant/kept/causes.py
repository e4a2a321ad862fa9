"""Why a test failed, in terms that are the same in another test and in another run: five kinds of cause, each with
its key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ..model import Strings, verb_of
from .attempt import normalise

DEVICE_TROUBLE = "DeviceError"
"""``failure_class`` of tool trouble, which says nothing about the app."""

APP_CRASH = "AppCrash"
"""``failure_class`` of a test in which the app under test died."""

NOT_RESPONDING = "ApplicationNotResponding"
"""``failure_class`` of a test in which the app under test did not respond (Android's ANR)."""

WORKER_DIED = "WorkerDied"
"""``failure_class`` of a test whose process ended under it: neither the app nor the test said why."""

TEST_ERROR = "TestError"
"""``failure_class`` of any other exception: of the test itself, of a fixture, of a plain ``assert``."""

BLOCKABLE: frozenset[str] = frozenset(
    {
        "missing",
        "unseen",
        "screen",
        "covered",
        "unfit",
        "disabled",
        "count",
        "no change",
        "state",
        "value",
        "ambiguous",
        "undecided",
    }
)
"""Trouble that a window over the app may make."""

_VOLATILE = (
    r"0x[0-9a-fA-F]+"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,}\b"
    r"|\d+(?:[.,:/]\d+)*\+?"
)

TAG = {"tag": True}
"""Of the field that says in a file which of the five a cause is."""

Key = tuple[str, ...]
"""What two failures of one cause have in common. The first part says what kind of likeness it is."""


def masked(text: str) -> str:
    """``Total £9.90`` as ``Total £~``; addresses, UUIDs and long hexadecimal ids likewise."""
    return re.sub(_VOLATILE, "~", text)


@dataclass(frozen=True)
class Cause:
    """Facts about one failure; "" stands for not known, or for not applicable.

    ``failure_class`` is one of the contract's (``TargetResolutionFailure`` ...) or of this module's. ``exception``
    is the name of what was raised, ``message`` its title, ``source`` the line of the test, ``step`` the id of the
    step in its trace page, ``phase`` the test's: setup, call or teardown. ``detail`` is what a tool or a phone
    said, or the ability that it lacks. ``target`` is what was meant, as the test said it, ``screen`` the name of
    the screen on which it failed, ``expected`` what a check wanted, ``observed`` what was seen in place of it,
    ``nearest`` what comes near a target that was not found.

    Since the last pass: ``signals`` are the first warnings and errors that the app logged, and toasts that it
    showed, that the pass had not; ``instead`` is the line on the screen in the place of what was not found.
    ``reason`` is a digest of the difference that explains the failure, "-" if none is known, "" if there is no
    pass."""

    failure_class: str = TEST_ERROR
    failure_code: str = ""
    exception: str = ""
    message: str = ""
    source: str = ""
    step: str = ""
    phase: str = ""
    detail: str = ""
    target: str = ""
    screen: str = ""
    expected: str = ""
    observed: str = ""
    nearest: str = ""
    signals: Strings = ()
    instead: str = ""
    reason: str = ""

    @property
    def key(self) -> Key:
        """By itself; failures of several keys may have one reason."""
        return ("raised", self.exception, self.source or masked(self.message))

    @property
    def kind(self) -> str:
        """``"ExecutionFailure TIMEOUT"``."""
        return f"{self.failure_class} {self.failure_code}".strip()

    def named(self, *names: str) -> list[tuple[str, str]]:
        """These of its facts, each with its name; without those that are not known."""
        return [(name, fact) for name in names if (fact := getattr(self, name, ""))]


@dataclass(frozen=True)
class DeathCause(Cause):
    """An app under test died, or did not respond. ``crash`` is the signature of that, ``thrown`` and ``frame``
    what was thrown and where."""

    failure_class: str = APP_CRASH
    by: Literal["death"] = field(default="death", metadata=TAG)
    app: str = ""
    crash: str = ""
    thrown: str = ""
    frame: str = ""

    @property
    def key(self) -> Key:
        return ("crash", self.app, self.crash)


@dataclass(frozen=True)
class PhoneCause(Cause):
    """Trouble with a phone or a tool. ``phone`` is its name."""

    failure_class: str = DEVICE_TROUBLE
    by: Literal["phone"] = field(default="phone", metadata=TAG)
    phone: str = ""

    @property
    def key(self) -> Key:
        return ("device", self.exception, masked(self.detail))


@dataclass(frozen=True)
class TestCause(Cause):
    """An exception of the test's own, of a fixture or of a plain ``assert``; or what no phone of its kind can."""

    __test__: ClassVar[bool] = False  # the name looks like a test class to pytest

    by: Literal["test"] = field(default="test", metadata=TAG)

    @property
    def key(self) -> Key:
        return ("unsupported", self.detail.lower()) if self.exception == "Unsupported" else super().key


@dataclass(frozen=True)
class ActionCause(Cause):
    """An action failed.

    ``trouble`` sorts failures by what was wrong, however that was found out: an element is "missing", whether an
    action, a check or a wait was in need of it. ``subject`` is what was in trouble, named alike whichever selector
    the test had for it, ``states`` the names of the states that were compared. ``screen_key`` is which screen it
    failed on under any content, ``look`` what that was built of, numbers apart, ``app`` the one in front.
    ``blocker`` is what lay in the way: the system's, or what covered what was meant; ``over`` a window of the
    app's own. ``after`` is the action that went before, ``effect`` "none" if that had changed nothing, "stayed" if
    it led to no other screen; ``answer`` is the text that it brought there. ``belongs`` is the screen on which the
    last pass looked for the subject."""

    by: Literal["action", "check"] = field(default="action", metadata=TAG)
    trouble: str = ""
    subject: str = ""
    states: str = ""
    screen_key: str = ""
    look: str = ""
    app: str = ""
    blocker: str = ""
    over: str = ""
    after: str = ""
    effect: str = ""
    answer: str = ""
    belongs: str = ""

    @property
    def key(self) -> Key:
        """The first that applies."""
        if self.blocker and self.trouble in BLOCKABLE:
            return ("blocker", masked(self.blocker))
        if not self.trouble or self.trouble == "raised":
            return super().key
        screen, subject = self.screen_key or self.screen, masked(self.subject)
        further: Key = ()
        if self.trouble == "no change":
            subject = subject or masked(self.after)
        elif self.trouble == "state":
            further = (self.states,)
        elif self.trouble == "screen" and self.refusal:
            further = (self.refusal,)
        return (self.trouble, screen, subject, *further)

    @property
    def is_answered(self) -> bool:
        """Whether something is to be seen of the action that went before."""
        return verb_of(self.after.partition(" ")[0]).answered

    @property
    def refusal(self) -> str:
        """What the app said to a gesture that led nowhere. Two answers are two reasons."""
        return normalise(self.answer) if self.is_answered else ""


@dataclass(frozen=True)
class CheckCause(ActionCause):
    """A check or a wait failed. ``late``: it held after its verdict."""

    by: Literal["check"] = field(default="check", metadata=TAG)
    late: bool = False


AnyCause = DeathCause | PhoneCause | CheckCause | ActionCause | TestCause
