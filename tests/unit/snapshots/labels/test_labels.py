"""Labels, titles and rows where an outline does not tell all: what is remembered, found, and
hidden."""

from __future__ import annotations

import pytest

from pytest_replicant.model import by
from pytest_replicant.snapshots import Memory, Snapshot, number_in

from ..ios_screens import button as tap
from ..ios_screens import cell, el, static, table
from ..ios_screens import parse as ios_parse
from ..ios_screens import screen as ios_screen
from ..screens import button, labels_of, node, parse, screen, text

FIELD = (0, 300, 1000, 400)


def test_a_remembered_hint_reports_what_was_typed_from_the_hint() -> None:
    memory = Memory()
    memory.learn(
        parse(screen(node("EditText", at=FIELD, text="Email", resource_id="dev.shop:id/email")))
    )
    typed = screen(node("EditText", at=FIELD, text="ada", resource_id="dev.shop:id/email"))
    (field,) = Snapshot.parse(typed, memory=memory).elements
    assert (field.label, field.value) == ("Email", "ada")
    (again,) = Snapshot.parse(typed.replace("ada", "Email"), memory=memory).elements
    assert (again.label, again.value) == ("Email", None)


@pytest.mark.parametrize(
    ("printed", "number", "percent"),
    [
        ("50", 50, False),
        ("20.0", 20, False),
        ("0.5", 0.5, False),
        ("-3", -3, False),
        ("−3", -3, False),
        ("+5", 5, False),
        ("1.0E7", 1e7, False),  # as Java prints large numbers
        ("1.5E-4", 0.00015, False),
        ("0,5", 0.5, False),
        ("12,25", 12.25, False),
        ("0,125", 0.125, False),
        ("1234,567", 1234.567, False),
        ("50%", 50, True),
        ("50 %", 50, True),
        ("50\u00a0%", 50, True),
        ("50\u202f%", 50, True),
        ("%50", 50, True),
        ("٥٠٪", 50, True),
        ("\u200f٥٠٪\u061c", 50, True),
        ("٠٫٥", 0.5, False),
        ("12,5 %", 12.5, True),
    ],
)
def test_a_text_that_is_a_number(printed: str, number: float, percent: bool) -> None:
    assert number_in(printed) == (number, percent)


@pytest.mark.parametrize(
    "printed",
    ["", "Low", "50 percent", "3 of 5", "page 2 of 5", "1,234", "1.234.567", "1 000", "10:30",
     "5 km", "50%%", "%",
     "% 5 %", "NaN", "1.0E999", "1e5", "5-", "--5", "²", "1" * 1000, "50% Volume"],
)  # fmt: skip
def test_what_is_no_number_or_reads_in_two_ways(printed: str) -> None:
    assert number_in(printed) is None


def test_the_screen_is_named_by_its_title_else_by_its_activity() -> None:
    activity = "dev.shop/.ui.CartActivity"
    assert Snapshot.parse(screen(text("x"), title="Cart"), activity=activity).screen == "Cart"
    assert Snapshot.parse(screen(text("x")), activity=activity).screen == "CartActivity"
    assert Snapshot.parse(screen(text("x"))).screen == ""


def page(*inside: str, title: str = "", left: int = 0, **attributes: str) -> str:
    """A page that fills the window, with a toolbar where there is a title."""
    name = text(title, at=(left + 40, 20, left + 900, 80))
    head = (
        node("androidx.appcompat.widget.Toolbar", name, at=(left, 0, left + 1080, 100))
        if title
        else ""
    )
    return node("FrameLayout", head, *inside, at=(left, 0, left + 1080, 2400), **attributes)


BASKET = page(text("2 items"), button("Gift wrap"), title="Basket")
MESSAGE = text("Something went wrong", at=(300, 1100, 800, 1160)) + button(
    "Retry", at=(400, 1300, 700, 1400)
)


def test_a_page_that_another_one_hides_is_covered() -> None:
    """Both have a bar, or texts of the one lie upon those of the other: no reader could tell them
    apart."""
    for upper in (
        page(MESSAGE, title="Payment failed"),
        page(text("Refused"), text("Try again", at=(0, 20, 500, 90))),
    ):
        snapshot = parse(screen(BASKET, upper))
        assert not snapshot.find_all(text="Gift wrap")
        assert snapshot.beneath is not None
        assert snapshot.beneath.find(text="Gift wrap")
    assert parse(screen(BASKET, page(MESSAGE))).find(
        text="Gift wrap"
    )  # it may show through: nothing says no


NOTE = text("Pay within 14 days, please", at=(40, 400, 700, 450))
HEAD = text("Your cart", at=(40, 150, 420, 250))


def test_a_read_title_names_the_screen_and_does_not_decide_which_it_is() -> None:
    """It may scroll away, and what is printed on the screen stays an element."""
    page = node("ScrollView", HEAD, NOTE, button("Pay"), at=(0, 100, 1080, 2400))
    scrolled = node("ScrollView", NOTE, button("Pay"), at=(0, 100, 1080, 2400))
    was, now = parse(screen(page)), parse(screen(scrolled), "s2")
    assert (was.title, was.screen, now.title) == ("Your cart", "Your cart", "")
    assert was.screen_key == now.screen_key
    assert now.locate(was.find(text="Pay")).verdict == "same"
    assert "Your cart" in labels_of(was.elements)


def test_the_cells_of_an_ios_list_are_rows() -> None:
    milk = cell(static("Milk"), tap("Add", at=(300, 66, 60, 40)), label="Milk")
    bread = cell(static("Bread", at=(16, 110, 90, 20)), tap("Add", at=(300, 110, 60, 40)), top=108)
    snapshot = parse(ios_screen(table(milk, bread)))
    assert [element.row_title for element in snapshot.find_all(text="Add")] == ["Milk", "Bread"]
    assert snapshot.find(text="Add", row_with=by(text="Bread")).bounds.top == 110
    assert not any(element.fragile for element in snapshot.find_all(text="Add"))


SWITCH = el("Switch", at=(310, 70, 50, 30), label="Sound", value="1")
SOUND = cell(
    static("Sound", at=(16, 66, 100, 20)) + static("Plays always", at=(16, 86, 100, 18)), SWITCH
)


def test_a_switch_in_a_switch_is_one() -> None:
    """The outer one is as wide as the row, and tapping its middle flips nothing."""
    knob = el("Switch", at=(310, 70, 50, 30), value="1")
    outer = el("Switch", static("Sound"), knob, at=(16, 66, 344, 40), label="Sound", value="1")
    snapshot = ios_parse(ios_screen(table(cell(outer))))
    assert snapshot.find(text="Sound").bounds.left == 310
    assert len(snapshot.elements) == 2


BOX = (16, 100, 100, 20)


def test_a_text_is_found_where_it_stands_and_not_in_the_middle_of_what_it_lies_in() -> None:
    host = el("Other", el("Other", static("Saved", at=BOX), at=BOX, label="Saved"), label="Saved")
    assert ios_parse(ios_screen(host)).find(text="Saved").bounds.bottom == 120


def test_a_label_that_a_control_took_over_finds_it() -> None:
    assert ios_parse(ios_screen(table(SOUND))).find(text="Plays always").class_name == "Switch"


def test_refs_survive_a_switch_that_is_flipped() -> None:
    def row(value: str) -> str:
        return cell(static("Sound"), el("Switch", at=(310, 70, 50, 30), label="Sound", value=value))

    off, on = ios_parse(ios_screen(table(row("0")))), ios_parse(ios_screen(table(row("1"))), "s2")
    assert off.ref(text="Sound") == on.ref(text="Sound")
    assert off.fingerprint != on.fingerprint
    assert off.screen_key == on.screen_key


Place = tuple[int, int, int, int]


def switch(at: Place = (900, 300, 1000, 400), **attributes: str) -> str:
    return node("Switch", at=at, checkable="true", checked="true", **attributes)


def setting(*parts: str, top: int = 300, **attributes: str) -> str:
    """A row that can be pressed as a whole."""
    return node(
        "LinearLayout", *parts, at=(0, top, 1080, top + 100), clickable="true", **attributes
    )


TITLE, STATE = text("Wi-Fi", at=(0, 300, 300, 350)), text("On", at=(0, 350, 300, 400))


def test_borrowed_words_find_a_switch_only_where_nothing_else_has_them() -> None:
    snapshot = parse(screen(setting(TITLE, STATE, switch())))
    row, inside = snapshot.elements
    assert snapshot.find(text="Wi-Fi") == row
    assert snapshot.find(text="Wi-Fi", class_name="Switch") == inside
    assert snapshot.match_labels(by(text="Wi-Fi", role="switch")) == [inside]
    assert snapshot.find_all(text="On", class_name="Switch") == []
