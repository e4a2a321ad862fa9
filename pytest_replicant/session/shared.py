"""A phone that several sessions use in turn: what the next one takes over, and the proof of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, TypeAlias

from ..cassettes import TakenOver
from ..drivers import Capability
from ..errors import DeviceError, DeviceOffline, SnapshotError, UsageError
from ..model import Screen, Selector
from ..snapshots import Snapshot
from .checks import presence, screens
from .checks.check import Baseline, Check, CheckInput, Failed, Verdict, await_check
from .checks.custom import CustomCheck, custom_check
from .device_log.crashes import died_unexpectedly
from .device_session import DeviceSession
from .recording.failures import structure_of

Proof: TypeAlias = Selector | Screen | CustomCheck
"""What shows on the screen that a state holds."""


class ScopedSession(DeviceSession):
    """The session of whichever test is running, for a fixture of wider scope. What it returns is of that test
    alone, its views too. ``current`` gives that session, or raises ``UsageError`` if there is none."""

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


def why_not_proven(session: DeviceSession, check: Check) -> str:
    """What was seen where the check does not hold; else "". It takes one read, or none where the last one still
    counts. A failed read proves nothing. Raises ``DeviceOffline``."""
    return _why_not(session, replace(check, holds="once", stays=0.0), 0.0)


def came_back(session: DeviceSession, check: Check, passed: set[str] | None) -> bool:
    """Whether a check holds once an app was launched, in the time-out of actions: no longer than ``AT_REST`` on a
    screen that is none of those ``passed`` on the way to it, which are noted if it holds. All of the time-out if
    these are not known. Raises ``DeviceOffline``."""
    if passed is None:
        return not _why_not(session, check, session._context.settings.action_timeout)
    context, volatile = session._context, session._context.observer.volatile
    rests: list[tuple[Snapshot, float]] = []  # the last read, and since when the screen is at rest

    def test(look: CheckInput) -> Verdict:
        found, now, here = check.test(look), context.clock.now(), look.snapshot
        last, since = rests.pop() if rests else (here, now)
        if volatile.loads(here) or not volatile.alike(last, here):
            since = now
        rests.append((here, since))
        elsewhere = now - since >= AT_REST and structure_of(here) not in passed
        return Failed(found.observed, final=True) if elsewhere and not found.held else found

    why = _why_not(session, replace(check, test=test), context.settings.action_timeout)
    if not why:
        passed.update(map(structure_of, context.observer.seen))
    return not why


@contextmanager
def passed_screens(session: DeviceSession) -> Iterator[set[str]]:
    """Yields a set that holds the screens which were read meanwhile, once that is over, except those on which
    something was done: these lead nowhere by themselves."""
    context, passed = session._context, set[str]()
    began = context.clock.epoch_ms()
    yield passed
    events = map(context.recorder.event_of, (one.action_id for one in context.recorder.results))
    touched = {event.met_on for event in events if event is not None and event.target is not None}
    read = [one for one in context.observer.earlier() if one.captured_at_ms >= began]
    passed.update({structure_of(one) for one in read} - {structure_of(one) for one in read if one.id in touched})


AT_REST = 2.0
"""Seconds: longer than screens of a start stand still on their way to the next, but for those that wait for a
backend, which are known once one was passed."""


def _why_not(session: DeviceSession, check: Check, seconds: float) -> str:
    try:
        outcome = await_check(session._context, check, seconds, Baseline())
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
