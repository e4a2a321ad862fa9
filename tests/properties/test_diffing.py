"""A diff accounts for every element of either screen, once."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots import Snapshot, SnapshotDiff
from pytest_replicant.virtual import UiNode

from . import orderly
from .effort import examples
from .identity import read
from .wild import windows, written

chances = st.randoms(use_true_random=False)


def check_accounts(before: Snapshot, after: Snapshot, diff: SnapshotDiff) -> None:
    now = [*diff.added, *(element for element, _ in diff.changed), *diff.moved, *diff.unchanged]
    assert sorted(each.node.index for each in now) == sorted(
        each.node.index for each in after.elements
    )
    assert all(element.snapshot_id == after.id for element in now)
    assert all(element.snapshot_id == before.id for element in diff.removed)
    assert len(diff.removed) == len({element.identity for element in diff.removed})
    stayed = len(now) - len(diff.added)
    assert stayed + len(diff.removed) == len(before.elements)
    kept = {element.identity for element in before.elements} & {
        element.identity for element in after.elements
    }
    assert not kept & {element.identity for element in (*diff.added, *diff.removed)}
    for _, change in diff.changed:
        assert change
        assert all(was != is_now for was, is_now in change.values())
    assert diff.empty == (diff.summary == "no change")


@pytest.mark.slow
@examples(12)
@given(windows(12), windows(12))
def test_the_counts_add_up(one: list[UiNode], other: list[UiNode]) -> None:
    before, after = Snapshot.parse(written(*one)), Snapshot.parse(written(*other), id="s1")
    check_accounts(before, after, after.diff(before))
    check_accounts(after, before, before.diff(after))


@pytest.mark.slow
@examples(12)
@given(orderly.screens(), chances)
def test_the_counts_add_up_where_little_changed(root: UiNode, chance: random.Random) -> None:
    other = orderly.with_strangers(
        orderly.in_other_states(root, lambda: chance.random() < 0.3), chance
    )
    before, after = read(root), Snapshot.parse(written(other), id="s1", size=(20_000, 40_000))
    check_accounts(before, after, after.diff(before))


@pytest.mark.slow
@examples(12)
@given(windows())
def test_nothing_differs_from_itself(roots: list[UiNode]) -> None:
    source = written(*roots)
    before, after = Snapshot.parse(source), Snapshot.parse(source, id="s1")
    for diff in (before.diff(before), after.diff(before)):
        assert diff.empty
        assert (diff.added, diff.removed, diff.changed, diff.moved) == ((), (), (), ())
        assert (len(diff.unchanged), str(diff)) == (len(before.elements), "no change")
    assert before.fingerprint == after.fingerprint
    assert before.screen_key == after.screen_key


@pytest.mark.slow
@examples(12)
@given(windows())
def test_against_nothing_everything_is_new(roots: list[UiNode]) -> None:
    after = Snapshot.parse(written(*roots))
    diff = after.diff(None)
    assert diff.complete
    assert diff.added == after.elements
    assert (diff.removed, diff.changed, diff.moved, diff.unchanged) == ((), (), (), ())
