"""One attempt of one test as far as another is compared with it: its steps, its screens, what the phone logged.

Read from a ``trace.json``, which may be anybody's: whatever is not as it should be is taken for absent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..printable import device_name

MOST_STEPS = 5_000
"""Steps of a trace that are compared; a test of more than that is compared as far as it goes."""
_LONGEST = 1_000
_LOUD = frozenset("WEF")

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
class Place:
    """A screen as a step left it. ``key`` says which one it is, ``dialog`` what lay over it."""

    name: str = ""
    key: str = ""
    app: str = ""
    outline: tuple[str, ...] = ()

    @property
    def dialog(self) -> str:
        return next((line.strip() for line in self.outline[:2] if re.match(r'Dialog(?: "|$)', line)), "")


@dataclass(frozen=True)
class PassageStep:
    """One action, check or wait. ``id`` is its anchor in the trace page. ``target`` is the element that was
    meant: class, label, resource id and row, empty where it resolved to none. ``observed`` is what a check saw.
    ``stages`` are names and milliseconds. ``logs`` are the warnings and errors since it began, as
    ``E Tag: message``."""

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
    target: tuple[str, ...] = ()
    stages: tuple[tuple[str, int], ...] = ()
    after: Place = Place()
    logs: tuple[str, ...] = ()

    @property
    def what(self) -> tuple[str, str, str]:
        """The same in another run of the same test; numbers in a title are data."""
        return (self.kind, self.name, steadied(self.title))


@dataclass(frozen=True)
class Passage:
    """``failure`` is the first line of what failed the test, ``failed_at`` its line in the test; ``deaths`` how
    apps under test died, by the id of the action before; ``origin`` where this was read, for people."""

    nodeid: str
    outcome: str
    started_at: str = ""
    device: str = ""
    platform: str = ""
    failure: str = ""
    failed_at: str = ""
    steps: tuple[PassageStep, ...] = ()
    deaths: tuple[tuple[str, str], ...] = ()
    origin: str = field(default="", compare=False)


@lru_cache(maxsize=20_000)
def steadied(line: str) -> str:
    """Without what differs from run to run: numbers, times, refs, positions, the focus."""
    for pattern, instead in _VOLATILE:
        line = pattern.sub(instead, line)
    return " ".join(line.split())


def passage_of(document: Mapping[str, Any], outline: Read, origin: str = "") -> Passage:
    """What a redacted ``replicant.trace`` document says of its test."""
    test, device = _mapping(document.get("test")), _mapping(document.get("device"))
    failures = _mappings(document.get("failures"))
    first: Mapping[str, Any] = failures[0] if failures else {}
    deaths = tuple((_text(one.get("after")), _text(one.get("told"))) for one in _mappings(document.get("deaths")))
    return Passage(
        nodeid=_text(test.get("nodeid"), 100_000),
        outcome=_text(test.get("outcome")),
        started_at=_text(test.get("started_at")),
        device=device_name({key: value for key, value in device.items() if isinstance(value, (str, int))})[:200],
        platform=_text(device.get("platform")),
        failure=_failure(_text(first.get("exception")), _text(first.get("message")).partition("\n")[0]),
        failed_at=_text(first.get("source")),
        steps=tuple(_Steps(document, outline).read()),
        deaths=deaths,
        origin=origin,
    )


def _failure(exception: str, line: str) -> str:
    return f"{exception}: {line}" if exception and exception not in line else line


class _Steps:
    """The steps of one document."""

    def __init__(self, document: Mapping[str, Any], outline: Read) -> None:
        self._events = _mappings(document.get("events"))[:MOST_STEPS]
        self._snapshots = _mapping(document.get("snapshots"))
        self._outline = outline
        self._places: dict[str, Place] = {}
        loud = [one for one in _mappings(document.get("logs")) if _text(one.get("level")) in _LOUD]
        self._logs = sorted(loud, key=lambda one: _number(one.get("at_ms")))
        self._told = 0

    def read(self) -> list[PassageStep]:
        starts = [_number(event.get("start_ms")) for event in self._events]
        ends = [*starts[1:], 1 << 60][: len(starts)]  # a test may have failed before its first step
        return [self._step(event, self._logged(end)) for event, end in zip(self._events, ends, strict=True)]

    def _step(self, event: Mapping[str, Any], logs: tuple[str, ...]) -> PassageStep:
        kind = _text(event.get("kind"))
        record = _mapping(event.get("check")) or _mapping(event.get("result"))
        title = _text(event.get("title"))
        return PassageStep(
            kind=kind,
            name=_text(record.get("action_type") or record.get("kind")) or title.partition(" ")[0],
            title=title,
            id=_text(event.get("id")),
            source=_text(event.get("source")),
            start_ms=_number(event.get("start_ms")),
            duration_ms=_number(event.get("duration_ms")),
            error=_text(event.get("error")).partition("\n")[0],
            expected=_text(record.get("expected")),
            observed=_text(record.get("observed")),
            target=_target(record),
            stages=_stages(record),
            after=self._place(_text(event.get("after"))),
            logs=logs,
        )

    def _place(self, name: str) -> Place:
        if name not in self._places:
            record = _mapping(self._snapshots.get(name))
            lines = tuple(line[:_LONGEST] for line in self._outline(name).splitlines()) if record else ()
            screen, key, app = (_text(record.get(part)) for part in ("screen", "screen_key", "app"))
            self._places[name] = Place(screen, key, app, lines)
        return self._places[name]

    def _logged(self, end: int) -> tuple[str, ...]:
        """What was logged until then and is not told yet."""
        lines: list[str] = []
        while self._told < len(self._logs) and _number(self._logs[self._told].get("at_ms")) < end:
            entry = self._logs[self._told]
            lines.append(f"{entry['level']} {_text(entry.get('tag'))}: {_text(entry.get('message'))}")
            self._told += 1
        return tuple(lines)


def _target(record: Mapping[str, Any]) -> tuple[str, ...]:
    found = _mapping(_mapping(record.get("target")).get("resolved"))
    return (
        tuple(_text(found.get(part)) for part in ("class_name", "label", "resource_id", "context"))
        if found
        else ()
    )


def _stages(record: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Each stage once, with all the time it took."""
    took: dict[str, int] = {}
    for step in _mappings(_mapping(record.get("trace")).get("steps")):
        name = _text(step.get("stage"))
        took[name] = took.get(name, 0) + _number(step.get("duration_ms"))
    return tuple(took.items())


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: object, longest: int = _LONGEST) -> str:
    return value[:longest] if isinstance(value, str) else ""


def _number(value: object) -> int:
    return min(int(value), 1 << 50) if isinstance(value, (int, float)) and 0 <= value < 1 << 60 else 0
