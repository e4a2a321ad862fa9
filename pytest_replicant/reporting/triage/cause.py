"""Why a test failed, in terms that are the same in another test and in another run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model.secret import Redactor
    from ...model.test_trace import TestTrace

DEVICE_TROUBLE = "DeviceError"
"""``failure_class`` of tool trouble, which says nothing about the app."""

APP_CRASH = "AppCrash"
"""``failure_class`` of a test in which the app under test died."""

TEST_ERROR = "TestError"
"""``failure_class`` of any other exception: of the test itself, of a fixture, of a plain ``assert``."""

_FREE_TEXT = ("target", "screen", "exception", "crash", "message", "source")


@dataclass(frozen=True)
class Cause:
    """Facts about one failure; "" is what is not known or does not apply.

    ``failure_class`` is one of the contract's (``TargetResolutionFailure`` ...) or one of this module's.
    ``target`` is what was meant, as the test said it, ``screen`` the name of the screen on which it failed,
    ``screen_key`` which screen that is under whatever content, ``exception`` the name of what was raised,
    ``crash`` the signature of the app's death. ``source`` is the line of the test, ``step`` the id of the step in
    its trace page.
    """

    failure_class: str
    failure_code: str = ""
    target: str = ""
    screen: str = ""
    screen_key: str = ""
    exception: str = ""
    crash: str = ""
    message: str = ""
    source: str = ""
    step: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Cause:
        """Also of another version: what is new in it is left out."""
        names = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in row.items() if name in names})

    def redacted(self, redactor: Redactor) -> Cause:
        return replace(self, **{name: redactor.text(getattr(self, name)) for name in _FREE_TEXT})


def cause_of(trace: TestTrace) -> Cause | None:
    """None where nothing failed the test. Not redacted yet."""
    if not trace.failures:
        return None
    first = trace.failures[0]
    return Cause(
        TEST_ERROR,
        exception=first.exception,
        message=first.message.partition("\n")[0],
        source=first.source,
        crash=trace.deaths[0].signature if trace.deaths else "",
    )
