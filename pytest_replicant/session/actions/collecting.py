"""Reading through a whole list, which takes swipes, and so is an action in the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Selector
from ..aiming.targets import as_target, checked_seconds, checked_target, describe
from ..execute.collecting import Collecting
from .doing import ActionBase
from .scrolling import checked_direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...model import Element
    from ..execute.sweeping import Direction
    from ..step import Target


class Collected(list["Element"]):
    """The elements, each as it was on the screen that showed it whole. ``stopped`` says where it ended."""

    def __init__(self, elements: Iterable[Element], stopped: str) -> None:
        super().__init__(elements)
        self.stopped = stopped

    @property
    def labels(self) -> list[str]:
        return [element.label for element in self]


class CollectActions(ActionBase):
    """What is in a list, beyond what shows of it."""

    def collect(
        self,
        selector: Selector | None = None,
        container: Target | None = None,
        *,
        direction: Direction = "down",
        max_swipes: int = 200,
        timeout: float | None = None,
        **by: Any,
    ) -> Collected:
        """Every element that fits, from where the list is to its end, each once and in order: scrolls through it
        and leaves it there. Rows that look alike are told apart by where they lie. Raises ``ActionFailed`` where
        the end was not reached, or rows may have been missed: a part of a list is no list."""
        wanted = as_target("collect", selector, by)
        if not isinstance(wanted, Selector):
            raise UsageError(f"collect({describe(wanted)}): what is collected is described: collect(by(...))")
        if wanted.nth is not None:
            raise UsageError("collect(): nth= picks one; collect gathers all that fit")
        if isinstance(max_swipes, bool) or not isinstance(max_swipes, int) or max_swipes < 0:
            raise UsageError(f"collect(max_swipes={max_swipes!r}): a whole number from 0")
        collecting = Collecting(
            wanted,
            container=checked_target("collect", container) if container is not None else None,
            direction=checked_direction("collect", direction),
            max_swipes=max_swipes,
            timeout=checked_seconds("collect", timeout, self._context.settings.action_timeout),
        )
        title = f"collect {describe(wanted)}"
        self._do("collect", title, collecting.send, timeout=timeout, silent=True)
        return Collected(collecting.found, collecting.stopped)
