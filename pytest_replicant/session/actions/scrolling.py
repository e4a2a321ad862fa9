"""Actions that move what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError, is_told
from ..execute import scrolling
from ..expectation import Scrolled
from ..resolve import container_of
from ..targets import as_target, checked_target, describe
from .doing import Doing

if TYPE_CHECKING:
    from ...model.element import Element
    from ...snapshots.snapshot import Snapshot
    from ..execute.scrolling import Direction
    from ..expectation import Expectation
    from ..step import Dispatch, Target

__tracebackhide__ = is_told


class ScrollActions(Doing):
    """Swipes, scrolls, and scrolling until something is there."""

    def snapshot(self) -> Snapshot:
        raise NotImplementedError

    def swipe(
        self,
        direction: Direction,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Moves a finger that way, across the target or the whole screen."""
        return self._sweep(
            "swipe", direction, target, scrolling.swipe(_direction("swipe", direction)), timeout, silent
        )

    def scroll(
        self,
        direction: Direction,
        container: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Scrolled:
        """Shows what lies in that direction: "down" moves the finger up. The largest scrollable element where no
        container is given. The outcome has ``new_elements`` and ``reached_end``."""
        send = scrolling.scroll(_direction("scroll", direction))
        wanted = container if container is not None else self._scrollable()
        return Scrolled(self._parts, self._sweep("scroll", direction, wanted, send, timeout, silent)._performed)

    def scroll_to(
        self,
        target: Target | None = None,
        /,
        *,
        container: Target | None = None,
        direction: Direction = "down",
        max_swipes: int = 20,
        timeout: float | None = None,
        silent: bool = False,
        **by: Any,
    ) -> Expectation:
        """Scrolls until the target is on the screen; fails at the end of the list or after ``max_swipes``."""
        wanted = as_target("scroll_to", target, by)
        if isinstance(max_swipes, bool) or not isinstance(max_swipes, int) or max_swipes < 0:
            raise UsageError(f"scroll_to(max_swipes={max_swipes!r}): a whole number from 0")
        place = checked_target("scroll_to", container) if container is not None else None
        send = scrolling.scroll_to(wanted, place, _direction("scroll_to", direction), max_swipes)
        title = f"scroll_to {describe(wanted)}"
        return self._do("scroll_to", title, send, timeout=timeout, silent=silent)

    def _sweep(
        self,
        kind: str,
        direction: str,
        target: Target | None,
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        targets = (checked_target(kind, target),) if target is not None else ()
        title = " in ".join([f"{kind} {direction}", *map(describe, targets)])
        return self._do(kind, title, send, targets=targets, timeout=timeout, silent=silent, sweeps=True)

    def _scrollable(self) -> Element:
        return container_of(self.snapshot(), None)


def _direction(verb: str, direction: str) -> Direction:
    if direction not in ("up", "down", "left", "right"):
        raise UsageError(f'{verb}({direction!r}): the direction is "up", "down", "left" or "right"')
    return direction  # type: ignore[return-value]  # narrowed by the line above
