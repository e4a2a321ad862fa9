"""Outlines as tests write them, read."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.snapshots import read_outline
from pytest_replicant.snapshots.render.expected_outline import Written


def shape(lines: tuple[Written, ...] | list[Written]) -> list[object]:
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
    (line,) = read_outline('[k427] SeekBar "Vol" value=7 of 0..10 [focused] [disabled] · "Loud" @5,6').lines
    assert (line.class_name, line.name, line.value, line.range) == ("SeekBar", '"Vol"', "7", "0..10")
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
