"""The promises of ``fill``, ``select`` and ``adjust``: the control shows what was set, once all is still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import MASK, Failure, Selector
from ..checks.states import text_of
from ..element_state import checked_of
from ..execute.adjusting.numbers import is_near, number_of
from ..execute.segments import is_chosen, members_of
from ..screen_text import format_screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...model import Element
    from ...snapshots import Snapshot
    from ..step import Postcondition


def read_back(
    text: str, *, secret: bool, append: bool, may_retry: Callable[[], bool] = lambda: False
) -> Postcondition:
    """Judges the field by its content; a masked one by its length; ``unavailable`` where it shows neither.
    ``may_retry`` says whether there is another way of typing that might fare better.

    Returns the failure, if any, and how it was read: ``exact``, ``length`` or ``unavailable``.
    """

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        field = snapshot.locate(acted).element if acted is not None else None
        if acted is None or field is None or not field.states.editable:
            return None, "unavailable"
        wanted = text_of(acted) + text if append else text
        if field.states.password:
            return _by_length(field, len(text_of(acted)) + len(text) if append else len(text), may_retry())
        shown = text_of(field)
        if shown == wanted:
            return None, "exact"
        if not shown and wanted in (field.text, field.hint):
            return None, "unavailable"  # an empty field prints its hint, and so looks like one that holds it
        told = ("another text", MASK) if secret else (repr(shown), repr(wanted))
        message = (
            f"ACTION_REJECTED  {field.describe()} shows {told[0]} after {told[1]} was typed. Does the app "
            f"correct, format or limit what is typed? Then fill(silent=True) types without reading back, and "
            f"expect_state(text=...) says what it should show.\n{format_screen(snapshot)}"
        )
        return Failure("ACTION_REJECTED", message, (field,), may_retry=may_retry()), "exact"

    return judge


def _by_length(field: Element, wanted: int, may_retry: bool) -> tuple[Failure | None, str]:
    """Bullets tell how many characters there are, where the phone prints them at all."""
    shown = text_of(field)
    if (wanted and not shown) or set(shown) - {"•", "*", "●"}:
        return None, "unavailable"
    if len(shown) == wanted:
        return None, "length"
    message = f"ACTION_REJECTED  {field.describe()} holds {len(shown)} characters where {wanted} are meant to be"
    return Failure("ACTION_REJECTED", message, (field,), may_retry=may_retry), "length"


def chosen(option: str) -> Postcondition:
    """The promise of ``select``: the control shows the option now; ``unavailable`` where it shows no value."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        control = snapshot.locate(acted).element if acted is not None else None
        if control is None and acted is not None and snapshot.beneath is not None:
            control = snapshot.beneath.locate(acted).element  # under a list that is still open
        if control is None or control.value is None:
            return None, "unavailable"
        if option in (str(control.value), control.label, *control.folded):
            return None, "exact"
        message = f"ACTION_REJECTED  {control.describe()} shows {control.value!r} after {option!r} was chosen"
        return Failure("ACTION_REJECTED", f"{message}\n{format_screen(snapshot)}", (control,)), "exact"

    return judge


def stays(to: float | str | bool, tolerance: float) -> Postcondition:
    """The promise of ``adjust``: the control keeps what it was set to; ``unavailable`` where it does not tell."""

    def judge(snapshot: Snapshot, acted: Element | None) -> tuple[Failure | None, str]:
        control = snapshot.locate(acted).element if acted is not None else None
        if control is None:
            return None, "unavailable"
        if isinstance(to, bool):
            now = checked_of(snapshot, control)
            return _kept(snapshot, control, now, now is to)
        if isinstance(to, str):
            if control.semantic_role == "dropdown" or (control.semantic_role == "button" and control.value):
                return chosen(to)(snapshot, acted)
            picked = [one for one in members_of(snapshot, control) if is_chosen(one)]
            wanted = {one.identity for one in snapshot.match(Selector(text=to))}
            shown = "   ".join(one.label for one in picked) or None
            return _kept(snapshot, control, shown, any(one.identity in wanted for one in picked))
        value = number_of(control)
        return _kept(snapshot, control, value, value is not None and is_near(value, to, tolerance))

    return judge


def _kept(snapshot: Snapshot, control: Element, shown: object, as_wanted: bool) -> tuple[Failure | None, str]:
    if as_wanted or shown is None:
        return None, "unavailable" if shown is None else "exact"
    message = (
        f"ACTION_REJECTED  {control.describe()} was set, but shows {shown!r} now: the app changed it back.\n"
        f"{format_screen(snapshot)}"
    )
    return Failure("ACTION_REJECTED", message, (control,)), "exact"
