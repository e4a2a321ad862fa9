"""What a snapshot costs grows with its nodes and no faster: counted in lines that run, as seconds
tell nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from pytest_replicant.snapshots import Memory, Snapshot
from tests.properties.shapes import WIDE

from .screens import parse

SMALL, LARGE = 200, 800


SHAPES = (
    "one_list",
    "same_label",
    "overlapping",
    "long_row",
    "off_the_screen",
    "many_windows",
    "panes_over_labels",
)
EACH = pytest.mark.parametrize(
    "shape", [SHAPES[0], *(pytest.param(shape, marks=pytest.mark.thorough) for shape in SHAPES[1:])]
)


@pytest.mark.slow
@EACH
def test_four_times_the_nodes_cost_four_times_as_much(shape: str) -> None:
    small, large = WIDE[shape](SMALL), WIDE[shape](LARGE)
    shown(small)  # what is made out once is not counted
    assert lines_run(lambda: shown(large)) < 5 * lines_run(lambda: shown(small))


@pytest.mark.slow
@EACH
def test_another_look_at_four_times_the_nodes_costs_four_times_as_much(shape: str) -> None:
    small, large = another_look(WIDE[shape](SMALL)), another_look(WIDE[shape](LARGE))
    assert lines_run(large) < 5 * lines_run(small)


def another_look(source: str) -> Callable[[], object]:
    """Another text at the end of a screen that a session has seen twice."""
    memory, texts = Memory(), source.rpartition(' text="')

    def look(source: str) -> str:
        snapshot = Snapshot.parse(source, memory=memory)
        memory.learn(snapshot)
        return snapshot.outline()

    look(source)
    look(source)
    return partial(look, f'{texts[0]} text="Now {texts[2]}')


def shown(source: str) -> str:
    return parse(source).outline()


def lines_run(work: Callable[[], object]) -> int:
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
