"""Lines of two screens that are others, or gone, or new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, combinations
from typing import Literal

from ...kept_runs import normalise
from ...model import Strings

_REF = re.compile(r"\[[a-z]\d{3,}\]")


def likeness(then: Sequence[str], now: Sequence[str]) -> float:
    """From 0 to 1; 0 if one of them is not at hand."""
    before, after = Counter(map(normalise, then)), Counter(map(normalise, now))
    most = max(sum(before.values()), sum(after.values()))
    return sum((before & after).values()) / most if before and after else 0.0


def changed_lines(
    then: Sequence[str], now: Sequence[str], *, alone: bool = False
) -> tuple[list[str], list[str]]:
    """The lines that are new, and those that are gone, as they stood; what only moved is neither.
    Of several equal ones some may be new or gone, unless each is to be ``alone`` on its screen: not
    at all on the other."""
    return _beyond(now, then, alone), _beyond(then, now, alone)


def _beyond(lines: Sequence[str], others: Sequence[str], alone: bool) -> list[str]:
    left = Counter(map(normalise, others))
    beyond = []
    for line in lines:
        what = normalise(line)
        if left[what] > 0:
            left[what] -= not alone
        elif what and not what.startswith("("):  # how much is left out is no line of the screen
            beyond.append(_bare(line))
    return beyond


def replaced(
    then: Sequence[str], now: Sequence[str], names: Sequence[str]
) -> tuple[str, str] | None:
    """The line that named one of ``names``, and the one of the same kind that is in its place
    between the same neighbours; None if nothing is. Neither is on the other screen."""
    new, gone = changed_lines(then, now, alone=True)
    before, after = [*map(normalise, then)], [*map(normalise, now)]
    for tag, then_from, then_to, now_from, now_to in SequenceMatcher(
        None, before, after, False
    ).get_opcodes():
        if tag != "replace" or then_to - then_from != now_to - now_from:
            continue
        pairs = zip(
            map(_bare, then[then_from:then_to]), map(_bare, now[now_from:now_to]), strict=True
        )
        for was, is_now in pairs:
            are_alone = was in gone and is_now in new
            if are_alone and kind_of(was) == kind_of(is_now) and any(name in was for name in names):
                return was, is_now
    return None


def kind_of(line: str) -> str:
    """What a line is without its texts: ``Button``."""
    return normalise(line).partition('"')[0].strip()


def without_ref(line: str) -> str:
    return _REF.sub("", _bare(line)).lstrip()


def _bare(line: str) -> str:
    """A line without its indentation, and without the dash of a row."""
    return line.strip().removeprefix("- ")


# --- which of them changed together ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Change:
    """The lines that are ``gone`` from one screen, and those that are ``new`` in their place on the
    other; without refs. ``above`` is the line before, "" if there is none. ``extent`` is of a
    screen of which much is another: several lines have the same other state, or other words, or
    most of it is new."""

    gone: Sequence[str]
    new: Sequence[str]
    above: str = ""
    extent: Literal["", "states", "reworded", "whole"] = ""

    @property
    def new_state(self) -> str:
        """Of one line of which the states alone are others: those that it has now,
        ``[disabled]``."""
        if len(self.gone) != 1 or len(self.new) != 1:
            return ""
        (was, _, before), (is_now, _, after) = (
            line.rpartition('"') for line in (self.gone[0], self.new[0])
        )
        return after.strip() if was == is_now and before != after else ""

    @property
    def is_reworded(self) -> bool:
        """Whether it has other words in the place of words: not only other numbers, states or
        another order."""
        was, is_now = (
            [normalise(line).rpartition('"')[0] for line in lines]
            for lines in (self.gone, self.new)
        )
        return bool(was and is_now) and was != is_now and not self.is_exchange

    @property
    def signature(self) -> Strings:
        """The same where the lines are the same but for numbers. Numbers alone are known by the
        line before."""
        if self.extent == "reworded":
            return ("reworded",)
        if self.extent == "states":
            return ("states", *sorted({line.rpartition('"')[2] for line in self.new}))
        if self.extent == "whole":
            return ("whole", *sorted({*map(normalise, self.new)}))
        gone = (
            self.gone if self.new else self.gone[:1]
        )  # of a row or a section that is gone: what it begins with
        lines = sorted(
            {
                *(f"- {normalise(line)}" for line in gone),
                *(f"+ {normalise(line)}" for line in self.new),
            }
        )
        named = any(_WORDS.search(line.partition('"')[2]) for line in lines)
        return (*lines, "" if named else normalise(self.above))

    def names(self, names: Sequence[str]) -> int:
        """How much it names of them; a name but for its numbers counts half."""
        lines = (*self.gone, *self.new)
        alike = [*map(normalise, lines)]
        return sum(
            2 * any(name in line for line in lines)
            or bool(_WORDS.search(name)) * any(normalise(name) in line for line in alike)
            for name in names
        )

    @property
    def is_exchange(self) -> bool:
        """Whether the same words are there, in other places."""
        was, is_now = (Counter(" ".join(lines).split()) for lines in (self.gone, self.new))
        return bool(was) and was == is_now


_WORDS = re.compile(r"[^\W\d_]{2}")
_MOST_CHANGES = 60
_REWORDED = 3
"""Places of one screen with other words, or in the same other state, for them to be one reason."""
_ANOTHER_CONTENT = 0.6
"""Share of a screen's lines of which a change is one change: another language, an error in place of
a list."""


def change_around(then: Sequence[str], now: Sequence[str], names: Sequence[str]) -> Change | None:
    """The lines that changed together with the named texts: of the places where two screens differ,
    that which names the most of them, the first of those. Numbers count here. None if no change
    names any of them."""
    changes = changes_of(then, now)
    best = max(changes, key=lambda one: one.names(names), default=None)
    if not best or not best.names(names):
        return None
    alike = [one for one in changes if one.new_state and one.new_state == best.new_state]
    if len(alike) >= _REWORDED:
        gone, new = [one.gone[0] for one in alike], [one.new[0] for one in alike]
        return Change(gone, new, extent="states")
    if sum(one.is_reworded for one in changes) >= _REWORDED:
        return Change(then, now, extent="reworded")
    vanished = sum(len(one.gone) for one in changes)
    if len(changes) > 1 and vanished >= _ANOTHER_CONTENT * len(then) and vanished > 3:
        return Change(then, now, extent="whole")
    return best


def changes_of(then: Sequence[str], now: Sequence[str]) -> list[Change]:
    """Where two screens differ, numbers included; nothing if one of them is not at hand."""
    if not then or not now:
        return []
    before, after = (
        [without_ref(line) for line in lines if line[:1] != "("] for lines in (then, now)
    )
    return _exchanged([*_parts(before, after)])


def _parts(before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    """Both screens from top to bottom, with all that is the same. Lines that each turned into
    another of their kind are changes of their own, though they are neighbours."""
    for tag, then_from, then_to, now_from, now_to in SequenceMatcher(
        None, before, after, False
    ).get_opcodes():
        above = ["", *before][then_from:]
        gone, new = before[then_from:then_to], after[now_from:now_to]
        if tag == "replace" and [*map(kind_of, gone)] == [*map(kind_of, new)]:
            yield from (
                Change([was], [now], line) for was, now, line in zip(gone, new, above, strict=False)
            )
        else:
            yield Change(gone, new, above[0])


def _exchanged(parts: list[Change]) -> list[Change]:
    """Two changes that are one exchange are one: rows that swapped places, with all between them,
    or values that swapped rows."""
    changes = [one for one in parts if one.gone != one.new][:_MOST_CHANGES]
    for one, other in combinations([one for one in changes if not one.is_exchange], 2):
        if one not in changes or other not in changes:
            continue
        within = parts[parts.index(one) : parts.index(other) + 1]
        for parted in (within, [one, other]):
            gone, new = (
                chain(*(each.gone for each in parted)),
                chain(*(each.new for each in parted)),
            )
            whole = Change([*gone], [*new], one.above)
            if whole.is_exchange:
                changes[changes.index(one)] = whole
                changes = [each for each in changes if each not in parted]
                break
    return changes
