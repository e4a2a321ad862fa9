"""What stays of a screen while its content scrolls and changes."""

from __future__ import annotations

import pytest

from ..screens import button, catalogue, node, parse, row, screen, text


def key(*inside: str) -> str:
    return parse(screen(*inside)).screen_key


def tab(name: str, left: int, *inside: str, **states: str) -> str:
    at = (left, 2200, left + 360, 2400)
    return node(
        "ViewGroup", *inside, text(name, at=(left, 2300, left + 360, 2350)), at=at, clickable="true", **states
    )


def tabs(chosen: int = -1, *, counts: tuple[str, str, str] = ("", "", "")) -> str:
    made = [
        tab(f"{name}{counts[place]}", 360 * place, selected="true" if place == chosen else "false")
        for place, name in enumerate(("Home", "Cart", "Account"))
    ]
    return node("ViewGroup", *made, at=(0, 2200, 1080, 2400))


def page(*inside: str, scrollable: str = "true") -> str:
    return node("ScrollView", node("ViewGroup", *inside), at=(0, 100, 1080, 2200), scrollable=scrollable)


def test_the_open_tab_tells_screens_apart() -> None:
    assert key(page(text("Hello")), tabs(0)) != key(page(text("Hello")), tabs(1))
    assert key(page(text("Hello")), tabs(0)) == key(page(text("Bye")), tabs(0))


def test_also_under_one_title() -> None:
    first, second = (parse(screen(tabs(place), title="Shop")).screen_key for place in (0, 1))
    assert first != second


def test_a_count_on_a_tab_is_content() -> None:
    assert key(tabs(1, counts=("", " 3", ""))) == key(tabs(1, counts=("", " 12+", "")))


def test_a_line_along_one_tab_marks_the_open_one() -> None:
    def bar(marked: int) -> str:
        line = node("ViewGroup", at=(360 * marked + 100, 2200, 360 * marked + 200, 2210))
        made = [
            tab(n, 360 * i, *([line] if i == marked else [])) for i, n in enumerate(("Home", "Cart", "Account"))
        ]
        return node("ViewGroup", *made, at=(0, 2200, 1080, 2400))

    assert key(page(), bar(0)) == key(page(text("x")), bar(0))
    assert key(page(), bar(0)) != key(page(), bar(2))


def choice(chosen: int, parent: str) -> str:
    made = [
        button(name, at=(200 * place, 1000, 200 * place + 100, 1090), selected=str(place == chosen).lower())
        for place, name in enumerate(("Male", "Female"))
    ]
    return node(parent, *made, at=(0, 1000, 400, 1090))


def test_a_choice_in_a_form_is_content_and_tabs_are_not() -> None:
    assert key(choice(0, "LinearLayout")) == key(choice(1, "LinearLayout"))
    assert key(choice(0, "TabLayout")) != key(choice(1, "TabLayout"))


def test_other_tabs_are_another_screen() -> None:
    other = node(
        "ViewGroup", *(tab(n, 360 * i) for i, n in enumerate(("Map", "List", "More"))), at=(0, 2200, 1080, 2400)
    )
    assert key(page(), tabs()) != key(page(), other)


@pytest.mark.parametrize(
    "content",
    [
        page(text("Milk", resource_id="dev.shop:id/milk"), button("Buy", resource_id="dev.shop:id/buy")),
        page(text("Milk"), scrollable="false"),
        page(node("ViewGroup", tabs(0))),
        page(node("HorizontalScrollView", text("Offers"), at=(0, 300, 1080, 900), scrollable="true")),
    ],
)
def test_what_is_in_a_page_that_scrolls_does_not_count(content: str) -> None:
    assert key(content) == key(page(text("Tea")))


def test_a_page_that_scrolls_elsewhere_is_another_screen() -> None:
    assert key(page()) != key(node("LinearLayout", page()))
    assert key(page()) != key(catalogue(row("Tea", "£1", 400)))


def test_the_text_at_the_top_tells_screens_without_ids_apart() -> None:
    def named(name: str, price: str) -> str:
        return key(text(name, at=(0, 20, 500, 90)), text(price, at=(0, 900, 500, 990)), page())

    assert named("Settings", "£1") == named("Settings", "£2")
    assert named("Settings", "£1") != named("Profile", "£1")
    assert named("Week 1", "£1") == named("Week 2", "£1")


def test_texts_toasts_and_badges_come_and_go() -> None:
    passing = [
        text("Saved", at=(0, 1000, 90, 1090), resource_id="dev.shop:id/note"),
        node(
            "FrameLayout",
            text("Saved", at=(0, 1000, 90, 1090)),
            resource_id="dev.shop:id/snackbar",
            at=(0, 1000, 90, 1090),
        ),
        node("View", at=(0, 1000, 90, 1090), resource_id="dev.shop:id/cart_badge"),
        node("View", at=(0, 2380, 1080, 2400), resource_id="android:id/navigationBarBackground"),
    ]
    fixed = button("Pay", resource_id="dev.shop:id/pay")
    assert {key(fixed), *(key(fixed, more) for more in passing)} == {key(fixed)}


def test_where_nothing_else_tells_controls_do() -> None:
    assert key(button("A")) == key(button("B"))
    assert key(button("A")) != key(node("EditText", at=(0, 300, 200, 400), hint="A"))
