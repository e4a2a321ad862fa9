"""A failure as the trace keeps it: what the session knows when it happens, as fields."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from ...errors import DeviceError, ReplicantError, TargetError
from ...model import (
    AnyMapping,
    Element,
    ElementRecord,
    Failure,
    FailureRecord,
    LogRecord,
    Node,
    ObstacleRecord,
    Owner,
    Selector,
    Strings,
    TraceEvent,
    Verb,
    verb_of,
)
from ...snapshots import Snapshot, asks_permission, mask_numbers

MOST_ELEMENTS = 8  # of a list in one record
MOST_LINES = 20  # of the device log in one record
_LOUD = frozenset("WEF")
_SYSTEM = ("android", "com.android.systemui", "com.apple.springboard")


def failure_record(
    failure: Failure,
    exception: str,
    *,
    problem: str = "",
    observed: AnyMapping | None = None,
    toasts: Sequence[str] = (),
    before: Snapshot | None = None,
) -> FailureRecord:
    """The record of a failure that stands; ``exception`` is the class of the error raised for it.
    ``problem`` and ``observed`` are what a check saw, ``before`` is the screen before the last
    action."""
    snapshot: Snapshot | None = failure.snapshot
    target, check = failure.target, failure.check
    meant = failure.element if not check or check.about_acted else None
    element = target if isinstance(target, Element) else meant
    known = FailureRecord(
        failure.action_type,
        failure.code,
        failure.stage,
        exception,
        selector=target if isinstance(target, Selector) else None,
        ref=target if isinstance(target, str) else "",
        element=ElementRecord.of(element) if element else None,
        problem=problem or (check.problem if check else ""),
        wanted=dict(check.wanted) if check else {},
        observed=dict(observed or {}),
        unfit=failure.unfit,
        candidates=_records(failure.candidates),
        app=failure.app,
        detail=failure.error.detail if isinstance(failure.error, DeviceError) else "",
        toasts=tuple(toasts),
    )
    if not snapshot:
        return known
    over = window_over(snapshot)
    if isinstance(target, Selector):
        nearest = known.candidates or _nearest(snapshot, target, before, verb_of(known.kind))
        alike = _alike(snapshot, target.text)
        matches = _matches(snapshot, target)
        known = replace(known, matches=matches, candidates=nearest, alike=alike)
    return replace(
        known,
        blocker=_blocker(failure, over),
        over=over,
        screen=snapshot.screen,
        screen_key=snapshot.screen_key,
        app=snapshot.app or failure.app,
        snapshot=snapshot.id,
    )


def window_over(snapshot: Snapshot) -> ObstacleRecord | None:
    """The window that lies over the app's screen; None if none does."""
    if snapshot.dialog is None:
        return None
    top = _front(snapshot)
    if not top:
        return None
    owner: Owner = "system" if top.package in _SYSTEM else "app"
    return ObstacleRecord(
        "permission" if asks_permission(top.package) else owner, front_window(snapshot)[1]
    )


def front_window(snapshot: Snapshot) -> tuple[int, str]:
    """The window that lies over the app, -1 for none, and its name: its title, else the first text
    in it."""
    top = _front(snapshot)
    window = top.window if top else -1
    inside = (
        one.label for one in snapshot.elements if one.window == window and not one.node.clickable
    )
    return window, snapshot.dialog or next(filter(None, inside), "")


def _front(snapshot: Snapshot) -> Node | None:
    """The dialog's title, else the first thing that is listed."""
    listed = (*snapshot.headings, *snapshot.elements)
    titled = (one.node for one in listed if snapshot.dialog and one.label == snapshot.dialog)
    return next(titled, None) or next((one.node for one in listed), None)


def structure_of(snapshot: Snapshot) -> str:
    """A digest of what the screen is built of: classes and labels in order, numbers apart."""
    parts = [
        snapshot.screen_key,
        *(f"{one.class_name}\t{mask_numbers(one.label[:200])}" for one in snapshot.elements),
    ]
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()


def with_logs(event: TraceEvent, since_ms: int, logs: Sequence[LogRecord]) -> TraceEvent:
    """The event with what the apps under test logged from ``since_ms`` of the test until it
    ended."""
    if not event.failure:
        return event
    end = event.start_ms + event.duration_ms
    lines = tuple(
        f"{one.level} {one.tag}: {one.message}"
        for one in logs
        if one.app and one.level in _LOUD and since_ms <= one.at_ms <= end
    )
    return replace(event, failure=replace(event.failure, logs=lines[-MOST_LINES:]))


def _blocker(failure: Failure, over: ObstacleRecord | None) -> ObstacleRecord | None:
    if failure.unfit == "under a window":
        return over or ObstacleRecord()
    if failure.unfit not in ("covered", "touches taken"):
        return None
    found = ObstacleRecord()
    return replace(found, element=ElementRecord.of(failure.blocker)) if failure.blocker else found


def _records(elements: Sequence[Element]) -> tuple[ElementRecord, ...]:
    return tuple(map(ElementRecord.of, elements[:MOST_ELEMENTS]))


def _matches(snapshot: Snapshot, selector: Selector) -> tuple[ElementRecord, ...]:
    try:
        return _records(snapshot.every(selector))
    except ReplicantError:  # an anchor that is not on this screen
        return ()


def _nearest(
    snapshot: Snapshot, selector: Selector, before: Snapshot | None, verb: Verb
) -> tuple[ElementRecord, ...]:
    """What comes near a selector that matches nothing, as its message names them."""
    try:
        if not snapshot.match_labels(selector):
            snapshot.one(selector, before=before, verb=verb)
    except TargetError as error:
        return _records(error.candidates)
    except ReplicantError:  # an anchor that is not on this screen
        pass
    return ()


def _alike(snapshot: Snapshot, text: str | None) -> Strings:
    if text is None:
        return ()
    wanted = mask_numbers(text)
    labels = [one.label for one in snapshot.elements if mask_numbers(one.label) == wanted]
    return tuple(labels[:MOST_ELEMENTS])
