"""One attempt of one test read from its ``trace.json``, for triage and for the comparison with a pass.

A document may be anybody's: whatever is not as it should be counts as absent.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ...model import DeathRecord, ElementRecord, FailureRecord, RaisedError, Redactor, TestTrace, bare, quoted
from ..artifacts.document import StoredParts, loosely, trace_document
from ..printable import device_name

MOST_STEPS = 5_000
"""Steps of a trace that are compared; a test of more than that is compared as far as it goes."""
_LONGEST = 1_000
_LOUD = frozenset("WEF")
_NAMES = ("serial", "uri", "name")

_VOLATILE = (
    (re.compile(r"^\s*(?:- )?\[[a-z]\d{3,}[a-z]?\]\s*"), ""),
    (re.compile(r"@-?\d+,-?\d+"), ""),
    (re.compile(r" \[focused\]"), ""),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b", re.I), "#"),
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

Read = Callable[[str], str]
"""The outline of a snapshot by its id; "" where it is not at hand."""


@dataclass(frozen=True)
class ScreenFacts:
    """A screen as a step left it. ``key`` says which one it is, ``structure`` what it is built of, ``dialog`` is
    the title of a window over it, None where there is none."""

    name: str = ""
    key: str = ""
    app: str = ""
    outline: tuple[str, ...] = ()
    structure: str = ""
    dialog: str | None = None


@dataclass(frozen=True)
class RecordedStep:
    """One action, check or wait. ``id`` is its anchor in the trace page, ``target`` the element that it resolved
    to. ``observed`` is what a check saw. ``effect`` is False of an action that changed nothing on the screen.
    ``late`` is whether a check came to hold after its verdict. ``logs`` are warnings and errors up to the next
    step, of whatever process; ``signals`` are what the app itself said in that time: its own of them, and
    toasts."""

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
    stages: tuple[tuple[str, int], ...] = ()
    before: ScreenFacts = ScreenFacts()
    after: ScreenFacts = ScreenFacts()
    logs: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    failure: FailureRecord | None = None
    effect: bool = True
    late: bool = False
    selector: str = ""

    @property
    def what(self) -> tuple[str, str, str]:
        """The same in another run of the same test; numbers in a title are data."""
        return (self.kind, self.name, normalise(self.title))


@dataclass(frozen=True)
class RecordedRun:
    """``failures`` are what failed the test, each by the first line of its message, the one raised first in front;
    ``deaths`` how apps under test died, ``anrs`` those that did not respond and lived; ``phone_names`` what its
    phone is called; ``origin`` where this was read, for people. ``hears_log`` and ``hears_toasts`` say whether
    what the app logged, and toasts, were recorded from beginning to end: only then a line that is not there was
    not written."""

    nodeid: str
    outcome: str
    started_at: str = ""
    duration_ms: int = 0
    device: str = ""
    platform: str = ""
    phone_names: tuple[str, ...] = ()
    failures: tuple[RaisedError, ...] = ()
    steps: tuple[RecordedStep, ...] = ()
    deaths: tuple[DeathRecord, ...] = ()
    anrs: tuple[DeathRecord, ...] = ()
    last: ScreenFacts = ScreenFacts()
    hears_log: bool = False
    hears_toasts: bool = False
    origin: str = field(default="", compare=False)

    @property
    def failure(self) -> str:
        """The first line of what failed the test, "" where nothing did."""
        if not self.failures:
            return ""
        first = self.failures[0]
        named = first.exception and first.exception not in first.message
        return f"{first.exception}: {first.message}" if named else first.message

    def step(self, name: str) -> RecordedStep | None:
        """The step of that id."""
        return next((step for step in self.steps if step.id == name), None) if name else None


@lru_cache(maxsize=20_000)
def normalise(line: str) -> str:
    """Without what differs from run to run: numbers, times, refs, positions, the focus."""
    for pattern, instead in _VOLATILE:
        line = pattern.sub(instead, line)
    return " ".join(line.split())


def element_name(element: ElementRecord) -> str:
    """``Button "Sign in" in row "Blue mug"``, with its id where it has no label."""
    label = (
        quoted(element.label)
        if element.label
        else f"id={bare(element.resource_id)}"
        if element.resource_id
        else ""
    )
    row = f"in row {quoted(element.context)}" if element.context and element.context != element.label else ""
    kind = bare(element.class_name) if element.class_name else ""
    return " ".join(part for part in (kind, label, row) if part)


def recorded(trace: TestTrace, redactor: Redactor) -> RecordedRun:
    """An attempt that has just ended, redacted."""
    document = trace_document(replace(trace, attachments=()), StoredParts(), redactor)
    shown = {name: record.outline for name, record in trace.snapshots.items()}
    return read_run(document, lambda name: redactor.text(shown.get(name, "")))


def read_run(document: Mapping[str, Any], outline: Read, origin: str = "") -> RecordedRun:
    """The attempt that a redacted ``replicant.trace`` document is about."""
    test, device = mapping_in(document.get("test")), mapping_in(document.get("device"))
    failures: tuple[RaisedError, ...] = loosely(tuple[RaisedError, ...], document.get("failures")) or ()
    steps = _Steps(document, outline)
    return RecordedRun(
        nodeid=text_in(test.get("nodeid"), 100_000),
        outcome=text_in(test.get("outcome")),
        started_at=text_in(test.get("started_at")),
        duration_ms=number_in(test.get("duration_ms")),
        device=device_name({key: value for key, value in device.items() if isinstance(value, (str, int))})[:200],
        platform=text_in(device.get("platform")),
        phone_names=tuple(name for key in _NAMES if (name := text_in(device.get(key)))),
        failures=tuple(replace(one, message=one.message.partition("\n")[0]) for one in failures),
        steps=tuple(steps.read()),
        deaths=loosely(tuple[DeathRecord, ...], document.get("deaths")) or (),
        anrs=loosely(tuple[DeathRecord, ...], document.get("anrs")) or (),
        last=steps.last,
        hears_log=steps.hears_log,
        hears_toasts=steps.hears_toasts,
        origin=origin,
    )


class _Steps:
    """The steps of one document."""

    def __init__(self, document: Mapping[str, Any], outline: Read) -> None:
        self._events = _mappings(document.get("events"))[:MOST_STEPS]
        self._snapshots = mapping_in(document.get("snapshots"))
        self._outline = outline
        self._screens: dict[str, ScreenFacts] = {}
        logs = _mappings(document.get("logs"))
        self.hears_log = bool(logs) and all(one.get("tag") != "replicant" for one in logs)
        self.hears_toasts = bool(self._events) and all("toasts" in one for one in self._events)
        loud = [one for one in logs if text_in(one.get("level")) in _LOUD]
        self._logs = sorted(loud, key=lambda one: number_in(one.get("at_ms")))
        self._reported = 0

    @property
    def last(self) -> ScreenFacts:
        """The screen that was read last."""
        return self._screen(next(reversed([*self._snapshots]), ""))

    def read(self) -> Iterator[RecordedStep]:
        starts = [number_in(event.get("start_ms")) for event in self._events]
        ends = [*starts[1:], 1 << 60][: len(starts)]  # a test may have failed before its first step
        return (self._step(event, self._logged(end)) for event, end in zip(self._events, ends, strict=True))

    def _step(self, event: Mapping[str, Any], logged: Sequence[Mapping[str, Any]]) -> RecordedStep:
        record = mapping_in(event.get("check")) or mapping_in(event.get("result"))
        title, target = text_in(event.get("title")), mapping_in(record.get("target"))
        given = {
            **event,
            **{name: record.get(name) for name in ("expected", "observed")},
            "name": record.get("action_type") or record.get("kind") or title.partition(" ")[0],
            "target": target.get("resolved"),
            "selector": target.get("selector"),
        }
        step: RecordedStep = loosely(RecordedStep, given) or RecordedStep()
        toasts: tuple[str, ...] = loosely(tuple[str, ...], event.get("toasts")) or ()
        own = filter(None, map(signal_of, logged))
        return replace(
            step,
            error=step.error.partition("\n")[0],
            start_ms=number_in(event.get("start_ms")),
            duration_ms=number_in(event.get("duration_ms")),
            stages=_stages(record),
            before=self._screen(text_in(event.get("before"))),
            after=self._screen(text_in(event.get("after"))),
            logs=tuple(map(_line, logged)),
            signals=(*own, *map(toast_signal, toasts)),
            effect=mapping_in(event.get("diff")).get("empty") is not True,
            late=_came_late(record),
        )

    def _screen(self, name: str) -> ScreenFacts:
        if name not in self._screens:
            record = mapping_in(self._snapshots.get(name))
            lines = tuple(line[:_LONGEST] for line in self._outline(name).splitlines()) if record else ()
            named = {**record, "name": record.get("screen"), "key": record.get("screen_key")}
            self._screens[name] = replace(loosely(ScreenFacts, named) or ScreenFacts(), outline=lines)
        return self._screens[name]

    def _logged(self, end: int) -> Sequence[Mapping[str, Any]]:
        """What was logged until then, after what the steps before have."""
        began = self._reported
        while self._reported < len(self._logs) and number_in(self._logs[self._reported].get("at_ms")) < end:
            self._reported += 1
        return self._logs[began : self._reported]


def toast_signal(toast: str) -> str:
    return f"toast {quoted(toast)}"


def signal_of(entry: Mapping[str, Any]) -> str:
    """A line of the log, where it is a warning or an error that the app under test has to say itself; else ""."""
    return _line(entry) if text_in(entry.get("level")) in _LOUD and _is_the_apps(entry) else ""


def hash_of(signal: str) -> str:
    """The same for the same signal in another run."""
    return hashlib.blake2b(normalise(signal).encode("utf-8", "replace"), digest_size=4).hexdigest()


def _line(entry: Mapping[str, Any]) -> str:
    return f"{entry['level']} {text_in(entry.get('tag'))}: {text_in(entry.get('message'))}"


_ROUTINE = re.compile(
    r"(?:Choreographer|OpenGLRenderer|HWUI|EGL\w*|Gralloc\w*|BLAST\w*|BufferQueue\w*|Surface\w*|ViewRootImpl|"
    r"Input(?:Method|Event|Connection|Dispatcher)\w*|IInputConnection\w*|RemoteInput\w*|WindowOnBack\w*|Looper|"
    r"libc|libEGL|art|zygote\w*|System|ActivityThread|StrictMode|Parcel|ashmem|Adreno\w*|mali\w*|chromium|cr_\w*|"
    r"WebView\w*|Graphics\w*|nativeloader|ziparchive|Resources\w*|Typeface|FrameEvents|perf\w*|GED|tflite|"
    r"UiAutomator\w*|AccessibilityNodeInfo\w*)"
)
"""Tags under which the platform logs in the process of any app, one run this, one run that."""


def _is_the_apps(entry: Mapping[str, Any]) -> bool:
    """Whether it is not the platform's in the app's process. ART's tag is the end of the process' name."""
    app, tag = text_in(entry.get("app")), text_in(entry.get("tag"))
    return bool(app) and not _ROUTINE.fullmatch(tag) and not (tag and app.endswith(tag))


def _came_late(record: Mapping[str, Any]) -> bool:
    """Whether a check that failed held when it was read on after the verdict."""
    steps = _mappings(mapping_in(record.get("trace")).get("steps"))
    later = [one for one in steps if mapping_in(one.get("metadata")).get("after_the_verdict") is True]
    return any(one.get("result") == "success" for one in later)


def _stages(record: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Each stage once, with all the time it took."""
    took: dict[str, int] = {}
    for step in _mappings(mapping_in(record.get("trace")).get("steps")):
        name = text_in(step.get("stage"))
        took[name] = took.get(name, 0) + number_in(step.get("duration_ms"))
    return tuple(took.items())


def mapping_in(value: object) -> Mapping[str, Any]:
    """Empty for anything else; so are the next ones."""
    return value if isinstance(value, dict) else {}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text_in(value: object, longest: int = _LONGEST) -> str:
    return value[:longest] if isinstance(value, str) else ""


def number_in(value: object) -> int:
    return min(int(value), 1 << 50) if isinstance(value, (int, float)) and 0 <= value < 1 << 60 else 0
