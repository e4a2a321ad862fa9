"""How several matches are told apart, in words and by a keyword that works."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import TargetError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.query.match import meant
from pytest_replicant.snapshots.suggest.lookup import distinct_descriptions, distinguish

from ..screens import SHOP, button, catalogue, node, parse, row, screen, text


def advice(source: str, selector: Selector) -> str:
    place = parse(source)._search_index
    extra = distinguish(place, selector, meant(place, selector))
    return extra.describe() if extra else ""


def told(source: str, selector: Selector) -> list[str]:
    """What is said of each match, refs left out."""
    place = parse(source)._search_index
    return [line.partition("]")[2].strip() for line in distinct_descriptions(place, meant(place, selector), 8)]


def ok(top: int, label: str = "OK", **attributes: str) -> str:
    return button(label, at=(0, top, 200, top + 90), **attributes)


def section(name: str, top: int, *inside: str, **attributes: str) -> str:
    heading = text(name, at=(0, top, 900, top + 50))
    return node("FrameLayout", heading, *inside, at=(0, top, 1080, top + 300), **attributes)


@pytest.mark.parametrize(
    ("source", "selector", "expected"),
    [
        (SHOP, by(text="Add"), 'row_with=by(text="Blue mug")'),
        (SHOP, by(class_name="Button"), 'row_with=by(text="Blue mug")'),
        (screen(ok(300), ok(400, resource_id="dev.shop:id/yes")), by(text="OK"), 'resource_id="yes"'),
        (screen(ok(300, "Yes"), ok(400, "No")), by(role="button"), 'text="Yes"'),
        (screen(ok(300), ok(400, content_desc="Agree to all")), by(text="OK"), 'description="Agree to all"'),
        (screen(ok(300), node("CheckBox", at=(0, 400, 90, 490), text="OK")), by(text="OK"), 'role="button"'),
        (
            screen(ok(300, enabled="true"), ok(400, enabled="false")),
            by(text="OK"),
            "enabled=True",
        ),
        (
            screen(section("Old", 300, ok(400)), section("New", 700, ok(800), resource_id="dev.shop:id/new")),
            by(text="OK"),
            'within=by(resource_id="new")',
        ),
        (screen(ok(300), ok(400)), by(text="OK"), ""),
    ],
)
def test_the_keyword_that_lasts_longest_is_advised(source: str, selector: Selector, expected: str) -> None:
    assert advice(source, selector) == expected


def test_a_keyword_that_was_given_is_given_otherwise_where_no_other_helps() -> None:
    source = screen(catalogue(row("Mug", "£1", 400), row("Mug", "£2", 500)))
    assert advice(source, by(text="Add", row_with=by(text="Mug"))) == 'row_with=by(text="£1")'
    with pytest.raises(TargetError, match=r'row_with=by\(text="£1"\) in place of the one given, or nth=0'):
        parse(source).find(text="Add", row_with=by(text="Mug"))


@pytest.mark.parametrize(
    ("source", "selector", "expected"),
    [
        (
            SHOP,
            by(text="Add"),
            ['in row "Blue mug £9.90"', 'in row "Red mug £8.00"', 'in row "Tray £12.00"'],
        ),
        (screen(ok(300, "Yes"), ok(400, "No")), by(role="button"), ['Button "Yes"', 'Button "No"']),
        (screen(ok(300, enabled="true"), ok(400, enabled="false")), by(text="OK"), ["enabled", "disabled"]),
        (screen(ok(300, selected="true"), ok(400)), by(text="OK"), ["selected", "at 100,445"]),
        (screen(ok(300, resource_id="a:id/x"), ok(400, resource_id="a:id/y")), by(text="OK"), ["id=x", "id=y"]),
        (
            screen(text("Old", at=(0, 300, 90, 350)), ok(360), text("New", at=(0, 500, 90, 550)), ok(560)),
            by(text="OK"),
            ['below "Old"', 'below "New"'],
        ),
        (screen(ok(300), ok(400)), by(text="OK"), ["at 100,345", "at 100,445"]),
        (screen(ok(300)), by(text="OK"), ['Button "OK"']),
    ],
)
def test_no_more_is_said_than_tells_them_apart(source: str, selector: Selector, expected: list[str]) -> None:
    assert told(source, selector) == expected


def test_labels_stay_inside_their_quotes() -> None:
    source = screen(ok(300, 'a" in row "b', selected="true"), ok(400, "x" * 500, selected="true"))
    first, second = told(source, by(selected=True))
    assert first == 'Button "a\\" in row \\"b"'
    assert len(second) < 200


LABELS = st.sampled_from(["Add", "Delete", "Milk", "3", "£1", ""])


@st.composite
def screens(draw: st.DrawFn) -> Snapshot:
    """Rows of a few look-alikes in a few arrangements."""
    rows = draw(st.lists(st.tuples(LABELS, LABELS, st.booleans(), st.booleans()), min_size=2, max_size=5))
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
@settings(max_examples=150, deadline=None)
@given(screens())
def test_the_advice_always_works(snapshot: Snapshot) -> None:
    for label in {element.label for element in snapshot.elements} - {""}:
        advice_holds(snapshot, by(text=label))
    advice_holds(snapshot, by(role="button"))


def advice_holds(snapshot: Snapshot, selector: Selector) -> None:
    """Whatever the error advises leaves exactly one of the candidates; else it says that only places differ."""
    candidates = meant(snapshot._search_index, selector)
    if len(candidates) < 2:
        return
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    advised = str(caught.value).rpartition("Next: ")[2]
    extra, works, _ = advised.partition(", or nth=0 if any will do.")
    if not works:
        assert f"nth=0 to nth={len(candidates) - 1}" in advised
        return
    trial = eval(f"by({extra.removesuffix(' in place of the one given')})", {"by": by})
    assert snapshot.one(replace(selector, **dict(trial.given()))) in candidates


def test_an_id_that_the_app_made_up_stays_within_quotes() -> None:
    source = screen(button("Add", resource_id="a\n[k427]"), button("Add", at=(0, 500, 200, 600), resource_id="b"))
    place = parse(source)._search_index
    assert distinct_descriptions(place, place.elements, 2) == [
        f'[{place.elements[0].ref}] id="a [k427]"',
        f"[{place.elements[1].ref}] id=b",
    ]
