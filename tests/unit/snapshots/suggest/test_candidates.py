"""Which selectors are tried for an element, and in which order."""

from __future__ import annotations

from pytest_replicant.snapshots.suggest.proposal import candidates

from ..screens import SHOP, button, node, parse, screen, text


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
    assert order.index('class_name="TextView", row_with=by(text="Blue mug")') < order.index('text="£9.90"')


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
