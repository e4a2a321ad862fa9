"""What things are called, and which labels belong to which control."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Memory, Snapshot

from ..screens import button, node, parse, row, screen, text

FIELD = (0, 300, 1000, 400)


@pytest.mark.parametrize(
    ("attributes", "label", "value"),
    [
        ({"hint": "Email", "text": ""}, "Email", ""),
        ({"hint": "Email", "text": "Email"}, "Email", ""),  # the empty field shows its hint
        ({"hint": "Email", "text": "ada"}, "Email", "ada"),
        ({"hint": "", "content_desc": "Your address", "text": "ada"}, "Your address", "ada"),
        ({"hint": "", "text": "ada"}, "", "ada"),  # hints are reported, so this one was typed
    ],
)
def test_a_field_is_named_by_its_hint_never_by_what_was_typed(
    attributes: dict[str, str], label: str, value: str
) -> None:
    (field,) = parse(screen(node("EditText", at=FIELD, **attributes))).elements
    assert (field.label, field.value) == (label, value)


def test_where_hints_are_not_reported_the_text_is_taken_for_one() -> None:
    (field,) = parse(screen(node("EditText", at=FIELD, text="Email"))).elements
    assert (field.label, field.value) == ("Email", None)


def test_a_remembered_hint_tells_what_was_typed_from_the_hint() -> None:
    memory = Memory()
    memory.learn(parse(screen(node("EditText", at=FIELD, text="Email", resource_id="dev.shop:id/email"))))
    typed = screen(node("EditText", at=FIELD, text="ada", resource_id="dev.shop:id/email"))
    (field,) = Snapshot.parse(typed, memory=memory).elements
    assert (field.label, field.value) == ("Email", "ada")
    (again,) = Snapshot.parse(typed.replace("ada", "Email"), memory=memory).elements
    assert (again.label, again.value) == ("Email", None)


@pytest.mark.parametrize("typed", ["•", "••••••••••••••••"])
def test_a_password_shows_neither_text_nor_length(typed: str) -> None:
    snapshot = parse(screen(node("EditText", at=FIELD, hint="Password", password="true", text=typed)))
    assert 'EditText "Password" value="•••" [password]' in snapshot.outline()
    assert typed not in snapshot.outline().replace("•••", "")


def test_a_caption_names_the_field_below_it_and_is_printed_with_it() -> None:
    snapshot = parse(screen(text("Email", at=(0, 240, 300, 290)), node("EditText", at=FIELD, hint="", text="ada")))
    (field,) = snapshot.elements
    assert (field.label, field.value) == ("Email", "ada")
    assert snapshot.outline().count("Email") == 1


def test_a_caption_of_another_field_is_not_taken() -> None:
    snapshot = parse(
        screen(
            text("Email", at=(0, 100, 300, 150)),
            node("EditText", at=(0, 150, 1000, 250), hint="", text="ada"),
            node("EditText", at=(0, 260, 1000, 360), hint="", text="lovelace"),
        )
    )
    assert [element.label for element in snapshot.elements] == ["Email", ""]


def test_a_switch_takes_the_caption_beside_it_rather_than_its_position() -> None:
    switch = node(
        "Switch", at=(800, 300, 1000, 400), text="OFF", checkable="true", checked="false", clickable="true"
    )
    snapshot = parse(screen(node("LinearLayout", text("Dark mode", at=(0, 320, 300, 380)), switch, at=FIELD)))
    (element,) = snapshot.elements
    assert (element.label, element.states.checked) == ("Dark mode", False)


def test_a_check_box_takes_the_text_to_its_right() -> None:
    box = node("View", at=(0, 300, 100, 400), checkable="true", checked="true", clickable="true")
    snapshot = parse(
        screen(text("Shipping", at=(0, 200, 300, 250)), box, text("Express", at=(120, 320, 400, 380)))
    )
    assert [element.label for element in snapshot.elements] == ["Shipping", "Express"]


def test_a_drop_down_is_named_by_its_caption_and_holds_its_choice() -> None:
    spinner = node("Spinner", text("France", at=(0, 300, 300, 400)), at=FIELD, clickable="true")
    (element,) = parse(screen(text("Country", at=(0, 240, 300, 290)), spinner)).elements
    assert (element.label, element.value) == ("Country", "France")


def test_a_slider_holds_a_number_and_a_progress_bar_is_no_control() -> None:
    slider = node("SeekBar", at=FIELD, text="20.0", content_desc="Volume")
    progress = node("ProgressBar", at=(0, 500, 1000, 520), text="70.0")
    (element,) = parse(screen(slider, progress)).elements
    assert (element.label, element.value, element.semantic_role) == ("Volume", 20.0, "slider")


def test_a_clickable_row_takes_the_labels_inside_and_its_button_keeps_its_own() -> None:
    outer, inner = parse(screen(row("Blue mug", "£9.90", 400, clickable="true"))).elements
    assert (outer.label, outer.folded) == ("Blue mug £9.90", ("Blue mug", "£9.90"))
    assert (inner.label, inner.context, inner.row_title) == ("Add", "Blue mug £9.90", "Blue mug")
    assert inner.parent == outer
    assert outer.children == (inner,)


def test_a_clickable_page_does_not_swallow_its_labels() -> None:
    page = node(
        "LinearLayout", *(text(f"Line {n}", at=(0, n * 60, 500, n * 60 + 50)) for n in range(9)), clickable="true"
    )
    labels = [element.label for element in parse(screen(page)).elements]
    assert labels == ["", *(f"Line {n}" for n in range(9))]


def test_white_space_and_shapeless_marks_do_not_count() -> None:
    snapshot = parse(screen(button("  Sign\u202f\u200bin \n now")))
    assert snapshot.find(text="Sign in now").label == "Sign in now"


@pytest.mark.parametrize("kind", ["ListView", "GridView", "RecyclerView"])
def test_a_list_that_can_be_pressed_does_not_swallow_its_rows(kind: str) -> None:
    """Short lists report no scrolling, but often a long press for the menu of a row."""
    rows = (
        node("LinearLayout", text(name, at=(0, top, 900, top + 90)), at=(0, top, 1080, top + 100))
        for name, top in (("Milk", 400), ("Bread", 500))
    )
    pressed = node(kind, *rows, at=(0, 400, 1080, 2400), long_clickable="true", resource_id="dev.shop:id/list")
    snapshot = parse(screen(pressed))
    assert [element.label for element in snapshot.elements] == ["", "Milk", "Bread"]
    assert snapshot.find(text="Bread").center == (450, 545)


def test_a_drop_down_that_says_it_scrolls_holds_its_choice_all_the_same() -> None:
    spinner = node("Spinner", text("France", at=(0, 300, 300, 400)), at=FIELD, clickable="true", scrollable="true")
    snapshot = parse(screen(text("Country", at=(0, 240, 300, 290)), spinner))
    (element,) = snapshot.elements
    assert (element.label, element.value, element.states.scrollable) == ("Country", "France", False)
    assert snapshot.outline().endswith('Spinner "Country" value="France"')


def test_a_text_that_repeats_the_view_around_it_is_listed_once() -> None:
    tab = node(
        "FrameLayout", text("Alarm", at=(50, 2300, 150, 2350)), at=(0, 2200, 200, 2400), content_desc="Alarm"
    )
    snapshot = parse(screen(tab))
    assert [element.class_name for element in snapshot.elements] == ["FrameLayout"]
    assert snapshot.find(text="Alarm").class_name == "FrameLayout"


@pytest.mark.parametrize("beside", [button("Snooze"), text("7:00")])
def test_a_text_that_repeats_a_view_with_more_in_it_is_listed_where_it_is(beside: str) -> None:
    pane = node("FrameLayout", text("Alarm", at=(0, 0, 150, 50)), beside, content_desc="Alarm")
    assert [e.class_name for e in parse(screen(pane)).elements if e.label == "Alarm"] == [
        "FrameLayout",
        "TextView",
    ]
