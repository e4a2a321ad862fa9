"""The record of a run: a row for each attempt of a test, what became of each test, and how each
phone did.

Small, plain, and able to cross from a worker to its controller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, Literal

from ..model import (
    BROKEN,
    HEALTHY,
    AnyDict,
    AnyMapping,
    Strings,
    TestFacts,
    WrongSchema,
    convert,
    decode,
    first_line,
    grouped,
    plain,
    verb_of,
)
from .attempt import normalise

# --- why a test failed, in terms that are the same in another test and in another run -------------

DEVICE_TROUBLE = "DeviceError"
"""``failure_class`` of tool trouble, which says nothing about the app."""

APP_CRASH = "AppCrash"
"""``failure_class`` of a test in which the app under test died."""

NOT_RESPONDING = "ApplicationNotResponding"
"""``failure_class`` of a test in which the app under test did not respond (Android's ANR)."""

WORKER_DIED = "WorkerDied"
"""``failure_class`` of a test whose process ended under it: neither the app nor the test said
why."""

TEST_ERROR = "TestError"
"""``failure_class`` of any other exception: of the test itself, of a fixture, of a plain
``assert``."""

BLOCKABLE: frozenset[str] = frozenset(
    {
        "missing",
        "unseen",
        "screen",
        "covered",
        "unfit",
        "disabled",
        "count",
        "no change",
        "state",
        "value",
        "ambiguous",
        "undecided",
    }
)
"""Trouble that a window over the app may make."""

_VOLATILE = (
    r"0x[0-9a-fA-F]+"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,}\b"
    r"|\d+(?:[.,:/]\d+)*\+?"
)

TAG = {"tag": True}
"""Of the field that says in a file which of the five a cause is."""

Key = tuple[str, ...]
"""What two failures of one cause have in common. The first part says what kind of likeness it
is."""


def masked(text: str) -> str:
    """``Total £9.90`` as ``Total £~``; addresses, UUIDs and long hexadecimal ids likewise."""
    return re.sub(_VOLATILE, "~", text)


@dataclass(frozen=True)
class Cause:
    """Facts about one failure; "" stands for not known, or for not applicable.

    ``failure_class`` is one of the contract's (``TargetResolutionFailure`` ...) or of this
    module's. ``exception`` is the name of what was raised, ``message`` its title, ``source`` the
    line of the test, ``step`` the id of the step in its trace page, ``phase`` the test's: setup,
    call or teardown. ``detail`` is what a tool or a phone said, or the ability that it lacks.
    ``target`` is what was meant, as the test said it, ``screen`` the name of the screen on which it
    failed, ``expected`` what a check wanted, ``observed`` what was seen in place of it, ``nearest``
    what comes near a target that was not found.

    Since the last pass: ``signals`` are the first warnings and errors that the app logged, and
    toasts that it showed, that the pass had not; ``instead`` is the line on the screen in the place
    of what was not found. ``reason`` is a digest of the difference that explains the failure, "-"
    if none is known, "" if there is no pass."""

    failure_class: str = TEST_ERROR
    failure_code: str = ""
    exception: str = ""
    message: str = ""
    source: str = ""
    step: str = ""
    phase: str = ""
    detail: str = ""
    target: str = ""
    screen: str = ""
    expected: str = ""
    observed: str = ""
    nearest: str = ""
    signals: Strings = ()
    instead: str = ""
    reason: str = ""

    @property
    def key(self) -> Key:
        """By itself; failures of several keys may have one reason."""
        return ("raised", self.exception, self.source or masked(self.message))

    @property
    def kind(self) -> str:
        """``"ExecutionFailure TIMEOUT"``."""
        return f"{self.failure_class} {self.failure_code}".strip()

    def named(self, *names: str) -> list[tuple[str, str]]:
        """These of its facts, each with its name; without those that are not known."""
        return [(name, fact) for name in names if (fact := getattr(self, name, ""))]


@dataclass(frozen=True)
class DeathCause(Cause):
    """An app under test died, or did not respond. ``crash`` is the signature of that, ``thrown``
    and ``frame`` what was thrown and where."""

    failure_class: str = APP_CRASH
    by: Literal["death"] = field(default="death", metadata=TAG)
    app: str = ""
    crash: str = ""
    thrown: str = ""
    frame: str = ""

    @property
    def key(self) -> Key:
        return ("crash", self.app, self.crash)


@dataclass(frozen=True)
class PhoneCause(Cause):
    """Trouble with a phone or a tool. ``phone`` is its name."""

    failure_class: str = DEVICE_TROUBLE
    by: Literal["phone"] = field(default="phone", metadata=TAG)
    phone: str = ""

    @property
    def key(self) -> Key:
        return ("device", self.exception, masked(self.detail))


@dataclass(frozen=True)
class TestCause(Cause):
    """An exception of the test's own, of a fixture or of a plain ``assert``; or what no phone of
    its kind can."""

    __test__: ClassVar[bool] = False  # the name looks like a test class to pytest

    by: Literal["test"] = field(default="test", metadata=TAG)

    @property
    def key(self) -> Key:
        return (
            ("unsupported", self.detail.lower()) if self.exception == "Unsupported" else super().key
        )


@dataclass(frozen=True)
class ActionCause(Cause):
    """An action failed.

    ``trouble`` sorts failures by what was wrong, however that was found out: an element is
    "missing", whether an action, a check or a wait was in need of it. ``subject`` is what was in
    trouble, named alike whichever selector the test had for it, ``states`` the names of the states
    that were compared. ``screen_key`` is which screen it failed on under any content, ``look`` what
    that was built of, numbers apart, ``app`` the one in front. ``blocker`` is what lay in the way:
    the system's, or what covered what was meant; ``over`` a window of the app's own. ``after`` is
    the action that went before, ``effect`` "none" if that had changed nothing, "stayed" if it led
    to no other screen; ``answer`` is the text that it brought there. ``belongs`` is the screen on
    which the last pass looked for the subject."""

    by: Literal["action", "check"] = field(default="action", metadata=TAG)
    trouble: str = ""
    subject: str = ""
    states: str = ""
    screen_key: str = ""
    look: str = ""
    app: str = ""
    blocker: str = ""
    over: str = ""
    after: str = ""
    effect: str = ""
    answer: str = ""
    belongs: str = ""

    @property
    def key(self) -> Key:
        """The first that applies."""
        if self.blocker and self.trouble in BLOCKABLE:
            return ("blocker", masked(self.blocker))
        if self.trouble in ("", "raised"):
            return super().key
        screen, subject = self.screen_key or self.screen, masked(self.subject)
        further: Key = ()
        if self.trouble == "no change":
            subject = subject or masked(self.after)
        elif self.trouble == "state":
            further = (self.states,)
        elif self.trouble == "screen" and self.refusal:
            further = (self.refusal,)
        return (self.trouble, screen, subject, *further)

    @property
    def is_answered(self) -> bool:
        """Whether something is to be seen of the action that went before."""
        return verb_of(self.after.partition(" ")[0]).answered

    @property
    def refusal(self) -> str:
        """What the app said to a gesture that led nowhere. Two answers are two reasons."""
        return normalise(self.answer) if self.is_answered else ""


@dataclass(frozen=True)
class CheckCause(ActionCause):
    """A check or a wait failed. ``late``: it held after its verdict."""

    by: Literal["check"] = field(default="check", metadata=TAG)
    late: bool = False


AnyCause = DeathCause | PhoneCause | CheckCause | ActionCause | TestCause


# --- rows of a run --------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlowStep:
    """One step of a test: its title, its length, and its id in the trace page."""

    title: str
    duration_ms: int
    step: str


@dataclass(frozen=True)
class Healed:
    """A target that was found again by another description. ``target`` is what the test said,
    ``found`` the element it turned out to be, ``selector`` the code that would hold, "" if none is
    unique."""

    target: str
    found: str
    selector: str
    source: str
    step: str


@dataclass(frozen=True)
class OpenAction:
    """An action that no check verified, and the line of the test that it stands in."""

    title: str
    source: str
    step: str


@dataclass(frozen=True)
class RunRow:
    """One attempt of one test on one phone, redacted. ``trace`` is ``trace.html`` seen from the
    run's folder, or "". ``test`` is the test's own id, which ``nodeid`` is as well but for further
    phones.

    ``failure`` is the first line of what failed the test, ``message`` all of it up to a length,
    ``cause`` its facts; ``unverified`` why a pass proves little, ``read_not_checked`` why one
    proves what it read; each "" or None if there is none. ``recovered`` says what failed and was
    recovered, ``recoverable`` what would have been where recovery is only reported. ``location`` is
    where the test stands, ``worker`` the process that ran it, "" if that is the run's own.
    ``steps`` counts actions, checks and waits, of which ``slowest`` are a few.
    ``unverified_actions`` counts what no check verified, of which ``open_actions`` are the first.
    ``looks`` are the screens on which it found what it looked for, ``signals`` what the app said in
    it, as hashes. ``phone`` is which phone it was, as the user names it, ``lost`` how it was lost,
    ``reconnects`` how often a new connection recovered a step; ``requeues`` counts the earlier
    attempts that ended by a lost phone. ``divergence`` says where it parted from the last pass, ""
    if none was at hand. ``screenshot`` is the last picture that was stored. ``case_id`` names the
    cases in a test management system that the test covers, parted by ", ". ``known_flaky`` is the
    ticket of a failure by a listed cause, and until when it does not count. ``rerun`` is the
    command that runs the test again, "" if none is known. ``anrs`` are the apps that did not
    respond and were not ended for that. ``not_compared`` are the pictures that had nothing to be
    compared with, and failed nothing.
    """

    nodeid: str
    attempt: int
    outcome: str
    started_at: str
    duration_ms: int
    device: str
    trace: str = ""
    failure: str = ""
    unverified: str = ""
    read_not_checked: str = ""
    vacuous: Strings = ()
    not_compared: Strings = ()
    warnings: Strings = ()
    recovered: Strings = ()
    recoverable: Strings = ()
    deaths: Strings = ()
    anrs: Strings = ()
    location: str = ""
    worker: str = ""
    message: str = ""
    cause: AnyCause | None = None
    steps: int = 0
    slowest: tuple[SlowStep, ...] = ()
    healed: tuple[Healed, ...] = ()
    trace_json: str = ""
    trace_zip: str = ""
    test: str = ""
    unverified_actions: int = 0
    open_actions: tuple[OpenAction, ...] = ()
    looks: Strings = ()
    signals: Strings = ()
    divergence: str = ""
    screenshot: str = ""
    phone: str = ""
    lost: str = ""
    requeues: int = 0
    reconnects: int = 0
    case_id: str = ""
    known_flaky: str = ""
    rerun: str = ""

    @property
    def is_broken(self) -> bool:
        return self.outcome in BROKEN

    @property
    def is_death(self) -> bool:
        """Whether the process died that ran the test."""
        return self.cause is not None and self.cause.failure_class == WORKER_DIED


@dataclass(frozen=True)
class CauseGroup:
    """Attempts that failed for one reason: ``title`` says it in a line, ``cause`` is that of one of
    them, ``tests`` are the places of all in the run's rows, in order. ``earlier`` are those of them
    that a later attempt of the same test came after; ``failures`` counts the tests that stayed
    broken. ``key`` is the same for the same failure in another run: 8 hexadecimal digits."""

    title: str
    cause: AnyCause
    tests: tuple[int, ...]
    failures: int
    earlier: tuple[int, ...] = ()
    key: str = ""


@dataclass(frozen=True)
class RunResult:
    """What became of one test in the end: the outcome of its last attempt, ``flaky`` if that one
    passed and an earlier one broke, ``requeued`` if each of those had lost its phone. ``attempts``
    are the places of its rows, in order; a test with several phones has one for each phone of an
    attempt. ``history`` has a letter for each of the last runs, at most 20, this one last; "" if
    that is not known."""

    nodeid: str
    outcome: str
    attempts: tuple[int, ...]
    history: str = ""


@dataclass(frozen=True)
class FlakyCause:
    """A cause by which a test fails now and then. ``key`` identifies the cause in other runs; of
    ``runs`` attempts that passed or failed, ``failed`` did by it: a share from ``low`` to ``high``
    with 95 % confidence. ``first_seen`` is when the first of the known runs began in which it did,
    ``revision`` of which code that was, ``phones`` where, ``passed_on`` the other phones, on which
    the test passed. ``parts_at`` says where a failing attempt parted from one that passed, "" if
    none was at hand. ``kind`` is what it looks like: "timing", "data", "phone", or "" if the
    evidence does not say."""

    test: str
    cause: str
    key: str
    failed: int
    runs: int
    low: float
    high: float
    first_seen: str
    phones: Strings
    passed_on: Strings = ()
    parts_at: str = ""
    kind: str = ""
    history: str = ""
    revision: str = ""


@dataclass(frozen=True)
class PhoneHealth:
    """``phone`` is how the user names it, ``device`` what it is. ``attempts`` at tests were made on
    it: in ``lost`` of them it was lost, ``infra`` ended by other tool trouble, and in
    ``reconnected`` a new connection recovered it. ``requeued`` tests went on to another phone.
    ``score`` is the share of attempts without any of it, 0 to 100, rounded down. ``reason`` says
    how it was lost last, "" if it was not: a phone that was lost is in quarantine.
    """

    phone: str
    device: str
    attempts: int
    lost: int
    infra: int
    reconnected: int
    requeued: int
    score: int
    duration_ms: int
    reason: str = ""
    quarantined: bool = False


@dataclass(frozen=True)
class ReplayedTest:
    """How the replay of a test ended: its ``verdict``, the one that was ``wanted``, and a
    ``sentence`` about it. ``recorded`` is the page of the recorded attempt as seen from the folder
    of the replay, "" if none is at hand."""

    nodeid: str
    verdict: str
    wanted: str
    sentence: str
    recorded: str = ""

    @property
    def is_as_wanted(self) -> bool:
        return self.verdict == self.wanted


@dataclass(frozen=True)
class ReplayOf:
    """What a replay was made of: the recorded ``run``, when that was in ISO 8601 in UTC, on which
    phone, and with which app and revision of the code; "several" where recordings differ, "" if
    that is not known."""

    run: str
    recorded_at: str = ""
    phone: str = ""
    app: str = ""
    revision: str = ""
    tests: tuple[ReplayedTest, ...] = ()

    @property
    def unexpected(self) -> tuple[ReplayedTest, ...]:
        """The tests that did not end as wanted."""
        return tuple(one for one in self.tests if not one.is_as_wanted)


@dataclass(frozen=True)
class JudgedScreens:
    """What the rules of accessibility found on the screens of a run: how many findings of how many
    rules, on how many screens. ``page`` is where they are listed, as seen from the run's folder."""

    findings: int
    rules: int
    screens: int
    page: str


@dataclass(frozen=True)
class Shard:
    """The ``index``-th part of ``count``, counted from one: ``tests`` of ``total``. ``plan`` is the
    fingerprint of the whole division: each test is in one part and no other if it is the same for
    all parts."""

    index: int
    count: int
    tests: int
    total: int
    plan: str

    def __str__(self) -> str:
        return (
            f"shard {self.index}/{self.count}: {self.tests} of {self.total} tests, plan {self.plan}"
        )

    @property
    def makes_sense(self) -> bool:
        """Of one that was read from a file."""
        return 1 <= self.index <= self.count <= 9999 and min(self.tests, self.total) >= 0


@dataclass(frozen=True)
class RunRecord:
    """A whole run; ``run.run_of`` makes it. ``started_at`` is ISO 8601 in UTC. ``causes`` are the
    largest first, ``phones`` those in most trouble; ``environment`` says what it ran with,
    ``shard`` which part of the tests it is, None if it is all of them, ``flaky`` the tests that
    fail now and then in the known runs. ``replay`` says of a run on recordings what it was made of,
    None of any other. ``accessibility`` is None if that was not asked for. ``errors`` are all that
    pytest counted, infra included: of files that could not be collected, of tests without a phone,
    and at the end of a test that failed before, too; 0 if it did not count."""

    run_id: str
    started_at: str
    duration_ms: int
    rows: tuple[RunRow, ...] = field(default=(), metadata={"name": "tests"})
    causes: tuple[CauseGroup, ...] = ()
    results: tuple[RunResult, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    phones: tuple[PhoneHealth, ...] = ()
    shard: Shard | None = None
    flaky: tuple[FlakyCause, ...] = ()
    replay: ReplayOf | None = None
    accessibility: JudgedScreens | None = None
    errors: int = field(default=0, repr=False)
    schema: Literal["replicant.run/2"] = "replicant.run/2"

    def to_dict(self) -> AnyDict:
        known: AnyDict = plain(self)
        named = {"schema": self.schema, "tests": known.pop("rows"), **known}
        return {name: value for name, value in named.items() if value is not None}


# --- what became of each test, and of each phone --------------------------------------------------

FLAKY = "flaky"
"""Outcome of a test that passed, but not at its first attempt."""

REQUEUED = "requeued"
"""Outcome of a test that passed on another phone, as its first one was lost: it says nothing about
the test."""


def reported_outcome(test: TestFacts | RunRow) -> str:
    """That of the attempt, and whether it took more than one to pass: for want of a phone, or
    otherwise."""
    if test.attempt == 0 or test.outcome not in HEALTHY:
        return test.outcome
    return FLAKY if test.attempt > test.requeues else REQUEUED


def results_of(rows: Sequence[RunRow]) -> tuple[RunResult, ...]:
    """One a test, in the order in which they were first seen."""
    results = []
    for test, places in grouped((test_of(row), at) for at, row in enumerate(rows)).items():
        attempts = sorted(places, key=lambda at: rows[at].attempt)
        last = rows[attempts[-1]]
        ended = [rows[at].outcome for at in last_attempt(attempts, rows)]
        outcome = next((one for one in ended if one in BROKEN), ended[0])
        broke = any(rows[at].is_broken for at in attempts[: -len(ended)])
        if broke and outcome in HEALTHY:
            outcome = FLAKY if last.attempt > last.requeues else REQUEUED
        results.append(RunResult(test, outcome, tuple(attempts)))
    return tuple(results)


def test_of(row: RunRow) -> str:
    """The id of the test that a row belongs to; rows of older runs do not say it apart."""
    return row.test or row.nodeid


def last_attempt(attempts: Sequence[int], rows: Sequence[RunRow]) -> list[int]:
    """The places of the rows that no later attempt came after, one a phone."""
    return [at for at in attempts if rows[at].attempt == rows[attempts[-1]].attempt]


def failing(run: RunRecord) -> tuple[CauseGroup, ...]:
    """The causes by which tests ended broken; others passed when they were run again."""
    return tuple(cause for cause in run.causes if cause.failures)


def first_failure(run: RunRecord, result: RunResult) -> RunRow:
    """Of a test that broke at some attempt; an attempt that lost its phone says the least."""
    broken = [run.rows[at] for at in result.attempts if run.rows[at].is_broken]
    return min(broken, key=lambda row: (bool(row.lost), row.attempt, not failed_it(row)))


def failed_it(row: RunRow) -> bool:
    """Whether a step on that phone failed the test; of the others it is known only that the test
    failed."""
    return row.cause is not None and bool(row.cause.step)


def phones_of(rows: Sequence[RunRow]) -> tuple[PhoneHealth, ...]:
    """The phones in most trouble first, else in order of their names."""
    lost = {(test_of(row), row.attempt) for row in rows if row.lost}
    last = {test_of(row): row.attempt for row in sorted(rows, key=lambda row: row.attempt)}
    phones = grouped((row.phone, row) for row in rows if row.phone)
    found = [_health(name, own, lost, last) for name, own in phones.items()]
    return tuple(sorted(found, key=lambda one: (one.score, one.phone)))


def _health(
    name: str, rows: Sequence[RunRow], lost: set[tuple[str, int]], last: Mapping[str, int]
) -> PhoneHealth:
    gone = [row for row in rows if row.lost]
    # Of a test with two phones one was lost; the other one can do nothing about it.
    rest = [row for row in rows if (test_of(row), row.attempt) not in lost]
    trouble = [*filter(_is_its_trouble, rest)]
    unsound = [row for row in rows if row.lost or row in trouble or row.reconnects]
    return PhoneHealth(
        phone=name,
        device=next((row.device for row in rows if row.device), ""),
        attempts=len(rows),
        lost=len(gone),
        infra=len(trouble),
        reconnected=sum(row.reconnects > 0 for row in rows),
        requeued=sum(last[test_of(row)] > row.attempt for row in gone),
        score=100 * (len(rows) - len(unsound)) // len(rows),
        duration_ms=sum(row.duration_ms for row in rows),
        reason=first_line(gone[-1].lost) if gone else "",
        quarantined=bool(gone),
    )


def _is_its_trouble(row: RunRow) -> bool:
    """Not where the test asked for one phone too many, or for no phone."""
    raised = row.cause.exception if row.cause else ""
    return row.outcome == "infra" and raised not in ("DeviceBusy", "ResourceUnavailable")


# --- the file -------------------------------------------------------------------------------------


def record_of(content: bytes) -> RunRecord:
    """A ``run.json``, of the version before too. Raises ``ValueError``."""
    try:
        return decode(RunRecord, content)
    except WrongSchema as error:
        if error.found != _BEFORE:
            raise
    document = json.loads(content)
    rows = [_with_kind(one) for one in document.get("tests", ())]
    return convert(RunRecord, {**document, "schema": RunRecord.schema, "tests": rows, "causes": []})


_BEFORE = "replicant.run/1"
_OF_CLASSES = {APP_CRASH: DeathCause, NOT_RESPONDING: DeathCause, DEVICE_TROUBLE: PhoneCause}


def _with_kind(row: AnyMapping) -> AnyMapping:
    """The cause of a row did not say of which kind it is."""
    cause = row.get("cause")
    if not isinstance(cause, dict):
        return row
    kind: type[AnyCause] = _OF_CLASSES.get(str(cause.get("failure_class")), TestCause)
    if kind is TestCause and cause.get("trouble"):
        kind = CheckCause if cause.get("expected") else ActionCause
    given = {**cause, "phone": cause.get("subject", ""), "late": bool(cause.get("late"))}
    given["by"] = kind.by
    known = {one.name: given[one.name] for one in fields(kind) if one.name in given}
    return {**row, "cause": known}
