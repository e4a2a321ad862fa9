"""Replaying: a test's present code against what the phones showed and were sent when it was recorded.

Each question is answered from the tape, each moment once and in the order of time, or not at all: the last screen
is never served for ever. As long as a test asks what was asked, in the same order, its session reads the clock of
the recording. Where it asks something else, a read is answered by the next recording of the same before the
next call that may have changed the phone, and the clock goes on to there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from ..codec import convert
from ..drivers import METHODS, Kind
from ..errors import DeviceError, ReplayEnded
from ..model import MASK, AnyMapping, Picture, Rect, Redactor, ReplayVerdict, verb_of
from .hidden import HiddenTexts
from .matching import Hit, hidden_in, shown_call, why_other
from .recording import EPOCH, TapeClock, looks_of
from .tape import (
    HIDDEN_TEXT,
    PHASE,
    STEP,
    TICKS,
    TYPES_TEXT,
    Cassette,
    Entry,
    error_of,
    plain_args,
    with_stand_ins,
)
from .track import Track
from .values import failure_of, of_data

LATE = 0.001
"""Seconds by which a question may be later than when it was recorded."""
NOTHING_TAKES_NO_TIME = 0.0001
"""Seconds by which the clock goes on with a reading that the recording does not have."""

_NONE_LEFT = 1 << 30
Blobs = Callable[[str], bytes]
"""The content of a blob of the cassette, by its file name. Raises ``OSError``, ``ValueError``."""


@dataclass
class Replay:
    """The replay of one attempt of one test. ``clock`` is that of its sessions, ``redactor`` knows its secrets.

    ``ending`` is raised where the recording has no answer, and ``ended`` is set once the test has left it: nothing
    is answered any more. ``steps`` counts the steps that began, ``slept`` the seconds that the test itself slept.
    """

    cassette: Cassette
    blobs: Blobs
    redactor: Redactor
    ending: type[ReplayEnded] = ReplayEnded
    ended: ReplayEnded | None = None
    steps: int = 0
    slept: float = 0.0
    saw_hidden: bool = False  # a screen with a text that the recording hides
    absent_hidden: bool = False  # an absence was looked for on such a screen
    is_exact: bool = True  # each step and call is the recorded one, in order
    excuse: Callable[[str], str] = lambda _text: ""  # what would make a text stable
    owner: Callable[[], str] = lambda: ""  # whose data is asked for now: before its name

    def __post_init__(self) -> None:
        self._own = Track(self.cassette.entries)
        self._tracks = [self._own]
        self.clock = TapeClock(self)
        self._step = ("", "")
        self._hidden = HiddenTexts(self.cassette.header.secrets, self.redactor)
        self._dumps: dict[tuple[int, int], bytes] = {}  # what each phone's session was shown last
        self._time = EPOCH
        self._count_from(EPOCH)
        self._before_fixture = (0, 0, self._step)
        self._entered = ""  # the test that the fixture is of which is set up now
        self._left: tuple[str, Track, tuple[float, float, int, float, float]] | None = None  # the one before
        self.set_up: set[str] = set()  # keys of the fixtures of a wider scope that the test stands on, and states
        self.sends = 0  # calls of this phase that may change a phone
        self._phones, self.hides = 0, False
        self._stands = False  # the replay had ended before what was asked for last
        self._asked: dict[str, int] = {}
        self._marks = (one for one in self.cassette.entries if one.method == STEP)
        self._shows_hidden = False  # the screen that was served last

    # --- time ----------------------------------------------------------------------------------------------
    @property
    def _track(self) -> Track:
        return self._tracks[-1]

    def read_clock(self) -> float:
        """The moment of the recording that this reading was made at, as long as it is one of the recording's."""
        track = self._track
        nows = track.entries[track.latest].nows if track.entries else ()
        least = self._base + self._since
        if self._read < len(nows):
            at = track.time(track.entries[track.latest].asked + nows[self._read])
            self._read += 1
            # Sleeps are as long as they were asked for at least; a tick is what rounding may take.
            self._time = max(self._time, at if at >= least - 2 / TICKS else least)
        else:
            self._since += NOTHING_TAKES_NO_TIME
            self._time = max(self._time, self._base + self._since)
        return self._time

    @property
    def epoch_ms(self) -> int:
        return self.cassette.header.epoch_ms

    def sleep(self, seconds: float) -> None:
        self._since += max(seconds, 0.0)
        self._slept_since += max(seconds, 0.0)

    def _due(self) -> float:
        """The moment that an answer has to be of: readings of the clock alone let none go by."""
        return self._base + self._slept_since - LATE

    def _now(self) -> float:
        return max(self._time, self._base + self._since)

    def _count_from(self, moment: float, *, read: int = 0) -> None:
        """A call begins or was answered: sleeps and readings of the clock count from there."""
        self._base, self._read = moment, read
        self._since = self._slept_since = 0.0

    # --- what the test does --------------------------------------------------------------------------------
    def next_phone(self, *, look: bool = False) -> int:
        """The number of the phone of the next session, in the order of the recording."""
        self._refuse_when_ended()
        numbers = self._numbers()
        if look and not numbers and self.cassette.phones:  # a fixture had it, which is set up next
            return 0
        if self._phones >= len(numbers):
            more = "one more phone than was recorded" if numbers else "a phone, and had none when it was recorded"
            self.end("beyond the recording", f"the test asks for {more}")
        self._phones += not look
        return numbers[self._phones - (not look)]

    def _numbers(self) -> list[int]:
        """Those of the test's own phones, or of the fixture's that is set up now."""
        if self.is_in_fixture:
            return sorted({one.phone for one in self._track.entries})
        return [at for at, one in enumerate(self.cassette.phones) if not one.test]

    def test_of(self, key: str) -> str:
        """The earlier test that a fixture was set up in."""
        phones = (self.cassette.phones[one.phone] for one in self.cassette.fixtures[key])
        return next((one.test for one in phones), "")

    def step(self, kind: str, title: str) -> None:
        """A step of the test begins."""
        self.steps += not self.is_in_fixture
        mark = None if self.is_in_fixture else next(self._marks, None)
        self._step = (kind, self.redactor.text(title))
        self.is_exact &= mark is not None and mark.args == self._step
        self._note_absence()

    def _note_absence(self) -> None:
        claimed = verb_of(self._step[1].partition(" ")[0])
        self.absent_hidden |= self._shows_hidden and claimed.proves == "absence"

    def phase(self, name: str) -> None:
        """A phase of pytest's begins: the rest of the one before is not asked for any more."""
        track = self._own
        self.sends, self._step = 0, ("", "")
        marks = (one for one in range(track.at, len(track.entries)) if track.entries[one].method == PHASE)
        found = (one for one in marks if track.entries[one].args[:1] == (name,))
        track.go(next(found, len(track.entries) - 1))

    def check_used(self, over: str) -> None:
        """Raises ``ReplayEnded`` where the recorded test went on to send something. ``over`` names the phase."""
        left = self._own.sends_left()
        if self.ended is None and left:
            more = f", and {len(left) - 1} more" if len(left) > 1 else ""
            self._diverge(self._own, left[0], f"nothing{more}: {over} is over")

    @property
    def left_out(self) -> str:
        """A fixture that had acted on the phone when the test was recorded, and is not asked for now; else ""."""
        acted = [key for key, tape in self.cassette.fixtures.items() if any(one.is_send for one in tape)]
        acted += [f"state {state.name}" for one in self.cassette.phones for state in one.states]
        return next((key for key in acted if key not in self.set_up), "")

    @property
    def unused(self) -> int:
        """Recorded calls of the test that no one asked for up to now, those of its teardown apart."""
        track = self._own
        return sum(not one.is_mark for one in track.entries[track.at + 1 : track.phase_end()])

    @property
    def other_action(self) -> str:
        """What was recorded in place of the action that the test is at, where that is another one; else ""."""
        (kind, title), track = self._step, self._track
        left = track.sends_left() if kind == "action" and track.title_of(track.at) != title else []
        then = track.title_of(left[0]) if left else ""
        return f"recorded {then}, asked {title}" if then not in ("", title) else ""

    @property
    def newest_step(self) -> str:
        return self._step[1]

    def secret(self, value: str) -> str:
        """What stands for a secret."""
        return self._hidden.secret(value)

    def text(self, value: str) -> str:
        """A text of the test's as the recorded screens have it."""
        return self._hidden.text(value)

    def typed(self, value: str) -> str:
        """The same of one that is typed next."""
        left = (self._track.entries[one] for one in self._track.sends_left())
        entry = next((one for one in left if one.method in TYPES_TEXT), None)
        if entry is not None and isinstance(entry.args[0], str):
            self._hidden.learn(value, entry.args[0])
        return self.text(value)

    @property
    def compared_hidden(self) -> bool:
        """Whether a text of the test's was compared with one that the recording hides."""
        return self._hidden.compared

    def value(self, name: str, make: Callable[[], Any], shown: str = "") -> Any:
        """The recorded value of that name, in place of a new one. Raises the error that came of making it."""
        key = f"{self.owner()}{name}"
        number = self._asked[key] = self._asked.get(key, 0) + 1
        return self.given(key if number == 1 else f"{key} {number}", shown or f"mobile.recorded({name!r})")

    def given(self, key: str, shown: str) -> Any:
        """A recorded value by its key. Raises ``ReplayEnded`` if there is none."""
        self._refuse_when_ended()
        if key not in self.cassette.values:
            self.end("beyond the recording", f"{shown} was not recorded")
        try:
            failure = failure_of(self.cassette.values[key])
            value = of_data(self.cassette.values[key]) if failure is None else None
        except ValueError as error:
            self.end("beyond the recording", f"{shown}: {error}")
        if failure is not None:
            raise failure
        return value

    def enter(self, key: str) -> bool:
        """From now on the calls are those of a fixture of a wider scope, as it was set up then. Whether it goes on
        with the sessions of the fixture before it, as it was set up in the same test."""
        entries, test = self.cassette.fixtures[key], self.test_of(key)
        self._before_fixture = (self._phones, self.sends, self._step)
        self._phones = 0
        goes_on = self._left is not None and self._left[0] == test
        if self._left is not None and goes_on:
            _, track, clock = self._left
            joined = (*track.entries, *entries)
            self._tracks.append(Track(joined, at=track.at, moved=track.moved, latest=track.latest))
            self._time, self._base, self._read, self._since, self._slept_since = clock
        else:
            self._tracks.append(Track(entries, at=-1, begins=True))
            self._count_from(self._now(), read=_NONE_LEFT)
        self._entered = test
        return goes_on

    @property
    def is_in_fixture(self) -> bool:
        return len(self._tracks) > 1

    def leave(self) -> None:
        """Back to the test's own. Raises ``ReplayEnded`` where the fixture did less than it was recorded to."""
        track = self._tracks.pop()
        left = track.sends_left()
        if self.ended is None and left:
            self._diverge(track, left[0], "nothing: the fixture is set up")
        clock = (self._time, self._base, self._read, self._since, self._slept_since)
        self._left = (self._entered, track, clock)
        self._count_from(self._now())
        self._phones, self.sends, self._step = self._before_fixture
        own = self._track
        own.be_late(self._base - own.time(own.entries[own.latest].end))

    # --- calls ---------------------------------------------------------------------------------------------
    def call(self, phone: int, method: str, args: tuple[Any, ...], ended: Callable[[Any], object] | None) -> Any:
        """The recorded answer. Raises the recorded error, or ``ReplayEnded``."""
        self._refuse_when_ended()
        kind = METHODS[method].kind
        track = self._track
        if track is self._own:
            self._left = None
        place = track.next_call()
        if place < len(track.entries):
            track.begin(self._now(), place)
        if place < len(track.entries) and self._is(track, place, phone, method, args):
            entry = track.entries[place]
            if kind is Kind.SEND or track.time(entry.asked) >= self._due():
                return self._serve(track, place, ended)
        if kind is Kind.SEND:
            return self._serve(track, self._next_send(track, phone, method, args), ended)
        self.is_exact = self.is_exact and kind is Kind.FREE
        later = self._later(track, phone, method, args)
        if kind is Kind.FREE:
            return None
        earlier = self._earlier(track, phone, method, args, track.episode() if kind is not Kind.STATIC else 0)
        if kind is Kind.STATIC and (known := earlier if earlier is not None else later) is not None:
            return self._answer(track.entries[known], None)
        if kind is Kind.FACT and earlier is not None and later is not None:
            same = track.entries[earlier].answer == track.entries[later].answer
            if same:
                return self._answer(track.entries[earlier], None)
        if later is not None:
            return self._serve(track, later, ended)
        if method in TYPES_TEXT:
            return None  # the text that is typed next decides
        return self._beyond(track, phone, method)

    def _is(self, track: Track, place: int, phone: int, method: str, args: tuple[Any, ...]) -> bool:
        entry = track.entries[place]
        same = entry.phone == phone or (track is not self._own and len(self._numbers()) == 1)
        return same and entry.method == method and not self._why_other(track, place, args)

    def _why_other(self, track: Track, place: int, args: tuple[Any, ...]) -> str:
        """Why the arguments are not the recorded ones, "" where they are."""
        entry = track.entries[place]
        if (hidden := hidden_in(entry)) is not None:
            same = self.hides and hidden == self._hidden.newest
            return "" if same else f"secret {hidden + 1} was recorded"
        asked = with_stand_ins(plain_args(entry.method, args), self._hidden.numbers)
        return why_other(entry, asked, self._hits(track, place), self.redactor)

    def _hits(self, track: Track, place: int) -> Callable[[], tuple[Hit, Hit] | None]:
        """The screens on which a recorded gesture and this one are aimed: as it was read last then, and now."""

        def hits() -> tuple[Hit, Hit] | None:
            entry = track.entries[place]
            earlier = reversed(track.entries[:place])
            before = next((one for one in earlier if one.is_dump and one.phone == entry.phone), None)
            shown = self._dumps.get((len(self._tracks), entry.phone)) or self._dumps.get((1, entry.phone))
            if before is None or shown is None:
                return None
            known = self.cassette.phones[entry.phone]
            return Hit(self._blob(before.answer["blob"]), known), Hit(shown, known)

        return hits

    def _later(self, track: Track, phone: int, method: str, args: tuple[Any, ...]) -> int | None:
        """The first recording of the same from now on, up to the next call that may change a phone."""
        now = self._due()
        for place in range(track.at + 1, track.limit()):
            due = track.time(track.entries[place].asked) >= now
            if due and self._is(track, place, phone, method, args):
                return place
        return None

    def _earlier(self, track: Track, phone: int, method: str, args: tuple[Any, ...], since: int) -> int | None:
        """The last one of the same before."""
        for place in range(min(track.at, len(track.entries) - 1), since, -1):
            if self._is(track, place, phone, method, args):
                return place
        return None

    def _next_send(self, track: Track, phone: int, method: str, args: tuple[Any, ...]) -> int:
        left, asked = track.sends_left(), shown_call(method, plain_args(method, args), self.redactor)
        if not left:
            self.end("beyond the recording", f"the recording ends before {self._step[1] or asked}")
        if not self._is(track, left[0], phone, method, args):
            self._diverge(track, left[0], asked, args)
        return left[0]

    def _serve(self, track: Track, place: int, ended: Callable[[Any], object] | None) -> Any:
        entry = track.entries[place]
        now = self._now()
        if entry.is_send:
            self.sends += 1
            track.be_late(now - track.time(entry.asked) - LATE)
        self._move(track, place)
        try:
            return self._answer(entry, ended)
        finally:
            self._base = max(self._time, track.time(entry.end))

    def _move(self, track: Track, place: int) -> None:
        """To a recorded call, as it was asked for."""
        track.serve(place)
        self._time = max(self._now(), track.time(track.entries[place].asked))
        self._count_from(self._time)

    def _answer(self, entry: Entry, ended: Callable[[Any], object] | None) -> Any:
        answer, annotation = entry.answer, METHODS[entry.method].answer
        if isinstance(answer, dict) and "error" in answer:
            raise self._error(answer["error"])
        if annotation is None:
            return None
        if isinstance(answer, dict) and "blob" in answer:
            data = self._blob(answer["blob"])
            if entry.method == "dump_hierarchy":
                self._dumps[len(self._tracks), entry.phone] = data
            return data.decode("utf-8", "replace").split("\n") if entry.method == "logs" else data
        if METHODS[entry.method].kind is Kind.PICTURE:
            self.end("beyond the recording", "the picture of this moment was not kept")
        if isinstance(answer, dict) and "ended" in answer:
            front, answer = answer["ended"], answer["returned"]
            if ended is not None:
                ended(convert(annotation, front))
        return convert(annotation, answer)

    def _error(self, facts: AnyMapping) -> Exception:
        """The recorded error. Raises ``ReplayEnded`` for one that says nothing about a phone, as an interrupt."""
        try:
            return error_of(facts)
        except ValueError:
            self.end("beyond the recording", f"the recorded call was ended by {facts.get('type')!r:.60}")

    def looks(self, phone: int) -> dict[Rect, Picture] | None:
        """What was made of a screenshot for look-alikes, in place of the picture. Raises ``DeviceError``."""
        self._refuse_when_ended()
        track = self._track
        place = self._later(track, phone, "screenshot", ())
        answer = track.entries[place].answer if place is not None else None
        if place is None or not isinstance(answer, dict) or not {"looks", "error"} & answer.keys():
            raise DeviceError("no picture of this moment was recorded", device=self.cassette.phones[phone].uri)
        self._move(track, place)
        self._base = max(self._time, track.time(track.entries[place].end))
        if "error" in answer:
            raise self._error(answer["error"])
        if answer["looks"] is None:
            raise DeviceError("the picture was of no use", device=self.cassette.phones[phone].uri)
        return looks_of(answer["looks"])

    def _blob(self, number: int) -> bytes:
        """A blob, with what stands for the test's secrets in the places of their masks."""
        name = self.cassette.blobs[number]
        try:
            data = self.blobs(name)
        except (OSError, ValueError) as error:
            self.end("beyond the recording", f"{name} of the recording cannot be read: {error}")
        masks = self.cassette.masks.get(str(number), ())
        self._shows_hidden = HIDDEN_TEXT in masks
        self.saw_hidden |= self._shows_hidden
        self._note_absence()
        return self._hidden.shown(data, masks) if masks else data

    # --- the end -------------------------------------------------------------------------------------------
    def end(self, verdict: ReplayVerdict, why: str) -> NoReturn:
        """The test has left the recording. Raises ``ReplayEnded``."""
        self._stands = self.ended is not None
        self.ended = self.ended or self.ending(why, verdict=verdict)
        raise self.ended

    def close(self) -> None:
        """The test is over: nothing is answered, and nothing judged."""
        self.ended = self.ended or self.ending("the test is over", verdict="beyond the recording")

    def withdraw(self) -> None:
        """What was asked for last was no part of any proof. What had ended the replay before that stands."""
        if not self._stands:
            self.ended = None

    def _refuse_when_ended(self) -> None:
        if self.ended is not None:
            self._stands = True
            raise self.ended

    def _diverge(self, track: Track, place: int, asked: str, args: tuple[Any, ...] = ()) -> NoReturn:
        """``asked`` is the call that would be sent in place of the recorded one, or "nothing"."""
        entry, now = track.entries[place], self._step[1]
        then, call = track.title_of(place), shown_call(entry.method, entry.args, self.redactor)
        if asked.startswith("nothing"):
            self.end("diverged", f"recorded {then or call}, asked {asked}")
        if call.replace("'", "") == asked.replace("'", ""):
            asked += " with another secret" if MASK in call else " on another phone"
        titles = then != now and then and now
        lines = [f"recorded {then}, asked {now}" if titles else f"recorded {call}, asked {asked}"]
        if titles:
            lines.append(f"The phone was sent {call}, and would be sent {asked}.")
        lines += filter(None, (self.excuse(one) for one in args if isinstance(one, str)))
        self.end("diverged", "\n".join(lines))

    def _beyond(self, track: Track, phone: int, method: str) -> NoReturn:
        """Nothing was recorded to answer this. An action that was another one at this place has diverged."""
        title, left = self._step[1], track.sends_left()
        if other := self.other_action:
            self.end("diverged", other)
        last = track.entries[track.latest].end / TICKS if track.entries else 0.0
        before = "the next action" if left else "its end"
        after = self._now() - EPOCH - track.moved
        what = "the screen" if method == "dump_hierarchy" else method.replace("_", " ")
        self.end(
            "beyond the recording",
            f"{title or 'the test'}: {what} was not recorded from {max(after, last):.1f} s on, up to {before}",
        )
