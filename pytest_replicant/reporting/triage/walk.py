"""A failed run beside a passed one, step by step, up to the first that differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .alignment import aligned
from .passage import steadied
from .places import reached, same_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .passage import Passage, PassageStep

Difference = Literal["screen", "target", "failed", "held", "new", "done", "left out", "slow", "ended", "none"]
"""``failed``: worked then and failed now, on the same screen. ``held``: failed then, which the test took, and
worked now. ``new``: failed now, and is no step of the pass. ``done`` and ``left out``: an action that only this
run, only the pass did. ``ended``: this run did the steps of the pass and then no more. ``none``: it did them
all."""

TENFOLD, A_SECOND = 10, 1_000
"""What is slower by less than both is no difference; phones vary."""


@dataclass(frozen=True)
class Finding:
    """``now`` is the place of the step in this run, ``then`` in the pass; None where there is none."""

    difference: Difference
    then: int | None = None
    now: int | None = None


class Walk:
    """Two runs of one test. ``pairs`` are their steps, ``then_at`` and ``now_at`` where each led; ``edits`` are
    the actions up to the first difference that only one of them did."""

    def __init__(self, then: Passage, now: Passage) -> None:
        self.then, self.now = then, now
        self.same_platform = not (then.platform and now.platform) or then.platform == now.platform
        pairs = aligned([step.what for step in then.steps], [step.what for step in now.steps])
        self.unmet = len(pairs)
        while pairs and pairs[-1][1] is None:
            pairs.pop()
        self.unmet -= len(pairs)
        self.pairs = pairs
        self.then_at, self.now_at = reached(then.steps), reached(now.steps)
        self.leads_then, self.leads_now = _leads(then.steps), _leads(now.steps)
        self.edits: list[Finding] = []

    def first_difference(self) -> Finding:
        edit: Finding | None = None
        for position, (then, now) in enumerate(self.pairs):
            if then is None or now is None:
                found = self._alone(then, now)
                if found is not None and found.difference == "new":
                    return edit or found
                edit = edit or found
                self.edits += [found] if found is not None else []
            elif found := self._between(then, now, position):
                if edit or not self._was_taken(found.difference, now):
                    return edit or found
                edit = found
            elif edit and self._is_lead(then, now):
                edit = None  # both stand on the same screen again: what was edited made no difference
        return edit or self._slow() or Finding("ended" if self.unmet else "none")

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
        if self._is_lead(then, now) and not self._same(then, now) and self._lasts(position):
            return Finding("screen", then, now)
        if after.error and not before.error:
            return Finding("failed", then, now)
        if before.error and not after.error:
            return Finding("held", then, now)
        return None

    def _was_taken(self, difference: Difference, now: int) -> bool:
        """Whether the test went on all the same, as one does that closes a notice where there is one."""
        step = self.now.steps[now]
        return difference == "held" or (
            difference == "failed" and step.kind != "check" and step.error not in self.now.failure
        )

    def _is_lead(self, then: int, now: int) -> bool:
        return self.leads_then[then] == then and self.leads_now[now] == now

    def _same(self, then: int, now: int) -> bool:
        return same_place(self.then_at[then], self.now_at[now], same_platform=self.same_platform)

    def _lasts(self, position: int) -> bool:
        """Whether the next action found another screen too: one of them may only have been slower to be drawn."""
        for then, now in self.pairs[position + 1 :]:
            if now is not None and self.now.steps[now].error:
                return True
            if then is not None and now is not None and self._is_lead(then, now):
                return not self._same(then, now)
        return True

    def _slow(self) -> Finding | None:
        for then, now in self.pairs:
            if then is not None and now is not None:
                before, after = self.then.steps[then], self.now.steps[now]
                if not after.error and slower(before.duration_ms, after.duration_ms, TENFOLD):
                    return Finding("slow", then, now)
        return None


def slower(then_ms: int, now_ms: int, times: int) -> bool:
    return now_ms >= times * then_ms and now_ms - then_ms > A_SECOND


def is_another(before: PassageStep, after: PassageStep) -> bool:
    """Whether a step went to different elements. Of the same id and class, another label or row is content, unless
    the test asked for another."""
    then, now = before.target, after.target
    if not then or not now or (then[0], then[2]) != (now[0], now[2]):
        return bool(then and now)
    if before.what != after.what:
        return [steadied(part) for part in then] != [steadied(part) for part in now]
    return not then[2] and steadied(then[1]) != steadied(now[1])


def _leads(steps: Sequence[PassageStep]) -> list[int]:
    """For each step the action it belongs to; the first step where none was done yet."""
    lead, leads = 0, []
    for index, step in enumerate(steps):
        if step.kind == "action":
            lead = index
        leads.append(lead)
    return leads
