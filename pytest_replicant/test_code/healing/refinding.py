"""An element of the last pass, found again on the screen on which its locator found nothing, or
several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ...model import (
    Element,
    Elements,
    Selector,
    ancestors,
    quoted,
)
from ...snapshots import Snapshot, scrolls
from .refusal import Refusal

_PAGE = "ScrollView"
"""What such a class scrolls is one page; any other may be a list of data."""
_STAYED = 0.5
"""Part of the other elements that have to be there still."""
_SIZED_ALIKE = 0.25
_STRAYS = 16  # pixels
Kind = Literal["renamed", "id changed", "moved", "no longer alone"]


@dataclass(frozen=True)
class Refound:
    """``element`` is of the failing screen. ``evidence`` is one line: ``renamed: same id, same
    place, "Log in" -> "Sign in"``."""

    element: Element
    kind: Kind
    evidence: str


def refind(was: Element, selector: Selector, then: Snapshot, now: Snapshot) -> Refound:
    """Where ``was``, which ``selector`` found on ``then``, is on ``now``. Raises ``Refusal`` if
    that is not sure: another screen, gone, or several that may be it."""
    _same_screen(was, then, now)
    found = now.every(selector)
    if len(found) == 1:
        raise Refusal(
            "it is there", "the locator finds one element on the failing screen: it came late"
        )
    beneath = now.beneath
    if not found and beneath and beneath.every(selector):
        raise Refusal("it is there", "it is in the hierarchy, but off the screen or covered")
    _same_content(was, then, now)
    element = _located(was, then, now)
    if selector.row_with:
        _same_row(was, element, then, now)
    if then.traits.differ(now.traits) and element.label != now.title:
        raise Refusal("another screen", _screens(then, now))
    if found and element not in found:
        raise Refusal(
            "two candidates",
            f"{len(found)} elements match, and what was meant then is none of them",
        )
    return _described(was, element, several=bool(found))


def _same_screen(was: Element, then: Snapshot, now: Snapshot) -> None:
    """A screen may be named after the element that has another name now: its title alone may differ
    then."""
    if now.cut or then.cut:
        raise Refusal("not proven", "the phone did not give the whole screen")
    if now.dialog not in (None, then.dialog):
        raise Refusal(
            "dialog", f"a dialog is over the screen: {quoted(now.dialog) or 'one without a title'}"
        )
    if now.app != then.app:
        raise Refusal(
            "another screen", f"{now.app or 'another app'} is in front, and {then.app} was then"
        )
    named_after_it = was.label == then.title and then.traits.differ_by_title_alone(now.traits)
    if then.traits.differ(now.traits) and not named_after_it:
        raise Refusal("another screen", _screens(then, now))


def _screens(then: Snapshot, now: Snapshot) -> str:
    if now.screen == then.screen:
        return "it is on another screen now"
    return f"it is on {quoted(now.screen)} now, and was on {quoted(then.screen)}"


def _same_row(was: Element, element: Element, then: Snapshot, now: Snapshot) -> None:
    """A row may have another title only if the element has an id of its own."""
    if was.row_title != element.row_title and not _has_own_id(was, element, then, now):
        raise Refusal(
            "gone",
            f"its row {quoted(was.row_title)} is gone; {quoted(element.row_title)} stands there",
        )


def _same_content(was: Element, then: Snapshot, now: Snapshot) -> None:
    """Two steps of a wizard may have one title, and one id for the button of each."""
    own = {one.index for one in (was.node, *ancestors(then.nodes, was.node), *then.below(was.node))}
    others = [one for one in then.elements if one.index not in own]
    kept = sum(_counterpart(one, then, now) is not None for one in others)
    if kept < _STAYED * len(others):
        raise Refusal(
            "another screen", f"only {kept} of {len(others)} other elements are still there"
        )


def looks_like(one: Element, other: Element) -> bool:
    """Whether they have class, id and label in common, on any screens."""
    return _look(one) == _look(other)


def _located(was: Element, then: Snapshot, now: Snapshot) -> Element:
    located = now.locate(was)
    element = located.element or _by_name(was, then, now) or by_place(was, then, now)
    if not element and located.verdict == "ambiguous":
        raise Refusal(
            "two candidates", f"{len(located.nearest)} elements may be it: {located.reason}"
        )
    if not element:
        new = _newcomers(was, then, now)
        halves = [one for one in new if one.bounds.meets(was.bounds)]
        if len(halves) > 1:
            names = ", ".join(quoted(one.label) for one in halves[:3])
            raise Refusal(
                "two candidates", f"{len(halves)} new elements stand in its place: {names}"
            )
        raise Refusal("gone", f"nothing on the screen is what it was: {located.reason}")
    before = then.locate(element)
    if before.element not in (None, was):
        earlier = before.element.describe()
        raise Refusal(
            "gone", f"{quoted(element.label)} is in its place, and was there before as {earlier}"
        )
    if was.label == element.label:
        return element
    name = (element.class_name, element.label)
    if any((one.class_name, one.label) == name and one != was for one in then.elements):
        raise Refusal(
            "gone", f"{quoted(element.label)} has its place or id now, and was another one before"
        )
    if _has_own_id(was, element, then, now):
        return element
    if _is_in_list(was, then):
        raise Refusal("gone", "it is an item of a list, and in its place is another one")
    if rivals := [one for one in _newcomers(was, then, now) if one != element]:
        names = ", ".join(quoted(one.label) for one in (element, *rivals[:2]))
        raise Refusal("two candidates", f"{len(rivals) + 1} new elements may be it: {names}")
    return element


def _has_own_id(was: Element, now: Element, *screens: Snapshot) -> bool:
    """Whether both have one id, which no other element of either screen has."""
    name = was.resource_id
    if not name or name != now.resource_id:
        return False
    return all(_count_of_id(screen, name) == 1 for screen in screens)


def _count_of_id(screen: Snapshot, name: str) -> int:
    return sum(node.resource_id == name for node in screen.nodes)


def _newcomers(was: Element, then: Snapshot, now: Snapshot) -> list[Element]:
    """Elements of its kind that were not there before, as far as that is known."""
    alike = (one for one in now.elements if one.class_name == was.class_name)
    known = set(map(_look, then.elements))
    fresh = (one for one in alike if _look(one) not in known)
    return [one for one in fresh if then.locate(one).element in (None, was)]


def _by_name(was: Element, then: Snapshot, now: Snapshot) -> Element | None:
    """The element that has its name and class, and an id that no element had then: its id was
    changed. None if that name was not its alone."""
    own = (was.text, was.description, was.hint, *was.folded)
    if (
        was.name not in filter(None, own)
        or not was.resource_id
        or _count_of_id(now, was.resource_id)
    ):
        return None  # a name that another element lends it stays where that is
    found = _alone(then, now, lambda one: (one.class_name, one.name) == (was.class_name, was.name))
    if not found:
        return None
    taken = bool(found.resource_id) and _count_of_id(then, found.resource_id) > 0
    in_other_row = found.row_title != was.row_title
    return None if taken or in_other_row or found.label != was.label else found


def _alone(then: Snapshot, now: Snapshot, is_meant: Callable[[Element], bool]) -> Element | None:
    """The element on ``now``, if each of the screens has one alone that is meant."""
    before, after = ([*filter(is_meant, screen.elements)] for screen in (then, now))
    return after[0] if len(before) == len(after) == 1 else None


def _is_in_list(was: Element, then: Snapshot) -> bool:
    around = ancestors(then.nodes, was.node)
    return any(scrolls(one) and not one.class_name.endswith(_PAGE) for one in around)


def by_place(was: Element, then: Snapshot, now: Snapshot) -> Element | None:
    """The one element that came between the same neighbours, of the same class and id and about as
    large, where of its kind nothing else went there. None if anything about that is not so."""
    if was.twins or not was.label or _is_in_list(was, then):
        return None
    pairs = {one: _counterpart(one, then, now) for one in then.elements}
    met = set(pairs.values())
    at = then.elements.index(was)
    first = _last_kept(then.elements[:at][::-1], pairs)
    last = _last_kept(then.elements[at + 1 :], pairs)
    went = [one for one in _between(then.elements, first[0], last[0]) if not pairs[one]]
    lost = [one for one in went if _same_make(one, was)]
    came = (one for one in _between(now.elements, first[1], last[1]) if one not in met)
    found = [one for one in came if one.class_name == was.class_name]
    if len(lost) != 1 or len(found) != 1 or not _same_make(found[0], was):
        return None
    return found[0] if any(_kept_distance(was, found[0], *each) for each in (first, last)) else None


def _counterpart(one: Element, then: Snapshot, now: Snapshot) -> Element | None:
    """On the other screen; by its class, id and label too where these are its alone: a new name in
    its row does not make it another one."""
    located = now.locate(one).element
    if not located and one.label:
        return _alone(then, now, lambda other: looks_like(one, other))
    return located


def _look(one: Element) -> tuple[str, str, str]:
    return one.class_name, one.resource_id, one.label


_Pair = tuple[Element | None, Element | None]


def _last_kept(elements: Elements, pairs: Mapping[Element, Element | None]) -> _Pair:
    """The nearest one that is on both screens."""
    found = next((one for one in elements if pairs[one]), None)
    return found, pairs[found] if found else None


def _between(elements: Elements, first: Element | None, last: Element | None) -> Elements:
    begin = elements.index(first) + 1 if first else 0
    end = elements.index(last) if last else len(elements)
    return elements[begin:end]


def _same_make(one: Element, other: Element) -> bool:
    """Of one class, id and role, and about as high; a width follows the words."""
    made = ((each.class_name, each.resource_id, each.semantic_role) for each in (one, other))
    heights = sorted((one.bounds.height, other.bounds.height))
    return len(set(made)) == 1 and heights[1] - heights[0] <= _SIZED_ALIKE * heights[1]


def _kept_distance(
    was: Element, now: Element, then_near: Element | None, now_near: Element | None
) -> bool:
    if then_near is None or now_near is None:
        return False
    before = was.bounds.left - then_near.bounds.left, was.bounds.top - then_near.bounds.top
    after = now.bounds.left - now_near.bounds.left, now.bounds.top - now_near.bounds.top
    return all(abs(one - other) <= _STRAYS for one, other in zip(before, after, strict=True))


def _described(was: Element, now: Element, *, several: bool) -> Refound:
    kind: Kind = "moved"
    same: list[str] = []
    changes: list[str] = []
    if was.resource_id != now.resource_id:
        kind = "id changed"
        changes.append(f"id {quoted(was.resource_id)} -> {quoted(now.resource_id)}")
    elif was.resource_id:
        same.append("same id")
    if was.label != now.label:
        kind = "renamed"
        changes.append(f"{quoted(was.label)} -> {quoted(now.label)}")
    elif was.label:
        same.append("same label")
    if was.row_title and was.row_title == now.row_title:
        same.append("same row")
    if _corner(was) != _corner(now):
        changes.append(f"at {_corner(was)} -> {_corner(now)}")
    else:
        same.append("same place")
    if several and kind == "moved":
        kind = "no longer alone"
        changes.append("others match the locator now")
    said = same or ["what stands around it stayed"]
    return Refound(now, kind, f"{kind}: {', '.join([*said, *changes])}")


def _corner(element: Element) -> str:
    return f"{element.bounds.left},{element.bounds.top}"
