"""Rows, repeated labels and captions."""

from __future__ import annotations

import pytest

from pytest_replicant.model import by

from ..ios_screens import button as ios_button
from ..ios_screens import button as tap
from ..ios_screens import cell, el, lines, static, table
from ..ios_screens import parse as ios_parse
from ..ios_screens import screen as ios_screen
from ..screens import button, catalogue, labels_of, node, parse, row, screen, text


def contexts(source: str, label: str) -> list[str]:
    return [element.context for element in parse(source).find_all(text=label)]


def test_children_of_a_list_are_rows() -> None:
    assert contexts(screen(catalogue(row("Milk", "£1", 400))), "Add") == ["Milk £1"]


def test_siblings_of_one_kind_are_rows_without_a_list() -> None:
    assert contexts(screen(row("Milk", "£1", 400), row("Bread", "£2", 500)), "Add") == ["Milk £1", "Bread £2"]


def test_a_single_group_is_no_row() -> None:
    assert contexts(screen(row("Milk", "£1", 400)), "Add") == [""]


def test_panes_that_scroll_are_no_rows() -> None:
    def pane(name: str, left: int) -> str:
        inside = node(
            "ScrollView", text(name, at=(left, 300, left + 90, 350)), button("Go", at=(left, 400, left + 90, 490))
        )
        return node(
            "LinearLayout", inside.replace("<node", '<node scrollable="true"', 1), at=(left, 0, left + 500, 2400)
        )

    assert contexts(screen(pane("Left", 0), pane("Right", 500)), "Go") == ["", ""]


def test_a_row_with_a_name_of_its_own_is_called_by_it() -> None:
    named = node(
        "LinearLayout",
        text("£1", at=(0, 400, 90, 450)),
        button("Add", at=(900, 400, 990, 450)),
        content_desc="Milk",
    )
    assert contexts(screen(catalogue(named)), "Add") == ["Milk"]


def test_the_cells_of_an_ios_list_are_rows() -> None:
    milk = cell(static("Milk"), tap("Add", at=(300, 66, 60, 40)), label="Milk")
    bread = cell(static("Bread", at=(16, 110, 90, 20)), tap("Add", at=(300, 110, 60, 40)), top=108)
    snapshot = parse(ios_screen(table(milk, bread)))
    assert [element.row_title for element in snapshot.find_all(text="Add")] == ["Milk", "Bread"]
    assert snapshot.find(text="Add", row_with=by(text="Bread")).bounds.top == 110
    assert not any(element.fragile for element in snapshot.find_all(text="Add"))


def test_a_cell_is_a_row_wherever_it_lies() -> None:
    section = el(
        "Other", cell(static("Milk"), tap("Add", at=(300, 66, 60, 40)), tap("Less", at=(230, 66, 60, 40)))
    )
    assert parse(ios_screen(el("CollectionView", section))).find(text="Add").row_title == "Milk"


def listed(*cells: str) -> list[str]:
    """The lines below the table."""
    found = lines(ios_parse(ios_screen(table(*cells))))
    return [line[2:] for line in found[found.index("Table") + 1 :]]


def test_a_row_folds_its_texts() -> None:
    row = cell(static("Name"), static("Ada", at=(300, 100, 60, 20)), label="Name")
    assert listed(row) == ['Cell "Name" · "Ada"']
    assert listed(cell(static("Name"), static("Ada", at=(300, 100, 60, 20)))) == ['Cell "Name Ada"']


def test_the_title_of_a_row_is_what_is_read_first() -> None:
    price = static("£9.90", at=(300, 64, 60, 40))
    name = static("Blue mug", at=(16, 66, 100, 20))
    note = static("Last one", at=(16, 86, 100, 18))
    (element,) = ios_parse(cell(price, note, name)).elements
    assert element.label == "Blue mug £9.90 Last one"


@pytest.mark.parametrize("own", [{"label": "Sound"}, {}])
def test_a_row_that_is_called_like_its_switch_is_no_second_target(own: dict[str, str]) -> None:
    switch = el("Switch", at=(310, 70, 50, 30), label="Sound", value="0")
    source = ios_screen(
        table(cell(static("Sound"), switch, value="0").replace("<XCUIElementTypeCell", _cell(own)))
    )
    snapshot = ios_parse(source)
    assert snapshot.find(text="Sound").class_name == "Switch"
    assert lines(snapshot)[-1].strip() == 'Switch "Sound" [unchecked]'


def _cell(own: dict[str, str]) -> str:
    return "<XCUIElementTypeCell" + "".join(f' {name}="{value}"' for name, value in own.items())


SWITCH = el("Switch", at=(310, 70, 50, 30), label="Sound", value="1")
SOUND = cell(static("Sound", at=(16, 66, 100, 20)) + static("Plays always", at=(16, 86, 100, 18)), SWITCH)


def test_a_switch_takes_the_other_texts_of_its_row() -> None:
    assert listed(SOUND) == ['Switch "Sound" [checked] · "Plays always"']


def test_a_switch_in_a_switch_is_one() -> None:
    """The outer one is as wide as the row, and tapping its middle flips nothing."""
    knob = el("Switch", at=(310, 70, 50, 30), value="1")
    outer = el("Switch", static("Sound"), knob, at=(16, 66, 344, 40), label="Sound", value="1")
    snapshot = ios_parse(ios_screen(table(cell(outer))))
    assert snapshot.find(text="Sound").bounds.left == 310
    assert len(snapshot.elements) == 2


@pytest.mark.parametrize("label", [{}, {"label": "Email"}])
def test_the_row_of_a_field_is_called_as_the_field_is(label: dict[str, str]) -> None:
    field = el("TextField", at=(120, 70, 200, 30), value="ada")
    row = cell(static("Email", at=(16, 70, 90, 30)), field).replace("<XCUIElementTypeCell", _cell(label), 1)
    assert listed(row) == ['TextField "Email" value="ada"']


def test_a_row_with_a_name_of_its_own_stays() -> None:
    row = cell(static("Milk"), ios_button("Delete", at=(300, 66, 60, 40)), label="Milk")
    assert listed(row) == ['Cell "Milk"', '  Button "Delete"']


def test_a_row_without_a_name_is_its_only_control_where_that_fills_it() -> None:
    assert listed(cell(el("Other", ios_button("Open", at=(0, 64, 375, 44))))) == ['Button "Open"']
    assert listed(cell(ios_button("Open", at=(0, 64, 30, 30)))) == ["Cell", '  Button "Open"']
    two = cell(ios_button("A", at=(0, 64, 200, 44)), ios_button("B", at=(200, 64, 175, 44)))
    assert listed(two) == ["Cell", '  Button "A"', '  Button "B"']


def test_a_disabled_control_does_not_stand_for_its_row() -> None:
    row = cell(static("General"), ios_button("General", at=(300, 66, 60, 40), enabled="false"), label="General")
    assert listed(row)[0] == 'Cell "General"'


def test_a_link_in_a_text_in_a_link_is_one() -> None:
    link = el("Link", el("TextView", el("Link", label="Terms", at=BOX), label="Terms", at=BOX), label="Terms")
    (element,) = ios_parse(ios_screen(link)).elements
    assert (element.class_name, element.label, element.bounds.right) == ("Link", "Terms", 116)


BOX = (16, 100, 100, 20)


def test_a_text_that_repeats_what_it_lies_in_is_listed_once() -> None:
    view = el("Other", el("Other", static("Hello"), at=BOX, label="Hello"), at=BOX, label="Hello", name="greeting")
    snapshot = ios_parse(ios_screen(view))
    (element,) = snapshot.elements
    assert (element.label, element.resource_id) == ("Hello", "greeting")
    assert snapshot.find_all(text="Hello") == [element]


def test_a_view_that_is_called_by_all_that_is_in_it_is_not_listed() -> None:
    texts = el("Other", static("Blue mug", at=BOX), static("£9.90", at=(16, 130, 60, 20)), label="Blue mug £9.90")
    tabs = el("Other", ios_button("Home"), ios_button("Cart", at=(200, 200, 90, 44)), label="Home Cart")
    whole = el("Other", texts, tabs, label="Blue mug £9.90 Home Cart")
    assert labels_of(ios_parse(ios_screen(whole)).elements) == ["Blue mug", "£9.90", "Home", "Cart"]


def test_a_text_is_found_where_it_stands_and_not_in_the_middle_of_what_it_lies_in() -> None:
    host = el("Other", el("Other", static("Saved", at=BOX), at=BOX, label="Saved"), label="Saved")
    assert ios_parse(ios_screen(host)).find(text="Saved").bounds.bottom == 120


def test_a_view_with_a_name_of_its_own_is_listed_above_what_is_in_it() -> None:
    view = el("Other", ios_button("Home"), static("Now", at=BOX), label="Today")
    assert lines(ios_parse(ios_screen(view)))[1:] == ['"Today"', '  Button "Home"', '  "Now"']


def test_two_texts_that_say_the_same_next_to_each_other_are_two() -> None:
    assert len(ios_parse(ios_screen(static("0"), static("0", at=(16, 130, 200, 20)))).elements) == 2


def test_a_label_that_a_control_took_over_finds_it() -> None:
    assert ios_parse(ios_screen(table(SOUND))).find(text="Plays always").class_name == "Switch"


def test_refs_survive_a_switch_that_is_flipped() -> None:
    def row(value: str) -> str:
        return cell(static("Sound"), el("Switch", at=(310, 70, 50, 30), label="Sound", value=value))

    off, on = ios_parse(ios_screen(table(row("0")))), ios_parse(ios_screen(table(row("1"))), "s2")
    assert off.ref(text="Sound") == on.ref(text="Sound")
    assert off.fingerprint != on.fingerprint
    assert off.screen_key == on.screen_key


def test_a_caption_goes_to_what_is_listed_only() -> None:
    """A picker is no control, its wheels are."""
    picker = el("Picker", el("PickerWheel", at=(0, 200, 375, 200), value="March"), at=(0, 200, 375, 200))
    found = ios_parse(ios_screen(el("Other", static("Month", at=(0, 160, 375, 30)), picker))).elements
    assert [(e.class_name, e.label) for e in found] == [("PickerWheel", "Month")]


def test_what_is_off_the_screen_does_not_take_the_label_of_what_is_on_it() -> None:
    below = el("Other", static("Saved"), at=(0, 700, 375, 44), label="Saved")
    above = el("Other", static("Sent", at=(0, 700, 375, 44)), at=(16, 130, 200, 20), label="Sent")
    assert labels_of(ios_parse(ios_screen(below, above)).elements) == ["Saved", "Sent"]


Place = tuple[int, int, int, int]


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ((0, 240, 300, 290), "Name"),  # above
        ((0, 320, 300, 380), "Name"),  # to the left
        ((0, 40, 300, 90), ""),  # too far above
        ((950, 320, 1050, 380), ""),  # to the right
        ((0, 410, 300, 460), ""),  # below
    ],
)
def test_a_field_is_named_from_above_or_from_the_left(caption: Place, name: str) -> None:
    field = node("EditText", at=(310 if caption[1] == 320 else 0, 300, 900, 400), hint="", text="Ada")
    snapshot = parse(screen(text("Name", at=caption), field))
    assert snapshot.find(class_name="EditText").label == name


def test_next_to_goes_before_above_and_left_before_right() -> None:
    above = text("Section", at=(0, 240, 300, 290))
    left = text("Gift", at=(0, 320, 200, 380))
    box = node("CheckBox", at=(300, 300, 400, 400), text="", checkable="true")
    right = text("£2.00", at=(500, 320, 700, 380))
    assert parse(screen(above, left, box, right)).find(class_name="CheckBox").label == "Gift"


def test_a_paragraph_is_no_caption() -> None:
    field = node("EditText", at=(0, 300, 900, 400), hint="", text="Ada")
    assert parse(screen(text("word " * 20, at=(0, 200, 900, 290)), field)).find(class_name="EditText").label == ""


def named(source: str, class_name: str) -> list[str]:
    """The names of all elements of a class, as the outline prints them."""
    return [element.label or element.borrowed for element in parse(source).find_all(class_name=class_name)]


def field(at: Place = (0, 300, 900, 400), **attributes: str) -> str:
    return node("EditText", at=at, hint="", text="Ada", **attributes)


def test_a_form_may_be_as_long_as_it_likes_but_what_is_far_away_in_it_is_no_caption() -> None:
    filler = [node("View", at=(0, 500 + n, 9, 509 + n)) for n in range(60)]
    name = text("Name", at=(0, 240, 300, 290))
    assert named(screen(name, field(), *filler), "EditText") == ["Name"]
    assert named(screen(name, *filler, field()), "EditText") == [""]


def test_mere_wrappers_of_a_field_do_not_keep_its_caption_away() -> None:
    wrapped = field()
    for _ in range(8):
        wrapped = node("FrameLayout", wrapped, at=(0, 300, 900, 400))
    assert named(screen(text("Name", at=(0, 240, 300, 290)), wrapped), "EditText") == ["Name"]


@pytest.mark.parametrize(
    "around",
    [
        {"class_name": "Toolbar"},
        {"class_name": "LinearLayout", "resource_id": "android:id/action_bar"},
        {"class_name": "ScrollView", "scrollable": "true"},
    ],
)
def test_what_stands_in_a_bar_or_in_another_pane_is_no_caption(around: dict[str, str]) -> None:
    class_name = around.pop("class_name")
    title = node(class_name, text("Browser 83.0", at=(60, 240, 700, 290)), at=(0, 230, 1000, 300), **around)
    assert named(screen(title, field()), "EditText") == [""]


def test_the_title_of_the_window_is_no_caption() -> None:
    """Whatever it is called, it stands outside of what the app draws itself."""
    content = node("FrameLayout", field(), at=(0, 300, 1080, 2400), resource_id="android:id/content")
    outside = node("LinearLayout", text("Browser 83.0", at=(60, 240, 700, 290)), content)
    assert named(screen(outside), "EditText") == [""]
    plain = screen(text("Set up", at=(0, 90, 1080, 200)), field((0, 200, 1080, 300)))
    assert named(plain, "EditText") == [""]


def test_a_heading_over_several_fields_is_no_caption_of_the_first() -> None:
    fields = [field((0, 300, 500, 400)), field((520, 300, 1000, 400))]
    assert named(screen(text("Name", at=(0, 240, 1000, 290)), *fields), "EditText") == ["", ""]
    assert named(screen(text("Name", at=(0, 240, 300, 290)), *fields), "EditText") == ["Name", ""]


@pytest.mark.parametrize(("top", "name"), [(410, ""), (470, "Note")])
def test_a_note_below_a_field_is_no_caption_of_the_next(top: int, name: str) -> None:
    note = text("Note", at=(0, top, 300, top + 30))
    first = node("EditText", at=(0, 300, 900, 400), hint="First", text="")
    assert named(screen(first, note, field((0, 510, 900, 600))), "EditText") == ["First", name]


def test_the_name_of_a_picture_is_no_caption() -> None:
    logo = node("ImageView", at=(0, 300, 90, 400), content_desc="Logo")
    assert named(screen(logo, field((100, 300, 900, 400))), "EditText") == [""]
    assert named(screen(text("\ue5cd", at=(0, 300, 90, 400)), field((100, 300, 900, 400))), "EditText") == [""]


def test_a_caption_at_the_start_of_a_line_is_not_kept_away_by_a_button_with_a_name() -> None:
    sign = button("−", at=(200, 300, 290, 400))
    amount = text("Amount", at=(0, 320, 190, 380))
    assert named(screen(amount, sign, field((300, 300, 900, 400))), "EditText") == ["Amount"]
    above = text("Amount", at=(0, 240, 190, 290))
    assert named(screen(above, sign, field((0, 300, 900, 400))), "EditText") == [""]


def switch(at: Place = (900, 300, 1000, 400), **attributes: str) -> str:
    return node("Switch", at=at, checkable="true", checked="true", **attributes)


def setting(*parts: str, top: int = 300, **attributes: str) -> str:
    """A row that can be pressed as a whole."""
    return node("LinearLayout", *parts, at=(0, top, 1080, top + 100), clickable="true", **attributes)


TITLE, STATE = text("Wi-Fi", at=(0, 300, 300, 350)), text("On", at=(0, 350, 300, 400))


def test_a_switch_in_a_row_that_prints_its_words_borrows_them() -> None:
    snapshot = parse(screen(setting(TITLE, STATE, switch())))
    row, inside = snapshot.elements
    assert (row.label, inside.label, inside.borrowed) == ("Wi-Fi On", "", "Wi-Fi")
    assert snapshot.outline().splitlines()[-1] == f'  [{inside.ref}] Switch "Wi-Fi" [checked]'


def test_borrowed_words_find_a_switch_only_where_nothing_else_has_them() -> None:
    snapshot = parse(screen(setting(TITLE, STATE, switch())))
    row, inside = snapshot.elements
    assert snapshot.find(text="Wi-Fi") == row
    assert snapshot.find(text="Wi-Fi", class_name="Switch") == inside
    assert snapshot.match_labels(by(text="Wi-Fi", role="switch")) == [inside]
    assert snapshot.find_all(text="On", class_name="Switch") == []


def test_a_ref_outlasts_other_borrowed_words() -> None:
    one, other = (parse(screen(setting(text(name, at=(0, 300, 300, 350)), STATE, switch()), title="Network"), name)
                  for name in ("Wi-Fi", "WLAN"))  # fmt: skip
    assert [e.borrowed for e in (*one.find_all(class_name="Switch"), *other.find_all(class_name="Switch"))] == [
        "Wi-Fi", "WLAN"
    ]  # fmt: skip


def test_two_switches_in_a_row_borrow_nothing() -> None:
    assert named(screen(setting(TITLE, STATE, switch(), switch((700, 300, 800, 400)))), "Switch") == ["", ""]


def test_a_button_without_words_borrows_nothing_from_its_row() -> None:
    delete = node("ImageButton", at=(900, 300, 1000, 400), clickable="true")
    assert named(screen(setting(TITLE, delete)), "ImageButton") == [""]


def choice(*names: str, gap: int = 10) -> str:
    parts = []
    for number, name in enumerate(names):
        left = number * 300
        parts.append(node("ImageButton", at=(left, 320, left + 60, 380), clickable="true"))
        parts.append(text(name, at=(left + 60 + gap, 320, left + 200 + gap, 380)))
    return screen(setting(*parts))


def test_several_buttons_alike_are_named_by_the_words_to_their_right() -> None:
    assert named(choice("Male", "Female", "Other"), "ImageButton") == ["Male", "Female", "Other"]
    assert named(choice("Male"), "ImageButton") == [""]
    assert named(choice("Male", "Female", gap=130), "ImageButton") == ["", ""]


def side_by_side(*inside: str, at: Place = (120, 300, 800, 400)) -> str:
    """What can be pressed next to a switch."""
    return node("View", *inside, at=at, clickable="true")


def test_a_switch_borrows_the_words_of_what_can_be_pressed_next_to_it() -> None:
    lone = switch((0, 320, 100, 380))
    assert named(screen(lone, side_by_side(TITLE, STATE)), "Switch") == ["Wi-Fi"]
    heading = text("Network", at=(0, 240, 300, 290))
    assert named(screen(heading, lone, side_by_side(TITLE, STATE)), "Switch") == ["Wi-Fi"]


@pytest.mark.parametrize(
    "others",
    [
        [side_by_side(TITLE, switch((700, 300, 780, 400), content_desc="Mobile"))],  # has its own
        [side_by_side(TITLE, at=(320, 300, 800, 400))],  # too far away
        [side_by_side(TITLE, at=(120, 500, 800, 600))],  # below
    ],
)
def test_what_is_another_ones_or_elsewhere_is_not_borrowed(others: list[str]) -> None:
    assert "" in named(screen(switch((0, 320, 100, 380)), *others), "Switch")


def test_of_two_neighbours_neither_lends_its_name() -> None:
    left = node("View", text("Left", at=(0, 320, 90, 380)), at=(0, 300, 100, 400), clickable="true")
    between = switch((110, 320, 190, 380))
    assert named(screen(left, between, side_by_side(TITLE, at=(200, 300, 800, 400))), "Switch") == [""]


@pytest.mark.parametrize(
    ("says", "checked", "name"),
    [
        ("local, Local, checked", "true", "local, Local"),
        ("Sync, not checked", "false", "Sync"),
        ("Sync, unchecked", "false", "Sync"),
        ("Sync, off", "false", "Sync"),
        ("Sync, on", "false", "Sync, on"),  # it says otherwise: a word of its own
        ("Milk, Bread", "true", "Milk, Bread"),
    ],
)
def test_the_state_at_the_end_of_a_description_is_no_part_of_the_name(says: str, checked: str, name: str) -> None:
    box = node("FrameLayout", at=(0, 300, 900, 400), content_desc=says, checkable="true", checked=checked)
    (element,) = parse(screen(box)).elements
    assert element.label == name
    inner = node("CheckBox", at=(800, 300, 900, 400), checkable="true", checked=checked)
    row, inside = parse(screen(setting(inner, content_desc=says))).elements
    assert (row.label, inside.borrowed) == (name, name)


def test_a_row_half_under_a_bar_keeps_its_words() -> None:
    tabs = [button(name, at=(left, 380, left + 540, 480)) for name, left in (("Home", 0), ("Cart", 540))]
    row = setting(TITLE, text("£9.90", at=(0, 385, 300, 400)))
    snapshot = parse(screen(row, node("LinearLayout", *tabs, at=(0, 380, 1080, 480))))
    assert labels_of(snapshot.elements) == ["Wi-Fi £9.90", "Home", "Cart"]
    assert snapshot.outline().endswith("(1 covered)")


def test_the_sides_of_a_switch_are_no_name() -> None:
    switch = node("Switch", at=(400, 300, 540, 400), checkable="true", clickable="true")
    sides = [text("Off", at=(40, 300, 200, 400)), switch, text("On", at=(700, 300, 900, 400))]
    assert parse(screen(*sides)).find(role="switch").label == ""
    named = [text("Wi-Fi", at=(40, 300, 200, 400)), switch]
    assert parse(screen(*named)).find(role="switch").label == "Wi-Fi"
