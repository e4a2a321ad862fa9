"""A cassette by its steps: what each step of a test sent and read, and when; and where two
recordings of one test first part: what a phone showed, what it was sent, or which step came
next."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import zip_longest
from typing import Any, Literal

from ..model import AnyDict, AnyMapping, Point, Redactor, Strings, shortened
from ..redaction import every_value, walked
from ..snapshots import Snapshot, SnapshotDiff
from .matching import Hit, same_call, shown_call
from .tape import HIDDEN_TEXT, PHASE, STEP, TICKS, Blobs, Cassette, Entry, RecordedFailure


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
    """``"DeviceTimeout: it did not answer"``; "" if the call was answered."""
    if not entry.has("error"):
        return ""
    facts = entry.answer["error"]
    return f"{facts.get('type')}: {facts.get('message')}".removesuffix(": ")


def sent_call(entry: Entry) -> str:
    """A call as it is printed, such as ``tap(540, 1213)``."""
    return shown_call(entry.method, entry.args, Redactor())


def steps_of(cassette: Cassette) -> tuple[TapedStep, ...]:
    """All steps in order. Fixtures of a wider scope come first: they were set up before."""
    numbers = itertools.count(1)
    parts = [
        *((entries, key) for key, entries in cassette.fixtures.items()),
        (cassette.entries, ""),
    ]
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


# --- where two recordings of one test first part --------------------------------------------------
# The tapes are compared from one call that may change a phone to the next: by the screen that was
# read last before it. Screens that both showed, one sooner than the other, are no difference unless
# one of the tests ends there.

NAMES = ("the first", "the second")
_MOST_LINES, _MOST_SCREENS, _LONGEST = 20, 12, 160


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


def first_parting(
    a: Cassette, b: Cassette, blob_a: Blobs, blob_b: Blobs, names: tuple[str, str] = NAMES
) -> Parting | None:
    """Where recordings of two attempts of a test first part, None if they do not. ``names`` are
    what they are called in sentences. A blob that cannot be read is not compared."""
    words = _own_words(a.values, b.values)
    sides = _Side(a, blob_a, names[0], {}), _Side(b, blob_b, names[1], words)
    return _Comparison(*sides).first()


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
            try:
                source = self.blobs(key[0])
            except (OSError, ValueError):
                self._screens[key] = None
            else:
                for word, other in self.words.items():
                    source = source.replace(escape(word).encode(), escape(other).encode())
                self._screens[key] = Hit(source, self.cassette.phones[entry.phone])
        return self._screens[key]

    def screen(self, entry: Entry) -> Snapshot | None:
        hit = self.hit(entry)
        return hit.screen if hit is not None else None

    def aimed(self, beat: _Beat, phone: int) -> Hit | None:
        """The screen on which a gesture was aimed."""
        dumps = beat.dumps(phone) or (beat.before.dumps(phone) if beat.before is not None else [])
        return self.hit(dumps[-1][1]) if dumps else None

    def call(self, beat: _Beat) -> str:
        """What was sent, with the element that it hits."""
        sent = beat.sent
        if sent is None:
            return "nothing"
        hit = self.aimed(beat, sent.phone)
        point = (
            sent.args[0]
            if sent.args and isinstance(sent.args[0], list) and len(sent.args[0]) == 2
            else None
        )
        element = hit.at(Point(*point)) if hit is not None and point is not None else None
        phone = f" of phone {sent.phone + 1}" if len(self.cassette.phones) > 1 else ""
        on = f" on {element.describe()}" if element is not None else ""
        return shortened(f"{sent_call(sent)}{phone}{on}", _LONGEST)

    def text(self, text: str) -> str:
        for word, other in self.words.items():
            text = text.replace(word, other)
        return text


@dataclass
class _Comparison:
    first_side: _Side
    second_side: _Side

    def first(self) -> Parting | None:
        for phase in ("setup", "call", "teardown"):
            beats = zip_longest(self.first_side.beats(phase), self.second_side.beats(phase))
            before: tuple[_Beat, _Beat] | None = None
            for one, other in beats:
                if (
                    one is None or other is None
                ):  # the beat before has said so already, where it is a difference
                    break
                found = self._parted(one, other)
                if found is not None:
                    return found
                before = one, other
            if before is not None and (found := self._ended(*before)) is not None:
                return found
        return None

    def _parted(self, one: _Beat, other: _Beat) -> Parting | None:
        sooner: Parting | None = None  # which alone is no difference
        for phone in range(len(self.first_side.cassette.phones)):
            found, is_sure = self._screens(one, other, phone)
            if found is not None and is_sure:
                return found
            sooner = sooner or found
        after = self._steps(one, other) or self._sent(one, other)
        is_over = one.sent is None or other.sent is None
        fails = (
            bool(self.first_side.failures(one.phase)),
            bool(self.second_side.failures(one.phase)),
        )
        if sooner is not None and is_over and (after is not None or fails[0] != fails[1]):
            return sooner
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
        if difference is None:
            return None, False
        stays = any(self._difference(last, entry) is None for _, entry in _distinct(theirs))
        goes_on = any(self._difference(entry, its_last) is None for _, entry in _distinct(mine))
        said = _shown(self.first_side, last), _shown(self.second_side, its_last)
        found = self._parting("shown", one, step, *said, verb="shows")
        if said[0] == said[1]:
            found = replace(
                found, sentence=f"{_where(step)}: both show {said[0]}, and its content differs"
            )
        lines = tuple(
            shortened(line, _LONGEST) for line in str(difference).splitlines()[:_MOST_LINES]
        )
        return replace(found, lines=lines), not (stays or goes_on)

    def _difference(self, mine: Entry, theirs: Entry) -> SnapshotDiff | None:
        """From theirs to mine; None if there is none that counts."""
        if (
            self.first_side.name_of(mine) == self.second_side.name_of(theirs)
            and not self.second_side.words
        ):
            return None
        screen, other = self.first_side.screen(mine), self.second_side.screen(theirs)
        if screen is None or other is None:
            return None
        found = screen.diff(other, mask_volatile=True)
        counts = (
            found.added,
            found.removed,
            found.changed,
            found.unread,
            found.keyboard,
            found.app,
        )
        return found if any(counts) or not found.same_screen else None

    # --- calls ------------------------------------------------------------------------------------
    def _steps(self, one: _Beat, other: _Beat) -> Parting | None:
        for mine, theirs in zip_longest(one.steps, other.steps):
            titles = [
                mine.title if mine is not None else "",
                theirs.title if theirs is not None else "",
            ]
            if titles[0] == self.second_side.text(titles[1]):
                continue
            step = mine or (one.steps[-1] if one.steps else one.step)
            titles = [title or "no further step" for title in titles]
            return self._parting("step", one, step, *titles, verb="did")
        return None

    def _sent(self, one: _Beat, other: _Beat) -> Parting | None:
        mine, theirs = one.sent, other.sent
        if mine is None and theirs is None:
            return None
        if (
            mine is not None
            and theirs is not None
            and mine.method == theirs.method
            and mine.phone == theirs.phone
        ):
            asked = walked(theirs.args, every_value(self.second_side.text))
            hits = self._hits(one, other, mine.phone)
            if same_call(mine, asked, lambda: hits, Redactor()):
                return None
        said = [self.first_side.call(one), self.second_side.call(other)]
        return self._parting("sent", one, one.step, *said, verb="was sent")

    def _hits(self, one: _Beat, other: _Beat, phone: int) -> tuple[Hit, Hit] | None:
        mine, theirs = self.first_side.aimed(one, phone), self.second_side.aimed(other, phone)
        return (mine, theirs) if mine is not None and theirs is not None else None

    # --- the end ----------------------------------------------------------------------------------
    def _ended(self, one: _Beat, other: _Beat) -> Parting | None:
        """How the phase ended otherwise, though all that was shown and sent was the same."""
        mine, theirs = self.first_side.failures(one.phase), self.second_side.failures(one.phase)
        facts = [
            [(each.exception, each.code, side.text(each.message)) for each in failures]
            for side, failures in ((self.first_side, mine), (self.second_side, theirs))
        ]
        if facts[0] == facts[1]:
            return None
        said = [_failed(each) for each in (mine, theirs)]
        found = self._parting("ended", one, one.step, *said)
        ends = f"{self.first_side.name} {said[0]}, {self.second_side.name} {said[1]}"
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
        number, title = (step.number, step.title) if step is not None else (0, "")
        sentence = (
            f"{_where(step)}: {self.first_side.name} {verb} {first}, {self.second_side.name} "
            f"{second}"
        )
        return Parting(what, beat.phase, number, title, first, second, sentence)


def _where(step: TapedStep | None) -> str:
    if step is None:
        return "at the beginning"
    return (
        f"at step {step.number}, {shortened(step.title, _LONGEST)}"
        if step.number
        else f"in the {step.phase}"
    )


def _failed(failures: list[RecordedFailure]) -> str:
    if not failures:
        return "passed"
    return shortened(
        f"failed: {failures[0].exception}: {failures[0].message}".removesuffix(": "), _LONGEST
    )


def _shown(side: _Side, entry: Entry) -> str:
    screen = side.screen(entry)
    return screen.outline(depth=1).partition("\n")[0] if screen is not None else "a screen"


def _distinct(dumps: list[tuple[TapedStep, Entry]]) -> Iterator[tuple[TapedStep, Entry]]:
    """Of many equal ones the last, and of many others the last few."""
    seen = {entry.answer["blob"]: (step, entry) for step, entry in reversed(dumps)}
    yield from list(seen.values())[:_MOST_SCREENS]


def _own_words(mine: AnyMapping, theirs: AnyMapping) -> dict[str, str]:
    """Texts of recorded data, from theirs to mine."""
    found: dict[str, str] = {}
    pending: list[tuple[Any, Any]] = [(mine, theirs)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, str) and isinstance(other, str):
            found |= {other: one} if one != other and other else {}
        elif isinstance(one, list) and isinstance(other, list):
            pending += zip(one, other, strict=False)
        elif isinstance(one, Mapping) and isinstance(other, Mapping):
            pending += [(one[name], other[name]) for name in one if name in other]
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))
