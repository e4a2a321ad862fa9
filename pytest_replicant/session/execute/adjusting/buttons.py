"""The buttons for less and more that belong to a number: inside it, or beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...aiming.reachable import gesture_point
from .levers import Stepper
from .numbers import is_inside, number_of, parse_number

if TYPE_CHECKING:
    from ....model import Element
    from ....snapshots import Snapshot
    from .control import Control

_MORE_SIGNS = frozenset("+＋➕∧▲△⌃")
_LESS_SIGNS = frozenset("-−–—－➖∨▼▽⌄")
_MORE_WORDS = frozenset({"increase", "increment", "plus", "inc"})
_LESS_WORDS = frozenset({"decrease", "decrement", "minus", "dec"})
_UPWARD = frozenset({"more", "up", "higher", "raise"})  # said of many things: they count in pairs, and alone
_DOWNWARD = frozenset({"less", "fewer", "down", "lower"})
_LEVELS = 3  # how far above the number the buttons' common parent may be
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_JUMP = re.compile(r"[-+−＋]\s*\d+(?:[.,]\d+)?\Z")


def levers_of(control: Control) -> list[Stepper]:
    """Its own buttons on the screen as it is now; empty where it has none, or where several might be its."""
    found = buttons_of(control.snapshot, control.element)
    keys = [_keys(button, hint) for button, hint in found]
    return [
        _lever(control, button, hint, next((key for key in keys[place] if _is_unique(key, keys)), f"{place}"))
        for place, (button, hint) in enumerate(found)
    ]


def buttons_of(snapshot: Snapshot, element: Element) -> list[tuple[Element, int]]:
    """Each with what it looks like: 1 for more, -1 for less, 0 where nothing tells, as on number pickers. What is
    in or beside something that is no stepper counts only where it looks like one of the two: anything else may
    delete or buy."""
    inside = [button for button in _clickable(snapshot, element.node.index) if not button.states.editable]
    if element.semantic_role == "stepper" and inside:
        return [(button, _hint(button) or _by_number(button, element)) for button in inside]
    found = _signed(inside)
    above = element.node.parent
    for _ in range(_LEVELS):
        if found or above < 0:
            break
        around = [button for button in _clickable(snapshot, above) if button is not element]
        found = _signed([button for button in around if _beside(button, element)])
        above = snapshot.nodes[above].parent
    looks = [(button.label, button.resource_id) for button, _ in found]
    return found if len(looks) == len(set(looks)) else []


def _signed(buttons: list[Element]) -> list[tuple[Element, int]]:
    plain = [(button, hint) for button in buttons if (hint := _hint(button))]
    pairs = [(button, hint) for button in buttons if (hint := _one_word(button))]
    return plain or (pairs if {hint for _, hint in pairs} == {1, -1} else [])


def _hint(button: Element) -> int:
    """By a sign, a jump such as +10, the first word, or the id."""
    label = button.label.strip()
    if label in _MORE_SIGNS or (_JUMP.match(label) and label[0] in _MORE_SIGNS):
        return 1
    if label in _LESS_SIGNS or (_JUMP.match(label) and label[0] in _LESS_SIGNS):
        return -1
    words = [*_WORD.findall(label)[:1], *_WORD.findall(button.resource_id.rpartition("/")[2])]
    return _told_by([word.lower() for word in words], _MORE_WORDS, _LESS_WORDS)


def _one_word(button: Element) -> int:
    return _told_by([button.label.strip().lower()], _UPWARD, _DOWNWARD)


def _by_number(button: Element, number: Element) -> int:
    """A picker's buttons show the values next to its own."""
    own, shown = parse_number(button.label), number_of(number)
    return 0 if own is None or shown is None or own == shown else 1 if own > shown else -1


def _told_by(words: list[str], more: frozenset[str], less: frozenset[str]) -> int:
    return next((1 if word in more else -1 for word in words if word in more or word in less), 0)


def _clickable(snapshot: Snapshot, above: int) -> list[Element]:
    return [
        element
        for element in snapshot.elements
        if element.node.clickable and is_inside(snapshot, element.node.index, above)
    ]


def _beside(button: Element, number: Element) -> bool:
    """In the same row or column as the number: in a list, those of the other rows are not."""
    one, other = button.bounds, number.bounds
    row = min(one.bottom, other.bottom) > max(one.top, other.top)
    column = min(one.right, other.right) > max(one.left, other.left)
    gap = max(one.top - other.bottom, other.top - one.bottom)
    return row or (column and gap <= other.height)


def _keys(button: Element, hint: int) -> tuple[str, ...]:
    """What it is known again by, best first: one of several may come and go, as the button for less at none."""
    return tuple(key for key in (button.resource_id, f"hint {hint}" if hint else "") if key)


def _is_unique(key: str, keys: list[tuple[str, ...]]) -> bool:
    return sum(key in each for each in keys) == 1


def _lever(control: Control, button: Element, hint: int, key: str) -> Stepper:
    def press() -> None:
        control.tap(gesture_point(control.snapshot, button), f'tap "{button.label}"')

    return Stepper(key, hint, press, button.states.enabled is not False)
