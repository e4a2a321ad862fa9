"""One attempt of one test read from its ``trace.json``, for triage and for the comparison with a pass.

A document may be anybody's: whatever is not as it should be counts as absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args

from ...model import (
    FAILURE_CLASSES,
    SELECTOR_KEYWORDS,
    DeathRecord,
    ElementRecord,
    FailureRecord,
    Hindrance,
    ObstacleRecord,
    Owner,
    Selector,
    Stage,
    bare,
    quoted,
)
from ..artifacts.document import StoredParts, trace_document
from ..printable import device_name

if TYPE_CHECKING:
    from ...model import Redactor, TestTrace

MOST_STEPS = 5_000
"""Steps of a trace that are compared; a test of more than that is compared as far as it goes."""
_LONGEST = 1_000
_MOST = 100  # entries of a list in one record
_DEEPEST = 6  # selectors within selectors
_LOUD = frozenset("WEF")
_NAMES = ("serial", "uri", "name")
_PLAIN = {"text", "text_contains", "resource_id", "description", "class_name", "role", "within", "near"}
_STATES = {"enabled", "checked", "selected", "focused"}

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
    to. ``observed`` is what a check saw. ``effect`` is False of an action that changed nothing. ``logs`` were
    written up to the next step."""

    kind: str
    name: str
    title: str
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
    failure: FailureRecord | None = None
    effect: bool = True
    selector: str = ""

    @property
    def what(self) -> tuple[str, str, str]:
        """The same in another run of the same test; numbers in a title are data."""
        return (self.kind, self.name, normalise(self.title))


@dataclass(frozen=True)
class RecordedError:
    """What failed the test: the first line of its ``message``, the class, its line in the test, the id of the step
    that raised it, and the facts where no step of this phone did."""

    exception: str = ""
    message: str = ""
    source: str = ""
    phase: str = ""
    step: str = ""
    failure: FailureRecord | None = None
    detail: str = ""


@dataclass(frozen=True)
class RecordedRun:
    """``failures`` are what failed the test, the one raised first in front; ``deaths`` how apps under test died;
    ``phone_names`` what its phone is called; ``origin`` where this was read, for people."""

    nodeid: str
    outcome: str
    started_at: str = ""
    duration_ms: int = 0
    device: str = ""
    platform: str = ""
    phone_names: tuple[str, ...] = ()
    failures: tuple[RecordedError, ...] = ()
    steps: tuple[RecordedStep, ...] = ()
    deaths: tuple[DeathRecord, ...] = ()
    last: ScreenFacts = ScreenFacts()
    origin: str = field(default="", compare=False)

    @property
    def failure(self) -> str:
        """The first line of what failed the test, "" where nothing did."""
        first = self.failures[0] if self.failures else RecordedError()
        named = first.exception and first.exception not in first.message
        return f"{first.exception}: {first.message}" if named else first.message

    @property
    def failed_at(self) -> str:
        """The line of the test that failed."""
        return self.failures[0].source if self.failures else ""

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
    return read_run(document, redacted_outlines(trace, redactor))


def redacted_outlines(trace: TestTrace, redactor: Redactor) -> Read:
    return lambda name: redactor.text(trace.snapshots[name].outline) if name in trace.snapshots else ""


def read_run(document: Mapping[str, Any], outline: Read, origin: str = "") -> RecordedRun:
    """The attempt that a redacted ``replicant.trace`` document is about."""
    test, device = _mapping(document.get("test")), _mapping(document.get("device"))
    steps = _Steps(document, outline)
    return RecordedRun(
        nodeid=_text(test.get("nodeid"), 100_000),
        outcome=_text(test.get("outcome")),
        started_at=_text(test.get("started_at")),
        duration_ms=_number(test.get("duration_ms")),
        device=device_name({key: value for key, value in device.items() if isinstance(value, (str, int))})[:200],
        platform=_text(device.get("platform")),
        phone_names=tuple(name for key in _NAMES if (name := _text(device.get(key)))),
        failures=tuple(map(_error, _mappings(document.get("failures")))),
        steps=tuple(steps.read()),
        deaths=tuple(_record(DeathRecord, one) for one in _mappings(document.get("deaths"))),
        last=steps.last,
        origin=origin,
    )


def _error(value: Mapping[str, Any]) -> RecordedError:
    known: RecordedError = _record(RecordedError, value)
    return replace(known, message=known.message.partition("\n")[0], failure=_failure(value.get("failure")))


class _Steps:
    """The steps of one document."""

    def __init__(self, document: Mapping[str, Any], outline: Read) -> None:
        self._events = _mappings(document.get("events"))[:MOST_STEPS]
        self._snapshots = _mapping(document.get("snapshots"))
        self._outline = outline
        self._screens: dict[str, ScreenFacts] = {}
        loud = [one for one in _mappings(document.get("logs")) if _text(one.get("level")) in _LOUD]
        self._logs = sorted(loud, key=lambda one: _number(one.get("at_ms")))
        self._reported = 0

    @property
    def last(self) -> ScreenFacts:
        """The screen that was read last."""
        return self._screen(next(reversed([*self._snapshots]), ""))

    def read(self) -> Iterator[RecordedStep]:
        starts = [_number(event.get("start_ms")) for event in self._events]
        ends = [*starts[1:], 1 << 60][: len(starts)]  # a test may have failed before its first step
        return (self._step(event, self._logged(end)) for event, end in zip(self._events, ends, strict=True))

    def _step(self, event: Mapping[str, Any], logs: tuple[str, ...]) -> RecordedStep:
        record = _mapping(event.get("check")) or _mapping(event.get("result"))
        title, target = _text(event.get("title")), _mapping(record.get("target"))
        resolved = _mapping(target.get("resolved"))
        return RecordedStep(
            kind=_text(event.get("kind")),
            name=_text(record.get("action_type") or record.get("kind")) or title.partition(" ")[0],
            title=title,
            id=_text(event.get("id")),
            source=_text(event.get("source")),
            start_ms=_number(event.get("start_ms")),
            duration_ms=_number(event.get("duration_ms")),
            error=_text(event.get("error")).partition("\n")[0],
            expected=_text(record.get("expected")),
            observed=_text(record.get("observed")),
            target=_record(ElementRecord, resolved) if resolved else None,
            stages=_stages(record),
            before=self._screen(_text(event.get("before"))),
            after=self._screen(_text(event.get("after"))),
            logs=logs,
            failure=_failure(event.get("failure")),
            effect=_mapping(event.get("diff")).get("empty") is not True,
            selector=_text(target.get("selector")),
        )

    def _screen(self, name: str) -> ScreenFacts:
        if name not in self._screens:
            record = _mapping(self._snapshots.get(name))
            lines = tuple(line[:_LONGEST] for line in self._outline(name).splitlines()) if record else ()
            screen, key, app, structure = (
                _text(record.get(part)) for part in ("screen", "screen_key", "app", "structure")
            )
            dialog = record.get("dialog")
            title = _text(dialog) if isinstance(dialog, str) else None
            self._screens[name] = ScreenFacts(screen, key, app, lines, structure, title)
        return self._screens[name]

    def _logged(self, end: int) -> tuple[str, ...]:
        """What was logged until then, after what the steps before have."""
        lines: list[str] = []
        while self._reported < len(self._logs) and _number(self._logs[self._reported].get("at_ms")) < end:
            entry = self._logs[self._reported]
            lines.append(f"{entry['level']} {_text(entry.get('tag'))}: {_text(entry.get('message'))}")
            self._reported += 1
        return tuple(lines)


def _stages(record: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Each stage once, with all the time it took."""
    took: dict[str, int] = {}
    for step in _mappings(_mapping(record.get("trace")).get("steps")):
        name = _text(step.get("stage"))
        took[name] = took.get(name, 0) + _number(step.get("duration_ms"))
    return tuple(took.items())


# --- records ---------------------------------------------------------------------------------------------


def _failure(value: object) -> FailureRecord | None:
    """None for what has no code of ours."""
    given = _mapping(value)
    unfit: Any = given.get("unfit")
    if given.get("code") not in FAILURE_CLASSES:
        return None
    stage = given.get("stage") if given.get("stage") in get_args(Stage) else "resolve"
    known: FailureRecord = _record(FailureRecord, {**given, "stage": stage})
    return replace(
        known,
        unfit=unfit if unfit in get_args(Hindrance) else "",
        selector=_selector(given.get("selector")),
        element=_element(given.get("element")),
        matches=_elements(given.get("matches")),
        candidates=_elements(given.get("candidates")),
        wanted=_facts(given.get("wanted")),
        observed=_facts(given.get("observed")),
        blocker=_obstacle(given.get("blocker")),
        over=_obstacle(given.get("over")),
    )


def _record(kind: Any, given: Mapping[str, Any]) -> Any:
    """A dataclass from those of its fields that are texts and lists of texts."""
    values: dict[str, Any] = {}
    for one in fields(kind):
        if one.type in ("str", "FailureCode", "Stage"):
            values[one.name] = _text(given.get(one.name))
        elif one.type == "tuple[str, ...]" and isinstance(given.get(one.name), list):
            values[one.name] = tuple(_text(item) for item in given[one.name][:_MOST])
    return kind(**values)


def _element(value: object) -> ElementRecord | None:
    found: ElementRecord | None = _record(ElementRecord, value) if isinstance(value, dict) else None
    return found


def _elements(value: object) -> tuple[ElementRecord, ...]:
    return tuple(_record(ElementRecord, one) for one in _mappings(value)[:_MOST])


def _obstacle(value: object) -> ObstacleRecord | None:
    given = _mapping(value)
    owner: Any = given.get("owner")
    if owner not in get_args(Owner):
        return None
    return ObstacleRecord(owner, _text(given.get("title")), _element(given.get("element")))


def _facts(value: object) -> Mapping[str, Any]:
    """Plain values by name."""
    known: dict[str, Any] = {}
    for name, one in list(_mapping(value).items())[:_MOST]:
        if one is None or isinstance(one, (bool, int, float, str)):
            known[str(name)[:_LONGEST]] = one[:_LONGEST] if isinstance(one, str) else one
    return known


def _selector(value: object, depth: int = 0) -> Selector | None:
    """The selector with these keywords, others left out; None without any."""
    if depth > _DEEPEST:
        return None
    given: dict[str, Any] = {}
    for name, one in _mapping(value).items():
        if name not in SELECTOR_KEYWORDS:
            continue
        if isinstance(one, dict):
            compiled = name == "text_matches"
            given[name] = _text(one.get("pattern")) if compiled else _selector(one, depth + 1)
        elif name in _PLAIN or name == "text_matches":
            given[name] = _text(one) or None
        elif (name in _STATES and isinstance(one, bool)) or (name == "nth" and type(one) is int):
            given[name] = one
    found = Selector(**given)
    return found if dict(found.given()) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: object, longest: int = _LONGEST) -> str:
    return value[:longest] if isinstance(value, str) else ""


def _number(value: object) -> int:
    return min(int(value), 1 << 50) if isinstance(value, (int, float)) and 0 <= value < 1 << 60 else 0
