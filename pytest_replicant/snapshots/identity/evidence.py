"""Evidence: what speaks for one element of this screen being that of an earlier one, and what
against it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...model import (
    Element,
    Elements,
    Neighbour,
    Neighbours,
    Picture,
    ScreenTraits,
    Strings,
    grouped,
)
from ..screen.layout import scrolls
from ..text import is_mark, mask_count, mask_numbers
from .cards import replaced
from .refs import Surroundings


class Here(NamedTuple):
    """The screen to search; ``screen`` and ``around`` are computed only if they decide."""

    elements: Elements
    listed: Set[int]  # their digests
    by_identity: Mapping[int, Element]
    around: Surroundings
    screen: Callable[[], ScreenTraits]
    pictures: Callable[[], Mapping[int, Picture] | None] | None = (
        None  # of the elements by node; None: not yet
    )


# Points for what an element has and where it is. They are added up, and no single one decides.
POINTS: Mapping[str, float] = {
    "the name": 2.5, "the words of the name": 2.0, "the name but for a number": 1.0,
    "the name with other words": 0.5, "no name": -0.5, "another name": -4.0, "the id": 1.0,
    "the row": 1.5, "no row": -1.0, "another row": -4.0, "texts of the card": 0.5,
    "another card": -9.0, "the heading": 1.0, "another heading": -0.25,
    "the heading that identified it": 2.5, "not the heading that identified it": -4.0,
    "the path": 0.5, "another path": -1.0, "not the path that identified it": -4.0,
    "the place": 1.0, "nearly the place": 0.5, "another size": -1.5, "what it stood next to": 1.5,
    "its place among as many": 2.0, "its place among as many that scroll": 1.0,
    "the element before it": 1.5, "the element after it": 1.5, "another element before it": -2.0,
    "another element after it": -2.0, "another title": -1.5, "another screen": -4.0,
}  # fmt: skip
_SHARED = frozenset({"the id", "the name", "the words of the name"})
"""What an element had in common with others of its screen, where these were not enough to tell it
from them."""
_IN_ORDER = (
    {"the element before it", "the element after it"},
    {"its place among as many"},
    {"its place among as many that scroll"},
)
ENOUGH = 3.0
"""Points that name an element."""
AHEAD = 1.5
"""Points that the second best must lack, or neither is the one."""


def best(was: Element, here: Here, expected: Element | None = None) -> Element | None:
    """Returns the element of this screen for which the evidence is enough, and more than for any
    other; None as soon as it cannot be the ``expected`` one."""
    rivals = [
        one
        for one in here.elements
        if may_be(was, one) and of_one_app(was, one) and not out_of_order(was, one, here)
    ]
    rivals.sort(key=lambda one: one is not expected)
    is_one_of_many, duplicated = was.twins is not None, False
    if not is_one_of_many and was.order is None:
        duplicated = [called(one) for one in here.elements].count(called(was)) > 1
    points, found, second = -ENOUGH, None, -ENOUGH
    for one in rivals:
        has, lies = set(_has(was, one, here)), set(_lies(was, one, here))
        in_order = not is_one_of_many or any(each <= lies for each in _IN_ORDER)
        if was.order is not None:
            has -= _SHARED
        total = _points(has, only_against=is_one_of_many)
        total += _points(lies, only_against=duplicated or not in_order)
        if one is expected and total < ENOUGH:
            return None
        if found is None or total > points:
            points, found, second = total, one, points
        else:
            second = max(second, total)
    return found if points >= ENOUGH and points - second >= AHEAD else None


def _points(facts: Iterable[str], *, only_against: bool) -> float:
    most = 0.0 if only_against else sys.maxsize
    return sum(min(POINTS[fact], most) for fact in facts)


def may_be(was: Element, now: Element) -> bool:
    """Whether both have the same class and id."""
    return (was.class_name, was.resource_id) == (now.class_name, now.resource_id)


def _has(was: Element, now: Element, here: Here) -> Iterator[str]:
    """Yields what both have, or do not have, in common of their own."""
    if was.resource_id:
        yield "the id"
    yield from _named(was, now, here)
    if was.row and now.row:
        yield "the row" if same_row(was, now, here) else "another row"
    elif was.row or now.row:
        yield "no row"
    if replaced(was.card, now.card) is not None:
        yield "another card"
    elif was.card and now.card and set(was.card.texts) & set(now.card.texts):
        yield "texts of the card"
    if was.section is not None:
        section = here.around.section(now.index)
        identified = was.twins is None and was.ids is None
        if section == was.section != "":
            yield "the heading that identified it" if identified else "the heading"
        elif section or was.section:
            yield "not the heading that identified it" if identified else "another heading"
    if was.ids is not None:
        if here.around.ids(now.index) == was.ids:
            yield "the path"
        else:
            yield "another path" if was.twins is not None else "not the path that identified it"
    printed_on = was.printed_on
    if printed_on is not None and printed_on.differ(here.screen()):
        by_title = printed_on.differ_by_title_alone(here.screen())
        yield "another title" if by_title else "another screen"


def _named(was: Element, now: Element, here: Here) -> Iterator[str]:
    if borrows_others(was, now):
        yield "another name"
    elif was.name == now.name:
        if was.name:
            yield "the name" if was.label == now.label else "the name with other words"
    elif not (was.name and now.name):
        yield "no name"
    elif set(was.folded) == set(now.folded) != set():
        yield "the words of the name"
    elif mask_count(was.label) == mask_count(now.label) and any(map(str.isalpha, was.label)):
        yield "the name but for a number"
    else:
        yield "another name"


def borrows_others(was: Element, now: Element) -> bool:
    """Whether the words from next to it, by which it is called, are known to be others now."""
    return was.borrowed != now.borrowed and bool(was.borrowed and now.borrowed)


def _lies(was: Element, now: Element, here: Here) -> Iterator[str]:
    """Yields what both have, or do not have, in common of their places."""
    if was.bounds == now.bounds:
        yield "the place"
    elif hardly_moved(was, now, SHIFTED):
        yield "nearly the place"
    if not sized_alike(was, now):
        yield "another size"
    if was.anchors and among_the_same(was, now, here.around):
        yield "what it stood next to"
    if was.order is not None and was.order == now.order and called(was) == called(now):
        scrolls = here.around.may_scroll(now.index)
        yield "its place among as many that scroll" if scrolls else "its place among as many"
    yield from _stands(was, now, here)


def _stands(was: Element, now: Element, here: Here) -> Iterator[str]:
    """Yields which of the elements next to it are the same. Of a heading they are not known."""
    if now.identity not in here.listed:
        return
    for side, then, today in zip(("before", "after"), was.neighbours, now.neighbours, strict=True):
        if then.identity == today.identity:
            if then.identity and then.gap == today.gap:
                yield f"the element {side} it"
        elif then.identity in here.listed and not _came_between(then, now, here, side == "after"):
            yield f"another element {side} it"


_MOST_NEW = 8  # that came in next to one another


def _came_between(then: Neighbour, now: Element, here: Here, after: bool) -> bool:
    """Whether only new ones came between it and the neighbour that was there, and no more others
    than then."""
    one, left = now, then.gap
    for _ in range(1 + _MOST_NEW):
        beyond = one.neighbours[after]
        left -= beyond.gap
        if beyond.identity == then.identity or left < 0:
            return left >= 0
        if beyond.identity not in here.by_identity:
            break
        one = here.by_identity[beyond.identity]
    return False


def out_of_order(was: Element, now: Element, here: Here) -> bool:
    """Whether what only stands among others stood between two that stayed, and stands between
    others now. Of one that nothing but its order identifies, the one before it is enough, as names
    stand first; of a row that says nothing among others that do, both are needed, as it may be the
    edge of any."""
    if was.order is None and was.twins is None:
        return False
    if _is_wordless_row(now, here) and was.neighbours != now.neighbours:
        return True
    facts = set(_stands(was, now, here))
    others = {"another element before it", "another element after it"} & facts
    if was.twins is None or not others:
        return len(others) == 2
    return "the element before it" not in facts


def _is_wordless_row(now: Element, here: Here) -> bool:
    """Also a row of which nothing is left but an edge: then it holds nothing."""
    index = now.index
    in_a_row = here.around.labels.rows[index] not in (index, -1)
    if now.name or now.row or in_a_row or not here.around.listed[index]:
        return False
    return any(one.name for one in here.elements if may_be(now, one) and of_one_app(now, one))


def neighbours(elements: Elements, around: Surroundings) -> dict[int, Neighbours]:
    """Returns the neighbours of each element by its digest. Those that other panes hold do not
    count: what scrolls moves past them."""
    panes = grouped((around.place(element.index), element) for element in elements)
    found: dict[int, Neighbours] = {}
    for pane in panes.values():
        both = map(Neighbours, _nearest_plain(pane), _nearest_plain(pane[::-1])[::-1])
        found.update(zip([element.identity for element in pane], both, strict=True))
    return found


def _nearest_plain(elements: Elements) -> list[Neighbour]:
    """Returns for each the last element before it that its own traits identify."""
    found: list[Neighbour] = []
    last = Neighbour()
    for element in elements:
        found.append(last)
        plain = element.order is None and (element.name or element.resource_id)
        last = Neighbour(element.identity) if plain else Neighbour(last.identity, last.gap + 1)
    return found


def same_row(was: Element, now: Element, here: Here) -> bool:
    """Whether both are in the same row: by the title, and after a move by all other labels that are
    still there, numbers apart, as lists of events repeat names. A row whose title is scrolled out
    of sight is compared by several other labels. Of rows of one title, the words count that tell
    them apart."""
    before, after = (*was.row, *was.apart), (*now.row, *now.apart)
    apart = set(names_in(was.apart))
    if not (apart & set(after) if apart else set(was.apart) <= set(after)):
        return False
    # it stands in its row under its own name or not, as there are others
    own = {was.label} & {now.label}
    if set(before) - own == set(after) - own:
        return True
    stayed = bool(apart & set(now.apart)) and hardly_moved(was, now, SHIFTED)
    return says_the_same(before, after, stayed)


def says_the_same(was: Sequence[str], now: Sequence[str], stayed: bool) -> bool:
    """Whether words are those of the same thing, its name first: all are as they were, or it has
    its name yet, and the others too, numbers apart, or ``stayed`` where it was. With another first
    word, none may have gone. A mark, such as a rank or a time, says nothing alone."""
    before, after = set(was), set(now)
    names, others = set(names_in(was)), set(names_in(now))
    if before == after or not (names and others):
        return before == after
    if was[0] == now[0]:
        masked = set(map(mask_numbers, before)), set(map(mask_numbers, after))
        return stayed or names == others or _part_of(*masked)
    return min(len(before), len(after)) > 1 and _part_of(before, after)


def names_in(words: Sequence[str]) -> Strings:
    """Returns the words that are no mere marks."""
    return tuple(word for word in words if not is_mark(word))


def _part_of(one: set[str], other: set[str]) -> bool:
    """Whether the smaller set is contained in the other."""
    return one <= other or other <= one


def is_elsewhere(was: Element, here: Here) -> bool:
    """Whether this is known to be another screen than the one on which the element was printed."""
    printed_on = was.printed_on
    return printed_on is not None and printed_on.differ(here.screen())


def of_one_app(was: Element, now: Element) -> bool:
    """Whether both may be of one app: not both are known to be of different ones."""
    one, other = was.package, now.package
    return one == other or not (one and other)


def called(element: Element) -> tuple[object, ...]:
    """Returns class and name, the key of the group in which an element has its order."""
    pane = not (element.name or element.resource_id) and scrolls(element.node)
    return element.class_name, element.name, pane


SHIFTED = 0.5
"""Of its size: as far as an element moves that is still where it was."""
SCROLLED = 0.125
"""Further than that, a list of look-alikes may have scrolled by any number of rows."""
_LARGER = 2.5  # times: more than any density or clipping between two looks at one element


def sized_alike(was: Element, now: Element) -> bool:
    """Whether the sizes differ no more than by clipping or another density."""
    return all(1 / _LARGER <= ratio <= _LARGER for ratio in _scale(was, now))


def _scale(was: Element, now: Element) -> tuple[float, float]:
    before, after = was.bounds, now.bounds
    return max(after.width, 1) / max(before.width, 1), max(after.height, 1) / max(before.height, 1)


def among_the_same(was: Element, now: Element, around: Surroundings) -> bool:
    """Whether one of its anchors has moved along with it, and none has vanished in sight."""
    wide, high = _scale(was, now)
    labels, pane = around.unique_labels(now.index), around.pane(now.index)
    moved_along = False
    for anchor in was.anchors:
        left = now.bounds.left + (anchor.bounds.left - was.bounds.left) * wide
        top = now.bounds.top + (anchor.bounds.top - was.bounds.top) * high
        there = labels.get(anchor.label) if anchor.label else pane
        if there is not None:
            part = SHIFTED if anchor.label else SCROLLED
            across, down = abs(there.left - left), abs(there.top - top)
            moved_along |= across <= now.bounds.width * part and down <= now.bounds.height * part
        elif pane.top <= top < pane.bottom and pane.left <= left < pane.right:
            return False
    return moved_along


def hardly_moved(was: Element, now: Element, part: float) -> bool:
    """Whether it moved by less than ``part`` of its own size."""
    before, after = was.center, now.center
    near_x = abs(before.x - after.x) < max(was.bounds.width * part, 1)
    near_y = abs(before.y - after.y) < max(was.bounds.height * part, 1)
    return near_x and near_y
