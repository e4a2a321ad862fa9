"""Where an element is by what is around it: its row, the label before it, the ids it lies in, the app."""

from __future__ import annotations

import pytest

from .screens import button, catalogue, node, parse, row, screen, text


def told(name: str, *details: str, top: int = 400) -> str:
    texts = [
        text(detail, at=(0, top + 30 * n, 300, top + 30 * n + 30)) for n, detail in enumerate((name, *details))
    ]
    inside = (*texts, button("Add", at=(900, top, 1080, top + 100)))
    return screen(catalogue(node("LinearLayout", *inside, at=(0, top, 1080, top + 100))))


def test_a_row_that_moved_may_show_more_or_less_of_itself() -> None:
    was = parse(told("Milk", "£1.00", "new")).find(text="Add")
    assert parse(told("Milk", "£1.00", "new", "in stock", top=700), "s2").locate(was).verdict == "moved"
    assert parse(told("Milk", "£1.00", top=700), "s3").locate(was).verdict == "moved"
    assert parse(told("Milk", "£1.00", "old", top=700), "s4").locate(was).verdict == "replaced"


def test_a_row_without_its_title_needs_more_than_one_label_to_be_known_by() -> None:
    was = parse(told("Milk", "£1.00", "new")).find(text="Add")
    assert parse(told("£1.00", "new"), "s2").locate(was).verdict == "same"
    assert parse(told("£1.00"), "s3").locate(was).verdict == "replaced"


@pytest.mark.parametrize(
    ("price", "top", "verdict"),
    [("£1.00", 900, "moved"), ("£1.20", 400, "same"), ("£1.20", 900, "replaced"), ("sold out", 400, "replaced")],
)
def test_a_row_that_names_itself_may_move_or_count_but_not_both(price: str, top: int, verdict: str) -> None:
    def listed(price: str, top: int) -> str:
        return screen(catalogue(row("Milk", price, top, clickable="true")))

    was = parse(listed("£1.00", 400)).find(text="Milk £1.00")
    assert parse(listed(price, top), "s2").locate(was).verdict == verdict


def test_an_app_that_is_not_told_is_not_another_one() -> None:
    known, unknown = screen(button("OK")), screen(button("OK")).replace("dev.shop", "")
    assert parse(unknown, "s2").locate(parse(known).find(text="OK")).verdict == "same"
    assert parse(known, "s2").locate(parse(unknown).find(text="OK")).verdict == "same"


def addresses(*headings: str, title: str = "Addresses") -> str:
    parts = [
        text(heading, at=(0, 200 + 300 * n, 500, 250 + 300 * n))
        + button("Edit", at=(300, 260 + 300 * n, 500, 360 + 300 * n))
        for n, heading in enumerate(headings)
    ]
    return screen(*parts, title=title)


def boxes(*ids: str) -> str:
    inside = [
        node("View", button("Edit", at=(0, top, 90, top + 90)), at=(0, top, 900, top + 90), resource_id=id)
        for top, id in zip((300, 600), ids, strict=False)
    ]
    return screen(*inside)


@pytest.mark.parametrize(
    ("then", "left", "other"),
    [
        (addresses("Home", "Work"), addresses("Home"), addresses("Work")),
        (addresses("Home", "Work"), addresses("Home", title="Edit"), addresses("Work", title="Edit")),
        (boxes("a:id/home", "a:id/work"), boxes("a:id/home"), boxes("a:id/work")),
    ],
    ids=["heading", "heading, another screen", "ids around it"],
)
def test_the_only_one_left_is_known_by_what_is_around_it(then: str, left: str, other: str) -> None:
    was = parse(then).find_all(text="Edit")[0].remembered(parse(then).traits)
    assert parse(left, "s2").locate(was).verdict in ("same", "moved")
    gone = parse(other, "s3").locate(was)
    assert (gone.verdict, gone.reason) == ("gone", "what looks like it is in another place of the app")


def test_only_one_of_its_class_is_said_to_be_in_its_place() -> None:
    was = parse(screen(text("In stock", at=(0, 300, 200, 400)))).find(text="In stock")
    located = parse(screen(button("Buy", at=(0, 300, 200, 400)), text("Sold out")), "s2").locate(was)
    assert (located.verdict, located.reason) == ("gone", "nothing has its class, id and name")
