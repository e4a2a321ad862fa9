"""Checks of an element's state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...errors import UsageError
from ...model import Element, Secret, Selector, quoted
from ...snapshots import Snapshot, code_points, same_text
from ..actionability import resolve
from ..arguments import Target, describe, is_number
from ..element_state import CHOICES, checked_of, text_of, true_text_of, truly
from ..step import StageFailed
from .absence import deeper, under_dialog
from .check import Check, CheckInput, Sample, undecided
from .presence import listed, near

_FOUND = Sample(True, "found")
STATES = ("checked", "selected", "focused", "enabled", "expanded")


def state_is(target: Target | None, wanted: dict[str, Any], tolerance: float | None) -> Check:
    """Every state given must be reported and equal; numbers within the tolerance. RFC 004: unreported is not
    False, and types do not mix."""
    _check_states(wanted, tolerance)
    expected = ", ".join(
        f"text={quoted(str(value))}" if name == "text" else f"{name}={value!r}" for name, value in wanted.items()
    )
    where = f"{describe(target)}: " if target is not None else ""

    def test(look: CheckInput) -> Sample:
        element, failed = _acted_or(look, target)
        if element is None:
            return failed
        samples = [_state(look, element, name, value, tolerance) for name, value in wanted.items()]
        return Sample(
            all(item.held for item in samples),
            ", ".join(item.observed for item in samples),
            problem="disabled" if wanted.get("enabled") and element.states.enabled is False else "",
            facts={name: value for item in samples for name, value in item.facts.items()},
        )

    return Check(
        "expect_state",
        where + expected,
        wanted={name: str(value) if isinstance(value, Secret) else value for name, value in wanted.items()},
        problem="state",
        about_acted=target is None,
        test=test,
        code="EXPECT_STATE_MISMATCH",
        target=target,
    )


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
    if not isinstance(value, str) and not is_number(value):
        raise UsageError(f"expect_state(value={value!r}): a value is a number or a string")
    if tolerance is not None and not is_number(wanted.get("value")):
        raise UsageError("expect_state(tolerance=) goes with a number in value=")
    if tolerance is not None and not (is_number(tolerance) and tolerance >= 0):
        raise UsageError(f"expect_state(tolerance={tolerance!r}): a tolerance is a number from 0")


def _state(look: CheckInput, element: Element, name: str, wanted: Any, tolerance: float | None) -> Sample:
    if name == "text":
        return _text_state(element, wanted, look.snapshot)
    if name == "value":
        return _value_state(truly(look.snapshot, element, element.value), wanted, tolerance)
    reported, how = getattr(element.states, name), ""
    if reported is None:
        reported, how = _state_in_other_terms(look, element, name)
    shown = _unreported(look, element, name) if reported is None else f"{reported!r}{how}"
    return Sample(reported is wanted, f"{name}={shown}", facts={name: reported})


def _state_in_other_terms(look: CheckInput, element: Element, name: str) -> tuple[bool | None, str]:
    """A state that is reported in other terms, and which. On iOS a chosen button or row has the trait Selected,
    where traits are reported; the field with the keyboard is in no hierarchy, and asked for."""
    if name == "checked":
        return checked_of(look.snapshot, element), " (by the trait Selected)"
    if name == "focused" and element.states.editable and look.now:
        return look.observer.has_focus(element), ""
    return None, ""


def _unreported(look: CheckInput, element: Element, name: str) -> str:
    """The observed line of a state that is not reported, with the element or state to check instead."""
    if name == "checked" and element.class_name in CHOICES and element.states.selected is False:
        return "not reported by this phone; it is not selected, which selected= checks"
    inside = [one for one in element.children if name == "checked" and one.states.checked is not None]
    hint = f"; but {inside[0].describe()} in it is checked={inside[0].states.checked}" if len(inside) == 1 else ""
    return f"not reported by this phone{hint}"


def _text_state(element: Element, wanted: str | Secret, snapshot: Snapshot) -> Sample:
    """Compares a field by its content, anything else by its label. Masked text shows only its length."""
    shown = true_text_of(snapshot, element)
    if isinstance(wanted, Secret):
        if element.states.password:
            held = len(shown) == len(wanted.value)
            return Sample(held, f"text=masked, {'as many' if held else 'another number of'} letters")
        held = same_text(shown, wanted.value)
        return Sample(held, f"text={'the expected text' if held else 'another text'}")
    if element.states.password and shown:  # its dots are no text
        return Sample(False, f"text={quoted(shown)}; it is masked: text=Secret(...) compares the length")
    unseen = code_points(wanted, shown)
    alike = f" ({unseen})" if unseen else ""
    return Sample(same_text(shown, wanted), f"text={quoted(shown)}{alike}", facts={"text": shown})


def _value_state(element: Element, wanted: Any, tolerance: float | None) -> Sample:
    actual = element.value
    if actual is None:
        shown = text_of(element)
        hint = f"; it shows {quoted(shown)}, which text= compares" if any(map(str.isdigit, shown)) else ""
        return Sample(False, f"value=not reported by this phone{hint}")
    if is_number(actual) and is_number(wanted):
        held = abs(float(actual) - float(wanted)) <= (tolerance or 0)
    else:
        held = isinstance(actual, str) and isinstance(wanted, str) and same_text(actual, wanted)
    unseen = code_points(wanted, actual) if isinstance(wanted, str) and isinstance(actual, str) else ""
    alike = f" ({unseen})" if unseen else ""
    kind = "" if held or type(actual) is type(wanted) or is_number(actual) == is_number(wanted) else _other(actual)
    return Sample(held, f"value={actual!r}{kind}{alike}", facts={"value": actual})


def _other(actual: object) -> str:
    """The type, where the difference is in no letter: types do not mix."""
    return ", a number" if is_number(actual) else ", a string"


def _acted_or(look: CheckInput, target: Target | None) -> tuple[Element | None, Sample]:
    """The one element that is meant; else None, and the sample that says why."""
    wanted = target if target is not None else look.acted
    if wanted is None:
        raise UsageError(
            "expect_state(): there is no element to look at; name it first: "
            'expect_state(by(text="Add"), enabled=True). Keywords such as text= are the states that it should have'
        )
    if isinstance(wanted, Selector):
        return _one_match(look, wanted)
    try:
        return resolve(look.observer, look.snapshot, wanted), _FOUND
    except StageFailed as failed:
        # Without the number of the read, so that the same failure on many reads is one line of the history.
        observed = failed.failure.message.split("\n", 1)[0].removesuffix(f", now {look.snapshot.id}")
        if look.snapshot.cut:
            return None, undecided(f"{observed}: {look.snapshot.limit}")
        return None, under_dialog(look, wanted) or Sample(
            False, observed, problem="missing" if failed.failure.code != "AMBIGUOUS_TARGET" else "ambiguous"
        )


def _one_match(look: CheckInput, selector: Selector) -> tuple[Element | None, Sample]:
    found = look.snapshot.every(selector)
    beyond = deeper(look.snapshot, selector, matches=len(found)) if len(found) < 2 else None
    beyond = beyond or (under_dialog(look, selector) if not found else None)
    if len(found) == 1 and beyond is None:
        return found[0], _FOUND
    failed = beyond or Sample(
        False,
        "absent" if not found else f"{len(found)} matches, and it must be one",
        problem="ambiguous" if found else "missing",
        facts={"matches": len(found)},
    )
    return None, replace(failed, more=lambda: listed(found) if found else near(look.snapshot, selector))
