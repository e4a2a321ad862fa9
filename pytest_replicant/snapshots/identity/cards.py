"""Cards: the texts around a control that tell whose control it is, and whether they are others
now."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from typing import Literal, NamedTuple

from ...model import Card
from ..screen.layout import FRAMES, Layout, scrolls, wider
from ..screen.windows import is_covered
from ..text import mask_count, mask_numbers, mask_volatile
from .refs import Surroundings

_MOST = 8
"""Texts of a card; more are a page."""
_MOST_CONTROLS = 3
"""That a card may have where they stand for its texts; more are a panel or a bar."""
_ON_PAGE = 3
"""Texts of a page before a control that may name it; below more of them, it is too far from any."""
_MOST_TRIED = 16
"""Parts around a control; one that far outside names nothing."""
_NEAR = 3
"""Levels below a page: as deep as a text that names it."""
_PAGE = 0.6
"""Of the area of the screen, or of the pane around it: as much as no card has."""


def replaced(
    then: Card | None, now: Card | None, *, wholly: bool = False
) -> tuple[str, str] | None:
    """Returns a text that is gone and one that came in its place, where they make it another card:
    the first one, or half of them; with ``wholly``, nothing less than all. None if the card may be
    the same, or nothing is known of it. What only came is a badge or an error, what only went was
    one."""
    gone, came = _changes(then, now)
    if then is None or now is None or not (gone and came):
        return None
    fewer, fewest = min(len(then.texts), len(now.texts)), min(len(gone), len(came))
    title = then.kind == now.kind == "card" and (then.texts[0], now.texts[0]) == (gone[0], came[0])
    if fewest >= fewer or (not wholly and (title or 2 * fewest >= fewer)):
        return gone[0], came[0]
    return None


def says_the_same(then: Card | None, now: Card | None) -> bool:
    """Whether no text of the card is known to have been replaced."""
    return not all(_changes(then, now))


def _changes(then: Card | None, now: Card | None) -> tuple[list[str], list[str]]:
    """The texts that are gone, and those that came. A banner next to the control makes a smaller
    part the nearest one, and nothing is gone by that."""
    if then is None or now is None or (then.kind == "controls") != (now.kind == "controls"):
        return [], []
    gone = [text for text in then.texts if text not in now.texts and text not in now.further]
    return gone, [text for text in now.texts if text not in then.texts and text not in then.further]


class _Places(NamedTuple):
    """The nodes that say the texts of a card."""

    kind: Literal["card", "page", "controls"]
    texts: Sequence[int]
    further: Sequence[int] = ()


class Cards:
    """The cards of one screen."""

    def __init__(
        self,
        around: Surroundings,
        values: Mapping[int, str],
        typed: Sequence[str],
        before: Cards | None,
    ) -> None:
        """``values`` is what fields hold that are not edited, ``typed`` what any of them holds.
        ``before`` are the cards of the screen before."""
        self._around, self._layout, self._labels = around, around.layout, around.labels
        self._values = values
        self._typed = typed
        self._before = before
        self._rows_in: dict[int, Counter[tuple[bool, str, str]]] = {}

    def of(self, index: int) -> Card | None:
        """Returns the card of a node by the texts around it; if there are none, by what the other
        controls in it are called and hold."""
        if index not in self._found:
            self._found[index] = self._by_texts(index) or self._by_controls(index)
        place = self._found[index]
        if place is None:
            return None
        said = (self._held if place.kind == "controls" else self._texts).words
        texts = tuple(dict.fromkeys([said[at] for at in place.texts]))
        return Card(place.kind, texts, tuple([self._texts.words[at] for at in place.further]))

    @cached_property
    def _found(self) -> dict[int, _Places | None]:
        """Where the texts of each card stand that was asked for. They stand where they stood on the
        screen before, if nothing has moved and the same nodes say something."""
        before, self._before = self._before, None
        if before is None or self._layout.ends is not before._layout.ends:
            return {}
        if self._layout.shown is not before._layout.shown:
            return {}
        ours, theirs = (
            (one._around.title, one._labels.controls, one._texts.at, one._held.at)
            for one in (self, before)
        )
        return before._found if ours == theirs else {}

    def is_row(self, row: int) -> bool:
        """Whether a row is a control, or stands next to another one with texts, or with none as it:
        a card does not become a row by the bar of buttons next to it."""
        nodes, labels = self._layout.nodes, self._labels
        if labels.owner[row] == row:
            return True
        above = nodes[row].parent
        if above not in self._rows_in:
            peers = (child for child in nodes[above].children if labels.rows[child] == child)
            self._rows_in[above] = Counter(map(self._kind_of_row, peers))
        return self._rows_in[above][self._kind_of_row(row)] > 1

    def _kind_of_row(self, row: int) -> tuple[bool, str, str]:
        """Whether labels stand in a row; and its class and id, where they tell it from a bar."""
        node, at = self._layout.nodes[row], self._said_at
        said = bisect_left(at, self._layout.ends[row]) > bisect_left(at, row)
        return (True, "", "") if said else (False, node.class_name, node.resource_id)

    @cached_property
    def _said_at(self) -> list[int]:
        """The labels that stand alone, numbers too."""
        shown = compress(self._layout.nodes, self._layout.shown)
        return [node.index for node in shown if self._labels.stands_alone(node)]

    def _by_texts(self, index: int) -> _Places | None:
        """The texts before a node in the nearest part that has any. What follows it may only say
        what came of it, and names it if nothing stands before; but not a field, whose text it may
        repeat."""
        following: _Places | None = None
        parts = list(self._above(index, self._texts.around))
        for above in parts:
            before, after, is_page = self._next_to(index, above, self._texts.at, _MOST)
            if before and is_page:
                if len(before) > _ON_PAGE or not all(self._is_near(at, above) for at in before):
                    return None
                return _Places("page", before, self._further(index, parts[-1]))
            if before:
                return _Places("card", before, self._further(index, parts[-1]))
            if after and not (following or is_page or self._layout.nodes[index].states.editable):
                following = _Places("card", after, self._further(index, parts[-1]))
        return following

    def _by_controls(self, index: int) -> _Places | None:
        for above in self._above(index, self._held.around):
            before, after, is_page = self._next_to(index, above, self._held.at, _MOST_CONTROLS)
            if before or after:
                return None if is_page else _Places("controls", [*before, *after])
        return None

    def _further(self, index: int, above: int) -> Sequence[int]:
        """Returns the nearest texts around a node in the largest part around it."""
        at, ends = self._texts.at, self._layout.ends
        start, here, end = (bisect_left(at, place) for place in (above + 1, index, ends[above]))
        return at[max(start, here - _MOST) : min(end, here + _MOST)]

    def _above(self, index: int, wider: Sequence[int]) -> Iterator[int]:
        """Yields the parts around a node, each that holds more than the one in it, as far as they
        are not the screen itself, with its title."""
        stack = self._layout.stack
        for _ in range(_MOST_TRIED):
            index = wider[index]
            if index < 0 or index <= self._around.title < self._layout.ends[index]:
                return
            node = self._layout.nodes[index]
            # a sheet over what can be touched still is a part; a dialog says who it is
            mine = node.window == stack.base or is_covered(stack)
            if mine and (node.parent < 0 or node.class_name in FRAMES):
                return
            yield index

    def _next_to(
        self, index: int, above: int, places: Sequence[int], most: int
    ) -> tuple[list[int], list[int], bool]:
        """Returns the places in a part before a node and after it, and whether it is a page. What
        stands behind the node in a part with controls of its own names those."""
        ends = self._layout.ends
        start, end = bisect_left(places, above + 1), bisect_left(places, ends[above])
        at, behind = bisect_left(places, index), bisect_left(places, ends[index])
        before = [place for place in places[max(start, at - _MOST) : at] if ends[place] <= index]
        after = [
            place
            for place in places[behind : min(end, behind + _MOST)]
            if self._holds(place, index)
        ]
        part = self._layout.nodes[above]
        large = scrolls(part) or part.bounds.area > _PAGE * self._around.pane(above).area
        return before, after, end - start > most or large

    def _holds(self, place: int, index: int) -> bool:
        """Whether the part in which a text stands with controls is also that of a node."""
        part = self._controls.around[place]
        return part < index and (part < 0 or index < self._layout.ends[part])

    def _is_near(self, place: int, above: int) -> bool:
        """Whether a text lies not far below the part around it, as one does that names it."""
        near = self._layout.around(self._layout.nodes[place], _NEAR)
        return any(one.index == above for one in near)

    @cached_property
    def _controls(self) -> _Said:
        labels = self._labels
        return _Said(self._layout, dict(compress(enumerate(labels.label), labels.controls)))

    @cached_property
    def _texts(self) -> _Said:
        """The free labels that may name a card. What they repeat of a field is left out: they
        follow it."""
        # What the fields hold, as a word of another text: "ada" in "Hello, ada".
        held = [re.escape(value) for value in self._typed if len(value) > 1][:_MOST]
        echo = re.compile(rf"(?<!\w)(?:{'|'.join(held)})(?!\w)") if held else None
        texts: list[tuple[int, str]] = []
        for index in self._said_at:
            text = label = self._labels.own[index]
            if echo is not None:
                text = echo.sub("", label).strip() or label
            texts.append((index, text))
        return _Said(self._layout, _naming(texts))

    @cached_property
    def _held(self) -> _Said:
        """What buttons are called and fields hold."""
        nodes = self._layout.nodes
        named = (
            (index, self._values.get(index, "") if nodes[index].states.editable else label)
            for index, label in self._controls.words.items()
            if nodes[index].parent >= 0
        )
        return _Said(self._layout, _naming(named))


class _Said:
    """What nodes say, by their indexes."""

    def __init__(self, layout: Layout, words: dict[int, str]) -> None:
        self._layout = layout
        self.words = words
        self.at = list(words)

    @cached_property
    def around(self) -> list[int]:
        """For each node the nearest one around it that holds more of them than it does, -1 if there
        is none."""
        ends = self._layout.ends
        held = [bisect_left(self.at, end) - bisect_left(self.at, at) for at, end in enumerate(ends)]
        return wider(self._layout.nodes, held.__getitem__)


def _naming(labels: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Masks what counts and ticks, and drops those that are nothing else: prices, dots, stars."""
    masked = ((index, _masked(label)) for index, label in labels)
    return {index: text for index, text in masked if text}


@lru_cache(maxsize=4096)
def _masked(label: str) -> str:
    text = mask_numbers(mask_volatile(mask_count(label)))
    # letters, and emoji
    return text if any(sign.isalpha() or sign >= "\U0001f000" for sign in text) else ""
