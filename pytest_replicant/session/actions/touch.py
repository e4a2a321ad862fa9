"""Actions of one or two fingers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...drivers.base import Capability
from ...errors import UsageError, is_told
from ...model.geometry import Point
from ..aiming.targets import as_target, checked_seconds, checked_target, describe
from ..execute import touch
from .doing import Doing

if TYPE_CHECKING:
    from ..expectation import Expectation
    from ..step import Target

__tracebackhide__ = is_told


class TouchActions(Doing):
    """Taps, presses and drags."""

    def tap(
        self,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
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
        """Touches and holds for that many seconds."""
        held = checked_seconds("long_press", seconds, 0.8, name="seconds")
        return self._touch("long_press", target, by, touch.long_press(held), timeout, silent)

    def drag(
        self, source: Target, target: Target, /, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Picks up one element and drops it on another, both awaited on one screen that stands still."""
        self._need("drag", Capability.DRAG)
        targets = (checked_target("drag", source), checked_target("drag", target))
        title = f"drag {describe(targets[0])} → {describe(targets[1])}"
        return self._do("drag", title, touch.drag, targets=targets, timeout=timeout, silent=silent)

    def tap_at(self, x: float, y: float, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Taps a point of the screen, in pixels, whatever is there. For what no hierarchy shows; marked degraded
        in the trace, since nothing says what was hit."""
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
        """Moves two fingers on the target: apart to ``scale`` times their distance, together where it is below 1.
        Marked degraded in the trace, since how far an app follows is its own affair."""
        wanted = as_target("pinch", target, by)
        if not _is_number(scale) or scale <= 0 or scale == 1:
            raise UsageError(f"pinch(scale={scale!r}): above 1 spreads the fingers, between 0 and 1 closes them")
        self._need("pinch", Capability.PINCH)
        title = f"pinch {describe(wanted)} by {scale:g}"
        send = touch.pinch(float(scale))
        return self._do("pinch", title, send, targets=(wanted,), timeout=timeout, silent=silent, sweeps=True)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
