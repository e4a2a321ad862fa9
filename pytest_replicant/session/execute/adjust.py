"""Setting a continuous control by feedback: touch the track, read the value, correct, until it is there.

Positions are fitted from what was observed (secant within a bracket), since neither range nor step is known
beforehand. Every touch stays inside the control. RFC 008: set and verify, or fail with the series of readings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import is_told
from ...model.failure import Failure
from ...model.geometry import Point, Rect
from ..stabilize import settle
from ..step import StageFailed

if TYPE_CHECKING:
    from ...model.element import Element
    from ...snapshots.snapshot import Snapshot
    from ..step import Dispatch, Hands

__tracebackhide__ = is_told

MOST_TOUCHES = 10


class Track:
    """The pixels that the control's long side offers, and what is known of the values along them."""

    def __init__(self, bounds: Rect, to: float) -> None:
        self._bounds = bounds
        self._across = bounds.width >= bounds.height
        self.low = bounds.left if self._across else -(bounds.bottom - 1)  # a vertical control grows upward
        self.high = bounds.right - 1 if self._across else -bounds.top
        self._to = to
        self._below: tuple[int, float] | None = None  # the nearest position known to give less than wanted
        self._above: tuple[int, float] | None = None

    def point(self, position: int) -> Point:
        center = self._bounds.center
        return Point(position, center.y) if self._across else Point(center.x, -position)

    def note(self, position: int, value: float) -> None:
        if value < self._to:
            self.low, self._below = max(self.low, position), (position, value)
        else:
            self.high, self._above = min(self.high, position), (position, value)

    def next(self) -> int:
        """By interpolation between the nearest values on both sides; towards the end where one side is open."""
        if self._below and self._above and self._above[1] != self._below[1]:
            share = (self._to - self._below[1]) / (self._above[1] - self._below[1])
            guess = round(self._below[0] + share * (self._above[0] - self._below[0]))
            return min(max(guess, self.low), self.high)
        return (self.low + self.high) // 2


def adjust(to: float, tolerance: float) -> Dispatch:
    """Touches the control until its value is ``to``, give or take ``tolerance``, in the control's own unit."""

    def send(hands: Hands) -> Mapping[str, Any]:
        element, snapshot = hands.aim.element, hands.aim.snapshot
        value = _value(element, snapshot)
        track = Track(element.bounds, to)
        readings: list[tuple[int, float]] = []
        ends = [track.low, track.high]
        while abs(value - to) > tolerance:
            position = track.next()
            if any(position == tried for tried, _ in readings):
                position = next((end for end in _untried(ends, readings, value, to)), position)
            if len(readings) >= MOST_TOUCHES or any(position == tried for tried, _ in readings):
                raise _not_there(hands, element, snapshot, to, readings)
            hands.touched.append(track.point(position))
            hands.driver.tap(track.point(position))
            hands.parts.observer.note_gesture()
            snapshot = settle(hands.parts, snapshot).snapshot
            element = _same(element, snapshot)
            value = _value(element, snapshot)
            readings.append((position, value))
            track.note(position, value)
        return {"touches": len(readings), "readings": readings, "value": value}

    return send


def _untried(ends: list[int], readings: list[tuple[int, float]], value: float, to: float) -> list[int]:
    """The end of the track on the wanted side, once: the first and last values often lie only there."""
    end = ends[1] if value < to else ends[0]
    return [end] if all(end != tried for tried, _ in readings) else []


def _value(element: Element, snapshot: Snapshot) -> float:
    if isinstance(element.value, (int, float)):
        return float(element.value)
    message = (
        f"ELEMENT_NOT_INTERACTABLE  {element.describe()} reports no number to adjust by. "
        f"Next: select() for a list, tap() for a stepper.\n{snapshot.outline()}"
    )
    raise StageFailed(Failure("ELEMENT_NOT_INTERACTABLE", message, (element,)), snapshot)


def _same(element: Element, snapshot: Snapshot) -> Element:
    located = snapshot.locate(element)
    if located.element is not None:
        return located.element
    message = f"STALE_REFERENCE  {element.describe()} while it was adjusted: {located.verdict}, {located.reason}"
    raise StageFailed(Failure("STALE_REFERENCE", f"{message}\n{snapshot.outline()}"), snapshot)


def _not_there(
    hands: Hands, element: Element, snapshot: Snapshot, to: float, readings: list[tuple[int, float]]
) -> StageFailed:
    series = "   ".join(f"{position} px → {value:g}" for position, value in readings)
    message = (
        f"CONTROL_CONVERGENCE_FAILED  {element.describe()} on {hands.look.uri} does not become {to:g} in "
        f"{len(readings)} touches: {series}. Next: a tolerance=, or a value that the control has.\n"
        f"{snapshot.outline()}"
    )
    return StageFailed(Failure("CONTROL_CONVERGENCE_FAILED", message, (element,)), snapshot)
