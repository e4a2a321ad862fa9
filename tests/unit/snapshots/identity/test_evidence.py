"""What an element is known by where its digest does not lead to it: evidence adds up, no single
fact decides."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Element
from pytest_replicant.snapshots import Memory, Snapshot

from ..screens import button, node, screen, text

LIST = {"scrollable": "true"}
AT = (0, 200, 1080, 1800)


def icon(top: int) -> str:
    return node("ImageView", at=(900, top, 990, top + 90), clickable="true")


def lines(*words: str, top: int = 300) -> str:
    """A page of texts, an icon without words behind each, that nothing around them holds
    together."""
    parts = [
        text(word, at=(0, top + 200 * n, 800, top + 90 + 200 * n)) + icon(top + 200 * n)
        for n, word in enumerate(words)
    ]
    return screen(node("ScrollView", *parts, at=AT, **LIST))


def use(then: str, now: str, which: int) -> tuple[Element | None, Snapshot, str]:
    """What the icon of that number is on the later screen, in a session."""
    memory = Memory()
    before = Snapshot.parse(then, id="s1", memory=memory)
    memory.learn(before)
    ref = [one for one in before.elements if one.class_name == "ImageView"][which].ref
    after = Snapshot.parse(now, id="s2", memory=memory)
    memory.learn(after)
    was = memory.witness(ref)
    assert was is not None
    located = after.locate(was)
    return located.element, after, located.reason


def icons(snapshot: Snapshot) -> list[Element]:
    return [one for one in snapshot.elements if one.class_name == "ImageView"]


def test_an_icon_between_two_that_plainly_stayed_is_the_same() -> None:
    found, after, _ = use(lines("Home", "Work", "Gym"), lines("Shop", "Home", "Work", "Gym"), 1)
    assert found is icons(after)[2]


def test_icons_that_nothing_tells_apart_abstain_when_one_came() -> None:
    grid = [
        node("ImageView", at=(n * 200, 300, n * 200 + 90, 390), clickable="true") for n in range(4)
    ]
    found, _, reason = use(screen(*grid[:3]), screen(*grid), 1)
    assert (found, reason) == (None, "the group of look-alikes it was one of has changed")


def test_what_stands_between_others_now_is_not_the_same() -> None:
    """The neighbours stayed, but elsewhere: the icon behind the second line is not that of the
    first."""
    found, after, _ = use(lines("Home", "Work", "Gym"), lines("Gym", "Work", "Home"), 0)
    assert found in (None, icons(after)[2])


def flat(*names: str, resource_id: str = "") -> str:
    """A text and the button for it, again and again, and nothing that holds the two together."""
    parts = [
        text(name, at=(0, 300 + 200 * n, 800, 390 + 200 * n))
        + button("Add", at=(0, 387 + 200 * n, 200, 480 + 200 * n), resource_id=resource_id)
        for n, name in enumerate(names)
    ]
    return screen(node("LinearLayout", *parts, at=AT))


@pytest.mark.parametrize("resource_id", ["", "a:id/add"])
@pytest.mark.parametrize("names", [("Ann", "Bob", "Cid"), ("Item 3", "Item 7", "Item 12")])
def test_a_button_is_that_of_the_text_above_it(names: tuple[str, ...], resource_id: str) -> None:
    """Also where the two overlap by some pixels, and where the texts differ by a number alone."""
    first, second, third = names
    for which, now in (
        (1, (first, third)),
        (0, (third, second, first)),
        (2, (third, second, first)),
    ):
        memory = Memory()
        before = Snapshot.parse(flat(*names, resource_id=resource_id), id="s1", memory=memory)
        memory.learn(before)
        was = before.find_all(text="Add")[which]
        after = Snapshot.parse(flat(*now, resource_id=resource_id), id="s2", memory=memory)
        memory.learn(after)
        witness = memory.witness(was.ref)
        assert witness is not None
        found = after.locate(witness).element
        place = now.index(names[which]) if names[which] in now else None
        assert found is None or (place is not None and found is after.find_all(text="Add")[place])
