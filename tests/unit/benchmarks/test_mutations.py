"""Mutations change what they say, and the truth of which node is which outlives them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.mutations import MUTATIONS, Mutation, mutate, named
from benchmarks.replay import Replay
from benchmarks.scoring import Screen, read
from benchmarks.tree import UNKNOWN, Tree, box, class_of

from ..snapshots import screens
from ..snapshots.screens import button, catalogue, hierarchy, node, row, text

NAMES = ("Blue mug", "Red cup", "Tall glass", "Flat plate", "Deep bowl")


def shop() -> Tree:
    """A title, a list of five rows, a field and a switch: every mutation finds something to
    change."""
    rows = [row(name, f"{number}.90", 400 + number * 100) for number, name in enumerate(NAMES)]
    parts = (
        text("Welcome back", at=(0, 100, 900, 180), resource_id="dev.shop:id/greeting"),
        node("EditText", at=(0, 200, 900, 300), hint="Search", text="", clickable="true"),
        node(
            "Switch",
            at=(900, 200, 1080, 300),
            text="OFF",
            checkable="true",
            checked="false",
            clickable="true",
        ),
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
def test_every_mutation_says_what_it_does_and_does_it_the_same_way_each_time(
    mutation: Mutation,
) -> None:
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
    textual = {"text_changed", "row_detail", "counter", "translation", "one_text", "row_title"}
    if mutation.name not in textual | {
        "title_counts",
        "title_changed",
        "tab_switched",
        "other_tab",
    }:
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
        if (
            box(was).left >= 40
            and box(was).right < 1000
            and box(was).top >= 40
            and box(was).bottom < 2300
        ):
            steps |= {abs(box(now).left - box(was).left), abs(box(now).top - box(was).top)}
    assert steps <= {0, pixels}
    assert any(
        box(was) != box(now) for was, now in zip(tree.nodes(), changed[1].nodes(), strict=True)
    )


def test_density_and_rotation_rescale_the_screen() -> None:
    before, dense = apply("density")
    assert dense.snapshot.size == (1350, 3000)
    assert tops(dense)["Red cup"] == tops(before)["Red cup"] * 1.25
    assert apply("rotation")[1].snapshot.size == (2400, 1080)


def test_a_list_scrolled_by_whole_rows_shows_others_in_the_same_places_and_drops_what_left() -> (
    None
):
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


def test_rotated_rows_follow_each_other_in_the_same_places() -> None:
    before, after = apply("rows_rotated")
    assert sorted(tops(before).values()) == sorted(tops(after).values())
    assert sorted(NAMES, key=lambda name: tops(after)[name]) == [*NAMES[1:], NAMES[0]]


@pytest.mark.parametrize("name", ["touched_swapped", "touched_pushed"])
def test_rows_move_whose_words_stand_in_a_part_to_touch_next_to_a_wordless_button(
    name: str,
) -> None:
    before, after = apply(name)
    rows = {label: top for label, _, top in places(before).values() if label in NAMES}
    assert len(rows) == 5
    for screen_of in (before, after):
        buttons = [e for e in screen_of.snapshot.elements if e.resource_id == "android:id/checkbox"]
        assert len(buttons) in (5, 6)
        assert {e.node.text for e in buttons} == {""}
        assert {e.bounds.top for e in buttons} >= {
            top for label, _, top in places(screen_of).values() if label in NAMES
        }
    moved = sum(tops(before)[label] != tops(after)[label] for label in tops(after))
    assert moved == (2 if name == "touched_swapped" else 5)


def test_the_words_of_rows_to_touch_are_touched_themselves() -> None:
    changed = mutate(shop(), named("touched_swapped"), "a capture")
    assert changed is not None
    touched = {node.get("text") for node in changed[0].nodes() if node.get("clickable") == "true"}
    assert set(NAMES) <= touched


@pytest.mark.parametrize(
    ("name", "more"),
    [("icon_gone", -1), ("icon_came", 1), ("wordless_gone", -1), ("wordless_came", 1)],
)
def test_one_of_many_without_words_comes_or_goes_and_the_others_take_the_places(
    name: str, more: int
) -> None:
    changed = mutate(shop(), named(name), "a capture")
    assert changed is not None
    rows = [[node for node in tree.nodes() if "replicant-row" in node.attrib] for tree in changed]
    assert len(rows[1]) == len(rows[0]) + more
    assert not any(
        node.get("text") for row in rows[0] for node in row.iter() if row.get("text") is None
    )
    spots = [{(box(row).left, box(row).top) for row in side} for side in rows]
    assert spots[0] < spots[1] if more > 0 else spots[1] < spots[0]


def test_a_row_that_the_list_has_no_room_for_is_not_seen_to_come() -> None:
    rows = [row(name, f"{number}.90", 400 + number * 100) for number, name in enumerate(NAMES)]
    full = node("RecyclerView", *rows, at=(0, 400, 1080, 900), scrollable="true")
    tight = Tree.read(hierarchy(node("FrameLayout", text("Top"), full)).encode())
    assert mutate(tight, named("wordless_came"), "tight") is None
    assert mutate(tight, named("wordless_gone"), "tight") is not None


def test_a_banner_and_a_notice_come_before_the_title() -> None:
    for name in ("banner", "notice"):
        tree = titled()
        assert _title_of(tree) == "Inbox"
        assert named(name).change(tree, Random(1))
        assert _title_of(tree) in ("Could not refresh, showing saved items", "Offline")
        assert "Inbox" in tree.texts()


def titled() -> Tree:
    bar = node("Toolbar", text("Inbox", at=(100, 0, 900, 100)), at=(0, 0, 1080, 100))
    return Tree.read(
        hierarchy(node("FrameLayout", bar, text("Mail", at=(0, 600, 500, 700)))).encode()
    )


def _title_of(tree: Tree) -> str:
    title = tree.title()
    return title.get("text", "") if title is not None else ""


def test_the_title_counts_or_says_something_else_and_nothing_else_does() -> None:
    for name, keeps in (("title_counts", True), ("title_changed", False)):
        changed = mutate(titled(), named(name), "a capture")
        assert changed is not None
        before, after = changed
        assert _title_of(before) == "Inbox"
        assert _title_of(after) != "Inbox"
        assert _title_of(after).startswith("Inbox") is keeps
        assert before.texts() - after.texts() == {"Inbox"}


def test_a_screen_without_a_title_is_given_one_beside_a_back_arrow() -> None:
    low = (text("Low", at=(0, 1200, 500, 1300)), text("Lower", at=(0, 1300, 500, 1400)))
    bare = Tree.read(screens.screen(*low).encode())
    assert bare.title() is None
    changed = mutate(bare, named("title_counts"), "a capture")
    assert changed is not None
    assert _title_of(changed[0]) == "Inbox"
    assert "Navigate up" in changed[0].texts()


@pytest.mark.parametrize("name", ["one_text", "row_title"])
def test_exactly_one_text_changes(name: str) -> None:
    before, after = apply(name)
    was, now = (
        {screen.keys[n.index]: n.text for n in screen.snapshot.nodes} for screen in (before, after)
    )
    changed = [key for key in was if was[key] != now[key]]
    assert len(changed) == 1
    if name == "row_title":
        assert was[changed[0]] in NAMES


def test_a_theme_changes_its_switch_and_nothing_else_and_counts_where_there_is_none() -> None:
    before, after = apply("theme")
    checked = [
        [(e.ref, e.label, e.bounds, e.states.checked) for e in screen.snapshot.elements]
        for screen in (before, after)
    ]
    assert sum(was != now for was, now in zip(*checked, strict=True)) == 1
    changed = mutate(titled(), named("theme"), "no switch")
    assert changed is not None
    assert changed[0].reads_as(changed[1])


def test_what_nothing_shows_does_not_count() -> None:
    assert (
        mutate(
            Tree.read(hierarchy(node("FrameLayout", text("Off"))).encode()), named("toggles"), "a"
        )
        is None
    )


def test_another_tab_keeps_the_bar_and_puts_other_things_in_the_same_places() -> None:
    before, after = apply("tab_switched")
    was, now = places(before), places(after)
    bar = {
        key
        for key, (label, _, _) in was.items()
        if label in ("Home", "Explore", "Orders", "Profile")
    }
    assert len(bar) == 4
    assert {key: was[key] for key in bar} == {key: now[key] for key in bar}
    assert not {label for label, *_ in was.values()} & {
        label for key, (label, *_) in now.items() if key not in bar
    }
    assert not {key for key, (label, *_) in was.items() if label in NAMES} & now.keys()
    chosen = [
        [e.label for e in screen.snapshot.elements if e.states.selected]
        for screen in (before, after)
    ]
    assert len(chosen[0]) == len(chosen[1]) == 1
    assert chosen[0] != chosen[1]


def test_what_may_be_on_both_tabs_is_marked_as_unknown() -> None:
    changed = mutate(shop(), named("tab_switched"), "a capture")
    assert changed is not None
    unknown = {class_of(node) for node in changed[1].nodes() if UNKNOWN in node.attrib}
    assert "RecyclerView" in unknown
    assert not unknown & {"Button", "TextView", "EditText"}


def test_a_sheet_covers_the_lower_half_or_is_all_that_is_reported() -> None:
    before, after = apply("sheet")
    assert {label for label, _, top in places(before).values() if top < 1200} <= {
        label for label, *_ in places(after).values()
    }
    assert {"Later today", "Tomorrow at noon"} <= {label for label, *_ in places(after).values()}
    alone = apply("sheet_alone")
    assert not set(alone[0].keys) & set(alone[1].keys)
    assert {e.bounds.top >= 1200 for e in alone[1].snapshot.elements} == {True}
    assert {e.label for e in alone[0].snapshot.elements} & {
        e.label for e in alone[1].snapshot.elements
    } == {"Add"}


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
    assert {"ALLOW", "TURN OFF"} <= {
        e.label for e in (*before.snapshot.elements, *after.snapshot.elements)
    }
    assert not set(places(before)) & set(places(after))


def test_a_form_is_no_list_of_items() -> None:
    parts = [
        node("LinearLayout",
             button(name, at=(0, top, 500, top + 90), resource_id=f"dev.shop:id/{name}"),
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
    assert (
        box(next(node for node in tree.nodes() if node.get("text") == "Cart")).top
        == 200 + 2400 // 12
    )


def test_what_a_screen_says_on_ios_is_changed_in_all_its_attributes() -> None:
    source = (
        '<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" label="Shop" '
        'visible="true" '
        'x="0" y="0" width="390" height="844"><XCUIElementTypeStaticText '
        'type="XCUIElementTypeStaticText" '
        'value="Milk" name="Milk" label="Milk" visible="true" x="10" y="100" width="100" '
        'height="20"/>'
        "</XCUIElementTypeApplication>"
    )
    tree = Tree.read(source.encode())
    assert named("translation").change(tree, Random(1))
    milk = tree.nodes()[1]
    assert milk.get("label") not in (None, "Milk")
    assert milk.get("label") == milk.get("name") == milk.get("value")
    assert named("density").change(tree, Random(1))
    assert (milk.get("x"), milk.get("width")) == ("12", "126")
