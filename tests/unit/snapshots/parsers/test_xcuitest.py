"""XCUITest's XML to nodes, through the noise of the wild."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import SnapshotError
from pytest_replicant.model import Node, Rect
from pytest_replicant.snapshots import Memory, Snapshot

from ..ios_screens import app, button, cell, el, parse, screen, static, table

PLACE = (0, 0, 9, 9)
PLAIN = screen(button("OK"), title="Sure?")


def node(source: str, index: int = 0) -> Node:
    return parse(source).nodes[index]


@pytest.mark.parametrize(
    "noisy",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        '[wda] GET /source {"format": "xml"}\n' + PLAIN,
        "\r\n" + PLAIN,
        PLAIN + "\ndone\n",
        PLAIN.replace("><", ">\r\n<"),
        PLAIN.partition("?>")[2],
        PLAIN.replace('encoding="UTF-8"', 'encoding="latin-1"'),
        PLAIN.partition("?>")[0] + "?><AppiumAUT>" + PLAIN.partition("?>")[2] + "</AppiumAUT>",
        "<hierarchy>" + PLAIN.partition("?>")[2] + "</hierarchy>",
    ],
)
def test_noise_around_the_hierarchy_does_not_matter(noisy: str) -> None:
    expected = Snapshot.parse(PLAIN).outline()
    assert Snapshot.parse(noisy).outline() == expected
    assert Snapshot.parse(noisy.encode(), "ios").outline() == expected


def test_a_utf_16_file_is_read() -> None:
    assert Snapshot.parse(PLAIN.encode("utf-16")).find(text="OK").class_name == "Button"


def test_any_part_of_a_hierarchy_is_read() -> None:
    lone = parse(cell(static("Milk")))
    assert [(e.class_name, e.label) for e in lone.elements] == [("Cell", "Milk")]
    beside = parse(button("One", at=(0, 0, 9, 9)) + button("Two", at=(0, 20, 9, 9)))
    assert [e.label for e in beside.elements] == ["One", "Two"]
    assert [n.parent for n in beside.nodes] == [-1, -1]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("&#128512; hi", "😀 hi"),
        ("&#55357;&#56832; hi", "😀 hi"),
        ("a&#0;b", "ab"),
        ("a\x0bb", "ab"),
        ("two&#10;lines", "two lines"),
        ("\u202a\u200ePrice\u202c\ufffc", "Price"),
        ("a &amp;lt; b", "a &lt; b"),
    ],
)
def test_labels_are_mended_and_cleaned(label: str, expected: str) -> None:
    assert parse(button(label).replace(button(label), _with_label(label))).elements[0].label == expected


def _with_label(label: str) -> str:
    return button("@").replace('label="@"', f'label="{label}"')


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<AppiumAUT>\n</AppiumAUT>", "no elements"),
        (PLAIN[: PLAIN.index("Button") - 20], "cut off"),
        (PLAIN[: PLAIN.rindex("</")], "cut off"),
        (PLAIN.replace("</XCUIElementTypeButton>", ""), "damaged"),
        (PLAIN.replace('label="OK"', "label=OK"), "damaged"),
        (PLAIN.replace('label="OK"', 'label="&b;"'), "damaged"),
        (PLAIN.replace("?>", '?><!DOCTYPE x [<!ENTITY a "lol">]>'), "document type"),
        ("<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "web page"),
    ],
)
def test_what_is_no_screen_says_why(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        Snapshot.parse(source)


def test_a_contradicted_platform_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="of ios, not of android"):
        Snapshot.parse(PLAIN, "android")


def test_a_label_that_names_a_type_does_not_make_a_screen_of_ios() -> None:
    source = '<hierarchy><node class="a.TextView" text="XCUIElementTypeCell" bounds="[0,0][9,9]"/></hierarchy>'
    assert Snapshot.parse(source).platform == "android"


@pytest.mark.parametrize(
    ("place", "bounds"),
    [
        ('x="1" y="2" width="3" height="4"', Rect(1, 2, 4, 6)),
        ('x="0.4" y="12.5" width="3.3" height="0.5"', Rect(0, 13, 4, 13)),
        ('width="3" height="4"', Rect(0, 0, 3, 4)),
        ('x="-5" y="-7" width="3" height="4"', Rect(-5, -7, -2, -3)),
        ('x="inf" y="inf" width="0" height="0"', Rect(0, 0, 0, 0)),
        ('x="nan" y="1" width="2" height="2"', Rect(0, 0, 0, 0)),
        ('x="here" y="1" width="2" height="2"', Rect(0, 0, 0, 0)),
        (f'x="1{"0" * 400}" y="0" width="1" height="1"', Rect(0, 0, 0, 0)),
        ('x="1e12" y="0" width="1" height="1"', Rect(10**9, 0, 10**9, 1)),
    ],
)
def test_places_are_read_as_far_as_they_are_numbers(place: str, bounds: Rect) -> None:
    assert node(f"<XCUIElementTypeButton {place}/>").bounds == bounds


@pytest.mark.parametrize(
    ("given", "label", "resource_id"),
    [
        ({"label": "Pay", "name": "Pay"}, "Pay", ""),
        ({"label": "Pay", "name": "pay-button"}, "Pay", "pay-button"),
        ({"label": "\u200ePay", "name": "Pay"}, "Pay", ""),
        ({"name": "pay-button"}, "", "pay-button"),
        ({"label": "Pay"}, "Pay", ""),
        ({"label": "Pay", "name": "\u202a\ufffc"}, "Pay", ""),
    ],
)
def test_a_name_is_an_id_where_it_differs_from_the_label(
    given: dict[str, str], label: str, resource_id: str
) -> None:
    (element,) = parse(el("Button", at=(0, 0, 9, 9), **given)).elements
    assert (element.label, element.resource_id) == (label, resource_id)


def test_unreported_states_are_none_and_reported_ones_are_not() -> None:
    bare = node('<XCUIElementTypeButton x="0" y="0" width="9" height="9"/>')
    assert bare.visible
    assert {bare.states.selected, bare.states.focused, bare.states.enabled, bare.states.checked} == {None}
    told = node(el("Button", enabled="0", focused="false", selected="true"))
    assert (told.states.enabled, told.states.focused, told.states.selected) == (False, False, True)
    assert node(el("StaticText", value="1")).states.checked is None


@pytest.mark.parametrize(
    ("given", "selected"),
    [
        ({"value": "1"}, True),
        ({"value": "0"}, None),  # the value of a button may be anything
        ({"traits": "Button, Selected"}, True),
        ({"traits": "Button"}, False),
        ({"value": "1", "selected": "false"}, False),
        ({}, None),
    ],
)
def test_a_button_is_selected_as_reported_else_by_its_traits_else_by_its_value(
    given: dict[str, str], selected: bool | None
) -> None:
    assert node(el("Button", at=PLACE, **given)).states.selected is selected


@pytest.mark.parametrize(
    ("value", "checked"), [("1", True), ("0", False), ("true", True), ("false", False), ("half", None)]
)
def test_a_switch_is_checked_by_its_value(value: str, checked: bool | None) -> None:
    switch = node(el("Switch", label="Wi-Fi", value=value))
    assert (switch.states.checked, switch.checkable, switch.value) == (checked, True, value)


@pytest.mark.parametrize(
    ("kind", "given", "text", "description", "hint", "password"),
    [
        (
            "TextField",
            {"value": "ada", "label": "Email", "placeholderValue": "you@…"},
            "ada",
            "Email",
            "you@…",
            False,
        ),
        ("TextField", {"value": "you@…", "placeholderValue": "you@…"}, "", "", "you@…", False),
        ("SecureTextField", {"value": "•••", "label": "Password"}, "•••", "Password", "", True),
        ("SearchField", {"label": "Search"}, "", "Search", "", False),
        ("TextView", {"value": "Dear", "label": "Letter"}, "Dear", "Letter", "", False),
    ],
)
def test_a_field_holds_what_was_typed(
    kind: str, given: dict[str, str], text: str, description: str, hint: str, password: bool
) -> None:
    field = node(el(kind, at=PLACE, **given))
    assert (field.text, field.description, field.hint) == (text, description, hint)
    assert (field.states.editable, field.states.password) == (True, password)


def test_the_placeholder_that_an_empty_field_shows_is_not_its_value() -> None:
    (field,) = parse(el("TextField", at=(0, 0, 9, 9), value="Email", placeholderValue="Email")).elements
    assert (field.label, field.value, field.node.value) == ("Email", "", "Email")


def test_a_field_is_not_called_what_another_was_called_in_its_place() -> None:
    memory = Memory()
    memory.learn(parse(screen(el("TextField", at=(16, 100, 300, 40), label="Email"))))
    other = Snapshot.parse(screen(el("TextField", at=(16, 100, 300, 40), label="Name")), memory=memory)
    assert [element.label for element in other.elements] == ["Name"]


def test_what_adjusts_is_told_by_its_traits() -> None:
    assert node(el("Other", traits="Adjustable, PlaysSound")).adjustable is True
    assert node(el("Other", traits="Button")).adjustable is False
    assert node(el("Other")).adjustable is None


@pytest.mark.parametrize(
    ("content", "scrollable"), [((0, 64, 375, 603), None), ((0, 64, 375, 900), True), ((-90, 64, 465, 603), True)]
)
def test_a_scroll_view_scrolls_where_it_holds_more_than_it_shows(
    content: tuple[int, int, int, int], scrollable: bool | None
) -> None:
    pane = node(el("ScrollView", el("Other", at=content), at=(0, 64, 375, 603)))
    assert pane.states.scrollable is scrollable
    assert node(table(cell())).states.scrollable is True


def test_the_app_is_called_by_its_bundle_id_else_by_its_name() -> None:
    source = app(el("Window", button("OK")), name="Shop")
    assert parse(source).app == "Shop"
    assert parse(source.replace('name="Shop"', 'name="Shop" bundleId="dev.shop"', 1)).app == "dev.shop"


def test_a_part_that_is_written_in_pixels_is_scaled_to_points() -> None:
    inside = el("Other", button("Buy", at=(100, 1200, 200, 88)), at=(0, 0, 750, 1334))
    mixed = parse(app(el("Window", inside), el("Window", button("Help", at=(300, 600, 60, 44)))))
    assert mixed.size == (375, 667)
    assert mixed.find(text="Buy").bounds == Rect(50, 600, 150, 644)
    assert mixed.find(text="Help").bounds == Rect(300, 600, 360, 644)


def test_what_scrolls_twice_the_screen_is_no_part_written_in_pixels() -> None:
    content = el("Other", button("Buy", at=(100, 500, 200, 88)), at=(0, 0, 750, 1334))
    assert parse(app(el("Window", el("ScrollView", content)))).find(text="Buy").bounds.left == 100


def test_a_type_that_is_no_word_is_a_generic_one() -> None:
    strange = (
        '<XCUIElementTypeOther type="XCUIElementTypeButton&#10;[k427] &quot;x" label="y" width="9" height="9"/>'
    )
    assert node(strange).class_name == "Other"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Other", "Cell", "Alert", "NavigationBar"])
def test_depth_is_no_limit(kind: str) -> None:
    depth = 20_000
    opened = f'<XCUIElementType{kind} label="x" x="0" y="0" width="9" height="9">'
    snapshot = parse(opened * depth + f"</XCUIElementType{kind}>" * depth)
    assert len(snapshot.nodes) == depth
    assert len(snapshot.elements) <= 1
    assert snapshot.outline()


@pytest.mark.slow
def test_look_alikes_within_each_other_cost_what_they_are() -> None:
    """Each asks for what it lies in."""
    depth = 8_000
    opened = '<XCUIElementTypeButton x="0" y="0" width="9" height="9">'
    assert len(parse(opened * depth + "</XCUIElementTypeButton>" * depth).elements) == depth
