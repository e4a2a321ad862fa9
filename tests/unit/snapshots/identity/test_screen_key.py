"""Screen keys, fingerprints, and the frame of a screen without a title."""

from __future__ import annotations

import pytest

from ..screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text


def page(checked: str = "false", clock: str = "10:45", focused: str = "false", price: str = "£9.90") -> str:
    return screen(
        text(clock),
        node("CheckBox", at=(0, 300, 900, 380), text="Gift", checkable="true", checked=checked, focused=focused),
        catalogue(row("Blue mug", price, 400)),
        title="Catalogue",
    )


@pytest.mark.parametrize("same", [page(), page(clock="10:46"), page(focused="true")])
def test_the_fingerprint_does_not_see_clocks_and_focus(same: str) -> None:
    assert parse(same).fingerprint == parse(page()).fingerprint


@pytest.mark.parametrize("other", [page(checked="true"), page(price="£9.95"), screen(title="Catalogue")])
def test_the_fingerprint_sees_states_and_content(other: str) -> None:
    assert parse(other).fingerprint != parse(page()).fingerprint


def test_the_screen_key_is_the_same_under_scrolling_and_content() -> None:
    scrolled = screen(catalogue(row("Tray", "£1", 400), row("Cup", "£2", 500)), title="Catalogue")
    assert parse(scrolled).screen_key == parse(SHOP).screen_key
    assert parse(screen(title="Cart")).screen_key != parse(SHOP).screen_key


def test_a_screen_without_a_title_is_known_by_its_fixed_parts() -> None:
    def untitled(name: str, label: str) -> str:
        return screen(button(label, resource_id=f"dev.shop:id/{name}"))

    assert parse(untitled("pay", "Pay")).screen_key == parse(untitled("pay", "Pay now")).screen_key
    assert parse(untitled("pay", "Pay")).screen_key != parse(untitled("cart", "Pay")).screen_key


def test_a_dialog_makes_another_screen_of_it() -> None:
    app = node("FrameLayout", button("Buy", resource_id="dev.shop:id/buy"))
    ok = button("OK", at=(300, 950, 400, 990), resource_id="android:id/button1")
    dialog = node("FrameLayout", ok, at=(200, 900, 800, 1000))
    assert parse(hierarchy(app, dialog)).screen_key != parse(hierarchy(app)).screen_key


def test_a_count_in_the_title_is_content() -> None:
    one, more = parse(screen(button("OK"), title="Inbox (3)")), parse(screen(button("OK"), title="Inbox (12)"))
    assert one.screen_key == more.screen_key
    assert one.fingerprint != more.fingerprint


def test_the_fingerprint_sees_a_dialog_and_loading() -> None:
    app = node("FrameLayout", button("Buy"))
    over = node("FrameLayout", button("Buy", at=(300, 950, 400, 990)), at=(200, 900, 800, 1000))
    assert parse(hierarchy(app, over)).fingerprint != parse(hierarchy(app)).fingerprint
    busy = screen(button("OK"), node("ProgressBar", at=(500, 500, 600, 600)))
    assert parse(busy).fingerprint != parse(screen(button("OK"))).fingerprint


def test_what_is_typed_is_on_the_screen_but_does_not_make_another_one() -> None:
    def form(typed: str) -> str:
        return screen(node("EditText", at=(0, 300, 900, 390), hint="Email", text=typed))

    assert parse(form("ada")).screen_key == parse(form("")).screen_key
    assert parse(form("ada")).fingerprint != parse(form("")).fingerprint


KEYBOARD = node(
    "FrameLayout", button("q", at=(0, 1700, 90, 1790)), at=(0, 1600, 1080, 2400), package="com.x.inputmethod.latin"
)


def test_an_open_keyboard_keeps_the_screen_key() -> None:
    field = node(
        "EditText", at=(0, 300, 900, 390), hint="Email", clickable="true", resource_id="dev.shop:id/email"
    )
    window = node("FrameLayout", field)
    assert parse(hierarchy(window, KEYBOARD)).keyboard_visible
    assert parse(hierarchy(window, KEYBOARD)).screen_key == parse(hierarchy(window)).screen_key


def test_another_app_is_another_screen() -> None:
    own = hierarchy(node("FrameLayout", button("OK")))
    other = hierarchy(node("FrameLayout", button("OK"), package="dev.bank"))
    assert parse(own).screen_key != parse(other).screen_key


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


def frame_page(*inside: str, scrollable: str = "true") -> str:
    return node("ScrollView", node("ViewGroup", *inside), at=(0, 100, 1080, 2200), scrollable=scrollable)


def test_the_open_tab_distinguish_screens() -> None:
    assert key(frame_page(text("Hello")), tabs(0)) != key(frame_page(text("Hello")), tabs(1))
    assert key(frame_page(text("Hello")), tabs(0)) == key(frame_page(text("Bye")), tabs(0))


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

    assert key(frame_page(), bar(0)) == key(frame_page(text("x")), bar(0))
    assert key(frame_page(), bar(0)) != key(frame_page(), bar(2))


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
    assert key(frame_page(), tabs()) != key(frame_page(), other)


@pytest.mark.parametrize(
    "content",
    [
        frame_page(text("Milk", resource_id="dev.shop:id/milk"), button("Buy", resource_id="dev.shop:id/buy")),
        frame_page(text("Milk"), scrollable="false"),
        frame_page(node("ViewGroup", tabs(0))),
        frame_page(node("HorizontalScrollView", text("Offers"), at=(0, 300, 1080, 900), scrollable="true")),
    ],
)
def test_what_is_in_a_page_that_scrolls_does_not_count(content: str) -> None:
    assert key(content) == key(frame_page(text("Tea")))


def test_a_page_that_scrolls_elsewhere_is_another_screen() -> None:
    assert key(frame_page()) != key(node("LinearLayout", frame_page()))
    assert key(frame_page()) != key(catalogue(row("Tea", "£1", 400)))


def test_the_text_at_the_top_distinguish_screens_without_ids() -> None:
    def named(name: str, price: str) -> str:
        return key(text(name, at=(0, 20, 500, 90)), text(price, at=(0, 900, 500, 990)), frame_page())

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


def test_where_nothing_else_reports_controls_do() -> None:
    assert key(button("A")) == key(button("B"))
    assert key(button("A")) != key(node("EditText", at=(0, 300, 200, 400), hint="A"))
