"""Tests that were edited since they were recorded: does the replay of one ever say what is not true?

Each test of the shop and the lab is recorded once and edited in every way of ``ways_to_edit``. The truth is what
the edited test does on a fresh virtual phone: what it sends, and how it ends.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_replicant.cassettes import Replay
from pytest_replicant.errors import UsageError
from pytest_replicant.replaying.verdict import Ended
from pytest_replicant.session.settings import SessionSettings

from .broken_players import BROKEN
from .edited_flows import FLOWS
from .table import Table
from .taped_flows import Course, Flow, Truth, key_of, live, replayed, taped
from .ways_to_edit import BEYOND, DIVERGED, FAILS, HOLDS, KINDS, REPRODUCED, SAME, VERDICTS, Edit, Editor

COMMAND = "python -m benchmarks edited_tests"
MOST, FEW = 35, 9
"""Edits of a kind: about a thousand in all; and fewer on each broken player."""
_NOTE = """27 tests of the shop and the lab are recorded once, on Android and iOS, and edited by program. Five of
them failed. What an edited test really does is seen on a virtual phone. A verdict is *false* where that sends
something else, ends otherwise, or parts at another step. It is false as well where a check takes longer than what
was recorded, and where no edit of this kind may get it."""
PAUSE, FRESH = 0.3, 0.6
"""Seconds by which the reads of a check may span less than its time-out, and by which the first of those on which
it held may be older than the check."""


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
        may |= {FAILS} if isinstance(course.error, UsageError) else set()
        if course.done < len(edit.steps) and "timeout" in edit.steps[course.done].named:
            may.add(BEYOND)  # a time-out that begins later may end later than the recording
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
        if course.done != truth.course.done or _reason(course.error) != _reason(error):
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
            known = self._recorded_time(one.phone, sent, at if at == edit.at else -1)
            known += PAUSE if at == course.done else FRESH
            if needed > known:
                return f"{verdict}: {one} takes {needed:g} s, and {known:.1f} s were recorded"
        return ""

    def _recorded_time(self, phone: int, sent: int, since: int) -> float:
        """Seconds that were recorded of a phone after so many sends, up to the next one; from the beginning of a
        step on where ``since`` is its place."""
        recorded = self.tape.live
        entries = [one for one in recorded.entries if one.phone == phone and not one.is_mark]
        sends = [0, *(at for at, one in enumerate(entries) if one.is_send), len(entries)]
        reads = entries[sends[sent] : sends[sent + 1]]
        if not reads:
            return 0.0
        start = reads[0].asked
        if since >= 0:
            marks = [recorded.entries[place].asked for place in recorded.starts if place < len(recorded.entries)]
            start = max([start, *marks[since : since + 1]] if since < len(marks) else [reads[-1].end])
        return max(reads[-1].end - start, 0) / 10_000


_SETTINGS = {name: getattr(SessionSettings, name) for name in ("action_timeout", "expect_timeout", "window")}


def _reason(error: BaseException | None) -> tuple[object, str]:
    """What an error is about, without how long it took."""
    return type(error), re.sub(r" \(\d+ reads?, [\d.]+ s\)", "", _line(error))


def _line(error: BaseException | None) -> str:
    return str(error).partition("\n")[0]


Pair = tuple[Judge, Edit]


def chosen(most: int = MOST, flows: Sequence[Flow] = FLOWS) -> list[Pair]:
    """Of each kind up to so many edits, evenly spread over the tests."""
    return spread([(judge, edit) for judge in map(Judge, flows) for edit in judge.edits], most)


def spread(pairs: Sequence[Pair], most: int) -> list[Pair]:
    """Up to so many of each kind."""
    kept = []
    for kind in KINDS:
        found = [pair for pair in pairs if pair[1].kind == kind]
        kept += [found[at * len(found) // most] for at in range(most)] if len(found) > most else found
    return kept


def measure(most: int = MOST) -> list[Table]:
    pairs = chosen(most)
    made = [judge.judge(edit) for judge, edit in pairs]
    columns = ("edit", "edited tests", *VERDICTS, "false")
    rows = [_row(kind, [one for one in made if one.edit.kind == kind]) for kind in KINDS]
    verdicts = Table("edited_tests", "Edited tests, replayed", COMMAND, columns, (*rows, _row("all", made)), _NOTE)
    return [verdicts, _broken(spread(pairs, FEW))]


def _row(name: str, made: list[Judgement]) -> tuple[object, ...]:
    counts = Counter[str](one.ended.verdict for one in made)
    return (name, len(made), *(counts[verdict] for verdict in VERDICTS), sum(bool(one.why) for one in made))


def _broken(pairs: Sequence[Pair]) -> Table:
    """How many of the same edits find each broken player."""
    rows = []
    for name, player in BROKEN.items():
        false = [one for one in (judge.judge(edit, player) for judge, edit in pairs) if one.why]
        rows.append((name, len(pairs), len(false), sum(one.ended.verdict not in _ENDS for one in false)))
    columns = ("broken player", "edited tests", "false", "of these said to hold or to fail")
    return Table("broken_players", "Edited tests on broken players", COMMAND, columns, tuple(rows))


_ENDS = (DIVERGED, BEYOND)


def alone(options: list[str]) -> list[Table]:
    """``--most N`` edits of a kind, in place of those for the page; ``--show`` lists the false verdicts."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--most", type=int, default=MOST, help=f"edits of a kind (default: {MOST})")
    parser.add_argument("--show", action="store_true", help="list the false verdicts, and no tables")
    chosen_options = parser.parse_args(options)
    if not chosen_options.show:
        return measure(chosen_options.most)
    for judge, edit in chosen(chosen_options.most):
        if (made := judge.judge(edit)).why:
            print(f"{made.flow}: {edit}: {made.why}")
    return []
