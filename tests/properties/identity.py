"""The rules that an identity keeps. Elements are known by their rectangles: no two are in one place
on orderly screens."""

from __future__ import annotations

import random
from collections.abc import Callable

from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import UiNode

from . import orderly
from .wild import written

Rule = Callable[[UiNode, random.Random], None]


def identities(snapshot: Snapshot) -> dict[Rect, int]:
    """The identities that a snapshot gives."""
    return {
        element.bounds: element.identity for element in (*snapshot.elements, *snapshot.headings)
    }


def read(root: UiNode) -> Snapshot:
    return Snapshot.parse(written(root), size=(20_000, 40_000))


def ignores_place(root: UiNode, chance: random.Random) -> None:
    dx, dy = chance.randrange(0, 3000), chance.randrange(0, 3000)
    before, after = identities(read(root)), identities(read(orderly.shifted(root, dx, dy)))
    assert after == {bounds.shifted(dx, dy): identity for bounds, identity in before.items()}


def ignores_the_size_of_the_screen(root: UiNode, chance: random.Random) -> None:
    larger = orderly.grown(root, chance.randrange(1, 3000))
    expected = identities(Snapshot.parse(written(root)))
    assert identities(Snapshot.parse(written(larger))) == expected
    size = (
        root.bounds.right + chance.randrange(1, 999),
        root.bounds.bottom + chance.randrange(1, 999),
    )
    assert identities(Snapshot.parse(written(root), size=size)) == expected


def ignores_states(root: UiNode, chance: random.Random) -> None:
    other = orderly.in_other_states(root, lambda: chance.random() < 0.5)
    assert identities(read(other)) == identities(read(root))


def ignores_what_is_typed(root: UiNode, chance: random.Random) -> None:
    other = orderly.typed_into(root, chance.choice(["", "grace", "Milk", "😀 two words"]))
    assert identities(read(other)) == identities(read(root))


def ignores_the_order_of_rows(root: UiNode, chance: random.Random) -> None:
    other = orderly.in_another_order(root, chance.shuffle, rows_too=False)
    assert identities(read(other)) == identities(read(root))


def ignores_the_order_of_siblings(root: UiNode, chance: random.Random) -> None:
    other = orderly.in_another_order(root, chance.shuffle, rows_too=True)
    assert identities(read(other)) == identities(read(root))


def ignores_strangers(root: UiNode, chance: random.Random) -> None:
    other = orderly.with_strangers(root, chance)
    before, after = identities(read(root)), identities(read(other))
    assert {bounds: after[bounds] for bounds in before} == before


def is_there_once(root: UiNode, chance: random.Random) -> None:
    found = identities(read(root))
    assert len(set(found.values())) == len(found)


RULES: tuple[Rule, ...] = (
    ignores_place,
    ignores_the_size_of_the_screen,
    ignores_states,
    ignores_what_is_typed,
    ignores_the_order_of_rows,
    ignores_the_order_of_siblings,
    ignores_strangers,
    is_there_once,
)
