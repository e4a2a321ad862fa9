"""WebDriverAgent's JSON to nodes: the same screen as from its XML."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import SnapshotError
from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot

from ..ios_screens import app, as_json, button, cell, el, parse, screen, static, table
from ..screens import SHOP

SCREEN = screen(
    table(
        cell(static("Milk"), label="Milk", name="milk"),
        cell(el("Switch", label="Wi-Fi", value="1", at=(300, 110, 50, 30)), top=108),
        cell(el("TextField", placeholderValue="Email", value="ada", at=(16, 160, 300, 30)), top=152),
    ),
    button("Pay", enabled="false"),
    button("Gone", visible="false"),
    title="List",
)
BARE = as_json(SCREEN, bare=True)


@pytest.mark.parametrize(
    "source",
    [
        as_json(SCREEN),
        BARE,
        as_json(SCREEN, prefix="XCUIElementType"),
        "\ufeff" + BARE,
        "\r\n" + BARE,
        '[wda] GET /source {"format": "json"}\n' + BARE,
        BARE + "\n{}\ndone",
        json.dumps(json.loads(BARE), indent=2),
        json.dumps({"value": {"tree": json.loads(BARE)}, "status": 0}),
        json.dumps({"value": SCREEN, "sessionId": "5C0A"}),
    ],
)
def test_json_and_xml_are_the_same_screen(source: str) -> None:
    expected, snapshot = Snapshot.parse(SCREEN), Snapshot.parse(source)
    assert snapshot.outline(bounds=True) == expected.outline(bounds=True)
    assert snapshot.fingerprint == expected.fingerprint
    assert Snapshot.parse(source.encode(), "ios").nodes == snapshot.nodes


def test_an_answer_may_hold_a_screen_of_android() -> None:
    answer = json.dumps({"value": SHOP})
    assert Snapshot.parse(answer, "android").outline() == Snapshot.parse(SHOP).outline()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            '{"value": {"error": "invalid session id", "message": "Session does not exist"}}',
            "Session does not exist",
        ),
        ('{"value": {"error": "unknown error"}, "sessionId": null}', "unknown error"),
        ('{"status": 6, "value": "A session is either terminated or not started"}', "terminated"),
        ('{"value": null}', "empty"),
        ('{"value": ""}', "empty"),
        ('{"value": {}}', "empty"),
        ('{"ready": true, "build": {"type": "x"}}', "no tree of elements"),
        ('{"type": "Feature", "geometry": {}}', "no tree of elements"),
        ('<html><script>{"type": "Other"}</script></html>', "web page"),
        (BARE[: len(BARE) // 2], "cut off or damaged"),
        (as_json(SCREEN)[:-1], "cut off or damaged"),
        ('{"type":"Other","children":[' * 50_000 + "]}" * 50_000, "nested too deeply"),
        ('{"type":"Other","rect":{"x":1' + "0" * 5000 + "}}", "cut off or damaged"),
    ],
)
def test_what_is_no_screen_says_why(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        Snapshot.parse(source)


def test_a_contradicted_platform_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="of ios, not of android"):
        Snapshot.parse(BARE, "android")


def one(**given: Any) -> Snapshot:
    return parse(json.dumps({"type": "Button", "children": [], **given}))


@pytest.mark.parametrize(
    ("written", "bounds"),
    [
        ({"rect": {"x": 1, "y": 2, "width": 3, "height": 4}}, Rect(1, 2, 4, 6)),
        ({"rect": {"x": "1", "y": 2.5, "width": 3, "height": 4}}, Rect(1, 3, 4, 7)),
        ({"frame": "{{1, 2}, {3, 4}}"}, Rect(1, 2, 4, 6)),
        ({"frame": "{{inf, inf}, {0, 0}}"}, Rect(0, 0, 0, 0)),
        ({"frame": "elsewhere"}, Rect(0, 0, 0, 0)),
        ({"rect": {"x": float("inf"), "y": float("nan"), "width": 1, "height": 1}}, Rect(0, 0, 0, 0)),
        ({"rect": {"x": 10**400, "y": 0, "width": 1, "height": 1}}, Rect(0, 0, 0, 0)),
        ({"rect": {"x": None, "y": [], "width": {}, "height": True}}, Rect(0, 0, 0, 0)),
        ({"rect": "wide"}, Rect(0, 0, 0, 0)),
        ({}, Rect(0, 0, 0, 0)),
    ],
)
def test_places_are_read_as_far_as_they_are_numbers(written: dict[str, Any], bounds: Rect) -> None:
    assert one(**written).nodes[0].bounds == bounds


@pytest.mark.parametrize(
    ("reported", "expected"), [("1", True), ("0", False), (True, True), (False, False), (1, True), (None, None)]
)
def test_flags_come_as_texts_numbers_or_booleans(reported: object, expected: bool | None) -> None:
    node = one(isEnabled=reported, isVisible=reported, isFocused=reported).nodes[0]
    assert (node.states.enabled, node.states.focused) == (expected, expected)
    assert node.visible is (expected is not False)


def test_the_identifier_goes_before_the_name() -> None:
    node = one(rawIdentifier="pay", name="Pay", label="Pay").nodes[0]
    assert (node.resource_id, node.text) == ("pay", "Pay")
    assert one(rawIdentifier=None, name="Pay", label="Pay").nodes[0].resource_id == ""


def test_what_is_no_element_is_passed_over() -> None:
    children: list[Any] = [None, 7, "x", [], {"type": "Cell", "label": ["x"], "children": {"type": 3}}]
    snapshot = one(children=children)
    assert [node.class_name for node in snapshot.nodes] == ["Button", "Cell", "Any"]
    assert snapshot.nodes[1].text == ""


def test_half_a_character_can_be_written_again() -> None:
    node = one(label="a\ud83d").nodes[0]
    assert node.text.encode().decode() == "a\ufffd"
    assert parse(json.dumps({"type": "Button", "label": "\ud83d\ude00", "children": []})).nodes[0].text == "😀"


def test_an_envelope_whose_tree_has_a_value_is_no_error() -> None:
    source = json.dumps({"type": "Button", "value": "<b>", "label": "Bold", "children": []})
    assert parse(source).nodes[0].value == "<b>"


def test_an_application_alone_is_a_screen() -> None:
    assert parse(as_json(app())).app == "Shop"


def test_a_frame_is_more_exact_than_a_rect_and_one_that_is_nowhere_is_none() -> None:
    tree = {"type": "Button", "label": "Go", "rect": {"x": 10, "y": 20, "width": 31, "height": 41}}
    exact = {**tree, "frame": "{{10.333, 20.666}, {30.333, 40}}"}
    assert Snapshot.parse(json.dumps(exact), scale=3.0).find(text="Go").bounds == Rect(31, 62, 122, 182)
    nowhere = {**tree, "frame": "{{inf, inf}, {0, 0}}"}
    assert Snapshot.parse(json.dumps(nowhere)).find(text="Go").bounds == Rect(10, 20, 41, 61)


KEYS = ("type", "label", "name", "value", "rect", "frame", "isVisible", "isEnabled", "traits", "placeholderValue")
KINDS = (
    "Application",
    "Window",
    "Alert",
    "Cell",
    "Switch",
    "TextField",
    "Keyboard",
    "ScrollView",
    "NavigationBar",
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from(KINDS), st.just("1")
)
TREES = st.recursive(
    st.dictionaries(st.sampled_from(KEYS), SCALARS, max_size=6),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(KINDS), "rect": st.dictionaries(st.sampled_from("xy"), SCALARS)},
        optional={"children": st.lists(inner, max_size=4), "label": SCALARS, "frame": SCALARS},
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(TREES)
@settings(deadline=None, max_examples=150)
def test_any_json_ends_in_a_snapshot_or_a_snapshot_error(tree: dict[str, Any]) -> None:
    try:
        snapshot = Snapshot.parse(json.dumps(tree))
    except SnapshotError:
        return
    assert snapshot.outline().encode()
    assert len({element.ref for element in snapshot.elements}) == len(snapshot.elements)
