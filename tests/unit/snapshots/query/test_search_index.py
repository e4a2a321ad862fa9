"""The search index, and the relations between nodes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.model import by
from pytest_replicant.snapshots.query.search_index import (
    SearchIndex,
    holding,
    inside,
    nearest,
    sharing_row,
)

from ..screens import button, node, parse, screen, text


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
        return node(
            "View",
            *map(write, inside.get(number, [])),
            at=(left, top, left + 60, top + 60),
            text=label,
        )

    place = parse(screen(write(0)))._search_index
    indexes = st.lists(st.integers(0, len(place.layout.nodes) - 1), unique=True).map(sorted)
    return place, draw(indexes), draw(indexes)


Drawn = tuple[SearchIndex, list[int], list[int]]


def holds(place: SearchIndex, outer: int, inner: int) -> bool:
    return outer < inner < place.layout.ends[outer]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(places())
def test_they_mean_what_they_say(drawn: Drawn) -> None:
    place, found, others = drawn
    assert inside(place, found, others) == [
        i for i in found if any(holds(place, o, i) for o in others)
    ]
    assert holding(place, found, others) == [
        i for i in found if any(holds(place, i, o) for o in others)
    ]
    assert nearest(place, found, others) == plainly_nearest(place, found, others)
    assert set(sharing_row(place, found, others)) <= set(found)


def plainly_nearest(place: SearchIndex, found: list[int], anchors: list[int]) -> list[int]:
    nodes, ends = place.layout.nodes, place.layout.ends

    def rank(anchor: int, index: int) -> tuple[int, float]:
        shared = [
            n for n in range(len(nodes)) if n <= min(anchor, index) and max(anchor, index) < ends[n]
        ]
        one, other = nodes[anchor].bounds, nodes[index].bounds
        across = max(one.left - other.right, other.left - one.right, 0)
        down = max(one.top - other.bottom, other.top - one.bottom, 0)
        return min((ends[n] - n for n in shared), default=10**9), across**2 + down**2

    ranks = {(i, a): rank(a, i) for i in found for a in anchors if i != a}
    ranks = {pair: value for pair, value in ranks.items() if value[0] < 10**9}
    best = min(ranks.values(), default=None)
    return sorted({i for (i, _), value in ranks.items() if value == best})
