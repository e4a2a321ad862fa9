"""Lines of an outline, cut to a depth and to a number of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ROOT = -1
_DEEPEST = 60  # steps of indentation; a hostile screen may nest ten thousands of levels


@dataclass(slots=True)
class Line:
    """A line; ``level`` counts the listed ancestors, ``end`` is the index after its last nested line."""

    text: str
    level: int
    end: int = 0


def indented(text: str, indent: int, dash: bool = False) -> str:
    """Indents a line; a dash takes the last step of the indentation."""
    return "  " * (min(indent, _DEEPEST) - dash) + "- " * dash + text


def close(lines: Sequence[Line]) -> None:
    """Sets the ends of lines in document order."""
    open_lines: list[Line] = []
    for index, line in enumerate(lines):
        while open_lines and open_lines[-1].level >= line.level:
            open_lines.pop().end = index
        open_lines.append(line)
    for line in open_lines:
        line.end = len(lines)


def cut(lines: Sequence[Line], depth: int | None, room: int | None) -> list[str]:
    """Returns the lines down to ``depth`` levels that fit into ``room`` characters, line ends included.

    Whole parts are omitted: a closed line counts its nested lines, ``(+12 inside)``, and ``(+12 more)`` stands for
    the rest where only the first of several fit. Every level is shown as far as it fits before a deeper one, its
    smaller parts first."""
    if depth is None and room is None:
        return [line.text for line in lines]
    close(lines)
    allowed = len(lines) + 1 if depth is None else depth
    every = _shown_lines(lines, {index for index, line in enumerate(lines) if line.level + 1 < allowed}, {})
    if room is None or sum(len(text) + 1 for text in every) <= room:
        return every
    return _shown_lines(lines, *_opened(lines, allowed, room))


def _opened(lines: Sequence[Line], allowed: int, room: int) -> tuple[set[int], dict[int, int]]:
    """Returns the lines whose nested lines are shown; and for each partly shown line, keyed by its first omitted
    line."""
    opened: set[int] = set()
    cuts: dict[int, int] = {}
    level, left = [_ROOT], room
    while level and not cuts and allowed > 0:
        costs = [(sum(_cost(lines, child) for child in _inside(lines, line)), line) for line in level]
        deeper: list[int] = []
        complete = True
        for cost, parent in sorted(costs):
            budget = left + len(_more_inside(lines, parent))
            stop = len(lines) if cost <= budget else _first_left_out(lines, parent, budget)
            if stop == parent + 1 and parent != _ROOT:
                complete = False
                continue
            opened.add(parent)
            if cost > budget:
                cuts[stop] = parent
                cost = budget  # what a cut leaves over is too little for a line
            left = budget - cost
            deeper += [child for child in _inside(lines, parent) if child < stop and _size(lines, child)]
        allowed -= 1
        level = deeper if complete else []
    return opened, cuts


def _first_left_out(lines: Sequence[Line], parent: int, budget: int) -> int:
    """Returns the first line in ``parent`` without room for itself and the note about the rest."""
    end = _end(lines, parent)
    for child in _inside(lines, parent):
        after = lines[child].end
        rest = len(_more(lines, parent, after)) + 1 if after < end else 0
        if budget < _cost(lines, child) + rest:
            return child
        budget -= _cost(lines, child)
    return end


def _shown_lines(lines: Sequence[Line], opened: set[int], cuts: dict[int, int]) -> list[str]:
    shown: list[str] = []
    index = 0
    while index < len(lines):
        if index in cuts:
            shown.append(_more(lines, cuts[index], index))
            index = _end(lines, cuts[index])
        elif index in opened:
            shown.append(lines[index].text)
            index += 1
        else:
            shown.append(lines[index].text + _more_inside(lines, index))
            index = lines[index].end
    return shown


def _inside(lines: Sequence[Line], parent: int) -> Iterator[int]:
    """The lines one level below."""
    index, end = parent + 1, _end(lines, parent)
    while index < end:
        yield index
        index = lines[index].end


def _end(lines: Sequence[Line], index: int) -> int:
    return len(lines) if index == _ROOT else lines[index].end


def _size(lines: Sequence[Line], index: int) -> int:
    return 0 if index == _ROOT else lines[index].end - index - 1


def _cost(lines: Sequence[Line], index: int) -> int:
    return len(lines[index].text) + len(_more_inside(lines, index)) + 1


def _more_inside(lines: Sequence[Line], index: int) -> str:
    size = _size(lines, index)
    return f"  (+{size} inside)" if size else ""


def _more(lines: Sequence[Line], parent: int, first: int) -> str:
    """Returns the note about the lines of ``parent`` from ``first`` on, indented like them."""
    sibling = lines[parent + 1].text
    return " " * (len(sibling) - len(sibling.lstrip(" "))) + f"(+{_end(lines, parent) - first} more)"
