"""The difference from the last pass that is the reason of a failure: one digest for all tests that fail by it.

Of all that differs on the way to a failure, only what the failed step was about counts: another fault on the same
screens must not be taken for its reason. Where that changed first is where to look.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, combinations
from operator import attrgetter
from typing import Literal

from ...kept import RecordedScreen, RecordedStep, normalise
from ...model import Selector, Strings, quoted
from .comparison import Walk, kind_of, same_place, without_ref


def reason_of(walk: Walk) -> str:
    """Of the failure of ``walk.now``; "" if nothing shows it. The kinds:

    - ``over``: a dialog that the pass never had;
    - ``led``: an action led to another screen than in the pass;
    - ``loading``: a screen is still loading that had its content in the pass;
    - ``unanswered``: after an action the screen is as it was before, where in the pass it changed;
    - ``changed``: lines around what the failed step was about are others, or gone, or new."""
    if not walk.same_platform or not walk.now.steps:
        return ""
    failed = failed_at(walk)
    last = len(walk.now.steps) - 1 if failed is None else failed
    place = walk.now_at[last]
    if place.dialog is not None and all(step.after.dialog != place.dialog for step in walk.then.steps):
        return _digest("over", place.app, normalise(place.dialog))
    return _on_the_way(walk, last, failed) or _only_change(walk, last)


def failed_at(walk: Walk) -> int | None:
    """The place of the step that failed the test; None if none did."""
    return next((at for at, step in enumerate(walk.now.steps) if step.id and step.id in walk.failed), None)


def _on_the_way(walk: Walk, last: int, failed: int | None) -> str:
    """By the first action up to the last step after which the two parted in what the failure is about."""
    names = names_of_failure(walk, failed)
    unanswered = ""
    for before, after, there, here in stands(walk, last, failed):
        if after != failed and not walk.same(before, after):
            return _digest("led", _which(there), _which(here))
        if after != failed and not unanswered and _is_silent(walk, before, after):
            unanswered = _unanswered(walk.now.steps[after])
        if _LOADING in here.outline and there.outline and _LOADING not in there.outline:
            return _digest("loading", _which(there))
        change = change_around(there.outline, here.outline, names)
        if change is not None:
            if _is_unanswered(walk, before, after, change):
                return unanswered or _unanswered(walk.now.steps[after])
            return unanswered if unanswered and not change.new else _changed(there, change)
    return unanswered


def stands(walk: Walk, last: int, failed: int | None) -> Iterator[tuple[int, int, RecordedScreen, RecordedScreen]]:
    """Each action that both did, up to the ``last`` step, by its place in the pass and in this run, and where it
    led in both; of the one that ``failed``, where it was looked for."""
    for before, after in walk.both:
        if after > last or not walk.is_lead(before, after):
            continue
        places = screens_at(walk, after) if after == failed else (walk.then_at[before], walk.now_at[after])
        yield before, after, *places


def screens_at(walk: Walk, failed: int) -> tuple[RecordedScreen, RecordedScreen]:
    """Where the pass and this run looked for what a failed step was about: of an action, which was not done, the
    screen before it. Screens without content where the two did not stand on the same one."""
    if not walk.same_platform:
        return RecordedScreen(), RecordedScreen()
    there = place_in_pass(walk, failed)
    acted = walk.now.steps[failed].kind == "action"
    here = walk.now.steps[failed].after if acted else walk.now_at[failed]
    return (there, here) if same_place(there, here) else (RecordedScreen(), RecordedScreen())


def place_in_pass(walk: Walk, failed: int) -> RecordedScreen:
    """Where the pass looked for what a failed step was about; without content if it did no such step."""
    then = walk.in_pass.get(failed)
    if then is None:
        return RecordedScreen()
    return walk.then.steps[then].before if walk.now.steps[failed].kind == "action" else walk.then_at[then]


def names_of_failure(walk: Walk, failed: int | None) -> list[str]:
    """Of an ``assert`` of the test's own: the texts that its message quotes."""
    if failed is not None:
        then = walk.in_pass.get(failed)
        return names_of(walk.now.steps[failed], walk.then.steps[then] if then is not None else None)
    texts = [text for one in walk.now.failures[:1] for pair in re.findall(_QUOTED, one.message) for text in pair]
    return [part for text in texts for part in text.split("...") if len(part) > _SHORT]  # where pytest cut it


def _only_change(walk: Walk, last: int) -> str:
    """If nothing says what the failure was about: the one thing that changed on its screen, if it is one."""
    failed = failed_at(walk)
    then = walk.in_pass.get(last)
    if then is None or names_of_failure(walk, failed) or not walk.same(then, last):
        return ""
    there = walk.then_at[then] if failed is None else place_in_pass(walk, last)
    changes = changes_of(there.outline, walk.now_at[last].outline)
    return _changed(there, changes[0]) if len(changes) == 1 else ""


def _changed(place: RecordedScreen, change: Change) -> str:
    return _digest("changed", _which(place), *change.signature)


def _unanswered(step: RecordedStep) -> str:
    named = step.target.label if step.target is not None else step.selector
    return _digest("unanswered", step.before.key, step.name, normalise(named))


def _is_silent(walk: Walk, before: int, after: int) -> bool:
    """Whether nothing at all came of an action, by which the screen changed in the pass."""
    screens = [
        [[without_ref(line) for line in one.outline] for one in (step.before, place)]
        for step, place in (
            (walk.then.steps[before], walk.then_at[before]),
            (walk.now.steps[after], walk.now_at[after]),
        )
    ]
    (then_before, then_after), (now_before, now_after) = screens
    return bool(then_before and now_before) and then_before != then_after and now_before == now_after


def _which(place: RecordedScreen) -> str:
    return place.key or normalise(place.name)


def _digest(*parts: str) -> str:
    kind, *others = parts
    found = hashlib.blake2b("\0".join(others).encode("utf-8", "replace"), digest_size=8)
    return f"{kind} {found.hexdigest()}"


def _is_unanswered(walk: Walk, before: int, after: int, change: Change) -> bool:
    """Whether both stood on that screen before the action, and it changed there in the pass alone: what the pass
    shows is new there, and what this run shows was there before, in both."""
    earlier_then = [
        step.after for step in walk.then.steps[:before] if same_place(step.after, walk.then_at[before])
    ]
    earlier_now = [step.after for step in walk.now.steps[:after] if same_place(step.after, walk.now_at[after])]
    if not earlier_then or not earlier_now:
        return False
    known_then, known_now = (
        {without_ref(line).strip() for one in places for line in one.outline}
        for places in (earlier_then, earlier_now[-1:])
    )
    kept = bool(change.gone) or known_then.issuperset(change.new)
    return kept and not known_then.intersection(change.gone) and known_now.issuperset(change.new)


# --- which lines of two screens changed together ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Change:
    """The lines that are ``gone`` from one screen, and those that are ``new`` in their place on the other; without
    refs. ``above`` is the line before, "" if there is none. ``extent`` is of a screen of which much is another:
    several lines have the same other state, or other words, or most of it is new."""

    gone: Sequence[str]
    new: Sequence[str]
    above: str = ""
    extent: Literal["", "states", "reworded", "whole"] = ""

    @property
    def new_state(self) -> str:
        """Of one line of which the states alone are others: those that it has now, ``[disabled]``."""
        if len(self.gone) != 1 or len(self.new) != 1:
            return ""
        (was, before), (is_now, after) = (
            (line.rpartition('"')[0], line.rpartition('"')[2]) for line in (self.gone[0], self.new[0])
        )
        return after.strip() if was == is_now and before != after else ""

    @property
    def is_reworded(self) -> bool:
        """Whether it has other words in the place of words: not only other numbers, states or another order."""
        was, is_now = ([normalise(line).rpartition('"')[0] for line in lines] for lines in (self.gone, self.new))
        return bool(was and is_now) and was != is_now and not self.is_exchange

    @property
    def signature(self) -> Strings:
        """The same where the lines are the same but for numbers. Numbers alone are known by the line before."""
        if self.extent == "reworded":
            return ("reworded",)
        if self.extent == "states":
            return ("states", *sorted({line.rpartition('"')[2] for line in self.new}))
        if self.extent == "whole":
            return ("whole", *sorted({*map(normalise, self.new)}))
        gone = self.gone if self.new else self.gone[:1]  # of a row or a section that is gone: what it begins with
        lines = sorted(
            {*(f"- {normalise(line)}" for line in gone), *(f"+ {normalise(line)}" for line in self.new)}
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


_QUOTED = r"'([^']{2,80})'|\"([^\"]{2,80})\""
_WORDS = re.compile(r"[^\W\d_]{2}")
_LOADING = "(loading)"
_SHORT = 2
_MOST_CHANGES = 60
_REWORDED = 3
"""Places of one screen with other words, or in the same other state, for them to be one reason."""
_ANOTHER_CONTENT = 0.6
"""Share of a screen's lines of which a change is one change: another language, an error in place of a list."""


def change_around(then: Sequence[str], now: Sequence[str], names: Sequence[str]) -> Change | None:
    """The lines that changed together with the named texts: of the places where two screens differ, that which
    names the most of them, the first of those. Numbers count here. None where no change names any of them."""
    if not names:
        return None
    changes = changes_of(then, now)
    named = [one.names(names) for one in changes]
    if not any(named):
        return None
    best = changes[named.index(max(named))]
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
    """Where two screens differ, numbers included; nothing where one of them is not at hand."""
    if not then or not now:
        return []
    before, after = ([without_ref(line).strip() for line in lines if line[:1] != "("] for lines in (then, now))
    return _exchanged([*_parts(before, after)])


def _parts(before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    """Both screens from top to bottom, what is the same too. Lines that each turned into another of their kind are
    changes of their own, though they are neighbours."""
    for tag, then_from, then_to, now_from, now_to in SequenceMatcher(None, before, after, False).get_opcodes():
        above = ["", *before][then_from:]
        gone, new = before[then_from:then_to], after[now_from:now_to]
        if tag == "replace" and [*map(kind_of, gone)] == [*map(kind_of, new)]:
            yield from (Change([was], [now], line) for was, now, line in zip(gone, new, above, strict=False))
        else:
            yield Change(gone, new, above[0])


def _exchanged(parts: list[Change]) -> list[Change]:
    """Two changes that are one exchange are one: rows that swapped places, with all between them, or values that
    swapped rows."""
    changes = [one for one in parts if one.gone != one.new][:_MOST_CHANGES]
    for one, other in combinations([one for one in changes if not one.is_exchange], 2):
        if one not in changes or other not in changes:
            continue
        within = parts[parts.index(one) : parts.index(other) + 1]
        gone, new = ([*chain.from_iterable(map(attrgetter(name), within))] for name in ("gone", "new"))
        span = Change(gone, new, one.above)
        pair = Change([*one.gone, *other.gone], [*one.new, *other.new])
        if span.is_exchange:
            between = changes[changes.index(one) + 1 : changes.index(other) + 1]
            changes = [span if each is one else each for each in changes if each not in between]
        elif pair.is_exchange:
            changes = [pair if each is one else each for each in changes if each is not other]
    return changes


# --- what a step was about -----------------------------------------------------------------------------------

_RELATIONS = frozenset({"row_with", "near", "within", "has", "nth"})
_TEXTS = frozenset({"text", "text_contains", "description"})


def names_of(step: RecordedStep, then: RecordedStep | None = None) -> list[str]:
    """The texts that a step was about: those of its selector, of what it resolved to, and what it wanted. ``then``
    is the same step in the pass, which knows what it was about where this one found nothing."""
    if step.failure is not None and step.failure.unfit and step.failure.element is not None:
        return [step.failure.element.label] if step.failure.element.label else []
    names = [one.target.label for one in (step, then) if one is not None and one.target is not None]
    if step.failure is not None:
        names += _texts_in(step.failure.selector)
        names += [value for value in step.failure.wanted.values() if isinstance(value, str)]
        names += [one.label for one in (step.failure.element, *step.failure.matches) if one is not None]
    return list(dict.fromkeys(name for name in names if len(name) > 1))


def marks_of(step: RecordedStep) -> list[str]:
    """What a line holds that is about a step: its texts, and the refs of what it found. Where it was about one of
    several of a name, by their row or neighbour, the name alone says nothing of a line."""
    names = names_of(step)
    failure = step.failure
    if failure is None:
        return [*map(quoted, names)]
    found = [one for one in (failure.element, *failure.matches) if one is not None]
    selector = failure.selector
    if selector is not None and any(name in _RELATIONS for name, _ in selector.given()):
        own = {selector.text, selector.text_contains, selector.description, *(one.label for one in found)}
        names = [name for name in names if name not in own]
    return [*(f"[{one.ref}]" for one in found if one.ref), *map(quoted, names)]


def _texts_in(selector: Selector | None) -> Iterator[str]:
    """Its texts, and those of the selectors in it: the row that it sits in, its neighbour."""
    for name, value in selector.given() if selector is not None else ():
        if isinstance(value, Selector):
            yield from _texts_in(value)
        elif isinstance(value, str) and name in _TEXTS:
            yield value
