"""Replaying: a test's present code against what the phones showed and were sent when it was
recorded.

Each question is answered from the tape, each moment once and in the order of time, or not at all:
the last screen is never served for ever. As long as a test asks what was asked, in the same order,
its session reads the clock of the recording. Where it asks something else, a read is answered by
the next recording of the same before the next call that may have changed the phone, and the clock
goes on to there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple, NoReturn

from ..drivers import METHODS, Kind
from ..errors import DeviceError, ReplayEnded
from ..model import MASK, AnyMapping, Picture, Rect, Redactor, ReplayVerdict, convert, verb_of
from .matching import Hit, hidden_in, same_call, shown_call
from .recording import EPOCH, TapeClock, looks_of
from .tape import (
    HIDDEN_TEXT,
    PHASE,
    REPORT,
    STEP,
    TICKS,
    TYPES_TEXT,
    Blobs,
    Cassette,
    Entry,
    between,
    error_of,
    plain_args,
    stand_in,
    with_stand_ins,
)
from .values import failure_of, of_data

LATE = 0.001
"""Seconds by which a question may be later than when it was recorded."""
NOTHING_TAKES_NO_TIME = 0.0001
"""Seconds by which the clock goes on with a reading that the recording does not have."""

_NONE_LEFT = 1 << 30


@dataclass
class Replay(TapeClock):
    """The replay of one attempt of one test, and the clock of its sessions. ``redactor`` knows its
    secrets.

    ``ending`` is raised where the recording has no answer, and ``ended`` is set once the test has
    left it: nothing is answered any more. ``steps`` counts the steps that began, ``slept`` the
    seconds that the test itself slept.
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
        self._own = _Track(self.cassette.entries)
        self._tracks = [self._own]
        self.began_ms = self.cassette.header.epoch_ms
        self._step = ("", "")
        self.hidden = HiddenTexts(self.cassette.header.secrets, self.redactor)
        self._dumps: dict[tuple[int, int], bytes] = {}  # what each phone's session was shown last
        self._before_fixture = (0, 0, self._step)
        self._entered = ""  # the test that the fixture is of which is set up now
        self._left: tuple[str, _Track] | None = None  # the one before
        self.set_up: set[str] = set()  # keys of wider fixtures that the test stands on, and states
        self.sends = 0  # calls of this phase that may change a phone
        self._phones, self.hides = 0, False
        self._stands = False  # the replay had ended before what was asked for last
        self._asked: dict[str, int] = {}
        self._marks = (one.args for one in self.cassette.entries if one.method == STEP)
        self._shows_hidden = False  # the screen that was served last

    # --- time -------------------------------------------------------------------------------------
    @property
    def _track(self) -> _Track:
        return self._tracks[-1]

    def now(self) -> float:
        return self._track.tick()

    def sleep(self, seconds: float) -> None:
        self._track.sleep(seconds)

    # --- what the test does -----------------------------------------------------------------------
    def next_phone(self, *, look: bool = False) -> int:
        """The number of the phone of the next session, in the order of the recording."""
        self._refuse_when_ended()
        numbers = self._numbers()
        if look and not numbers and self.cassette.phones:  # a fixture had it, which is set up next
            return 0
        if self._phones >= len(numbers):
            more = (
                "one more phone than was recorded"
                if numbers
                else "a phone, and had none when it was recorded"
            )
            self.end("beyond the recording", f"the test asks for {more}")
        number = numbers[self._phones]
        self._phones += not look
        return number

    def _numbers(self) -> list[int]:
        """Those of the test's own phones, or of the fixture's that is set up now."""
        if self.is_in_fixture:
            return sorted({one.phone for one in self._track.entries})
        return [at for at, one in enumerate(self.cassette.phones) if not one.test]

    def test_of(self, key: str) -> str:
        """The earlier test that a fixture was set up in."""
        for one in self.cassette.fixtures[key]:
            return self.cassette.phones[one.phone].test
        return ""

    def step(self, kind: str, title: str) -> None:
        """A step of the test begins."""
        self._step = (kind, self.redactor.text(title))
        recorded: Any = None
        if not self.is_in_fixture:
            self.steps += 1
            recorded = next(self._marks, None)
        self.is_exact &= recorded == self._step
        self._note_absence()

    def _note_absence(self) -> None:
        verb = self._step[1].partition(" ")[0]
        self.absent_hidden |= self._shows_hidden and verb_of(verb).proves == "absence"

    def phase(self, name: str) -> None:
        """A phase of pytest's begins: the rest of the one before is not asked for any more."""
        if name not in REPORT:
            self.sends, self._step = 0, ("", "")
        self._own.go(name)

    def check_used(self, over: str) -> None:
        """Raises ``ReplayEnded`` if the recorded test went on to send something. ``over`` names the
        phase."""
        left = self._own.sends_left()
        if not self.ended and left:
            more = f", and {len(left) - 1} more" if len(left) > 1 else ""
            self._diverge(self._own, left[0], f"nothing{more}: {over} is over")

    @property
    def left_out(self) -> str:
        """A fixture that had acted on the phone when the test was recorded, and is not asked for
        now; else ""."""
        for key, tape in self.cassette.fixtures.items():
            if key not in self.set_up and any(one.is_send for one in tape):
                return key
        for phone in self.cassette.phones:
            for state in phone.states:
                if f"state {state.name}" not in self.set_up:
                    return f"state {state.name}"
        return ""

    @property
    def unused(self) -> int:
        """Recorded calls of the test that no one asked for up to now, those of its teardown
        apart."""
        track = self._own
        return sum(not one.is_mark for one in track.entries[track.at + 1 : track.phase_end()])

    @property
    def other_action(self) -> str:
        """What was recorded in place of the action that the test is at, where that is another one;
        else ""."""
        (kind, title), track = self._step, self._track
        left = track.sends_left()
        if kind == "action" and left and track.title_of(track.at) != title:
            then = track.title_of(left[0])
            if then not in ("", title):
                return f"recorded {then}, asked {title}"
        return ""

    @property
    def newest_step(self) -> str:
        return self._step[1]

    def secret(self, value: str) -> str:
        """What stands for a secret."""
        return self.hidden.secret(value)

    def text(self, value: str) -> str:
        """A text of the test's as the recorded screens have it."""
        return self.hidden.text(value)

    def typed(self, value: str) -> str:
        """The same of one that is typed next."""
        for place in self._track.sends_left():
            entry = self._track.entries[place]
            if entry.method in TYPES_TEXT:
                if isinstance(entry.args[0], str):
                    self.hidden.learn(value, entry.args[0])
                break
        return self.text(value)

    def value(self, name: str, make: Callable[[], Any], shown: str = "") -> Any:
        """The recorded value of that name, in place of a new one. Raises the error that came of
        making it."""
        key = f"{self.owner()}{name}"
        number = self._asked[key] = self._asked.get(key, 0) + 1
        return self.given(
            key if number == 1 else f"{key} {number}", shown or f"mobile.recorded({name!r})"
        )

    def given(self, key: str, shown: str) -> Any:
        """A recorded value by its key. Raises ``ReplayEnded`` if there is none."""
        self._refuse_when_ended()
        if key not in self.cassette.values:
            self.end("beyond the recording", f"{shown} was not recorded")
        failure = failure_of(self.cassette.values[key])
        if failure:
            raise failure
        return of_data(self.cassette.values[key])

    def enter(self, key: str) -> bool:
        """From now on the calls are those of a fixture of a wider scope, as it was set up then.
        Whether it goes on with the sessions of the fixture before it, as it was set up in the same
        test."""
        entries, test = self.cassette.fixtures[key], self.test_of(key)
        self._before_fixture = (self._phones, self.sends, self._step)
        self._phones = 0
        left, now = self._left, self._track.now()
        self._entered = test
        if left and left[0] == test:
            left[1].extend(entries)
            self._tracks.append(left[1])
            return True
        self._tracks.append(
            _Track(entries, at=-1, begins=True, reached=now, base=now, read=_NONE_LEFT)
        )
        return False

    @property
    def is_in_fixture(self) -> bool:
        return len(self._tracks) > 1

    def leave(self) -> None:
        """Back to the test's own. Raises ``ReplayEnded`` if the fixture did less than it was
        recorded to."""
        track = self._tracks.pop()
        left = track.sends_left()
        if not self.ended and left:
            self._diverge(track, left[0], "nothing: the fixture is set up")
        self._left = self._entered, track
        self._phones, self.sends, self._step = self._before_fixture
        self._own.take_over(track)

    # --- calls ------------------------------------------------------------------------------------
    def call(
        self, phone: int, method: str, args: tuple[Any, ...], ended: Callable[[Any], object] | None
    ) -> Any:
        """The recorded answer. Raises the recorded error, or ``ReplayEnded``."""
        self._refuse_when_ended()
        asked, kind, track = _Asked(phone, method, args, ended), METHODS[method].kind, self._track
        if track is self._own:
            self._left = None
        place = track.next(lambda one: one.method != STEP)
        if place < len(track.entries):
            track.begin(place)
            in_time = kind is Kind.SEND or track.time(track.entries[place].asked) >= track.due()
            if in_time and self._is(place, asked):
                return self._serve(place, asked)
        if kind is Kind.SEND:
            return self._serve(self._next_send(asked), asked)
        if kind is Kind.FREE:
            return None
        self.is_exact = False
        later, earlier = self._later(asked), self._earlier(asked)
        if kind is Kind.STATIC and (known := earlier or later):
            return self._answer(known[1], asked)
        if not later:
            # the text that is typed next decides
            return None if method in TYPES_TEXT else self._beyond(asked)
        if kind is Kind.FACT and earlier and earlier[1].answer == later[1].answer:
            return self._answer(earlier[1], asked)
        return self._serve(later[0], asked)

    def _is(self, place: int, asked: _Asked) -> bool:
        """Whether that entry is of the same call, on the same phone."""
        track = self._track
        entry = track.entries[place]
        same = entry.phone == asked.phone or (track is not self._own and len(self._numbers()) == 1)
        if not same or entry.method != asked.method:
            return False
        if (hidden := hidden_in(entry)) is not None:
            return self.hides and hidden == self.hidden.newest
        args = with_stand_ins(plain_args(entry.method, asked.args), self.hidden.numbers)
        return same_call(entry, args, lambda: self._hits(place), self.redactor)

    def _hits(self, place: int) -> tuple[Hit, Hit] | None:
        """The screens on which a recorded gesture and this one are aimed: as it was read last then,
        and now."""
        entries = self._track.entries
        phone = entries[place].phone
        shown = self._dumps.get((len(self._tracks), phone)) or self._dumps.get((1, phone))
        for before in reversed(entries[:place]):
            if shown is not None and before.is_dump and before.phone == phone:
                known = self.cassette.phones[phone]
                return Hit(self._blob(before.answer["blob"]), known), Hit(shown, known)
        return None

    def _later(self, asked: _Asked) -> _Placed | None:
        """The first recording of the same from now on, up to the next call that may change a
        phone."""
        track = self._track
        end = track.next(lambda one: one.method == PHASE or one.is_send)
        for place in range(track.at + 1, end):
            entry = track.entries[place]
            if track.time(entry.asked) >= track.due() and self._is(place, asked):
                return place, entry
        return None

    def _earlier(self, asked: _Asked) -> _Placed | None:
        """The last one of the same before; of what a call may change, since the last such call."""
        entries = self._track.entries
        for place in range(min(self._track.at, len(entries) - 1), 0, -1):
            entry = entries[place]
            if self._is(place, asked):
                return place, entry
            is_static = METHODS[asked.method].kind is Kind.STATIC
            if not is_static and (entry.method == PHASE or entry.is_send):
                break
        return None

    def _next_send(self, asked: _Asked) -> int:
        track = self._track
        left = track.sends_left()
        call = shown_call(asked.method, plain_args(asked.method, asked.args), self.redactor)
        if not left:
            self.end("beyond the recording", f"the recording ends before {self._step[1] or call}")
        if not self._is(left[0], asked):
            self._diverge(track, left[0], call, asked.args)
        return left[0]

    def _serve(self, place: int, asked: _Asked) -> Any:
        track = self._track
        entry = track.entries[place]
        if entry.is_send:
            self.sends += 1
            track.be_late(track.now() - track.time(entry.asked) - LATE)
        track.serve(place)
        try:
            return self._answer(entry, asked)
        finally:
            track.end()

    def _answer(self, entry: Entry, asked: _Asked) -> Any:
        answer, annotation = entry.answer, METHODS[entry.method].answer
        if entry.has("error"):
            raise self._error(answer["error"])
        if annotation is None:
            return None
        if entry.has("blob"):
            data = self._blob(answer["blob"])
            if entry.method == "dump_hierarchy":
                self._dumps[len(self._tracks), entry.phone] = data
            return data.decode("utf-8", "replace").split("\n") if entry.method == "logs" else data
        if METHODS[entry.method].kind is Kind.PICTURE:
            self.end("beyond the recording", "the picture of this moment was not kept")
        if entry.has("ended"):
            front, answer = answer["ended"], answer["returned"]
            if asked.ended:
                asked.ended(convert(annotation, front))
        return convert(annotation, answer)

    def _error(self, facts: AnyMapping) -> Exception:
        """The recorded error. Raises ``ReplayEnded`` for one that says nothing about a phone, as an
        interrupt."""
        try:
            return error_of(facts)
        except ValueError:
            self.end(
                "beyond the recording", f"the recorded call was ended by {facts.get('type')!r:.60}"
            )

    def looks(self, phone: int) -> dict[Rect, Picture] | None:
        """What was made of a screenshot for look-alikes, in place of the picture. Raises
        ``DeviceError``."""
        self._refuse_when_ended()
        track = self._track
        uri = self.cassette.phones[phone].uri
        found = self._later(_Asked(phone, "screenshot", ()))
        if not found or not (found[1].has("looks") or found[1].has("error")):
            raise DeviceError("no picture of this moment was recorded", device=uri)
        place, entry = found
        track.serve(place)
        track.end()
        if entry.has("error"):
            raise self._error(entry.answer["error"])
        looks = looks_of(entry.answer["looks"])
        if looks is None:
            raise DeviceError("the picture was of no use", device=uri)
        return looks

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
        return self.hidden.shown(data, masks) if masks else data

    # --- the end ----------------------------------------------------------------------------------
    def end(self, verdict: ReplayVerdict, why: str) -> NoReturn:
        """The test has left the recording. Raises ``ReplayEnded``."""
        self._stands = self.ended is not None
        self.ended = self.ended or self.ending(why, verdict=verdict)
        raise self.ended

    def close(self) -> None:
        """The test is over: nothing is answered, and nothing judged."""
        self.ended = self.ended or self.ending("the test is over", verdict="beyond the recording")

    def withdraw(self) -> None:
        """What was asked for last was no part of any proof. What had ended the replay before that
        stands."""
        if not self._stands:
            self.ended = None

    def _refuse_when_ended(self) -> None:
        if self.ended:
            self._stands = True
            raise self.ended

    def _diverge(
        self, track: _Track, place: int, asked: str, args: tuple[Any, ...] = ()
    ) -> NoReturn:
        """``asked`` is the call that would be sent in place of the recorded one, or "nothing"."""
        entry, now = track.entries[place], self._step[1]
        then, call = track.title_of(place), shown_call(entry.method, entry.args, self.redactor)
        if asked.startswith("nothing"):
            self.end("diverged", f"recorded {then or call}, asked {asked}")
        if call.replace("'", "") == asked.replace("'", ""):
            asked += " with another secret" if MASK in call else " on another phone"
        titles = then != now and then and now
        lines = [f"recorded {call}, asked {asked}"]
        if titles:
            sent = f"The phone was sent {call}, and would be sent {asked}."
            lines = [f"recorded {then}, asked {now}", sent]
        lines += filter(None, (self.excuse(one) for one in args if isinstance(one, str)))
        self.end("diverged", "\n".join(lines))

    def _beyond(self, asked: _Asked) -> NoReturn:
        """Nothing was recorded to answer this. An action that was another one at this place has
        diverged."""
        track = self._track
        title, left = self._step[1], track.sends_left()
        if other := self.other_action:
            self.end("diverged", other)
        after = track.now() - EPOCH - track.moved
        if track.entries:
            after = max(after, track.entries[track.latest].end / TICKS)
        before = "the next action" if left else "its end"
        what = "the screen" if asked.method == "dump_hierarchy" else asked.method.replace("_", " ")
        self.end(
            "beyond the recording",
            f"{title or 'the test'}: {what} was not recorded from {max(after, 0):.1f} s on, up "
            f"to {before}",
        )


class _Asked(NamedTuple):
    """A call that is asked for."""

    phone: int
    method: str
    args: tuple[Any, ...]
    ended: Callable[[Any], object] | None = None


_Placed = tuple[int, Entry]


@dataclass
class _Track:
    """A tape with the place and the moment that the replay has come to: ``at`` is the last entry
    that was served, ``moved`` the seconds by which the replay is later than the recording,
    ``reached`` the latest reading of the clock. Since the moment ``base``, at which a call began or
    was answered, the clock was ``read`` so often, ``since`` seconds went by, and ``slept`` of them
    were slept."""

    entries: Sequence[Entry]
    at: int = 0
    moved: float = 0.0
    latest: int = 0  # the last call that was served, by its place
    begins: bool = False  # with the first call, whenever that comes
    reached: float = EPOCH
    base: float = EPOCH
    read: int = 0
    since: float = 0.0
    slept: float = 0.0

    def time(self, ticks: int) -> float:
        return EPOCH + self.moved + ticks / TICKS

    def tick(self) -> float:
        """A reading of the clock: the moment of the recording that it was made at, as long as it is
        one of the recording's."""
        nows = self.entries[self.latest].nows if self.entries else ()
        least = self.base + self.since
        if self.read < len(nows):
            at = self.time(self.entries[self.latest].asked + nows[self.read])
            self.read += 1
            # Sleeps are as long as they were asked for at least; a tick is what rounding may take.
            if at < least - 2 / TICKS:
                at = least
        else:
            self.since += NOTHING_TAKES_NO_TIME
            at = self.base + self.since
        self.reached = max(self.reached, at)
        return self.reached

    def sleep(self, seconds: float) -> None:
        self.since += max(seconds, 0.0)
        self.slept += max(seconds, 0.0)

    def due(self) -> float:
        """The moment that an answer has to be of: readings of the clock alone let none go by."""
        return self.base + self.slept - LATE

    def now(self) -> float:
        return max(self.reached, self.base + self.since)

    def _count_from(self, moment: float) -> None:
        self.base, self.read = moment, 0
        self.since = self.slept = 0.0

    def extend(self, entries: Sequence[Entry]) -> None:
        self.entries = (*self.entries, *entries)

    def take_over(self, other: _Track) -> None:
        """Goes on at the moment that another one has come to."""
        self.reached = other.reached
        self._count_from(other.now())
        self.be_late(self.base - self.time(self.entries[self.latest].end))

    def go(self, phase: str) -> None:
        """Goes on from where that phase began."""
        while self.at < len(self.entries) - 1:
            if self.entries[self.at].method == PHASE and self.entries[self.at].args == (phase,):
                break
            self.at += 1

    def serve(self, place: int) -> None:
        """That call was asked for, and is served."""
        self.at = self.latest = place
        self.reached = max(self.now(), self.time(self.entries[place].asked))
        self._count_from(self.reached)

    def end(self) -> None:
        """The call that is served was answered."""
        self.base = max(self.reached, self.time(self.entries[self.latest].end))

    def begin(self, place: int) -> None:
        """The first call is asked for now, if it is the first one."""
        if self.begins:
            self.begins, self.moved = False, self.now() - EPOCH - self.entries[place].asked / TICKS

    def be_late(self, seconds: float) -> None:
        """The replay is later than the recording by that much more."""
        self.moved += max(seconds, 0.0)

    def phase_end(self) -> int:
        return self.next(lambda one: one.method == PHASE)

    def next(self, wanted: Callable[[Entry], bool]) -> int:
        """The place of the next such entry, or the end."""
        places = range(self.at + 1, len(self.entries))
        return next((one for one in places if wanted(self.entries[one])), len(self.entries))

    def sends_left(self) -> list[int]:
        """Those of this phase that no one has asked for."""
        return [one for one in range(self.at + 1, self.phase_end()) if self.entries[one].is_send]

    def title_of(self, place: int) -> str:
        """Of the step that a call belongs to."""
        for entry in reversed(self.entries[: place + 1]):
            if entry.method == STEP:
                return str(entry.args[1])
            if entry.method == PHASE:
                break
        return ""


# --- what stands for texts that the recording does not show ---------------------------------------


class HiddenTexts:
    """Secrets and what patterns hide. ``lengths`` are those of the recorded secrets, by their
    numbers; ``newest`` is the number of the secret that the test used last, ``compared`` whether it
    has compared a hidden text."""

    def __init__(self, lengths: Sequence[int], redactor: Redactor) -> None:
        self.newest = 0
        self.compared = False
        self._lengths = lengths
        self._redactor = redactor
        self._patterns = redactor.without_secrets()
        self.numbers: dict[str, int] = {}  # of the secrets so far, in the clear
        self._used: dict[str, str] = {}
        self._own = 0

    def secret(self, value: str) -> str:
        """What stands for a secret: itself, or where the one that was recorded in its place had
        another length, letters that no screen shows."""
        if value not in self.numbers:
            self.numbers[value] = self._own
            self._own += 1
        number = self.newest = self.numbers[value]
        length = self._lengths[number] if number < len(self._lengths) else len(value)
        used = self._used[value] = value if len(value) == length else stand_in(number) * length
        self._redactor.add(value)
        self._redactor.add(used)
        return used

    def text(self, value: str) -> str:
        """A text of the test's as the recorded screens have it: without what patterns hide."""
        known = [one for one in self._used if one and one in value]
        if not known:
            hidden = self._patterns.text(value)
            self.compared |= hidden != value
            return hidden
        longest = map(re.escape, sorted(known, key=len, reverse=True))
        parts = re.split(f"({'|'.join(longest)})", value)
        return "".join(
            self._used[one] if one in self._used else self._patterns.text(one) for one in parts
        )

    def learn(self, text: str, recorded: str) -> None:
        """Of a plain text with a secret of another test, what was hidden in it. ``recorded`` is how
        it was typed then, with a letter that stands for the secret."""
        numbers = [one for one in range(len(self._lengths)) if stand_in(one) in recorded]
        found = between(recorded.split(stand_in(numbers[0])), text) if len(numbers) == 1 else None
        if not found or {*found} != {found[0]} or len(found[0]) != self._lengths[numbers[0]]:
            return
        known = {number: value for value, number in self.numbers.items()}
        hidden = found[0]
        if known.get(numbers[0], hidden) == hidden:  # else it is another text than it was before
            self.numbers.setdefault(hidden, numbers[0])
            self._used.setdefault(hidden, hidden)
            self._redactor.add(hidden)
            self.compared = True

    def shown(self, data: bytes, masks: Sequence[int]) -> bytes:
        """A blob with what stands for the secrets in the places of their ``masks``."""
        parts = data.decode("utf-8", "surrogateescape").split(MASK)
        used = {one: stand_in(one) * length for one, length in enumerate(self._lengths)}
        used |= {number: self._used[value] for value, number in self.numbers.items()}
        whole = parts[0]
        for number, part in zip_longest(masks[: len(parts) - 1], parts[1:]):
            whole += f"{used.get(number, MASK)}{part}"
        return whole.encode("utf-8", "surrogateescape")
