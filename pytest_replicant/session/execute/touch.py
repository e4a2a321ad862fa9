"""Taps, presses, drags, typing and keys. Text goes where the focus is: that has to be the field
that was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...drivers import Capability, Driver, FocusedField
from ...errors import UsageError
from ...model import AnyDict, Element, Failure, Point, Rect, ancestors
from ...snapshots import Snapshot, is_pane
from ..actionability import await_still, hidden_witness, resolve
from ..element_state import text_of, true_text_of
from ..reachability import gesture_point, not_interactable
from ..stabilize.reads import AGREEING_READS, Reads, read_now
from ..step import ActionContext, Details, Dispatch, ResolvedTarget, StageFailed, failure_on

FOCUS_SECONDS = 2.0  # a slow phone; a field has the focus a tenth of a second after the touch
_BULLET = "•"


class Focus(NamedTuple):
    """The screen before something is typed, and the field that has the focus there."""

    screen: Snapshot
    field: FocusedField


def take_focus(action: ActionContext) -> Focus:
    """Taps the field, unless it has the focus, and waits until it is known to have it. Raises
    ``StageFailed`` if something else has the focus, or where that is not known.

    A keyboard moves a form when it comes up, and an app may do so at the touch: the place where the
    field was proves nothing. The screen is read again, ``locate`` says which field there is the one
    that was meant, and the phone names the same holder of the focus before and after that read. An
    id that is the only one of its kind needs no other read. Where the hierarchy does not report the
    focus, the phone is asked before the touch: a second tap on a field opens a menu on iOS."""
    target, has_it = action.target, action.target.element.states.focused
    if has_it is None:
        has_it = action.observer.has_focus(target.element)
    if not has_it:
        action.driver.tap(target.point)
    reads = Reads(action.context, FOCUS_SECONDS)
    shown = target.snapshot if has_it else None
    before: FocusedField | None = None
    while True:
        focused, screen = action.observer.focus()
        shown = screen or shown
        if focused is not None and (proof := _proof(target, focused, before, shown)) is not None:
            if not has_it:
                action.sends.note_harmless()  # it has the focus now, and is not tapped again
            return Focus(proof, focused)
        if reads.out_of_time and (focused is None or reads.good + reads.failed >= AGREEING_READS):
            raise _without_focus(action, focused, shown)
        before, shown = focused, None
        if focused is None:
            action.context.clock.sleep(reads.pause)
        elif (reading := reads.attempt(action.observer.read)) is not None:
            shown = reading.snapshot


def _proof(
    target: ResolvedTarget,
    focused: FocusedField,
    before: FocusedField | None,
    shown: Snapshot | None,
) -> Snapshot | None:
    """The screen that shows that the focus is on the target; None if none does."""
    name, nodes = target.element.resource_id, target.snapshot.nodes
    once = name == focused.resource_id and [one.resource_id for one in nodes].count(name) == 1
    # No other field can have that id by now: only one has it, and it lies in nothing that scrolls,
    # where the next row or page has the same.
    if name and once and not any(map(is_pane, ancestors(nodes, target.element.node))):
        return target.snapshot
    if shown is None or before not in (None, focused):
        return None
    holder, now = _holder(focused, shown), _as_it_is_now(target, shown)
    is_in = holder is not None and now is not None and holder.index == now.index
    return shown if is_in else None


def _holder(focused: FocusedField, shown: Snapshot) -> Element | None:
    """The one field on a screen that has the focus: as the phone says, and as the hierarchy does if
    it reports that of any."""
    fields = list(_fields(shown))
    reported = [one for one in fields if one.states.focused]
    found = [one for one in reported or fields if focused.is_same(one.resource_id, one.bounds)]
    return found[0] if len(found) == 1 else None


def _fields(shown: Snapshot) -> Iterator[Element]:
    """Its text fields, those under the keyboard too."""
    return (one for one in (shown.beneath or shown).elements if one.states.editable is not False)


def _as_it_is_now(target: ResolvedTarget, shown: Snapshot) -> Element | None:
    """The target on a later screen; None if it is not known. The words around it decide: if another
    field has more of them, its place does not outweigh that, and if one alone has all of them, that
    is it."""
    words = _words(target.element, target.snapshot)
    shared = [(one, len(words & _words(one, shown))) for one in _fields(shown)]
    now = shown.locate(target.element).element or hidden_witness(shown, target.element)
    if now is not None:
        if len(words & _words(now, shown)) >= max((count for _, count in shared), default=0):
            return now
        return None
    found = [one for one, count in shared if count == len(words) > 0]
    return found[0] if len(found) == 1 else None


def _words(field: Element, screen: Snapshot) -> set[str]:
    """What a field and its row are called, and what stands before it; not what it holds."""
    index = field.index
    before = [
        one
        for one in screen.elements
        if one.index < index and one.label and not one.states.editable
    ]
    said = {field.label, field.hint, field.description, field.context, *field.row, *field.folded}
    return (said | {f"after {one.label}" for one in before[-1:]}) - {"", text_of(field)}


def _without_focus(
    action: ActionContext, focused: FocusedField | None, shown: Snapshot | None
) -> StageFailed:
    element, where = action.target.element, "nothing has the focus"
    if focused is not None:
        holder = _holder(focused, shown) if shown is not None else None
        where = (
            "the focus is on "
            f"{holder.describe() if holder else focused.resource_id or focused.bounds}"
        )
    return StageFailed.on(
        shown or action.target.snapshot,
        "ACTION_REJECTED",
        f"{element.describe()} did not take the focus in {FOCUS_SECONDS:.0f} s: {where}. "
        "Nothing was typed. Is it a text field, is it enabled, and does the app move it at a "
        "touch?",
        (element,),
    )


def _shows(field: Element, typed: str) -> bool:
    """Whether a field shows that text, perhaps next to another; of a masked one, as many dots."""
    shown = text_of(field)
    dots = set(shown) == {_BULLET} and len(shown) == len(typed)
    return dots or (typed in shown if typed else not shown)


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
    """While the goal was awaited the source may have moved: both points are of one screen that
    stands still."""
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
    action.observer.history.note_swipe()
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


def point_details(point: Point) -> AnyDict:
    return {"point": [point.x, point.y]}


MODES = ("bulk", "keys")  # in the order in which they are tried


@dataclass(repr=False)  # which may hold a secret
class Fill:
    """Focuses the field, empties it unless appending, and types: all at once, or where a recovery
    asks for ``mode="keys"`` one character after the other, as a person would. ``mode`` is how it
    was typed last."""

    text: str
    append: bool
    secret: bool = False
    before: str = ""  # what the field held, if this appends to it
    mode: str = MODES[0]
    _focus: Focus | None = None

    def send(self, action: ActionContext) -> Details:
        self.mode = action.params.get("mode", MODES[0])
        if self.mode not in MODES:
            raise UsageError(
                f"fill: there is no typing mode {self.mode!r}; there are {', '.join(MODES)}"
            )
        action.query.check_typeable(self.text)
        snapshot, element = action.target.snapshot, action.target.element
        # Focusing is a tap, which a button would take for one.
        if element.states.editable is False:
            raise not_interactable(snapshot, element, "it is no text field")
        if not action.may_have_acted:  # else a part of the text may be there already
            self.before = true_text_of(snapshot, element) if self.append else ""
        self._focus = focus = take_focus(action)
        action.query.check_field_takes(self.text)
        action.context.screens.secret_fields.typed(element, secret=self.secret)
        # One letter after the other is no secret that could be found.
        action.context.tape.hides = self.secret
        self._type(action)
        action.context.tape.hides = False
        facts = {"length": len(self.text), "append": self.append, "mode": self.mode}
        details = {**point_details(action.target.point), **facts}
        if not action.step.silent:
            return details
        now, _ = action.observer.focus()
        if now is None or not now.is_same(focus.field.resource_id, focus.field.bounds):
            snapshot = read_now(action.context, again=True).snapshot
            if (failure := self.elsewhere(action, snapshot)) is not None:
                raise StageFailed(failure)
        return details

    def _type(self, action: ActionContext) -> None:
        in_bulk = self.mode == MODES[0]
        if not self.append:
            replaces = in_bulk and Capability.REPLACE_TEXT in action.query.capabilities
            if self.text and replaces:
                action.driver.replace_text(self.text)
                return
            action.driver.clear_text()
        for part in [self.text] if in_bulk else self.text:
            if part:
                action.driver.type_text(part)

    def elsewhere(self, action: ActionContext, snapshot: Snapshot) -> Failure | None:
        """The failure of a text that another field shows since it was typed, as the focus moved
        meanwhile; None if none does. What such a field showed before is not restored, and nothing
        is typed again."""
        element, typed = action.target.element, self.text
        meant = _as_it_is_now(action.target, snapshot)
        if self._focus is None or meant is None or _shows(meant, typed):
            return None  # another one may mirror it
        untouched = not meant.states.password and text_of(meant) == text_of(element)
        for one in snapshot.elements:
            if one == meant or not one.states.editable or not (untouched or _shows(one, typed)):
                continue
            was = self._focus.screen.locate(one).element
            if was is None or text_of(was) == text_of(one):
                continue
            fields = action.context.screens.secret_fields
            fields.typed(was, secret=self.secret)
            fields.learn(snapshot)
            return failure_on(
                snapshot,
                "ACTION_REJECTED",
                f"{element.describe()} was meant, and the text went into {was.describe()}: the "
                "focus moved while it was typed. It was not typed again.",
                (was,),
                may_retry=False,
                advice=(
                    "does the app move the focus by itself? Then wait for what it does before, and "
                    "empty the other field",
                ),
                redactor=action.context.recorder.redactor,
            )
        return None

    def other_way(self) -> Details:
        """The params of typing in another way than it was; empty if there is none."""
        return {"mode": MODES[-1]} if self.mode != MODES[-1] and len(self.text) > 1 else {}
