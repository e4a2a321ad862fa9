"""Selector proposals: lasting, unique and tried out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import UsageError
from pytest_replicant.model import by
from pytest_replicant.snapshots import SelectorProposal, Snapshot

from ..screens import SHOP, button, catalogue, parse, row, screen, text


def proposal(snapshot: Snapshot, **selector: Any) -> SelectorProposal:
    return snapshot.selector(snapshot.ref(**selector))


def code(snapshot: Snapshot, **selector: Any) -> str:
    return proposal(snapshot, **selector).code


def test_the_code_finds_the_element_it_was_made_for() -> None:
    snapshot = parse(SHOP)
    for element in snapshot.elements:
        proposal = snapshot.selector(element.ref)
        assert eval(proposal.code, {"by": by}) == proposal.selector
        assert snapshot.match(proposal.selector) == [element]
        assert proposal.unique_on == ("s1",)


def test_where_the_element_is_gone_the_selector_must_meet_nothing() -> None:
    home = parse(screen(button("Add", resource_id="a:id/add"), text("Milk", at=(0, 500, 90, 590))))
    gone = parse(
        screen(button("Remove", resource_id="a:id/add"), text("Bread", at=(0, 500, 90, 590))), "s2"
    )
    assert home.selector(home.ref(text="Milk"), also=[gone]).warnings == ()
    other = parse(screen(catalogue(row("Milk", "£1", 400), row("Milk", "£2", 500))), "s3")
    found = home.selector(home.ref(text="Milk"), also=[gone, other])
    assert found.unique_on[0] == "s1"
    assert [warning for warning in found.warnings if "s2" in warning] == []


NONE = "\ufffe\uffff"  # which XML cannot hold, and phones leave out
WRITABLE = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters=NONE),
    min_size=1,
    max_size=30,
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(WRITABLE, max_size=5))
def test_hostile_labels_are_written_as_python(labels: list[str]) -> None:
    hostile = ['a"b', "a'b", "a\\b", "{x}", "\u202egnp", '"""', "\\n"]
    buttons = (
        button(label, at=(0, n * 100, 90, n * 100 + 90))
        for n, label in enumerate([*labels, *hostile])
    )
    snapshot = parse(screen(*buttons))
    for element in snapshot.elements:
        found = snapshot.selector(element.ref)
        assert eval(found.code, {"by": by}) == found.selector
        assert found.code.isprintable()
        assert (snapshot.match(found.selector) == [element]) == bool(found.unique_on)


def shortened(*ids: str, label: str = "") -> Snapshot:
    """Buttons whose ids are from one app, the first with a label."""
    places = [(0, 300 + 200 * n, 90, 390 + 200 * n) for n in range(len(ids))]
    labels = [label, *[""] * len(ids)]
    shown = zip(labels, ids, places, strict=False)
    return parse(
        screen(
            *(button(said, at=at, resource_id=f"dev.shop:id/{name}") for said, name, at in shown)
        )
    )


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
    assert code(named, text="Pay") == (
        'by(text="Pay")' if doubted else f'by(resource_id="{ids[0]}")'
    )
    proposed = unnamed.selector(unnamed.elements[0].ref)
    assert proposed.selector.resource_id == ids[0]
    assert any("looks generated" in warning for warning in proposed.warnings) == doubted


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
