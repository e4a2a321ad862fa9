"""What an element is taken for depends on nothing that changes while it stays the same element."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pytest_replicant.model import Element, Rect
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.identity.refs import digest
from pytest_replicant.virtual import UiNode

from . import identity
from .effort import examples
from .identity import RULES, Identities, Rule, of_elements
from .orderly import screens

chances = st.randoms(use_true_random=False)


def named(rule: Rule) -> str:
    return rule.__name__


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=named)
@examples(30)
@given(screens(), chances)
def test_an_identity(rule: Rule, root: UiNode, chance: random.Random) -> None:
    rule(root, chance, of_elements)


def by(*traits: str) -> Identities:
    """A way of making identities from these traits of an element, without any other."""

    def identities(snapshot: Snapshot) -> Mapping[Rect, int]:
        return {element.bounds: digest(_traits(element, snapshot, traits)) for element in snapshot.elements}

    return identities


def _traits(element: Element, snapshot: Snapshot, traits: tuple[str, ...]) -> list[str]:
    node = element.node
    known = {
        "place": str(node.bounds),
        "x": str(node.bounds.left),
        "size": str(snapshot.size),
        "index": str(node.index),
        "number": str([e.bounds for e in snapshot.elements].index(node.bounds)),
        "count": str(len(snapshot.elements)),
        "states": str(node.states),
        "text": node.text,
        "value": str(element.value),
        "label": element.label,
    }
    return [known[trait] for trait in traits]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "traits"),
    [
        (identity.ignores_place, ("place",)),
        (identity.ignores_place, ("label", "x")),
        (identity.ignores_the_size_of_the_screen, ("label", "size")),
        (identity.ignores_states, ("states", "index")),
        (identity.ignores_what_is_typed, ("text", "index")),
        (identity.ignores_what_is_typed, ("value",)),
        (identity.ignores_the_order_of_rows, ("index",)),
        (identity.ignores_the_order_of_rows, ("number", "label")),
        (identity.ignores_the_order_of_siblings, ("index",)),
        (identity.ignores_strangers, ("count", "index")),
        (identity.is_there_once, ("label",)),
        (identity.is_there_once, ("states", "label")),
    ],
    ids=lambda value: value.__name__ if callable(value) else "+".join(value),
)
def test_a_rule_finds_an_identity_that_breaks_it(rule: Rule, traits: tuple[str, ...]) -> None:
    @settings(examples(300, 300), phases=[Phase.generate])
    @given(screens(), chances)
    def broken(root: UiNode, chance: random.Random) -> None:
        rule(root, chance, by(*traits))

    with pytest.raises(AssertionError):
        broken()
