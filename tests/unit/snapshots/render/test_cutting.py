"""Which lines fit, and what is said of those that do not."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots.render.outline import Line, close, cut, indented


def lines(*levels: int) -> list[Line]:
    """A line a level, numbered."""
    made = [Line(indented(f"line {number}", level), level) for number, level in enumerate(levels)]
    close(made)
    return made


def test_ends() -> None:
    assert [line.end for line in lines(0, 1, 2, 1, 0)] == [4, 3, 3, 4, 5]


def test_everything_where_there_is_room() -> None:
    assert cut(lines(0, 1, 0), None, None) == ["line 0", "  line 1", "line 2"]
    assert cut(lines(0, 1, 0), None, len("line 0\n  line 1\nline 2\n")) == ["line 0", "  line 1", "line 2"]


def test_depth_alone() -> None:
    assert cut(lines(0, 1, 2, 0), 1, None) == ["line 0  (+2 inside)", "line 3"]
    assert cut(lines(0, 1, 2, 0), 2, None) == ["line 0", "  line 1  (+1 inside)", "line 3"]


def test_nothing_in_nothing() -> None:
    assert cut([], None, 5) == []
    assert cut([], 1, None) == []


def test_the_rest_of_the_top_is_counted() -> None:
    assert cut(lines(0, 0, 0, 0), None, 20) == ["line 0", "(+3 more)"]
    assert cut(lines(0, 1, 1, 0), None, 5) == ["(+4 more)"]


def test_a_large_part_shows_its_first_lines() -> None:
    told = cut(lines(0, 1, 1, 1, 1, 0), None, 40)
    assert told == ["line 0", "  line 1", "  (+3 more)", "line 5"]


def test_deeper_levels_wait_for_the_ones_above() -> None:
    told = cut(lines(0, 1, 2, 0, 1, 1, 1), None, 58)
    assert told == ["line 0", "  line 1  (+1 inside)", "line 3", "  line 4", "  (+2 more)"]


@pytest.mark.parametrize("depth", [None, 1, 2, 3])
@pytest.mark.parametrize("room", range(12, 150, 3))
def test_never_more_than_there_is_room_for_and_nothing_uncounted(depth: int | None, room: int) -> None:
    told = cut(lines(0, 1, 2, 3, 1, 0, 1, 1, 0, 1, 2, 2, 2), depth, room)
    assert sum(len(text) + 1 for text in told) <= room
    counted = sum(int(text.rpartition("(+")[2].split()[0]) for text in told if "(+" in text)
    assert counted + sum("line" in text for text in told) == 13


def test_indentation_has_an_end() -> None:
    assert len(indented("x", 50_000)) < 200
    assert indented("x", 2, dash=True) == "  - x"
