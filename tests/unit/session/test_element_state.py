"""What counts as checked on iOS, which reports it of switches alone."""

from __future__ import annotations

import pytest

from pytest_replicant.session.element_state import checked_of
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.ios_screens import button, cell, el, parse, screen, table

ON, OFF = "Button, Selected", "Button"


def checked(snapshot: Snapshot, label: str) -> bool | None:
    return checked_of(snapshot, snapshot.find(text=label))


def choice(label: str, top: int, traits: str | None = None) -> str:
    told = {} if traits is None else {"traits": traits}
    return button(label, at=(16, top, 300, 44), **told)


def group(*traits: str | None) -> Snapshot:
    """Buttons "0", "1" ... in a view of their own, and one that stands apart."""
    inside = [
        choice(f"Way {number}", 100 + 50 * number, each) for number, each in enumerate(traits)
    ]
    return parse(screen(el("Other", *inside), choice("Pay", 500, OFF)))


def test_one_that_is_selected_is_checked_and_the_others_are_not() -> None:
    snapshot = group(OFF, ON, OFF)
    assert [checked(snapshot, f"Way {number}") for number in range(3)] == [False, True, False]
    assert checked(snapshot, "Pay") is None


def test_where_no_traits_are_told_only_what_has_the_value_1_is_known() -> None:
    snapshot = group(None, ON)
    assert checked(snapshot, "Way 0") is None
    valued = parse(screen(button("Way", value="1")))
    assert checked(valued, "Way") is True


@pytest.mark.parametrize("inner", [True, False])
def test_rows_of_a_list_are_chosen_from_whether_they_or_what_fills_them_is_selected(
    inner: bool,
) -> None:
    rows = [
        cell(choice(name, top, traits), top=top)
        if inner
        else cell(top=top, label=name, name=name, traits=traits)
        for name, top, traits in (("Small", 100, OFF), ("Large", 150, ON))
    ]
    snapshot = parse(screen(table(*rows)))
    assert (checked(snapshot, "Small"), checked(snapshot, "Large")) == (False, True)


def test_a_switch_is_as_it_reports_and_a_text_is_neither() -> None:
    switch = el("Switch", at=(16, 300, 60, 30), label="Dark mode", value="0", traits="Button")
    snapshot = parse(
        screen(switch, el("StaticText", at=(16, 400, 90, 20), label="Hello", traits="StaticText"))
    )
    assert checked(snapshot, "Dark mode") is False
    assert checked(snapshot, "Hello") is None
