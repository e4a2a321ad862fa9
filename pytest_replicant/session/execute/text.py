"""Typing, and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Failure
from ..aiming.reachable import not_interactable
from ..step import StageFailed
from .touch import point_details, touch_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...drivers import Key
    from ..step import ActionContext, Dispatch

FOCUS_SECONDS = 2.0
MODES = ("bulk", "keys")  # in the order in which they are tried


class Fill:
    """Focuses the field, empties it unless appending, and types: all at once, or where a recovery asks for
    ``mode="keys"`` one character after the other, as a person would. ``mode`` is how it was typed last."""

    def __init__(self, text: str, *, append: bool, secret: bool = False) -> None:
        self._text = text
        self._append = append
        self._secret = secret
        self.mode: str = MODES[0]

    def send(self, action: ActionContext) -> Mapping[str, Any]:
        self.mode = _known_mode(action.params.get("mode", MODES[0]))
        action.query.check_typeable(self._text)
        _check_editable(action)
        _focus(action)
        action.query.check_field_takes(self._text)
        action.context.recorder.secret_fields.typed(action.target.element, secret=self._secret)
        if not self._append:
            action.driver.clear_text()
        for part in self._text if self.mode == "keys" else [self._text]:
            if part:
                action.driver.type_text(part)
        told = {"length": len(self._text), "append": self._append, "mode": self.mode}
        return {**point_details(action.target.point), **told}

    @property
    def modes_left(self) -> bool:
        """Whether it can be typed in another way than it was."""
        return self.mode != MODES[-1] and len(self._text) > 1


def press_key(key: Key) -> Dispatch:
    def send(action: ActionContext) -> Mapping[str, Any]:
        action.driver.press_key(key)
        return {"key": key}

    return send


def hide_keyboard(action: ActionContext) -> Mapping[str, Any]:
    action.driver.hide_keyboard()
    return {}


def _known_mode(mode: object) -> str:
    if mode not in MODES:
        raise UsageError(f"fill: there is no typing mode {mode!r}; there are {', '.join(MODES)}")
    return str(mode)


def _check_editable(action: ActionContext) -> None:
    """Focusing is a tap, which a button would take for one."""
    element = action.target.element
    if element.states.editable is False:
        raise not_interactable(action.target.snapshot, element, "it is no text field")


def _focus(action: ActionContext) -> None:
    """Taps the field, unless it has the focus, and waits until the phone says that it has: typing goes nowhere
    else. Where the hierarchy does not tell, it is asked first: a second tap on a field opens a menu on iOS."""
    element, point = action.target.element, action.target.point
    has_it = element.states.focused
    if has_it is None:
        has_it = action.context.observer.has_focus(element)
    if not has_it:
        touch_at(action, point)
    clock = action.context.clock
    deadline = clock.now() + FOCUS_SECONDS
    while True:
        focused = action.query.focused_field()
        if focused is not None and focused.is_same(element.resource_id, element.bounds):
            return
        if clock.now() >= deadline:
            break
        clock.sleep(action.context.settings.interval)
    seen = (
        "nothing has the focus"
        if focused is None
        else f'the focus is on "{focused.resource_id or focused.bounds}"'
    )
    message = (
        f"ACTION_REJECTED  {element.describe()} did not take the focus in {FOCUS_SECONDS:.0f} s: {seen}. "
        "Nothing was typed. Is it a text field, and is it enabled?"
    )
    raise StageFailed(Failure("ACTION_REJECTED", message, (element,)), action.target.snapshot)
