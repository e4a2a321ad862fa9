"""What an element is known by where its digest does not lead to it: evidence adds up, no single fact decides."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Element
from pytest_replicant.snapshots import Memory, Snapshot

from ..screens import button, hierarchy, node, screen, text

LIST = {"scrollable": "true"}
AT = (0, 200, 1080, 1800)


def icon(top: int) -> str:
    return node("ImageView", at=(900, top, 990, top + 90), clickable="true")


def lines(*words: str, top: int = 300) -> str:
    """A page of texts, an icon without words behind each, that nothing around them holds together."""
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
    grid = [node("ImageView", at=(n * 200, 300, n * 200 + 90, 390), clickable="true") for n in range(4)]
    found, _, reason = use(screen(*grid[:3]), screen(*grid), 1)
    assert (found, reason) == (None, "the group of look-alikes it was one of has changed")


def test_what_stands_between_others_now_is_not_the_same() -> None:
    """The neighbours stayed, but elsewhere: the icon behind the second line is not that of the first."""
    found, after, _ = use(lines("Home", "Work", "Gym"), lines("Gym", "Work", "Home"), 0)
    assert found in (None, icons(after)[2])


def feed(*titles: str) -> str:
    """Rows whose words sit in a part that can be touched, next to a picture without any."""
    rows = [
        node(
            "FrameLayout",
            node("ImageView", at=(0, top, 200, top + 200), clickable="true", resource_id="a:id/thumbnail"),
            button(title, at=(200, top, 1080, top + 200), resource_id="a:id/details"),
            at=(0, top, 1080, top + 200),
            clickable="true",
            resource_id="a:id/item",
        )
        for top, title in zip(range(300, 1800, 200), titles, strict=False)
    ]
    return screen(node("RecyclerView", *rows, at=AT, **LIST))


@pytest.mark.parametrize("now", [("Two", "One", "Three"), ("New", "One", "Two"), ("Two", "Three", "One")])
@pytest.mark.parametrize("which", ["a:id/thumbnail", "a:id/item"])
def test_a_row_is_known_by_words_that_can_be_touched(now: tuple[str, ...], which: str) -> None:
    before = Snapshot.parse(feed("One", "Two", "Three"))
    was = before.find_all(resource_id=which)[0]
    after = Snapshot.parse(feed(*now), id="s2")
    assert after.locate(was).element is after.find_all(resource_id=which)[now.index("One")]
    gone = Snapshot.parse(feed("Four", "Five", "Six"), id="s3").locate(was)
    assert gone.element is None


def alarms(*times: str) -> str:
    rows = [
        node(
            "FrameLayout",
            text("Alarm", at=(0, top, 300, top + 90)),
            button(time, at=(300, top, 700, top + 90)),
            node("Switch", at=(800, top, 900, top + 90), checkable="true", resource_id="a:id/on"),
            at=(0, top, 1080, top + 100),
        )
        for top, time in zip(range(300, 1200, 100), times, strict=False)
    ]
    return screen(node("RecyclerView", *rows, at=AT, **LIST))


def test_numbers_tell_rows_apart_that_say_nothing_else() -> None:
    was = Snapshot.parse(alarms("8:30", "9:00")).find_all(role="switch")[0]
    assert Snapshot.parse(alarms("9:00"), id="s2").locate(was).element is None
    found = Snapshot.parse(alarms("8:30"), id="s3")
    assert found.locate(was).element is found.find(role="switch")


def page(title: str, *more: str) -> str:
    toolbar = node("Toolbar", text(title, at=(200, 0, 800, 100)), at=(0, 0, 1080, 100))
    words = ("Show previews", "Vibrate", "Badge", "Sound", *more)
    texts = [text(word, at=(0, 200 + 100 * n, 800, 290 + 100 * n)) for n, word in enumerate(words)]
    stars = [node("ImageView", at=(900, 200 + 100 * n, 990, 290 + 100 * n), clickable="true") for n in range(2)]
    return screen(toolbar, *texts[:2], *stars, *texts[2:])


def test_a_title_alone_does_not_make_another_screen() -> None:
    was = Snapshot.parse(page("Inbox")).elements
    star = next(one for one in was if one.class_name == "ImageView")
    after = Snapshot.parse(page("Archive"), id="s2")
    assert after.locate(star).element is icons(after)[0]


def test_a_title_and_what_the_screen_says_do() -> None:
    star = icons(Snapshot.parse(page("Inbox")))[0]
    other = page("Archive").replace("Show previews", "Keep").replace("Vibrate", "Days").replace("Badge", "Size")
    assert Snapshot.parse(other, id="s2").locate(star).element is None


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
    for which, now in ((1, (first, third)), (0, (third, second, first)), (2, (third, second, first))):
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


def boxes(*names: str) -> str:
    rows = [
        node(
            "LinearLayout",
            button(name, at=(0, top, 700, top + 90)),
            node("CheckBox", at=(800, top, 900, top + 90), checkable="true"),
            at=(0, top, 1080, top + 100),
        )
        for top, name in zip(range(300, 1200, 100), names, strict=False)
    ]
    return screen(node("LinearLayout", *rows, at=AT))


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("12", "40"), ("Item 3", "Item 12")])
def test_a_row_outside_of_lists_is_known_by_words_that_can_be_touched(names: tuple[str, ...]) -> None:
    was = Snapshot.parse(boxes(*names)).find_all(role="checkbox")[0]
    after = Snapshot.parse(boxes(*reversed(names)), id="s2")
    assert after.locate(was).element is after.find_all(role="checkbox")[1]


def sheet(name: str) -> str:
    """A sheet in a smaller window of its own, over an app that can be touched still."""
    page = node("FrameLayout", button("Ann"), button("Bob", at=(0, 300, 200, 400)), at=(0, 0, 1080, 2400))
    parts = [
        text(name, at=(0, 1400, 500, 1490)),
        button("Delete", at=(0, 1500, 500, 1590), resource_id="a:id/del"),
    ]
    return hierarchy(page, node("FrameLayout", *parts, at=(0, 1400, 1080, 2400)))


def test_a_button_of_one_sheet_is_not_that_of_the_next() -> None:
    was = Snapshot.parse(sheet("Options of Ann")).find(text="Delete")
    assert Snapshot.parse(sheet("Options of Ann"), id="s2").locate(was).element is not None
    assert Snapshot.parse(sheet("Options of Bob"), id="s3").locate(was).element is None


MILK = [
    text("Milk", at=(10, 10, 700, 70)),
    text("Milk", at=(10, 80, 700, 140)),
    button("Milk", at=(10, 150, 400, 240)),
]


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [1, 3])
def test_what_came_in_further_down_makes_no_look_alike_another(place: int, count: int) -> None:
    """Anywhere in the order of the document, though, so that it stands between two of them there."""
    was = Snapshot.parse(hierarchy(node("FrameLayout", *MILK))).elements
    new = [text(f"Stranger {n}", at=(10, 400 + 10 * n, 900, 408 + 10 * n)) for n in range(count)]
    after = Snapshot.parse(hierarchy(node("FrameLayout", *MILK[:place], *new, *MILK[place:])), id="s2")
    for one in was:
        located = after.locate(one)
        assert located.element is not None, located
        assert (located.verdict, located.element.bounds) == ("same", one.bounds)
