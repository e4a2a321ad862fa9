"""One attempt of one test, as reports and tools read it: of a run under way, or from its
``trace.json``.

A file may be anybody's: it is read whole, or refused.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest

from ..cassettes import Stored
from ..drivers import device_name, scale_of
from ..errors import SnapshotError
from ..model import (
    HEALTHY,
    CheckRecord,
    DeathRecord,
    ElementRecord,
    FailureRecord,
    LogRecord,
    LooksRecord,
    RaisedError,
    Redactor,
    SnapshotRecord,
    StoredSnapshot,
    Strings,
    TestTrace,
    TraceEvent,
    TraceFile,
    bare,
    first_line,
    quoted,
)
from ..redaction import masked_record
from ..snapshots import Snapshot

TRACE = "trace.json"
MOST_STEPS = 5_000
"""Steps of a trace that are read; a test of more than that is compared as far as it goes."""
_LONGEST = 1_000
_LOUD = frozenset("WEF")
_NAMES = ("serial", "uri", "name")
_HIERARCHIES = (".xml.gz", ".json.gz")

_VOLATILE = (
    (re.compile(r"^\s*(?:- )?(?:\[[a-z]\d{3,}[a-z]?\]\s*)?"), ""),
    (re.compile(r"@-?\d+,-?\d+"), ""),
    (re.compile(r" \[focused\]"), ""),
    (
        re.compile(
            r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b", re.I
        ),
        "#",
    ),
    (
        re.compile(
            r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d+\b|"
            r"\b\d+\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|"
            r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|yesterday|just now)\b",
            re.I,
        ),
        "#",
    ),
    (re.compile(r"\d+(?:[.,:/]\d+)*(?:\s?[ap]m\b)?", re.I), "0"),
)


@dataclass(frozen=True)
class RecordedScreen:
    """A screen as a step left it. ``key`` says which one it is, ``structure`` what it is built of,
    ``dialog`` is the title of a window over it, None if there is none. ``id`` is its name in the
    trace; ``blob`` and ``picture`` are the files of its hierarchy and its screenshot, "" if not
    kept."""

    name: str = ""
    key: str = ""
    app: str = ""
    outline: Strings = ()
    structure: str = ""
    dialog: str | None = None
    fingerprint: str = field(default="", repr=False, compare=False)
    id: str = field(default="", repr=False, compare=False)
    blob: str = field(default="", repr=False, compare=False)
    picture: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class RecordedStep:
    """One action, check or wait. ``id`` is its anchor in the trace page, ``target`` the element
    that it resolved to. ``observed`` is what a check saw. ``effect`` is False of an action that
    changed nothing on the screen. ``late`` is whether a check came to hold after its verdict.
    ``logs`` are warnings and errors up to the next step, of any process; ``signals`` are what the
    app itself said in that time: its own of them, and toasts. ``source_text`` is its line of code,
    ``box`` the rectangle that was meant, ``awaited`` what a wait was for; ``result`` is that of a
    check, ``looks`` what a check of looks compared."""

    kind: str = ""
    name: str = ""
    title: str = ""
    id: str = ""
    source: str = ""
    start_ms: int = 0
    duration_ms: int = 0
    error: str = ""
    expected: str = ""
    observed: str = ""
    target: ElementRecord | None = None
    before: RecordedScreen = RecordedScreen()
    after: RecordedScreen = RecordedScreen()
    logs: Strings = ()
    signals: Strings = ()
    failure: FailureRecord | None = None
    effect: bool = True
    late: bool = False
    selector: str = ""
    source_text: str = field(default="", repr=False)
    box: tuple[int, ...] = field(default=(), repr=False)
    awaited: str = field(default="", repr=False)
    result: str = field(default="", repr=False)
    looks: LooksRecord | None = field(default=None, repr=False)

    @property
    def verb(self) -> str:
        """The call, as its title has it."""
        return self.title.partition(" ")[0]

    @property
    def what(self) -> tuple[str, str, str]:
        """The same in another run of the same test; numbers in a title are data."""
        return (self.kind, self.name, normalise(self.title))


@dataclass(frozen=True)
class RecordedAttempt:
    """``failures`` are what failed the test, the one raised first in front; ``deaths`` how apps
    under test died, ``anrs`` those that did not respond and lived; ``phone_names`` what its phone
    is called; ``origin`` if this was read, for people. ``hears_log`` and ``hears_toasts`` say
    whether what the app logged, and toasts, were recorded from beginning to end: only then a line
    that is not there was not written. ``screens`` are by id, as they were read; ``attachments`` are
    the places of files next to the trace, and ``stored`` is where all of them lie, None of an
    attempt that is no report yet; ``number`` counts from 0."""

    nodeid: str
    outcome: str
    started_at: str = ""
    duration_ms: int = 0
    device: str = ""
    platform: str = ""
    phone_names: Strings = ()
    failures: tuple[RaisedError, ...] = ()
    steps: tuple[RecordedStep, ...] = ()
    deaths: tuple[DeathRecord, ...] = ()
    anrs: tuple[DeathRecord, ...] = ()
    hears_log: bool = False
    hears_toasts: bool = False
    origin: str = field(default="", compare=False)
    screens: Mapping[str, RecordedScreen] = field(default_factory=dict, repr=False, compare=False)
    attachments: Strings = field(default=(), repr=False, compare=False)
    number: int = field(default=0, repr=False, compare=False)
    scale: float = field(default=1.0, repr=False, compare=False)
    stored: Stored | None = field(default=None, repr=False, compare=False)
    _parsed: dict[str, Snapshot | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def failure(self) -> str:
        """The title of what failed the test, "" if nothing did."""
        if not self.failures:
            return ""
        first = self.failures[0]
        named = first.exception and first.exception not in first.title
        return f"{first.exception}: {first.title}" if named else first.title

    @property
    def digest(self) -> str:
        """Of the node id, as folders have it; "" if this was not kept."""
        return self.stored.digest if self.stored else ""

    @property
    def is_pass(self) -> bool:
        return self.outcome in HEALTHY

    @property
    def last(self) -> RecordedScreen:
        """The screen that was read last."""
        return [RecordedScreen(), *self.screens.values()][-1]

    def step(self, name: str) -> RecordedStep | None:
        """The step of that id."""
        return next((step for step in self.steps if step.id == name), None) if name else None

    # --- what lies next to the trace, read when it is asked for ---

    def snapshot(self, blob: str) -> Snapshot | None:
        """None if it is missing, or not what it was."""
        if blob and blob not in self._parsed:
            self._parsed[blob] = None
            with suppress(OSError, ValueError, SnapshotError):
                self._parsed[blob] = self.parsed(blob)
        return self._parsed.get(blob)

    def snapshots(self) -> Iterator[Snapshot]:
        """Every hierarchy of the trace and of the cassette, each once."""
        blobs = dict.fromkeys(screen.blob for screen in self.screens.values())
        with suppress(OSError, ValueError):  # a trace without its cassette
            blobs |= dict.fromkeys(self.taped())
        yield from filter(None, map(self.snapshot, blobs))

    def taped(self) -> list[str]:
        """The files of the hierarchies on its cassette. Raises ``OSError`` and ``ValueError``."""
        return [blob for blob in self._kept.load().blobs if blob.endswith(_HIERARCHIES)]

    def parsed(self, blob: str, id: str = "s0") -> Snapshot:
        """Raises ``OSError``, ``ValueError`` and ``SnapshotError``."""
        return Snapshot.parse(self._kept.blob(blob), id=id, scale=self.scale)

    def picture(self, screen: RecordedScreen) -> bytes | None:
        """The screenshot as it is stored; its ending says the format."""
        with suppress(OSError, ValueError):
            return self._kept.blob(screen.picture)
        return None

    @property
    def _kept(self) -> Stored:
        if not self.stored:
            raise FileNotFoundError("nothing of this attempt was kept")
        return self.stored


@lru_cache(maxsize=20_000)
def normalise(line: str) -> str:
    """Without what differs from run to run: numbers, times, refs, positions, the focus."""
    for pattern, instead in _VOLATILE:
        line = pattern.sub(instead, line)
    return " ".join(line.split())


def file_and_line(source: str) -> tuple[str, int] | None:
    """The file and the line of ``"tests/test_shop.py:18"``."""
    found = re.fullmatch(r"(.{1,500}):(\d{1,7})", source, re.DOTALL)
    return (found[1], int(found[2])) if found else None


def element_name(element: ElementRecord) -> str:
    """``Button "Sign in" in row "Blue mug"``, with its id if it has no label."""
    parts = [bare(element.class_name)] if element.class_name else []
    if element.label:
        parts.append(quoted(element.label))
    elif element.resource_id:
        parts.append(f"id={bare(element.resource_id)}")
    if element.context not in ("", element.label):
        parts.append(f"in row {quoted(element.context)}")
    return " ".join(parts)


# --- out of a trace -------------------------------------------------------------------------------


def recorded(trace: TestTrace, redactor: Redactor | None = None) -> RecordedAttempt:
    """An attempt that has just ended, redacted if that is not done already."""
    if redactor is not None:
        read = {name: replace(one, elements=()) for name, one in trace.snapshots.items()}
        trace = replace(trace, attachments=(), screenshots={}, snapshots=read)
        trace = masked_record(trace, redactor)
    screens = {}
    for name, one in trace.snapshots.items():
        screens[name] = _screen(name, one, tuple(one.outline.splitlines()))
    return _attempt(trace, screens)


def kept_attempt(
    trace: TraceFile, stored: Stored | None = None, *, outlines: bool = False
) -> RecordedAttempt:
    """The attempt of a ``trace.json``; with the ``outlines`` of its screens, which are files of
    their own."""
    screens, origin = {}, ""
    if stored:
        origin = f"{stored.files.name}/{stored.path.parent}/{TRACE}"
    for name, one in trace.snapshots.items():
        outline: Strings = ()
        if outlines and stored:
            with suppress(OSError, ValueError):  # missing, or not what it was
                outline = tuple(
                    stored.blob(_file(one.outline)).decode("utf-8", "replace").splitlines()
                )
        screen = _screen(name, one, outline)
        picture = _file(one.screenshot.blob if one.screenshot else None)
        screens[name] = replace(screen, blob=_file(one.blob), picture=picture)
    files = tuple(one.path or "" for one in trace.attachments)
    return replace(_attempt(trace, screens), attachments=files, origin=origin, stored=stored)


def _file(path: str | None) -> str:
    return (path or "").rpartition("/")[2]


def _screen(name: str, one: SnapshotRecord | StoredSnapshot, outline: Strings) -> RecordedScreen:
    return RecordedScreen(
        one.screen,
        one.screen_key,
        one.app,
        outline,
        one.structure,
        one.dialog,
        one.fingerprint,
        name,
    )


def _attempt(
    trace: TestTrace | TraceFile, screens: Mapping[str, RecordedScreen]
) -> RecordedAttempt:
    test, device, events = trace.test, trace.device, trace.events[:MOST_STEPS]
    return RecordedAttempt(
        nodeid=test.nodeid,
        outcome=test.outcome,
        started_at=test.started_at,
        duration_ms=test.duration_ms,
        device=device_name(device)[:200],
        platform=str(device.get("platform") or ""),
        phone_names=tuple(str(device[key]) for key in _NAMES if device.get(key)),
        failures=trace.failures,
        steps=tuple(_steps(events, screens, trace.logs)),
        deaths=trace.deaths,
        anrs=trace.anrs,
        hears_log=bool(trace.logs) and all(one.tag != "replicant" for one in trace.logs),
        hears_toasts=bool(events),
        screens=screens,
        number=test.attempt,
        scale=scale_of(device),
    )


def _steps(
    events: Sequence[TraceEvent], screens: Mapping[str, RecordedScreen], logs: Sequence[LogRecord]
) -> Iterator[RecordedStep]:
    """Each with what was logged until the next one."""
    loud = sorted((one for one in logs if one.level in _LOUD), key=lambda one: one.at_ms)
    times = [one.at_ms for one in loud]
    done = 0
    for event, following in zip_longest(events, events[1:]):
        until = len(loud)
        if following:
            until = bisect_left(times, following.start_ms, done)
        yield _step(event, screens, loud[done:until])
        done = until


def _is_late(check: CheckRecord) -> bool:
    """Whether it came true after it had failed."""
    return check.trace is not None and any(
        one.result == "success" and one.metadata.get("after_the_verdict") is True
        for one in check.trace.steps
    )


def _step(
    event: TraceEvent, screens: Mapping[str, RecordedScreen], logged: Sequence[LogRecord]
) -> RecordedStep:
    result, check = event.result, event.check
    step = RecordedStep(
        kind=event.kind,
        name=event.title.partition(" ")[0],
        title=event.title,
        id=event.id,
        source=event.source,
        start_ms=event.start_ms,
        duration_ms=event.duration_ms,
        error=first_line(event.error),
        before=screens.get(event.before or "", RecordedScreen()),
        after=screens.get(event.after or "", RecordedScreen()),
        logs=tuple(map(_line, logged)),
        signals=(*filter(None, map(signal_of, logged)), *map(toast_signal, event.toasts)),
        failure=event.failure,
        effect=event.diff is None or not event.diff.empty,
        source_text=event.source_text,
        box=tuple(event.target or ()),
        awaited=str(event.details.get("awaited", "")),
    )
    if result:
        resolved = result.target.resolved
        target = ElementRecord.of(resolved) if resolved else None
        step = replace(
            step, name=result.action_type, target=target, selector=result.target.selector
        )
    if check:
        step = replace(
            step,
            name=check.kind,
            expected=check.expected,
            observed=check.observed,
            result=check.result,
            looks=check.looks,
            late=_is_late(check),
        )
    return step


def toast_signal(toast: str) -> str:
    return f"toast {quoted(toast)}"


def signal_of(entry: LogRecord) -> str:
    """A line of the log, if it is a warning or an error that the app under test has to say itself;
    else ""."""
    if entry.level not in _LOUD or not entry.app:
        return ""
    # ART's tag is the end of the process' name
    is_routine = _ROUTINE.fullmatch(entry.tag) or (entry.tag and entry.app.endswith(entry.tag))
    return "" if is_routine else _line(entry)


def hash_of(signal: str) -> str:
    """The same for the same signal in another run."""
    return hashed(normalise(signal))


def hashed(*texts: str, size: int = 4) -> str:
    """The same for the same texts in another run: two hexadecimal digits for each of ``size``."""
    joined = "\0".join(texts).encode(errors="replace")
    return hashlib.blake2b(joined, digest_size=size).hexdigest()


def _line(entry: LogRecord) -> str:
    return f"{entry.level} {entry.tag}: {entry.message}"


_ROUTINE = re.compile(
    r"(?:Choreographer|OpenGLRenderer|HWUI|EGL\w*|Gralloc\w*|BLAST\w*|BufferQueue\w*|Surface\w*|"
    r"ViewRootImpl|"
    r"Input(?:Method|Event|Connection|Dispatcher)\w*|IInputConnection\w*|RemoteInput\w*|"
    r"WindowOnBack\w*|Looper|"
    r"libc|libEGL|art|zygote\w*|System|ActivityThread|StrictMode|Parcel|ashmem|Adreno\w*|mali\w*|"
    r"chromium|cr_\w*|"
    r"WebView\w*|Graphics\w*|nativeloader|ziparchive|Resources\w*|Typeface|FrameEvents|perf\w*|"
    r"GED|tflite|"
    r"UiAutomator\w*|AccessibilityNodeInfo\w*)"
)
"""Tags under which the platform logs in the process of any app, one run this, one run that."""
