"""Refs: unique, lasting, and printed as briefly as possible."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.model import Anchor, Element, Rect, is_ref
from pytest_replicant.snapshots.identity.refs import (
    Identity,
    Likeness,
    Surroundings,
    identify,
    print_refs,
)

from ..screens import node, parse, screen, text

WORDS = st.sampled_from(["", "Add", "Milk", "Bread", "id/x", "id/y"])
LIKENESSES = st.builds(
    lambda kind, resource_id, label, title, place: Likeness(
        kind,
        resource_id,
        label,
        label,
        title,
        title,
        Rect(place[0], place[1], place[0] + 9, place[1] + 9),
    ),
    st.sampled_from(["Button", "TextView"]),
    WORDS,
    WORDS,
    WORDS,
    st.tuples(st.integers(0, 50), st.integers(0, 50)),
)


class Nothing(Surroundings):
    """Surroundings that tell nothing apart."""

    def __init__(self) -> None:
        pass

    def section(self, index: int) -> str:
        return ""

    def ids(self, index: int) -> str:
        return ""


def named(elements: list[Likeness]) -> list[Identity]:
    return identify(elements, Nothing())


def distinct_places(elements: list[Likeness]) -> bool:
    return len({element.bounds for element in elements}) == len(elements)


@pytest.mark.slow
@given(st.lists(LIKENESSES, max_size=30).filter(distinct_places), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_identities_are_unique_and_do_not_depend_on_the_order(
    elements: list[Likeness], chance: st.DrawFn | object
) -> None:
    shuffled = list(elements)
    chance.shuffle(shuffled)  # type: ignore[union-attr]  # hypothesis hands out a random.Random
    before = dict(zip(elements, named(elements), strict=True))
    after = dict(zip(shuffled, named(shuffled), strict=True))
    assert before == after
    assert len({identity.digest for identity in before.values()}) == len(elements)


@pytest.mark.slow
@given(st.lists(LIKENESSES, min_size=1, max_size=12).filter(distinct_places), LIKENESSES)
@settings(deadline=None)
def test_strangers_do_not_change_an_identity(elements: list[Likeness], newcomer: Likeness) -> None:
    if newcomer.bounds in {element.bounds for element in elements}:
        return
    before, after = named(elements), named([*elements, newcomer])
    for element, was, now in zip(elements, before, after, strict=False):
        kin = element.class_name == newcomer.class_name and element.label == newcomer.label
        if not kin and (not element.resource_id or element.resource_id != newcomer.resource_id):
            assert was == now


@pytest.mark.slow
@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=60))
def test_printed_refs_are_distinct_and_well_formed(digests: list[int]) -> None:
    refs = print_refs(digests, {}, {})
    assert len(set(refs)) == len(refs)
    assert all(re.fullmatch(r"[a-z][0-9]{3,15}", ref) for ref in refs)
    assert dict(zip(reversed(digests), print_refs(digests[::-1], {}, {}), strict=True)) == dict(
        zip(digests, refs, strict=True)
    )


def test_two_that_would_share_a_ref_both_grow() -> None:
    one = 26 * 123_400_000_000_000
    other = 26 * 123_500_000_000_000
    assert print_refs([one], {}, {}) == ["a123"]
    assert print_refs([one, other], {}, {}) == ["a1234", "a1235"]


def test_a_ref_that_was_printed_is_kept_and_never_given_to_another() -> None:
    one = 26 * 123_400_000_000_000
    other = 26 * 123_500_000_000_000
    assert print_refs([one, other], {"a123": one}, {one: "a123"}) == ["a123", "a1235"]
    assert print_refs([other], {"a123": one}, {one: "a123"}) == ["a1235"]


@pytest.mark.parametrize("string", ["k42", "K427", "k427b", "k" + "1" * 16, "", "k٤٢٧"])
def test_what_looks_like_no_ref(string: str) -> None:
    assert is_ref("k427")
    assert not is_ref(string)


APP = "dev.shop:id/"


def icon(left: int, top: int) -> str:
    return node("ImageView", at=(left, top, left + 90, top + 90), clickable="true")


def volume(name: str, top: int) -> tuple[str, ...]:
    """A caption above two nameless buttons, as sound settings have them."""
    return (text(name, at=(0, top, 300, top + 40)), icon(0, top + 50), icon(500, top + 50))


def pane(*inside: str, **attributes: str) -> str:
    return node("ScrollView", *inside, at=(0, 100, 1080, 2400), scrollable="true", **attributes)


def icons(source: str) -> list[Element]:
    return [element for element in parse(source).elements if element.class_name == "ImageView"]


def test_nameless_buttons_belong_to_the_label_before_them() -> None:
    one = icons(screen(pane(*volume("Media", 200), *volume("Calls", 400))))
    assert [element.section for element in one] == ["Media", "Media", "Calls", "Calls"]
    assert [element.twins and element.twins.size for element in one] == [2, 2, 2, 2]


def test_a_label_on_the_same_line_to_the_right_is_not_before() -> None:
    captions = [text("Name", at=(0, 210, 300, 250)), text("Off", at=(200, 320, 400, 360))]
    found = icons(screen(*captions, icon(0, 300), icon(0, 900)))
    assert [element.section for element in found] == ["Name", ""]


def test_a_label_in_another_pane_heads_nothing() -> None:
    found = icons(screen(text("Photos", at=(0, 120, 300, 160)), pane(icon(0, 200), icon(500, 200))))
    assert [element.section for element in found] == ["", ""]
    assert [element.anchors for element in found] == [(Anchor("", Rect(0, 100, 1080, 2400)),)] * 2


def test_a_place_is_measured_from_the_labels_before_and_after_that_are_there_once() -> None:
    captions = [text("Media", at=(0, 100, 300, 140)), text("Off", at=(0, 400, 300, 440))]
    twice = [text("5", at=(0, 150, 90, 190)), text("5", at=(0, 350, 90, 390))]
    found = icons(screen(*captions, *twice, icon(0, 200), icon(500, 200)))
    assert [[anchor.label for anchor in element.anchors] for element in found] == [
        ["Media", "Off"]
    ] * 2


def test_the_ids_around_distinguish_what_labels_do_not() -> None:
    source = screen(
        node("FrameLayout", icon(0, 200), resource_id=APP + "left"),
        node("FrameLayout", icon(500, 200), resource_id=APP + "right"),
        node("FrameLayout", icon(800, 200), resource_id="android:id/content"),
    )
    left, right, rest = icons(source)
    assert [element.fragile for element in (left, right, rest)] == [False, False, False]
    assert len({left.identity, right.identity, rest.identity}) == 3


def test_a_screen_deep_as_a_well_is_climbed_once() -> None:
    source = text("Deep", at=(0, 0, 90, 40)) + icon(0, 200) + icon(500, 200)
    for _ in range(200):
        source = node("FrameLayout", source)
    assert [element.section for element in icons(screen(source))] == ["Deep", "Deep"]
