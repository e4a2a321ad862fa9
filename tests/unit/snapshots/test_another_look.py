"""What a session knows of the last screen makes the next look cheaper, and nothing else: it sees
the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import partial

import pytest

from benchmarks.captures import NO_CORPUS, Capture, captures, corpus
from benchmarks.mutations import MUTATIONS, mutate
from benchmarks.shop_screen import shop_screen
from benchmarks.snapshot_speed import with_other_texts
from pytest_replicant.model import Element
from pytest_replicant.snapshots import Memory, Snapshot

from .test_cost import lines_run

COMPARED = [each.name for each in fields(Element) if each.name not in ("family", "node")]


class Session:
    """A session's memory, and what it sees; one that is not ``reusing`` reads each screen as if it
    were the first of its kind."""

    def __init__(self, *, reusing: bool = True) -> None:
        self.memory = Memory()
        self._reusing = reusing
        self._printed: list[str] = []

    def look(self, source: bytes) -> list[object]:
        snapshot = self.read(source)
        seen = self._seen(snapshot)
        self._printed += [element.ref for element in snapshot.elements]
        return seen

    def read(self, source: bytes) -> Snapshot:
        if not self._reusing:
            fresh = Memory()
            for name in ("last_read", "layout", "cards"):
                setattr(self.memory, name, getattr(fresh, name))
        snapshot = Snapshot.parse(source, memory=self.memory)
        self.memory.learn(snapshot)
        snapshot.outline()
        return snapshot

    def _seen(self, snapshot: Snapshot) -> list[object]:
        witnesses = [self.memory.witness(ref) for ref in dict.fromkeys(self._printed)]
        located = [snapshot.locate(witness) for witness in witnesses if witness is not None]
        everything = (*snapshot.elements, *snapshot.headings)
        return [
            snapshot.outline(),
            snapshot.outline(bounds=True, offscreen=True),
            snapshot.to_dict(),
            snapshot.traits,
            snapshot.fingerprint,
            snapshot.nodes,
            [[getattr(element, name) for name in COMPARED] for element in everything],
            [
                (element.node, element.card, element.anchors, element.neighbours)
                for element in everything
            ],
            [snapshot.reach(element) for element in everything[:10]],
            [(each.verdict, each.element and each.element.ref, each.reason) for each in located],
            [
                (one.screen, one.card, one.anchors, one.order)
                for one in witnesses
                if one is not None
            ],
        ]


def check(*screens: bytes) -> None:
    one, other = Session(), Session(reusing=False)
    for screen in screens:
        seen, expected = one.look(screen), other.look(screen)
        assert seen == expected


def test_a_shop_whose_prices_change_looks_the_same_to_a_session_that_knows_it() -> None:
    screens = [shop_screen(60, changed=changed) for changed in (0, 1, 3, 0, 12)]
    check(*screens, with_other_texts(screens[0]), screens[0])


@pytest.mark.slow
@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
@pytest.mark.parametrize("step", [120, pytest.param(12, marks=pytest.mark.thorough)])
def test_whatever_changes_a_session_that_knows_the_last_screen_sees_the_same(step: int) -> None:
    for capture in captures("tune")[0][::step]:
        check(capture.data, with_other_texts(capture.data), capture.data)
        check(*_changed(capture, step))


def _changed(capture: Capture, step: int) -> Iterator[bytes]:
    for mutation in MUTATIONS[:: min(step, 4)]:
        pair = mutate(capture.tree, mutation, capture.name)
        yield from () if pair is None else (each.to_bytes() for each in (*pair, pair[0]))


def test_a_look_that_kept_what_has_changed_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "pytest_replicant.snapshots.screen.layout._lie_alike", lambda before, now: True
    )
    moved = shop_screen(60).replace(b"[0,432][1080,448]", b"[0,4320][1080,4480]")
    with pytest.raises(AssertionError):
        check(shop_screen(60), shop_screen(60, changed=1), moved)


@pytest.mark.slow
def test_another_look_runs_fewer_lines_than_one_that_knows_nothing_of_the_last() -> None:
    screens = [shop_screen(120), with_other_texts(shop_screen(120))] * 2
    reusing, not_reusing = Session(), Session(reusing=False)
    costs = [[lines_run(partial(of.read, one)) for one in screens] for of in (reusing, not_reusing)]
    assert costs[0][0] == pytest.approx(costs[1][0], rel=0.05)  # nothing is known at the first look
    assert costs[0][-1] < 0.7 * costs[1][-1]
