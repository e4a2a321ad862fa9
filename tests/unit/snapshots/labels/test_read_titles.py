"""Titles of screens that have no bar that says so, and of dialogs that no id marks."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots import Snapshot

from ..ios_screens import app as ios_app
from ..ios_screens import button as tap
from ..ios_screens import el, static
from ..screens import button, catalogue, hierarchy, labels_of, node, parse, row, screen, text

BACK = node("ImageView", at=(20, 120, 120, 220), clickable="true")
MORE = node("ImageView", at=(960, 120, 1060, 220), clickable="true")
NOTE = text("Pay within 14 days, please", at=(40, 400, 700, 450))
ITEM = text("Blue mug", at=(40, 600, 250, 650))
CART = text("Cart", at=(160, 145, 270, 195))
HEAD = text("Your cart", at=(40, 150, 420, 250))
LOWER = text("Your cart", at=(40, 300, 420, 400))


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
        BACK + text("Cart", at=(480, 145, 600, 195), clickable="true") + MORE,
    ],
    ids=["a picture", "a described button", "Compose", "Flutter", "centred", "an action", "subtitle", "mirrored",
         "can be touched"],
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
        BACK + node("View", text("Search", at=(470, 145, 610, 195)), at=(160, 120, 920, 220), clickable="true"),
        BACK + text("Search", at=(340, 120, 740, 220), clickable="true"),
        BACK + text("Undo", at=(800, 145, 900, 195), clickable="true"),
    ],
    ids=["banner", "greeting", "half a greeting", "typed", "hint", "query", "clock", "another line", "an icon",
         "low", "row", "one pane of two", "centred in a field", "a field", "a button"],
)  # fmt: skip
def test_what_stands_next_to_a_button_and_is_no_title(line: str) -> None:
    assert named(line, NOTE) == ""


@pytest.mark.parametrize(
    "first",
    [
        HEAD,
        HEAD + button("Clear", at=(800, 150, 1060, 250)),
        button("Cancel", at=(20, 150, 220, 200)) + text("Your cart", at=(440, 150, 640, 200)),
        text("Your cart", at=(40, 150, 268, 208)),  # not much larger
        text("Your cart", at=(40, 150, 260, 205)) + node("ScrollView", at=(0, 300, 1080, 2400)),
        text("Your cart", at=(60, 150, 1020, 250)) + text("Pay soon", at=(60, 260, 1020, 310)),
        text("Your cart", at=(340, 150, 740, 250)) + node("View", node("ImageView", at=(0, 400, 200, 560)),
             text("Blue mug", at=(200, 400, 1040, 560)), at=(0, 400, 1080, 560), clickable="true") +
        node("View", text("A tray for two mugs and tea", at=(200, 600, 1040, 760)), at=(0, 600, 1080, 760),
             clickable="true"),
        node("ScrollView", HEAD, at=(0, 100, 1080, 2400)),
        node("RecyclerView", node("View", HEAD, at=(0, 100, 1080, 260)), at=(0, 100, 1080, 1400)),
        text("购物车", at=(40, 150, 280, 250)),
        text("All that you have chosen so far", at=(40, 150, 640, 350)),  # on two lines
        text("Your cart", at=(40, 150, 1040, 200), resource_id="dev.shop:id/tv_title"),
        text("10:45", at=(900, 80, 1020, 130)) + HEAD,
    ],
    ids=["first", "with a button", "of a form", "a sixth larger", "above a page", "in a column",
         "above high rows", "on a page", "heads a list", "Chinese", "two lines", "by its id", "below a clock"],
)  # fmt: skip
def test_a_large_first_text_is_the_title(first: str) -> None:
    assert named(first, NOTE, ITEM) != ""
    assert named(NOTE, ITEM) == ""


@pytest.mark.parametrize(
    "inside",
    [
        text("You are offline", at=(40, 150, 330, 200)) + HEAD.replace("150", "350"),  # a banner above it
        HEAD + text("For you", at=(40, 700, 340, 800)),  # one of several
        catalogue(HEAD.replace("150", "450").replace("250", "550")),
        node("RecyclerView", node("View", HEAD, text("Soon", at=(40, 260, 200, 300))), at=(0, 100, 1080, 2400)),
        node("RecyclerView", node("View", text("Cart", at=(40, 150, 160, 215))), at=(0, 100, 1080, 2400)),
        node("LinearLayout", HEAD, at=(0, 100, 1080, 400), clickable="true"),  # a card
        text("You are offline", at=(40, 150, 430, 215)) + button("Retry", at=(800, 150, 1060, 215)),
        text("Offline", at=(0, 150, 1080, 250)) + text("Pay soon", at=(0, 300, 1080, 350)),
        text("Your cart", at=(40, 150, 1040, 250)),  # with room around it, so of unknown size
        node("View", at=(20, 100, 1060, 220), clickable="true", content_desc="Search") + LOWER,
        node("View", text("Search", at=(60, 120, 200, 170)), at=(20, 100, 1060, 220), clickable="true") + LOWER,
        text("All", at=(440, 150, 540, 200)) + text("New", at=(40, 150, 140, 200), clickable="true"),
        node("View", at=(40, 150, 1040, 250), content_desc="Good evening,#Ada").replace("#", "&#10;"),
        text("£1,234.50", at=(40, 150, 420, 250)),
        text("3 mugs left", at=(40, 150, 320, 208)),
        text("One", at=(40, 150, 400, 200), resource_id="a:id/title")
        + text("Two", at=(40, 250, 400, 300), resource_id="a:id/title"),
    ],
    ids=["below a banner", "headings", "list", "row", "section", "card", "banner", "wide banner", "loose",
         "below a search button", "below a field", "tabs", "greeting", "amount", "count", "rows"],
)  # fmt: skip
def test_a_first_text_that_is_no_title(inside: str) -> None:
    assert named(inside, NOTE, ITEM) == ""


def test_the_part_that_a_list_at_the_side_opens_is_called_after_the_row() -> None:
    rows = [
        text(label, at=(40, 200 + 100 * at, 240, 250 + 100 * at)) for at, label in enumerate(("Sound", "Light"))
    ]
    side = node("View", *rows, at=(0, 0, 400, 2400), scrollable="true")
    note = text("Louder than the street", at=(440, 500, 900, 550))
    for title, named_so in (("Light", "Light"), ("Effects", "")):  # else a heading that has scrolled there
        head = text(title, at=(440, 150, 640, 205))
        page = node("ScrollView", head, note, at=(400, 0, 1080, 2400), scrollable="true")
        assert named(side, page) == named_so


def test_what_fills_the_middle_of_a_screen_is_called_like_a_dialog() -> None:
    title, message = (
        text("Delete it", at=(140, 840, 320, 890)),
        text("It is gone for good", at=(140, 950, 540, 1000)),
    )
    buttons = button("No", at=(140, 1100, 500, 1200)) + button("Yes", at=(580, 1100, 940, 1200))
    assert named(title, message, buttons) == "Delete it"
    described = (title + message).replace(" text=", " content-desc=").replace("TextView", "View")
    around = node("View", clickable="true", content_desc="Dismiss")
    assert named(around, described, buttons) == "Delete it"  # as Flutter draws it
    assert named(title, message) == ""  # a splash screen
    assert named(message, buttons) == ""
    assert named(title, message, buttons, text("Files", at=(0, 2300, 100, 2350))) == ""


def test_a_large_first_text_in_the_middle_is_the_title_of_a_page_that_does_not_move() -> None:
    note = text("Pay within 14 days, please", at=(40, 1700, 700, 1750))
    head = text("Your cart", at=(340, 1150, 720, 1250))
    assert named(head, note) == "Your cart"
    assert named(head, node("SeekBar", at=(40, 1300, 1040, 1400)), note) == ""  # a song
    assert named(node("ScrollView", head, note, at=(0, 0, 1080, 2400), scrollable="true")) == ""  # below a picture
    assert named(text("Your cart is empty.", at=(140, 1150, 920, 1250)), note) == ""
    assert named(head.replace("1150", "1650").replace("1250", "1750"), note.replace("17", "20")) == ""


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
    said = [
        node("Button", at=(at * 360, 2250, at * 360 + 360, 2400), content_desc=f"{label}, tab, {at + 1} of 3",
             selected=str(at == 2).lower()) for at, label in enumerate(("Home", "Cart", "Me"))
    ]  # fmt: skip
    assert named(node("View", *said, at=(0, 2250, 1080, 2400)), NOTE) == "Me"  # as React Native says it
    lower = "".join(said).replace(",2250]", ",400]").replace(",2400]", ",500]")
    assert named(node("View", lower, at=(0, 400, 1080, 500)), NOTE.replace("400", "300")) == "Me"  # anywhere
    pictures = lower.replace("Home", "Mug").replace("Cart", "Mug").replace("Me,", "Mug,")
    assert named(node("View", pictures, at=(0, 400, 1080, 500)), NOTE) == ""
    flutter = node("View", *described, at=(0, 2250, 1080, 2400)).replace("#", "&#10;")
    assert named(flutter, NOTE) == "Cart"


def place(label: str, at: tuple[int, int, int, int], chosen: bool, kind: str = "TextView", **more: str) -> str:
    return node(kind, at=at, text=label, clickable="true", selected=str(chosen).lower(), **more)


def side(*labels: str, width: int = 200, **more: str) -> str:
    places = [
        place(label, (0, 300 + 200 * at, width, 400 + 200 * at), at == 1, **more)
        for at, label in enumerate(labels)
    ]
    return node("LinearLayout", *places, at=(0, 0, width, 2400))


def test_tabs_at_the_side_at_the_top_and_of_radio_buttons() -> None:
    assert named(side("Guide", "Saved", "Search"), HEAD, NOTE) == "Saved"  # promotions next to it are no titles
    top = [place(label, (at * 300, 90, at * 300 + 300, 190), at == 1) for at, label in enumerate(("推荐", "关注"))]
    assert named(node("LinearLayout", *top, at=(0, 90, 600, 190)), NOTE) == "关注"
    low = [
        node("RadioButton", at=(at * 360, 2250, at * 360 + 360, 2400), text=label, clickable="true",
             checkable="true", checked=str(at == 1).lower()) for at, label in enumerate(("首页", "发现", "我的"))
    ]  # fmt: skip
    assert named(node("RadioGroup", *low, at=(0, 2250, 1080, 2400)), NOTE) == "发现"
    counted = tabs("Home", "Cart", "Me").replace("</node>", text("2", at=(10, 2260, 40, 2290)) + "</node>", 1)
    assert named(counted, NOTE) == "Home"


@pytest.mark.parametrize(
    "inside",
    [
        side("Guide", "Saved", "Search", width=600),  # a list
        side("Small", "Medium", "Large", kind="RadioButton", checkable="true"),
        side("Guide", "Saved"),
        tabs("Home", "Saved", "Cart", chosen=9),
        tabs("All", "Mugs", "Trays", top=400),  # a filter
        tabs("Mon 1", "Tue 2", "Wed 3", top=100, resource_id="a:id/tabs"),
        node("FrameLayout", tab("Home", 0, 2250, selected="true"), at=(0, 2250, 1080, 2400)),
        node("LinearLayout", *(tab(str(at), at, 2250, selected="true") for at in range(3))),
    ],
    ids=["list", "choices", "two rows", "none open", "chips", "days", "alone", "all selected"],
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
    assert "Your cart" in labels_of(was.elements)


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
    assert over(plain, message).dialog == "Delete it?"  # a short text before a longer one
    assert over(message, plain).dialog == over(message).dialog == ""
    names = node("RecyclerView", button("Price", at=(100, 900, 980, 1000)), at=(100, 850, 980, 1000))
    assert over(text("Sort by", at=(140, 740, 300, 790)), names).dialog == "Sort by"
    by_id = text("Delete it?", at=(140, 740, 340, 790), resource_id="android:id/message")
    assert over(by_id, message).dialog == ""
    assert over(text("Paying now.", at=(140, 740, 360, 790)), message).dialog == ""
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


@pytest.mark.parametrize("words", ["Loading...", "Wird geladen…"])
def test_what_goes_on_is_no_title(words: str) -> None:
    page = screen(text(words, at=(40, 120, 700, 280)), text("A line of text", at=(40, 500, 600, 550)))
    assert Snapshot.parse(page).title == ""
    assert Snapshot.parse(page.replace(words, "Storage")).title == "Storage"
