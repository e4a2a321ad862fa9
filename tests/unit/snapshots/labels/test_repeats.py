"""iOS: what the hierarchy says twice is listed once, and every control keeps its ref."""

from __future__ import annotations

import pytest

from ..ios_screens import button, cell, el, lines, parse, screen, static, table


def listed(*cells: str) -> list[str]:
    """The lines below the table."""
    found = lines(parse(screen(table(*cells))))
    return [line[2:] for line in found[found.index("Table") + 1 :]]


def test_a_row_folds_its_texts() -> None:
    row = cell(static("Name"), static("Ada", at=(300, 100, 60, 20)), label="Name")
    assert listed(row) == ['Cell "Name" · "Ada"']
    assert listed(cell(static("Name"), static("Ada", at=(300, 100, 60, 20)))) == ['Cell "Name Ada"']


def test_the_title_of_a_row_is_what_is_read_first() -> None:
    price = static("£9.90", at=(300, 64, 60, 40))
    name = static("Blue mug", at=(16, 66, 100, 20))
    note = static("Last one", at=(16, 86, 100, 18))
    (element,) = parse(cell(price, note, name)).elements
    assert element.label == "Blue mug £9.90 Last one"


@pytest.mark.parametrize("own", [{"label": "Sound"}, {}])
def test_a_row_that_is_called_like_its_switch_is_no_second_target(own: dict[str, str]) -> None:
    switch = el("Switch", at=(310, 70, 50, 30), label="Sound", value="0")
    source = screen(table(cell(static("Sound"), switch, value="0").replace("<XCUIElementTypeCell", _cell(own))))
    snapshot = parse(source)
    assert snapshot.find(text="Sound").class_name == "Switch"
    assert lines(snapshot)[-1].strip() == 'Switch "Sound" [unchecked]'


def _cell(own: dict[str, str]) -> str:
    return "<XCUIElementTypeCell" + "".join(f' {name}="{value}"' for name, value in own.items())


def test_a_switch_takes_the_other_texts_of_its_row() -> None:
    switch = el("Switch", at=(310, 70, 50, 30), label="Sound", value="1")
    texts = static("Sound", at=(16, 66, 100, 20)) + static("Plays always", at=(16, 86, 100, 18))
    assert listed(cell(texts, switch)) == ['Switch "Sound" [checked] · "Plays always"']


def test_a_switch_in_a_switch_is_one() -> None:
    """The outer one is as wide as the row, and tapping its middle flips nothing."""
    knob = el("Switch", at=(310, 70, 50, 30), value="1")
    outer = el("Switch", static("Sound"), knob, at=(16, 66, 344, 40), label="Sound", value="1")
    snapshot = parse(screen(table(cell(outer))))
    assert snapshot.find(text="Sound").bounds.left == 310
    assert len(snapshot.elements) == 2


@pytest.mark.parametrize("label", [{}, {"label": "Email"}])
def test_the_row_of_a_field_is_called_as_the_field_is(label: dict[str, str]) -> None:
    field = el("TextField", at=(120, 70, 200, 30), value="ada")
    row = cell(static("Email", at=(16, 70, 90, 30)), field).replace("<XCUIElementTypeCell", _cell(label), 1)
    assert listed(row) == ['TextField "Email" value="ada"']


def test_a_row_with_a_name_of_its_own_stays() -> None:
    row = cell(static("Milk"), button("Delete", at=(300, 66, 60, 40)), label="Milk")
    assert listed(row) == ['Cell "Milk"', '  Button "Delete"']


def test_a_row_without_a_name_is_its_only_control_where_that_fills_it() -> None:
    assert listed(cell(el("Other", button("Open", at=(0, 64, 375, 44))))) == ['Button "Open"']
    assert listed(cell(button("Open", at=(0, 64, 30, 30)))) == ["Cell", '  Button "Open"']
    two = cell(button("A", at=(0, 64, 200, 44)), button("B", at=(200, 64, 175, 44)))
    assert listed(two) == ["Cell", '  Button "A"', '  Button "B"']


def test_a_disabled_control_does_not_stand_for_its_row() -> None:
    row = cell(static("General"), button("General", at=(300, 66, 60, 40), enabled="false"), label="General")
    assert listed(row)[0] == 'Cell "General"'


def test_a_link_in_a_text_in_a_link_is_one() -> None:
    link = el("Link", el("TextView", el("Link", label="Terms", at=BOX), label="Terms", at=BOX), label="Terms")
    (element,) = parse(screen(link)).elements
    assert (element.class_name, element.label, element.bounds.right) == ("Link", "Terms", 116)


BOX = (16, 100, 100, 20)


def test_a_text_that_repeats_what_it_lies_in_is_listed_once() -> None:
    view = el("Other", el("Other", static("Hello"), at=BOX, label="Hello"), at=BOX, label="Hello", name="greeting")
    snapshot = parse(screen(view))
    (element,) = snapshot.elements
    assert (element.label, element.resource_id) == ("Hello", "greeting")
    assert snapshot.find_all(text="Hello") == [element]


def test_a_view_that_is_called_by_all_that_is_in_it_is_not_listed() -> None:
    texts = el("Other", static("Blue mug", at=BOX), static("£9.90", at=(16, 130, 60, 20)), label="Blue mug £9.90")
    tabs = el("Other", button("Home"), button("Cart", at=(200, 200, 90, 44)), label="Home Cart")
    whole = el("Other", texts, tabs, label="Blue mug £9.90 Home Cart")
    assert [e.label for e in parse(screen(whole)).elements] == ["Blue mug", "£9.90", "Home", "Cart"]


def test_a_text_is_found_where_it_stands_and_not_in_the_middle_of_what_it_lies_in() -> None:
    host = el("Other", el("Other", static("Saved", at=BOX), at=BOX, label="Saved"), label="Saved")
    assert parse(screen(host)).find(text="Saved").bounds.bottom == 120


def test_a_view_with_a_name_of_its_own_is_listed_above_what_is_in_it() -> None:
    view = el("Other", button("Home"), static("Now", at=BOX), label="Today")
    assert lines(parse(screen(view)))[1:] == ['"Today"', '  Button "Home"', '  "Now"']


def test_two_texts_that_say_the_same_beside_each_other_are_two() -> None:
    assert len(parse(screen(static("0"), static("0", at=(16, 130, 200, 20)))).elements) == 2


def test_a_label_that_a_control_took_over_finds_it() -> None:
    switch = el("Switch", at=(310, 70, 50, 30), label="Sound", value="1")
    texts = static("Sound", at=(16, 66, 100, 20)) + static("Plays always", at=(16, 86, 100, 18))
    assert parse(screen(table(cell(texts, switch)))).find(text="Plays always").class_name == "Switch"


def test_refs_survive_a_switch_that_is_flipped() -> None:
    def row(value: str) -> str:
        return cell(static("Sound"), el("Switch", at=(310, 70, 50, 30), label="Sound", value=value))

    off, on = parse(screen(table(row("0")))), parse(screen(table(row("1"))), "s2")
    assert off.ref(text="Sound") == on.ref(text="Sound")
    assert off.fingerprint != on.fingerprint
    assert off.screen_key == on.screen_key


def test_a_caption_goes_to_what_is_listed_only() -> None:
    """A picker is no control, its wheels are."""
    picker = el("Picker", el("PickerWheel", at=(0, 200, 375, 200), value="March"), at=(0, 200, 375, 200))
    found = parse(screen(el("Other", static("Month", at=(0, 160, 375, 30)), picker))).elements
    assert [(e.class_name, e.label) for e in found] == [("PickerWheel", "Month")]


def test_what_is_off_the_screen_does_not_take_the_label_of_what_is_on_it() -> None:
    below = el("Other", static("Saved"), at=(0, 700, 375, 44), label="Saved")
    above = el("Other", static("Sent", at=(0, 700, 375, 44)), at=(16, 130, 200, 20), label="Sent")
    assert [e.label for e in parse(screen(below, above)).elements] == ["Saved", "Sent"]
