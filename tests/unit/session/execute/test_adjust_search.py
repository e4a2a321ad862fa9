"""The search along a track, without a phone: it finds what is there, and proves what is not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pytest_replicant.session.execute.control import Search, Stop, is_near

Shape = Callable[[int], float]
MOST = 30


def found(
    of: Shape,
    to: float,
    *,
    start: float = 0.0,
    tolerance: float = 0.0,
    usable: Callable[[int], bool] | None = None,
) -> tuple[float, list[int], Stop | None]:
    """The value in the end, the positions touched, and why it stopped short."""
    search = Search(to, start, (0, 399), (40, 359), usable or (lambda position: True))
    value, touched = start, list[int]()
    while not is_near(value, to, tolerance) and len(touched) < MOST:
        position = search.next()
        if position is None:
            return value, touched, search.stop
        value = of(position)
        touched.append(position)
        search.note(position, value)
    return value, touched, None


def stepped(low: float, high: float, step: float, *, floor: bool, falls: bool) -> Shape:
    def of(position: int) -> float:
        share = (399 - position if falls else position) / 399
        steps = share * (high - low) / step
        return round(low + int(steps if floor else steps + 0.5) * step, 6)

    return of


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("floor", [False, True])
@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0, 10, 1), (0, 20, 1), (0, 100, 1), (0, 1, 0.1), (-50, 50, 5), (1000, 2000, 10), (5, 6, 1)],
)
def test_every_value_is_found_from_anywhere(
    low: float, high: float, step: float, floor: bool, falls: bool
) -> None:
    of = stepped(low, high, step, floor=floor, falls=falls)
    values = sorted({of(position) for position in range(400)})
    chance = random.Random(7)
    for to in values:
        value, touched, stop = found(of, to, start=chance.choice(values))
        assert (value, stop) == (to, None)
        assert len(touched) <= 12
        assert all(0 <= position < 400 for position in touched)
        assert len(touched) == len(set(touched))


@pytest.mark.slow
def test_chance_shapes_are_found_or_proved_not_to_have_the_value() -> None:
    """Any rising shape whatever, flat for long stretches and steep between."""
    chance = random.Random(11)
    for _ in range(60):
        steps = [chance.choice((0, 0, 0, 1, 1, 2, 17)) for _ in range(400)]
        values = [float(sum(steps[: position + 1])) for position in range(400)]
        to = float(chance.randint(0, int(values[-1]) + 5))
        value, touched, stop = found(values.__getitem__, to, start=chance.choice(values))
        if to in values:
            assert value == to
        else:
            assert stop in ("between", "end")
            assert len(touched) < MOST


@pytest.mark.parametrize(
    ("of", "to", "why"),
    [
        (stepped(0, 100, 10, floor=False, falls=False), 33, "between"),
        (stepped(0, 100, 10, floor=False, falls=True), 33, "between"),
        (stepped(0, 100, 1, floor=False, falls=False), 101, "end"),
        (stepped(0, 100, 1, floor=False, falls=False), -1, "end"),
        (lambda position: 7.0, 9, "stuck"),
        (lambda position: float(position * 7919 % 101), 50.5, "oscillates"),
    ],
)
def test_what_is_not_there_is_said_with_the_reason(of: Shape, to: float, why: Stop) -> None:
    value, touched, stop = found(of, to, start=7.0)
    assert stop == why
    assert value != to
    assert len(touched) < MOST


def test_one_place_with_two_values_ends_it() -> None:
    search = Search(50, 0, (0, 99), (0, 99), lambda position: True)
    search.note(10, 3)
    search.note(10, 4)
    assert (search.next(), search.stop) == (None, "oscillates")


def test_what_cannot_be_touched_is_not() -> None:
    of = stepped(0, 100, 1, floor=False, falls=False)
    value, touched, stop = found(of, 75, usable=lambda position: position > 200)
    assert (value, stop) == (75, None)
    assert all(position > 200 for position in touched)
    for to in (20, 0):
        _, touched, stop = found(of, to, start=80, usable=lambda position: position > 200)
        assert stop == "covered"
        assert all(position > 200 for position in touched)


def test_the_edges_are_reached_for_last() -> None:
    of = stepped(0, 100, 1, floor=False, falls=False)
    for to, under in ((50, False), (12, False), (2, True), (100, True)):
        _, touched, stop = found(of, to)
        assert stop is None
        assert any(not 40 <= position <= 359 for position in touched) is under
