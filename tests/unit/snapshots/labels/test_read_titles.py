"""Titles of screens that have no bar that says so, and of dialogs that no id marks."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot

from ..ios_screens import app as ios_app
from ..ios_screens import button as tap
from ..ios_screens import el, static
from ..screens import button, catalogue, hierarchy, node, parse, row, screen, text

BACK = node("ImageView", at=(20, 120, 120, 220), clickable="true")
MORE = node("ImageView", at=(960, 120, 1060, 220), clickable="true")
NOTE = text("Pay within 14 days, please", at=(40, 400, 700, 450))
ITEM = text("Blue mug", at=(40, 600, 250, 650))
CART = text("Cart", at=(160, 145, 270, 195))
HEAD = text("Your cart", at=(40, 150, 420, 250))


def tab(label: str, place: int, top: int, *, selected: str = "false", size: int = 270) -> str:
    at = (place * size, top, (place + 1) * size, top + 150)
    inside = text(label, at=(at[0] + 90, top + 90, at[0] + 190, top + 140), selected=selected)
    return node("FrameLayout", inside, at=at, clickable="true", selected=selected)


def tabs(*labels: str, chosen: int = 0, top: int = 2250, resource_id: str = "dev.shop:id/navigation") -> str:
    inside = [tab(label, at, top, selected=str(at == chosen).lower()) for at, label in enumerate(labels)]
    return node("LinearLayout", *inside, at=(0, top, 1080, top + 150), resource_id=resource_id)


def named(*inside: str) -> str:
    return parse(screen(*inside)).title


@pytest.mark.parametrize(
    "line",
    [
        BACK + CART,
        node("ImageButton", at=(0, 100, 150, 250), clickable="true", content_desc="Zurück") + CART,
        node("View", node("View", at=(40, 140, 100, 200), content_desc="返回"), at=(20, 120, 120, 220),
             clickable="true") + CART,
        BACK + node("android.view.View", at=(400, 145, 600, 195), content_desc="Cart"),  # as Flutter draws it
        BACK + text("Cart", at=(480, 145, 600, 195)) + MORE,
        text("Cart", at=(40, 145, 150, 195)) + MORE,
        BACK + CART + text("3 things", at=(160, 200, 270, 218)),
        MORE + text("Cart", at=(800, 145, 910, 195)),
    ],
    ids=["a picture", "a described button", "Compose", "Flutter", "centred", "an action", "subtitle", "mirrored"],
)  # fmt: skip
def test_the_text_next_to_the_button_at_the_upper_corner_is_the_title(line: str) -> None:
    assert named(line, NOTE) == "Cart"


@pytest.mark.parametrize(
    "line",
    [
        BACK + text("New version", at=(160, 145, 500, 195)) + button("Dismiss", at=(800, 120, 1060, 220)),
        BACK + text("Good morning,", at=(160, 130, 400, 165)) + text("Ada", at=(160, 165, 300, 225)),
        BACK + text("Good morning,", at=(160, 145, 400, 195)),
        BACK + node("EditText", at=(160, 120, 900, 220), text="mugs", clickable="true"),
        BACK + node("EditText", at=(160, 120, 900, 220)) + text("Search mugs", at=(180, 145, 500, 195)),
        BACK + node("View", text("mugs", at=(180, 145, 300, 195)), at=(160, 120, 900, 220), clickable="true"),
        BACK + text("10:45", at=(160, 145, 270, 195)),
        BACK + text("Cart", at=(160, 260, 270, 310)),
        node("ImageView", at=(20, 120, 120, 220)) + CART,  # cannot be touched
        node("ImageView", at=(20, 1120, 120, 1220), clickable="true") + text("Cart", at=(160, 1145, 270, 1195)),
        node("RecyclerView", BACK + CART, at=(0, 100, 1080, 2400)),
        node("ScrollView", BACK + CART, at=(0, 100, 400, 2400)) + node("ScrollView", at=(400, 100, 1080, 2400)),
    ],
    ids=["banner", "greeting", "half a greeting", "typed", "hint", "query", "clock", "another line", "an icon",
         "low", "row", "one pane of two"],
)  # fmt: skip
def test_what_stands_next_to_a_button_and_is_no_title(line: str) -> None:
    assert named(line, NOTE) == ""


@pytest.mark.parametrize(
    "first",
    [
        HEAD,
        node("ScrollView", HEAD, at=(0, 100, 1080, 2400)),
        text("购物车", at=(40, 150, 280, 250)),
        text("All that you have chosen so far", at=(40, 150, 640, 350)),  # on two lines
        text("Your cart", at=(40, 150, 1040, 200), resource_id="dev.shop:id/tv_title"),
        text("10:45", at=(900, 80, 1020, 130)) + HEAD,
    ],
    ids=["first", "on a page", "Chinese", "two lines", "by its id", "below a clock"],
)
def test_a_large_first_text_is_the_title(first: str) -> None:
    assert named(first, NOTE, ITEM) != ""
    assert named(NOTE, ITEM) == ""


@pytest.mark.parametrize(
    "inside",
    [
        text("You are offline", at=(40, 150, 330, 200)) + HEAD.replace("150", "350"),  # a banner above it
        HEAD + text("For you", at=(40, 700, 340, 800)),  # one of several
        catalogue(HEAD.replace("150", "450").replace("250", "550")),
        node("LinearLayout", HEAD, at=(0, 100, 1080, 400), clickable="true"),  # a card
        HEAD + button("Undo", at=(800, 150, 1060, 250)),
        text("Your cart", at=(40, 150, 1040, 250)),  # with room around it, so of unknown size
        text("£1,234.50", at=(40, 150, 420, 250)),
        text("Hi", at=(40, 1350, 130, 1450)),
        text("One", at=(40, 150, 400, 200), resource_id="a:id/title")
        + text("Two", at=(40, 250, 400, 300), resource_id="a:id/title"),
    ],
    ids=["below a banner", "headings", "list", "card", "with a button", "loose", "amount", "low", "rows"],
)  # fmt: skip
def test_a_first_text_that_is_no_title(inside: str) -> None:
    assert named(inside, NOTE, ITEM) == ""


def test_an_only_text_is_not_known_to_be_large() -> None:
    assert named(HEAD) == ""


def test_the_open_tab_names_a_screen_that_nothing_else_names() -> None:
    bottom, top = (
        tabs("Home", "Saved", "Cart", "Me", chosen=2),
        tabs("New", "Sale", top=100, resource_id="a:id/tabs"),
    )
    assert named(bottom, NOTE) == "Cart"
    assert named(top, NOTE) == "New"
    assert named(top, bottom, NOTE) == "Cart"  # its page has tabs of its own
    assert parse(screen(bottom, NOTE, title="Basket")).title == "Basket"
    described = [
        node("View", at=(at * 360, 2250, at * 360 + 360, 2400), content_desc=f"{label}#Tab {at + 1} of 3",
             selected=str(at == 1).lower()) for at, label in enumerate(("Home", "Cart", "Me"))
    ]  # fmt: skip
    flutter = node("View", *described, at=(0, 2250, 1080, 2400)).replace("#", "&#10;")
    assert named(flutter, NOTE) == "Cart"


@pytest.mark.parametrize(
    "inside",
    [
        tabs("Home", "Saved", "Cart", chosen=9),
        tabs("All", "Mugs", "Trays", top=400),  # a filter
        tabs("Mon 1", "Tue 2", "Wed 3", top=100, resource_id="a:id/tabs"),
        node("FrameLayout", tab("Home", 0, 2250, selected="true"), at=(0, 2250, 1080, 2400)),
        node("LinearLayout", *(tab(str(at), at, 2250, selected="true") for at in range(3))),
    ],
    ids=["none open", "chips", "days", "alone", "all selected"],
)
def test_a_selection_that_is_no_tab(inside: str) -> None:
    assert named(inside, NOTE) == ""


def test_a_read_title_names_the_screen_and_does_not_decide_which_it_is() -> None:
    """It may scroll away, and what is printed on the screen stays an element."""
    page = node("ScrollView", HEAD, NOTE, button("Pay"), at=(0, 100, 1080, 2400))
    scrolled = node("ScrollView", NOTE, button("Pay"), at=(0, 100, 1080, 2400))
    was, now = parse(screen(page)), parse(screen(scrolled), "s2")
    assert (was.title, was.screen, now.title) == ("Your cart", "Your cart", "")
    assert was.screen_key == now.screen_key
    assert now.locate(was.find(text="Pay")).verdict == "same"
    assert "Your cart" in [element.label for element in was.elements]


def test_a_search_field_in_a_bar_and_a_tab_in_it_are_no_titles() -> None:
    label = text("Search mugs", at=(60, 120, 400, 180))
    assert named(node("FrameLayout", label, at=(0, 100, 1080, 200), resource_id="a:id/search_action_bar")) == ""
    inside = node(
        "LinearLayout", text("New", at=(60, 120, 200, 180)), at=(0, 100, 300, 200), resource_id="a:id/tab_1"
    )
    assert named(node("AppBarLayout", inside, at=(0, 100, 1080, 200), resource_id="a:id/app_bar")) == ""
    mode = text("RAD", at=(60, 120, 200, 180), content_desc="radian mode")
    assert named(node("Toolbar", mode, at=(0, 100, 1080, 200))) == ""
    assert named(node("Toolbar", label, at=(0, 2200, 1080, 2400))) == ""  # at the bottom


def test_the_text_above_the_content_is_the_title_of_an_old_window() -> None:
    label = text("Accounts", at=(16, 98, 1000, 190), resource_id="android:id/title")
    assert named(label, node("FrameLayout", NOTE, resource_id="android:id/content")) == "Accounts"
    assert named(node("FrameLayout", label, NOTE, text("Other", at=(16, 300, 1000, 392),
                 resource_id="android:id/title"), resource_id="android:id/content")) == ""  # fmt: skip


@pytest.mark.parametrize(
    "name", ["TodayDayPageView", "App.CartViewController", "_TtGC7SwiftUI19UIHosting_", "CartVC"]
)
def test_the_class_of_a_view_is_no_title(name: str) -> None:
    bar = el("NavigationBar", tap("May", at=(0, 20, 80, 44)), at=(0, 20, 375, 44), name=name)
    assert parse(ios_app(el("Window", bar, static("Steps")))).title == ""
    choices = [tap("Today", at=(0, 600, 90, 48), selected="true"), tap("Me", at=(90, 600, 90, 48))]
    tab_bar = el("TabBar", *choices, at=(0, 600, 375, 48))
    assert parse(ios_app(el("Window", bar, static("Steps"), tab_bar))).title == "Today"


def over(*inside: str) -> Snapshot:
    """A dialog over the app's window."""
    buttons = button("OK", at=(100, 1000, 400, 1100), resource_id="android:id/button1")
    dialog = node("FrameLayout", *inside, buttons, at=(100, 700, 980, 1200))
    return parse(hierarchy(dialog, node("FrameLayout", text("Files"))))


def test_the_first_text_of_a_dialog_is_its_title_where_something_says_so() -> None:
    message = text("It is gone for good", at=(140, 900, 540, 950))
    plain = text("Delete it?", at=(140, 740, 340, 790))
    large = text("Delete it?", at=(140, 740, 440, 820))
    panel = node("LinearLayout", plain, at=(100, 700, 980, 850), resource_id="android:id/topPanel")
    by_id = text("Delete it?", at=(140, 740, 340, 790), resource_id="a:id/tv_title")
    assert [over(one, message).dialog for one in (large, panel, by_id)] == ["Delete it?"] * 3
    assert over(plain, message).dialog == ""
    assert over(message).dialog == ""
    field = node("EditText", at=(140, 740, 900, 830), text="Ada")
    assert over(field, large).dialog == ""


def test_a_window_around_a_sheet_is_a_dialog() -> None:
    """As Compose opens it: the window fills the screen, and its pane is called after what it is."""
    inside = text("Filter", at=(40, 1640, 200, 1700)) + button("Apply", at=(40, 1800, 1040, 1950))
    pane = node("View", inside, at=(0, 1600, 1080, 2400), pane_title="Bottom sheet")
    around = node("View", at=(0, 0, 1080, 2400), clickable="true")
    snapshot = parse(screen(around, pane))
    assert (snapshot.title, snapshot.dialog, snapshot.alone) == ("", "Filter", True)
    snapshot = parse(screen(text("Files"), pane))  # a part of the app's window
    assert (snapshot.title, snapshot.dialog) == ("Bottom sheet", None)


def test_the_notifications_of_the_phone_have_no_title() -> None:
    shade = node("FrameLayout", text("Today", at=(40, 150, 300, 250)), NOTE, package="com.android.systemui")
    assert parse(hierarchy(shade.replace("dev.shop", "com.android.systemui"))).title == ""


def test_a_row_with_a_button_names_no_screen() -> None:
    assert named(catalogue(row("Blue mug", "£9.90", 400), row("Red mug", "£8.00", 500))) == ""
