"""Everything one attempt of one test left behind: what the session records and every report reads.

The recorder fills these values; the reports only read them. Nothing here is redacted yet: reports
pass all that they write through a ``Redactor``. Screenshots are the exception, they arrive already
blanked. Its name is not that of a test: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from .aliases import AnyMapping, Strings
from .element import Point, Rect
from .failure import FailureRecord
from .json_values import OPTIONAL
from .quoting import first_line
from .trace import ActionResult, Attachment, CheckRecord, RecoveryRecord

ReplayVerdict = Literal[
    "reproduced",
    "holds on the recording",
    "fails on the recording",
    "diverged",
    "beyond the recording",
]
"""What the replay of a recorded test comes to; none of them is a pass.

``reproduced``: it failed as when it was recorded, at the same step. ``holds``: nothing failed.
``fails``: it failed otherwise. ``diverged``: it did something else than when it was recorded.
``beyond``: it asked for a moment that was not recorded.
"""

TestOutcome = Literal[
    "passed", "failed", "skipped", "recovered", "infra", "error", "known flaky", "xfailed",
    "xpassed", "reproduced", "holds on the recording", "fails on the recording", "diverged",
    "beyond the recording",
]  # fmt: skip
"""``infra``: tool trouble (a ``DeviceError``); ``error``: setup or teardown broke outside the
device. ``known flaky``: it failed by a cause that the project has listed for it. The others are
those of a replay."""

VERDICTS: frozenset[TestOutcome] = frozenset(get_args(ReplayVerdict))
"""How a replay ends."""

BROKEN: frozenset[TestOutcome] = frozenset({"failed", "error", "infra"})
"""How an attempt ends that counts as a failure."""

UNSOUND: frozenset[TestOutcome] = BROKEN | {"known flaky"}
"""How an attempt ends in which something failed, whether it counts or not."""

HEALTHY: frozenset[TestOutcome] = frozenset({"passed", "recovered", "xpassed"})
"""How an attempt ends in which nothing failed in the end."""

EventKind = Literal["action", "check", "wait"]


@dataclass(frozen=True)
class TestFacts:
    """Which test it was and how it ended.

    ``attempt`` is 0 for the first run and counts reruns, of which ``requeues`` are due to a lost
    phone; ``lost`` says how the phone of this attempt was lost, "" if it was not. ``started_at`` is
    ISO 8601 in UTC. ``location`` is ``"tests/test_shop.py:12"``, the path as pytest prints it and
    the line counted from one.
    """

    __test__ = False  # the name looks like a test class to pytest

    nodeid: str
    attempt: int
    outcome: TestOutcome
    started_at: str
    duration_ms: int
    location: str = ""
    requeues: int = 0
    lost: str = ""


@dataclass(frozen=True)
class TraceEvent:
    """One entry of the timeline: an action, a check or a wait, in the order in which they began.

    ``id`` is its anchor in the trace page: ``a3``, ``check-2``, ``wait-0``. An action has its
    ``result`` and, if both screens are known, the ``diff`` between them; a check has its ``check``.
    What failed has its ``failure``. ``start_ms`` counts from the test's start. ``group`` is the
    titles of the enclosing ``with mobile.step(...)``, outermost first. ``before`` and ``after`` are
    keys of ``TestTrace.snapshots``, None if nothing was read. ``target`` and ``touch`` are in the
    pixels of the ``before`` snapshot: the rectangle that was meant, and the points the gesture went
    to (one for a tap, two for a swipe or drag, none without a gesture). ``source`` is the line of
    the test, ``"tests/test_shop.py:18"``, and ``source_text`` that line as written. ``error`` is
    the message that was raised, "" if there was none. ``toasts`` are what the platform showed after
    an action, up to the next one. ``details`` of an action say whether the test ``read`` the screen
    after it. Those of a wait: what was ``awaited``, the ``result`` (``met``, ``timed out``,
    ``unreadable``, or ``interrupted`` by an error of something else), what was ``observed``,
    ``reads``, ``failed_reads``, ``waited_ms``.
    """

    kind: EventKind
    title: str
    start_ms: int
    duration_ms: int
    id: str = ""
    result: ActionResult | None = None
    check: CheckRecord | None = None
    diff: DiffRecord | None = None
    failure: FailureRecord | None = None
    group: Strings = ()
    before: str | None = None
    after: str | None = None
    target: Rect | None = None
    touch: tuple[Point, ...] = ()
    source: str = ""
    source_text: str = ""
    error: str = ""
    toasts: Strings = ()
    details: AnyMapping = field(default_factory=dict, metadata=OPTIONAL)

    @property
    def met_on(self) -> str | None:
        """The screen on which its target was found: that ``before``, unless something lay over it
        then."""
        steps = self.result.trace.steps if self.result is not None else ()
        found = [
            one.metadata["snapshot"]
            for one in steps
            if one.stage == "resolve" and "snapshot" in one.metadata
        ]
        return found[-1] if found else self.before


@dataclass(frozen=True)
class ShownElement:
    """An addressable element as a report draws it over the picture of its screen."""

    ref: str
    class_name: str
    label: str
    bounds: Rect


@dataclass(frozen=True)
class SnapshotRecord:
    """One screen as it was read. ``source`` is the hierarchy as received, ``size`` (width, height)
    in px, of which a unit of the source has ``scale``.

    ``captured_at_ms`` is epoch milliseconds, stamped before the hierarchy was requested.
    ``screen_key`` says which screen it is, with any content; ``app`` whose it is; ``structure`` is
    a digest of what it is built of: classes and labels in order, numbers apart; ``dialog`` the
    title of a window over the app's own, None if there is none.
    """

    id: str
    screen: str
    fingerprint: str
    outline: str
    source: bytes
    captured_at_ms: int
    size: tuple[int, int]
    screen_key: str = ""
    app: str = ""
    elements: tuple[ShownElement, ...] = ()
    scale: float = 1.0
    structure: str = ""
    dialog: str | None = None


@dataclass(frozen=True)
class Screenshot:
    """A PNG of the screen that belongs to a snapshot, secrets already blanked. Lengths in image
    pixels."""

    png: bytes
    width: int
    height: int


@dataclass(frozen=True)
class DiffRecord:
    """What an action changed. Lines begin with ``+``, ``-``, ``~``, or ``*`` for a toast; others
    are context. ``empty`` is whether nothing differs on the screen."""

    summary: str
    lines: Strings = ()
    empty: bool = False


Phase = Literal["setup", "call", "teardown"]


@dataclass(frozen=True)
class RaisedError:
    """What failed a test: its message, the name of its exception, and the line of the test that it
    came from, ``"tests/test_shop.py:18"``, "" if that is not known. ``step`` is the id of the event
    that raised it, "" if none did; ``failure`` holds the facts if the session knows them;
    ``detail`` is what a tool said."""

    message: str
    exception: str = ""
    source: str = ""
    phase: Phase = "call"
    step: str = ""
    failure: FailureRecord | None = None
    detail: str = ""

    @property
    def title(self) -> str:
        """What failed, in one line; the message goes on with what was seen and what to do."""
        return first_line(self.message)


@dataclass(frozen=True)
class DeathRecord:
    """How an app under test died: ``text`` for people, in one line; ``signature`` is the same
    whenever the same thing happens again; ``after`` the id of the action that was sent last before
    it, "" if there was none. ``exception`` is the class of what was thrown, ``frame`` if in the
    app's own code; "" if a phone reports neither. ``kind`` is "java", "native", "exception",
    "died", or "anr" of one that did not respond; ``reason`` is what the platform gave for that."""

    text: str
    app: str = ""
    signature: str = ""
    after: str = ""
    exception: str = ""
    frame: str = ""
    kind: str = ""
    reason: str = ""


@dataclass(frozen=True)
class LogRecord:
    """One entry of the device log. ``at_ms`` counts from the test's start as
    ``TraceEvent.start_ms`` does, the phone's clock set right as far as is known. ``level`` is one
    of ``VDIWEF``. ``app`` is the app under test whose process logged it, "" for any other."""

    at_ms: int
    level: str
    tag: str
    message: str
    pid: int = 0
    app: str = ""


@dataclass(frozen=True)
class TestTrace:
    """One attempt of one test.

    ``device`` holds JSON-like facts (name, platform, version, serial, size ...). ``screenshots`` is
    keyed by snapshot id and need not have an entry for every snapshot. ``failures`` are what failed
    the test, the one that was raised first. ``recoveries`` are what policies did, or would have
    done if they were only asked; ``deaths`` how apps under test died, ``anrs`` which of them did
    not respond and were not ended for that. ``logs`` is the device log of the test, oldest first.
    ``losses`` say what could not be recorded, and why.
    """

    __test__ = False  # the name looks like a test class to pytest

    test: TestFacts
    device: AnyMapping = field(default_factory=dict)
    events: tuple[TraceEvent, ...] = ()
    snapshots: Mapping[str, SnapshotRecord] = field(default_factory=dict)
    screenshots: Mapping[str, Screenshot] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    failures: tuple[RaisedError, ...] = ()
    recoveries: tuple[RecoveryRecord, ...] = ()
    deaths: tuple[DeathRecord, ...] = ()
    logs: tuple[LogRecord, ...] = ()
    losses: Strings = ()
    anrs: tuple[DeathRecord, ...] = ()

    @property
    def actions(self) -> tuple[ActionResult, ...]:
        """The envelopes of all actions, in the order in which they began."""
        return tuple(event.result for event in self.events if event.result is not None)

    @property
    def checks(self) -> tuple[CheckRecord, ...]:
        """All checks, in the order in which they began."""
        return tuple(event.check for event in self.events if event.check is not None)


TRACE_SCHEMA = "replicant.trace/2"


@dataclass(frozen=True)
class StoredPicture:
    """``width`` and ``height`` as it was taken, in pixels; the stored picture may be smaller."""

    blob: str
    width: int
    height: int


@dataclass(frozen=True)
class StoredSnapshot:
    """One read of a screen. ``blob`` is its hierarchy, packed with gzip, ``outline`` its text:
    paths relative to ``trace.json``, None if it could not be stored. ``screen_key`` says which
    screen it is, under any content, ``structure`` is a digest of what it is built of, ``dialog``
    the title of a window over the app's own."""

    blob: str | None
    screen: str
    fingerprint: str
    outline: str | None
    captured_at_ms: int
    size: tuple[int, int]
    screenshot: StoredPicture | None
    screen_key: str = ""
    app: str = ""
    structure: str = ""
    dialog: str | None = None


@dataclass(frozen=True)
class StoredAttachment:
    """``path`` is relative to ``trace.json``, None if it could not be stored; ``bytes`` is its
    size."""

    name: str
    media_type: str
    path: str | None
    bytes: int


@dataclass(frozen=True)
class StoredEvidence:
    """Of the ``lines``, those that begin with + are of this run, with - of the pass."""

    kind: Literal["tree", "log", "timing", "screen", "target"]
    text: str
    lines: Strings = ()


@dataclass(frozen=True)
class StoredDivergence:
    """How a failure differs from the last pass of its test. ``step`` is the anchor of the step in
    the trace page, ``source`` the line of the test that did it, ``baseline`` the pass that it was
    compared with."""

    sentence: str
    step: str = ""
    baseline: str = ""
    evidence: tuple[StoredEvidence, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class TraceFile:
    """One attempt of one test: what was done, what was checked, what the screens were. ``*_ms`` are
    integer milliseconds. ``events`` are in the order in which they began, ``failures`` those that
    failed the test, ``warnings`` what could not be recorded or stored. ``divergence`` is None if
    the test did not fail."""

    test: TestFacts
    device: AnyMapping
    events: tuple[TraceEvent, ...]
    snapshots: Mapping[str, StoredSnapshot]
    attachments: tuple[StoredAttachment, ...]
    failures: tuple[RaisedError, ...]
    warnings: Strings
    recoveries: tuple[RecoveryRecord, ...]
    deaths: tuple[DeathRecord, ...]
    logs: tuple[LogRecord, ...]
    divergence: StoredDivergence | None
    anrs: tuple[DeathRecord, ...] = ()
    schema: Literal["replicant.trace/2"] = "replicant.trace/2"
