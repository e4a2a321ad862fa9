"""Selector proposals: lasting, unique and tried out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Element, by
from pytest_replicant.snapshots import SelectorProposal, Snapshot
from pytest_replicant.snapshots.query.search_index import SearchIndex
from pytest_replicant.snapshots.suggest.proposal import (
    candidates,
    containers,
    contents,
    heading,
    lines,
    neighbours,
    rows,
)

from ..screens import SHOP, button, catalogue, node, parse, row, screen, text


def proposal(snapshot: Snapshot, **selector: Any) -> SelectorProposal:
    return snapshot.selector(snapshot.ref(**selector))


def code(snapshot: Snapshot, **selector: Any) -> str:
    return proposal(snapshot, **selector).code


def test_an_id_comes_first_then_the_label_then_the_row() -> None:
    snapshot = parse(screen(button("Pay", resource_id="dev.shop:id/pay"), button("Help", at=(0, 500, 90, 590))))
    assert code(snapshot, text="Pay") == 'by(resource_id="pay")'
    assert code(snapshot, text="Help") == 'by(text="Help")'
    shop = parse(SHOP)
    assert code(shop, text="Add", nth=1) == 'by(text="Add", row_with="Red mug")'


ICONS = screen(*(node("ImageView", at=(n, 300, n + 9, 390), clickable="true") for n in (0, 50, 100)))


def test_the_code_finds_the_element_it_was_made_for() -> None:
    snapshot = parse(SHOP)
    for element in snapshot.elements:
        proposal = snapshot.selector(element.ref)
        assert eval(proposal.code, {"by": by}) == proposal.selector
        assert snapshot.match(proposal.selector) == [element]
        assert proposal.unique_on == ("s1",)


def test_a_place_in_the_order_is_never_proposed() -> None:
    snapshot = parse(ICONS)
    for element in snapshot.elements:
        proposal = snapshot.selector(element.ref)
        assert proposal.selector.nth is None
        assert element in snapshot.match(proposal.selector)
        assert proposal.unique_on == ()
        assert proposal.warnings[0].startswith("not unique: 3 elements fit, and only its position")


def test_of_what_is_not_unique_the_narrowest_is_proposed() -> None:
    twins = (button("Add", at=(n, 400, n + 90, 490)) for n in (500, 700))
    rows = catalogue(node("LinearLayout", text("Mug", at=(600, 400, 690, 490)), *twins, at=(0, 400, 1080, 490)))
    snapshot = parse(screen(rows, button("Add", at=(0, 1500, 90, 1590))))
    found = snapshot.selector(snapshot.find_all(text="Add")[0].ref)
    assert found.code == 'by(text="Add", row_with="Mug")'
    assert "2 elements fit" in found.warnings[0]


@pytest.mark.parametrize(
    ("source", "expected", "warned"),
    [
        (button("Pay", resource_id="android:id/button1"), 'by(text="Pay")', ""),
        (button("", resource_id="android:id/button1"), 'by(resource_id="android:id/button1")', "every app"),
        (button("Pay", resource_id="el-5f2b8c1d"), 'by(text="Pay")', ""),
        (button("", resource_id="el-5f2b8c1d"), 'by(resource_id="el-5f2b8c1d")', "looks generated"),
        (button("Pay £9.90", resource_id="dev.shop:id/pay"), 'by(resource_id="pay")', ""),
        (text("Cart 3"), 'by(text_matches=r"^Cart \\d+$")', "the pattern takes any number"),
        (text("£9.90"), 'by(text="£9.90")', "holds digits"),
        (button("ON"), 'by(text="ON")', "names a state"),
        (
            text("All of the coffee that we sell is roasted on the day on which it is sent"),
            'by(text_contains="All of the coffee that we sell is roasted on the day on")',
            "",
        ),
        (node("EditText", at=(0, 300, 90, 390), hint="Email", text="ada@example.com"), 'by(text="Email")', ""),
        (node("EditText", at=(0, 300, 90, 390), text="ada"), 'by(class_name="EditText")', "only its class"),
        (node("ImageView", at=(0, 300, 90, 390), clickable="true"), 'by(class_name="ImageView")', "its class"),
    ],
)
def test_what_lasts_is_preferred(source: str, expected: str, warned: str) -> None:
    snapshot = parse(screen(source, button("Other", at=(0, 900, 90, 990), resource_id="other")))
    element = next(element for element in snapshot.elements if element.resource_id != "other")
    found = snapshot.selector(element.ref)
    assert found.code == expected
    assert warned in " ".join(found.warnings)
    assert bool(found.warnings) == bool(warned)


def card(name: str, top: int, *inside: str, **attributes: str) -> str:
    title = text(name, at=(0, top, 300, top + 50))
    return node("LinearLayout", title, *inside, at=(0, top, 1080, top + 200), **attributes)


def icon(top: int, left: int = 900, **attributes: str) -> str:
    return node("ImageView", at=(left, top, left + 90, top + 90), clickable="true", **attributes)


@pytest.mark.parametrize(
    ("source", "wanted", "expected"),
    [
        (  # a part of an identified container
            screen(
                node("FrameLayout", icon(300), at=(0, 300, 1080, 400), resource_id="a:id/top"),
                node("FrameLayout", icon(500), at=(0, 500, 1080, 600), resource_id="a:id/bottom"),
            ),
            by(class_name="ImageView", within=by(resource_id="top")),
            'by(class_name="ImageView", within=by(resource_id="top"))',
        ),
        (  # what holds something of a name
            screen(
                card("Milk", 300, button("Buy", at=(500, 300, 600, 390)), clickable="true", long_clickable="true"),
                node("LinearLayout", icon(700), at=(0, 700, 1080, 900), clickable="true"),
            ),
            by(class_name="LinearLayout", has=by(class_name="ImageView")),
            None,
        ),
        (  # next to a label
            screen(card("Milk", 300, icon(300)), card("Bread", 600, icon(600))),
            by(class_name="ImageView", row_with="Bread"),
            'by(class_name="ImageView", row_with="Bread")',
        ),
    ],
)
def test_the_surroundings_distinguish_look_alikes(source: str, wanted: object, expected: str | None) -> None:
    snapshot = parse(source)
    (element,) = snapshot.match(wanted)  # type: ignore[arg-type]  # a selector of the table
    found = snapshot.selector(element.ref)
    assert expected is None or found.code == expected
    assert (found.unique_on == ("s1",)) == (snapshot.match(found.selector) == [element])


def test_a_part_of_a_row_is_proposed_with_its_row_even_while_it_is_the_only_one() -> None:
    snapshot = parse(screen(catalogue(row("Milk", "£1", 400, button_id="a:id/add"))))
    assert code(snapshot, text="Add") == 'by(resource_id="add", row_with="Milk")'
    assert code(snapshot, text="Milk") == 'by(text="Milk")'


def test_a_label_put_together_is_known_by_the_part_that_stays() -> None:
    rows = (row(name, "£1", top, clickable="true") for name, top in (("Milk", 400), ("Bread", 500)))
    snapshot = parse(screen(catalogue(*rows)))
    assert code(snapshot, text="Milk") == 'by(text_contains="Milk")'


def test_what_scrolls_is_identified_by_its_class_sooner_than_by_what_it_shows() -> None:
    found = proposal(parse(SHOP), role="list")
    assert found.code == 'by(class_name="RecyclerView")'


def test_a_heading_is_met_as_checks_meet_it() -> None:
    snapshot = parse(SHOP)
    found = snapshot.selector(snapshot.headings[0].ref)
    assert found.code == 'by(text="Catalogue")'
    assert found.unique_on == ("s1",)


def test_a_selector_is_tried_on_other_screens_too() -> None:
    first = parse(screen(button("Add"), title="Product"))
    other = parse(screen(catalogue(row("Milk", "£1", 400), row("Bread", "£2", 500)), title="List"), "s2")
    assert first.selector(first.ref(text="Add")).code == 'by(text="Add")'
    both = first.selector(first.ref(text="Add"), also=[other])
    assert all(len(screen_.match(both.selector)) <= 1 for screen_ in (first, other))
    assert ("s2" in both.unique_on) == (len(other.match(both.selector)) == 1)


def test_where_the_element_is_gone_the_selector_must_meet_nothing() -> None:
    home = parse(screen(button("Add", resource_id="a:id/add"), text("Milk", at=(0, 500, 90, 590))))
    gone = parse(screen(button("Remove", resource_id="a:id/add"), text("Bread", at=(0, 500, 90, 590))), "s2")
    assert home.selector(home.ref(text="Milk"), also=[gone]).warnings == ()
    other = parse(screen(catalogue(row("Milk", "£1", 400), row("Milk", "£2", 500))), "s3")
    found = home.selector(home.ref(text="Milk"), also=[gone, other])
    assert found.unique_on[0] == "s1"
    assert [warning for warning in found.warnings if "s2" in warning] == []


def test_a_selector_that_fails_elsewhere_says_where_and_how() -> None:
    home = parse(screen(button("Pay")))
    other = parse(screen(*(button("Pay", at=(0, top, 90, top + 90)) for top in (300, 900, 1500))), "s2")
    found = home.selector(home.ref(text="Pay"), also=[other])
    assert found.code == 'by(text="Pay")'
    assert found.unique_on == ("s1",)
    assert found.warnings[-1].startswith("it is not unique on every snapshot given: on s2 ")


def test_the_next_best_is_taken_where_the_best_fails_elsewhere() -> None:
    save = button("Save", resource_id="a:id/action")
    home = parse(screen(save))
    other = parse(screen(save, button("Cancel", at=(0, 900, 90, 990), resource_id="a:id/action")), "s2")
    assert code(home, text="Save") == 'by(resource_id="action")'
    found = home.selector(home.ref(text="Save"), also=[other])
    assert found.code == 'by(text="Save")'
    assert found.unique_on == ("s1", "s2")
    assert found.warnings == ()


def test_numbers_that_change_between_screens_are_left_open() -> None:
    home, other = parse(screen(text("Cart 3"))), parse(screen(text("Cart 12")), "s2")
    found = home.selector(home.ref(text="Cart 3"), also=[other])
    assert found.code == r'by(text_matches=r"^Cart \d+$")'
    assert len(other.match(found.selector)) == 1


NONE = "\ufffe\uffff"  # which XML cannot hold, and phones leave out
WRITABLE = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters=NONE), min_size=1, max_size=30
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(WRITABLE, max_size=5))
def test_hostile_labels_are_written_as_python(labels: list[str]) -> None:
    hostile = ['a"b', "a'b", "a\\b", "{x}", "\u202egnp", '"""', "\\n"]
    buttons = (button(label, at=(0, n * 100, 90, n * 100 + 90)) for n, label in enumerate([*labels, *hostile]))
    snapshot = parse(screen(*buttons))
    for element in snapshot.elements:
        found = snapshot.selector(element.ref)
        assert eval(found.code, {"by": by}) == found.selector
        assert found.code.isprintable()
        assert (snapshot.match(found.selector) == [element]) == bool(found.unique_on)


def test_a_neighbour_alone_is_warned_about() -> None:
    labelled = [text(name, at=(0, top, 90, top + 50)) for name, top in (("Milk", 300), ("Bread", 900))]
    icons = [icon(top + 60, left=0) for top in (300, 900)]
    found = parse(screen(labelled[0], icons[0], labelled[1], icons[1])).find_all(class_name="ImageView")[0]
    snapshot = parse(screen(labelled[0], icons[0], labelled[1], icons[1]))
    proposal_ = snapshot.selector(found.ref)
    assert proposal_.code == 'by(class_name="ImageView", near="Milk")'
    assert "without that neighbour, another one matches" in proposal_.warnings[0]


def test_what_is_hardly_nearer_than_another_is_not_proposed_as_near() -> None:
    def two(left: int) -> Snapshot:
        return parse(screen(text("Milk", at=(0, 300, 90, 390)), icon(300, left=100), icon(300, left=left)))

    apart, close = two(600), two(140)
    assert apart.selector(apart.find_all(class_name="ImageView")[0].ref).selector.near == by(text="Milk")
    found = close.selector(close.find_all(class_name="ImageView")[0].ref)
    assert found.unique_on == ()
    assert found.warnings[0].startswith("not unique")


def spinner(choice: str, top: int, **more: str) -> str:
    box = (0, top, 500, top + 90)
    return node("Spinner", text(choice, at=box), at=box, clickable="true", scrollable="true", **more)


def test_a_drop_down_is_not_written_down_by_its_choice() -> None:
    snapshot = parse(screen(spinner("Inbox", 300), button("Compose", at=(0, 600, 200, 700))))
    assert snapshot.selector(snapshot.ref(role="dropdown")).code == 'by(class_name="Spinner")'


def test_where_only_the_choice_distinguish_drop_downs_the_proposal_warns() -> None:
    snapshot = parse(screen(spinner("Inbox", 300), spinner("Newest", 400)))
    proposal = snapshot.selector(snapshot.ref(text="Inbox"))
    assert proposal.code == 'by(text="Inbox")'
    assert proposal.warnings == ("the label is the current choice: another choice changes it",)


def test_what_is_nearest_by_a_hair_is_not_called_one_of_one() -> None:
    """Two nameless icons, one a few pixels nearer to the only label."""
    icons = (node("ImageView", at=(x, 300, x + 90, 390), clickable="true") for x in (0, 404))
    snapshot = parse(screen(text("Mute", at=(200, 300, 300, 390)), *icons))
    near = snapshot.find(class_name="ImageView", near="Mute")
    first = snapshot.selector(near.ref).warnings[0]
    assert first == "not unique for long: another match is almost as near, and nothing else distinguishes them"


def test_an_id_without_a_sign_in_it_is_in_no_proposal() -> None:
    """Some frameworks print a blank: neither the element nor what it is near is known by it."""
    adds = [button("+", at=(0, top, 90, top + 90)) for top in (300, 900)]
    snapshot = parse(screen(adds[0], node("ImageView", at=(100, 300, 190, 390), resource_id=" "), adds[1]))
    assert all("resource_id" not in snapshot.selector(element.ref).code for element in snapshot.elements)


def tried(source: str, number: int = 0) -> list[str]:
    snapshot = parse(source)
    return [selector.describe() for selector in candidates(snapshot._search_index, snapshot.elements[number])]


def test_what_was_chosen_comes_before_what_was_given() -> None:
    chosen = tried(screen(button("Pay", resource_id="dev.shop:id/pay")))
    assert chosen[:3] == ['resource_id="pay"', 'resource_id="dev.shop:id/pay"', 'text="Pay"']
    given = tried(screen(button("Pay", resource_id="android:id/button1")))
    assert given[0] == 'text="Pay"'
    assert given.index('resource_id="android:id/button1"') > given.index('text="Pay", class_name="Button"')


def test_a_label_with_numbers_comes_after_the_row() -> None:
    snapshot = parse(SHOP)
    price = next(element for element in snapshot.elements if element.label == "£9.90")
    order = [selector.describe() for selector in candidates(snapshot._search_index, price)]
    assert order.index('class_name="TextView", row_with="Blue mug"') < order.index('text="£9.90"')


def test_never_what_was_typed_nor_a_state_nor_a_place() -> None:
    field = node("EditText", at=(0, 300, 90, 390), text="ada", focused="true", enabled="true")
    everything = tried(screen(field, text("Name", at=(0, 900, 90, 990))))
    assert everything != []
    for word in ("ada", "focused", "enabled", "nth"):
        assert [code for code in everything if word in code] == []


def test_there_are_no_more_than_a_few() -> None:
    many = [text(f"Word{chr(97 + n)}", at=(0, 300 + n * 50, 90, 340 + n * 50)) for n in range(26)]
    assert len(tried(screen(node("ImageView", at=(500, 300, 590, 390), clickable="true"), *many))) < 40


def test_nothing_known_is_nothing_tried() -> None:
    source = screen().replace("</hierarchy>", '<node class="" clickable="true" bounds="[0,0][9,9]" /></hierarchy>')
    snapshot = parse(source)
    bare = [element for element in snapshot.elements if not element.class_name]
    assert [list(candidates(snapshot._search_index, element)) for element in bare] in ([[]], [])
    assert [snapshot.selector(element.ref).unique_on for element in bare] in ([()], [])


def found(source: str, label: str) -> tuple[SearchIndex, Element]:
    snapshot = parse(source)
    return snapshot._search_index, next(element for element in snapshot.elements if element.label == label)


def test_a_row_is_identified_by_its_title_before_its_other_labels() -> None:
    assert [extra.describe() for extra in rows(*found(SHOP, "Add"))] == [
        'row_with="Blue mug"',
        'row_with="£9.90"',
    ]
    assert next(extra.describe() for extra in rows(*found(SHOP, "Blue mug"))) == 'row_with="Add"'


def test_labels_with_numbers_come_last() -> None:
    place, add = found(screen(catalogue(row("Line 4", "to town", 400), row("Line 5", "home", 500))), "Add")
    assert [extra.describe() for extra in rows(place, add)] == [
        'row_with="to town"',
        'row_with="Line 4"',
    ]


def test_without_a_row_only_what_is_on_its_height_is_suggested() -> None:
    bar = node(
        "FrameLayout",
        text("Milk", at=(0, 300, 90, 390)),
        text("Below", at=(0, 500, 90, 590)),
        button("Delete", at=(500, 300, 600, 390)),
    )
    place, delete = found(screen(bar), "Delete")
    assert list(rows(place, delete)) == []
    assert [extra.describe() for extra in lines(place, delete)] == ['row_with="Milk"']


def test_containers_are_named_or_of_a_class_of_their_own() -> None:
    source = screen(
        node(
            "Toolbar",
            node("FrameLayout", node("LinearLayout", button("OK")), resource_id="a:id/actions"),
            at=(0, 300, 1080, 500),
        )
    )
    assert [extra.describe() for extra in containers(*found(source, "OK"))] == [
        'within=by(resource_id="actions")',
        'within=by(class_name="Toolbar")',
    ]


def test_what_it_holds_is_only_what_lies_inside() -> None:
    pane = node("ScrollView", text("Inside"), at=(0, 200, 900, 800), scrollable="true")
    snapshot = parse(screen(pane, text("Outside", at=(0, 900, 90, 990))))
    scroller = snapshot.find(class_name="ScrollView")
    assert [extra.describe() for extra in contents(snapshot._search_index, scroller)] == ['has="Inside"']


def test_neighbours_are_suggested_by_distance_and_neither_around_nor_inside() -> None:
    inner = node("FrameLayout", button("Pick", at=(0, 500, 90, 590)), resource_id="a:id/around")
    source = screen(text("Far", at=(0, 2000, 90, 2090)), text("Close", at=(0, 400, 90, 490)), inner)
    assert [extra.describe() for extra in neighbours(*found(source, "Pick"))] == [
        'near="Close"',
        'near="Far"',
    ]


def test_a_heading_stands_above_and_is_no_control() -> None:
    source = screen(
        text("Shipping", at=(0, 200, 900, 250)),
        button("Other", at=(0, 300, 90, 390)),
        button("Change", at=(0, 400, 90, 490)),
    )
    assert heading(*found(source, "Change")) == "Shipping"
    assert heading(*found(screen(button("Change")), "Change")) == ""


def shortened(*ids: str, label: str = "") -> Snapshot:
    """Buttons whose ids are from one app, the first with a label."""
    places = [(0, 300 + 200 * n, 90, 390 + 200 * n) for n in range(len(ids))]
    labels = [label, *[""] * len(ids)]
    shown = zip(labels, ids, places, strict=False)
    return parse(screen(*(button(said, at=at, resource_id=f"dev.shop:id/{name}") for said, name, at in shown)))


@pytest.mark.parametrize(
    ("ids", "doubted"),
    [
        (["elo", "bpl", "bwz"], True),
        (["b4m", "e26", "bo_", "search_text"], True),  # one name was kept
        (["ok", "b4m", "e26"], True),  # by chance, in a package of shortened names
        (["nk", "ok"], False),  # as many words as others: no build did this
        (["ok", "add", "url"], False),
        (["tab", "buy", "nav"], False),
        (["sku", "elo", "product_list", "total_price"], False),  # the other ids are whole
        (["btn", "txt", "cvv"], False),
        (["date", "icon", "list"], False),
        (["Ok", "Xyz"], False),
        (["0_resource_name_obfuscated"], True),
        (["(name removed)"], True),
    ],
)
def test_an_id_that_the_build_shortened_is_doubted_by_its_form_and_by_the_others(
    ids: list[str], doubted: bool
) -> None:
    named, unnamed = shortened(*ids, label="Pay"), shortened(*ids)
    assert code(named, text="Pay") == ('by(text="Pay")' if doubted else f'by(resource_id="{ids[0]}")')
    proposed = unnamed.selector(unnamed.elements[0].ref)
    assert proposed.selector.resource_id == ids[0]
    assert any("looks generated" in warning for warning in proposed.warnings) == doubted


def test_a_shortened_id_is_no_landmark_either() -> None:
    def boxed(first: str, second: str) -> str:
        boxes = [
            node("FrameLayout", icon(top), at=(0, top, 1080, top + 100), resource_id=f"dev.shop:id/{name}")
            for name, top in ((first, 300), (second, 500))
        ]
        snapshot = parse(screen(*boxes))
        return snapshot.selector(snapshot.find_all(class_name="ImageView")[0].ref).code

    assert "within" in boxed("top_bar", "bottom_bar")
    assert "resource_id" not in boxed("elo", "bpl")


def cart(*names: str) -> Snapshot:
    """A list, each row with ids as its template gives them."""
    made = [
        node(
            "LinearLayout",
            text(name, at=(0, top, 300, top + 50), resource_id="dev.shop:id/product_name"),
            text("in stock", at=(0, top + 50, 300, top + 100), resource_id="dev.shop:id/stock"),
            icon(top, resource_id="dev.shop:id/remove"),
            at=(0, top, 1080, top + 100),
        )
        for name, top in zip(names, range(400, 2000, 100), strict=False)
    ]
    return parse(screen(catalogue(*made), text("Total", at=(0, 2100, 300, 2200), resource_id="dev.shop:id/total")))


def test_an_id_of_a_rows_template_comes_after_words_even_while_it_is_alone() -> None:
    one, two = cart("Red mug"), cart("Red mug", "Tray")
    assert code(one, text="Red mug") == 'by(text="Red mug")'
    assert code(one, text="in stock") == 'by(resource_id="stock", row_with="Red mug")'
    assert code(one, text="Total") == 'by(resource_id="total")'
    for element in one.elements:
        found = one.selector(element.ref)
        assert found.warnings == () or element.states.scrollable
        assert len(two.match(found.selector)) == 1


def test_an_id_of_a_rows_template_that_nothing_else_tells_is_warned_about() -> None:
    lone = icon(400, resource_id="dev.shop:id/remove")
    snapshot = parse(screen(catalogue(node("LinearLayout", lone, at=(0, 400, 1080, 500)))))
    found = proposal(snapshot, class_name="ImageView")
    assert found.code == 'by(resource_id="remove")'
    assert found.warnings == ('the id "remove" lies in a row of a list, and another row may have it too',)


def test_an_id_that_is_named_after_its_row_is_of_that_row() -> None:
    named = node("LinearLayout", text("Wi-Fi", at=(0, 400, 300, 450)), at=(0, 400, 1080, 500), clickable="true")
    snapshot = parse(screen(catalogue(named.replace(' clickable="true"', ' clickable="true" resource-id="WIFI"'))))
    found = proposal(snapshot, text="Wi-Fi")
    assert (found.code, found.warnings) == ('by(resource_id="WIFI")', ())


def test_what_is_as_high_as_a_page_is_no_row() -> None:
    page = node("FrameLayout", icon(500, resource_id="a:id/play"), at=(0, 400, 1080, 2400))
    assert proposal(parse(screen(catalogue(page))), class_name="ImageView").warnings == ()


def test_a_heading_over_several_controls_is_not_their_row() -> None:
    items = [
        node("ViewGroup", text(name, at=at), at=at, clickable="true")
        for name, at in (("Teen mode", (0, 500, 300, 600)), ("Help", (300, 500, 600, 600)))
    ]
    third = node("ViewGroup", text("Skins", at=(600, 500, 900, 600)), at=(600, 500, 900, 600), clickable="true")

    def section(*shown: str) -> Snapshot:
        inside = [text("More services", at=(0, 400, 900, 480)), node("GridLayout", *shown, at=(0, 500, 1080, 600))]
        return parse(screen(catalogue(node("LinearLayout", *inside, at=(0, 400, 1080, 700)))))

    assert code(section(*items, third), text="Teen mode") == 'by(text="Teen mode")'


@pytest.mark.parametrize(
    ("source", "action", "check"),
    [
        (
            text("Welcome, Ada", resource_id="dev.shop:id/welcome"),
            'by(resource_id="welcome")',
            'by(text="Welcome, Ada")',
        ),
        (text("Cart 3"), r'by(text_matches=r"^Cart \d+$")', 'by(text="Cart 3")'),
        (button("Pay"), 'by(text="Pay")', 'by(text="Pay")'),
        (
            node("EditText", at=(0, 300, 90, 390), hint="Email", text="ada", resource_id="dev.shop:id/email"),
            'by(resource_id="email")',
            'by(text="Email")',
        ),
    ],
)
def test_an_action_is_aimed_by_what_stays_and_a_check_says_the_words(source: str, action: str, check: str) -> None:
    snapshot = parse(screen(source))
    ref = snapshot.elements[0].ref
    assert snapshot.selector(ref).code == snapshot.selector(ref, purpose="action").code == action
    assert snapshot.selector(ref, purpose="check").code == check


def test_a_check_of_what_says_nothing_shows_only_that_it_is_there() -> None:
    snapshot = parse(screen(icon(300, resource_id="dev.shop:id/play")))
    found = snapshot.selector(snapshot.elements[0].ref, purpose="check")
    assert found.code == 'by(resource_id="play")'
    assert found.warnings == ("it says none of its words: it shows that the element is there, and no more",)


def test_a_check_of_a_part_of_a_row_names_the_row() -> None:
    snapshot = parse(SHOP)
    price = snapshot.selector(snapshot.ref(text="£9.90"), purpose="check")
    assert price.code == 'by(text="£9.90", row_with="Blue mug")'


def test_a_check_of_a_choice_is_of_that_choice() -> None:
    snapshot = parse(screen(spinner("Inbox", 300), button("Compose", at=(0, 600, 200, 700))))
    found = snapshot.selector(snapshot.ref(role="dropdown"), purpose="check")
    assert (found.code, found.warnings) == ('by(text="Inbox")', ())


def test_a_check_fails_where_the_words_are_others() -> None:
    home = parse(screen(text("Welcome, Ada", resource_id="dev.shop:id/welcome")))
    other = parse(screen(text("Welcome, Bob", resource_id="dev.shop:id/welcome")), "s2")
    ref = home.elements[0].ref
    assert other.match(home.selector(ref).selector) == [other.elements[0]]
    assert other.match(home.selector(ref, purpose="check").selector) == []


@pytest.mark.parametrize("purpose", ["aim", "", None, "CHECK"])
def test_another_purpose_is_refused_with_those_there_are(purpose: object) -> None:
    snapshot = parse(SHOP)
    with pytest.raises(UsageError, match="give 'action' or 'check'"):
        snapshot.selector(snapshot.elements[0].ref, purpose=purpose)  # type: ignore[arg-type]  # wrong on purpose


def test_a_hostile_id_stays_in_its_quotes() -> None:
    snapshot = parse(screen(icon(300, resource_id='x" is fine, 123')))
    (warning,) = snapshot.selector(snapshot.elements[0].ref).warnings
    assert warning.startswith('the id "x\\" is fine, 123" looks generated')
