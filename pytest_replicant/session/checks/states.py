"""Checks of an element's state."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Secret, Selector
from ..actionability import resolve
from ..arguments import describe
from ..element_state import CHOICES, checked_of
from ..step import StageFailed
from .check import Check, CheckInput, Verdict
from .presence import listed, near

if TYPE_CHECKING:
    from ...model import Element
    from ..arguments import Target

STATES = ("checked", "selected", "focused", "enabled", "expanded")


def state_is(target: Target | None, wanted: dict[str, Any], tolerance: float | None) -> Check:
    """Every state given must be reported and equal; numbers within the tolerance. RFC 004: unreported is not
    False, and types do not mix."""
    _check_states(wanted, tolerance)
    expected = ", ".join(
        f'text="{value}"' if name == "text" else f"{name}={value!r}" for name, value in wanted.items()
    )
    where = f"{describe(target)}: " if target is not None else ""

    def test(look: CheckInput) -> Verdict:
        element, why = _acted_or(look, target)
        if element is None:
            return Verdict(False, why, more=lambda: _instead(look, target))
        verdicts = [_state(look, element, name, value, tolerance) for name, value in wanted.items()]
        return Verdict(all(item.held for item in verdicts), ", ".join(item.observed for item in verdicts))

    return Check("expect_state", where + expected, test, code="EXPECT_STATE_MISMATCH", target=target)


def _check_states(wanted: dict[str, Any], tolerance: float | None) -> None:
    if not wanted:
        raise UsageError(
            "expect_state() needs a state: text=, value=, checked=, selected=, focused=, enabled=, expanded="
        )
    for name in STATES:
        if name in wanted and not isinstance(wanted[name], bool):
            raise UsageError(f"expect_state({name}={wanted[name]!r}): states are True or False")
    if "text" in wanted and not isinstance(wanted["text"], (str, Secret)):
        raise UsageError(f"expect_state(text={wanted['text']!r}): text is a string")
    value = wanted.get("value", "")
    if not isinstance(value, str) and not _is_number(value):
        raise UsageError(f"expect_state(value={value!r}): a value is a number or a string")
    if tolerance is not None and not _is_number(wanted.get("value")):
        raise UsageError("expect_state(tolerance=) goes with a number in value=")
    if tolerance is not None and not (_is_number(tolerance) and tolerance >= 0):
        raise UsageError(f"expect_state(tolerance={tolerance!r}): a tolerance is a number from 0")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _state(look: CheckInput, element: Element, name: str, wanted: Any, tolerance: float | None) -> Verdict:
    if name == "text":
        return _text_state(element, wanted)
    if name == "value":
        return _value_state(element, wanted, tolerance)
    actual, how = getattr(element.states, name), ""
    if actual is None and look.snapshot.platform == "ios":
        actual, how = _told_otherwise(look, element, name)
    told = _unreported(look, element, name) if actual is None else f"{actual!r}{how}"
    return Verdict(actual is wanted, f"{name}={told}")


def _told_otherwise(look: CheckInput, element: Element, name: str) -> tuple[bool | None, str]:
    """What iOS tells in other words, and which. What is chosen of several is a button or a row with the trait
    Selected, where traits are told; which field the keyboard types into is in no hierarchy, and asked for."""
    if name == "checked":
        return checked_of(look.snapshot, element), " (by the trait Selected)"
    if name == "focused" and element.states.editable and look.now:
        return look.observer.has_focus(element), ""
    return None, ""


def _unreported(look: CheckInput, element: Element, name: str) -> str:
    """A row is not checked, the switch in it is; a button of iOS may be selected, and nothing else."""
    choice = look.snapshot.platform == "ios" and element.class_name in CHOICES
    if name == "checked" and choice and element.states.selected is False:
        return "not reported by this phone; it is not selected, which selected= checks"
    inside = [one for one in element.children if name == "checked" and one.states.checked is not None]
    hint = f"; but {inside[0].describe()} in it is checked={inside[0].states.checked}" if len(inside) == 1 else ""
    return f"not reported by this phone{hint}"


def _text_state(element: Element, wanted: str | Secret) -> Verdict:
    """A field is read by its content, anything else by its label. Masked text shows nothing but its length."""
    shown = text_of(element)
    if isinstance(wanted, Secret):
        if element.states.password:
            held = len(shown) == len(wanted.value)
            return Verdict(held, f"text=masked, {'as many' if held else 'another number of'} letters")
        held = shown == wanted.value
        return Verdict(held, f"text={'the expected text' if held else 'another text'}")
    masked = "; it is masked: text=Secret(...) compares the length" if element.states.password and shown else ""
    return Verdict(shown == wanted, f'text="{shown}"{masked}')


def text_of(element: Element) -> str:
    """What a field holds, as far as it shows: of a masked one, its bullets."""
    if element.states.password:
        empty = element.text in (element.hint, element.label)  # a hint in the place of text
        return "" if empty else element.text
    if element.states.editable:
        return str(element.value) if element.value is not None else ""
    return element.text or element.label


def _value_state(element: Element, wanted: Any, tolerance: float | None) -> Verdict:
    actual = element.value
    if actual is None:
        shown = text_of(element)
        hint = f'; it shows "{shown}", which text= compares' if any(map(str.isdigit, shown)) else ""
        return Verdict(False, f"value=not reported by this phone{hint}")
    if _is_number(actual) and _is_number(wanted):
        held = abs(float(actual) - float(wanted)) <= (tolerance or 0)
    else:
        held = type(actual) is type(wanted) and actual == wanted
    kind = (
        "" if held or type(actual) is type(wanted) or _is_number(actual) == _is_number(wanted) else _other(actual)
    )
    return Verdict(held, f"value={actual!r}{kind}")


def _other(actual: object) -> str:
    """Types do not mix, and a difference that is in no letter is told."""
    return ", a number" if _is_number(actual) else ", a string"


def _instead(look: CheckInput, target: Target | None) -> str:
    """What there is in place of the one element that was meant."""
    if not isinstance(target, Selector):
        return ""
    found = look.snapshot.every(target)
    return listed(found) if found else near(look.snapshot, target)


def _acted_or(look: CheckInput, target: Target | None) -> tuple[Element | None, str]:
    wanted = target if target is not None else look.acted
    if wanted is None:
        raise UsageError(
            "expect_state(): there is no element to look at; name it first: "
            'expect_state(by(text="Add"), enabled=True). Keywords such as text= are the states that it should have'
        )
    if isinstance(wanted, Selector):
        found = look.snapshot.every(wanted)
        if len(found) == 1:
            return found[0], ""
        return None, "absent" if not found else f"{len(found)} matches, and it must be one"
    try:
        return resolve(look.observer, look.snapshot, wanted), ""
    except StageFailed as failed:
        # Without the number of the read, so that what stays the same over many is one observation.
        return None, failed.failure.message.split("\n", 1)[0].removesuffix(f", now {look.snapshot.id}")
