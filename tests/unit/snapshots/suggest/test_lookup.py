"""What failed lookups say."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import TargetError, UsageError

from ..screens import SHOP, button, parse, screen


def test_several_matches_are_listed_with_what_tells_them_apart() -> None:
    snapshot = parse(SHOP)
    with pytest.raises(TargetError) as caught:
        snapshot.find(text="Add")
    error = caught.value
    refs = [element.ref for element in snapshot.find_all(text="Add")]
    assert error.code == "AMBIGUOUS_TARGET"
    assert [element.ref for element in error.candidates] == refs
    assert error.outline == snapshot.outline()
    assert str(error).splitlines() == [
        'AMBIGUOUS_TARGET  text="Add": 3 matches',
        f'  [{refs[0]}] in row "Blue mug £9.90"   [{refs[1]}] in row "Red mug £8.00"   '
        f'[{refs[2]}] in row "Tray £12.00"',
        'Next: row_with=by(text="Blue mug"), or nth=0 if any will do.',
    ]


def test_the_advice_works() -> None:
    snapshot = parse(screen(button("OK"), button("OK", at=(0, 500, 90, 590), resource_id="dev.shop:id/ok")))
    with pytest.raises(TargetError, match="AMBIGUOUS_TARGET"):
        snapshot.find(text="OK")
    assert snapshot.find(text="OK", resource_id="ok").bounds.top == 500


def test_no_match_names_the_nearest() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).find(text="tray")
    assert caught.value.code == "ELEMENT_NOT_FOUND"
    assert 'text="Tray" is the nearest label' in str(caught.value)
    assert [element.label for element in caught.value.candidates] == ["Tray"]


def test_no_match_and_nothing_near_says_how_to_look() -> None:
    with pytest.raises(TargetError, match=r"scroll_to") as caught:
        parse(SHOP).find(text="Zzzz")
    assert caught.value.candidates == ()


def test_a_screen_without_elements_gets_its_own_advice() -> None:
    with pytest.raises(TargetError, match="no elements at all"):
        parse(screen()).find(text="Anything")


def test_a_bare_string_is_no_ref() -> None:
    with pytest.raises(UsageError, match=r'Did you mean find\(text="Sign in"\)'):
        parse(SHOP).element("Sign in")


def test_an_unknown_ref_is_not_found_and_the_advice_is_for_refs() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).element("q000")
    assert str(caught.value).splitlines() == [
        "ELEMENT_NOT_FOUND  q000: none of the 10 elements has this ref",
        "Next: a ref of the current outline, or scroll_to(...) if it is further down.",
    ]


def test_nobody_is_sent_scrolling_where_nothing_scrolls() -> None:
    with pytest.raises(TargetError) as caught:
        parse(screen(button("Pay"))).find(text="Order placed")
    assert str(caught.value).endswith(
        "Next: go to the screen that has it, or give it more time: nothing here scrolls."
    )


def test_an_unknown_ref_is_not_found() -> None:
    with pytest.raises(TargetError, match="ELEMENT_NOT_FOUND  q000"):
        parse(screen()).element("q000")


def test_wrong_keywords_are_usage_errors() -> None:
    with pytest.raises(UsageError, match=r"Did you mean text=\?.*text_contains"):
        parse(SHOP).find(label="Add")
    with pytest.raises(UsageError, match="at least one"):
        parse(SHOP).find()


def test_the_nearest_are_named_even_where_they_are_alike() -> None:
    snapshot = parse(screen(button("Save all"), button("Save all", at=(0, 900, 90, 990))))
    with pytest.raises(TargetError) as caught:
        snapshot.find(text="Save al")
    nearest = str(caught.value).splitlines()[1]
    assert nearest.count('Button "Save all" at ') == 2


def test_a_long_list_of_matches_is_cut_short() -> None:
    many = [
        button("Add", at=(n % 9 * 100, 300 + n // 9 * 100, n % 9 * 100 + 90, 390 + n // 9 * 100))
        for n in range(60)
    ]
    with pytest.raises(TargetError) as caught:
        parse(screen(*many)).find(text="Add")
    first, second, third = str(caught.value).splitlines()
    assert first == 'AMBIGUOUS_TARGET  text="Add": 60 matches'
    assert second.endswith("   … and 52 more")
    assert third == "Next: only their position distinguishes them: nth=0 to nth=59, in reading order."
    assert len(caught.value.candidates) == 60
