"""A failed run of a test next to one that passed, step by step, up to the first that differs.

The same test does the same steps, unless it was edited. Whether both runs stood on the same screen: in doubt they
did, since content that changes is no difference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Literal

from ...kept import RecordedAttempt, RecordedScreen, RecordedStep, normalise
from ...model import ElementRecord

What = tuple[str, str, str]
"""Kind, name and title of a step: of these the title may hold data that is new in each run."""

Difference = Literal[
    "screen", "target", "signal", "failed", "held", "new", "done", "left out", "slow", "ended", "none"
]
"""``signal``: the app logged a warning or an error, or showed a toast, that the pass had nowhere. ``failed``:
worked then and failed now, on the same screen. ``held``: failed then, which the test took, and worked now.
``new``: failed now, and is no step of the pass. ``done`` and ``left out``: an action that only this run, only the
pass did. ``ended``: this run did the steps of the pass and then no more. ``none``: it did them all."""

TENFOLD, A_SECOND = 10, 1_000
"""A step slower by less than both is no difference; phones vary."""


@dataclass(frozen=True)
class Finding:
    """``now`` is the place of the step in this run, ``then`` in the pass; None if there is none."""

    difference: Difference
    then: int | None = None
    now: int | None = None


Sameness = Literal["same", "numbers apart", "differ", "unknown"]
"""How far two rows of screens are the same."""


class Walk:
    """Two runs of one test. ``pairs`` are their steps, ``both`` those that each did, ``then_at`` and ``now_at``
    where each led; ``edits`` are the actions up to the first difference that only one of them did."""

    def __init__(self, then: RecordedAttempt, now: RecordedAttempt) -> None:
        self.then, self.now = then, now
        self.same_platform = not (then.platform and now.platform) or then.platform == now.platform
        pairs = aligned([step.what for step in then.steps], [step.what for step in now.steps])
        self.unmet = len(pairs)
        while pairs and pairs[-1][1] is None:
            pairs.pop()
        self.unmet -= len(pairs)
        self.pairs = pairs
        self.both = [(then, now) for then, now in pairs if then is not None and now is not None]
        self.in_pass: Mapping[int, int] = {now: then for then, now in self.both}
        """The place in the pass of each step of this run that the pass did too."""
        self.then_at, self.now_at = reached(then.steps), reached(now.steps)
        self.leads_then, self.leads_now = _leads(then.steps), _leads(now.steps)
        self.failed = {error.step for error in now.failures}
        self.edits: list[Finding] = []
        known = {normalise(one) for step in then.steps for one in step.signals}
        self.signals = [tuple(one for one in step.signals if self._is_new(one, known)) for step in now.steps]
        """What the app said in each step of this run that it never said in the pass."""

    def _is_new(self, signal: str, known: Set[str]) -> bool:
        heard = self.then.hears_toasts if signal.startswith("toast ") else self.then.hears_log
        return heard and self.same_platform and normalise(signal) not in known

    def messages(self, failed: int) -> list[str]:
        """The lines that read like an error and came by the action that a failed step is about: they were on no
        screen before, neither of the pass nor of this run."""
        outlined = any(step.after.outline for step in self.then.steps)
        if not outlined or not self.same_platform:
            return []
        lead = self.leads_now[failed]
        known = self.known_before(lead)
        lines = [line for step in self.now.steps[lead : failed + 1] for line in step.after.outline]
        texts = (TEXT.search(line) for line in lines if normalise(line) not in known)
        return [f"message {text[0]}" for text in texts if text and MESSAGE.search(text[0])]

    def known_before(self, lead: int) -> set[str]:
        """The lines that a screen of the pass has, or one of this run until that action, numbers apart."""
        steps = (*self.then.steps, *self.now.steps[:lead])
        places = [self.now.steps[lead].before, *(place for step in steps for place in (step.before, step.after))]
        return {normalise(line) for place in places for line in place.outline}

    def first_difference(self) -> Finding:
        edit: Finding | None = None
        warned: Finding | None = None
        for position, (then, now) in enumerate(self.pairs):
            if then is None or now is None:
                found = self._alone(then, now)
                if found is not None and found.difference == "new":
                    return edit or found
                edit = edit or found
                self.edits += [found] if found is not None else []
            elif found := self._between(then, now, position):
                if found.difference == "signal" and all(one.startswith("W ") for one in self.signals[now]):
                    warned = warned or found  # a warning alone may be of any run
                    continue
                if edit or not self._was_taken(found.difference, now):
                    return edit or found
                edit = found
            elif edit and self.is_lead(then, now):
                edit = None  # both stand on the same screen again: what was edited made no difference
        return edit or warned or self._slow() or Finding("ended" if self.unmet else "none")

    def _alone(self, then: int | None, now: int | None) -> Finding | None:
        if now is not None:
            step = self.now.steps[now]
            if step.error:
                return Finding("new", None, now)
            return Finding("done", None, now) if step.kind == "action" else None
        assert then is not None
        return Finding("left out", then, None) if self.then.steps[then].kind == "action" else None

    def _between(self, then: int, now: int, position: int) -> Finding | None:
        before, after = self.then.steps[then], self.now.steps[now]
        if self.same_platform and is_another(before, after):
            return Finding("target", then, now)
        not_done = after.kind == "action" and after.error and not before.error
        if self.is_lead(then, now) and not self.same(then, now) and self._lasts(position) and not not_done:
            return Finding("screen", then, now)
        if after.error and not before.error:
            return Finding("failed", then, now)
        if self.signals[now]:
            return Finding("signal", then, now)
        if before.error and not after.error:
            return Finding("held", then, now)
        return None

    def _was_taken(self, difference: Difference, now: int) -> bool:
        """Whether the test went on all the same, as one does that closes a notice if there is one."""
        step = self.now.steps[now]
        return difference == "held" or (
            difference == "failed" and step.kind != "check" and step.id not in self.failed
        )

    def is_lead(self, then: int, now: int) -> bool:
        return self.leads_then[then] == then and self.leads_now[now] == now

    def same(self, then: int, now: int) -> bool:
        return same_place(self.then_at[then], self.now_at[now], same_platform=self.same_platform)

    def _lasts(self, position: int) -> bool:
        """Whether the next action found another screen too: one of them may only have been slower to be drawn."""
        for then, now in self.pairs[position + 1 :]:
            if now is not None and self.now.steps[now].error:
                return True
            if then is not None and now is not None and self.is_lead(then, now):
                return not self.same(then, now)
        return True

    def same_steps(self, end: int) -> bool:
        """Whether both did the same before that step of this run, numbers in titles apart."""
        return all(
            then is not None and now is not None and self.then.steps[then].what == self.now.steps[now].what
            for then, now in self.pairs
            if now is None or now < end
        )

    def same_screens(self, end: int) -> Sameness:
        """Whether both stood on the same screens with the same content before that step of this run."""
        exact = True
        for then, now in self.both:
            if now >= end:
                break
            before, after = self.then_at[then], self.now_at[now]
            if not before.outline or not after.outline or not self.same_platform:
                return "unknown"
            if list(map(normalise, before.outline)) != list(map(normalise, after.outline)):
                return "differ"
            exact = exact and [*map(without_ref, before.outline)] == [*map(without_ref, after.outline)]
        return "same" if exact else "numbers apart"

    def _slow(self) -> Finding | None:
        for then, now in self.both:
            before, after = self.then.steps[then], self.now.steps[now]
            if not after.error and slower(before.duration_ms, after.duration_ms, TENFOLD):
                return Finding("slow", then, now)
        return None


def slower(then_ms: int, now_ms: int, times: int) -> bool:
    return now_ms >= times * then_ms and now_ms - then_ms > A_SECOND


def is_another(before: RecordedStep, after: RecordedStep) -> bool:
    """Whether a step went to different elements. Of the same id and class, another label or row is content, unless
    the test asked for another."""
    then, now = before.target, after.target
    if then is None or now is None:
        return False
    if (then.class_name, then.resource_id) != (now.class_name, now.resource_id):
        return True
    if before.what != after.what:
        return differ(then, now)
    return not then.resource_id and normalise(then.label) != normalise(now.label)


def differ(then: ElementRecord, now: ElementRecord) -> bool:
    """Whether two elements differ in more than numbers."""
    names = ("class_name", "label", "resource_id", "context")
    return any(normalise(getattr(then, name)) != normalise(getattr(now, name)) for name in names)


def _leads(steps: Sequence[RecordedStep]) -> list[int]:
    """For each step the action it belongs to; the first step if none was done yet."""
    lead, leads = 0, []
    for index, step in enumerate(steps):
        if step.kind == "action":
            lead = index
        leads.append(lead)
    return leads


# --- which step is which ------------------------------------------------------------------------------

MESSAGE = re.compile(
    r"error|fail|wrong|invalid|not valid|denied|refused|declined|expired|offline|retry|try again|sorry|unable"
    r"|can(?:no|')t|could(?: no|n')t|problem|unavailable|not (?:available|possible)|too (?:short|long|small|many)",
    re.I,
)
"""What an app writes where something did not work, in English."""
TEXT = re.compile(r'"[^"]+"')
_REF = re.compile(r"\[[a-z]\d{3,}\]")

Pair = tuple["int | None", "int | None"]
"""The place of a step in the pass, and of the same one in this run; None where one of them did not do it."""

_MOST_PAIRS = 250_000
"""Beyond it nothing is said of steps that moved: to find them would take longer than it is worth."""


def aligned(then: Sequence[What], now: Sequence[What]) -> list[Pair]:
    """Every step of both, in order. Linear where the steps are the same."""
    same = same_start(then, now)
    pairs: list[Pair] = [(index, index) for index in range(same)]
    at_then = at_now = same
    for next_then, next_now, size in _blocks(then, now, same):
        pairs += _between(then, now, range(at_then, next_then), range(at_now, next_now))
        at_then, at_now = next_then + size, next_now + size
        pairs += zip(range(next_then, at_then), range(next_now, at_now), strict=True)
    return pairs


def same_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _blocks(then: Sequence[What], now: Sequence[What], begin: int) -> Iterator[tuple[int, int, int]]:
    """Blocks that are the same in both, as where each begins and its length; the last one is the end of both."""
    if (len(then) - begin) * (len(now) - begin) <= _MOST_PAIRS:
        for block in SequenceMatcher(None, then[begin:], now[begin:], autojunk=False).get_matching_blocks():
            yield begin + block.a, begin + block.b, block.size
    else:
        yield len(then), len(now), 0


def _between(then: Sequence[What], now: Sequence[What], gone: range, new: range) -> Iterator[Pair]:
    """Steps of one kind in one place are the same one, with other data; the others were left out or added."""
    paired = 0
    while paired < min(len(gone), len(new)) and then[gone[paired]][:2] == now[new[paired]][:2]:
        yield gone[paired], new[paired]
        paired += 1
    yield from ((None, index) for index in new[paired:])
    yield from ((index, None) for index in gone[paired:])


# --- whether two screens are the same one --------------------------------------------------------------

_ALIKE, _ALIKE_BY_NAME = 0.5, 0.25
"""Share of lines that two screens have in common where they are one: without a title, and with the same title."""


def same_place(then: RecordedScreen, now: RecordedScreen, *, same_platform: bool = True) -> bool:
    """Screens of different platforms are compared by their titles alone."""
    if not _known(then) or not _known(now):
        return True
    both_named = bool(then.name and now.name)
    if not same_platform:
        return not both_named or normalise(then.name) == normalise(now.name)
    if then.key and then.key == now.key:
        return True
    if then.app and now.app and then.app != now.app:
        return False
    if (then.dialog is None) != (now.dialog is None) or normalise(then.dialog or "") != normalise(
        now.dialog or ""
    ):
        return False
    if both_named and normalise(then.name) != normalise(now.name):
        return False
    least = _ALIKE_BY_NAME if both_named else _ALIKE
    unknown = both_named and not (then.outline and now.outline)
    return unknown or likeness(then.outline, now.outline) >= least


def _known(place: RecordedScreen) -> bool:
    return bool(place.name or place.key)


def likeness(then: Sequence[str], now: Sequence[str]) -> float:
    """From 0 to 1; 0 where one of them is not at hand."""
    before, after = Counter(map(normalise, then)), Counter(map(normalise, now))
    most = max(sum(before.values()), sum(after.values()))
    return sum((before & after).values()) / most if before and after else 0.0


def changed_lines(then: Sequence[str], now: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines that are new, and those that are gone, as they stood; what only moved is neither."""
    return _beyond(now, then), _beyond(then, now)


def alone_on(there: Sequence[str], here: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines that are on one of two screens and not at all on the other: here, and there."""
    new, gone = changed_lines(there, here)
    known, shown = {*map(normalise, there)}, {*map(normalise, here)}
    here_alone = [one for one in new if normalise(one) not in known]
    there_alone = [one for one in gone if normalise(one) not in shown]
    return here_alone, there_alone


def _beyond(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    left = Counter(map(normalise, others))
    beyond = []
    for line in lines:
        what = normalise(line)
        if left[what] > 0:
            left[what] -= 1
        elif what and not what.startswith("("):  # how much is left out is no line of the screen
            beyond.append(line.strip().removeprefix("- "))
    return beyond


def replaced(then: Sequence[str], now: Sequence[str], names: Sequence[str]) -> tuple[str, str] | None:
    """The line that named one of ``names``, and the one of the same kind that is in its place between the same
    neighbours; None if nothing is. Neither is on the other screen."""
    new, gone = alone_on(then, now)
    before, after = [*map(normalise, then)], [*map(normalise, now)]
    for tag, then_from, then_to, now_from, now_to in SequenceMatcher(None, before, after, False).get_opcodes():
        if tag != "replace" or then_to - then_from != now_to - now_from:
            continue
        for line, other in zip(then[then_from:then_to], now[now_from:now_to], strict=True):
            was, is_now = (one.strip().removeprefix("- ") for one in (line, other))
            if (
                was in gone
                and is_now in new
                and any(name in was for name in names)
                and kind_of(was) == kind_of(is_now)
            ):
                return was, is_now
    return None


def kind_of(line: str) -> str:
    """What a line is without its texts: ``Button``."""
    return normalise(line).partition('"')[0].strip()


def without_ref(line: str) -> str:
    return _REF.sub("", line)


def reached(steps: Sequence[RecordedStep]) -> list[RecordedScreen]:
    """Where each step led: the screen on which the checks and waits after it ended, if there were any. An app that
    takes its time shows the old screen right after an action."""
    places: list[RecordedScreen] = []
    latest = RecordedScreen()
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if not _known(latest):
            latest = step.after
        places.append(latest)
        if step.kind == "action":
            latest = RecordedScreen()
    return places[::-1]
