"""Labels and values of nodes, and the order in which labels are read."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Element, States, ValueRange
from pytest_replicant.snapshots import Memory, Snapshot, number_in
from pytest_replicant.snapshots.labels.labels import in_reading_order

from ..ios_nodes import ios, on_ios
from ..ios_screens import parse as ios_parse
from ..ios_screens import static
from ..screens import button, labels_of, node, parse, row, screen, text

FIELD = (0, 300, 1000, 400)


@pytest.mark.parametrize(
    ("attributes", "label", "value"),
    [
        ({"hint": "Email", "text": ""}, "Email", ""),
        ({"hint": "Email", "text": "Email"}, "Email", ""),  # the empty field shows its hint
        ({"hint": "Email", "text": "ada"}, "Email", "ada"),
        ({"hint": "", "content_desc": "Your address", "text": "ada"}, "Your address", "ada"),
        ({"hint": "", "text": "ada"}, "", "ada"),  # hints are reported, so this one was typed
        ({"text": "Email"}, "Email", None),  # they are not, and it may be one
        ({"text": "https://dev.shop/"}, "", "https://dev.shop/"),  # never one
    ],
)
def test_a_field_is_named_by_its_hint_never_by_what_was_typed(
    attributes: dict[str, str], label: str, value: str | None
) -> None:
    (field,) = parse(screen(node("EditText", at=FIELD, **attributes))).elements
    assert (field.label, field.value) == (label, value)


def test_a_remembered_hint_reports_what_was_typed_from_the_hint() -> None:
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
    assert labels_of(snapshot.elements) == ["Email", ""]


def test_a_switch_takes_the_caption_next_to_it_rather_than_its_position() -> None:
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
    assert labels_of(snapshot.elements) == ["Shipping", "Express"]


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
    labels = labels_of(parse(screen(page)).elements)
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
    assert labels_of(snapshot.elements) == ["", "Milk", "Bread"]
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


BOX = (0, 300, 1000, 400)
PERCENT = ValueRange(0, 100)


def only(*inside: str) -> Element:
    (element,) = parse(screen(*inside)).elements
    return element


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
    ["", "Low", "50 percent", "3 of 5", "page 2 of 5", "1,234", "1.234.567", "1 000", "10:30", "5 km", "50%%", "%",
     "% 5 %", "NaN", "1.0E999", "1e5", "5-", "--5", "²", "1" * 1000, "50% Volume"],
)  # fmt: skip
def test_what_is_no_number_or_reads_in_two_ways(printed: str) -> None:
    assert number_in(printed) is None


@pytest.mark.parametrize(
    ("printed", "value", "value_range"),
    [
        ("50 %", 50.0, PERCENT),
        ("0%", 0.0, PERCENT),
        ("0.5", 0.5, None),  # of what, only the app knows
        ("50", 50.0, None),
        ("36562.0", 36562.0, None),
        ("150%", 150.0, None),  # it is louder than 100 %, so 100 is not where it ends
        ("-10%", -10.0, None),
    ],
)
def test_value_and_range_share_one_unit(printed: str, value: float, value_range: ValueRange | None) -> None:
    android = only(node("SeekBar", at=BOX, text=printed, content_desc="Volume"))
    (iphone,) = on_ios(ios("Slider", text="Volume", value=printed)).elements
    for slider in (android, iphone):
        assert (slider.label, slider.value, slider.value_range) == ("Volume", value, value_range)


def test_a_slider_that_describes_its_number_takes_its_caption_for_a_name() -> None:
    slider = only(
        text("Volume", at=(0, 240, 300, 290)), node("SeekBar", at=BOX, content_desc="50%", clickable="true")
    )
    assert (slider.label, slider.value, slider.value_range) == ("Volume", 50.0, PERCENT)


def test_the_text_of_a_slider_that_is_no_number_is_its_name() -> None:
    slider = only(node("SeekBar", at=BOX, text="Brightness"))
    assert (slider.label, slider.value) == ("Brightness", None)


def test_where_the_platform_reports_a_value_the_text_is_the_name_even_if_it_is_a_number() -> None:
    slider, worded = on_ios(
        ios("Slider", text="1990", value="25%"), ios("Slider", text="Size", value="Extra large")
    ).elements
    assert (slider.label, slider.value) == ("1990", 25.0)
    assert (worded.label, worded.value, worded.value_range) == ("Size", "Extra large", None)


def test_an_adjustable_part_of_no_known_class_is_listed_with_its_number() -> None:
    (part,) = on_ios(ios("Other", value="30%", adjustable=True)).elements
    assert (part.semantic_role, part.value, part.value_range) == ("custom_adjustable", 30.0, PERCENT)


def test_a_progress_bar_reports_how_far_it_is() -> None:
    (bar,) = on_ios(ios("ProgressIndicator", text="Progress", value="8%")).elements
    assert (bar.label, bar.value, bar.value_range) == ("Progress", 8.0, PERCENT)


def test_whether_a_spinner_turns_is_no_value() -> None:
    (spinner,) = on_ios(ios("ActivityIndicator", text="In progress", value="1")).elements
    assert (spinner.label, spinner.value) == ("In progress", None)


def test_wheels_and_page_dots_hold_their_text() -> None:
    wheel, dots = on_ios(ios("PickerWheel", value="15"), ios("PageIndicator", value="page 2 of 5")).elements
    assert (wheel.value, dots.value) == ("15", "page 2 of 5")
    assert wheel.value_range is None


@pytest.mark.parametrize(("inside", "value"), [("7", 7.0), ("Jan", "Jan")])
def test_a_number_picker_holds_what_its_field_shows(inside: str, value: str | float) -> None:
    picker = node(
        "NumberPicker",
        button("6", at=(0, 300, 200, 400)),
        node("EditText", at=(0, 400, 200, 500), text=inside),
        button("8", at=(0, 500, 200, 600)),
        at=(0, 300, 200, 600),
    )
    found = parse(screen(picker)).elements[0]
    assert (found.class_name, found.value) == ("NumberPicker", value)


def test_a_stepper_of_ios_holds_a_number_where_it_says_one() -> None:
    message, silent = on_ios(ios("Stepper", text="Adults", value="2"), ios("Stepper", text="Children")).elements
    assert (message.value, silent.value) == (2.0, None)


@pytest.mark.parametrize("class_name", ["Switch", "Toggle", "CheckBox"])
@pytest.mark.parametrize("value", ["0", "1", "On"])
def test_a_switch_has_a_state_and_no_value(class_name: str, value: str) -> None:
    (switch,) = on_ios(
        ios(class_name, text="Wi-Fi", value=value, states=States(checked=True), checkable=True)
    ).elements
    assert (switch.label, switch.value) == ("Wi-Fi", None)


def test_what_ios_says_next_to_the_label_is_a_value_but_selection_and_echo_are_not() -> None:
    country, tab, echo = on_ios(
        ios("Button", text="Country", value="France", clickable=True),
        ios("Button", text="Home", value="1", clickable=True),
        ios("StaticText", text="Hello", value="Hello"),
    ).elements
    assert [element.value for element in (country, tab, echo)] == ["France", None, None]


def test_a_drop_down_that_shows_its_choice_as_text_is_named_by_its_caption() -> None:
    spinner = node("Spinner", at=BOX, text="France", clickable="true")
    captioned = only(text("Country", at=(0, 240, 300, 290)), spinner)
    assert (captioned.label, captioned.value) == ("Country", "France")
    bare = only(spinner)
    assert (bare.label, bare.value) == ("France", "France")


def test_a_drop_down_that_cannot_be_opened_is_a_label_like_any_other() -> None:
    assert only(node("Spinner", at=BOX, text="France", clickable="false")).label == "France"


def test_a_drop_down_of_ios_keeps_name_and_choice_apart() -> None:
    (country,) = on_ios(ios("PopUpButton", text="Country", value="France", clickable=True)).elements
    assert (country.label, country.value) == ("Country", "France")


def test_a_password_of_ios_shows_neither_text_nor_length() -> None:
    states = States(editable=True, password=True)
    (field,) = on_ios(
        ios("SecureTextField", text="•••••••", value="•••••••", hint="Password", states=states)
    ).elements
    assert (field.label, field.value) == ("Password", "•••")


def test_a_field_far_inside_is_none_of_the_steppers() -> None:
    rows = [button(str(number), at=(0, number * 50, 200, number * 50 + 50)) for number in range(20)]
    field = node("EditText", at=(0, 1200, 200, 1300), text="7")
    stepper = parse(screen(node("NumberPicker", *rows, field))).elements[0]
    assert (stepper.class_name, stepper.value) == ("NumberPicker", None)


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ([(0, 0, 50, 20), (100, 0, 50, 20)], "01"),
        ([(100, 0, 50, 20), (0, 0, 50, 20)], "10"),
        ([(100, 0, 50, 54), (0, 6, 50, 21), (60, 52, 50, 15)], "102"),  # large next to small, then below
        ([(0, 40, 50, 20), (0, 20, 50, 20), (0, 0, 50, 20)], "210"),
        ([(0, 0, 50, 20), (60, 9, 50, 20)], "01"),  # hardly next to
        ([], ""),
    ],
)
def test_lines_go_down_and_each_from_the_left(places: list[tuple[int, int, int, int]], order: str) -> None:
    source = "".join(static(str(number), at=at) for number, at in enumerate(places))
    nodes = ios_parse(source).nodes if source else ()
    assert "".join(node.text for node in in_reading_order(nodes)) == order


def test_a_line_of_hebrew_goes_from_the_right() -> None:
    source = static("9.90", at=(0, 0, 50, 20)) + static("ספל כחול", at=(100, 0, 50, 20))
    assert [node.text for node in in_reading_order(ios_parse(source).nodes)] == ["ספל כחול", "9.90"]
