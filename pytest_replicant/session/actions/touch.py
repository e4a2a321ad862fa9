"""Actions of one or two fingers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...drivers import Capability
from ...errors import UsageError
from ...model import Point
from ..aiming.targets import as_target, checked_seconds, checked_target, describe
from ..execute import touch
from .doing import ActionBase

if TYPE_CHECKING:
    from ..expectation import Expectation
    from ..step import Target


class TouchActions(ActionBase):
    """A finger, or two.

    The target is awaited until it is there once, on screen, enabled, not covered, and in the same place on two
    reads in a row; a keyboard that lies over it is hidden. The touch goes to its middle, or to the free part of it
    that is nearest to that. Success means that the phone took the touch; what came of it is for a check to say.
    Raises ``ActionFailed`` with ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET, STALE_REFERENCE or ELEMENT_NOT_INTERACTABLE,
    and then nothing was touched.
    """

    def tap(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Touches the element once. What cannot be clicked is touched all the same, as a finger would: a label in
        a row reaches the row."""
        return self._touch("tap", target, by, touch.tap, timeout, silent)

    def double_tap(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Touches the element twice in the same place, quickly enough to count as one gesture."""
        return self._touch("double_tap", target, by, touch.double_tap, timeout, silent)

    def long_press(
        self,
        target: Target | None = None,
        /,
        *,
        seconds: float = 0.8,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Touches the element and holds for that many ``seconds``, from 0. What an app takes for a long press is
        its own affair; most do from 0.5 seconds."""
        held = checked_seconds("long_press", seconds, 0.8, name="seconds")
        return self._touch("long_press", target, by, touch.long_press(held), timeout, silent)

    def drag(
        self, source: Target, target: Target, /, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Picks up one element and drops it on another, both awaited on one screen that stands still; the way
        takes 0.8 seconds. Raises ``Unsupported`` where the phone cannot."""
        self._need("drag", Capability.DRAG)
        targets = (checked_target("drag", source), checked_target("drag", target))
        title = f"drag {describe(targets[0])} → {describe(targets[1])}"
        return self._do("drag", title, touch.drag, targets=targets, timeout=timeout, silent=silent)

    def tap_at(self, x: float, y: float, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Taps a point of the screen, in pixels from its top left corner, whatever is there and without waiting
        for anything. For what no hierarchy shows; marked degraded in the trace, since nothing says what was hit. A
        point outside the screen is a ``UsageError``."""
        for name, value in (("x", x), ("y", y)):
            if not _is_number(value) or value < 0:
                raise UsageError(
                    f"tap_at({name}={value!r}): a number of pixels from 0; to tap an element: tap(...)"
                )
        point = Point(int(x), int(y))
        return self._do(
            "tap_at", f"tap_at {point.x}, {point.y}", touch.tap_at(point), timeout=timeout, silent=silent
        )

    def pinch(
        self,
        target: Target | None = None,
        /,
        *,
        scale: float,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Moves two fingers on the target: apart to ``scale`` times their distance, together where it is below 1;
        it is never 1. Marked degraded in the trace, since how far an app follows is its own affair. Raises
        ``UsageError`` for a target too small for two fingers, ``Unsupported`` where the phone cannot."""
        wanted = as_target("pinch", target, by)
        if not _is_number(scale) or scale <= 0 or scale == 1:
            raise UsageError(f"pinch(scale={scale!r}): above 1 spreads the fingers, between 0 and 1 closes them")
        self._need("pinch", Capability.PINCH)
        title = f"pinch {describe(wanted)} by {scale:g}"
        send = touch.pinch(float(scale))
        return self._do("pinch", title, send, targets=(wanted,), timeout=timeout, silent=silent, sweeps=True)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
