"""A cassette by its steps: what each step of a test sent and read, and when."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..model import AnyDict, Redactor, Strings
from .matching import shown_call
from .tape import HIDDEN_TEXT, PHASE, STEP, TICKS, Cassette, Entry


@dataclass(frozen=True)
class TapedStep:
    """One step, or what was asked in a phase before its first one: then ``number`` is 0, and ``kind`` and
    ``title`` are "". ``fixture`` is the key of a fixture of a wider scope whose calls are kept apart, else "".
    ``began`` is in ticks of its own tape. ``entries`` are its calls, without marks."""

    phase: str
    number: int
    kind: str
    title: str
    began: int
    entries: tuple[Entry, ...]
    fixture: str = ""

    @property
    def sends(self) -> tuple[Entry, ...]:
        return tuple(one for one in self.entries if one.is_send)

    @property
    def reads(self) -> int:
        return len(self.entries) - len(self.sends)

    @property
    def screens(self) -> int:
        """How many dumps of a screen."""
        return sum(one.method == "dump_hierarchy" for one in self.entries)

    @property
    def errors(self) -> Strings:
        """What the phone's driver raised, each once."""
        return tuple(dict.fromkeys(filter(None, map(error_in, self.entries))))

    @property
    def at(self) -> float:
        """Seconds since the beginning of its tape."""
        return self.began / TICKS

    @property
    def took(self) -> float:
        """Seconds until its last answer."""
        return (self.ended - self.began) / TICKS

    @property
    def ended(self) -> int:
        return max((one.end for one in self.entries), default=self.began)

    def to_dict(self) -> AnyDict:
        return {
            "phase": self.phase,
            "fixture": self.fixture,
            "number": self.number,
            "kind": self.kind,
            "title": self.title,
            "at": self.at,
            "took": self.took,
            "sent": [sent_call(one) for one in self.sends],
            "reads": self.reads,
            "screens": self.screens,
            "errors": list(self.errors),
        }


def error_in(entry: Entry) -> str:
    """``"DeviceTimeout: it did not answer"``; "" where the call was answered."""
    answer = entry.answer
    if not isinstance(answer, dict) or "error" not in answer:
        return ""
    facts = answer["error"]
    return f"{facts.get('type')}: {facts.get('message')}".removesuffix(": ")


def sent_call(entry: Entry) -> str:
    """A call as it is printed, such as ``tap(540, 1213)``."""
    return shown_call(entry.method, entry.args, Redactor())


def steps_of(cassette: Cassette) -> tuple[TapedStep, ...]:
    """All steps in order. Fixtures of a wider scope come first: they were set up before."""
    numbers = itertools.count(1)
    parts = [*((entries, key) for key, entries in cassette.fixtures.items()), (cassette.entries, "")]
    return tuple(step for entries, key in parts for step in _steps(entries, numbers, key))


def _steps(entries: Iterable[Entry], numbers: Iterator[int], fixture: str) -> Iterator[TapedStep]:
    phase = "setup"
    head: tuple[int, str, str, int] = (0, "", "", 0)
    calls: list[Entry] = []
    for entry in entries:
        if not entry.is_mark:
            calls.append(entry)
            continue
        if head[0] or calls:
            yield TapedStep(phase, *head, tuple(calls), fixture)
        calls = []
        if entry.method == PHASE:
            phase, head = str(entry.args[0]), (0, "", "", entry.asked)
        elif entry.method == STEP:
            head = (next(numbers), str(entry.args[0]), str(entry.args[1]), entry.asked)
    if head[0] or calls:
        yield TapedStep(phase, *head, tuple(calls), fixture)


@dataclass(frozen=True)
class Totals:
    """``seconds`` from the beginning to the last answer, without what was read for the report."""

    seconds: float
    steps: int
    calls: int
    sends: int
    screens: int
    secrets: int
    hidden: int

    @classmethod
    def of(cls, cassette: Cassette) -> Totals:
        """``hidden`` is in how many blobs something else was hidden than the test's secrets."""
        own = [one for one in steps_of(cassette) if one.phase != "report"]
        return cls(
            seconds=max((one.ended for one in own if not one.fixture), default=0) / TICKS,
            steps=sum(one.number > 0 for one in own),
            calls=sum(len(one.entries) for one in own),
            sends=sum(len(one.sends) for one in own),
            screens=sum(one.screens for one in own),
            secrets=len(cassette.header.secrets),
            hidden=sum(HIDDEN_TEXT in masks for masks in cassette.masks.values()),
        )
