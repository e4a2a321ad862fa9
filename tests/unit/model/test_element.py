"""The values of a snapshot: cheap to make, immutable, and printed within their quotes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from pytest_replicant.model import Element, Node, Rect, States
from tests.unit.snapshots.screens import button, parse, screen

NODE = Node(
    index=3, parent=-1, children=(), class_name="Button", package="", resource_id="add", text="Add",
    description="", hint="", bounds=Rect(0, 0, 10, 20), states=States(), clickable=True,
    long_clickable=False, checkable=False, visible=True, window=0,
)  # fmt: skip
ELEMENT = Element(ref="k427", identity=7, fragile=False, label="Add", node=NODE, snapshot_id="s1")


def test_an_element_is_not_changed_and_a_copy_differs_in_what_was_asked_for() -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(ELEMENT, "label", "other")  # noqa: B010
    other = replace(ELEMENT, label="Added", value="1")
    assert (other.label, other.value, other.ref, other.node) == ("Added", "1", "k427", NODE)
    assert (ELEMENT.label, ELEMENT.value, ELEMENT.folded, ELEMENT.family) == ("Add", None, (), None)


def test_a_label_stays_inside_its_quotes() -> None:
    (element,) = parse(screen(button('OK" in row "All \\'))).elements
    assert element.describe() == f'[{element.ref}] Button "OK\\" in row \\"All \\\\"'
