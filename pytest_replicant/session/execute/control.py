"""A control that is being set: its number, and gestures that are each followed by a settled read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...model import Element, FailureCode, Point, Rect, Selector
from ...snapshots import Snapshot, number_in
from ..actionability import await_still
from ..arguments import Target
from ..reachability import gesture_point
from ..stabilize.reads import settle
from ..step import ActionContext, StageFailed

_NUMBER = r"[-+−]?\d+(?:[.,٫]\d+)?"
_NUMBERS = re.compile(rf"(?<![\w.,:]){_NUMBER}(?![\d:])(?![.,]\d)")
_PERCENTAGE = re.compile(rf"({_NUMBER})\s*(?:%|٪|percent\b)", re.IGNORECASE)
_OF_MOST = re.compile(rf"({_NUMBER})\s*(?:/|of\b|out of\b)\s*({_NUMBER})", re.IGNORECASE)
_LONGEST = 200  # characters; more is a paragraph
_ROUNDING = 1e-9  # of the value: what adding up fractions may leave


def number_of(element: Element) -> float | None:
    """The reported number, else the one number in its label or value: "Brightness, 40 percent" is 40. None
    if there is none, or two that could be meant."""
    if isinstance(element.value, (int, float)):
        return float(element.value)
    texts = (element.value, element.text, element.description, element.label)
    return next((found for text in texts if text and (found := parse_number(str(text))) is not None), None)


def raw_number(snapshot: Snapshot, element: Element) -> float | None:
    """The same, from the texts of the node and of the nodes in it alone, not from what they are taken for."""
    nodes = (element.node, *snapshot.below(element.node))
    texts = [text for node in nodes for text in (node.value, node.text, node.description) if text]
    numbers = {found for text in texts if (found := parse_number(text)) is not None}
    return numbers.pop() if len(numbers) == 1 else None


def parse_number(text: str) -> float | None:
    """The number in a text: all of it, a percentage, the first of "3 of 5", or the only one."""
    whole = number_in(text)
    if whole is not None:
        return whole[0]
    if len(text) > _LONGEST:
        return None
    for pattern in (_PERCENTAGE, _OF_MOST):
        found = pattern.findall(text)
        if len(found) == 1:
            first = found[0] if isinstance(found[0], str) else found[0][0]
            return _value(first)
    numbers = _NUMBERS.findall(text)
    return _value(numbers[0]) if len(numbers) == 1 else None


def is_near(value: float, to: float, tolerance: float) -> bool:
    """Within the tolerance, whose end counts; what fractions lose in a sum does not."""
    return abs(value - to) <= tolerance + _ROUNDING * max(1.0, abs(to))


def _value(number: str) -> float | None:
    found = number_in(number)
    return found[0] if found else None


SWIPE_SECONDS = 0.5
_SIDE_DP = 24  # where a swipe that begins at the side of the screen means "back"
_BOTTOM_DP = 32  # and one at the bottom "home"
_ACROSS = (0.5, 0.3, 0.7, 0.15, 0.85)  # where across the control to look for a free point, the middle first


@dataclass(frozen=True)
class Reading:
    """What the control showed after one gesture on it."""

    gesture: str
    value: float | None


class Control:
    """``raw`` reads its number from its texts alone, not from what they are taken for."""

    def __init__(self, action: ActionContext, target: Target, *, raw: bool) -> None:
        self.action = action
        self.element: Element = action.target.element
        self.snapshot: Snapshot = action.target.snapshot
        self.raw = raw
        self.series: list[Reading] = []
        self.neighbour: float | None = None  # where one more step would lead, which was not taken
        self._selector: Selector | None = None  # a recovery may have put another in the target's place
        if isinstance(target, Selector) and self.element in self.snapshot.match(target):
            self._selector = target
        self.start = self.read()

    def read(self) -> float | None:
        return raw_number(self.snapshot, self.element) if self.raw else number_of(self.element)

    @property
    def value(self) -> float:
        """Raises ``StageFailed`` where it shows no number, or no longer."""
        value = self.read()
        if value is not None:
            return value
        raise self.failed("SEMANTIC_MISMATCH", f"shows no number any more, after {self.series_text()}.")

    def failed(self, code: FailureCode, wrong: str, **facts: Any) -> StageFailed:
        """The failure that says what was wrong with the control."""
        text = f"{self.element.describe()} on {self.action.phone} {wrong}"
        return StageFailed.on(self.snapshot, code, text, (self.element,), **facts)

    @property
    def reacted(self) -> bool:
        return any(reading.value != self.start for reading in self.series)

    @property
    def touches(self) -> int:
        return len(self.series)

    def series_text(self) -> str:
        return "   ".join(f"{reading.gesture} → {_shown(reading.value)}" for reading in self.series) or "no touch"

    def touch(self, gesture: str, point: Point, end: Point | None = None) -> None:
        """A tap, or a swipe to the end; then the control is read again."""
        if end is None:
            self.action.driver.tap(point)
        else:
            self.action.driver.swipe(point, end, SWIPE_SECONDS)
        self.action.observer.invalidate()
        self.snapshot = settle(self.action.context, self.snapshot).snapshot
        self.element = again(self.element, self.snapshot, self._selector)
        self.series.append(Reading(gesture, self.read()))

    def stand(self, *parts: Element) -> list[Element]:
        """These parts of it, or what belongs to it, as they are on the screen now: what still moves after the
        gesture before is waited for. Raises ``StageFailed`` where it goes on moving."""
        control, selector = self.element, self._selector

        def all_of_it(now: Snapshot) -> list[Element]:
            return [again(control, now, selector), *(again(part, now) for part in parts)]

        found = await_still(self.action.context, all_of_it, self.action.step.timeout)
        self.snapshot, (self.element, *there) = found
        return there

    def line(self) -> Line:
        """Its long side as it lies on the screen now, once it stands still. Raises ``StageFailed`` where it does
        not, or none of it can be touched."""
        self.stand()
        gesture_point(self.snapshot, self.element, under_keyboard=False)
        seen, covers = self.snapshot.reach(self.element)
        (width, height), density = self.snapshot.size, self.action.query.info.density
        side, bottom = round(_SIDE_DP * density), round(_BOTTOM_DP * density)
        calm = Rect(side, 0, width - side, height - bottom)  # without the edges that the system listens at
        return Line(seen, [cover.bounds for cover in covers], calm)


class Line:
    """The long side of the visible part of a control: positions in pixels, from the left, or from below where it
    stands upright."""

    def __init__(self, seen: Rect, covers: list[Rect], calm: Rect) -> None:
        self.seen = seen
        self._covers = covers
        self.lies = seen.width >= seen.height
        self.length = max(seen.width, seen.height)
        first, last = (calm.left, calm.right - 1) if self.lies else (calm.bottom - 1, calm.top)
        inner = (max(self._position(first), 0), min(self._position(last), self.length - 1))
        self.inner = inner if inner[0] < inner[1] else (0, self.length - 1)

    @property
    def whole(self) -> tuple[int, int]:
        return 0, self.length - 1

    def point(self, position: int) -> Point | None:
        """A point of the control there that nothing drawn later would catch; None where all are covered."""
        for share in _ACROSS:
            point = self._at(position, share)
            if not any(cover.contains(point) for cover in self._covers):
                return point
        return None

    def at_share(self, share: float) -> int:
        return round(share * (self.length - 1))

    def _at(self, position: int, across: float) -> Point:
        if self.lies:
            return Point(self.seen.left + position, self.seen.top + int(self.seen.height * across))
        return Point(self.seen.left + int(self.seen.width * across), self.seen.bottom - 1 - position)

    def _position(self, place: int) -> int:
        return place - self.seen.left if self.lies else self.seen.bottom - 1 - place


def again(element: Element, snapshot: Snapshot, selector: Selector | None = None) -> Element:
    """The control on a later screen, also if its number has changed its name; in another window than it was in
    there is none. Raises ``StageFailed``."""
    located = snapshot.locate(element)
    if located.element is not None:
        return located.element
    then = element.screen or (element.family.traits if element.family is not None else None)
    here = then is None or not then.differ_on_top(snapshot.traits)
    if here and selector is not None and len(found := snapshot.match(selector)) == 1:
        return found[0]
    same = [
        other
        for other in snapshot.elements
        if (other.class_name, other.resource_id, other.bounds)
        == (element.class_name, element.resource_id, element.bounds)
    ]
    if here and len(same) == 1:
        return same[0]
    wrong = f"{element.describe()} while it was adjusted: {located.verdict}, {located.reason}"
    raise StageFailed.on(snapshot, "STALE_REFERENCE", wrong)


def _shown(value: float | None) -> str:
    return "no number" if value is None else f"{value:g}"
