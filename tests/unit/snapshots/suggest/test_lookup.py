"""Failed lookups: near misses, differences between matches, and advice that works."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import TargetError, UsageError
from pytest_replicant.model import Advice, Selector, by, combined
from pytest_replicant.snapshots import Snapshot, is_slip

from ..screens import SHOP, button, node, parse, screen, text


def test_several_matches_are_listed_with_what_distinguish_them() -> None:
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
        'Next: row_with="Blue mug", or row_with="Red mug" or so for the others.',
    ]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Sgin in", "Sign in"), ("SIGN IN", "Sign in"), ("Signin", "Sign in"),
        ("sing in", "Sign in"), ("Catalouge", "Catalogue"), ("Cataloge", "Catalogue"),
        ("Catalagua", "Catalague"), ("e-mail", "Email"), ("Email:", "Email"),
        ("Crat, 1 item", "Cart, 1 item"), ("sgin_in", "sign_in"), ("signIn", "sign_in"),
    ],
)  # fmt: skip
def test_a_slip_of_the_keyboard_is_one_name(wanted: str, name: str) -> None:
    assert is_slip(wanted, name) == (
        wanted != "Catalagua"
    )  # at the end of a word it is another one
    assert is_slip(name, wanted) == is_slip(wanted, name)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Red mug", "Red rug"), ("Blue mug", "Red mug"), ("Save", "Saved"), ("Order", "Orders"),
        ("Row 4", "Row 5"), ("Row 14", "Row 41"), ("+1", "-1"), ("£8.00", "£800"),
        ("Volume +", "Volume -"), ("Place order", "Place order?"), ("Pay", "Day"), ("On", "Off"),
        ("Start", "Smart"), ("Black", "Block"), ("Item 1", "Item 11"), ("", "Pay"),
        ("Sign in", "Sign up"), ("Left", "Lift"), ("Accept all", "Accept"),
    ],
)  # fmt: skip
def test_another_name_is_no_slip(wanted: str, name: str) -> None:
    assert not is_slip(wanted, name)
    assert not is_slip(name, wanted)


def test_a_bare_string_is_no_ref() -> None:
    with pytest.raises(UsageError, match=r'Did you mean find\(text="Sign in"\)'):
        parse(SHOP).element("Sign in")


def test_an_unknown_ref_is_not_found_and_the_advice_is_for_refs() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).element("q000")
    assert str(caught.value).splitlines() == [
        "ELEMENT_NOT_FOUND  q000: none of the 10 elements has this ref",
        "Next: take a ref of the current outline, or write a selector.",
    ]


def test_wrong_keywords_are_usage_errors() -> None:
    with pytest.raises(UsageError, match=r"Did you mean find\(text=\"Add\"\)"):
        parse(SHOP).find(label="Add")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="at least one"):
        parse(SHOP).find()


OK = button("OK", at=(300, 900, 500, 990), resource_id="android:id/button1")


def test_a_long_selector_is_cut_short() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).find(text="x" * 100_000)
    assert len(str(caught.value)) < 600


LABELS = st.sampled_from(["Add", "Delete", "Milk", "3", "£1", ""])


@st.composite
def screens(draw: st.DrawFn) -> Snapshot:
    """Rows of a few look-alikes in a few arrangements."""
    rows = draw(
        st.lists(st.tuples(LABELS, LABELS, st.booleans(), st.booleans()), min_size=2, max_size=5)
    )
    inside = []
    for number, (name, label, marked, wrapped) in enumerate(rows):
        top = 200 + number * 150
        parts = [
            text(name, at=(0, top, 300, top + 50)) if name else "",
            button(label, at=(500, top, 700, top + 90), selected=str(marked).lower()),
        ]
        inside += [node("LinearLayout", *parts, at=(0, top, 1080, top + 140))] if wrapped else parts
    return parse(screen(*inside))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(screens())
def test_the_advice_always_works(snapshot: Snapshot) -> None:
    for label in {element.label for element in snapshot.elements} - {""}:
        advice_holds(snapshot, by(text=label))
    advice_holds(snapshot, by(role="button"))


def advice_holds(snapshot: Snapshot, selector: Selector) -> None:
    """Each keyword that the error advises leaves another one of the candidates; else only their
    places differ."""
    candidates = snapshot.every(selector)
    if len(candidates) < 2:
        return
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    advice = caught.value.parts.advice
    if isinstance(advice[0], str):
        assert f"nth=0 to nth={len(candidates) - 1}" in advice[0]
        return
    locators = [
        one.locator for one in advice if isinstance(one, Advice) and one.locator is not None
    ]
    assert [snapshot.one(combined(selector, one)) for one in locators] == candidates[:2]


def shown(*labels: str) -> Snapshot:
    return parse(
        screen(
            *(text(label, at=(0, 100 * at, 900, 100 * at + 90)) for at, label in enumerate(labels))
        )
    )


def test_of_what_comes_about_as_near_the_new_is_first() -> None:
    there = ["Card number", "Card holder", "Pay"]
    before, snapshot = shown(*there), shown(*there, "Card is expired")

    def first(wanted: str, then: Snapshot | None) -> str:
        with pytest.raises(TargetError) as caught:
            snapshot.one(by(text=wanted), before=then)
        return caught.value.candidates[0].label

    assert first("Card expired", before) == "Card is expired"
    assert first("Card", None) == "Card number"
    assert first("Card", before) == "Card is expired"
    assert first("Card numbers", before) == "Card number", (
        "what is much nearer is no matter of when it came"
    )
    assert first("Pay now", before) == "Pay"
