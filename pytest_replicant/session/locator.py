"""``Locator``: a description of an element that is bound to a session, for page objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from ..errors import UsageError
from ..model import Element, HasSelector, Secret, Selector, SelectorKeywords, combined
from ..snapshots import selector_of
from .actions.controls import ControlActions
from .actions.gestures import Collected, GestureActions
from .arguments import TargetLike, as_selector, checked_target, inside
from .checks.checks import LocatorChecks, ScreenChecks
from .drawn import Source
from .execute.scrolling import Direction
from .expectation import Expectation, Scrolled
from .other_names import OtherNames
from .queries import Queries
from .step import SessionContext

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Verbs(Queries, GestureActions, ControlActions, ScreenChecks):
    """The session's calls that take a target."""


class Locator(LocatorChecks, OtherNames):
    """An element by its description, looked up on the screen at each use.

    Made by ``mobile.locator(...)``, which reads nothing. Every call is the one of the session with
    this as its target. A locator is a target itself: ``mobile.tap(email)``,
    ``by(text="Add", near=email)``. ``selector`` is the unbound description.
    """

    _known_as = "locator"
    _verbs: _Verbs

    def __init__(self, context: SessionContext, selector: Selector, *, soft: bool = False) -> None:
        self._context = context
        self._verbs = _Verbs(context, soft=soft)
        self.selector = selector

    # --- which one --------------------------------------------------------------------------------

    def row(
        self, with_: str | Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]
    ) -> Locator:
        """The one in the row that has this: ``add.row("Red mug")``."""
        return self._narrowed("row", {"row_with": _other_end("row", with_, by)})

    def within(
        self, around: str | Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]
    ) -> Locator:
        """The one inside this; a string is a text."""
        outer = _other_end("within", around, by)
        wanted = self._unpicked("within")
        if any(isinstance(part.within, (str, Element)) for part in parts_of(wanted)):
            raise UsageError(f"{self!r}.within(): within= is given already, by a ref")
        return self._with(inside(outer, wanted))

    def locator(
        self, inner: str | Selector | HasSelector | None = None, /, **by: Unpack[SelectorKeywords]
    ) -> Locator:
        """The described element, inside this one."""
        return self._with(inside(self.selector, _other_end("locator", inner, by)))

    def filter(self, **by: Unpack[SelectorKeywords]) -> Locator:
        """Those that also fit further keywords, such as ``has`` or ``has_not``, a descendant."""
        return self._narrowed("filter", by)

    @property
    def first(self) -> Locator:
        """The first in reading order, of those on the screen."""
        return self.nth(0)

    @property
    def last(self) -> Locator:
        """The last in reading order, of those on the screen; a list may go on below it."""
        return self.nth(-1)

    def nth(self, n: int) -> Locator:
        """The one of that number in reading order, from 0; -1 is the last on the screen."""
        wanted = (
            self.selector
            if self.selector.any_of and self.selector.nth is None
            else self._unpicked("nth")
        )
        return self._with(replace(wanted, nth=n))

    def __or__(self, other: Selector | Locator) -> Locator:
        """Either of two. If both are there, an action on it is ambiguous."""
        if not isinstance(other, (Selector, Locator)):
            return NotImplemented
        return self._with(self.selector | (other.selector if isinstance(other, Locator) else other))

    __ror__ = __or__

    @property
    def soft(self) -> Locator:
        """Its checks are collected instead of raised; the test fails at its end with all of
        them."""
        return Locator(self._context, self.selector, soft=True)

    def _narrowed(self, verb: str, keywords: SelectorKeywords) -> Locator:
        """With further keywords, none of which it has already: the second would take the place of
        the first."""
        further, parts = selector_of(verb, keywords), []
        for one in self._unpicked(verb).alternatives:
            given = {name for part in parts_of(one) for name, _ in part.given()}
            twice = sorted(dict(further.given()).keys() & given)
            if twice:
                raise UsageError(
                    f"{self!r}.{verb}(): {twice[0]}= is given already; describe it as a whole by "
                    "by(...)"
                )
            parts.append(combined(one, further))
        if not self.selector.any_of:
            return self._with(parts[0])
        return self._with(replace(self.selector, any_of=tuple(parts)))

    def _unpicked(self, verb: str) -> Selector:
        """Its description, from which none was picked yet: what comes later would change which one
        that is."""
        if any(part.nth is not None for part in parts_of(self.selector)):
            raise UsageError(
                f"{self!r}.{verb}(): one is picked already. Narrow first, and pick the nth of it "
                "then"
            )
        return self.selector

    def _with(self, selector: Selector) -> Locator:
        checked_target("locator", selector)
        return Locator(self._context, selector, soft=self._verbs._is_soft)

    # --- actions ----------------------------------------------------------------------------------

    def tap(
        self, *, timeout: float | None = None, silent: bool = False, source: Source | None = None
    ) -> Expectation:
        """Touches it once. ``source="picture"``: where it is drawn, if the hierarchy does not have
        it."""
        return self._verbs.tap(self.selector, timeout=timeout, silent=silent, source=source)

    def double_tap(
        self, *, timeout: float | None = None, silent: bool = False, source: Source | None = None
    ) -> Expectation:
        """Touches it twice."""
        return self._verbs.double_tap(self.selector, timeout=timeout, silent=silent, source=source)

    def long_press(
        self,
        *,
        seconds: float = 0.8,
        timeout: float | None = None,
        silent: bool = False,
        source: Source | None = None,
    ) -> Expectation:
        """Holds it for that many ``seconds``."""
        verb = self._verbs.long_press
        return verb(self.selector, seconds=seconds, timeout=timeout, silent=silent, source=source)

    def pinch(
        self, *, scale: float, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Moves two fingers on it."""
        return self._verbs.pinch(self.selector, scale=scale, timeout=timeout, silent=silent)

    def drag_to(
        self, target: TargetLike, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Drops it on the target."""
        return self._verbs.drag(self.selector, target, timeout=timeout, silent=silent)

    def fill(
        self,
        value: str | Secret,
        *,
        append: bool = False,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Types into it, a field."""
        return self._verbs.fill(self.selector, value, append=append, timeout=timeout, silent=silent)

    def clear_text(self, *, timeout: float | None = None, silent: bool = False) -> Expectation:
        """Empties it, a field."""
        return self._verbs.clear_text(self.selector, timeout=timeout, silent=silent)

    def adjust(
        self,
        to: float | str | bool,
        *,
        tolerance: float = 0,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Sets it, a control."""
        return self._verbs.adjust(
            self.selector, to, tolerance=tolerance, timeout=timeout, silent=silent
        )

    def select(
        self, option: str, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Chooses an option of it, a drop-down list."""
        return self._verbs.select(self.selector, option, timeout=timeout, silent=silent)

    def swipe(
        self, direction: Direction, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Moves a finger across it."""
        return self._verbs.swipe(direction, self.selector, timeout=timeout, silent=silent)

    def scroll(
        self, direction: Direction, *, timeout: float | None = None, silent: bool = False
    ) -> Scrolled:
        """Scrolls it, a list."""
        return self._verbs.scroll(direction, self.selector, timeout=timeout, silent=silent)

    def scroll_to(
        self,
        *,
        container: TargetLike | None = None,
        direction: Direction = "down",
        max_swipes: int = 20,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Scrolls until it shows."""
        return self._verbs.scroll_to(
            self.selector,
            container=container,
            direction=direction,
            max_swipes=max_swipes,
            timeout=timeout,
            silent=silent,
        )

    # --- reads and waits --------------------------------------------------------------------------

    def find(self) -> Element:
        """The element as it is now, without waiting. Raises ``TargetError`` for none and for
        several."""
        return self._verbs.find(self.selector)

    def find_all(self) -> list[Element]:
        """All that fit now, in reading order."""
        return self._verbs.find_all(self.selector)

    def wait_for(self, *, timeout: float | None = None) -> Element:
        """The element, once it is there on two reads in a row."""
        return self._verbs.wait_for(self.selector, timeout=timeout)

    def collect(
        self, container: TargetLike | None = None, *, direction: Direction = "down"
    ) -> Collected:
        """All that fit in the whole list, which is scrolled through."""
        return self._verbs.collect(self.selector, container, direction=direction)

    def __bool__(self) -> NoReturn:
        raise UsageError(
            f"{self!r} is neither true nor false: it has expect_visible(), expect_gone() and "
            "find_all()"
        )

    def __repr__(self) -> str:
        return f"locator({self.selector.describe()})"


def _other_end(verb: str, target: object, by: SelectorKeywords) -> Selector:
    """What an element is related to: keywords, a selector or a locator, or a text."""
    if not isinstance(target, str):
        return as_selector(verb, target, by)
    if by:
        raise UsageError(f"{verb}({target!r}, ...): name it once, by a text or by keywords")
    return Selector(text=target)


def parts_of(selector: Selector) -> Iterator[Selector]:
    """The parts of a description that are about one element: itself, its alternatives and
    branches."""
    yield selector
    for part in (*(selector.any_of or ()), selector.android, selector.ios):
        if part:
            yield from parts_of(part)
