"""Actions that move what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..aiming.targets import as_target, checked_seconds, checked_target, describe
from ..execute import scrolling, seeking
from ..expectation import Scrolled
from .doing import ActionBase

if TYPE_CHECKING:
    from ..execute.sweeping import Direction
    from ..expectation import Expectation
    from ..step import Dispatch, Target


class ScrollActions(ActionBase):
    """Swipes, scrolls, and scrolling until something is there. A direction is "up", "down", "left" or "right"."""

    def swipe(
        self,
        direction: Direction,
        target: Target | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Moves a finger that way, across the target or the whole screen: "up" shows what lies below. Success
        means that the phone took it."""
        send = scrolling.swipe_across(checked_direction("swipe", direction))
        return self._sweep("swipe", direction, target, send, timeout, silent)

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
        container is given. The outcome has ``new_elements`` and ``reached_end``: nothing moved, by a second and
        shorter swipe either."""
        seconds = checked_seconds("scroll", timeout, self._context.settings.action_timeout)
        send = scrolling.scroll(checked_direction("scroll", direction), timeout=seconds, sure=not silent)
        return Scrolled(
            self._context, self._sweep("scroll", direction, container, send, timeout, silent)._performed
        )

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
        """Scrolls until the target shows, one that is disabled too; fails at the end of the list or after
        ``max_swipes``. ``timeout`` is how long something to scroll, and what loads at its end, is waited for."""
        wanted = as_target("scroll_to", target, by)
        if isinstance(max_swipes, bool) or not isinstance(max_swipes, int) or max_swipes < 0:
            raise UsageError(f"scroll_to(max_swipes={max_swipes!r}): a whole number from 0")
        place = checked_target("scroll_to", container) if container is not None else None
        seek = seeking.Seek(
            wanted,
            container=place,
            direction=checked_direction("scroll_to", direction),
            max_swipes=max_swipes,
            timeout=checked_seconds("scroll_to", timeout, self._context.settings.action_timeout),
        )
        title = f"scroll_to {describe(wanted)}"
        return self._do("scroll_to", title, seek.send, timeout=timeout, silent=silent, idempotent=True)

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


def checked_direction(verb: str, direction: str) -> Direction:
    if direction not in ("up", "down", "left", "right"):
        raise UsageError(f'{verb}({direction!r}): the direction is "up", "down", "left" or "right"')
    return direction  # type: ignore[return-value]  # narrowed by the line above
