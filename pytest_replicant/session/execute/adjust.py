"""``adjust``: the kind of control decides the strategies; if one fails, a recovery goes on with the
next."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Literal, TypeAlias

from ...errors import UsageError
from ...model import Element, Node, Point, Strings, ancestors
from ...snapshots import Snapshot
from ..arguments import Target
from ..element_state import checked_of
from ..reachability import gesture_point, not_interactable
from ..step import ActionContext, Details, StageFailed
from .choosing import choose_option, choose_segment, is_chosen, members_of, switch
from .control import Control, Line, Stop, drag_thumb, number_of, parse_number, tap_track

Setting: TypeAlias = "float | str | bool"
"""What a control is set to: a number, the label to choose, on or off."""
Kind = Literal["switch", "dropdown", "segments", "slider", "stepper", "custom"]


def _takes(kind: Kind) -> str:
    if kind == "switch":
        return "True or False"
    if kind in ("dropdown", "segments"):
        return "the label to choose"
    return "a number in the unit that it shows"


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
    """By its role, else by the elements in it or next to it. Raises ``StageFailed`` for anything
    else, and ``UsageError`` where ``to`` is of another type than it takes: nothing has been
    touched."""
    kind = _raw_kind(control, to) if control.raw else _kind(control, to)
    given: Kind = "slider"
    if isinstance(to, bool):
        given = "switch"
    elif isinstance(to, str):
        given = "segments"
    if _takes(kind) != _takes(given):
        role = control.element.semantic_role or "control that shows a number"
        raise UsageError(
            f"adjust(to={to!r}): {control.element.describe()} is a {role}, which takes "
            f"{_takes(kind)}"
        )
    return kind


def _kind(control: Control, to: Setting) -> Kind:
    element = control.element
    role = element.semantic_role
    if role == "text_field":
        raise UsageError(
            f"adjust(to={to!r}): {element.describe()} is a text field; fill() types into it"
        )
    if role == "radio":
        return "segments" if isinstance(to, str) else "switch"
    if role == "dropdown" and "expand" not in (element.supported_actions or ()):
        raise not_adjustable(
            control, "it is a wheel; swipe() turns it, and expect_state(value=...) checks it"
        )
    if role in _BY_ROLE:
        return _BY_ROLE[role]
    if element.node.checkable:
        return "switch"
    if isinstance(to, bool) and checked_of(control.snapshot, element) is not None:
        return "switch"  # one of several, on iOS
    if isinstance(to, str) and _is_choice(members_of(control.snapshot, element)):
        return "segments"
    if role == "button" and isinstance(to, str) and isinstance(element.value, str):
        # that shows a value next to its name, as iOS's do whose menu is to choose from
        return "dropdown"
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
    return len(members) > 1 and any(
        is_chosen(one) or one.semantic_role in ("radio", "tab") for one in members
    )


def _raw_kind(control: Control, to: Setting) -> Kind:
    """By what it reports and holds alone, for a role that proved wrong."""
    element = control.element
    if isinstance(to, bool):
        return "switch"
    if isinstance(to, str):
        return "segments" if members_of(control.snapshot, element) != [element] else "dropdown"
    return "stepper" if buttons_of(control.snapshot, element) else "slider"


@dataclass
class Adjusting:
    """Sets the control to a number give or take ``tolerance``, to the option of that label, or on
    and off. Of the modes that may move a number, each attempt uses one."""

    target: Target
    to: Setting
    tolerance: float
    _used: list[Mode] = field(default_factory=list)
    _moved: bool = False  # by any of them
    _was: Kind | None = None  # what it was taken for the last time

    def send(self, action: ActionContext) -> Details:
        to = self.to
        number = math.nan if isinstance(to, (bool, str)) else to
        raw = action.params.get("semantics") == "raw"
        control = Control(action, self.target, number, self.tolerance, raw=raw)
        kind = kind_of(control, to)
        if isinstance(to, bool):
            return switch(action, to, tapped=control.raw)
        if isinstance(to, str):
            tapped, self._was = control.raw and self._was == kind, kind
            if kind == "segments":
                return choose_segment(action, to, tapped=tapped)
            if action.target.element.value == to:
                return {"mode": "none needed", "touches": 0, "option": to}
            return choose_option(action, to)
        if control.start is None:
            where = control.element.bounds
            raise control.failed(
                "SEMANTIC_MISMATCH",
                "reports no number to adjust by, so that nothing could be read back. Nothing was "
                "touched.",
                advice=(
                    f"touch a place of it by tap_at, y {where.center.y} and x from {where.left} to "
                    f"{where.right - 1}, or swipe it, and check what the screen shows for it by "
                    "expect_visible",
                ),
            )
        return self._move(control, kind)

    def _move(self, control: Control, kind: Kind) -> Details:
        """Raises ``StageFailed`` if this mode does not get there."""
        modes = modes_of(control, kind)
        if control.raw or control.action.params.get("mode") == "next":
            modes = [mode for mode in modes if mode not in self._used]
        if not modes and self._moved:
            raise not_there(control, "end", self._used[-1].name, "")
        if not modes:
            raise self._never_reacted(control)
        mode, *later = modes
        stop = mode.run(control)
        if mode not in self._used:
            self._used.append(mode)
        if stop is None:
            return {
                "mode": mode.key,
                "touches": control.touches,
                "readings": [[reading.gesture, reading.value] for reading in control.series],
                "value": control.value,
            }
        self._moved = self._moved or control.reacted or stop == "end"
        left = later[0].name if later and stop not in mode.proves else ""
        if left or self._moved:
            raise not_there(control, stop, mode.name, left)
        raise self._never_reacted(control)

    def _never_reacted(self, control: Control) -> StageFailed:
        """Nothing that was done to it made a difference."""
        role, modes = control.element.semantic_role, [mode.name for mode in self._used]
        promise = f"as a {role} it promises to be adjusted" if role else "it shows a number"
        series = f"{modes[-1].capitalize()}: {control.series_text()}." if control.series else ""
        shown = f"after {', '.join(modes)} it still shows {control.value:g}, not {control.to:g}"
        return control.failed(
            "SEMANTIC_MISMATCH",
            f"does not react: {promise}, but {shown}.",
            details=(series,),
            advice=("is it read-only, or does another element take the touches? Adjust that one",),
        )


_WHY: dict[Stop, str] = {
    "between": "a finger finds no value between {before:g} and {after:g}",
    "end": "it goes no further than {nearest:g}",
    "oscillates": "its values are not to be pinned down",
    "stuck": "nothing moved it",
    "covered": "the part of it that would have this value is covered",
}


def not_there(control: Control, stop: Stop, mode: str, next_mode: str) -> StageFailed:
    """It did not converge. ``next_mode`` is another way that is left, "" for none."""
    seen = [reading.value for reading in control.series if reading.value is not None]
    values = seen or [control.value]
    nearest = min(values, key=lambda value: abs(value - control.to))
    # The values next to the wanted one: seen, known to follow, or shown at first.
    known = [*values, *(one for one in (control.neighbour, control.start) if one is not None)]
    before = max((value for value in known if value < control.to), default=None)
    after = min((value for value in known if value > control.to), default=None)
    stop = "end" if stop == "between" and (before is None or after is None) else stop
    why = _WHY[stop].format(before=before, after=after, nearest=nearest)
    touches = "1 touch" if control.touches == 1 else f"{control.touches} touches"
    wrong = f"does not become {control.to:g} in {touches}: {why}. It shows {control.value:g}."
    left = f" Left to try: {next_mode}" if next_mode else ""
    return control.failed(
        "CONTROL_CONVERGENCE_FAILED",
        wrong,
        details=(f"{mode.capitalize()}: {control.series_text()}.",),
        advice=(f"{_advice(control, nearest, stop)}{left}",),
        other_way={"mode": "next"} if next_mode else {},
    )


def not_adjustable(control: Control, why: str) -> StageFailed:
    """It is something else: not touched."""
    return control.failed(
        "ELEMENT_NOT_INTERACTABLE",
        f"cannot be adjusted: {why}. Nothing was touched.",
        may_retry=False,
    )


def _advice(control: Control, nearest: float, stop: Stop) -> str:
    if stop == "stuck":
        return "is it enabled, and does the app let it move?"
    if abs(nearest - control.to) <= control.tolerance:
        return f"{nearest:g} was within the tolerance for a moment: does the app change it back?"
    return f"to={nearest:.12g} is the nearest that it showed; tolerance= takes it for the other."


# --- how a value is moved: by touches, drags of its thumb, buttons, halves, or swipes ---

MOST_PRESSES = 60
MOST_ALIKE = 2  # times that one thing is pressed at one value: once to learn, once to come back


@dataclass(frozen=True)
class Stepper:
    """``hint`` is what it looks like: 1 for more, -1 for less, 0 if it is unknown. ``key`` knows it
    again on the next screen, ``press`` uses it there."""

    key: str
    hint: int
    press: Callable[[], None]
    enabled: bool = True


Levers = Callable[["Control"], Sequence[Stepper]]
"""What can be pressed on the screen as it is now."""


def press_until(control: Control, levers: Levers) -> Stop | None:
    """Presses what brings the value nearer, reading after each press; how far each goes is learnt.
    None if the value is there, else why nothing more is pressed."""
    learnt: dict[str, list[float]] = {}
    pressed: Counter[tuple[float, str]] = Counter()
    while not control.is_there:
        if control.touches >= MOST_PRESSES:
            return "oscillates"
        value = control.value
        lever = _best(levers(control), learnt, value, control.to)
        if lever is None:
            return _reason(control, levers(control), learnt)
        pressed[value, lever.key] += 1
        if pressed[value, lever.key] > MOST_ALIKE:
            return "oscillates"
        lever.press()
        learnt.setdefault(lever.key, []).append(control.value - value)
    return None


def _best(
    levers: Sequence[Stepper], learnt: dict[str, list[float]], value: float, to: float
) -> Stepper | None:
    """Of those known to bring it nearer the one that does most; else one not tried yet that may."""
    usable = [lever for lever in levers if lever.enabled]
    away = {key: abs(to - value - _jump(made)) for key, made in learnt.items()}
    nearer = [lever for lever in usable if away.get(lever.key, math.inf) < abs(to - value)]
    if nearer and all(learnt[lever.key][-1] for lever in nearer):  # none is spent
        return min(nearer, key=lambda lever: away[lever.key])
    wanted = 1 if to > value else -1
    untried = [lever for lever in usable if lever.key not in learnt]
    untried = untried[::-wanted]  # the last of several is the likelier one for more
    return next((lever for hint in (wanted, 0) for lever in untried if lever.hint == hint), None)


def _jump(moves: list[float]) -> float:
    """What it usually does: a clock's hour goes from 23 to 0 once a day."""
    return Counter(moves).most_common(1)[0][0]


def _reason(control: Control, levers: Sequence[Stepper], learnt: dict[str, list[float]]) -> Stop:
    value, to = control.value, control.to
    moves = [_jump(made) for made in learnt.values() if _jump(made) and made[-1]]
    too_far = [value + move for move in moves if (value + move > to) == (to > value)]
    if too_far:
        control.neighbour = min(too_far, key=lambda there: abs(there - to))
        return "between"
    return "end" if control.reacted or any(not lever.enabled for lever in levers) else "stuck"


# 1 for more, -1 for less
_SIGNS = dict.fromkeys("+＋➕∧▲△⌃", 1) | dict.fromkeys("-−–—－➖∨▼▽⌄", -1)
_WORDS = dict.fromkeys(("increase", "increment", "plus", "inc"), 1)
_WORDS |= dict.fromkeys(("decrease", "decrement", "minus", "dec"), -1)
# said of many things: they count in pairs, and alone
_PAIRED = dict.fromkeys(("more", "up", "higher", "raise"), 1)
_PAIRED |= dict.fromkeys(("less", "fewer", "down", "lower"), -1)
_LEVELS = 3  # how far above the number the buttons' common parent may be
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_JUMP = re.compile(r"[-+−＋]\s*\d+(?:[.,]\d+)?\Z")


def steppers_of(control: Control) -> list[Stepper]:
    """Its own buttons on the screen as it is now; empty if it has none, or if several might be
    its."""
    found = buttons_of(control.snapshot, control.element)
    keys = [_keys(button, hint) for button, hint in found]
    times = Counter(key for each in keys for key in each)
    steppers = []
    for place, (button, hint) in enumerate(found):
        key = next((key for key in keys[place] if times[key] == 1), f"{place}")
        press, enabled = partial(_press, control, button), button.states.enabled is not False
        steppers.append(Stepper(key, hint, press, enabled))
    return steppers


def buttons_of(snapshot: Snapshot, element: Element) -> list[tuple[Element, int]]:
    """Each with what it looks like: 1 for more, -1 for less, 0 if it is unknown, as on number
    pickers. A button in or next to something that is no stepper counts only if it looks like one of
    the two: others may delete or buy."""
    inside = [button for button in _clickable(snapshot, element.node) if not button.states.editable]
    if element.semantic_role == "stepper" and inside:
        return [(button, _hint(button) or _by_number(button, element)) for button in inside]
    found = _signed(inside)
    for above in islice(ancestors(snapshot.nodes, element.node), _LEVELS):
        if found:
            break
        around = [button for button in _clickable(snapshot, above) if button is not element]
        found = _signed([button for button in around if _beside(button, element)])
    looks = [(button.label, button.resource_id) for button, _ in found]
    return found if len(looks) == len(set(looks)) else []


def _signed(buttons: list[Element]) -> list[tuple[Element, int]]:
    plain, pairs = [], []
    for button in buttons:
        if hint := _hint(button):
            plain.append((button, hint))
        if hint := _PAIRED.get(button.label.strip().lower(), 0):
            pairs.append((button, hint))
    return pairs if not plain and {hint for _, hint in pairs} == {1, -1} else plain


def _hint(button: Element) -> int:
    """By a sign, a jump such as +10, the first word, or the id."""
    label = button.label.strip()
    sign = label[0] if _JUMP.match(label) else label
    if sign in _SIGNS:
        return _SIGNS[sign]
    for word in (*_WORD.findall(label)[:1], *_WORD.findall(button.resource_id.rpartition("/")[2])):
        if hint := _WORDS.get(word.lower(), 0):
            return hint
    return 0


def _by_number(button: Element, number: Element) -> int:
    """A picker's buttons show the values next to its own."""
    own, shown = parse_number(button.label), number_of(number)
    if own is None or shown is None:
        return 0
    return (own > shown) - (own < shown)


def _clickable(snapshot: Snapshot, above: Node) -> list[Element]:
    return [element for element in snapshot.elements_in(above) if element.node.clickable]


def _beside(button: Element, number: Element) -> bool:
    """In the same row or column as the number: in a list, those of the other rows are not."""
    one, other = button.bounds, number.bounds
    row = min(one.bottom, other.bottom) > max(one.top, other.top)
    column = min(one.right, other.right) > max(one.left, other.left)
    gap = max(one.top - other.bottom, other.top - one.bottom)
    return row or (column and gap <= other.height)


def _keys(button: Element, hint: int) -> Strings:
    """What it is known again by, best first: one of several may come and go, as the button for less
    at none."""
    return tuple(key for key in (button.resource_id, f"hint {hint}" if hint else "") if key)


def _press(control: Control, button: Element) -> None:
    (now,) = control.stand(button)
    control.touch(f'tap "{button.label}"', gesture_point(control.snapshot, now))


_LESS, _MORE = 0.25, 0.75  # of its long side: the middle of each half
_NEAR_END, _FAR_END = 0.2, 0.8


def tap_halves(control: Control) -> Stop | None:
    """Touches the half for more, or for less. Where touching the same place again does no more, the
    place itself has a value: then it is a track."""
    stop = press_until(control, _halves)
    return tap_track(control) if stop is not None and _is_track(control, _halves) else stop


def swipe_inside(control: Control) -> Stop | None:
    """Swipes along it, one way for more and the other for less; if it is the end of the swipe that
    counts, to the place that has the value."""
    stop = press_until(control, _swipes)
    return drag_thumb(control) if stop is not None and _is_track(control, _swipes) else stop


def _is_track(control: Control, levers: Levers) -> bool:
    """Whether one gesture leads to one value, wherever it began: a step leads on. Tried once more
    to see, where no gesture was made twice."""
    if not control.reacted:
        return False
    made = [reading.gesture for reading in control.series]
    if len(set(made)) == len(made):
        next(lever for lever in levers(control) if lever.key == made[-1]).press()
    values = [control.start, *(reading.value for reading in control.series)]
    led_to: dict[str, tuple[float | None, float | None]] = {}  # by gesture: from where, to where
    for reading, before in zip(control.series, values, strict=False):
        known = led_to.setdefault(reading.gesture, (before, reading.value))
        if known[0] != before:
            return known[1] == reading.value
    return False


def _halves(control: Control) -> list[Stepper]:
    line = control.line()
    less, more = ("left half", "right half") if line.lies else ("lower half", "upper half")
    return [
        _along(control, line, -1, f"tap on the {less}", _LESS),
        _along(control, line, 1, f"tap on the {more}", _MORE),
    ]


def _swipes(control: Control) -> list[Stepper]:
    line = control.line()
    return [
        _along(control, line, hint, f"swipe from {start:.0%} to {end:.0%}", start, end)
        for hint, start, end in ((-1, _FAR_END, _NEAR_END), (1, _NEAR_END, _FAR_END))
    ]


def _along(control: Control, line: Line, hint: int, gesture: str, *shares: float) -> Stepper:
    """A touch at that part of its long side, or a swipe from one part to another."""
    return Stepper(
        gesture,
        hint,
        lambda: control.touch(gesture, *(_at(control, line, each) for each in shares)),
    )


def _at(control: Control, line: Line, share: float) -> Point:
    point = line.point(line.at_share(share))
    if point is None:
        raise not_interactable(control.snapshot, control.element, "a part of it is covered")
    return point


@dataclass(frozen=True)
class Mode:
    """One way of moving a value; ``name`` says it in a message. ``proves`` are the findings that no
    other way of touching the control would change: it has no such value."""

    key: str
    name: str
    run: Callable[[Control], Stop | None]
    proves: frozenset[Stop] = frozenset({"between", "end"})


TAP = Mode("tap", "taps on its track", tap_track)
DRAG = Mode("drag", "drags of its thumb", drag_thumb)
BUTTONS = Mode("buttons", "presses of its buttons", partial(press_until, levers=steppers_of))
HALVES = Mode("halves", "taps on its halves", tap_halves, frozenset({"end"}))
SWIPE = Mode("swipe", "swipes in it", swipe_inside)


def modes_of(control: Control, kind: Kind) -> list[Mode]:
    """How its value can be moved, the likeliest way first."""
    if kind == "slider":
        return [TAP, DRAG]
    if kind == "custom":
        return [HALVES, SWIPE]
    buttons = [BUTTONS] if buttons_of(control.snapshot, control.element) else []
    if control.element.semantic_role == "stepper" or not buttons:
        buttons += [HALVES, SWIPE]
    return buttons
