"""What an element is taken for depends on nothing that changes while it stays the same element."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.virtual import UiNode

from .effort import examples
from .identity import RULES, Rule
from .orderly import screens

chances = st.randoms(use_true_random=False)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@examples(15)
@given(screens(), chances)
def test_an_identity(rule: Rule, root: UiNode, chance: random.Random) -> None:
    rule(root, chance)
