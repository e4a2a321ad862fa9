"""The search index, and the relations between nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.model import Node, by
from pytest_replicant.snapshots.query.search_index import (
    SearchIndex,
    holding,
    inside,
    is_typed,
    nearest,
    sharing_row,
)

from ..screens import button, hierarchy, labels_of, node, parse, screen, text


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
def test_a_label_that_may_have_been_typed_is_reported(attributes: dict[str, str], label: str, typed: bool) -> None:
    written = node("EditText", at=(0, 300, 90, 390), **attributes)
    (element,) = parse(screen(written)).elements
    assert is_typed(element.node, label) == typed


@st.composite
def places(draw: st.DrawFn) -> tuple[SearchIndex, list[int], list[int]]:
    """A screen of nested boxes, with two choices of its nodes."""
    parents = draw(st.lists(st.integers(0, 11), min_size=1, max_size=12))
    inside: dict[int, list[int]] = {}
    for child, parent in enumerate(parents, start=1):
        inside.setdefault(parent % child, []).append(child)

    def write(number: int) -> str:
        left, top = draw(st.integers(0, 9)) * 40, draw(st.integers(0, 9)) * 40
        label = draw(st.sampled_from(["", "a", "b"]))
        return node("View", *map(write, inside.get(number, [])), at=(left, top, left + 60, top + 60), text=label)

    place = parse(screen(write(0)))._search_index
    indexes = st.lists(st.integers(0, len(place.layout.nodes) - 1), unique=True).map(sorted)
    return place, draw(indexes), draw(indexes)


Drawn = tuple[SearchIndex, list[int], list[int]]


def holds(place: SearchIndex, outer: int, inner: int) -> bool:
    return outer < inner < place.layout.ends[outer]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(places())
def test_they_mean_what_they_say(drawn: Drawn) -> None:
    place, found, others = drawn
    assert inside(place, found, others) == [i for i in found if any(holds(place, o, i) for o in others)]
    assert holding(place, found, others) == [i for i in found if any(holds(place, i, o) for o in others)]
    assert nearest(place, found, others) == plainly_nearest(place, found, others)
    assert set(sharing_row(place, found, others)) <= set(found)


def plainly_nearest(place: SearchIndex, found: list[int], anchors: list[int]) -> list[int]:
    nodes, ends = place.layout.nodes, place.layout.ends

    def rank(anchor: int, index: int) -> tuple[int, float]:
        shared = [n for n in range(len(nodes)) if n <= min(anchor, index) and max(anchor, index) < ends[n]]
        one, other = nodes[anchor].bounds, nodes[index].bounds
        across = max(one.left - other.right, other.left - one.right, 0)
        down = max(one.top - other.bottom, other.top - one.bottom, 0)
        return min((ends[n] - n for n in shared), default=10**9), across**2 + down**2

    ranks = {(i, a): rank(a, i) for i in found for a in anchors if i != a}
    ranks = {pair: value for pair, value in ranks.items() if value[0] < 10**9}
    best = min(ranks.values(), default=None)
    return sorted({i for (i, _), value in ranks.items() if value == best})


def line(*inside: str, top: int, kind: str = "LinearLayout") -> str:
    return node(kind, *inside, at=(0, top, 1080, top + 90))


def labelled(name: str, top: int, left: int = 0) -> str:
    return text(name, at=(left, top, left + 90, top + 90))


def delete(top: int) -> str:
    return button("Delete", at=(500, top, 600, top + 90))


@pytest.mark.parametrize(
    ("what", "source"),
    [
        (
            "rows of their own",
            [line(labelled("Milk", 300), delete(300), top=300), line(labelled("Bread", 400), top=400)],
        ),
        ("one part for all", [labelled("Milk", 300), delete(300), labelled("Bread", 400)]),
        (
            "rows of several kinds",
            [
                line(labelled("Milk", 300), delete(300), top=300, kind="FrameLayout"),
                line(labelled("Bread", 400), top=400),
                line(labelled("Eggs", 500), delete(500), top=500, kind="RelativeLayout"),
            ],
        ),
    ],
)
def test_a_button_of_another_row_is_never_taken(what: str, source: list[str]) -> None:
    snapshot = parse(screen(*source))
    assert snapshot.match(by(text="Delete", row_with=by(text="Bread"))) == []
    (found,) = snapshot.match(by(text="Delete", row_with=by(text="Milk")))
    assert found.bounds.top == 300


def test_a_card_without_neighbours_is_a_row() -> None:
    card = line(labelled("Blue mug", 300), labelled("£9.90", 400), button("Add", at=(0, 500, 90, 590)), top=300)
    snapshot = parse(screen(card))
    assert len(snapshot.match(by(text="Add", row_with=by(text="Blue mug")))) == 1


def test_a_pane_is_no_row() -> None:
    many = [labelled(f"Line {number}", 300 + number * 90) for number in range(14)]
    snapshot = parse(screen(*many, button("Add", at=(500, 2000, 600, 2090))))
    assert snapshot.match(by(text="Add", row_with=by(text="Line 3"))) == []


def test_the_row_itself_is_in_its_row() -> None:
    rows = [line(labelled(name, top), delete(top), top=top) for name, top in (("Milk", 300), ("Bread", 400))]
    place = parse(screen(*rows))._search_index
    (milk,) = place.named["Milk"]
    row = place.layout.nodes[milk].parent
    assert sharing_row(place, [row], [milk]) == [row]
    assert sharing_row(place, [row], place.named["Bread"]) == []


def test_near_goes_by_what_is_shared_before_distance() -> None:
    snapshot = parse(
        screen(
            line(labelled("Milk", 300), button("Pick", at=(900, 300, 990, 390)), top=300),
            line(button("Pick", at=(0, 391, 90, 480)), labelled("Bread", 391, left=500), top=391),
        )
    )
    (found,) = snapshot.match(by(text="Pick", near=by(text="Milk")))
    assert found.bounds.left == 900


def test_what_is_as_near_is_returned_too() -> None:
    snapshot = parse(
        screen(labelled("Here", 400, left=400), *(button("Pick", at=(x, 400, x + 90, 490)) for x in (200, 600)))
    )
    assert len(snapshot.match(by(text="Pick", near=by(text="Here")))) == 2


def test_nothing_is_near_itself() -> None:
    snapshot = parse(screen(button("One"), button("Two", at=(500, 300, 600, 400))))
    assert labels_of(snapshot.match(by(class_name="Button", near=by(text="One")))) == ["Two"]
    assert parse(screen(button("One"))).match(by(class_name="Button", near=by(text="One"))) == []


def big(labels: int, buttons: int) -> str:
    """One flat part of the screen, the worst case: everything shares one container."""

    def place(number: int, left: int) -> tuple[int, int, int, int]:
        x, y = left + number // 2000 * 100, number % 2000
        return x, y, x + 90, y + 1

    texts = (text(f"Label {number}", at=place(number, 0)) for number in range(labels))
    return screen(*texts, *(button("Add", at=place(number * 4, 500)) for number in range(buttons)))


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("keyword", [nearest, sharing_row, holding, inside])
def test_five_thousand_nodes_are_no_trouble(
    keyword: Callable[[SearchIndex, list[int], list[int]], list[int]],
) -> None:
    place = parse(big(5000, 500))._search_index
    nodes = Counting(place.layout.nodes)
    counted = replace(place, layout=replace(place.layout, nodes=nodes))
    found, everything = counted.named["Add"], list(counted.shown)
    assert len(found) == 500
    keyword(counted, found, everything)
    assert nodes.asked < 100_000  # every pair would be 2,750,000


class Counting(tuple[Node, ...]):
    """Nodes that count how often one is looked at."""

    asked = 0

    def __getitem__(self, key):  # type: ignore[no-untyped-def]  # as the tuple has it
        self.asked += 1
        return super().__getitem__(key)
