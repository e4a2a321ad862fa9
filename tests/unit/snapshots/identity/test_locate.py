"""Location of an earlier element: by its own traits, its row, its surroundings."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Element, ScreenTraits, Selector, by
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.identity.locate import nearest

from ..screens import SHOP, button, catalogue, hierarchy, labels_of, node, parse, row, screen, text


def only(source: str, **selector: Any) -> Element:
    """As a session remembers it: without the screen it came from."""
    return parse(source).find(**selector).remembered()


def test_a_ref_alone_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="give an Element"):
        parse(SHOP).locate("k427")  # type: ignore[arg-type]


def test_same() -> None:
    located = parse(SHOP, "s2").locate(only(SHOP, text="Tray"))
    assert (located.verdict, located.element and located.element.label) == ("same", "Tray")


def test_moved() -> None:
    located = parse(screen(button("OK", at=(0, 900, 200, 1000))), "s2").locate(
        only(screen(button("OK")), text="OK")
    )
    assert (located.verdict, located.reason) == ("moved", "it moved by 0, 600 pixels")
    assert located.element is not None


def test_renamed_where_an_id_carries_it() -> None:
    was = only(screen(button("Cart, 0 items", resource_id="dev.shop:id/cart")), resource_id="cart")
    located = parse(screen(button("Cart, 1 item", resource_id="dev.shop:id/cart")), "s2").locate(was)
    assert (located.verdict, located.element and located.element.label) == ("renamed", "Cart, 1 item")


def test_a_framework_id_with_another_label_is_replaced() -> None:
    was = only(screen(button("ALLOW", resource_id="android:id/button1")), text="ALLOW")
    located = parse(screen(button("TURN OFF", resource_id="android:id/button1")), "s2").locate(was)
    assert (located.verdict, located.element) == ("replaced", None)
    assert labels_of(located.nearest) == ["TURN OFF"]


def test_a_row_that_changed_only_its_price_is_the_same() -> None:
    one = screen(
        catalogue(row("Milk", "£1.00", 400, clickable="true"), row("Bread", "£2.00", 500, clickable="true"))
    )
    was = only(one, text="Milk £1.00")
    located = parse(one.replace("£1.00", "£1.20"), "s2").locate(was)
    assert (located.verdict, located.element and located.element.label) == ("same", "Milk £1.20")


def test_another_event_about_the_same_thing_is_not_the_same_row() -> None:
    was = only(screen(catalogue(row("Milk", "sold at 9", 400, clickable="true"))), text="Milk sold at 9")
    later = screen(
        catalogue(row("Bread", "at 11", 400, clickable="true"), row("Milk", "bought at 10", 500, clickable="true"))
    )
    located = parse(later, "s2").locate(was)
    assert (located.verdict, located.element) == ("replaced", None)


def mails(*rows: tuple[str, str]) -> str:
    return screen(catalogue(*(row(name, said, 400 + 100 * n) for n, (name, said) in enumerate(rows))))


def test_a_button_of_another_event_of_one_name_is_another_button() -> None:
    """In its place a row may say something new; elsewhere only other numbers, or less where an edge cuts it."""
    was = add_of(mails(("Shop", "Parcel sent"), ("Anna", "Hi")), "Shop")
    other = parse(mails(("Anna", "Hi"), ("Shop", "Rate us")), "s2").locate(was)
    reason = 'its row says "Shop Rate us" now, no longer "Shop Parcel sent"'
    assert (other.verdict, other.reason) == ("replaced", reason)
    assert parse(mails(("Shop", "Parcel here"), ("Anna", "Hi")), "s3").locate(was).verdict == "same"
    priced = add_of(mails(("Milk", "£1.00"), ("Bread", "£2.00")), "Milk")
    assert parse(mails(("Bread", "£2.00"), ("Milk", "£1.20")), "s4").locate(priced).verdict == "moved"
    assert parse(mails(("Bread", "£2.00"), ("Milk", "")), "s5").locate(priced).verdict == "moved"


def test_what_is_no_longer_printed_with_its_ref_is_judged_by_its_row_too() -> None:
    was = add_of(mails(("Shop", "Parcel sent"), ("Shop", "Thanks")), "Shop")
    located = parse(mails(("Anna", "Hi"), ("Bob", "Yo"), ("Shop", "Rate us")), "s2").locate(was)
    assert (located.verdict, located.reason) == (
        "gone",
        'its row says "Shop Rate us" now, no longer "Shop Parcel sent"',
    )


@pytest.mark.parametrize("first", ["19", "10:20", "▂▄", "🇩🇪", "23,95 €", "5月3日", "٣ مايو"])
@pytest.mark.parametrize("clickable", ["false", "true"])
def test_a_row_is_not_the_one_that_begins_with_its_rank_now(first: str, clickable: str) -> None:
    def charts(*rows: tuple[str, str]) -> str:
        found = [row(*said, 400 + 100 * n, clickable=clickable) for n, said in enumerate(rows)]
        return screen(catalogue(*found))

    def of(source: str, name: str) -> list[Element]:
        found = [
            one
            for one in parse(source, "s2").elements
            if name in (one.label.partition(f"{first} ")[2], one.row_title)
        ]
        return [one.remembered() for one in found if one.label != name]

    meant = of(charts((first, "عمر فارس"), ("20", "Anna")), "عمر فارس")
    assert meant
    for was in meant:
        other = parse(charts((first, "نور كريم"), ("20", "Anna")), "s3").locate(was)
        assert other.element is None, was
        assert parse(charts(("20", "Anna"), (first, "عمر فارس")), "s4").locate(was).verdict == "moved", was


def test_an_exact_match_wins_over_what_differs_in_numbers() -> None:
    def bells(*numbers: str) -> str:
        found = [
            row("Door bell", f"{number} €", 400 + 100 * at, clickable="true") for at, number in enumerate(numbers)
        ]
        return screen(catalogue(*found))

    was = only(bells("23.95"), text="Door bell 23.95 €")
    located = parse(bells("61.99", "23.95"), "s2").locate(was)
    assert (located.verdict, located.element and located.element.label) == ("moved", "Door bell 23.95 €")


def add_of(source: str, name: str) -> Element:
    snapshot = parse(source)
    return next(e for e in snapshot.elements if e.label == "Add" and e.row_title == name).remembered()


def test_a_button_whose_row_is_gone_is_gone_with_the_nearest() -> None:
    was = add_of(SHOP, "Blue mug")
    without = screen(catalogue(row("Red mug", "£8.00", 400), row("Tray", "£12.00", 500)), title="Catalogue")
    located = parse(without, "s2").locate(was)
    assert (located.verdict, located.element, located.reason) == ("gone", None, "its row is gone")
    assert {element.row_title for element in located.nearest} == {"Red mug", "Tray"}


def test_the_only_row_left_is_not_taken_for_another() -> None:
    was = add_of(screen(catalogue(row("Blue mug", "£9.90", 400, button_id="dev.shop:id/add"))), "Blue mug")
    located = parse(screen(catalogue(row("Red mug", "£8.00", 400, button_id="dev.shop:id/add"))), "s2").locate(was)
    assert (located.verdict, located.element) == ("replaced", None)


def test_a_ref_survives_its_row_becoming_one_of_several() -> None:
    was = add_of(screen(catalogue(row("Blue mug", "£9.90", 400, button_id="dev.shop:id/add"))), "Blue mug")
    several = screen(
        catalogue(
            row("Red mug", "£8.00", 400, button_id="dev.shop:id/add"),
            row("Blue mug", "£9.90", 500, button_id="dev.shop:id/add"),
        )
    )
    located = parse(several, "s2").locate(was)
    assert (located.verdict, located.element and located.element.row_title) == ("moved", "Blue mug")


def test_two_of_the_kind_are_ambiguous() -> None:
    was = only(screen(button("OK")), text="OK")
    located = parse(screen(button("OK"), button("OK", at=(0, 500, 90, 590))), "s2").locate(was)
    assert (located.verdict, len(located.nearest)) == ("ambiguous", 2)


def stars(*tops: int, around: str = "LinearLayout") -> str:
    images = [node("ImageView", at=(0, top, 90, top + 90), clickable="true") for top in tops]
    return screen(node(around, *images))


@pytest.mark.parametrize(
    ("around", "now", "verdict"),
    [
        ("LinearLayout", (300, 400, 500), "same"),
        ("LinearLayout", (200, 300, 400), "moved"),
        ("LinearLayout", (300, 400), "ambiguous"),
        ("RecyclerView", (300, 400, 500), "same"),
        ("RecyclerView", (310, 410, 510), "moved"),
        ("RecyclerView", (200, 300, 400), "ambiguous"),  # one may have left at the top
    ],
)
def test_look_alikes_in_a_list_are_only_trusted_where_they_hardly_moved(
    around: str, now: tuple[int, ...], verdict: str
) -> None:
    was = parse(stars(300, 400, 500, around=around)).elements[1].remembered()
    assert parse(stars(*now, around=around), "s2").locate(was).verdict == verdict


def volume(name: str, top: int) -> tuple[str, ...]:
    images = [node("ImageView", at=(n, top + 50, n + 90, top + 140), clickable="true") for n in (0, 500)]
    return (text(name, at=(0, top, 300, top + 40)), *images)


def panel(*inside: str, title: str = "Sound") -> str:
    return screen(node("ScrollView", *inside, at=(0, 100, 1080, 2400), scrollable="true"), title=title)


def nameless(source: str, number: int, traits: ScreenTraits | None = None) -> Element:
    found = [element for element in parse(source).elements if element.class_name == "ImageView"]
    return found[number].remembered(traits)


def test_look_alikes_that_scrolled_along_with_the_label_before_them_are_found() -> None:
    was = nameless(panel(*volume("Media", 600), *volume("Calls", 900)), 3)
    located = parse(panel(*volume("Media", 200), *volume("Calls", 500)), "s2").locate(was)
    assert located.verdict == "moved"
    assert located.element is not None
    assert (located.element.bounds.left, located.element.section) == (500, "Calls")


def test_look_alikes_that_left_their_label_behind_are_not() -> None:
    was = nameless(panel(*volume("Media", 600)), 1)
    label, *images = volume("Media", 600)
    shifted = [image.replace("650", "850").replace("740", "940") for image in images]
    assert parse(panel(label, *shifted), "s2").locate(was).verdict == "ambiguous"


def explained(*more: str) -> str:
    """Sound settings in which a line of text has come in between "Media" and its two buttons."""
    icons = [node("ImageView", at=(n, 700, n + 90, 790), clickable="true") for n in (0, 500)]
    between = text("Music, films and games", at=(0, 650, 500, 690))
    return panel(text("Media", at=(0, 600, 300, 640)), between, *icons, *volume("Calls", 950), *more)


def test_look_alikes_with_another_label_before_them_are_found_by_their_order() -> None:
    was = nameless(panel(*volume("Media", 600), *volume("Calls", 900)), 1)
    located = parse(explained(), "s2").locate(was)
    assert located.verdict == "moved"
    assert located.element is not None
    assert located.element.bounds.left == 500


def test_order_reports_nothing_where_there_are_more_of_them_now() -> None:
    was = nameless(panel(*volume("Media", 600), *volume("Calls", 900)), 1)
    one_more = node("ImageView", at=(800, 700, 890, 790), clickable="true")
    assert parse(explained(one_more), "s2").locate(was).verdict == "ambiguous"


def test_a_screen_drawn_larger_is_the_same_screen() -> None:
    was = nameless(panel(*volume("Media", 600)), 1)
    images = [node("ImageView", at=(n, 1300, n + 180, 1480), clickable="true") for n in (0, 1000)]
    located = parse(panel(text("Media", at=(0, 1200, 600, 1280)), *images), "s2").locate(was)
    assert located.verdict == "moved"


def test_as_many_look_alikes_on_another_screen_are_not_the_same() -> None:
    def gallery(*ids: str) -> str:
        marks = [node("View", resource_id=f"dev.shop:id/{name}") for name in ids]
        return screen(*marks, node("ScrollView", *volume("", 600), at=(0, 100, 1080, 2400)))

    home = gallery("photos", "share")
    was = nameless(home, 1, parse(home).traits)
    elsewhere = parse(gallery("films", "cast"), "s2")
    assert elsewhere.locate(was).verdict == "replaced"
    assert parse(home, "s3").locate(was).verdict == "same"


def test_one_id_with_another_label_on_another_screen_is_another_button() -> None:
    home = screen(button("Next", resource_id="dev.shop:id/next"), title="Address")
    was = parse(home).find(text="Next").remembered(parse(home).traits)
    other = screen(button("Pay now", resource_id="dev.shop:id/next"), title="Payment")
    assert parse(other, "s2").locate(was).verdict == "replaced"
    assert parse(other.replace("Payment", "Address"), "s3").locate(was).verdict == "renamed"


def items(*labels: str, around: str = "LinearLayout", id: str = "item_{}") -> str:
    buttons = [
        button(label, at=(0, 400 + 100 * n, 200, 490 + 100 * n), resource_id=f"dev.shop:id/{id.format(n)}")
        for n, label in enumerate(labels)
    ]
    return screen(node(around, *buttons, at=(0, 400, 1080, 2400)), title="List")


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (items("Milk", "Bread", "Tea"), items("Bread", "Tea")),
        (items("Milk", "Bread"), items("Bread", "Milk")),
        (items("Milk", around="RecyclerView", id="item"), items("Bread", around="RecyclerView", id="item")),
    ],
    ids=["numbered", "numbered and sorted", "the only one in a list"],
)
def test_an_id_that_says_where_something_is_does_not_carry_a_name(then: str, now: str) -> None:
    located = parse(now, "s2").locate(only(then, text="Milk"))
    assert (located.verdict, located.reason) == (
        "replaced",
        'it is called "Bread" now, no longer "Milk"',
    )


def test_an_id_that_says_where_something_is_carries_a_count_and_what_lost_its_name() -> None:
    was = only(items("Cart 3", "Home"), text="Cart 3")
    assert parse(items("Cart 4", "Home"), "s2").locate(was).verdict == "renamed"
    assert parse(items("", "Home"), "s3").locate(was).verdict == "renamed"
    assert (
        parse(items("Cart", id="tab_1"), "s4").locate(only(items("Baskets", id="tab_1"), text="Baskets")).element
    )
    switched = node("RecyclerView", row("Anna", "12", 400, button_id="dev.shop:id/follow"), at=(0, 400, 1080, 900))
    was = only(screen(switched), text="Add")
    assert parse(screen(switched.replace('"Add"', '"Added"')), "s5").locate(was).verdict == "renamed"


def asked(question: str) -> str:
    inside = (
        text(question, at=(100, 800, 900, 900), resource_id="android:id/alertTitle"),
        button("OK", at=(100, 1000, 400, 1100), resource_id="android:id/button1"),
    )
    return hierarchy(node("FrameLayout", *inside, at=(100, 700, 980, 1200)), node("FrameLayout", text("Files")))


def test_the_button_of_another_dialog_is_another_button() -> None:
    question = parse(asked("Delete the file?"))
    was = question.find(text="OK").remembered(question.traits)
    assert parse(asked("Delete the file?"), "s2").locate(was).verdict == "same"
    other = parse(asked("Share the file?"), "s3").locate(was)
    assert (other.verdict, other.reason) == ("replaced", "another dialog is open, or it says something else")


def over_files(*inside: str) -> str:
    """A dialog without a title that the framework knows."""
    buttons = button("OK", at=(100, 1000, 400, 1100), resource_id="android:id/button1")
    over = node("FrameLayout", *inside, buttons, at=(100, 700, 980, 1200))
    return hierarchy(over, node("FrameLayout", text("Files")))


def said(words: str, *, id: str = "", top: int = 800) -> str:
    return text(words, at=(100, top, 900, top + 50), resource_id=id)


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (over_files(said("Go?", id="android:id/message")), over_files(said("Pay?", id="android:id/message"))),
        (over_files(said("Delete it?")), over_files(said("Pay?"))),
        (over_files(said("Sure?"), said("It goes", top=850)), over_files(said("Sure?"), said("All go", top=850))),
        (screen(said("Delete it?", id="android:id/message"), button("OK", resource_id="android:id/button1")),
         screen(said("Pay?", id="android:id/message"), button("OK", resource_id="android:id/button1"))),
    ],
    ids=["message", "heading", "below the heading", "alone in the dump"],
)  # fmt: skip
def test_a_dialog_is_known_by_what_it_says_where_no_title_reports(then: str, now: str) -> None:
    was = parse(then).find(text="OK")
    assert parse(now, "s2").locate(was).verdict == "replaced"
    assert parse(then, "s2").locate(was).verdict == "same"


def test_a_dialog_that_counts_or_holds_other_content_is_the_same_dialog() -> None:
    was = parse(over_files(said("Closes in 9 s"))).find(text="OK")
    assert parse(over_files(said("Closes in 8 s")), "s2").locate(was).verdict == "same"
    was = parse(over_files(node("EditText", text="a"), said("No results"))).find(text="OK")
    assert parse(over_files(node("EditText", text="ab"), said("2 found")), "s2").locate(was).verdict == "same"


@pytest.mark.parametrize("kept", [True, False])
def test_an_element_knows_its_screen_with_and_without_its_snapshot(kept: bool) -> None:
    """What lies under a dialog is not found in it, nor the other way round."""
    files, question = parse(screen(button("OK"), title="Files")), parse(over_files(said("Share?")), "s2")

    def found(snapshot: Snapshot) -> Element:
        element = snapshot.find(text="OK")
        return element if kept else element.remembered(snapshot.traits)

    hidden, closed = question.locate(found(files)), files.locate(found(question))
    assert (hidden.verdict, hidden.reason) == ("gone", "a dialog has opened since")
    assert (closed.verdict, closed.reason) == ("gone", "the dialog that was open is closed")


@pytest.mark.parametrize("resource_id", ["", "android:id/button1"])
def test_what_belongs_to_another_app_is_something_else(resource_id: str) -> None:
    shop = screen(button("OK", resource_id=resource_id))
    was = only(shop, text="OK")
    located = parse(shop.replace("dev.shop", "dev.bank"), "s2").locate(was)
    reason = "what looks like it belongs to dev.bank, not to dev.shop"
    assert (located.verdict, located.reason) == ("replaced", reason)


def test_something_else_in_its_place_is_named() -> None:
    located = parse(screen(text("Sold out")), "s2").locate(only(screen(text("In stock")), text="In stock"))
    assert (located.verdict, located.element) == ("replaced", None)
    assert "Sold out" in located.reason


def test_look_alikes_are_not_trusted_where_a_label_next_to_them_vanished_in_sight() -> None:
    was = nameless(panel(*volume("Media", 600), *volume("Calls", 900)), 1)
    assert parse(panel(*volume("Media", 400), *volume("Ring", 700)), "s2").locate(was).verdict == "ambiguous"
    out_of_sight = panel(*volume("Media", 2150))
    assert parse(out_of_sight, "s3").locate(was).verdict == "moved"


ELEMENTS = parse(
    screen(
        button("Sign in", resource_id="dev.shop:id/login"),
        button("Sign up for news", at=(0, 500, 200, 600)),
        button("Tray", at=(0, 700, 200, 800), resource_id="dev.shop:id/tray"),
    )
).elements


@pytest.mark.parametrize(
    ("selector", "labels"),
    [
        (by(text="sign in"), ["Sign in"]),
        (by(text="Sign"), ["Sign in", "Sign up for news"]),
        (by(text="Sgin in"), ["Sign in"]),
        (by(text="News: sign up"), ["Sign up for news"]),
        (by(text="The sign in form"), ["Sign in"]),
        (by(text_matches="trays?"), ["Tray"]),
        (by(resource_id="dev.other:id/log_in"), ["Sign in"]),
        (by(text="Zzzz"), []),
        (by(enabled=True), []),
    ],
)
def test_the_best_come_first(selector: Selector, labels: list[str]) -> None:
    assert labels_of(nearest(selector, ELEMENTS)) == labels


def test_no_more_are_named_than_asked_for() -> None:
    assert len(nearest(by(text="Sign"), ELEMENTS, 1)) == 1


def reported(name: str, *details: str, top: int = 400) -> str:
    texts = [
        text(detail, at=(0, top + 30 * n, 300, top + 30 * n + 30)) for n, detail in enumerate((name, *details))
    ]
    inside = (*texts, button("Add", at=(900, top, 1080, top + 100)))
    return screen(catalogue(node("LinearLayout", *inside, at=(0, top, 1080, top + 100))))


def test_a_row_that_moved_may_show_more_or_less_of_itself() -> None:
    was = parse(reported("Milk", "£1.00", "new")).find(text="Add")
    assert parse(reported("Milk", "£1.00", "new", "in stock", top=700), "s2").locate(was).verdict == "moved"
    assert parse(reported("Milk", "£1.00", top=700), "s3").locate(was).verdict == "moved"
    assert parse(reported("Milk", "£1.00", "old", top=700), "s4").locate(was).verdict == "replaced"


def test_a_row_without_its_title_needs_more_than_one_label_to_be_known_by() -> None:
    was = parse(reported("Milk", "£1.00", "new")).find(text="Add")
    assert parse(reported("£1.00", "new"), "s2").locate(was).verdict == "same"
    assert parse(reported("£1.00"), "s3").locate(was).verdict == "replaced"


@pytest.mark.parametrize(
    ("price", "top", "verdict"),
    [("£1.00", 900, "moved"), ("£1.20", 400, "same"), ("£1.20", 900, "replaced"), ("sold out", 400, "renamed")],
)
def test_a_row_that_names_itself_may_move_or_count_but_not_both(price: str, top: int, verdict: str) -> None:
    def listed(price: str, top: int) -> str:
        return screen(catalogue(row("Milk", price, top, clickable="true")))

    was = parse(listed("£1.00", 400)).find(text="Milk £1.00")
    assert parse(listed(price, top), "s2").locate(was).verdict == verdict


def test_an_app_that_is_not_reported_is_not_another_one() -> None:
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
