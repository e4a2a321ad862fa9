"""What deserves a look next to the failures: what had to be recovered, and what a green test did
not prove."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..model import HEALTHY, RecoveryRecord, Strings, TestTrace, TraceEvent, verb_of


def unverified(trace: TestTrace) -> str:
    """Why the test proves less than it seems to: it made no check, or ended on an unverified
    action, and did not read the screen after it either.

    "" if neither holds, for tests that did not pass, where the failure is the news, and for tests
    that only had a phone at hand.
    """
    return _open_end(trace, read_after=False)


def read_not_checked(trace: TestTrace) -> str:
    """The same of a test that read the screen after its last action: an assertion of its own may
    judge that."""
    return _open_end(trace, read_after=True)


def _open_end(trace: TestTrace, *, read_after: bool) -> str:
    made = [event for event in trace.events if event.kind != "wait"]
    done = list(filter(_acts, made))
    reads = bool(done) and done[-1].id in _looked_at(trace)
    if trace.test.outcome not in HEALTHY or not made or reads != read_after:
        return ""
    if all(event.check is None or event.check.result == "not compared" for event in made):
        return "makes no check"
    if done and _is_open(done[-1]):
        return f"ends on an unverified action: {done[-1].title}"
    return ""


def _is_open(event: TraceEvent) -> bool:
    """Whether it is unverified: no check of it passed, nor did its own postcondition."""
    if event.result is None or event.result.lifecycle_state != "pending_verification":
        return False
    own = [
        one for one in event.result.trace.steps if one.metadata.get("property") == "postcondition"
    ]
    return (
        not own or own[-1].result != "success" or own[-1].metadata.get("read_back") == "unavailable"
    )


def _acts(event: TraceEvent) -> bool:
    """What only reads promises what it returns: there is nothing to verify."""
    return event.result is not None and verb_of(event.result.action_type).kind != "read"


def _looked_at(trace: TestTrace) -> set[str]:
    """The actions after which the test read the screen, or a check of it passed, before the next
    action."""
    looked: set[str] = set()
    latest = ""
    for event in trace.events:
        check = event.check
        reads = event.kind == "wait" or event.details.get("read")
        if _acts(event):
            latest = event.id
        elif event.result is not None:
            reads = True
        if reads or (check is not None and check.result == "passed" and not check.action_id):
            looked.add(latest)
    return looked


def open_actions(trace: TestTrace) -> tuple[TraceEvent, ...]:
    """The unverified actions: done, and no check of their outcome passed, nor was the screen read
    before the next action. What only reads promises no more than what it returned."""
    looked = _looked_at(trace)
    return tuple(
        event for event in filter(_acts, trace.events) if _is_open(event) and event.id not in looked
    )


def vacuous_checks(trace: TestTrace) -> Strings:
    """One line for each passed check that already held before its action, or whose effect did not
    last, and for each control that was set back."""
    lines = []
    for event in trace.events:
        check = event.check
        if check is not None and check.result == "passed":
            if check.vacuous:
                before = _title(trace, check.action_id)
                lines.append(f"{event.title} already held before {before}")
            elif check.undone:
                lines.append(f"{event.title} held, and was undone {check.undone}")
        elif event.result is not None and (undone := event.result.details.get("undone")):
            lines.append(f"{event.title} was done, and undone {undone}")
    return tuple(lines)


def not_compared(trace: TestTrace) -> Strings:
    """One line for each look of a phone that was not compared for want of a picture, and failed
    nothing."""
    return tuple(
        f"{event.title}: {event.check.observed}"
        for event in trace.events
        if event.check is not None and event.check.result == "not compared" and not event.error
        if event.check.looks is not None and event.check.looks.actual is not None
    )


def recovered(trace: TestTrace) -> Strings:
    """One line for each successful recovery."""
    return tuple(_line(trace, one) for one in trace.recoveries if one.recovered)


def recoverable(trace: TestTrace) -> Strings:
    """One line for each recovery that was only asked for."""
    return tuple(_line(trace, one) for one in trace.recoveries if not one.done)


def _line(trace: TestTrace, one: RecoveryRecord) -> str:
    what = _title(trace, one.action_id) if not one.kind.startswith("expect") else one.kind
    policy = f" by {one.policy}" if one.policy else ""
    steps = f" ({', '.join(one.before)})" if one.before else ""
    reason = f": {one.reason}" if one.reason else ""
    return f"{one.code} of {what}, {one.strategy}{policy}{steps}{reason}"


def _title(trace: TestTrace, action_id: str) -> str:
    return next((event.title for event in trace.events if event.id == action_id), "its action")


@dataclass(frozen=True)
class Note:
    """A column of the rows of a run that every report shows: ``name`` is the field of ``RunRow``,
    ``of`` makes it, a text or several. ``title`` stands above the lines in a terminal, ``one`` and
    ``many`` say on a page what the noted tests have in common."""

    name: str
    of: Callable[[TestTrace], str | Strings]
    title: str
    one: str
    many: str

    def lines(self, row: object) -> Strings:
        found: str | Strings = getattr(row, self.name)
        return (found,) if isinstance(found, str) and found else tuple(found)


NOTES = (
    Note(
        "recovered",
        recovered,
        "recovered",
        "test in which something had to be recovered",
        "tests in which something had to be recovered",
    ),
    Note(
        "recoverable",
        recoverable,
        "recovery would have been tried",
        "test where recovery would have been tried",
        "tests where recovery would have been tried",
    ),
    Note(
        "deaths",
        lambda trace: tuple(one.text for one in trace.deaths),
        "apps that died",
        "test in which an app died",
        "tests in which an app died",
    ),
    Note(
        "anrs",
        lambda trace: tuple(one.text for one in trace.anrs),
        "apps that did not respond",
        "test in which an app did not respond",
        "tests in which an app did not respond",
    ),
    Note(
        "unverified",
        unverified,
        "passed without proof",
        "test proves less than it seems to",
        "tests prove less than they seem to",
    ),
    Note(
        "read_not_checked",
        read_not_checked,
        "read, not checked",
        "test reads after its last action, and checks nothing of it",
        "tests read after their last action, and check nothing of it",
    ),
    Note(
        "vacuous",
        vacuous_checks,
        "checks that prove little",
        "test has a check that was true before its action",
        "tests have checks that were true before their action",
    ),
    Note(
        "not_compared",
        not_compared,
        "looks not compared",
        "test has a picture that was not compared",
        "tests have pictures that were not compared",
    ),
)
"""In the order in which a terminal lists them. One more is a field of ``RunRow`` and an entry
here."""
