"""Tests that were edited since they were recorded: does the replay of one ever say what is not true?

Each test of the shop and the lab is recorded once and edited in every way of ``ways_to_edit``. The truth is what
the edited test does on a fresh virtual phone: what it sends, and how it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_replicant.cassettes import Replay
from pytest_replicant.errors import UsageError
from pytest_replicant.replaying.verdict import Ended
from pytest_replicant.session.settings import SessionSettings

from .edited_flows import FLOWS
from .table import Table
from .taped_flows import Course, Flow, Truth, key_of, live, replayed, taped
from .ways_to_edit import BEYOND, DIVERGED, FAILS, HOLDS, KINDS, REPRODUCED, SAME, VERDICTS, Edit, Editor

COMMAND = "python -m benchmarks edited_tests"
MOST = 40
"""Edits of a kind: about a thousand in all."""
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

    def __init__(self, flow: Flow) -> None:
        self.tape = taped(flow)
        self.name = f"{flow.name} ({flow.platform})"
        self.edits = tuple(Editor(self.tape).edits())
        self._recorded = self.tape.live.truth(flow.steps)
        self._truths = {key_of(flow.steps): self._recorded}

    def truth(self, edit: Edit) -> Truth:
        """What the edited test does on a phone."""
        if KINDS[edit.kind].unseen:
            return self._recorded
        key = key_of(edit.steps)
        if key not in self._truths:
            self._truths[key] = live(replace(self.tape.flow, steps=edit.steps)).truth(edit.steps)
        return self._truths[key]

    def judge(self, edit: Edit, player: type[Replay] = Replay) -> Judgement:
        ended, course = replayed(self.tape, edit.steps, player)
        return Judgement(self.name, edit, ended, self._why_false(edit, ended, course))

    def _why_false(self, edit: Edit, ended: Ended, course: Course) -> str:
        verdict, before = ended.verdict, self._recorded.begun[edit.at : edit.at + 1]
        same = REPRODUCED if self.tape.live.failures else HOLDS
        may = {same if one == SAME else one for one in KINDS[edit.kind].may}
        if verdict not in may:
            return f"{verdict} where it is {' or '.join(sorted(may))}: {ended.why}"
        if before and ended.steps < before[0]:
            return f"{verdict} at step {ended.steps}, before anything is edited: {ended.why}"
        if verdict == BEYOND:
            return ""
        truth = self.truth(edit)
        if verdict == DIVERGED:
            return "" if KINDS[edit.kind].may_diverge else self._why_not_diverged(truth, ended)
        return self._why_not_so(edit, truth, course, verdict) or self._why_not_proven(edit, truth, course, verdict)

    def _why_not_diverged(self, truth: Truth, ended: Ended) -> str:
        begun = self._parting(truth)
        if begun is None:
            return f"diverged, and the phone is sent the same: {ended.why}"
        return "" if ended.steps == begun else f"diverged at step {ended.steps}, and not {begun}: {ended.why}"

    def _parting(self, truth: Truth) -> int | None:
        """The step at which an edited test first sends something else, or ends without; None where it does
        neither."""
        recorded = self._recorded.sends
        for then, now in zip(recorded, truth.sends, strict=False):
            if then.call != now.call:
                return now.begun
        if len(truth.sends) > len(recorded):
            return truth.sends[len(recorded)].begun
        return truth.ended if len(truth.sends) < len(recorded) else None

    def _why_not_so(self, edit: Edit, truth: Truth, course: Course, verdict: str) -> str:
        """Whether a phone ends otherwise."""
        points = not KINDS[edit.kind].same_element
        sent, recorded = truth.calls(points=points), self._recorded.calls(points=points)
        error = truth.course.error
        if verdict == HOLDS and error is not None:
            return f"holds, and fails on a phone: {_line(error)}"
        if verdict != HOLDS and error is None:
            return f"{verdict}, and holds on a phone: {_line(course.error)}"
        if course.done != truth.course.done or type(course.error) is not type(error):
            there = f"at {truth.course.done}: {_line(error)}"
            return f"{verdict} at {course.done}: {_line(course.error)}; on a phone {there}"
        same = sent == recorded[: len(sent)] if verdict == FAILS else sent == recorded
        return "" if same else f"{verdict}, and the phone is sent something else"

    def _why_not_proven(self, edit: Edit, truth: Truth, course: Course, verdict: str) -> str:
        """Whether a check is said to hold, or to fail, for longer than anything was recorded."""
        settings = {**_SETTINGS, **self.tape.flow.settings}
        for at, one in enumerate(edit.steps[: course.done + 1]):
            if at == course.done and isinstance(course.error, UsageError):
                continue  # which takes no time
            if at == course.done:
                usual = settings["action_timeout" if one.kind == "action" else "expect_timeout"]
                needed = float(one.named.get("timeout", usual))
            elif one.kind != "check":
                continue
            else:
                lasts = settings["window"] if one.verb == "expect_gone" else 0.0
                needed = max(float(one.named.get("stays", 0.0)), lasts)
            sent = sum(each.step < at and each.phone == one.phone for each in truth.sends)
            known = self._recorded_time(one.phone, sent)
            if needed > known + PAUSE:
                return f"{verdict}: {one} takes {needed:g} s, and {known:.1f} s were recorded"
        return ""

    def _recorded_time(self, phone: int, sent: int) -> float:
        """Seconds that were recorded of a phone after so many sends, up to the next one."""
        entries = [one for one in self.tape.live.entries if one.phone == phone and not one.is_mark]
        sends = [0, *(at for at, one in enumerate(entries) if one.is_send), len(entries)]
        reads = entries[sends[sent] : sends[sent + 1]]
        return (reads[-1].end - reads[0].asked) / 10_000 if reads else 0.0


_SETTINGS = {name: getattr(SessionSettings, name) for name in ("action_timeout", "expect_timeout", "window")}


def _line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]


def chosen(most: int = MOST, flows: Sequence[Flow] = FLOWS) -> Iterator[tuple[Judge, Edit]]:
    """Of each kind up to so many edits, evenly spread over the tests."""
    every = [(judge, edit) for judge in map(Judge, flows) for edit in judge.edits]
    for kind in KINDS:
        found = [pair for pair in every if pair[1].kind == kind]
        yield from (found[at * len(found) // most] for at in range(most)) if len(found) > most else found


def measure() -> Table:
    return table([judge.judge(edit) for judge, edit in chosen()])


def table(made: list[Judgement]) -> Table:
    columns = ("edit", "edited tests", *VERDICTS, "false")
    rows = [_row(kind, [one for one in made if one.edit.kind == kind]) for kind in KINDS]
    return Table("edited_tests", "Edited tests, replayed", COMMAND, columns, (*rows, _row("all", made)))


def _row(name: str, made: list[Judgement]) -> tuple[object, ...]:
    counts = Counter[str](one.ended.verdict for one in made)
    return (name, len(made), *(counts[verdict] for verdict in VERDICTS), sum(bool(one.why) for one in made))
