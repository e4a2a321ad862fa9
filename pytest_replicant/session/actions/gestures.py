"""Gestures of one or two fingers, scrolling, and reading through a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ... import vision  # whose modules wait until a picture is looked at
from ...drivers import Capability, Orientation
from ...errors import UsageError
from ...model import Element, HasSelector, Point, Rect, Selector, SelectorKeywords, public_methods
from ...snapshots import Snapshot, as_found
from ..arguments import (
    Target,
    TargetLike,
    checked_seconds,
    checked_whole,
    checked_word,
    describe,
    is_number,
    refuse_unmatchable,
)
from ..drawn import DrawnElement, Source, drawn_element
from ..execute import scrolling, touch
from ..execute.collecting import Collecting, Seek
from ..execute.scrolling import Direction, Way, part_of
from ..expectation import Expectation, Scrolled
from ..photos import MAX_SIDE, Photo, acts, element_at, packed, photograph
from ..step import Dispatch
from .base import ActionBase

if TYPE_CHECKING:
    from typing_extensions import Unpack


_LEAST_SIDE = 64


@public_methods
@dataclass(frozen=True, eq=False)
class Shot(Photo):
    """A picture of the screen, and all that binds it: made by ``mobile.shot()``.

    ``png`` is the picture as it is to be looked at: scaled down, and with marks where they were
    asked for. ``size`` is its width and height in pixels, ``scale`` the picture's pixels for one of
    the screen, from 0 to 1. ``orientation`` is how the phone was held, ``display`` which of its
    displays it shows: always "main". ``screen`` is the name of the screen, ``snapshot`` its
    hierarchy, read in the same moment. ``marks`` are the marks, each with its ref. Coordinates that
    it is given are pixels of this picture, from its top left corner.
    """

    png: bytes = field(repr=False)
    size: tuple[int, int]
    scale: float
    orientation: Orientation
    marks: tuple[vision.Mark, ...] = field(repr=False)
    _actions: ActionBase = field(repr=False)
    display: str = "main"

    @property
    def screen(self) -> str:
        return self.snapshot.screen

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the part that shows the screen; margins with marks lie right of it,
        or below."""
        return vision.scaled_to(self.full_size, self.scale)

    def tap(
        self, x: float, y: float, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Touches that point of the picture, where a read of the last 150 ms shows the same there.
        Marked degraded in the trace, since a point has no name. Raises ``ActionFailed`` with
        STALE_REFERENCE where it shows something else, and says what that is; ``UsageError`` for a
        point outside."""
        width, height = self.picture_size
        for name, value, most in (("x", x, width), ("y", y, height)):
            if not is_number(value) or not 0 <= value < most:
                raise UsageError(
                    f"shot.tap({name}={value!r}): a number of pixels of this picture, from 0 and "
                    f"below {most}: it has {width} x {height}"
                )
        return self._touch(f"{x:g}, {y:g} of a shot of {self.snapshot.id}", x, y, timeout, silent)

    def tap_cell(
        self,
        cell: int,
        position: str = "center",
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Touches a cell of the grid over the picture: 24 in 6 columns and 4 rows, numbered in
        reading order from
        1. ``position`` is where in it: "center", "top left", "top right", "bottom left" or "bottom
           right". As
        for ``tap`` otherwise. For exploring: a test that stands names what it means."""
        point = vision.cell_point(cell, position, self.picture_size)
        title = f"cell {cell} {position} of a shot of {self.snapshot.id}"
        return self._touch(title, point.x, point.y, timeout, silent)

    def element_at(self, x: float, y: float) -> Element | None:
        """The element of the hierarchy at that point of the picture; None if there is none."""
        return element_at(self.snapshot, self.to_screen(x, y))

    def to_screen(self, x: float, y: float) -> Point:
        """The pixel of the screen that a point of the picture shows."""
        width, height = self.full_size
        return Point(
            min(int((x + 0.5) / self.scale), width - 1),
            min(int((y + 0.5) / self.scale), height - 1),
        )

    def to_picture(self, area: Rect) -> Rect:
        """An area of the screen in pixels of the picture."""
        return area.scaled(self.scale)

    def save(self, path: str | PathLike[str]) -> Path:
        """Writes the picture, a PNG. Raises ``UsageError`` if it cannot be written."""
        try:
            Path(path).write_bytes(self.png)
        except (OSError, TypeError, ValueError) as error:
            raise UsageError(
                f"shot.save({path!r}): {getattr(error, 'strerror', None) or error}"
            ) from None
        return Path(path)

    def _touch(
        self, title: str, x: float, y: float, timeout: float | None, silent: bool
    ) -> Expectation:
        target = self._actions._of_now("tap", self._pointed(x, y))
        return self._actions._do("tap_at", title, touch.TAP, timeout, silent, (target,))

    def _pointed(self, x: float, y: float) -> DrawnElement:
        """The target that a point of the picture is."""
        point = self.to_screen(x, y)
        there, pixel = element_at(self.snapshot, point), Rect(*point, point.x + 1, point.y + 1)
        return drawn_element(0, f"{point.x}, {point.y}", pixel, "point", self, 1.0, there)


def boxes_to_mark(snapshot: Snapshot, scale: float) -> tuple[list[tuple[str, Rect]], list[Rect]]:
    """All that is marked, and all labels, in pixels of the picture. What can be acted on is
    marked."""

    def at(area: Rect) -> Rect:
        return area.intersect(Rect(0, 0, *snapshot.size)).scaled(scale)

    acting = [(one.ref, at(one.bounds)) for one in snapshot.elements if acts(one)]
    labels = [at(node.bounds) for node in snapshot.nodes if node.visible and node.words]
    return acting, [one for one in labels if not one.is_empty]


class Collected(list["Element"]):
    """A list of elements, each as it was on the screen that showed it whole. ``stopped`` says in
    words if it ended, such as "the end of the list"."""

    def __init__(self, elements: Iterable[Element], stopped: str) -> None:
        super().__init__(elements)
        self.stopped = stopped

    @property
    def labels(self) -> list[str]:
        """The label of each element, in order."""
        return [element.label for element in self]


class GestureActions(ActionBase):
    """Touches of one finger or two, swipes and scrolls. A direction is "up", "down", "left" or
    "right".

    The target is awaited until it is there once, on screen, enabled, not covered, and in the same
    place on two reads in a row. A keyboard that lies over it is hidden. The touch goes to its
    middle, or to the free part of it that is nearest to that. Success means that the phone took the
    touch; what came of it is for a check to say. Raises ``ActionFailed`` with ELEMENT_NOT_FOUND,
    AMBIGUOUS_TARGET, STALE_REFERENCE or ELEMENT_NOT_INTERACTABLE, and then nothing was touched.

    With ``source="picture"``, a text that no hierarchy has is looked for in a picture. It is
    touched if two pictures in a row show it once. In an element of the hierarchy it is that
    element; anything else is marked degraded in the trace. An image is looked for so anyway:
    ``tap(by_image("play.png"))``.
    """

    def shot(self, marks: bool = False, max_side: int | None = MAX_SIDE) -> Shot:
        """A picture of the screen to look at and to act on: ``shot.tap(x, y)``, ``shot.tap_cell(12,
        "center")``. Its longer side has at most ``max_side`` pixels, from 64; all of them with
        None. With ``marks`` the refs of what can be acted on are drawn on it. Secrets are painted
        over."""
        if max_side is not None:
            checked_whole("shot", "max_side", max_side, _LEAST_SIDE)
        photo = photograph(self._context, printed=True)
        image = vision.opened(photo.full)
        small, scale = vision.fitted(image, max_side)
        drawn: tuple[vision.Mark, ...] = ()
        if marks:
            small, drawn = vision.marked(small, *boxes_to_mark(photo.snapshot, scale))
        return Shot(
            photo.full,
            photo.snapshot,
            self._context,
            photo.finger,
            photo.full if small is image else packed(small),
            small.size,
            scale,
            self._context.driver.orientation(),
            drawn,
            self,
        )

    def tap(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Touches the element once. What cannot be clicked is touched all the same, as a finger
        would: a label in a row reaches the row."""
        return self._touch("tap", target, by, touch.TAP, timeout, silent, source)

    def double_tap(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Touches the element twice in the same place, quickly enough to count as one gesture.
        Raises ``ProtocolError`` if the phone is too slow for that, or too far away: each may have
        been one tap."""
        send = touch.gesture(lambda phone, point: phone.double_tap(point))
        return self._touch("double_tap", target, by, send, timeout, silent, source)

    def long_press(
        self,
        target: TargetLike | None = None,
        /,
        *,
        seconds: float = 0.8,
        timeout: float | None = None,
        silent: bool = False,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Touches the element and holds for that many ``seconds``, from 0. What an app takes for a
        long press is its own affair; most do from 0.5 seconds."""
        held = checked_seconds("long_press", seconds, 0.8, name="seconds")
        send = touch.gesture(lambda phone, point: phone.long_press(point, held), seconds=held)
        return self._touch("long_press", target, by, send, timeout, silent, source)

    def drag(
        self,
        source: TargetLike,
        target: TargetLike,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Picks up one element and drops it on another, both awaited on one screen that stands
        still; the way takes 0.8 seconds. Raises ``Unsupported`` if the phone cannot."""
        self._need("drag", Capability.DRAG)
        targets = (self._checked("drag", source), self._checked("drag", target))
        title = f"{describe(targets[0])} → {describe(targets[1])}"
        return self._do("drag", title, touch.drag, timeout, silent, targets)

    def tap_at(
        self, x: float, y: float, *, timeout: float | None = None, silent: bool = False
    ) -> Expectation:
        """Taps a point of the screen, in pixels from its top left corner, on any content, without
        waiting. For what no hierarchy shows; marked degraded in the trace, since nothing says what
        was hit. A point outside the screen is a ``UsageError``."""
        for name, value in (("x", x), ("y", y)):
            if not is_number(value) or value < 0:
                raise UsageError(
                    f"tap_at({name}={value!r}): a number of pixels from 0; to tap an element: "
                    "tap(...)"
                )
        point = Point(int(x), int(y))
        title = f"{point.x}, {point.y}"
        return self._do("tap_at", title, touch.tap_at(point), timeout, silent)

    def pinch(
        self,
        target: TargetLike | None = None,
        /,
        *,
        scale: float,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Moves two fingers on the target: apart to ``scale`` times their distance, together if it
        is below 1; it is never 1. Marked degraded in the trace, since how far an app follows is its
        own affair. Raises ``UsageError`` for a target too small for two fingers, ``Unsupported`` if
        the phone cannot."""
        wanted = self._target("pinch", target, by)
        if not is_number(scale) or scale <= 0 or scale == 1:
            raise UsageError(
                f"pinch(scale={scale!r}): above 1 spreads the fingers, between 0 and 1 closes them"
            )
        self._need("pinch", Capability.PINCH)
        title = f"{describe(wanted)} by {scale:g}"
        return self._do("pinch", title, touch.pinch(float(scale)), timeout, silent, (wanted,))

    def swipe(
        self,
        direction: Direction,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Expectation:
        """Moves a finger that way, across the target or the whole screen: "up" shows what lies
        below. Success means that the phone took it."""
        send = scrolling.swipe_across(checked_direction("swipe", direction))
        return self._sweep("swipe", direction, target, send, timeout, silent)

    def scroll(
        self,
        direction: Direction,
        container: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        silent: bool = False,
    ) -> Scrolled:
        """Shows what lies in that direction: "down" moves the finger up. The largest scrollable
        element if no container is given. The outcome has ``new_elements`` and ``reached_end``:
        nothing moved, by a second and shorter swipe either. Inside of something taller than the
        list, pictures decide."""
        send = scrolling.scroll(checked_direction("scroll", direction))
        return Scrolled(self._sweep("scroll", direction, container, send, timeout, silent)._done)

    def scroll_to(
        self,
        target: TargetLike | None = None,
        /,
        *,
        container: TargetLike | None = None,
        direction: Direction = "down",
        max_swipes: int = 20,
        timeout: float | None = None,
        silent: bool = False,
        **by: Unpack[SelectorKeywords],
    ) -> Expectation:
        """Scrolls until the target shows, one that is disabled too; fails at the end of the list or
        after ``max_swipes``. Without a container the list that ``within`` names, is in or holds,
        else the largest. ``timeout`` is how long something to scroll, and what loads at its end, is
        waited for."""
        wanted = self._target("scroll_to", target, by)
        seek = Seek(wanted, self._way("scroll_to", wanted, container, direction, max_swipes))
        return self._do("scroll_to", describe(wanted), seek.send, timeout, silent, about=wanted)

    def _way(
        self,
        verb: str,
        wanted: Target,
        container: TargetLike | None,
        direction: Direction,
        max_swipes: int,
    ) -> Way:
        most = checked_whole(verb, "max_swipes", max_swipes, 0)
        place = self._checked(verb, container) if container is not None else None
        part = part_of(wanted, self._context.platform) or self._scope
        return Way(place, checked_direction(verb, direction), most, part)

    def _sweep(
        self,
        kind: str,
        direction: str,
        target: TargetLike | None,
        send: Dispatch,
        timeout: float | None,
        silent: bool,
    ) -> Expectation:
        named = self._checked(kind, target) if target is not None else self._scope
        targets = (named,) if named is not None else ()
        title = " in ".join([direction, *map(describe, targets)])
        return self._do(kind, title, send, timeout, silent, targets)

    def collect(
        self,
        selector: Selector | HasSelector | None = None,
        container: TargetLike | None = None,
        *,
        direction: Direction = "down",
        max_swipes: int = 200,
        timeout: float | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Collected:
        """Every element that fits, from where the list is to its end, each once and in order:
        scrolls through it and leaves it there. Rows that look alike are distinguished by their
        place. The list is the ``container``, else the one that ``within`` names, is in or holds,
        else the largest. Raises ``ActionFailed`` if the end was not reached, or rows may have been
        missed: a part of a list is no list. It does so, too, if no container is given and something
        that fits lies outside of the list."""
        wanted = self._target("collect", selector, by)
        if not isinstance(wanted, Selector):
            raise UsageError(
                f"collect({describe(wanted)}): describe the elements to collect: collect(by(...))"
            )
        if wanted.nth is not None:
            raise UsageError("collect(): nth= picks one; collect gathers all that fit")
        refuse_unmatchable("collect", self._context.platform, wanted)
        collecting = Collecting(
            wanted, self._way("collect", wanted, container, direction, max_swipes)
        )
        self._do("collect", describe(wanted), collecting.send, timeout, True, about=wanted)
        return Collected(
            [as_found(one, wanted, self._context.platform) for one in collecting.found],
            collecting.stopped,
        )


def checked_direction(verb: str, direction: Direction) -> Direction:
    checked_word(verb, direction, get_args(Direction), "direction")
    return direction
