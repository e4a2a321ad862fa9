"""Taps, presses, drags, typing and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...drivers import Capability, Driver, FocusedField
from ...errors import UsageError
from ...model import Failure, Point, Rect
from ...snapshots import Snapshot
from ..actionability import await_still, resolve
from ..element_state import true_text_of
from ..reachability import gesture_point, not_interactable
from ..stabilize.reads import read_now
from ..step import ActionContext, Details, Dispatch, StageFailed
from .focus import Focus, take_focus, went_elsewhere

DRAG_SECONDS = 0.8
PINCH_SECONDS = 0.5


def gesture(send: Callable[[Driver, Point], object], **facts: Any) -> Dispatch:
    """One gesture at the free point of the target."""

    def dispatch(action: ActionContext) -> Details:
        point = action.target.point
        send(action.driver, point)
        return {**point_details(point), **facts}

    return dispatch


TAP = gesture(lambda phone, point: phone.tap(point))


def drag(action: ActionContext) -> Details:
    """While the goal was awaited the source may have moved: both points are of one screen that stands still."""
    source, goal = action.resolved
    start, end = source.point, goal.point
    if source.snapshot is not goal.snapshot:
        observer, both = action.observer, action.resolved
        snapshot, found = await_still(
            action.context,
            lambda now: [resolve(observer, now, one.element) for one in both],
            action.step.timeout,
        )
        start, end = (gesture_point(snapshot, one) for one in found)
    action.observer.note_swipe()
    action.driver.drag(start, end, DRAG_SECONDS)
    return {"from": [start.x, start.y], "to": [end.x, end.y]}


def tap_at(point: Point) -> Dispatch:
    """The point must be on the screen as it is now, which may be turned."""

    def send(action: ActionContext) -> Details:
        screen = screen_of(action)
        if not screen.contains(point):
            raise UsageError(
                f"tap_at({point.x}, {point.y}): the screen of {action.phone} has {screen.width} x "
                f"{screen.height} pixels. Nothing was touched."
            )
        action.driver.tap(point)
        return {**point_details(point), "degraded": True}

    return send


def pinch(scale: float) -> Dispatch:
    def send(action: ActionContext) -> Details:
        area = action.target.element.bounds.intersect(screen_of(action))
        action.touched.append(area.center)
        action.driver.pinch(area, scale, PINCH_SECONDS)
        return {"area": list(area), "scale": scale, "degraded": True}

    return send


def screen_of(action: ActionContext) -> Rect:
    """The whole screen, the way it is up now; a dump may leave the edges out."""
    snapshot = action.target.snapshot if action.resolved else read_now(action.context).snapshot
    width, height = snapshot.size
    short, long = sorted((action.query.info.width, action.query.info.height))
    sides = (long, short) if width > height else (short, long)
    return Rect(0, 0, max(width, sides[0]), max(height, sides[1]))


def point_details(point: Point) -> dict[str, Any]:
    return {"point": [point.x, point.y]}


MODES = ("bulk", "keys")  # in the order in which they are tried


class Fill:
    """Focuses the field, empties it unless appending, and types: all at once, or where a recovery asks for
    ``mode="keys"`` one character after the other, as a person would. ``mode`` is how it was typed last."""

    def __init__(self, text: str, *, append: bool, secret: bool = False) -> None:
        self.text = text
        self._append = append
        self.secret = secret
        self.before = ""  # what the field held, where this appends to it
        self._focus: Focus | None = None
        self.mode: str = MODES[0]

    def send(self, action: ActionContext) -> Details:
        self.mode = action.params.get("mode", MODES[0])
        if self.mode not in MODES:
            raise UsageError(f"fill: there is no typing mode {self.mode!r}; there are {', '.join(MODES)}")
        action.query.check_typeable(self.text)
        if action.target.element.states.editable is False:  # focusing is a tap, which a button would take for one
            raise not_interactable(action.target.snapshot, action.target.element, "it is no text field")
        if not action.may_have_acted:  # else a part of the text may be there already
            self.before = true_text_of(action.target.snapshot, action.target.element) if self._append else ""
        self._focus = focus = take_focus(action)
        action.query.check_field_takes(self.text)
        action.context.recorder.secret_fields.typed(action.target.element, secret=self.secret)
        action.context.tape.hides = self.secret  # one letter after the other is no secret that could be found
        self._type(action)
        action.context.tape.hides = False
        if action.step.silent and self._has_left(action, focus.field):
            snapshot = read_now(action.context, again=True).snapshot
            if (failure := self.elsewhere(action, snapshot)) is not None:
                raise StageFailed(failure, snapshot)
        facts = {"length": len(self.text), "append": self._append, "mode": self.mode}
        return {**point_details(action.target.point), **facts}

    def _type(self, action: ActionContext) -> None:
        in_bulk = self.mode == MODES[0]
        whole = in_bulk and self.text and not self._append
        if whole and Capability.REPLACE_TEXT in action.query.capabilities:
            action.driver.replace_text(self.text)
            return
        if not self._append:
            action.driver.clear_text()
        for part in [self.text] if in_bulk else self.text:
            if part:
                action.driver.type_text(part)

    def _has_left(self, action: ActionContext, field: FocusedField) -> bool:
        """Whether the focus is somewhere else than it was before."""
        now, _ = action.observer.focus()
        return now is None or not now.is_same(field.resource_id, field.bounds)

    def elsewhere(self, action: ActionContext, snapshot: Snapshot) -> Failure | None:
        """The failure of a text that went into another field; None if it did not."""
        if self._focus is None:
            return None
        return went_elsewhere(action, self._focus, snapshot, self.text, secret=self.secret)

    def other_way(self) -> Details:
        """The params of typing in another way than it was; empty where there is none."""
        return {"mode": MODES[-1]} if self.mode != MODES[-1] and len(self.text) > 1 else {}
