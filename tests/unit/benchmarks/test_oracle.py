"""Where abstaining is right, and where it is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.oracle import Oracle
from benchmarks.tree import Node, Tree, class_of

from ..snapshots.screens import catalogue, hierarchy, node, row, text


def icons(*inside: str) -> str:
    """A screen whose list holds these."""
    return hierarchy(
        node(
            "FrameLayout",
            text("Top"),
            node("RecyclerView", *inside, scrollable="true"),
            text("End"),
        )
    )


def icon(at: int, **attributes: str) -> str:
    return node("ImageView", at=(0, at, 100, at + 100), clickable="true", **attributes)


def demanded(
    source: str, change: Callable[[list[Node]], object], class_name: str = "ImageView"
) -> list[int]:
    """The numbers of the elements of a class for which abstaining is right after a change of
    these."""
    before = Tree.read(source.encode())
    after = before.copy()
    change([one for one in after.nodes() if class_of(one) == class_name])
    was, now = (_keys(tree, class_name) for tree in (before, after))
    oracle = Oracle(before, after, frozenset(was), frozenset(now))
    return [
        number for number, key in enumerate(was) if key in now and oracle.demands_abstention(key)
    ]


def _keys(tree: Tree, class_name: str) -> list[str]:
    return [
        key
        for key, one in zip(tree.keys(), tree.nodes(), strict=True)
        if class_of(one) == class_name
    ]


def drop(number: int) -> Callable[[list[Node]], object]:
    return lambda found: above(found[number]).remove(found[number])


def drop_row(number: int) -> Callable[[list[Node]], object]:
    return lambda found: above(above(found[number])).remove(above(found[number]))


def above(node: Node) -> Node:
    parent = node.getparent()
    assert parent is not None
    return parent


THREE = (icon(0), icon(100), icon(200))


def test_which_of_equal_icons_went_cannot_be_known() -> None:
    assert demanded(icons(*THREE), drop(1)) == [0, 2]


def test_equal_icons_of_which_none_came_or_went_are_known_by_their_order() -> None:
    assert demanded(icons(*THREE), lambda found: found[0].set("bounds", "[0,9][100,109]")) == []


def test_icons_beyond_a_neighbour_that_stayed_are_known() -> None:
    parts = (icon(0), icon(100), text("Between"), icon(200), icon(300))
    assert demanded(icons(*parts), drop(0)) == [1]


@pytest.mark.parametrize(
    "fact",
    [
        {"resource_id": "dev.shop:id/one"},
        {"content_desc": "One"},
        {"text": "One"},
        {"long_clickable": "true"},
    ],
    ids=lambda fact: next(iter(fact)),
)
def test_any_fact_of_its_own_that_stayed_decides(fact: dict[str, str]) -> None:
    parts = (icon(0, **fact), icon(100), icon(200))
    assert demanded(icons(*parts), drop(1)) == []
    assert demanded(icons(icon(0, **fact), *THREE), drop(1)) == [2, 3]


def test_what_an_element_holds_and_what_it_lies_in_decides() -> None:
    parts = (
        node("ImageView", text("Words inside")),
        node("ImageView", node("View")),
        node("FrameLayout", icon(300)),
        node("LinearLayout", icon(400), resource_id="dev.shop:id/card"),
        icon(500),
    )
    assert demanded(icons(*parts), drop(4)) == []


def test_the_words_of_its_row_decide_wherever_the_row_went() -> None:
    rows = [
        row(name, "1.00", 400 + 100 * number) for number, name in enumerate(("Mug", "Cup", "Pot"))
    ]
    shop = hierarchy(node("FrameLayout", catalogue(*rows)))

    def exchange(found: list[Node]) -> None:
        first, middle, last = map(above, found)
        above(first)[:] = [last, middle, first]

    assert demanded(shop, exchange, "Button") == []
    assert demanded(shop, drop_row(0), "Button") == []


def test_rows_that_say_the_same_leave_their_buttons_alike() -> None:
    rows = [row("Mug", "1.00", 400 + 100 * number) for number in range(3)]
    shop = hierarchy(node("FrameLayout", catalogue(*rows)))
    assert demanded(shop, drop_row(0), "Button") == [1, 2]


def test_a_changed_text_is_known_by_what_stayed_around_it() -> None:
    parts = (text("One"), text("Two"), text("Three"))
    assert demanded(icons(*parts), lambda found: found[2].set("text", "Else"), "TextView") == []


def test_words_that_another_element_now_bears_mislead() -> None:
    def exchange(found: list[Node]) -> None:
        found[1].set("text", "Two")
        found[2].set("text", "One")
        drop(3)(found)  # and their places are no longer what they were

    assert demanded(icons(text("One"), text("Two"), text("Three")), exchange, "TextView") == [1, 2]
