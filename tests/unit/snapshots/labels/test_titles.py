"""Titles of screens and dialogs, and loading screens."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot

from ..ios_nodes import ios, on_ios
from ..ios_screens import app as ios_app
from ..ios_screens import button as tap
from ..ios_screens import el, static
from ..ios_screens import screen as ios_screen
from ..screens import button, catalogue, hierarchy, labels_of, node, parse, screen, text


@pytest.mark.parametrize(
    "bar",
    [
        node("androidx.appcompat.widget.Toolbar", text("Cart", at=(0, 0, 90, 90)), at=(0, 0, 1080, 100)),
        node(
            "FrameLayout",
            text("Cart", at=(0, 0, 90, 90)),
            resource_id="dev.shop:id/action_bar",
            at=(0, 0, 1080, 100),
        ),
        text("Cart", at=(0, 0, 90, 90), resource_id="dev.shop:id/toolbar_title"),
        node(
            "FrameLayout",
            button("x"),
            content_desc="Cart",
            resource_id="a:id/collapsing_toolbar",
            at=(0, 0, 900, 400),
        ),
        node("FrameLayout", button("x"), pane_title="Cart"),
    ],
)
def test_the_title_is_found(bar: str) -> None:
    assert parse(screen(bar)).title == "Cart"


@pytest.mark.parametrize(
    "inside",
    [
        button("Back", resource_id="dev.shop:id/toolbar_back"),
        text("Sure?", resource_id="dev.shop:id/alertTitle"),
        text("Just a text"),
        node("LinearLayout", text("Just a text"), resource_id="dev.shop:id/action_bar_root"),
        node("LinearLayout", text("Just a text"), resource_id="dev.shop:id/action_bar_overlay_layout"),
    ],
)
def test_what_is_no_title(inside: str) -> None:
    assert parse(screen(inside)).title == ""


def test_the_screen_is_named_by_its_title_else_by_its_activity() -> None:
    activity = "dev.shop/.ui.CartActivity"
    assert Snapshot.parse(screen(text("x"), title="Cart"), activity=activity).screen == "Cart"
    assert Snapshot.parse(screen(text("x")), activity=activity).screen == "CartActivity"
    assert Snapshot.parse(screen(text("x"))).screen == ""


def test_a_dialog_that_is_alone_in_the_dump_is_one() -> None:
    title = text("Exit?", resource_id="dev.shop:id/alertTitle")
    snapshot = parse(screen(title, button("OK", at=(0, 500, 90, 590))))
    assert (snapshot.title, snapshot.dialog) == ("", "Exit?")
    assert snapshot.outline().splitlines()[1] == 'Dialog "Exit?"'
    assert labels_of(snapshot.elements) == ["OK"]


def test_a_dialog_without_a_title_is_identified_by_its_message() -> None:
    snapshot = parse(screen(text("Exit?", resource_id="android:id/message"), button("OK", at=(0, 500, 90, 590))))
    assert snapshot.dialog == ""
    assert snapshot.outline().splitlines()[1] == "Dialog"
    assert parse(screen(text("Exit?", resource_id="dev.shop:id/message"))).dialog is None


def bar(*inside: str, name: str = "", **attributes: str) -> str:
    return el("NavigationBar", *inside, at=(0, 20, 375, 44), **({"name": name} if name else {}), **attributes)


@pytest.mark.parametrize(
    "given",
    [
        bar(static("Cart"), name="Cart"),
        bar(static("3 things"), static("Cart"), name="Cart"),  # the text that the bar is named after
        bar(static("Cart"), name="CartView"),
        bar(tap("Edit"), el("Other", label="Cart")),
        bar(tap("Edit", name="Cart"), name="Cart"),
        bar(static("Cart"), label="Cart"),
        bar(static("Shop")) + bar(static("Cart")),  # what lies on top comes last
        bar(static("Cart")) + bar(static("Shop", visible="false"), visible="false"),
        bar(static("Cart"), name="Cart", visible="false"),
    ],
)
def test_the_title_of_an_ios_screen_is_that_of_its_navigation_bar(given: str) -> None:
    snapshot = parse(ios_screen(given))
    assert snapshot.title == "Cart"
    assert "Cart" not in labels_of(snapshot.elements)


def test_an_ios_screen_without_a_bar_has_no_title() -> None:
    snapshot = parse(ios_screen(static("Cart")))
    assert (snapshot.title, snapshot.screen, snapshot.app) == ("", "", "Shop")


@pytest.mark.parametrize(("named", "texts"), [("Checkout", ["Checkout"]), ("Checkout", []), ("", ["Checkout"])])
def test_the_way_back_in_a_navigation_bar_is_not_its_title(named: str, texts: list[str]) -> None:
    """It is called as the screen that it leads back to."""
    back = tap("Cart", at=(0, 20, 80, 44))
    labels = [static(label, at=(120, 30, 140, 24)) for label in texts]
    bar = el("NavigationBar", back, *labels, at=(0, 20, 375, 44), name=named)
    snapshot = parse(ios_app(el("Window", bar, tap("Pay"))))
    assert snapshot.title == "Checkout"
    assert labels_of(snapshot.elements) == ["Cart", "Pay"]


ROUND = (500, 500, 600, 600)


@pytest.mark.parametrize(
    "inside",
    [
        node("ProgressBar", at=ROUND),
        node("com.google.CircularProgressIndicator", at=ROUND),
        node("ProgressBar", at=ROUND, content_desc="Wird geladen"),
        text("Loading…"),
        text("LOADING"),
        text("Please wait..."),
        text("Loading, please wait…"),
        text("Loading... Please wait."),
        button("Loading…"),
        text("Loading orders…"),
        text("Fetching your orders..."),
        text("Wird geladen"),
        text("Bestellungen werden geladen…"),
        text("Chargement…"),
        text("Cargando"),
        text("Загрузка…"),
        text("読み込み中"),
        text("正在加载…"),
        node("FrameLayout", node("View", at=(0, 200, 1080, 300)), resource_id="app:id/shimmer_layout"),
        node("ShimmerFrameLayout", node("View", at=(0, 200, 1080, 300)), at=(0, 200, 1080, 900)),
        node("View", resource_id="app:id/skeleton_row", at=(0, 200, 1080, 300)),
        node("View", resource_id="app:id/row_placeholder", at=(0, 200, 1080, 300)),
        node("LottieAnimationView", resource_id="app:id/loading", at=ROUND),
        node("View", resource_id="app:id/progress_indicator", at=ROUND),
        node("FrameLayout", text("Loading"), clickable="true"),  # over the whole screen, to block touches
    ],
)
def test_spinners_and_texts_that_say_so(inside: str) -> None:
    snapshot = parse(screen(inside))
    assert snapshot.loading
    assert "(loading)" in snapshot.outline()


@pytest.mark.parametrize(
    "inside",
    [
        text("Your order is pending"),
        text("In progress: 3 tasks"),
        text("Loading dock schedule"),
        text("Loading dock"),
        text("Loading bay 3"),
        text("Unloading"),
        text("We are loading your truck, please wait here"),
        text("Loading failed"),
        text("Loaded"),
        text("Refreshing drinks"),
        button("Loading"),  # a tab of a warehouse
        button("Refreshing"),  # a kind of drink
        node("LinearLayout", text("Loading"), text("Gate 3"), at=(0, 200, 1080, 300), clickable="true"),
        catalogue(*(node("LinearLayout", text(t), text("Gate 3"), at=(0, 400, 1080, 500)) for t in ("Loading",))),
        node("ProgressBar", at=(0, 500, 1000, 520), text="70.0"),
        node("ProgressBar", at=(0, 500, 1000, 520)),
        node("ProgressBar", at=ROUND, text="100.0"),
        node("ProgressBar", at=ROUND, text="0.0"),
        node("ProgressBar", at=ROUND, content_desc="40% of your goal"),
        node("Spinner", at=ROUND, clickable="true"),
        node("SeekBar", at=ROUND),
        node("ProgressBar", at=ROUND, visible_to_user="false"),
        node("ProgressBar", at=(500, 2500, 600, 2600)),
        node("ProgressBar", at=(500, 500, 500, 500)),
        node("LoadingDockView", at=ROUND),
        text("Laden"),  # a shop
        text("We are loading your truck…"),
        text("Загрузка"),  # a heading over what is downloaded
        text("Searching"),
        node("FrameLayout", resource_id="app:id/shimmer_layout", at=(0, 200, 1080, 900)),  # left empty
        node("FrameLayout", resource_id="app:id/loading", at=(0, 200, 1080, 900)),
        node("FrameLayout", text("Milk"), resource_id="app:id/skeleton_row", at=(0, 200, 1080, 300)),
        node("ImageView", resource_id="app:id/avatar_placeholder", at=ROUND),
        node("View", resource_id="app:id/progress", at=(0, 500, 1000, 520)),  # a bar
        node("View", resource_id="app:id/step_progress_label", at=ROUND),
        node("View", resource_id="app:id/loading_dock", at=ROUND),
        node("ShimmerFrameLayout", text("Milk"), at=(0, 200, 1080, 900)),
    ],
)
def test_what_only_looks_like_it(inside: str) -> None:
    assert not parse(screen(inside)).loading


def test_a_spinner_under_something_else_does_not_count() -> None:
    cover = node("FrameLayout", text("Done"), at=(0, 400, 1080, 900), clickable="true")
    assert not parse(screen(node("ProgressBar", at=ROUND), cover)).loading


def test_a_spinner_in_the_window_below_a_dialog_does_not_count() -> None:
    ok = button("OK", at=(300, 1300, 500, 1400), resource_id="android:id/button1")
    dialog = node("FrameLayout", ok, at=(200, 1000, 900, 1500))
    below = node("FrameLayout", node("ProgressBar", at=ROUND), button("Buy"))
    assert not parse(hierarchy(dialog, below)).loading


def test_loading_is_of_this_read_alone() -> None:
    before, after = parse(screen(text("Loading…"))), parse(screen(text("Ready")), "s2")
    assert (before.loading, after.loading) == (True, False)


@pytest.mark.parametrize(
    ("class_name", "label", "value", "loading"),
    [
        ("ActivityIndicator", "In progress", "1", True),
        ("ActivityIndicator", "Progress halted", "0", False),  # the one that waits for a pull
        ("ActivityIndicator", "", None, True),
        ("ProgressIndicator", "Progress", "30%", False),
        ("ProgressIndicator", "Progress", "100%", False),
        ("PageIndicator", "", "page 1 of 3", False),
        ("StaticText", "Loading…", "Loading…", True),
    ],
)
def test_spinners_of_ios_say_whether_they_turn(
    class_name: str, label: str, value: str | None, loading: bool
) -> None:
    assert on_ios(ios(class_name, label, value, width=100)).loading is loading


def page(*inside: str, title: str = "", left: int = 0, **attributes: str) -> str:
    """A page that fills the window, with a toolbar where there is a title."""
    name = text(title, at=(left + 40, 20, left + 900, 80))
    head = node("androidx.appcompat.widget.Toolbar", name, at=(left, 0, left + 1080, 100)) if title else ""
    return node("FrameLayout", head, *inside, at=(left, 0, left + 1080, 2400), **attributes)


BASKET = page(text("2 items"), button("Gift wrap"), title="Basket")
MESSAGE = text("Something went wrong", at=(300, 1100, 800, 1160)) + button("Retry", at=(400, 1300, 700, 1400))


@pytest.mark.parametrize(
    ("pages", "title"),
    [
        ((BASKET, page(text("Refused"), title="Payment failed")), "Payment failed"),
        ((BASKET, page(MESSAGE, title="Payment failed", clickable="true")), "Payment failed"),
        ((page(MESSAGE, title="Payment failed"), BASKET), "Basket"),
        ((page(title="Basket", left=-1080), page(MESSAGE, title="Payment failed")), "Payment failed"),
        ((page(title="Basket", left=1080), page(MESSAGE, title="Payment failed")), "Payment failed"),
        ((page(title="Basket", left=-1080), page(MESSAGE)), ""),
        ((BASKET, page(MESSAGE)), ""),
        ((BASKET, page(MESSAGE, clickable="true")), ""),
        ((BASKET, page(text("Refused", at=(0, 20, 400, 80)), MESSAGE)), ""),
        ((page(button("Pay"), pane_title="Basket"), page(MESSAGE, pane_title="Payment failed")), "Payment failed"),
        ((node("Toolbar", text("Basket", at=(0, -90, 400, -10)), at=(0, -100, 1080, 0)), MESSAGE), ""),
        ((node("Toolbar", text("Basket", at=(0, 0, 0, 0)), at=(0, 0, 1080, 0)), MESSAGE), ""),
        ((BASKET, page(text("Saved", at=(0, 2300, 400, 2350)))), "Basket"),  # what lies over a page is no other
        ((BASKET, page()), "Basket"),
        ((node("Toolbar", text("Basket", at=(0, 0, 400, 90)), at=(0, 0, 1080, 100)), page(MESSAGE)), "Basket"),
    ],
)  # fmt: skip
def test_the_title_is_that_of_the_page_on_top(pages: tuple[str, ...], title: str) -> None:
    snapshot = parse(screen(*pages))
    assert (snapshot.title, snapshot.screen) == (title, title)
    assert title in snapshot.outline().splitlines()[0]


def test_a_page_that_another_one_hides_is_covered() -> None:
    """Both have a bar, or texts of the one lie upon those of the other: no reader could tell them apart."""
    for upper in (
        page(MESSAGE, title="Payment failed"),
        page(text("Refused"), text("Try again", at=(0, 20, 500, 90))),
    ):
        snapshot = parse(screen(BASKET, upper))
        assert not snapshot.find_all(text="Gift wrap")
        assert snapshot.beneath is not None
        assert snapshot.beneath.find(text="Gift wrap")
    assert parse(screen(BASKET, page(MESSAGE))).find(text="Gift wrap")  # it may show through: nothing says no


def test_a_page_under_a_dialog_is_still_that_on_top() -> None:
    pages = node("FrameLayout", BASKET, page(MESSAGE, title="Payment failed"))
    message = text("Sure?", at=(200, 1000, 800, 1100), resource_id="android:id/message")
    dialog = node("FrameLayout", message, button("OK", at=(200, 1300, 800, 1400)), at=(100, 900, 980, 1500))
    snapshot = parse(hierarchy(pages, dialog))
    assert (snapshot.title, snapshot.dialog) == ("Payment failed", "")


def ios_page(*inside: str, title: str = "", left: int = 0, **attributes: str) -> str:
    name = static(title, at=(left + 100, 30, 175, 24), **attributes)
    head = el("NavigationBar", name, at=(left, 20, 375, 44), name=title, **attributes) if title else ""
    return el("Other", head, *inside, at=(left, 0, 375, 667), **attributes)


REFUSED = static("Refused", at=(100, 300, 175, 24))


@pytest.mark.parametrize(
    ("pages", "title"),
    [
        ((ios_page(title="Basket"), ios_page(REFUSED, title="Payment failed")), "Payment failed"),
        ((ios_page(static("2 items"), title="Basket"), ios_page(REFUSED)), ""),
        ((ios_page(title="Basket", visible="false"), ios_page(REFUSED)), ""),
        ((ios_page(title="Basket", left=-375), ios_page(REFUSED)), ""),
        ((ios_page(title="Basket", left=375), ios_page(REFUSED)), ""),
        ((ios_page(static("2 items"), title="Basket"), ios_page()), "Basket"),
    ],
)  # fmt: skip
def test_the_title_of_an_ios_screen_is_that_of_the_page_on_top(pages: tuple[str, ...], title: str) -> None:
    assert parse(ios_screen(*pages)).title == title
