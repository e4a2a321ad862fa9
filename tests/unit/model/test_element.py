"""The values of a snapshot: cheap to make, immutable, and printed within their quotes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from pytest_replicant.model import Element, Node, Point, Rect, States
from tests.unit.snapshots.screens import button, parse, screen

NODE = Node(
    index=3, parent=-1, children=(), class_name="Button", package="", resource_id="add", text="Add",
    description="", hint="", bounds=Rect(0, 0, 10, 20), states=States(), clickable=True, long_clickable=False,
    checkable=False, visible=True, window=0,
)  # fmt: skip
ELEMENT = Element(ref="k427", identity=7, fragile=False, label="Add", node=NODE, snapshot_id="s1")


def test_what_is_not_given_has_its_default() -> None:
    assert (ELEMENT.value, ELEMENT.folded, ELEMENT.twins, ELEMENT.family) == (None, (), None, None)
    assert (NODE.pane_title, NODE.value) == ("", None)


@pytest.mark.parametrize("name", ["label", "value", "anything"])
def test_an_element_is_not_changed(name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(ELEMENT, name, "other")
    assert ELEMENT.label == "Add"


@pytest.mark.parametrize(("value", "name"), [(NODE, "text"), (NODE.bounds, "left"), (Point(1, 2), "x")])
def test_nodes_and_places_are_not_changed(value: object, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(value, name, 5)


def test_a_copy_differs_in_what_was_asked_for() -> None:
    other = replace(ELEMENT, label="Added", value="1")
    assert (other.label, other.value, other.ref, other.node) == ("Added", "1", "k427", NODE)
    assert ELEMENT.label == "Add"
    assert replace(NODE, text="Added").resource_id == "add"


def test_equal_values_are_equal() -> None:
    assert replace(NODE, text="Add") == NODE
    assert replace(NODE, text="Added") != NODE
    assert {Rect(1, 2, 3, 4), Rect(1, 2, 3, 4)} == {Rect(1, 2, 3, 4)}


def test_a_label_stays_inside_its_quotes() -> None:
    (element,) = parse(screen(button('OK" in row "All \\'))).elements
    assert element.describe() == f'[{element.ref}] Button "OK\\" in row \\"All \\\\"'
