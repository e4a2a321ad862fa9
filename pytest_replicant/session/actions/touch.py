"""Actions of one or two fingers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import is_told
from ..execute import touch
from ..targets import checked_seconds, checked_target, describe
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
        held = checked_seconds("long_press", seconds, 0.8)
        return self._touch("long_press", target, by, touch.long_press(held), timeout, silent)

    def drag(
        self, source: Target, target: Target, /, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Picks up one element and drops it on another."""
        targets = (checked_target("drag", source), checked_target("drag", target))
        title = f"drag {describe(targets[0])} → {describe(targets[1])}"
        return self._do("drag", title, touch.drag, targets=targets, timeout=timeout, silent=silent)
