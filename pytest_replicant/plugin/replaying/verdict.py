"""How the replay of a test ended: compared with how it ended when it was recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from ...cassettes import Header, RecordedFailure, Replay, between
from ...model import ReplayVerdict


@dataclass(frozen=True)
class Ended:
    """How it ended, and the verdict that was ``wanted``; a ``sentence`` for people, with the reason
    ``why``; how many ``steps`` were made."""

    verdict: ReplayVerdict
    wanted: ReplayVerdict
    sentence: str
    why: str
    steps: int = 0


def judged(
    replay: Replay,
    failures: Sequence[RecordedFailure],
    phase: str,
    *,
    changed: bool,
    wanted: str = "",
    skipped: str | None = None,
) -> Ended | None:
    """The verdict once a phase is over; None if a later phase may bring the recorded failure.
    ``failures`` are those up to now, ``skipped`` is why the test skipped itself."""
    header = replay.cassette.header
    later = phase != "teardown" and any(one.phase == "teardown" for one in header.failures)
    verdict, why = _verdict(replay, failures, phase, later)
    if phase != "setup" and not replay.ended and (fixture := replay.left_out):
        verdict, why = "diverged", f"recorded the fixture {fixture}, asked nothing of it"
    if skipped is not None and not replay.ended:
        verdict, why = ("diverged", f"recorded {header.outcome}, asked to be skipped: {skipped}")
        if header.skips:
            verdict, why = None if later else "holds on the recording", ""
    if verdict is None:
        return None
    success = _success(header, changed=changed, given=wanted)
    return Ended(verdict, success, _sentence(replay, verdict, why, phase), why, replay.steps)


def _success(header: Header, *, changed: bool, given: str) -> ReplayVerdict:
    """What was asked for, else that a failure comes again unless its test was changed."""
    again = given == "reproduced" if given else header.failures and not changed
    return "reproduced" if again else "holds on the recording"


def _sentence(replay: Replay, verdict: ReplayVerdict, why: str, phase: str) -> str:
    recorded = replay.cassette.steps_until(phase)
    far = f"step {replay.steps} of {recorded}"
    held = (
        f"holds to step {max(replay.steps - 1, 0)} of {recorded}, beyond the recording from there"
    )
    lines = {
        "reproduced": f"at {far}: {why}",
        "holds on the recording": f"to {far}",
        "fails on the recording": f"at {far}: {why}",
        "diverged": f"at step {replay.steps}: {why}",
        "beyond the recording": f"{held}: {why}" if recorded else why,
    }
    notes = []
    if replay.slept >= _NOTED:
        notes.append(f"the test slept {replay.slept:.2g} s itself, which is real")
    if replay.unused and verdict == "holds on the recording":
        notes.append(f"{replay.unused} recorded calls were not asked for")
    if replay.hidden.compared and verdict in ("holds on the recording", "reproduced"):
        notes.append("texts that redaction hides were not compared")
    return "; ".join([lines[verdict], *notes])


_NOTED = 0.0005
"""Seconds of a test's own sleep, from which it is more than nothing in a sentence."""


def _verdict(
    replay: Replay, failures: Sequence[RecordedFailure], phase: str, later: bool
) -> tuple[ReplayVerdict | None, str]:
    if replay.ended:
        return cast("ReplayVerdict", replay.ended.verdict), replay.ended.why
    header = replay.cassette.header
    recorded = [one for one in header.failures if _PHASES.index(one.phase) <= _PHASES.index(phase)]
    if failures:
        verdict, why = _compared(replay, recorded, failures)
        return (None if later and verdict == "reproduced" else verdict), why
    if header.outcome == "failed" and not header.failures:
        return "beyond the recording", "the recording does not say what failed it"
    if replay.absent_hidden and not replay.is_exact:
        return (
            "beyond the recording",
            "a check of an absence met a screen with texts that redaction hides",
        )
    if recorded and replay.hidden.compared:
        return (
            "beyond the recording",
            f"what failed compares a text that redaction hides: {recorded[0].message}",
        )
    return (None if later else "holds on the recording"), ""


_PHASES = ("setup", "call", "teardown")


def _compared(
    replay: Replay, recorded: Sequence[RecordedFailure], failures: Sequence[RecordedFailure]
) -> tuple[ReplayVerdict, str]:
    left = list(recorded)
    for one in failures:
        same = next((each for each in left if is_same(each, one)), None)
        if same:
            left.remove(same)
        elif replay.saw_hidden:
            why = (
                "texts on its screens were hidden by redaction, and may be what failed: "
                f"{one.message}"
            )
            return "beyond the recording", why
        elif other := replay.other_action:
            return "diverged", f"{other}\n{one.message}"
        else:
            return "fails on the recording", f"{one.exception}: {one.message}"
    if left:
        why = f"{left[0].exception} did not come again: {left[0].message}"
        return "fails on the recording", why
    return "reproduced", f"{failures[0].exception}: {failures[0].message}"


def is_same(then: RecordedFailure, now: RecordedFailure) -> bool:
    """Whether a failure is the recorded one: of the same step, after the same was sent, for the
    same reason."""
    facts = ("exception", "code", "step", "sends")
    if any(getattr(then, name) != getattr(now, name) for name in facts):
        return False
    if now.line not in ("", then.line):
        return False
    said, says = _EACH_TIME.sub("", then.message), _EACH_TIME.sub("", now.message)
    if said == says:
        return True
    if not (said.startswith("assert ") and says.startswith("assert ")):
        return False
    # pytest shortens the values of an assertion by its verbosity, which may be another one
    for short, whole in ((said, says), (says, said)):
        if "..." in short and between(short.split("..."), whole) is not None:
            return True
    return False


_EACH_TIME = re.compile(
    r" \(\d+ reads?, [^()]*\)|0x[0-9a-fA-F]+"
    r"|(?<=[/\\])pytest-of-[^/\\\s]+[/\\]pytest-\d+([/\\]popen-gw\d+)?"
)
"""Another one each time: how often was read, which another check before it changes; an object in
memory; pytest's own folder for temporary files."""
