"""Expected outlines: parsed, and compared with a screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.snapshots import OutlineDifference, difference, read_outline

from ..screens import SHOP, button, catalogue, node, parse, row, screen


def shape(lines: Iterable[Any]) -> list[object]:
    """Texts, with what is inside as a list behind each."""
    found: list[object] = []
    for line in lines:
        found.append(line.text)
        if line.inside:
            found.append(shape(line.inside))
    return found


def test_indentation_is_hierarchy_and_what_all_lines_share_is_none() -> None:
    text = """
        Catalogue  (dev.shop)
        ListView
          FrameLayout "Mug"
            Button "Add"
          FrameLayout "Tray"
        Button "Pay"
        (keyboard open)
    """
    read = read_outline(text)
    assert (read.header, read.trailers) == ("Catalogue  (dev.shop)", ("(keyboard open)",))
    inside = ['FrameLayout "Mug"', ['Button "Add"'], 'FrameLayout "Tray"']
    assert shape(read.lines) == ["ListView", inside, 'Button "Pay"']


def test_a_header_on_the_line_of_the_quotes_leaves_the_others_their_own_margin() -> None:
    read = read_outline('Shop  (dev.shop)\n        Button "A"\n        Button "B"')
    assert shape(read.lines) == ['Button "A"', 'Button "B"']


def test_a_first_line_that_is_the_screens_name_is_its_header() -> None:
    assert read_outline('Cart\nButton "A"', "Cart  (dev.shop)").header == "Cart"
    assert read_outline('Cart\nButton "A"', "Home  (dev.shop)").header == ""


@pytest.mark.parametrize("header", ["", "Home  (dev.shop)", "Ticking clock  (dev.lab)"])
def test_words_that_are_no_line_are_a_header_whatever_the_screen_is(header: str) -> None:
    read = read_outline('Ticking clock\nButton "Keep"', header)
    assert (read.header, shape(read.lines)) == ("Ticking clock", ['Button "Keep"'])


def test_steps_of_four_and_dashes() -> None:
    read = read_outline('ListView\n    - "Mug"\n      "£9"\n    - "Tray"\n      "£8"')
    (listed,) = read.lines
    assert [row.group for row in listed.inside] == [True, True]
    assert shape(listed.inside[0].inside) == ['"Mug"', '"£9"']


def test_every_part_of_a_line() -> None:
    (line,) = read_outline(
        '[k427] SeekBar "Vol" value=7 of 0..10 [focused] [disabled] · "Loud" @5,6'
    ).lines
    assert (line.class_name, line.name, line.value, line.range) == (
        "SeekBar",
        '"Vol"',
        "7",
        "0..10",
    )
    assert line.states == {"focused", "disabled"}
    assert (line.folded, line.centre) == ('"Loud"', "@5,6")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"a  b"', '"a b"'),
        ('"caf\u00e9"', '"cafe\u0301"'),
        (r'"say \"hi\" \\"', r'Text "say \"hi\" \\"'),
        ("Slider value=7", "Slider value=7.0"),
    ],
)
def test_text_is_compared_as_labels_are(one: str, other: str) -> None:
    first, second = read_outline(one).lines[0], read_outline(other).lines[0]
    assert (first.name, first.value) == (second.name, second.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        (" \n \t\n", "is empty"),
        (None, "is a string"),
        ('ListView\n\tButton "A"', "line 2 is indented with a tab"),
        ('  Button "A"\n \t Button "B"', "line 2 is indented with a tab"),
        ("Home\nButton Add", "line 2 is no line"),
        ("- Button Add", "line 1 is no line"),
        ('Button "A" [on]', r"\[on\] is no state"),
        ('Button "say "hi""', "raw string"),
        ('Button "A', "raw string"),
        ("ListView  (+3 inside)", "was cut"),
        ('Button "A" {x:1,y:2,w:3,h:4}', "Positions"),
        ('Button "A" (offscreen)', "offscreen elements"),
        ("...\n...", "fits every screen"),
        ('...\n  Button "A"', "which has no inside"),
    ],
)
def test_what_is_no_outline_is_a_wrong_call(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_outline(text)


def test_dots_in_quotes_are_text() -> None:
    (line,) = read_outline('Button "..."').lines
    assert not line.anything
    assert line.name == '"..."'


SHOWN = """\
Catalogue  (dev.shop)
[u969] ImageButton "Settings"
[k632] EditText "Search" value="mug" [focused]
[h751] CheckBox "Only new" [unchecked]
[f726] RecyclerView id=products
  [c832] FrameLayout "Blue mug £9.90" · "New"
    [n400] Button "Add"
  [o843] FrameLayout "Red mug £8.00"
    [k624] Button "Add" [disabled]
  - [a123] "Tray"
    [a124] "£3"
    [a125] Button "Add"
  [n601] FrameLayout @540,2255
(keyboard open)
(2 offscreen)"""


def compared(expected: str, shown: str = SHOWN) -> OutlineDifference | None:
    header = shown.split("\n", 1)[0]
    return difference(read_outline(expected, header), read_outline(shown, header))


def differs(expected: str, shown: str = SHOWN) -> OutlineDifference:
    found = compared(expected, shown)
    assert found is not None
    return found


def test_a_screen_is_its_own_outline_with_refs_and_without() -> None:
    assert compared(SHOWN) is None
    assert compared(re.sub(r"\[[a-z]\d+\] ", "", SHOWN)) is None


@pytest.mark.parametrize("shown", [parse(SHOP).outline(), parse(SHOP).outline(bounds=False)])
def test_so_is_a_parsed_one(shown: str) -> None:
    assert compared(shown, shown) is None


@pytest.mark.parametrize(
    "label", ['say "hi"', "back\\slash", "a\u202eb", "x" * 300, "...", "- [k427] Button", "(2)"]
)
def test_hostile_labels_are_their_own_outline(label: str) -> None:
    source = screen(
        catalogue(row(label, "£1", 400), row("B", label, 500)), button(label), title=label
    )
    shown = parse(source).outline()
    assert compared(shown, shown) is None


def test_values_and_states_count_where_they_are_written() -> None:
    assert compared("""
        Catalogue
        ImageButton "Settings"
        EditText "Search"
        CheckBox "Only new"
        RecyclerView id=products
          ...
    """) is None  # fmt: skip
    found = differs('...\nCheckBox "Only new" [checked]\n...')
    assert (
        found.summary == 'CheckBox "Only new" [unchecked] in place of CheckBox "Only new" [checked]'
    )
    assert differs('...\nEditText "Search" value="cup"\n...')
    assert compared('...\nEditText "Search" value="mug" [focused]\n...') is None
    assert differs('...\nEditText "Search" [disabled]\n...')


def test_lines_that_are_not_written_fail() -> None:
    found = differs(
        'ImageButton "Settings"\nEditText "Search"\nCheckBox "Only new"\nRecyclerView id=products'
    )
    assert found.summary == 'FrameLayout "Blue mug £9.90" · "New" is unexpected'
    assert found.lines[1:4] == (
        '  RecyclerView id=products',
        '+   FrameLayout "Blue mug £9.90" · "New"',
        '+     Button "Add"',
    )  # fmt: skip


def test_dots_stand_at_their_place_and_depth_only() -> None:
    assert (
        compared(
            '...\nRecyclerView id=products\n  ...\n  FrameLayout "Red mug £8.00"\n    ...\n  ...'
        )
        is None
    )
    assert differs('...\nRecyclerView id=products\n  FrameLayout "Red mug £8.00"\n    ...\n  ...')
    deeper = differs('...\nRecyclerView id=products\n  ...\n  FrameLayout "Red mug £8.00"\n  ...')
    assert deeper.summary == 'Button "Add" [disabled] is unexpected'


def test_dots_take_none_as_well_and_give_back() -> None:
    shown = 'S  (a.b)\n"A"\n"B"\n"A"\n"C"'
    assert compared('...\n"A"\n"C"', shown) is None
    assert compared('"A"\n...\n"B"\n...\n"A"\n...\n"C"\n...', shown) is None
    assert differs('...\n"C"\n"A"', shown)


def test_a_line_that_is_there_is_not_missing_because_another_stands_before_it() -> None:
    for line in ('EditText "Search"', 'CheckBox "Only new"', "RecyclerView id=products"):
        assert differs(f"{line}\n...").summary == 'ImageButton "Settings" is unexpected'


def test_order_counts() -> None:
    assert differs('"B"\n"A"', 'S  (a.b)\n"A"\n"B"')


def test_an_element_of_another_class_or_label_is_another() -> None:
    assert differs('ImageView "Settings"\n...')
    assert differs('"Settings"\n...')
    assert differs('ImageButton "settings"\n...')


def test_hierarchy_counts() -> None:
    assert differs("ListView\nButton", "S  (a.b)\nListView\n  Button")


def test_rows_that_are_no_element_are_distinguished() -> None:
    shown = 'S  (a.b)\nListView\n  - "A"\n    "B"\n  - "C"\n    "D"'
    assert compared(shown, shown) is None
    assert differs('ListView\n  - "A"\n    "B"\n    "C"\n    "D"', shown)


def test_header_and_trailers_count_where_they_are_written() -> None:
    wrong = differs(SHOWN.replace("Catalogue", "Cart"))
    assert wrong.lines == ("- Cart  (dev.shop)", "+ Catalogue  (dev.shop)")
    assert compared(SHOWN.replace("\n(2 offscreen)", "")) is None
    other = differs(SHOWN.replace("(2 offscreen)", "(3 offscreen)"))
    assert other.summary == "(3 offscreen) is not said"
    assert differs(SHOWN.replace("(keyboard open)", "(loading)"))


def test_a_dialog_that_is_not_expected_fails() -> None:
    shown = 'Cart  (a.b)\nDialog "Sure?"\nButton "OK"'
    assert differs('Cart\nButton "OK"', shown)
    assert compared('Cart\nDialog "Sure?"\nButton "OK"', shown) is None


def test_the_difference_is_small_aligned_and_around_the_first_one() -> None:
    lines = [f'Button "B{number}"' for number in range(200)]
    shown = "\n".join(["S  (a.b)", *lines])
    wanted = [*lines[:100], 'Button "X"', *lines[101:150], *lines[160:]]
    found = differs("\n".join(wanted), shown)
    assert found.summary == 'Button "B100" in place of Button "X"'
    assert found.lines[:4] == (
        '  Button "B98"',
        '  Button "B99"',
        '- Button "X"',
        '+ Button "B100"',
    )
    assert len(found.lines) <= 13
    assert found.lines[-1] == "… and 10 more lines that differ"


def test_a_difference_deep_inside_shows_where_it_is() -> None:
    found = differs(SHOWN.replace("£3", "£4"))
    assert found.summary == '"£3" in place of "£4"'
    assert "  RecyclerView id=products" in found.lines
    assert '-     "£4"' in found.lines


def test_very_long_lists_are_compared_all_the_same() -> None:
    lines = [f'"row {number % 7}"' for number in range(700)]
    shown = "\n".join(["S  (a.b)", *lines])
    assert compared(shown, shown) is None
    assert differs("\n".join(lines[:-1]), shown)
    assert differs("...\n" + "\n...\n".join(lines[:300]), shown)
    assert differs("...\n" + "\n".join(lines[3:-1]), shown)


def test_a_nameless_element_is_identified_by_its_class_where_its_centre_is_left_out() -> None:
    shown = parse(screen(node("ImageButton", at=(0, 300, 90, 390), clickable="true"))).outline()
    assert "@45,345" in shown
    assert compared("ImageButton", shown) is None
    assert differs("ImageButton @45,346", shown)


RUN = """Dial  (dev.shop)
[k101] TextView "5"
Dial$Key x3: [k201] "1" [k202] "2" [selected] [k203] "3"
ImageView id=star [disabled] x2
(folded: 2 alike, 1 icons; outline(full=True) lists them)
(the app reports nothing of what it draws; look at mobile.screenshot())"""


@pytest.mark.parametrize(
    "keys",
    [
        'Dial$Key x3: "1" "2" [selected] "3"',
        'Dial$Key "1"\nDial$Key "2" [selected]\nDial$Key "3"',
        'Dial$Key "1"\n...',
    ],
)
def test_a_line_for_several_elements_is_as_many_lines(keys: str) -> None:
    stars = "ImageView id=star x2"
    assert compared(f'TextView "5"\n{keys}\n{stars}', RUN) is None
    assert differs(f'TextView "5"\n{keys}\n{stars.replace("2", "3")}', RUN)
    assert differs(f'TextView "5"\n{keys.replace("1", "7")}\n{stars}', RUN)
    assert compared(RUN, RUN) is None


@pytest.mark.parametrize("label", ["a x2", 'a" x2: "b', "View x3", 'x2: "1"'])
def test_a_label_cannot_pass_for_several_elements(label: str) -> None:
    shown = parse(screen(button(label), button("Pay", at=(0, 500, 90, 590)))).outline()
    assert compared(shown, shown) is None
    assert len(read_outline(shown, shown.split("\n")[0]).lines) == 2
