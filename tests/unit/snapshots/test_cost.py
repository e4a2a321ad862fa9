"""What a snapshot costs grows with its nodes and no faster: counted in lines that run, as seconds tell nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from pytest_replicant.snapshots import Memory, Snapshot

from .screens import button, catalogue, hierarchy, node, parse, row, screen, text

Shape = Callable[[int], str]
SMALL, LARGE = 400, 1600


def huge(*inside: str) -> str:
    """On a display so large that all of it is shown."""
    return hierarchy(node("FrameLayout", *inside, at=(0, 0, 100_000, 100_000)))


def rows(nodes: int) -> str:
    return huge(catalogue(*(row(f"Mug {n}", f"£{n}", n * 100, clickable="true") for n in range(nodes // 4))))


def alike(nodes: int) -> str:
    """Nothing tells one from another."""
    places = ((n % 40 * 20, n // 40 * 20) for n in range(nodes))
    return huge(*(button("Add", at=(left, top, left + 20, top + 20)) for left, top in places))


def overlapping(nodes: int) -> str:
    """Each lies over all of the one before but for an edge, so that none is hidden."""
    return huge(*(button(f"Card {n}", at=(0, n, 1080, 99_000 - n)) for n in range(nodes)))


def side_by_side(nodes: int) -> str:
    """All of one height in one line."""
    return huge(*(button(f"Key {n}", at=(n, 100, n + 2, 200)) for n in range(nodes)))


def offscreen(nodes: int) -> str:
    return screen(*(text(f"Line {n}", at=(0, 3000 + n, 500, 3001 + n)) for n in range(nodes)))


def windows(nodes: int) -> str:
    return hierarchy(*(node("TextView", text=f"Hand-made {n}", at=(0, n, 9, n + 1)) for n in range(nodes)))


def nested(nodes: int) -> str:
    """Towers as deep as the parser bears."""
    tower = button("Top")
    for _ in range(199):
        tower = node("FrameLayout", tower)
    return screen(*[tower] * (nodes // 200))


SHAPES = [rows, alike, overlapping, side_by_side, offscreen, windows, nested]


EACH = pytest.mark.parametrize(
    "shape", [rows, *(pytest.param(shape, marks=pytest.mark.thorough) for shape in SHAPES[1:])]
)


@pytest.mark.slow
@EACH
def test_four_times_the_nodes_cost_four_times_as_much(shape: Shape) -> None:
    small, large = shape(SMALL), shape(LARGE)
    shown(small)  # what is made out once is not counted
    assert lines_run(lambda: shown(large)) < 5 * lines_run(lambda: shown(small))


@pytest.mark.slow
@EACH
def test_another_look_at_four_times_the_nodes_costs_four_times_as_much(shape: Shape) -> None:
    small, large = another_look(shape(SMALL)), another_look(shape(LARGE))
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


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("shape", SHAPES[:5])
def test_a_hostile_screen_comes_to_an_end(shape: Shape) -> None:
    assert shown(shape(20_000))


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


def test_lines_are_counted() -> None:
    def loop(times: int) -> None:
        for _ in range(times):
            pass

    assert lines_run(lambda: loop(200)) > lines_run(lambda: loop(100)) + 90
