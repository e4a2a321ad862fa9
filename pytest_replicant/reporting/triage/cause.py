"""Why a test failed, in terms that are the same in another test and in another run."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from ...model import FAILURE_CLASSES
from .failing import FailingStep, failing_step
from .screens import scene_of
from .trouble import trouble_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model import RaisedError, Redactor, TestTrace

DEVICE_TROUBLE = "DeviceError"
"""``failure_class`` of tool trouble, which says nothing about the app."""

APP_CRASH = "AppCrash"
"""``failure_class`` of a test in which the app under test died."""

TEST_ERROR = "TestError"
"""``failure_class`` of any other exception: of the test itself, of a fixture, of a plain ``assert``."""

_OF_THE_TRACE = ("failure_class", "failure_code", "trouble", "screen_key", "look", "step", "phase")
_LONGEST = 300


@dataclass(frozen=True)
class Cause:
    """Facts about one failure; "" is what is not known or does not apply.

    ``failure_class`` is one of the contract's (``TargetResolutionFailure`` ...) or one of this module's.
    ``target`` is what was meant, as the test said it, ``screen`` the name of the screen on which it failed,
    ``screen_key`` which screen that is under whatever content, ``exception`` the name of what was raised,
    ``crash`` the signature of the app's death. ``source`` is the line of the test, ``step`` the id of the step in
    its trace page, ``phase`` the test's: setup, call or teardown.

    ``trouble`` sorts failures by what was wrong, however that was found out: an element is "missing", whether an
    action, a check or a wait was in need of it. ``subject`` is what was in trouble, told alike whatever selector
    the test had for it; ``observed`` what was seen in place of what was wanted. ``look`` is what the screen was
    built of, numbers apart. ``blocker`` is what lay in the way: the system's, or what covered what was meant;
    ``over`` a window of the app's own. ``app`` is the one that died, or that was in front, ``after`` the action
    that went before, and ``effect`` "none" where that had changed nothing, "stayed" where it led to no other
    screen.
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
    trouble: str = ""
    subject: str = ""
    observed: str = ""
    look: str = ""
    blocker: str = ""
    over: str = ""
    app: str = ""
    after: str = ""
    effect: str = ""
    phase: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Cause:
        """Also of another version: what is new in it is left out."""
        names = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in row.items() if name in names})

    def redacted(self, redactor: Redactor) -> Cause:
        free = [one.name for one in fields(self) if one.name not in _OF_THE_TRACE]
        return replace(self, **{name: redactor.text(getattr(self, name))[:_LONGEST] for name in free})


def cause_of(trace: TestTrace) -> Cause | None:
    """None where nothing failed the test. Not redacted yet."""
    if not trace.failures:
        return None
    first = trace.failures[0]
    step = failing_step(trace, first)
    known = Cause(
        TEST_ERROR,
        exception=first.exception,
        message=first.message.partition("\n")[0],
        source=first.source or step.source,
        step=step.step,
        phase=first.phase,
    )
    if trace.deaths:
        death = trace.deaths[0]
        return replace(
            _on_screen(trace, step, known), failure_class=APP_CRASH, crash=death.signature, app=death.app
        )
    if trace.test.outcome == "infra":
        phone = str(trace.device.get("serial") or trace.device.get("uri") or "")
        told = _device_free(trace, first)
        return replace(known, failure_class=DEVICE_TROUBLE, failure_code=step.code, message=told, subject=phone)
    return _on_screen(trace, step, known) if step.verb or step.code else known


def _on_screen(trace: TestTrace, step: FailingStep, known: Cause) -> Cause:
    """The cause with what is known of the step that failed, and of the screen that it failed on."""
    scene = scene_of(trace, step)
    trouble = trouble_of(step, scene)
    classes: Mapping[str, str] = FAILURE_CLASSES  # type: ignore[assignment]  # looked up by any string
    return replace(
        known,
        failure_class=classes.get(step.code, known.failure_class),
        failure_code=step.code,
        target=step.target,
        screen=scene.screen,
        screen_key=scene.screen_key,
        look=scene.look,
        blocker=scene.blocker or trouble.blocker,
        over=scene.over,
        app=scene.app,
        trouble=trouble.kind,
        subject=trouble.subject,
        observed=trouble.observed,
        after=step.after,
        effect=step.effect,
    )


def _device_free(trace: TestTrace, first: RaisedError) -> str:
    """The message without the name of the phone: what befell one phone may befall another."""
    told = first.message.partition("\n")[0]
    names = (str(trace.device.get(key) or "") for key in ("uri", "serial", "name"))
    for name in names:
        if len(name) > 2:
            own = re.escape(name)
            told = re.sub(rf"(?:\bdevice )?'{own}'|(?<![\w-]){own}(?![\w-])", "the phone", told)
    return told
