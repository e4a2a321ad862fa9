"""An element is found again where it is sure which one it is, and everything else is refused with
the reason."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Selector, by
from pytest_replicant.test_code import Known, Refound, Refusal, propose, refind

from ...snapshots.screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text
from .kept_runs import LOG_IN, welcome

NO_ID = ""


def again(then: str, now: str, locator: Selector = LOG_IN) -> Refound:
    before = parse(then)
    return refind(before.one(locator), locator, before, parse(now, "s2"))


def why_not(then: str, now: str, locator: Selector = LOG_IN) -> str:
    with pytest.raises(Refusal) as refused:
        again(then, now, locator)
    assert refused.value.next
    return refused.value.code


def test_renamed_without_an_id_where_all_around_it_stayed() -> None:
    found = again(welcome(resource_id=NO_ID), welcome("Sign in", resource_id=NO_ID))
    assert found.evidence == 'renamed: same place, "Log in" -> "Sign in"'


def test_another_id_for_the_same_label() -> None:
    found = again(welcome(), welcome(resource_id="dev.shop:id/enter"), by(resource_id="login"))
    assert found.kind == "id changed"
    assert '"dev.shop:id/login" -> "dev.shop:id/enter"' in found.evidence


def test_another_part_of_the_screen() -> None:
    part = node(
        "LinearLayout",
        button("Save", resource_id="dev.shop:id/save"),
        resource_id="dev.shop:id/form",
    )
    bar = button("Save", at=(0, 2000, 200, 2100), resource_id="dev.shop:id/save")
    note = text("Note", at=(0, 500, 500, 550))
    found = again(
        screen(part, note, title="Form"),
        screen(note, bar, title="Form"),
        by(text="Save", within=by(resource_id="form")),
    )
    assert (found.kind, found.element.bounds.top) == ("moved", 2000)


@pytest.mark.parametrize(
    ("now", "code"),
    [
        (welcome("Terms", resource_id="dev.shop:id/terms"), "gone"),
        (welcome(title="Catalogue", label="Sign in"), "another screen"),
        (SHOP, "another screen"),
        (screen(title="Welcome").replace("dev.shop", "dev.other"), "another screen"),
        (welcome(), "it is there"),
    ],
)
def test_what_is_not_there_any_more(now: str, code: str) -> None:
    assert why_not(welcome(), now) == code


def test_the_same_button_of_another_row_is_not_it() -> None:
    def page(*names: str) -> str:
        rows = (row(name, "£1.00", 400 + 100 * at) for at, name in enumerate(names))
        return screen(node("LinearLayout", *rows, at=(0, 400, 1080, 2400)), title="Catalogue")

    pear = by(text="Add", row_with=by(text="Pear"))
    before = page("Apple", "Pear", "Plum")
    assert why_not(before, page("Apple", "Quince", "Plum"), pear) == "gone"
    assert why_not(before, page("Apple", "Kiwi", "Lime", "Plum"), pear) == "gone"


def test_an_id_that_went_to_a_button_that_was_there_is_not_followed() -> None:
    def buttons(save: str, save_id: str, cancel_id: str) -> str:
        first = button(save, at=(0, 300, 900, 400), resource_id=save_id)
        labels = enumerate(("Name", "Town", "Street"))
        notes = [text(each, at=(0, 600 + 50 * at, 900, 640 + 50 * at)) for at, each in labels]
        return screen(
            first,
            button("Cancel", at=(0, 400, 900, 500), resource_id=cancel_id),
            *notes,
            title="Form",
        )

    before = buttons("Save", "dev.shop:id/save", "dev.shop:id/cancel")
    now = buttons("Keep", "dev.shop:id/keep", "dev.shop:id/save")
    assert why_not(before, now, by(text="Save")) in ("gone", "two candidates")


def test_two_new_ones_in_its_place_are_both_possible() -> None:
    halves = (
        button(f"Log in with {name}", at=(at, 600, at + 450, 700))
        for name, at in (("email", 0), ("SMS", 450))
    )
    now = welcome("", *halves)
    assert why_not(welcome(resource_id=NO_ID), now) == "two candidates"
    twins = (button("Log in", at=(0, top, 900, top + 100)) for top in (600, 1300))
    assert why_not(welcome(resource_id=NO_ID), welcome("", *twins)) == "two candidates"


def test_a_dialog_is_no_new_name() -> None:
    over = node(
        "FrameLayout",
        text("Update?", at=(100, 900, 900, 1000), resource_id="android:id/alertTitle"),
        button("Later", at=(100, 1100, 500, 1200), resource_id="android:id/button2"),
        at=(100, 800, 980, 1300),
    )  # fmt: skip
    main = welcome().partition("<node")[2].removesuffix("</hierarchy>")
    assert why_not(welcome(), hierarchy(f"<node{main}", over)) == "dialog"


def test_another_step_of_a_wizard_is_no_new_name() -> None:
    def step(button_label: str, *fields: str) -> str:
        shown = (
            node("EditText", at=(0, 150 * at, 900, 150 * at + 90), hint=hint)
            for at, hint in enumerate(fields, 1)
        )
        done = button(button_label, at=(0, 900, 900, 1000), resource_id="dev.shop:id/primary")
        return screen(*shown, done, title="Checkout")

    pay, address = (
        step("Pay now", "Card", "Code", "Name"),
        step("Continue", "Street", "Town", "Postcode"),
    )
    assert why_not(pay, address, by(text="Pay now")) == "another screen"
    assert again(pay, step("Pay", "Card", "Code", "Name"), by(text="Pay now")).kind == "renamed"


def test_another_item_of_a_list_is_not_the_item_renamed() -> None:
    def shelf(name: str) -> str:
        rows = (row("Blue mug", "£9.90", 400), row(name, "£8.00", 500), row("Tray", "£12.00", 600))
        return screen(
            catalogue(*(one.replace('clickable="false"', 'clickable="true"') for one in rows)),
            title="Shop",
        )

    assert why_not(shelf("Red mug"), shelf("Oak bowl"), by(text_contains="Red mug")) in (
        "gone",
        "two candidates",
    )


def test_the_locator_that_holds_on_all_recorded_screens_is_preferred() -> None:
    then, now = parse(welcome()), parse(welcome("Sign in"), "s2")
    was = then.one(LOG_IN)
    proposal = propose(now.find(text="Sign in"), LOG_IN, now, [Known(then, was)])
    assert (proposal.selector, proposal.found, proposal.known) == (by(resource_id="login"), 1, 1)
    assert proposal.proof.endswith(", and on 1 of 1 recorded before")


def test_a_locator_that_finds_another_element_on_a_recorded_screen_is_none() -> None:
    then = parse(welcome("Log in", button("Sign in", at=(0, 1300, 900, 1400)), resource_id=NO_ID))
    now = parse(welcome("Sign in", resource_id=NO_ID), "s2")
    with pytest.raises(Refusal) as refused:
        propose(now.find(text="Sign in"), LOG_IN, now, [Known(then, then.one(LOG_IN))])
    assert refused.value.code == "not proven"
