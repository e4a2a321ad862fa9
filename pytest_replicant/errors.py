"""Every error that this package raises.

::

    ReplicantError
    ├─ UsageError                         wrong call, option or URI
    ├─ Unsupported                        what the test asked for and this phone cannot do
    ├─ SnapshotError                      bytes that are no screen
    ├─ TargetError                        no or several matches in a snapshot
    │  └─ UndecidableText                 the phone does not say which text it shows
    ├─ DeviceError                        tool trouble: outcome infra
    │  ├─ DeviceNotFound · DeviceOffline · DeviceTimeout · DeviceBusy
    │  ├─ ResourceUnavailable             an account is in use, its command failed
    │  └─ ProtocolError
    └─ ActionFailed                       an action that could not be done
    ExpectationFailed (AssertionError)    product trouble: pytest reports FAILED
    SoftFailures (ExceptionGroup, AssertionError)
    ReplayEnded (BaseException)           a replayed test has left its recording
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .model import Parted as Parted
from .model import ReplicantError as ReplicantError  # as this module has them all
from .model import UsageError as UsageError
from .model import did_you_mean as did_you_mean
from .model import what_happened as what_happened

if TYPE_CHECKING:
    from typing_extensions import Self

    from .model import ActionResult, Failure, FailureCode, FailureRecord, TerminalFailure

if sys.version_info < (3, 11):  # pragma: no cover
    from exceptiongroup import ExceptionGroup


def version_of(package: str) -> str:
    """ "" if it is not installed, as in a bare checkout."""
    from importlib import metadata  # only reports, commands and the doctor ask

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def how_to_install(extra: str = "", pip: str = "pip") -> str:
    """The next step if the package, or an extra of it, is missing. It is from a checkout, as the
    name on the public index is not this project's."""
    wanted = f"'.[{extra}]'" if extra else "."
    return f"in a checkout of pytest-replicant, {pip} install {wanted}"


class Guarded(UsageError):
    """A step that the guard of a session lets no one do; ``word`` allows it."""

    def __init__(self, message: str, *, word: str, advice: str) -> None:
        super().__init__(message, advice=advice)
        self.word = word

    def __str__(self) -> str:
        return f"GUARDED  {super().__str__()}"


class Unsupported(ReplicantError):
    """The test asked for what this phone cannot do; ``capability`` names the missing one. It is an
    error of that test, as a wrong call is, and no trouble of the phone's."""

    def __init__(
        self, message: str, *, capability: str, device: str = "", advice: str = ""
    ) -> None:
        super().__init__(message, advice=advice)
        self.capability = self.detail = capability
        self.device = device


WRONG_CALLS = (UsageError, Unsupported)
"""What the test, or the caller, has to write in another way."""


class SnapshotError(ReplicantError):
    """The bytes are no screen; the message says what they are."""


class TargetError(ReplicantError):
    """A target that matches no or several elements of a snapshot."""

    parts: Failure

    def __init__(self, failure: Failure, *, outline: str = "") -> None:
        super().__init__(failure)
        self.code: FailureCode = failure.code
        self.candidates = failure.candidates
        self.outline = outline


class UndecidableText(TargetError):
    """Whether a text is on the screen cannot be decided: ``why``, a clause. Neither presence nor
    absence."""

    def __init__(self, why: str) -> None:
        from .model import Failure

        super().__init__(Failure("ELEMENT_NOT_FOUND", f"cannot be decided: {why}"))
        self.why = why

    def __str__(self) -> str:
        return self.what


class DeviceError(ReplicantError):
    """The phone or a tool on the way to it is in trouble; says nothing about the app. ``terminal``
    is what recovery came to, where an action or check ended by it. ``app_died``: nothing was
    touched, as the app was gone by then. ``never_sent``: of what the phone was asked for, nothing
    that could have an effect has left this computer. ``look_again``: nor has it here, and the phone
    would take it now, but the screen may be another one. ``while_resetting``: its test was over.
    ``detail`` is the message of the phone or the tool itself, "" if it gave none."""

    terminal: TerminalFailure | None = None
    app_died = False
    never_sent = False
    look_again = False
    while_resetting = False

    def __init__(
        self, message: str, *, device: str = "", detail: str = "", advice: str = ""
    ) -> None:
        super().__init__(message, advice=advice)
        self.device = device
        self.detail = detail

    def sent_nothing(self, never: bool = True, *, look_again: bool = False) -> Self:
        """The same error, for a request that never left, or is not known to."""
        self.never_sent = never
        self.look_again |= look_again
        return self


class DeviceNotFound(DeviceError):
    """No phone answers to that name; the message lists those that were found."""


class DeviceOffline(DeviceError):
    """The phone is known but does not answer, or does not trust this computer."""


class DeviceTimeout(DeviceError):
    """The phone did not answer in time."""


class DeviceBusy(DeviceError):
    """Another test or run holds the phone."""


class ResourceUnavailable(DeviceError):
    """A leased resource was in use for too long, or the command that makes one failed. No phone is
    in trouble."""


UNANSWERED = (DeviceError, Unsupported)
"""No answer to a question of our own, which the test did not ask for."""


class ProtocolError(DeviceError):
    """The phone answered something that makes no sense; ``exchange`` is what was said."""

    def __init__(
        self,
        message: str,
        *,
        exchange: str = "",
        device: str = "",
        detail: str = "",
        advice: str = "",
    ) -> None:
        super().__init__(message, device=device, detail=detail, advice=advice)
        self.exchange = exchange


class ReplayEnded(BaseException):
    """A replayed test asks for what was not recorded: nothing is sent or judged from here on, which
    no handler of the test's may change. ``verdict`` is ``diverged`` or ``beyond the recording``."""

    def __init__(self, why: str, *, verdict: str) -> None:
        super().__init__(f"{verdict}: {why}")
        self.why = why
        self.verdict = verdict


class ActionFailed(ReplicantError):
    """An action could not be done. ``result`` is its envelope, ``snapshot`` the screen it met,
    ``terminal`` what recovery came to."""

    def __init__(
        self,
        said: Failure | str,
        *,
        result: ActionResult,
        snapshot: Any = None,
        terminal: TerminalFailure | None = None,
    ) -> None:
        super().__init__(said)
        self.result = result
        self.snapshot = snapshot
        self.terminal = terminal

    @property
    def failure_code(self) -> FailureCode | None:
        return self.result.failure_code


class ExpectationFailed(Parted, AssertionError):
    """A check did not hold in time. ``snapshot`` is the screen as it was last read, ``terminal``
    what recovery came to, ``failure`` holds the facts as the trace has them."""

    failure: FailureRecord | None = None

    def __init__(
        self,
        said: Failure | str,
        *,
        code: FailureCode = "VERIFICATION_FAILED",
        snapshot: Any = None,
        terminal: TerminalFailure | None = None,
    ) -> None:
        super().__init__(said)
        self._say(said)
        self.failure_code: FailureCode = code
        self.snapshot = snapshot
        self.terminal = terminal


class SoftFailures(ExceptionGroup, AssertionError):
    """Several soft checks failed; each is in ``exceptions``."""


def skips() -> tuple[type[BaseException], ...]:
    """The errors that skip a test: what raises one has imported its base."""
    pytest, unittest = sys.modules.get("pytest"), sys.modules.get("unittest")
    known = (pytest and pytest.skip.Exception, unittest and unittest.SkipTest)
    return tuple(one for one in known if one)


def raise_together(failures: Sequence[ExpectationFailed]) -> None:
    """Raises one failure as itself and several as ``SoftFailures``. Each carries the line of its
    check."""
    __tracebackhide__ = True
    if not failures:
        return
    if len(failures) == 1:
        raise failures[0] from None  # the skip that it outranks is no cause
    shown: set[str] = set()
    for failure in failures:
        if failure.snapshot is None or failure.parts is None:
            continue
        outline = failure.snapshot.outline()
        if outline in shown:
            failure._say(replace(failure.parts, screen=("The screen was the same.",)))
        elif failure.parts.answer is None:  # which shows a part of it
            shown.add(outline)
    raise SoftFailures(f"{len(failures)} checks failed", failures).with_traceback(
        failures[0].__traceback__
    ) from None
