"""What controls hold: numbers with their range, choices, typed text."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Element, States, ValueRange
from pytest_replicant.snapshots import number_in

from ..ios_nodes import ios, on_ios
from ..screens import button, node, parse, screen, text

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


def test_a_progress_bar_tells_how_far_it_is() -> None:
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
    told, silent = on_ios(ios("Stepper", text="Adults", value="2"), ios("Stepper", text="Children")).elements
    assert (told.value, silent.value) == (2.0, None)


@pytest.mark.parametrize("class_name", ["Switch", "Toggle", "CheckBox"])
@pytest.mark.parametrize("value", ["0", "1", "On"])
def test_a_switch_has_a_state_and_no_value(class_name: str, value: str) -> None:
    (switch,) = on_ios(
        ios(class_name, text="Wi-Fi", value=value, states=States(checked=True), checkable=True)
    ).elements
    assert (switch.label, switch.value) == ("Wi-Fi", None)


def test_what_ios_says_beside_the_label_is_a_value_but_selection_and_echo_are_not() -> None:
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
