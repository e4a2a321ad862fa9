"""What almost fits, and what is said of it."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import TargetError
from pytest_replicant.model import Selector, by

from ..screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text

FORM = screen(
    button("Pay", enabled="false"),
    button("Send", at=(0, 500, 200, 590), enabled="true", resource_id="dev.shop:id/send"),
    node("EditText", at=(0, 600, 900, 680), hint="Email", text="ada@example.com"),
    node("EditText", at=(0, 700, 900, 780), hint="Code", text="1234", password="true"),
    node("CheckBox", at=(0, 800, 900, 880), text="Remember me", checkable="true", checked="false"),
    text("A long text " * 20, at=(0, 900, 900, 990)),
)


def report(source: str, selector: Selector) -> list[str]:
    """What is said after the first line, refs left out."""
    snapshot = parse(source)
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    assert caught.value.code == "ELEMENT_NOT_FOUND"
    lines = str(caught.value)
    for element in (*snapshot.elements, *snapshot.headings):
        lines = lines.replace(f"[{element.ref}] ", "")
    return lines.splitlines()[1:]


@pytest.mark.parametrize(
    ("selector", "told", "next_"),
    [
        (by(text="Pay", enabled=True), 'It is there, but disabled: Button "Pay"', "wait until it is"),
        (by(text="Remember me", checked=True), "It is there, but not checked: ", "wait until it is"),
        (by(text="Send", enabled=False), "It is there, but enabled: ", "leave out enabled="),
        (by(text="Send", checked=False), "does not report whether it is checked", "leave out checked="),
        (by(text="Send", nth=1), "nth=1 asks for more; it counts from 0", 'text="Send" is enough'),
        (by(role="button", nth=7), "nth=7 asks for more; it counts from 0", "in place of nth= finds one of them"),
        (by(text="Send", class_name="TextView"), "It is there, but its class_name is Button", 'text="Send" is'),
        (by(text="Send", role="switch"), "its role is button", 'text="Send" is enough'),
        (by(text="Pay", resource_id="pay"), 'not with resource_id="pay"', 'text="Pay" is enough'),
        (by(text="Send", within=by(text="Nowhere")), 'not within text="Nowhere", which is not on', "is enough"),
        (by(text="send"), '"Send" is there, in other letters: case counts.', 'text="Send" is the nearest label'),
        (by(text="Send", text_contains="x"), 'not with text_contains="x"', 'text="Send" is enough'),
        (by(text="Send", text_matches="x"), 'not with text_matches="x"', 'text="Send" is enough'),
        (by(class_name="button", nth=1), "Button is there, in other letters", 'class_name="Button", nth=1.'),
        (by(text_contains="REMEMBER"), '"Remember me" is there, in other letters', 'text="Remember me" is'),
        (
            by(text="ada@example.com"),
            'It is what was typed into EditText "Email", ',
            'text="Email" finds the field',
        ),
        (by(text="A long text A long…"), "the outline cuts long ones", 'text_contains="A long text A long"'),
        (by(text="Send", within="k999"), "within=k999 is not on this screen.", "a ref of this screen"),
        (by(ios=by(text="Send")), "This is android, and the selector says nothing for it.", "android=by(...)"),
    ],
)
def test_a_near_miss_is_explained(selector: Selector, told: str, next_: str) -> None:
    first, second = report(FORM, selector)
    assert told in f"{first} "
    assert next_ in second


def test_a_label_that_fits_is_not_said_to_be_spelt_in_other_letters() -> None:
    told = "\n".join(report(FORM, by(text_contains="Send", text_matches="^Pay")))
    assert "other letters" not in told


def test_nobody_is_told_to_wait_for_what_is_never_reported() -> None:
    assert report(FORM, by(text="Send", checked=True))[1] == "Next: leave out checked=."


def test_a_masked_value_is_not_given_away() -> None:
    assert "typed" not in "\n".join(report(FORM, by(text="1234")))


def test_a_label_in_other_rows_is_shown_with_them() -> None:
    first, second = report(SHOP, by(text="Add", row_with=by(text="Coffee")))
    assert first.startswith('There are 3, but none in a row with text="Coffee", which is not on this screen: ')
    assert 'in row "Tray £12.00"' in first
    assert second == 'Next: row_with=by(text="Blue mug") in place of row_with= finds one of them.'


def test_a_row_that_has_no_such_label_is_told_from_one_that_is_not_there() -> None:
    source = screen(
        catalogue(row("Blue mug", "£9.90", 400), node("LinearLayout", text("Tray"), at=(0, 500, 900, 600)))
    )
    first, second = report(source, by(text="Add", row_with=by(text="Tray")))
    assert first.startswith('It is there, but not in a row with text="Tray": ')
    assert second == 'Next: text="Add" is enough to find it.'


def test_what_lies_off_the_screen_is_scrolled_to() -> None:
    source = screen(button("Here"), button("There", at=(0, 2500, 200, 2600)))
    assert report(source, by(text="There")) == ["A Button that fits lies off the screen.", "Next: scroll_to(...)."]


def test_what_is_covered_is_said_to_be() -> None:
    below = node("FrameLayout", button("Pay"), at=(0, 0, 1080, 2400))
    dialog = node("FrameLayout", button("OK", at=(300, 900, 500, 990)), at=(200, 800, 900, 1400))
    first, second = report(hierarchy(below, dialog), by(text="Pay"))
    assert "covered or in a window below" in first
    assert "close what covers it" in second


KEYS = "a.inputmethod"


def test_a_key_of_the_keyboard_is_nothing_that_is_covered() -> None:
    keys = node(
        "FrameLayout", button("x", at=(0, 1700, 90, 1790), package=KEYS), at=(0, 1600, 1080, 2400), package=KEYS
    )
    told = report(hierarchy(node("FrameLayout", button("Pay"), at=(0, 0, 1080, 2400)), keys), by(text="x"))
    assert not any("covered" in line for line in told)


def test_what_is_covered_is_not_said_to_lie_where_it_was_looked_for() -> None:
    below = node("FrameLayout", button("Pay"), at=(0, 0, 1080, 2400))
    dialog = node("FrameLayout", button("OK", at=(300, 900, 500, 990)), at=(200, 800, 900, 1400))
    told = report(hierarchy(below, dialog), by(text="Pay", within=by(text="OK")))
    assert not any("that fits" in line for line in told)


def test_many_candidates_are_cut_short() -> None:
    rows = [row(f"Item {chr(65 + n)}", "£1", 400 + n * 100) for n in range(15)]
    first, _ = report(screen(catalogue(*rows)), by(text="Add", row_with=by(text="Coffee")))
    assert first.endswith("… and 11 more")


def test_a_long_selector_is_cut_short() -> None:
    with pytest.raises(TargetError) as caught:
        parse(FORM).find(text="x" * 100_000)
    assert len(str(caught.value)) < 600


def test_a_class_of_the_other_platform_is_answered_with_the_role_that_both_have() -> None:
    bar = node("SeekBar", at=(0, 300, 900, 380), **{"content-desc": "Volume", "clickable": "true"})
    for name in ("Slider", "XCUIElementTypeSlider"):
        said = report(screen(bar), by(class_name=name))
        assert said[0] == 'Of the same role is SeekBar "Volume"; each platform has class names of its own.'
        assert said[1].startswith('Next: role="slider" says the same on every platform.')
    assert "same role" not in "".join(report(screen(bar), by(class_name="Switch")))
    assert "same role" not in "".join(report(screen(bar), by(class_name="Nonsense")))
