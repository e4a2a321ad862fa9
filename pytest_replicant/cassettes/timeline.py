"""A cassette by its steps: what each step of a test sent and read, and when; and where two
recordings of one test first part: what a phone showed, what it was sent, or which step came
next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from html import escape
from itertools import starmap, zip_longest
from typing import Any, Literal

from ..drivers import METHODS
from ..model import AnyDict, AnyMapping, Point, Redactor, Strings, shortened
from ..redaction import every_value, walked
from ..snapshots import Snapshot, SnapshotDiff
from .matching import Hit, same_call, shown_call
from .tape import HIDDEN_TEXT, PHASE, TICKS, Blobs, Cassette, Entry, RecordedFailure


@dataclass(frozen=True)
class TapedStep:
    """One step, or what was asked in a phase before its first one: then ``number`` is 0, and
    ``kind`` and ``title`` are "". ``fixture`` is the key of a fixture of a wider scope whose calls
    are kept apart, else "". ``began`` is in ticks of its own tape. ``entries`` are its calls,
    without marks."""

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
        """What the phone's driver raised, each once: ``"DeviceTimeout: it did not answer"``."""
        found: dict[str, None] = {}
        for one in self.entries:
            if one.has("error"):
                error = one.answer["error"]
                found[f"{error.get('type')}: {error.get('message')}".removesuffix(": ")] = None
        return tuple(found)

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


def sent_call(entry: Entry) -> str:
    """A call as it is printed, such as ``tap(540, 1213)``."""
    return shown_call(entry.method, entry.args, Redactor())


def steps_of(cassette: Cassette) -> tuple[TapedStep, ...]:
    """All steps in order. Fixtures of a wider scope come first: they were set up before."""
    numbers = itertools.count(1)
    steps: list[TapedStep] = []
    for fixture, entries in (*cassette.fixtures.items(), ("", cassette.entries)):
        phase = "setup"
        step = TapedStep(phase, 0, "", "", 0, (), fixture)
        calls: list[Entry] = []
        for entry in entries:
            if not entry.is_mark:
                calls.append(entry)
                continue
            steps.append(replace(step, entries=tuple(calls)))
            calls = []
            number, kind, title = 0, "", ""
            if entry.method == PHASE:
                (phase,) = entry.args
            else:
                number, (kind, title) = next(numbers), entry.args
            step = TapedStep(phase, number, kind, title, entry.asked, (), fixture)
        steps.append(replace(step, entries=tuple(calls)))
    return tuple(one for one in steps if one.number or one.entries)


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


# --- where two recordings of one test first part --------------------------------------------------
# The tapes are compared from one call that may change a phone to the next: by the screen that was
# read last before it. Screens that both showed, one sooner than the other, are no difference unless
# one of the tests ends there.

_MOST_LINES, _MOST_SCREENS, _LONGEST = 20, 12, 160
_NO_MORE = "no further step"


@dataclass(frozen=True)
class Parting:
    """``what`` differs first: the screen that was ``shown``, what was ``sent``, which ``step``
    came, or how the test ``ended`` though all else was the same.

    ``step`` is the number of the step in the first recording, 0 before there was any, and ``title``
    its title. ``first`` and ``second`` are what differs, each in a line; ``lines`` are the
    difference of two screens, from the second to the first."""

    what: Literal["shown", "sent", "step", "ended"]
    phase: str
    step: int
    title: str
    first: str
    second: str
    sentence: str
    lines: Strings = ()


def first_parting(a: Cassette, b: Cassette, blob_a: Blobs, blob_b: Blobs) -> Parting | None:
    """Where recordings of two attempts of a test first part, None if they do not. A blob that
    cannot be read is not compared."""
    first = _Side(a, blob_a, "the first", {})
    second = _Side(b, blob_b, "the second", _own_words(a.values, b.values))
    return next(filter(None, _Comparison(first, second).partings()), None)


@dataclass
class _Beat:
    """What was read, and the ``steps`` that began, up to the next call that may change a phone:
    ``sent``, None at the end of a phase. Each read goes with the step that it belongs to."""

    phase: str
    steps: list[TapedStep] = field(default_factory=list)
    reads: list[tuple[TapedStep, Entry]] = field(default_factory=list)
    sent: Entry | None = None
    step: TapedStep | None = None  # that it ends in
    before: _Beat | None = None  # in the same phase

    def dumps(self, phone: int) -> list[tuple[TapedStep, Entry]]:
        return [(step, one) for step, one in self.reads if one.is_dump and one.phone == phone]


@dataclass
class _Side:
    """One of the recordings. ``words`` are replaced in what it shows and was sent: data that its
    test made, and the other one made differently."""

    cassette: Cassette
    blobs: Blobs
    name: str
    words: Mapping[str, str]
    _screens: dict[tuple[str, int], Hit | None] = field(default_factory=dict)

    def beats(self, phase: str) -> list[_Beat]:
        found = [_Beat(phase)]
        for step in steps_of(self.cassette):
            if step.phase != phase:
                continue
            if step.number:
                found[-1].steps.append(step)
            found[-1].step = step
            for entry in step.entries:
                if entry.is_send:
                    found[-1].sent = entry
                    found.append(_Beat(phase, step=step, before=found[-1]))
                else:
                    found[-1].reads.append((step, entry))
        return found

    def failures(self, phase: str) -> list[RecordedFailure]:
        return [one for one in self.cassette.header.failures if one.phase == phase]

    def name_of(self, entry: Entry) -> str:
        number: int = entry.answer["blob"]
        return self.cassette.blobs[number]

    def hit(self, entry: Entry) -> Hit | None:
        """The screen of a dump; None if its blob cannot be read."""
        key = self.name_of(entry), entry.phone
        if key not in self._screens:
            self._screens[key] = None
            with suppress(OSError, ValueError):
                source = self.blobs(key[0])
                for word, other in self.words.items():
                    source = source.replace(escape(word).encode(), escape(other).encode())
                self._screens[key] = Hit(source, self.cassette.phones[entry.phone])
        return self._screens[key]

    def screen(self, entry: Entry) -> Snapshot | None:
        hit = self.hit(entry)
        return hit.screen if hit else None

    def aimed(self, beat: _Beat, phone: int) -> Hit | None:
        """The screen on which a gesture was aimed."""
        dumps = beat.dumps(phone)
        if not dumps and beat.before:
            dumps = beat.before.dumps(phone)
        return self.hit(dumps[-1][1]) if dumps else None

    def call(self, beat: _Beat) -> str:
        """What was sent, with the element that it hits."""
        sent = beat.sent
        if not sent:
            return "nothing"
        said = sent_call(sent)
        if len(self.cassette.phones) > 1:
            said += f" of phone {sent.phone + 1}"
        hit = self.aimed(beat, sent.phone)
        if hit and METHODS[sent.method].points:
            element = hit.at(Point(*sent.args[0]))
            if element:
                said += f" on {element.describe()}"
        return shortened(said, _LONGEST)

    def text(self, text: str) -> str:
        for word, other in self.words.items():
            text = text.replace(word, other)
        return text


@dataclass
class _Comparison:
    first: _Side
    second: _Side

    def partings(self) -> Iterator[Parting | None]:
        for phase in ("setup", "call", "teardown"):
            # of a longer tape the beat before has said so already, where it is a difference
            beats = [*zip(self.first.beats(phase), self.second.beats(phase), strict=False)]
            yield from starmap(self._parted, beats)
            yield self._ended(*beats[-1])

    def _parted(self, one: _Beat, other: _Beat) -> Parting | None:
        sooner: Parting | None = None  # which alone is no difference
        for phone in range(len(self.first.cassette.phones)):
            found, is_sure = self._screens(one, other, phone)
            if is_sure:
                return found
            sooner = sooner or found
        after = self._steps(one, other) or self._sent(one, other)
        if not one.sent or not other.sent:
            fails, its_fails = self.first.failures(one.phase), self.second.failures(one.phase)
            if after or bool(fails) != bool(its_fails):
                return sooner or after
        return after

    # --- screens ----------------------------------------------------------------------------------
    def _screens(self, one: _Beat, other: _Beat, phone: int) -> tuple[Parting | None, bool]:
        """How the last screens differ, and whether each is one that the other recording never
        showed."""
        mine, theirs = one.dumps(phone), other.dumps(phone)
        if not mine or not theirs:
            return None, False
        (step, last), (_, its_last) = mine[-1], theirs[-1]
        difference = self._difference(last, its_last)
        if not difference:
            return None, False
        pairs = [(last, entry) for entry in _distinct(theirs)]
        pairs += [(entry, its_last) for entry in _distinct(mine)]
        is_sure = None not in starmap(self._difference, pairs)
        said = _shown(self.first, last), _shown(self.second, its_last)
        found = self._parting("shown", one, step, *said, verb="shows")
        if said[0] == said[1]:
            found = replace(
                found, sentence=f"{_where(step)}: both show {said[0]}, and its content differs"
            )
        lines = str(difference).splitlines()[:_MOST_LINES]
        return replace(found, lines=tuple(shortened(line, _LONGEST) for line in lines)), is_sure

    def _difference(self, mine: Entry, theirs: Entry) -> SnapshotDiff | None:
        """From theirs to mine; None if there is none that counts."""
        is_one_blob = self.first.name_of(mine) == self.second.name_of(theirs)
        if is_one_blob and not self.second.words:
            return None
        screen, other = self.first.screen(mine), self.second.screen(theirs)
        if not screen or not other:
            return None
        found = screen.diff(other, mask_volatile=True)
        return None if replace(found, moved=()).empty and not found.app else found

    # --- calls ------------------------------------------------------------------------------------
    def _steps(self, one: _Beat, other: _Beat) -> Parting | None:
        for mine, theirs in zip_longest(one.steps, other.steps):
            title, other_title = (step.title if step else "" for step in (mine, theirs))
            if title != self.second.text(other_title):
                step = mine or (one.steps[-1] if one.steps else one.step)
                said = title or _NO_MORE, other_title or _NO_MORE
                return self._parting("step", one, step, *said, verb="did")
        return None

    def _sent(self, one: _Beat, other: _Beat) -> Parting | None:
        mine, theirs = one.sent, other.sent
        if not mine and not theirs:
            return None
        if mine and theirs and mine[:2] == theirs[:2]:
            hit, its_hit = self.first.aimed(one, mine.phone), self.second.aimed(other, mine.phone)
            asked = walked(theirs.args, every_value(self.second.text))
            hits = (hit, its_hit) if hit and its_hit else None
            if same_call(mine, asked, lambda: hits, Redactor()):
                return None
        said = self.first.call(one), self.second.call(other)
        return self._parting("sent", one, one.step, *said, verb="was sent")

    # --- the end ----------------------------------------------------------------------------------
    def _ended(self, one: _Beat, other: _Beat) -> Parting | None:
        """How the phase ended otherwise, though all that was shown and sent was the same."""
        mine, theirs = self.first.failures(one.phase), self.second.failures(one.phase)
        facts = [
            [(each.exception, each.code, side.text(each.message)) for each in failures]
            for side, failures in ((self.first, mine), (self.second, theirs))
        ]
        if facts[0] == facts[1]:
            return None
        said = _failed(mine), _failed(theirs)
        found = self._parting("ended", one, one.step, *said)
        ends = f"{self.first.name} {said[0]}, {self.second.name} {said[1]}"
        return replace(found, sentence=f"all that was shown and sent is the same: {ends}")

    def _parting(
        self,
        what: Any,
        beat: _Beat,
        step: TapedStep | None,
        first: str,
        second: str,
        *,
        verb: str = "",
    ) -> Parting:
        number, title = (step.number, step.title) if step else (0, "")
        sentence = f"{_where(step)}: {self.first.name} {verb} {first}, {self.second.name} {second}"
        return Parting(what, beat.phase, number, title, first, second, sentence)


def _where(step: TapedStep | None) -> str:
    if not step:
        return "at the beginning"
    if not step.number:
        return f"in the {step.phase}"
    return f"at step {step.number}, {shortened(step.title, _LONGEST)}"


def _failed(failures: list[RecordedFailure]) -> str:
    if not failures:
        return "passed"
    first = failures[0]
    return shortened(f"failed: {first.exception}: {first.message}".removesuffix(": "), _LONGEST)


def _shown(side: _Side, entry: Entry) -> str:
    screen = side.screen(entry)
    return screen.outline(depth=1).partition("\n")[0] if screen else "a screen"


def _distinct(dumps: list[tuple[TapedStep, Entry]]) -> list[Entry]:
    """Of many equal ones the last, and of many others the last few."""
    seen = {entry.answer["blob"]: entry for _, entry in reversed(dumps)}
    return list(seen.values())[:_MOST_SCREENS]


def _own_words(mine: AnyMapping, theirs: AnyMapping) -> dict[str, str]:
    """Texts of recorded data, from theirs to mine."""
    found: dict[str, str] = {}
    pending: list[tuple[Any, Any]] = [(mine, theirs)]
    while pending:
        one, other = pending.pop()
        match one, other:
            case str(), str():
                if other not in ("", one):
                    found[other] = one
            case list(), list():
                pending += zip(one, other, strict=False)
            case dict(), dict():
                pending += [(one[name], other[name]) for name in one if name in other]
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))
