"""Mutations change what they say, and the truth of which node is which outlives them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.mutations import MUTATIONS, Mutation, mutate, named
from benchmarks.replay import Replay
from benchmarks.scoring import Screen, read
from benchmarks.tree import Tree, box

from ..snapshots import screens
from ..snapshots.screens import button, catalogue, hierarchy, node, row, text

NAMES = ("Blue mug", "Red cup", "Tall glass", "Flat plate", "Deep bowl")


def shop() -> Tree:
    """A title, a list of five rows, a field and a switch: every mutation finds something to change."""
    rows = [row(name, f"{number}.90", 400 + number * 100) for number, name in enumerate(NAMES)]
    parts = (
        text("Welcome back", at=(0, 100, 900, 180), resource_id="dev.shop:id/greeting"),
        node("EditText", at=(0, 200, 900, 300), hint="Search", text="", clickable="true"),
        node("Switch", at=(900, 200, 1080, 300), text="OFF", checkable="true", checked="false", clickable="true"),
        catalogue(*rows),
    )
    screen = node("FrameLayout", node("LinearLayout", *parts))
    return Tree.read(hierarchy(screen).encode())


def apply(name: str, tree: Tree | None = None) -> tuple[Screen, Screen]:
    changed = mutate(tree or shop(), named(name), "a capture")
    assert changed is not None
    session = Replay()
    before, after = (read(one, session) for one in changed)
    return before, after


def places(screen: Screen, wanted: Callable[[str], bool] = bool) -> dict[str, tuple[str, int, int]]:
    """By key: label, left and top of the elements with a label."""
    return {
        screen.key(element): (element.label, element.bounds.left, element.bounds.top)
        for element in screen.snapshot.elements
        if wanted(element.label)
    }


def tops(screen: Screen) -> dict[str, int]:
    """Where the rows begin, by their first text."""
    return {label: top for label, _, top in places(screen).values() if label in NAMES}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_mutation_says_what_it_does_and_does_it_the_same_way_each_time(mutation: Mutation) -> None:
    tree = shop()
    original = tree.to_bytes()
    first, again = mutate(tree, mutation, "a capture"), mutate(shop(), mutation, "a capture")
    assert first is not None
    assert again is not None
    assert first[1].to_bytes() == again[1].to_bytes()
    assert first[1].to_bytes() != first[0].to_bytes()
    assert tree.to_bytes() == original
    assert len(mutation.says) > 20


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_surviving_nodes_are_known_after_every_mutation(mutation: Mutation) -> None:
    before, after = apply(mutation.name)
    assert len(after.keys) == len(set(after.keys)) == len(after.snapshot.nodes)
    kept = {key: place for key, place in places(before).items() if key in places(after)}
    textual = {"text_changed", "row_detail", "counter", "translation"}
    if mutation.name not in textual:
        assert {key: place[0] for key, place in places(after).items() if key in kept} == {
            key: place[0] for key, place in kept.items()
        }
    if mutation.group not in ("bait",):
        assert kept


@pytest.mark.parametrize("pixels", [1, 10, 40])
def test_jitter_moves_by_exactly_so_many_pixels(pixels: int) -> None:
    tree = shop()
    changed = mutate(tree, named(f"jitter_{pixels}"), "a capture")
    assert changed is not None
    steps = set()
    for was, now in zip(tree.nodes(), changed[1].nodes(), strict=True):
        if box(was).left >= 40 and box(was).right < 1000 and box(was).top >= 40 and box(was).bottom < 2300:
            steps |= {abs(box(now).left - box(was).left), abs(box(now).top - box(was).top)}
    assert steps <= {0, pixels}
    assert any(box(was) != box(now) for was, now in zip(tree.nodes(), changed[1].nodes(), strict=True))


def test_density_and_rotation_rescale_the_screen() -> None:
    before, dense = apply("density")
    assert dense.snapshot.size == (1350, 3000)
    assert tops(dense)["Red cup"] == tops(before)["Red cup"] * 1.25
    assert apply("rotation")[1].snapshot.size == (2400, 1080)


def test_a_list_scrolled_by_whole_rows_shows_others_in_the_same_places_and_drops_what_left() -> None:
    before, after = apply("scroll_rows")
    assert set(tops(after).values()) < set(tops(before).values())
    gone = set(tops(before)) - set(tops(after))
    assert gone
    assert gone == set(list(NAMES)[: len(gone)])


def test_new_rows_follow_from_below() -> None:
    before, after = apply("scroll_new")
    fresh = set(places(after)) - set(places(before))
    assert fresh
    assert min(places(after)[key][2] for key in fresh) > max(tops(after).values())


@pytest.mark.parametrize(("name", "moved"), [("row_first", 100), ("row_removed", -100)])
def test_rows_after_one_that_came_or_went_move(name: str, moved: int) -> None:
    before, after = apply(name)
    shifts = {tops(after)[label] - tops(before)[label] for label in tops(after)}
    assert shifts <= {0, moved}
    assert moved in shifts
    assert len(tops(after)) == (5 if name == "row_first" else 4)


def test_an_inserted_row_has_texts_of_its_own_and_the_button_all_rows_have() -> None:
    before, after = apply("row_middle")
    fresh = [place[0] for key, place in places(after).items() if key not in places(before)]
    assert "Add" in fresh
    assert not set(fresh) & (set(NAMES) | {f"{number}.90" for number in range(5)})


def test_swapped_rows_take_all_they_hold_with_them() -> None:
    before, after = apply("rows_swapped")
    assert sorted(tops(before).values()) == sorted(tops(after).values())
    assert sum(tops(before)[label] != tops(after)[label] for label in NAMES) == 2
    assert [label for label, *_ in places(after).values() if label in NAMES] == sorted(
        NAMES, key=lambda name: tops(after)[name]
    )


def test_baited_rows_are_others_in_the_same_places() -> None:
    before, after = apply("other_rows")
    assert not tops(after)
    in_list = {key for key, (_, _, top) in places(before).items() if top >= 400}
    assert in_list
    assert not in_list & set(after.keys)
    assert {(left, top) for _, left, top in places(before).values()} == {
        (left, top) for _, left, top in places(after).values()
    }


def test_a_baited_dialog_has_other_buttons_of_the_same_ids() -> None:
    before, after = apply("other_dialog")
    ids = [element.resource_id for element in before.snapshot.elements]
    assert ids == [element.resource_id for element in after.snapshot.elements]
    assert {"ALLOW", "TURN OFF"} <= {e.label for e in (*before.snapshot.elements, *after.snapshot.elements)}
    assert not set(places(before)) & set(places(after))


def test_a_form_is_no_list_of_items() -> None:
    parts = [
        node("LinearLayout", button(name, at=(0, top, 500, top + 90), resource_id=f"dev.shop:id/{name}"),
             at=(0, top, 1080, top + 90))
        for top, name in ((400, "name"), (500, "street"), (600, "town"))
    ]  # fmt: skip
    form = Tree.read(screens.screen(node("ScrollView", *parts, scrollable="true")).encode())
    assert mutate(form, named("other_rows"), "a form") is None
    assert mutate(form, named("row_first"), "a form") is None


def test_what_a_banner_pushes_off_the_screen_is_no_longer_reported() -> None:
    low = button("Pay", at=(0, 2390, 1080, 2400))
    tree = Tree.read(hierarchy(node("FrameLayout", text("Cart"), low)).encode())
    assert named("banner").change(tree, Random(1))
    assert "Pay" not in {node.get("text") for node in tree.nodes()}
    assert box(next(node for node in tree.nodes() if node.get("text") == "Cart")).top == 200 + 2400 // 12


def test_what_a_screen_says_on_ios_is_changed_in_all_its_attributes() -> None:
    source = (
        '<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" label="Shop" visible="true" '
        'x="0" y="0" width="390" height="844"><XCUIElementTypeStaticText type="XCUIElementTypeStaticText" '
        'value="Milk" name="Milk" label="Milk" visible="true" x="10" y="100" width="100" height="20"/>'
        "</XCUIElementTypeApplication>"
    )
    tree = Tree.read(source.encode())
    assert named("translation").change(tree, Random(1))
    milk = tree.nodes()[1]
    assert milk.get("label") not in (None, "Milk")
    assert milk.get("label") == milk.get("name") == milk.get("value")
    assert named("density").change(tree, Random(1))
    assert (milk.get("x"), milk.get("width")) == ("12", "126")
