"""Where an element of another snapshot is on this one: the digest nominates, what was printed decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..model.selector import Selector
from .lookup import nearest
from .words import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..model.element import Element

Verdict = Literal["same", "moved", "renamed", "replaced", "ambiguous", "gone"]
_SHIFTED = 0.5  # of its size: as far as an element moves that is still where it was
_SCROLLED = 0.125  # further than that, a list of look-alikes may have scrolled by any number of rows
_FRAMEWORK = "android:id/"  # shared by every app and dialog, so it says nothing about who carries it


@dataclass(frozen=True)
class Located:
    """``element`` is set for ``same``, ``moved`` and ``renamed`` only: what may be acted on. ``nearest`` are
    the candidates to look at otherwise, best first; ``reason`` is a clause for a message."""

    verdict: Verdict
    element: Element | None
    nearest: tuple[Element, ...]
    reason: str


def locate(
    was: Element,
    elements: Sequence[Element],
    by_identity: Mapping[int, Element],
    may_scroll: Callable[[Element], bool],
) -> Located:
    """``was`` may come from any snapshot; only its own values are read, never its neighbours. ``may_scroll``
    tells of an element here whether something around it scrolls or is a list."""
    nominee = by_identity.get(was.identity)
    if nominee is None:
        return _without_nominee(was, elements)
    if was.fragile:
        return _look_alike(was, nominee, elements, may_scroll(nominee))
    renamed = _name(was) != _name(nominee)
    if was.row_title and nominee.row_title and was.row_title != nominee.row_title:
        reason = f"its row is {quoted(nominee.row_title)} now, no longer {quoted(was.row_title)}"
        return Located("replaced", None, _near(was, elements, nominee), reason)
    if renamed and was.resource_id.startswith(_FRAMEWORK):
        return Located("replaced", None, _near(was, elements, nominee), _names(was, nominee))
    if renamed and bool(was.row_title) != bool(nominee.row_title):
        return Located("replaced", None, _near(was, elements, nominee), _names(was, nominee))
    if renamed:
        return Located("renamed", nominee, (), _names(was, nominee))
    return _steady(was, nominee, elements)


def _steady(was: Element, now: Element, elements: Sequence[Element]) -> Located:
    """A row whose name is the same but whose other labels are not is the same row only where it stayed:
    lists of events name one thing many times."""
    if was.label != now.label and not was.resource_id and not _hardly_moved(was, now, _SHIFTED):
        return Located("replaced", None, _near(was, elements, now), _names(was, now))
    return _found(was, now)


def _found(was: Element, now: Element) -> Located:
    if was.bounds == now.bounds:
        return Located("same", now, (), "it is where it was")
    before, after = was.center, now.center
    return Located("moved", now, (), f"it moved by {after.x - before.x}, {after.y - before.y} pixels")


def _look_alike(was: Element, nominee: Element, elements: Sequence[Element], may_scroll: bool) -> Located:
    """The group is as large as it was. In a list, one may have gone and another come, so that only its place
    tells whether this is still the same one of it."""
    if not may_scroll or _hardly_moved(was, nominee, _SCROLLED):
        return _found(was, nominee)
    alike = tuple(element for element in elements if _same_kind(was, element))
    return Located("ambiguous", None, alike, "it is one of several look-alikes, and they have moved")


def _hardly_moved(was: Element, now: Element, part: float) -> bool:
    """By less than ``part`` of itself."""
    before, after = was.center, now.center
    near_x = abs(before.x - after.x) < max(was.bounds.width * part, 1)
    near_y = abs(before.y - after.y) < max(was.bounds.height * part, 1)
    return near_x and near_y


def _without_nominee(was: Element, elements: Sequence[Element]) -> Located:
    """Its traits may have become shared, or have been shared then: look for what carries all of them."""
    alike = [element for element in elements if _same_kind(was, element)]
    if not was.fragile and (was.resource_id or _name(was)):
        exact = [element for element in alike if element.row_title == was.row_title]
        if len(exact) == 1 and not exact[0].fragile:
            return _steady(was, exact[0], elements)
        if len(exact) > 1:
            reason = f"{len(exact)} elements look like it now"
            return Located("ambiguous", None, tuple(exact), reason)
    if was.fragile and alike:
        return Located("ambiguous", None, tuple(alike), "the group of look-alikes it was one of has changed")
    if was.row_title and not any(element.row_title == was.row_title for element in elements):
        return Located("gone", None, _near(was, elements), "its row is gone")
    there = [e for e in elements if e.class_name == was.class_name and e.bounds == was.bounds]
    if there and was.label != there[0].label:
        reason = f"{there[0].describe()} is in its place"
        return Located("replaced", None, _near(was, elements, there[0]), reason)
    return Located("gone", None, _near(was, elements), "nothing on the screen carries its id or label")


def _same_kind(one: Element, other: Element) -> bool:
    return (one.class_name, one.resource_id, _name(one)) == (
        other.class_name,
        other.resource_id,
        _name(other),
    )


def _name(element: Element) -> str:
    """The label, or the first part of one put together from the labels inside."""
    parts = element.folded
    return parts[0] if parts and element.label == " ".join(dict.fromkeys(parts)) else element.label


def _names(was: Element, now: Element) -> str:
    return f"it is called {quoted(now.label)} now, no longer {quoted(was.label)}"


def _near(was: Element, elements: Sequence[Element], *first: Element) -> tuple[Element, ...]:
    wanted = Selector(text=was.label or None, resource_id=was.resource_id or None)
    found = [*first, *(element for element in elements if _same_kind(was, element))]
    return tuple(dict.fromkeys([*found, *nearest(wanted, elements)]))[:3]
