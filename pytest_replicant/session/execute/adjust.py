"""``adjust``: the kind of control decides the strategies; where one fails, a recovery goes on with the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias

from ...errors import UsageError
from ...model import Element
from ..arguments import Target
from ..element_state import checked_of
from ..step import ActionContext, Details, StageFailed
from .choosing import choose_option, choose_segment, is_chosen, members_of, switch
from .control import Control, number_of, parse_number
from .track import Stop, buttons_of, drag_thumb, press_until, steppers_of, swipe_inside, tap_halves, tap_track

Setting: TypeAlias = "float | str | bool"
"""What a control is set to: a number, the label to choose, on or off."""
Kind = Literal["switch", "dropdown", "segments", "slider", "stepper", "custom"]


@dataclass(frozen=True)
class Mode:
    """One way of moving a value; ``name`` says it in a message. ``proves`` are the findings that no other way of
    touching the control would change: it has no such value."""

    key: str
    name: str
    run: Callable[[Control, float, float], Stop | None]
    proves: frozenset[Stop] = frozenset({"between", "end"})


TAP = Mode("tap", "taps on its track", tap_track)
DRAG = Mode("drag", "drags of its thumb", drag_thumb)
BUTTONS = Mode("buttons", "presses of its buttons", partial(press_until, levers=steppers_of))
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
    "text": "it is a text, with no buttons for less and more in its row",
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


def kind_of(control: Control, to: Setting) -> Kind:
    """By its role, else by the elements in it or next to it. Raises ``StageFailed`` for anything else, and
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


def _kind(control: Control, to: Setting) -> Kind:
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
        return "dropdown"  # that shows a value next to its name, as iOS's do whose menu is to choose from
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


def _raw_kind(control: Control, to: Setting) -> Kind:
    """By what it reports and holds alone, for a role that proved wrong."""
    element = control.element
    if isinstance(to, bool):
        return "switch"
    if isinstance(to, str):
        return "segments" if members_of(control.snapshot, element) != [element] else "dropdown"
    return "stepper" if buttons_of(control.snapshot, element) else "slider"


def _choose(action: ActionContext, kind: Kind, label: str, *, tapped: bool) -> Details:
    if kind == "segments":
        return choose_segment(action, label, tapped=tapped)
    if action.target.element.value == label:
        return {"mode": "none needed", "touches": 0, "option": label}
    return choose_option(action, label)


class Adjusting:
    """Sets the control to a number give or take ``tolerance``, to the option of that label, or on and off. Of the
    modes that may move a number, each attempt uses one."""

    def __init__(self, target: Target, to: Setting, tolerance: float) -> None:
        self._target = target
        self._to = to
        self._tolerance = tolerance
        self._used: list[Mode] = []
        self._was: Kind | None = None  # what it was taken for the last time
        self._best: tuple[Control, Stop, Mode] | None = None  # the attempt that moved it, which says most

    def send(self, action: ActionContext) -> Details:
        to = self._to
        control = Control(action, self._target, raw=action.params.get("semantics") == "raw")
        kind = kind_of(control, to)
        if isinstance(to, bool):
            return switch(action, to, tapped=control.raw)
        if isinstance(to, str):
            tapped, self._was = control.raw and self._was == kind, kind
            return _choose(action, kind, to, tapped=tapped)
        if control.start is None:
            raise no_number(control)
        return self._move(control, kind, to)

    def _move(self, control: Control, kind: Kind, to: float) -> Details:
        """Raises ``StageFailed`` where this mode does not get there."""
        modes = modes_of(control, kind)
        if control.raw or control.action.params.get("mode") == "next":
            modes = [mode for mode in modes if mode not in self._used]
        if not modes:
            raise self._failed(control, to)
        mode, *later = modes
        stop = mode.run(control, to, self._tolerance)
        if mode not in self._used:
            self._used.append(mode)
        if stop is None:
            return {
                "mode": mode.key,
                "touches": control.touches,
                "readings": [[reading.gesture, reading.value] for reading in control.series],
                "value": control.value,
            }
        left = bool(later) and stop not in mode.proves
        if (control.reacted or stop == "end") and not (left and self._best):
            self._best = control, stop, mode
        if left:
            raise not_there(control, to, self._tolerance, stop, mode.name, later[0].name)
        raise self._failed(control, to)

    def _failed(self, control: Control, to: float) -> StageFailed:
        """No mode is left."""
        if self._best is None:
            return never_reacted(control, to, [mode.name for mode in self._used])
        best, stop, mode = self._best
        best.element, best.snapshot = control.element, control.snapshot
        return not_there(best, to, self._tolerance, stop, mode.name, "")


_WHY: dict[Stop, str] = {
    "between": "a finger finds no value between {before} and {after}{steps}",
    "end": "it goes no further than {nearest:g}",
    "oscillates": "its values are not to be pinned down",
    "stuck": "nothing moved it",
    "covered": "the part of it that would have this value is covered",
}


def not_there(control: Control, to: float, tolerance: float, stop: Stop, mode: str, next_mode: str) -> StageFailed:
    """It did not converge. ``next_mode`` is another way that is left, "" for none."""
    seen = [reading.value for reading in control.series if reading.value is not None]
    values = seen or [control.value]
    nearest = min(values, key=lambda value: abs(value - to))
    before, after = _neighbours(control, values, to)
    stop = "end" if stop == "between" and (before is None or after is None) else stop
    why = _WHY[stop].format(
        before=_in_words(before), after=_in_words(after), nearest=nearest, steps=_steps(values)
    )
    touches = "1 touch" if control.touches == 1 else f"{control.touches} touches"
    wrong = f"does not become {to:g} in {touches}: {why}. It shows {control.value:g}."
    left = f" Left to try: {next_mode}" if next_mode else ""
    return control.failed(
        "CONTROL_CONVERGENCE_FAILED",
        wrong,
        details=(f"{mode.capitalize()}: {control.series_text()}.",),
        advice=(f"{_advice(nearest, to, tolerance, stop)}{left}",),
        other_way={"mode": "next"} if next_mode else {},
    )


def never_reacted(control: Control, to: float, modes: list[str]) -> StageFailed:
    """Nothing that was done to it made a difference."""
    role = control.element.semantic_role
    promise = f"as a {role} it promises to be adjusted" if role else "it shows a number"
    series = f"{modes[-1].capitalize()}: {control.series_text()}." if control.series else ""
    wrong = (
        f"does not react: {promise}, but after {', '.join(modes)} it still shows {control.value:g}, not {to:g}."
    )
    advice = ("is it read-only, or does another element take the touches? Adjust that one",)
    return control.failed("SEMANTIC_MISMATCH", wrong, details=(series,), advice=advice)


def no_number(control: Control) -> StageFailed:
    """It shows nothing that could be read back: not touched."""
    element, snapshot = control.element, control.snapshot
    where = element.bounds.center
    shown = [near for near in snapshot.elements if near is not element and _may_show(near, element)]
    near = f" Near it are numbers: {'   '.join(one.describe() for one in shown)}." if shown else ""
    wrong = f"reports no number to adjust by, so that nothing could be read back. Nothing was touched.{near}"
    advice = (
        f"touch a place of it by tap_at, y {where.y} and x from {element.bounds.left} to "
        f"{element.bounds.right - 1}, or swipe it, and check what the screen shows for it by expect_visible"
    )
    return control.failed("SEMANTIC_MISMATCH", wrong, advice=(advice,))


def not_adjustable(control: Control, why: str) -> StageFailed:
    """It is something else: not touched. A text may show the number of a control above or below it."""
    below = [one for one in control.snapshot.elements if _is_next_to(one, control.element)]
    wrong = f"cannot be adjusted: {why}. Nothing was touched."
    if not below:
        return control.failed("ELEMENT_NOT_INTERACTABLE", wrong, may_retry=False)
    shown = f"Next to it: {'   '.join(one.describe() for one in below)}."
    advice = ("name the control itself, not a text about it",)
    return control.failed("ELEMENT_NOT_INTERACTABLE", wrong, may_retry=False, nearest=(shown,), advice=advice)


def _may_show(near: Element, element: Element) -> bool:
    """A passive label with a number right above, below or next to it."""
    return not near.node.clickable and number_of(near) is not None and _are_close(near, element)


def _is_next_to(near: Element, text: Element) -> bool:
    """A control with a number of its own, right above, below or next to a text."""
    return text.semantic_role == "text" and near.semantic_role in ("slider", "stepper") and _are_close(near, text)


def _are_close(near: Element, element: Element) -> bool:
    away = 2 * max(element.bounds.height, near.bounds.height)
    one, other = near.bounds, element.bounds
    return max(one.top - other.bottom, other.top - one.bottom) <= away


def _steps(values: list[float]) -> str:
    """``, which is one step``, where what was read lies on a grid of whole numbers wider than one."""
    distinct = sorted(set(values))
    apart = [after - before for before, after in pairwise(distinct)]
    least = min(apart, default=0.0)
    regular = (
        len(distinct) > 2 and least > 1 and all(abs(gap / least - round(gap / least)) < 1e-6 for gap in apart)
    )
    return f": it goes in steps of {least:g}" if regular else ""


def _advice(nearest: float, to: float, tolerance: float, stop: Stop) -> str:
    away = abs(nearest - to)
    if stop == "stuck":
        return "is it enabled, and does the app let it move?"
    if away <= tolerance:
        return f"{nearest:g} was within the tolerance for a moment: does the app change it back?"
    return f"to={nearest:.12g} is the nearest that it showed; tolerance={_enough(away)} takes that for {to:g}."


def _neighbours(control: Control, values: list[float], to: float) -> tuple[float | None, float | None]:
    """The values next to the wanted one: seen, known to follow, or shown at first."""
    found: list[float | None] = []
    for side in (-1, 1):
        other = [value for value in (control.neighbour, control.start) if value is not None]
        seen = [value for value in values if (value - to) * side > 0]
        known = seen or [value for value in other if (value - to) * side > 0][:1]
        found.append(min(known, key=lambda value: abs(value - to), default=None))
    return found[0], found[1]


def _enough(away: float) -> str:
    """In few digits, and not rounded down."""
    short = f"{away:.6g}"
    return short if float(short) >= away else f"{away * 1.01:.3g}"


def _in_words(value: float | None) -> str:
    return "" if value is None else f"{value:g}"
