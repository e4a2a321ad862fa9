"""Typing, and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import is_told
from ...model.failure import Failure
from ..reachable import not_interactable
from ..step import StageFailed
from .touch import told_point, touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...drivers.base import Key
    from ..step import Dispatch, Hands

__tracebackhide__ = is_told

FOCUS_SECONDS = 2.0


def fill(text: str, *, append: bool) -> Dispatch:
    """Focuses the field, empties it unless appending, and types."""

    def send(hands: Hands) -> Mapping[str, Any]:
        hands.look.check_typeable(text)
        _check_editable(hands)
        _focus(hands)
        hands.look.check_field_takes(text)
        if not append:
            hands.driver.clear_text()
        if text:
            hands.driver.type_text(text)
        return {**told_point(hands.aim.point), "length": len(text), "append": append}

    return send


def press_key(key: Key) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.press_key(key)
        return {"key": key}

    return send


def hide_keyboard(hands: Hands) -> Mapping[str, Any]:
    hands.driver.hide_keyboard()
    return {}


def _check_editable(hands: Hands) -> None:
    """Focusing is a tap, which a button would take for one."""
    element = hands.aim.element
    if element.states.editable is False:
        raise not_interactable(hands.aim.snapshot, element, "it is no text field")


def _focus(hands: Hands) -> None:
    """Taps the field, and waits until the phone says that it has the focus: typing goes nowhere else."""
    element, point = hands.aim.element, hands.aim.point
    if element.states.focused is not True:
        touch_at(hands, point)
    clock = hands.parts.clock
    deadline = clock.now() + FOCUS_SECONDS
    while True:
        focused = hands.look.focused_field()
        if focused is not None and focused.is_same(element.resource_id, element.bounds):
            return
        if clock.now() >= deadline:
            break
        clock.sleep(hands.parts.settings.interval)
    seen = (
        "nothing has the focus"
        if focused is None
        else f'the focus is on "{focused.resource_id or focused.bounds}"'
    )
    message = (
        f"ACTION_REJECTED  {element.describe()} did not take the focus in {FOCUS_SECONDS:.0f} s: {seen}. "
        "Nothing was typed. Is it a text field, and is it enabled?"
    )
    raise StageFailed(Failure("ACTION_REJECTED", message, (element,)), hands.aim.snapshot)
