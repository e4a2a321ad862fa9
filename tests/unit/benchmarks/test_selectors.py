"""How selectors to write down are counted."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.selectors import Use, _outcome, _uses, kind_of, shorten_ids
from benchmarks.tree import Tree
from pytest_replicant.model import Selector, by
from tests.unit.snapshots.screens import SHOP, button, parse, screen, text


@pytest.mark.parametrize(
    ("selector", "kind"),
    [
        (by(resource_id="a"), "id"),
        (by(text_matches="a"), "label"),
        (by(text="a", class_name="b"), "both"),
        (by(class_name="b"), "class"),
        (by(resource_id="a", row_with="b"), "row_with"),
        (by(class_name="a", within=by(resource_id="b")), "within"),
        (by(class_name="a", has="b"), "has"),
        (by(text="a", near="b"), "near"),
    ],
)
def test_a_selector_counts_for_what_reaches_farthest(selector: Selector, kind: str) -> None:
    assert kind_of(selector) == kind


def test_what_was_met_is_compared_with_the_truth() -> None:
    save, other, twin = parse(
        screen(button("Save"), text("Other", at=(0, 500, 90, 590)), text("Save", at=(0, 900, 90, 990)))
    ).elements
    assert _outcome(save, [save], save) == "the element"
    assert _outcome(save, [], save) == "nothing"
    assert _outcome(save, [], None) == "nothing, it is gone"
    assert _outcome(save, [save, other], save) == "several"
    assert _outcome(save, [twin], save) == "a namesake"
    assert _outcome(save, [other], None) == "another"


def shortened(seed: int) -> list[str]:
    ids = ["dev.shop:id/pay", "dev.shop:id/help", "android:id/button1", "dev.shop:id/pay", "el"]
    tree = Tree.read(screen(*(button("", resource_id=each) for each in ids)).encode())
    assert shorten_ids(tree, Random(seed))
    return [node.get("resource-id", "") for node in tree.nodes()[1:]]


def test_a_build_shortens_the_ids_of_its_package_and_the_next_one_does_otherwise() -> None:
    one, other = shortened(1), shortened(2)
    assert one[0] == one[3] != one[1]
    assert one[0].startswith("dev.shop:id/")
    assert len(one[0]) <= len("dev.shop:id/abc")
    assert one[2:] == ["android:id/button1", one[3], "el"]
    assert one[0] != other[0]
    plain = Tree.read(screen(text("Pay")).encode())
    assert not shorten_ids(plain, Random(1))


@pytest.mark.parametrize(
    ("outcome", "breaks"),
    [
        ("the element", False),
        ("nothing, it is gone", False),
        ("nothing", True),
        ("several", True),
        ("another", True),
    ],
)
def test_a_selector_breaks_where_it_no_longer_meets_its_element(outcome: str, breaks: bool) -> None:
    assert Use(by(text="Pay"), False, outcome, False).breaks == breaks


def test_what_became_of_each_selector_is_counted() -> None:
    before, after = Tree.read(SHOP.encode()), Tree.read(SHOP.replace("Red mug", "Old mug").encode())
    uses = {one.selector.describe(): one for one in _uses(before, after, "check")}
    assert [name for name, one in uses.items() if one.renamed] == ['text="Red mug"']
    assert {name for name, one in uses.items() if one.breaks} == {name for name in uses if "Red mug" in name}
    assert uses['text="Blue mug"'].outcome == "the element"
