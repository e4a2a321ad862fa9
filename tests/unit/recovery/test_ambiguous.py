"""Of several that fit, the one that the same selector meant before; two candidates are never a choice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model import Element, Recovery, Selector
from tests.unit.snapshots.screens import button, catalogue, parse, row, screen

from .failures import Session, ask, failed

ADD = Selector(text="Add")
ONE = screen(catalogue(row("Tray", "£12.00", 400)), title="Catalogue")
TWO = screen(catalogue(row("Tray", "£12.00", 400), row("Bowl", "£3.00", 500)), title="Catalogue")
BEFORE = parse(ONE, "s1").find(text="Add")


def chosen(now: str, before: Element | None, **facts: object) -> Recovery | None:
    snapshot = parse(now, "s2")
    candidates = tuple(e for e in snapshot.elements if e.label == "Add")
    failure = failed("AMBIGUOUS_TARGET", snapshot, **{"candidates": candidates, "target": ADD, **facts})
    return ask("ambiguous", failure, session=Session({ADD: before} if before is not None else {}))


def test_the_one_it_meant_before() -> None:
    answer = chosen(TWO, BEFORE)
    assert answer is not None
    assert answer.strategy == "alternate_candidate"
    assert isinstance(answer.target, Element)
    assert (answer.target.snapshot_id, answer.target.row_title) == ("s2", "Tray")
    assert answer.reason.endswith("alone earlier in this test, on this screen")


def test_also_where_it_has_moved() -> None:
    moved = screen(catalogue(row("Bowl", "£3.00", 400), row("Tray", "£12.00", 500)), title="Catalogue")
    answer = chosen(moved, BEFORE)
    assert answer is not None
    assert getattr(answer.target, "row_title", "") == "Tray"


@pytest.mark.parametrize(
    ("now", "before", "why"),
    [
        (TWO, None, "it never meant one"),
        (TWO.replace("Catalogue", "Wish list"), BEFORE, "another screen"),
        (
            screen(catalogue(row("Mug", "£12.00", 400), row("Bowl", "£3.00", 500)), title="Catalogue"),
            BEFORE,
            "that one is gone",
        ),
        (
            screen(catalogue(row("Tray", "£12.00", 400), row("Tray", "£12.00", 500)), title="Catalogue"),
            BEFORE,
            "two look like it",
        ),
        (TWO, replace(BEFORE, fragile=True), "it was a look-alike then"),
        (TWO, BEFORE.remembered(), "its screen is not known"),
    ],
    ids=lambda value: value if isinstance(value, str) and "<" not in value else None,
)
def test_without_proof_there_is_no_choice(now: str, before: Element | None, why: str) -> None:
    assert chosen(now, before) is None, why


def test_what_is_no_candidate_is_not_taken() -> None:
    others = tuple(e for e in parse(TWO, "s2").elements if e.row_title == "Bowl")
    assert chosen(TWO, BEFORE, candidates=others) is None


def test_what_is_called_otherwise_now_is_not_taken() -> None:
    before = parse(screen(button("Add", resource_id="x:id/b"), title="Catalogue"), "s1").find(text="Add")
    now = screen(
        button("Add all", resource_id="x:id/b"),
        button("Add", at=(0, 500, 200, 600), resource_id="x:id/c"),
        button("Add", at=(0, 700, 200, 800), resource_id="x:id/d"),
        title="Catalogue",
    )
    candidates = tuple(parse(now, "s2").elements)
    assert chosen(now, before, candidates=candidates) is None


def test_only_for_selectors_that_are_ambiguous_and_only_once() -> None:
    known = Session({ADD: BEFORE})
    snapshot = parse(TWO, "s2")
    candidates = tuple(e for e in snapshot.elements if e.label == "Add")
    missing = failed("ELEMENT_NOT_FOUND", snapshot, candidates=candidates, target=ADD)
    assert ask("ambiguous", missing, session=known) is None
    by_ref = failed("AMBIGUOUS_TARGET", snapshot, candidates=candidates, target=BEFORE.ref)
    assert ask("ambiguous", by_ref, session=known) is None
    again = failed("AMBIGUOUS_TARGET", snapshot, candidates=candidates, target=ADD)
    assert ask("ambiguous", again, session=known) is not None
    assert ask("ambiguous", again, "alternate_candidate", session=known) is None
    assert ask("ambiguous", failed("AMBIGUOUS_TARGET", None, target=ADD), session=known) is None
