"""A failed run of a test next to one that passed, step by step, up to the first that differs.

The same test does the same steps, unless it was edited. Whether both runs stood on the same screen:
in doubt they did, since content that changes is no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, repeat, takewhile
from typing import Literal

from ...kept_runs import RecordedAttempt, RecordedScreen, RecordedStep, hashed, normalise
from ...model import ElementRecord, FailureRecord, Selector, quoted
from .lines import Change, change_around, changes_of, likeness, without_ref

What = tuple[str, str, str]
"""Kind, name and title of a step: of these the title may hold data that is new in each run."""

Difference = Literal[
    "screen", "target", "signal", "failed", "held", "new", "done", "left out", "ended", "none"
]
"""``signal``: the app logged a warning or an error, or showed a toast, that the pass had nowhere.
``failed``: worked then and failed now, on the same screen. ``held``: failed then, which the test
took, and worked now. ``new``: failed now, and is no step of the pass. ``done`` and ``left out``: an
action that only this run, only the pass did. ``ended``: this run did the steps of the pass and then
no more. ``none``: it did them all."""


@dataclass(frozen=True)
class Finding:
    """``now`` is the place of the step in this run, ``then`` in the pass; None if there is none."""

    difference: Difference
    then: int | None = None
    now: int | None = None


class Walk:
    """Two runs of one test. ``pairs`` are their steps, ``both`` those that each did, ``then_at``
    and ``now_at`` where each led; ``edits`` are the actions up to the first difference that only
    one of them did."""

    def __init__(self, then: RecordedAttempt, now: RecordedAttempt) -> None:
        self.then, self.now = then, now
        self.steps_then, self.steps = then.steps, now.steps
        pairs = aligned([step.what for step in then.steps], [step.what for step in now.steps])
        self.has_ended = bool(pairs) and pairs[-1][1] is None
        while pairs and pairs[-1][1] is None:
            pairs.pop()
        self.pairs = pairs
        self.in_pass = {now: then for then, now in pairs if then is not None and now is not None}
        """The place in the pass of each step of this run that the pass did too, in order."""
        self.then_at, self.now_at = reached(then.steps), reached(now.steps)
        self.leads_then, self.leads_now = _leads(then.steps), _leads(now.steps)
        self.failed = {error.step for error in now.failures} - {""}
        self.failed_at: int | None = None
        """The place of the step that failed the test; None if none did."""
        self.last = len(now.steps) - 1
        """That place, or the end."""
        for at, step in enumerate(now.steps):
            if step.id in self.failed:
                self.failed_at = self.last = at
                break
        self.edits: list[Finding] = []
        known = {normalise(one) for step in then.steps for one in step.signals}

        def is_new(signal: str) -> bool:
            heard = then.hears_toasts if signal.startswith("toast ") else then.hears_log
            return heard and normalise(signal) not in known

        self.signals = [[*filter(is_new, step.signals)] for step in now.steps]
        """What the app said in each step of this run that it never said in the pass."""

    def messages(self) -> list[str]:
        """The lines that read like an error and came by the action that the failed step is about:
        they were on no screen before, neither of the pass nor of this run."""
        failed = self.failed_at
        if failed is None or not any(step.after.outline for step in self.steps_then):
            return []
        lead = self.leads_now[failed]
        known = self.known_before(lead)
        found = []
        for step in self.steps[lead : failed + 1]:
            for line in step.after.outline:
                text = TEXT.search(line)
                if text and MESSAGE.search(text[0]) and normalise(line) not in known:
                    found.append(f"message {text[0]}")
        return found

    def known_before(self, lead: int) -> set[str]:
        """The lines that a screen of the pass has, or one of this run until that action, numbers
        apart."""
        known = {*map(normalise, self.steps[lead].before.outline)}
        for step in (*self.steps_then, *self.steps[:lead]):
            known.update(map(normalise, (*step.before.outline, *step.after.outline)))
        return known

    def first_difference(self) -> Finding:
        edit: Finding | None = None
        warned: Finding | None = None
        for position, (then, now) in enumerate(self.pairs):
            if then is None or now is None:
                found = self._alone(then, now)
                if found and found.difference == "new":
                    return edit or found
                if found:
                    edit = edit or found
                    self.edits.append(found)
            elif found := self._between(then, now, position):
                is_warned = found.difference == "signal"
                if is_warned and all(one.startswith("W ") for one in self.signals[now]):
                    warned = warned or found  # a warning alone may be of any run
                    continue
                if edit or not self._was_taken(found.difference, now):
                    return edit or found
                edit = found
            elif self.is_lead(then, now):
                # both stand on the same screen again: what was edited made no difference
                edit = None
        return edit or warned or Finding("ended" if self.has_ended else "none")

    def _alone(self, then: int | None, now: int | None) -> Finding | None:
        if now is not None and self.steps[now].error:
            return Finding("new", None, now)
        if now is not None and self.steps[now].kind == "action":
            return Finding("done", None, now)
        if then is not None and self.steps_then[then].kind == "action":
            return Finding("left out", then, None)
        return None

    def _between(self, then: int, now: int, position: int) -> Finding | None:
        before, after = self.steps_then[then], self.steps[now]
        if is_another(before, after):
            return Finding("target", then, now)
        fails = bool(after.error) and not before.error
        parts = self.is_lead(then, now) and not self.same(then, now)
        if parts and not (fails and after.kind == "action") and self._lasts(position):
            return Finding("screen", then, now)
        if fails:
            return Finding("failed", then, now)
        if self.signals[now]:
            return Finding("signal", then, now)
        return Finding("held", then, now) if before.error and not after.error else None

    def _was_taken(self, difference: Difference, now: int) -> bool:
        """Whether the test went on all the same, as one does that closes a notice if there is
        one."""
        step = self.steps[now]
        goes_on = step.kind != "check" and step.id not in self.failed
        return difference == "held" or (difference == "failed" and goes_on)

    def is_lead(self, then: int, now: int) -> bool:
        return self.leads_then[then] == then and self.leads_now[now] == now

    def same(self, then: int, now: int) -> bool:
        return same_place(self.then_at[then], self.now_at[now])

    def _lasts(self, position: int) -> bool:
        """Whether the next action found another screen too: one of them may only have been slower
        to be drawn."""
        for then, now in self.pairs[position + 1 :]:
            if now is not None and self.steps[now].error:
                return True
            if then is not None and now is not None and self.is_lead(then, now):
                return not self.same(then, now)
        return True

    def same_steps(self, end: int) -> bool:
        """Whether both did the same before that step of this run, numbers in titles apart."""
        return all(
            then is not None
            and now is not None
            and self.steps_then[then].what == self.steps[now].what
            for then, now in self.pairs
            if now is None or now < end
        )

    def alike(self, end: int) -> str:
        """What both had in common before that step of this run: steps, and the screens with their
        content."""
        numbers = ""
        for now, then in self.in_pass.items():
            if now >= end:
                break
            before, after = self.then_at[then].outline, self.now_at[now].outline
            if not before or [*map(normalise, before)] != [*map(normalise, after)]:
                return "steps"
            if [*map(without_ref, before)] != [*map(without_ref, after)]:
                numbers = ", numbers apart,"
        return f"steps and screens{numbers}"

    def place_in_pass(self, failed: int | None) -> RecordedScreen:
        """Where the pass looked for what a failed step was about; without content if it did no such
        step."""
        if failed not in self.in_pass:
            return RecordedScreen()
        then = self.in_pass[failed]
        if self.steps[failed].kind == "action":
            return self.steps_then[then].before
        return self.then_at[then]

    def screens_at(self, failed: int) -> tuple[RecordedScreen, RecordedScreen]:
        """Where the pass and this run looked for what a failed step was about: of an action, which
        was not done, the screen before it. Screens without content where the two did not stand on
        the same one."""
        there, here = self.place_in_pass(failed), self.now_at[failed]
        if self.steps[failed].kind == "action":
            here = self.steps[failed].after
        return (there, here) if same_place(there, here) else (RecordedScreen(), RecordedScreen())

    def stands(self) -> Iterator[tuple[int, int, RecordedScreen, RecordedScreen]]:
        """Each action that both did, up to the last step, by its place in the pass and in this run,
        and where it led in both; of the one that failed, where it was looked for."""
        for after, before in self.in_pass.items():
            if after <= self.last and self.is_lead(before, after):
                there, here = self.then_at[before], self.now_at[after]
                if after == self.failed_at:
                    there, here = self.screens_at(after)
                yield before, after, there, here

    def names_of_failure(self) -> list[str]:
        """Of an ``assert`` of the test's own: the texts that its message quotes."""
        if self.failed_at is not None:
            known = None
            if self.failed_at in self.in_pass:
                known = self.steps_then[self.in_pass[self.failed_at]]
            return names_of(self.steps[self.failed_at], known)
        names = []
        for error in self.now.failures[:1]:
            for found in _QUOTED.finditer(error.message):
                parts = found[2].split("...")  # where pytest cut it
                names += [part for part in parts if len(part) > _SHORT]
        return names


def is_another(before: RecordedStep, after: RecordedStep) -> bool:
    """Whether a step went to different elements. Of the same id and class, another label or row is
    content, unless the test asked for another."""
    then, now = before.target, after.target
    if then is None or now is None:
        return False
    if (then.class_name, then.resource_id) != (now.class_name, now.resource_id):
        return True
    is_renamed = normalise(then.label) != normalise(now.label)
    if before.what == after.what:
        return is_renamed and not then.resource_id
    return is_renamed or normalise(then.context) != normalise(now.context)


def _leads(steps: Sequence[RecordedStep]) -> list[int]:
    """For each step the action it belongs to; the first step if none was done yet."""
    lead, leads = 0, []
    for index, step in enumerate(steps):
        if step.kind == "action":
            lead = index
        leads.append(lead)
    return leads


# --- which step is which --------------------------------------------------------------------------

MESSAGE = re.compile(
    r"error|fail|wrong|invalid|not valid|denied|refused|declined|expired|offline|retry|try again|"
    r"sorry|unable"
    r"|can(?:no|')t|could(?: no|n')t|problem|unavailable|not (?:available|possible)|too (?:short|"
    r"long|small|many)",
    re.I,
)
"""What an app writes where something did not work, in English."""
_QUOTED = re.compile(r"""(['"])((?:(?!\1).){2,80})\1""", re.DOTALL)
_LOADING = "(loading)"
_SHORT = 2
TEXT = re.compile(r'"[^"]+"')

Pair = tuple["int | None", "int | None"]
"""The place of a step in the pass, and of the same one in this run; None if one of them did not do
it."""


def aligned(then: Sequence[What], now: Sequence[What]) -> list[Pair]:
    """Every step of both, in order. Linear where the steps are the same. Steps of one kind in one
    place are the same one, with other data; the others were left out or added."""
    same = same_start(then, now)
    pairs: list[Pair] = [(index, index) for index in range(same)]
    matcher = SequenceMatcher(None, then[same:], now[same:], autojunk=False)
    for _, gone_from, gone_to, new_from, new_to in matcher.get_opcodes():
        gone, new = range(same + gone_from, same + gone_to), range(same + new_from, same + new_to)
        paired = same_start([then[at][:2] for at in gone], [now[at][:2] for at in new])
        pairs += zip(gone[:paired], new[:paired], strict=True)
        pairs += zip(repeat(None), new[paired:])
        pairs += zip(gone[paired:], repeat(None))
    return pairs


def same_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


# --- whether two screens are the same one ---------------------------------------------------------

_ALIKE, _ALIKE_BY_NAME = 0.5, 0.25
"""Share of lines that two screens have in common where they are one: without a title, and with the
same title."""


def same_place(then: RecordedScreen, now: RecordedScreen) -> bool:
    if not _known(then) or not _known(now):
        return True
    if then.key and then.key == now.key:
        return True
    if then.app and now.app and then.app != now.app:
        return False
    if _dialog(then) != _dialog(now):
        return False
    if not then.name or not now.name:
        return likeness(then.outline, now.outline) >= _ALIKE
    if normalise(then.name) != normalise(now.name):
        return False
    if not then.outline or not now.outline:
        return True
    return likeness(then.outline, now.outline) >= _ALIKE_BY_NAME


def _dialog(place: RecordedScreen) -> str | None:
    return None if place.dialog is None else normalise(place.dialog)


def _known(place: RecordedScreen) -> bool:
    return bool(place.name or place.key)


def reached(steps: Sequence[RecordedStep]) -> list[RecordedScreen]:
    """Where each step led: the screen on which the checks and waits after it ended, if there were
    any. An app that takes its time shows the old screen right after an action."""
    places: list[RecordedScreen] = []
    latest = RecordedScreen()
    for step in reversed(steps):
        if not _known(latest):
            latest = step.after
        places.append(latest)
        if step.kind == "action":
            latest = RecordedScreen()
    return places[::-1]


# --- which difference is the reason of the failure: one digest for all tests that fail by it ------
# Of all that differs on the way to a failure, only what the failed step was about counts: another
# fault on the same screens must not be taken for its reason. Where that changed first is where to
# look.


def reason_of(walk: Walk) -> str:
    """Of the failure of ``walk.now``; "" if nothing shows it. The kinds:

    - ``over``: a dialog that the pass never had;
    - ``led``: an action led to another screen than in the pass;
    - ``loading``: a screen is still loading that had its content in the pass;
    - ``unanswered``: after an action the screen is as it was before, where in the pass it changed;
    - ``changed``: lines around what the failed step was about are others, or gone, or new."""
    if not walk.steps:
        return ""
    place = walk.now_at[walk.last]
    known = [step.after.dialog for step in walk.steps_then]
    if place.dialog not in (None, *known):
        return _digest("over", place.app, normalise(place.dialog))
    return _on_the_way(walk) or _only_change(walk)


def _on_the_way(walk: Walk) -> str:
    """By the first action up to the last step after which the two parted in what the failure is
    about."""
    names = walk.names_of_failure()
    unanswered = ""
    for before, after, there, here in walk.stands():
        if after != walk.failed_at:
            if not walk.same(before, after):
                return _digest("led", _which(there), _which(here))
            if not unanswered and _is_silent(walk, before, after):
                unanswered = _unanswered(walk.steps[after])
        if _LOADING in here.outline and there.outline and _LOADING not in there.outline:
            return _digest("loading", _which(there))
        change = change_around(there.outline, here.outline, names)
        if change:
            if _is_unanswered(walk, before, after, change):
                return unanswered or _unanswered(walk.steps[after])
            return unanswered if unanswered and not change.new else _changed(there, change)
    return unanswered


def _only_change(walk: Walk) -> str:
    """If nothing says what the failure was about: the one thing that changed on its screen, if it
    is one."""
    then = walk.in_pass.get(walk.last)
    if then is None or walk.names_of_failure() or not walk.same(then, walk.last):
        return ""
    there = walk.then_at[then] if walk.failed_at is None else walk.place_in_pass(walk.last)
    changes = changes_of(there.outline, walk.now_at[walk.last].outline)
    return _changed(there, changes[0]) if len(changes) == 1 else ""


def _changed(place: RecordedScreen, change: Change) -> str:
    return _digest("changed", _which(place), *change.signature)


def _unanswered(step: RecordedStep) -> str:
    named = step.target.label if step.target else step.selector
    return _digest("unanswered", step.before.key, step.name, normalise(named))


def _is_silent(walk: Walk, before: int, after: int) -> bool:
    """Whether nothing at all came of an action, by which the screen changed in the pass."""
    then, now = walk.steps_then[before], walk.steps[after]
    if not then.before.outline or not now.before.outline:
        return False
    return _is_as_before(now, walk.now_at[after]) and not _is_as_before(then, walk.then_at[before])


def _is_as_before(step: RecordedStep, led_to: RecordedScreen) -> bool:
    return [*map(without_ref, step.before.outline)] == [*map(without_ref, led_to.outline)]


def _which(place: RecordedScreen) -> str:
    return place.key or normalise(place.name)


def _digest(kind: str, *parts: str) -> str:
    return f"{kind} {hashed(*parts, size=8)}"


def _is_unanswered(walk: Walk, before: int, after: int, change: Change) -> bool:
    """Whether both stood on that screen before the action, and it changed there in the pass alone:
    what the pass shows is new there, and what this run shows was there before, in both."""
    earlier_then = _earlier(walk.steps_then[:before], walk.then_at[before])
    earlier_now = _earlier(walk.steps[:after], walk.now_at[after])
    if not earlier_then or not earlier_now:
        return False
    known_then = {*chain.from_iterable(earlier_then)}
    kept = bool(change.gone) or known_then.issuperset(change.new)
    return kept and known_then.isdisjoint(change.gone) and {*earlier_now[-1]}.issuperset(change.new)


def _earlier(steps: Sequence[RecordedStep], place: RecordedScreen) -> list[list[str]]:
    """That screen as each of the steps left it that led to it."""
    places = [step.after for step in steps if same_place(step.after, place)]
    return [[*map(without_ref, one.outline)] for one in places]


# --- what a step was about ------------------------------------------------------------------------

_RELATIONS = frozenset({"row_with", "near", "within", "has", "nth"})
_TEXTS = frozenset({"text", "text_contains", "description"})


def names_of(step: RecordedStep, then: RecordedStep | None = None) -> list[str]:
    """The texts that a step was about: those of its selector, of what it resolved to, and what it
    wanted. ``then`` is the same step in the pass, which knows what it was about where this one
    found nothing."""
    failure = step.failure
    if failure and failure.unfit and failure.element:
        return [failure.element.label] if failure.element.label else []
    names = [one.target.label for one in (step, then) if one is not None and one.target]
    if failure:
        names += _texts_in(failure.selector)
        names += [value for value in failure.wanted.values() if isinstance(value, str)]
        names += [one.label for one in _found(failure)]
    return list(dict.fromkeys(name for name in names if len(name) > 1))


def _found(failure: FailureRecord) -> list[ElementRecord]:
    return [one for one in (failure.element, *failure.matches) if one is not None]


def marks_of(step: RecordedStep) -> list[str]:
    """What a line holds that is about a step: its texts, and the refs of what it found. Where it
    was about one of several of a name, by their row or neighbour, the name alone says nothing of a
    line."""
    names = names_of(step)
    failure = step.failure
    if not failure:
        return [*map(quoted, names)]
    found, selector = _found(failure), failure.selector
    if selector and not _RELATIONS.isdisjoint(dict(selector.given())):
        own = [selector.text, selector.text_contains, selector.description]
        own += [one.label for one in found]
        names = [name for name in names if name not in own]
    return [*(f"[{one.ref}]" for one in found if one.ref), *map(quoted, names)]


def _texts_in(selector: Selector | None) -> Iterator[str]:
    """Its texts, and those of the selectors in it: the row that it sits in, its neighbour."""
    for name, value in selector.given() if selector else ():
        if isinstance(value, Selector):
            yield from _texts_in(value)
        elif isinstance(value, str) and name in _TEXTS:
            yield value
