"""An element is found again where it is, and never somewhere else."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import UiNode

from . import orderly
from .effort import examples
from .identity import read
from .wild import windows, written

FOUND = {"same", "moved", "renamed"}
chances = st.randoms(use_true_random=False)


@pytest.mark.slow
@examples(12)
@given(windows())
def test_on_its_own_screen_everything_is_the_same(roots: list[UiNode]) -> None:
    source = written(*roots)
    before, after = Snapshot.parse(source), Snapshot.parse(source, id="s1")
    for was, now in zip(before.elements, after.elements, strict=True):
        located = after.locate(was.remembered())
        assert (located.verdict, located.element) == ("same", now)


@pytest.mark.slow
@examples(12)
@given(orderly.screens(), st.integers(1, 3000), st.integers(1, 3000))
def test_on_a_shifted_screen_everything_has_moved_or_cannot_be_reported(
    root: UiNode, dx: int, dy: int
) -> None:
    before, after = read(root), read(orderly.shifted(root, dx, dy))
    for was in before.elements:
        located = after.locate(was.remembered())
        if located.element is None:
            assert was.fragile, located
            assert located.verdict == "ambiguous"
        else:
            assert located.verdict == "moved"
            assert located.element.bounds == was.bounds.shifted(dx, dy)


@pytest.mark.slow
@examples(12)
@given(orderly.screens(), chances)
def test_whatever_else_changes_what_is_found_is_what_it_was(
    root: UiNode, chance: random.Random
) -> None:
    other = orderly.with_strangers(
        orderly.in_other_states(root, lambda: chance.random() < 0.5), chance
    )
    before, after = read(root), read(other)
    for was in before.elements:
        located = after.locate(was.remembered())
        assert located.element is not None, located
        assert (located.verdict, located.element.bounds) == ("same", was.bounds)


@pytest.mark.slow
@examples(12)
@given(windows(12), windows(12))
def test_between_strange_screens_what_is_found_shares_id_or_class_and_label(
    one: list[UiNode], other: list[UiNode]
) -> None:
    before, after = Snapshot.parse(written(*one)), Snapshot.parse(written(*other), id="s1")
    for was in before.elements:
        located = after.locate(was.remembered())
        assert (located.element is not None) == (located.verdict in FOUND)
        assert located.reason
        if located.element is not None:
            now = located.element
            assert was.class_name == now.class_name
            assert was.resource_id == now.resource_id
            same_id = bool(was.resource_id)
            named_alike = was.label == now.label or set(was.folded) & set(now.folded)
            stayed = (
                was.neighbours is not None and was.neighbours == now.neighbours
            )  # called something else now
            assert same_id or named_alike or stayed or was.fragile


@pytest.mark.slow
@examples(12)
@given(orderly.screens(), chances)
def test_what_is_gone_is_not_found_on_what_is_left(root: UiNode, chance: random.Random) -> None:
    """Taken away: one part of the screen. What was in it may be found only where something shares
    all it is known by; nothing outside it is found in another place than its own."""
    left = replace(root, children=list(root.children))
    gone = left.children.pop(chance.randrange(len(left.children)))
    before, after = read(root), read(left)
    for was in before.elements:
        now = after.locate(was.remembered()).element
        if now is None:
            continue
        if gone.bounds.encloses(was.bounds):
            assert (now.class_name, now.resource_id) == (was.class_name, was.resource_id)
            assert was.resource_id or now.label == was.label
        elif not was.fragile:
            assert now.bounds == was.bounds
