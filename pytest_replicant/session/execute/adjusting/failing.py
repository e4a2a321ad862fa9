"""What is said where a control cannot be set."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ....model import Failure
from ...screen_text import format_screen
from ...step import StageFailed
from .numbers import number_of

if TYPE_CHECKING:
    from ....model import Element
    from .control import Control
    from .search import Stop

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
    why = _WHY[stop].format(before=_told(before), after=_told(after), nearest=nearest, steps=_steps(values))
    message = (
        f"CONTROL_CONVERGENCE_FAILED  {control.element.describe()} on {control.action.uri} does not become "
        f"{to:g} in {_touches(control)}: {why}. It shows {control.value:g}.\n"
        f"{mode.capitalize()}: {control.told()}.\n"
        f"Next: {_advice(nearest, to, tolerance, stop)}{f' Left to try: {next_mode}.' if next_mode else ''}\n"
        f"{format_screen(control.snapshot)}"
    )
    failure = Failure("CONTROL_CONVERGENCE_FAILED", message, (control.element,), may_retry=bool(next_mode))
    return StageFailed(failure, control.snapshot)


def never_reacted(control: Control, to: float, modes: list[str]) -> StageFailed:
    """Nothing that was done to it made a difference."""
    role = control.element.semantic_role
    promise = f"as a {role} it promises to be adjusted" if role else "it shows a number"
    message = (
        f"SEMANTIC_MISMATCH  {control.element.describe()} on {control.action.uri} does not react: {promise}, "
        f"but after {', '.join(modes)} it still shows {control.value:g}, not {to:g}.\n"
        f"{_series(control, modes[-1])}"
        "Next: is it read-only, or does another element take the touches? Adjust that one.\n"
        f"{format_screen(control.snapshot)}"
    )
    return StageFailed(Failure("SEMANTIC_MISMATCH", message, (control.element,)), control.snapshot)


def no_number(control: Control) -> StageFailed:
    """It shows nothing that could be read back: not touched."""
    element, snapshot = control.element, control.snapshot
    where = element.bounds.center
    shown = [near for near in snapshot.elements if near is not element and _may_show(near, element)]
    near = f" Near it are numbers: {'   '.join(one.describe() for one in shown)}." if shown else ""
    message = (
        f"SEMANTIC_MISMATCH  {element.describe()} on {control.action.uri} reports no number to adjust by, so "
        f"that nothing could be read back. Nothing was touched.{near}\n"
        f"Next: touch a place of it with tap_at(x, {where.y}), x from {element.bounds.left} to "
        f"{element.bounds.right - 1}, or swipe() it, and check what the screen shows for it, as in "
        f"expect_visible(text=...).\n{format_screen(snapshot)}"
    )
    return StageFailed(Failure("SEMANTIC_MISMATCH", message, (element,), may_retry=False), snapshot)


def not_adjustable(control: Control, why: str) -> StageFailed:
    """It is something else: not touched."""
    message = (
        f"ELEMENT_NOT_INTERACTABLE  {control.element.describe()} on {control.action.uri} cannot be adjusted: "
        f"{why}. Nothing was touched.\n{format_screen(control.snapshot)}"
    )
    failure = Failure("ELEMENT_NOT_INTERACTABLE", message, (control.element,), may_retry=False)
    return StageFailed(failure, control.snapshot)


def _series(control: Control, mode: str) -> str:
    return f"{mode.capitalize()}: {control.told()}.\n" if control.series else ""


def _may_show(near: Element, element: Element) -> bool:
    """A passive label with a number right above, below or beside it."""
    if near.node.clickable or number_of(near) is None:
        return False
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
    """The values next to what is wanted: seen, known to follow, or what it showed at first."""
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


def _told(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _touches(control: Control) -> str:
    return "1 touch" if control.touches == 1 else f"{control.touches} touches"
