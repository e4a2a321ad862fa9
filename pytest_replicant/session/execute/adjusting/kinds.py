"""Which kind of control it is, what a test may set it to, and by which modes a number is brought about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ....errors import UsageError
from ...element_state import checked_of
from ..segments import is_chosen, members_of
from .buttons import buttons_of, levers_of
from .control import Control
from .custom import swipe_inside, tap_halves
from .failing import not_adjustable
from .levers import press_until
from .numbers import parse_number
from .search import Stop
from .track import drag_thumb, tap_track

if TYPE_CHECKING:
    from ....model import Element

Kind = Literal["switch", "dropdown", "segments", "slider", "stepper", "custom"]


@dataclass(frozen=True)
class Mode:
    """One way of moving a value; ``name`` says it in a message. ``proves`` are the findings that no other way of
    touching the control would change: it has no such value."""

    key: str
    name: str
    run: Callable[[Control, float, float], Stop | None]
    proves: frozenset[Stop] = frozenset({"between", "end"})


def _by_buttons(control: Control, to: float, tolerance: float) -> Stop | None:
    return press_until(control, lambda: levers_of(control), to, tolerance)


TAP = Mode("tap", "taps on its track", tap_track)
DRAG = Mode("drag", "drags of its thumb", drag_thumb)
BUTTONS = Mode("buttons", "presses of its buttons", _by_buttons)
HALVES = Mode("halves", "taps on its halves", tap_halves, frozenset({"end"}))
SWIPE = Mode("swipe", "swipes in it", swipe_inside)

_TAKES: dict[Kind, str] = {
    "switch": "True or False",
    "dropdown": "the label to choose",
    "segments": "the label to choose",
    "slider": "a number in the unit that it shows",
    "stepper": "a number in the unit that it shows",
    "custom": "a number in the unit that it shows",
}
_REFUSED: dict[str, str] = {
    "progress": "a progress bar shows how far something is, and is no slider",
    "composite_control": "it is several controls in one, and one value does not say which to move",
    "button": "it is a button, and what a tap on it does is not known",
    "link": "it is a link",
    "cell": "it is a row of a list",
    "image": "it is a picture",
    "text": "it is a text, with no buttons for less and more beside it",
    "list": "it is a list",
    "container": "it holds other elements; adjust the one of them that shows the value",
}
_BY_ROLE: dict[str, Kind] = {
    "switch": "switch",
    "checkbox": "switch",
    "tab": "segments",
    "segmented_control": "segments",
    "dropdown": "dropdown",
    "slider": "slider",
    "stepper": "stepper",
}


def kind_of(control: Control, to: float | str | bool) -> Kind:
    """By its role, else by what is in it or beside it. Raises ``StageFailed`` for what is no control, and
    ``UsageError`` where ``to`` is of another type than it takes: nothing has been touched."""
    kind = _raw_kind(control, to) if control.raw else _kind(control, to)
    given: Kind = "switch" if isinstance(to, bool) else "segments" if isinstance(to, str) else "slider"
    if _TAKES[kind] != _TAKES[given]:
        role = control.element.semantic_role or "control that shows a number"
        raise UsageError(
            f"adjust(to={to!r}): {control.element.describe()} is a {role}, which takes {_TAKES[kind]}"
        )
    return kind


def modes_of(control: Control, kind: Kind) -> list[Mode]:
    """How its value can be moved, the likeliest way first."""
    if kind == "slider":
        return [TAP, DRAG]
    if kind == "custom":
        return [HALVES, SWIPE]
    buttons = [BUTTONS] if buttons_of(control.snapshot, control.element) else []
    return [*buttons, HALVES, SWIPE] if control.element.semantic_role == "stepper" or not buttons else buttons


def _kind(control: Control, to: float | str | bool) -> Kind:
    element = control.element
    role = element.semantic_role
    if role == "text_field":
        raise UsageError(f"adjust(to={to!r}): {element.describe()} is a text field; fill() types into it")
    if role == "radio":
        return "segments" if isinstance(to, str) else "switch"
    if role == "dropdown" and "expand" not in (element.supported_actions or ()):
        raise not_adjustable(control, "it is a wheel; swipe() turns it, and expect_state(value=...) checks it")
    if role in _BY_ROLE:
        return _BY_ROLE[role]
    if element.node.checkable:
        return "switch"
    if isinstance(to, bool) and checked_of(control.snapshot, element) is not None:
        return "switch"  # one of several, on iOS
    if isinstance(to, str) and _is_choice(members_of(control.snapshot, element)):
        return "segments"
    if role == "button" and isinstance(to, str) and isinstance(element.value, str):
        return "dropdown"  # that shows a value beside its name, as iOS's do whose menu is to choose from
    if role != "progress" and control.start is not None and buttons_of(control.snapshot, element):
        return "stepper"
    if control.start is not None and role in (None, "container") and not _tells_its_own(element):
        raise not_adjustable(control, _REFUSED["container"])
    if role in _REFUSED and role != "container":
        raise not_adjustable(control, _REFUSED[role])
    return "custom"


def _tells_its_own(element: Element) -> bool:
    """The number is not that of something in it, as a row is called by the texts in it."""
    own = (element.text, element.description, element.node.value or "")
    return any(parse_number(text) is not None for text in own)


def _is_choice(members: list[Element]) -> bool:
    """Several, of which one is chosen or could be: not just several things to tap."""
    return len(members) > 1 and any(is_chosen(one) or one.semantic_role in ("radio", "tab") for one in members)


def _raw_kind(control: Control, to: float | str | bool) -> Kind:
    """By what it reports and holds alone, for a role that proved wrong."""
    element = control.element
    if isinstance(to, bool):
        return "switch"
    if isinstance(to, str):
        return "segments" if members_of(control.snapshot, element) != [element] else "dropdown"
    return "stepper" if buttons_of(control.snapshot, element) else "slider"
