"""Whether an element can be touched on a screen, at which point, and the element that blocks it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

from ..model import (
    NOTHING_MORE,
    Advice,
    Element,
    Explanation,
    Hindrance,
    Node,
    ObstacleRecord,
    Point,
    Proposals,
    Rect,
    ancestors,
    bare,
    by,
    quoted,
)
from ..snapshots import Cover, Snapshot, asks_permission
from .recording.failures import front_window, window_over
from .step import StageFailed, failure_on

_ROOMY = 48  # pixels; a free strip as wide as that is as good as a wider one
# a strip of less than that part of the screen is the edge of what lies over it, or a slip away
_NARROWEST = 60
_MOST_CUTS = 40  # covers whose edges are looked at: a hostile screen must not cost minutes


def gesture_point(
    snapshot: Snapshot, element: Element, *, sweeps: bool = False, under_keyboard: bool = True
) -> Point:
    """A point in the visible part of the element that nothing else would catch; the centre where
    that is free.

    With ``under_keyboard`` a point that only the keyboard lies over will do, since that can be
    hidden. Raises ``StageFailed`` with the reason where the element is disabled, off screen or
    covered.
    """
    if element.states.enabled is False:
        raise not_interactable(snapshot, element, "it is disabled", "disabled")
    seen, covers = snapshot.reach(element)
    if seen.is_empty:
        raise _off_screen(snapshot, element)
    modal = any(one.kind == "window" and one.bounds.encloses(seen) for one in covers)
    if sweeps and not modal:
        return seen.center
    apart = [one for one in covers if one.kind != "keyboard"]
    least = min(snapshot.size) // _NARROWEST
    point = free_point(seen, covers, least)
    if point is None and len(apart) < len(covers):
        point = free_point(seen, apart, least)
        if point is not None and not under_keyboard:
            why = "the keyboard lies over it"
            raise not_interactable(snapshot, element, why, "under the keyboard")
    if point is None:
        raise _covered(
            snapshot,
            element,
            max(apart, key=lambda one: (one.bounds.intersect(seen).area, one.index)),
        )
    return point


def _off_screen(snapshot: Snapshot, element: Element) -> StageFailed:
    """Why an element cannot be touched that lies out of sight, and on which side of the screen."""
    bounds, (width, height) = element.bounds, snapshot.size
    sides = (
        (bounds.is_empty, ""),
        (bounds.top >= height, " below"),
        (bounds.bottom <= 0, " above"),
        (bounds.left >= width, " to the right"),
        (bounds.right <= 0, " to the left"),
    )
    side = next((side for off, side in sides if off), "")
    return not_interactable(snapshot, element, f"it is off screen{side}", "off screen")


def _covered(snapshot: Snapshot, element: Element, cover: Cover) -> StageFailed:
    blocker = blocker_of(snapshot, element, cover)
    name = describe_cover(snapshot, cover, blocker)
    if cover.kind == "inside":
        short = f"{name} in it takes every touch"
        why = f"{short}; name that instead"
        return not_interactable(snapshot, element, why, "touches taken", blocker, short=short)
    short, more = f"covered by {name}", NOTHING_MORE
    unfit: Hindrance = "covered"
    if cover.kind == "window":
        more, unfit = pressable(snapshot), "under a window"
    return not_interactable(snapshot, element, short, unfit, blocker, short=short, more=more)


def is_under_keyboard(snapshot: Snapshot, element: Element) -> bool:
    """Whether it is only the keyboard, which can be hidden, that keeps an element of
    ``snapshot.beneath`` from being listed."""
    keyboard = snapshot.keyboard
    return keyboard is not None and not element.node.visible and keyboard.contains(element.center)


def behind_keyboard(snapshot: Snapshot, element: Element) -> Element:
    """An element of ``snapshot.beneath``, if only the keyboard keeps it from being listed. Raises
    ``StageFailed`` with what else does."""
    if is_under_keyboard(snapshot, element):
        return element
    gesture_point(snapshot, element)
    raise not_interactable(snapshot, element, "it lies under something else", "covered")


def not_interactable(
    snapshot: Snapshot,
    element: Element,
    why: str,
    unfit: Hindrance = "",
    blocker: Element | None = None,
    *,
    short: str = "",
    more: Explanation = NOTHING_MORE,
) -> StageFailed:
    """What a stage raises for an element that is there but not fit for the gesture; ``why`` is a
    clause, and ``more`` follows it."""
    failure = failure_on(
        snapshot,
        "ELEMENT_NOT_INTERACTABLE",
        f"{why}. Nothing was touched.",
        (element,),
        asked=element.describe(),
        blocker=blocker,
        element=element,
        unfit=unfit,
    )
    return StageFailed(failure.explained(more), short=short or unfit or why)


def free_point(seen: Rect, covers: Sequence[Cover], least: int) -> Point | None:
    """The centre of ``seen`` if none of ``covers`` lies over it, else the centre of the free part
    of it that is roomy and nearest to that; None if none is ``least`` pixels wide and high."""
    middle, taken = seen.center, [one.bounds for one in covers]
    least = min(least, seen.width, seen.height)
    if not any(rect.contains(middle) for rect in taken):
        return middle
    cut = [seen, *(rect.intersect(seen) for rect in taken[:_MOST_CUTS])]
    across = sorted({edge for rect in cut for edge in (rect.left, rect.right)})
    down = sorted({edge for rect in cut for edge in (rect.top, rect.bottom)})
    free: list[tuple[int, int, Point]] = []
    for (left, right), (top, bottom) in product(pairwise(across), pairwise(down)):
        part = Rect(left, top, right, bottom)
        narrow, center = min(part.width, part.height), part.center
        if narrow >= least and not any(rect.contains(center) for rect in taken):
            far = abs(center.x - middle.x) + abs(center.y - middle.y)
            free.append((-min(narrow, _ROOMY), far, center))
    return min(free)[2] if free else None


_MOST_BUTTONS = 6
_SPRINGBOARD = (
    "com.apple.springboard"  # iOS's home screen, and what it asks and says in the system's name
)
_CLOSES = frozenset(
    {"OK", "Close", "Dismiss", "Got it"}
)  # of a message, where there is no other choice


def blocker_of(snapshot: Snapshot, element: Element, cover: Cover) -> Element | None:
    """The listed element that lies over another one: what covers it itself, else what that is a
    part of, else what is in it; of a window its title, else the first thing in it. None for a
    keyboard."""
    if cover.index < 0:
        return None
    listed = (*snapshot.headings, *snapshot.elements)
    node = snapshot.nodes[cover.index]
    if cover.kind == "window":
        return next((one for one in listed if one.window == node.window), None)
    parts = _around(snapshot, node) - _around(snapshot, element.node)
    known = [one for one in listed if one.index in parts]
    if known:
        return max(known, key=lambda one: one.index)  # the innermost
    return next((one for one in listed if cover.index in _around(snapshot, one.node)), None)


def describe_cover(snapshot: Snapshot, cover: Cover, blocker: Element | None) -> str:
    """``Dialog "Allow notifications?"``, ``Button "Undo" (snackbar)``."""
    node = snapshot.nodes[cover.index]
    if cover.kind == "window":
        if snapshot.dialog is not None and node.window == front_window(snapshot)[0]:
            return describe_dialog(snapshot)
        return f"a window of {bare(node.package)}" if node.package else "another window"
    if not blocker:
        return bare(node.class_name)
    name = quoted(blocker.label) if blocker.label else f"[{blocker.ref}]"
    names: list[str] = []
    for one in (blocker.node, *ancestors(snapshot.nodes, blocker.node)):
        names += [one.class_name, one.resource_id]
        names += [snapshot.nodes[index].resource_id for index in one.children]
    notice = " (snackbar)" if "snackbar" in " ".join(names).lower() else ""
    return f"{bare(blocker.class_name)} {name}{notice}"


def describe_dialog(snapshot: Snapshot) -> str:
    """``Dialog "Allow notifications?"``: by its title, else by what it says first."""
    name = front_window(snapshot)[1]
    return f"Dialog {quoted(name)}" if name else "a dialog"


def hides_the_app(snapshot: Snapshot) -> bool:
    """Whether a dialog has taken the place of the app's window in the hierarchy, so that nothing of
    that can be read: on Android any dialog, on iOS a message of the system."""
    return snapshot.alone or _is_of_springboard(snapshot)


def _is_of_springboard(snapshot: Snapshot) -> bool:
    return snapshot.app == _SPRINGBOARD and snapshot.dialog is not None


def over_the_app(snapshot: Snapshot) -> Explanation:
    """What hides the app's own screen, which is a reason not to find something on it, with what can
    be pressed there. It is empty if nothing does."""
    if snapshot.dialog is None:
        return NOTHING_MORE
    past, over = pressable(snapshot), window_over(snapshot) or ObstacleRecord()
    named = f" {quoted(over.title)}" if over.title else ""
    line = f"A window{named} covers the app; what lies below it is not listed."
    if over.owner != "app":
        line = f"A system alert covers the app{':' if named else ''}{named}"
    return replace(past, lines=(line, *past.lines))


def pressable(snapshot: Snapshot) -> Explanation:
    """The buttons of what lies over the app, and how to get past it; empty if nothing does."""
    if snapshot.dialog is None:
        return NOTHING_MORE
    window, _ = front_window(snapshot)
    buttons = [one for one in snapshot.elements if one.window == window and one.node.clickable]
    listed = "   ".join(
        f"[{one.ref}] {bare(one.class_name)} {quoted(one.label)}" for one in buttons[:_MOST_BUTTONS]
    )
    return Explanation((f"  {listed}",) if listed else (), _past(snapshot, buttons))


def _past(snapshot: Snapshot, buttons: list[Element]) -> Proposals:
    """How to get past what lies over the app."""
    if _asks_permission(snapshot, buttons):
        before = "" if snapshot.platform == "ios" else ", or grant it before launch"
        return (Advice('answer_permission("allow")', rest=before),)
    if (
        len(buttons) == 1
        and buttons[0].label in _CLOSES
        and len(snapshot.every(by(text=buttons[0].label))) == 1
    ):
        return (Advice(f"tap(text={quoted(buttons[0].label)})", rest=" first"),)
    if buttons:
        return ("tap one of them first",)
    return (Advice("back()", rest=", which closes it"),) if snapshot.alone else ()


def _asks_permission(snapshot: Snapshot, buttons: list[Element]) -> bool:
    """By the words on them where the home screen asks, which also asks other things."""
    if _is_of_springboard(snapshot):
        return any(re.match(r"(Don[’']t )?Allow\b", one.label) for one in buttons)
    return any(asks_permission(one.package) for one in buttons)


def _around(snapshot: Snapshot, node: Node) -> set[int]:
    return {node.index, *(one.index for one in ancestors(snapshot.nodes, node))}
