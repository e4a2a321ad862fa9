"""What a screen is searched by."""

from __future__ import annotations

import pytest

from pytest_replicant.model import by
from pytest_replicant.snapshots.query.search_index import is_typed

from ..screens import button, hierarchy, node, parse, screen, text


def test_nodes_are_found_by_label_id_and_class() -> None:
    hidden = node("View", text="Add", at=(0, 5000, 90, 5090), resource_id="dev.shop:id/add")
    place = parse(screen(button("Add", resource_id="dev.shop:id/add"), hidden))._search_index
    assert place.named == {"Add": [1]}
    assert place.identified == {"add": [1, 2], "dev.shop:id/add": [1, 2]}
    assert place.of_class == {"FrameLayout": [0], "Button": [1], "View": [2]}
    assert list(place.shown) == [0, 1]


def test_the_part_around_is_the_next_with_another_label() -> None:
    inner = node("View", node("View", button("Add")))
    place = parse(hierarchy(node("FrameLayout", node("View", inner, text("Milk")))))._search_index
    add, milk = place.named["Add"][0], place.named["Milk"][0]
    assert place.wider[add] == place.layout.nodes[milk].parent
    assert place.wider[0] == -1
    assert place.count_labels(0) == 2


def test_landmarks_are_what_one_lasting_name_belongs_to() -> None:
    place = parse(
        screen(
            button("Pay", resource_id="a:id/pay"),
            button("Help", at=(0, 400, 90, 490)),
            button("Add", at=(0, 500, 90, 590)),
            button("Add", at=(0, 600, 90, 690)),
            text("Cart 3", at=(0, 700, 90, 790)),
            text("x" * 61, at=(0, 800, 90, 890)),
            button("Go", at=(0, 900, 90, 990), resource_id="android:id/button1"),
            button("On", at=(0, 1000, 90, 1090), resource_id="row-17"),
            node("EditText", at=(0, 1100, 90, 1190), text="ada"),
        )
    )._search_index
    assert list(place.landmarks.values()) == [by(resource_id="pay"), by(text="Help"), by(text="Go")]
    assert place.landmark_order == sorted(place.landmarks)


@pytest.mark.parametrize(
    ("attributes", "label", "typed"),
    [
        ({"text": "ada"}, "ada", True),
        ({"text": "ada"}, "Name", False),
        ({"text": "Name", "hint": "Name"}, "Name", False),
        ({"text": "Name", "content_desc": "Name"}, "Name", False),
    ],
)
def test_a_label_that_may_have_been_typed_is_told(attributes: dict[str, str], label: str, typed: bool) -> None:
    written = node("EditText", at=(0, 300, 90, 390), **attributes)
    (element,) = parse(screen(written)).elements
    assert is_typed(element.node, label) == typed
