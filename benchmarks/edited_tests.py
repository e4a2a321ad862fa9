"""Tests that were edited since they were recorded: does the replay of one ever say what is not true?

Each test of the shop and the lab is recorded once and edited in every way of ``ways_to_edit``. The truth is what the
edited test does on a fresh virtual phone: what it sends, and how it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from pytest_replicant.cassettes import Replay
from pytest_replicant.replaying.verdict import Ended

from .edited_flows import FLOWS
from .table import Table
from .taped_flows import Course, Flow, Live, Taped, live, replayed, taped
from .ways_to_edit import BEYOND, DIVERGED, FAILS, HOLDS, KINDS, REPRODUCED, SAME, VERDICTS, Edit, Editor

PAUSE = 0.3
"""Seconds by which a window of time may be short of the reads that lie in it."""


@dataclass(frozen=True)
class Judgement:
    """One edited test: ``why`` says what is false of the verdict, "" where nothing is."""

    flow: str
    edit: Edit
    ended: Ended
    why: str = ""


class Judge:
    """Judges verdicts on the edits of one recorded test."""

    def __init__(self, tape: Taped) -> None:
        self.tape = tape
        self.edits = tuple(Editor(tape).edits())
        self._truths: dict[tuple[object, ...], Live] = {}

    def truth(self, edit: Edit) -> Live:
        """What the edited test does on a phone."""
        steps = tuple(map(str, edit.steps))
        if steps not in self._truths:
            as_it_was = edit.steps == self.tape.flow.steps
            self._truths[steps] = (
                self.tape.live if as_it_was else live(replace(self.tape.flow, steps=edit.steps))
            )
        return self._truths[steps]

    def judge(self, edit: Edit, player: type[Replay] = Replay) -> Judgement:
        ended, _, course = replayed(self.tape, edit.steps, player)
        return Judgement(self._name, edit, ended, self._why_false(edit, ended, course))

    @property
    def _name(self) -> str:
        return f"{self.tape.flow.name} ({self.tape.flow.platform})"

    def _why_false(self, edit: Edit, ended: Ended, course: Course) -> str:
        kind, verdict = KINDS[edit.kind], ended.verdict
        same = REPRODUCED if self.tape.live.failures else HOLDS
        may = {same if one == SAME else one for one in kind.may}
        if verdict not in may:
            return f"{verdict} where it is {' or '.join(sorted(may))}: {ended.why}"
        truth = self.tape.live if kind.unseen else self.truth(edit)
        if edit.at < len(truth.starts) and ended.steps <= truth.steps_before(truth.starts[edit.at]) - 1:
            return f"{verdict} at step {ended.steps}, before anything is edited: {ended.why}"
        if verdict == BEYOND:
            return ""
        if verdict == DIVERGED:
            return self._why_not_diverged(truth, ended)
        return self._why_not_so(truth, course, verdict) or self._why_not_proven(edit, truth, course, verdict)

    def _why_not_diverged(self, truth: Live, ended: Ended) -> str:
        place = _parting(self.tape.live, truth)
        if place is None:
            return f"diverged, and the phone is sent the same: {ended.why}"
        begun = truth.steps_before(place)
        return "" if ended.steps == begun else f"diverged at step {ended.steps}, and not {begun}: {ended.why}"

    def _why_not_so(self, truth: Live, course: Course, verdict: str) -> str:
        """Whether a phone ends otherwise."""
        if verdict == HOLDS:
            if truth.course.error is not None:
                return f"holds, and fails on a phone: {_line(truth.course.error)}"
            return "holds, and the phone is sent something else" if _calls(truth) != _calls(self.tape.live) else ""
        error = truth.course.error
        if error is None:
            return f"{verdict}, and holds on a phone: {_line(course.error)}"
        if course.done != truth.course.done or type(course.error) is not type(error):
            return f"{verdict} at {course.done}: {_line(course.error)}; on a phone at {truth.course.done}: {_line(error)}"
        sent, recorded = _calls(truth), _calls(self.tape.live)
        if sent != recorded[: len(sent)] or (verdict == REPRODUCED and len(sent) != len(recorded)):
            return f"{verdict}, and the phone is sent something else"
        return ""

    def _why_not_proven(self, edit: Edit, truth: Live, course: Course, verdict: str) -> str:
        """Whether a check is said to hold, or to fail, for longer than anything was recorded."""
        settings = truth.settings
        for at, one in enumerate(edit.steps[: course.done + 1]):
            if one.kind != "check":
                continue
            failed = at == course.done
            if failed:
                needed = float(one.named.get("timeout", settings.expect_timeout))
            else:
                window = settings.window if one.verb == "expect_gone" else 0.0
                needed = max(float(one.named.get("stays", 0.0)), window)
            sent = sum(place < truth.starts[at] for place, call in truth.sends if call[0] == one.phone)
            known = self._recorded_time(one.phone, sent)
            if needed > known + PAUSE:
                return f"{verdict}: {one} takes {needed:g} s, and {known:.1f} s were recorded"
        return ""

    def _recorded_time(self, phone: int, sent: int) -> float:
        """Seconds that were recorded of a phone after so many sends, up to the next one."""
        live = self.tape.live
        sends = [place for place, call in live.sends if call[0] == phone]
        start = sends[sent - 1] if sent else 0
        end = sends[sent] if sent < len(sends) else live.end
        reads = [one for one in live.entries[start:end] if one.phone == phone and not one.is_mark]
        return (reads[-1].end - reads[0].asked) / 10_000 if reads else 0.0


def _calls(truth: Live) -> list[tuple[object, ...]]:
    return [call for _, call in truth.sends]


def _parting(recorded: Live, truth: Live) -> int | None:
    """The place where an edited test first sends something else, or ends without; None where it does neither."""
    for (_, then), (place, now) in zip(recorded.sends, truth.sends, strict=False):
        if then != now:
            return place + 1
    if len(truth.sends) == len(recorded.sends):
        return None
    if len(truth.sends) > len(recorded.sends):
        return truth.sends[len(recorded.sends)][0] + 1
    return truth.end


def _line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]


@cache
def judges() -> tuple[Judge, ...]:
    """Of every test, recorded."""
    return tuple(Judge(taped(flow)) for flow in FLOWS)


def judgements(players: type[Replay] = Replay) -> Iterator[Judgement]:
    for judge in judges():
        for edit in judge.edits:
            yield judge.judge(edit, players)


def measure() -> Table:
    made = [*judgements()]
    columns = ("edit", "edited tests", *VERDICTS, "false")
    rows = [_row(kind, [one for one in made if one.edit.kind == kind]) for kind in KINDS]
    return Table("edited_tests", "Edited tests, replayed", "python -m benchmarks edited_tests", columns, (*rows, _row("all", made)))


def _row(name: str, made: list[Judgement]) -> tuple[object, ...]:
    counts = Counter(one.ended.verdict for one in made)
    return (name, len(made), *(counts[verdict] for verdict in VERDICTS), sum(bool(one.why) for one in made))
