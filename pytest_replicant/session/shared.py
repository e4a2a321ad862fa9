"""A phone that several sessions use in turn: what the next one takes over, and the proof of a state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from ..cassettes import TakenOver
from ..drivers import Capability
from ..errors import DeviceError, DeviceOffline, SnapshotError, UsageError
from ..model import Screen, Selector
from .checks import presence, screens
from .checks.check import Baseline, Check, await_check
from .checks.custom import CustomCheck, custom_check
from .device_log.crashes import died_unexpectedly
from .device_session import DeviceSession
from .leftovers import close_leftovers

Proof: TypeAlias = Selector | Screen | CustomCheck
"""What shows on the screen that a state holds."""


class ScopedSession(DeviceSession):
    """The session of whichever test is running, for a fixture of wider scope. What it returns is of that test
    alone, its views too. ``current`` gives that session, or raises ``UsageError`` where there is none."""

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
        return self._current().step(title)  # which ends where it began, though another test may run by then

    def _view(self, **how: Any) -> Any:
        return self._current()._view(**how)


def left_by(earlier: DeviceSession) -> TakenOver:
    """What the next session on the same phone has to know: which apps were started, used and stopped."""
    old = earlier._context
    ended = {name: tuple(sorted(getattr(old, name))) for name in ("stopped", "removed", "led_to")}
    return TakenOver(tuple(old.launched), tuple(old.touched), **ended)


def take_over(session: DeviceSession, left: TakenOver) -> None:
    """Makes a session know of an earlier one on the same phone, and close what that one left on the screen: the
    dialog of a crash, a permission prompt."""
    new = session._context
    new.launched.extend(left.launched)
    new.touched.update(dict.fromkeys(left.touched))
    for name in ("stopped", "removed", "led_to"):
        getattr(new, name).update(getattr(left, name))
    new.observer.begin_with(partial(close_leftovers, new, prompts=True))
    new.log.begin_action()  # an app may die of what the earlier test did, before anything is sent


def preparing(session: DeviceSession) -> AbstractContextManager[None]:
    """A part of a test that is no claim of it: a check in it that held before proves as much as any other."""
    return session._context.prepared()


def other_app(session: DeviceSession, app: str) -> str:
    """The app that fills the screen of the last read, where that is another one; "" where it is not known."""
    seen = session._context.observer.latest
    known = seen is not None and seen.platform == "android" and seen.app not in ("", app)
    return seen.app if known and seen is not None else ""


def note_dead_apps(session: DeviceSession) -> None:
    """Where a phone reports no crashes, an app that is gone by now is none that the next test has lost. Raises
    ``DeviceError``."""
    context = session._context
    if Capability.CRASHES not in context.driver.capabilities:
        context.stopped.update(died_unexpectedly(context))


def open_interrupts(session: DeviceSession) -> list[str]:
    """The titles of the announced interruptions that are still open."""
    return [one.title for one in session._context.interrupts]


def replaced_apps(session: DeviceSession) -> bool:
    """Whether the session installed or removed an app: another build proves nothing of the one before."""
    return any(one.action_type in ("install", "uninstall") for one in session._context.recorder.results)


def cleared_apps(session: DeviceSession) -> list[str]:
    """The apps whose data the session cleared, once for each time."""
    done = ((one.action_type, one.details) for one in session._context.recorder.results)
    return [
        str(known["app"])
        for kind, known in done
        if "app" in known and (kind == "clear_data" or known.get("fresh"))
    ]


def check_of(session: DeviceSession, state: str, proof: object) -> Check:
    """The check that the proof of a state stands for. Raises ``UsageError`` for anything else."""
    if isinstance(proof, CustomCheck):
        return custom_check(proof, session._context)
    if isinstance(proof, Screen):
        return screens.screen_is(proof)
    if isinstance(proof, Selector):
        return presence.visible(proof)
    raise UsageError(
        f"state {state}: proof={proof!r}: a proof is something on the screen: by(text=...), Screen(...), or a "
        "check of your own"
    )


def why_not_proven(session: DeviceSession, check: Check, *, waits: bool = False) -> str:
    """What was seen where the check does not hold; else "". It takes one read, or none where the last one still
    counts; with ``waits``, all that the time-out of actions allows. A failed read proves nothing. Raises
    ``DeviceOffline``."""
    context = session._context
    once = check if waits else replace(check, holds="once", stays=0.0)
    try:
        outcome = await_check(context, once, context.settings.action_timeout if waits else 0.0, Baseline())
    except DeviceOffline:
        raise
    except (DeviceError, SnapshotError) as error:
        return f"the screen could not be read: {error.what}"
    return "" if outcome.held else f"{check.kind} {check.expected}: {outcome.observed}"


def note(session: DeviceSession, text: str) -> None:
    """Adds a line to the next step of the trace."""
    session._context.recorder.noticed.append(text)


def prove(session: DeviceSession, check: Check) -> None:
    """Awaits the check, as one of the test. Raises ``ExpectationFailed``."""
    session._expect(check, None)
