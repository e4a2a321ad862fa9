"""Recording: what a session asks its phones and its clock, while the test runs. It only watches."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..drivers import METHODS, Driver, Kind, PictureListener, Relay
from ..errors import ReplicantError
from ..model import AnyDict, AnyMapping, Clock, Picture, Rect
from .tape import (
    PHASE,
    REPORT,
    STEP,
    TICKS,
    TYPES_TEXT,
    Entry,
    RecordedPhone,
    digest_of,
    error_facts,
    plain_args,
    taped,
)
from .values import made_and_kept

EPOCH = 1_000.0
"""What the clock of a session shows when its tape begins, in seconds."""
HIDDEN = "hidden"
"""In place of typed text: the key of the secret's number."""
Answer = Callable[[Sequence[Any], Mapping[str, Any]], Any]
_PACKED = 1  # of zlib: fast


class TapeClock:
    """The clock of sessions on a tape, in whole ticks. ``began_ms`` is when the tape begins, since
    1970."""

    began_ms: int

    def now(self) -> float:
        raise NotImplementedError

    def epoch_ms(self) -> int:
        ticks = round((self.now() - EPOCH) * TICKS)
        return self.began_ms + ticks * 1000 // TICKS


class Recording(TapeClock):
    """The tape of one attempt of one test while it is made; all of its sessions share it, and have
    it as clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._zero = clock.now()
        self.began_ms = clock.epoch_ms()
        self.phones: list[RecordedPhone] = []
        self.values: AnyDict = {}
        self.owner: Callable[[], str] = lambda: ""  # whose data is made now: before its name
        self.own_fixtures: set[str] = set()  # of a wider scope, that were set up on this tape
        self.hides = False  # a secret is typed now
        self.secrets: dict[str, int] = {}  # the test's own, in the clear, by their places
        self._newest_secret = 0
        self.newest_step = ""  # the title of the one that began last in this phase
        self.sends = 0  # calls so far that may change a phone, in this phase
        self._calls = [Entry(0, PHASE, 0, 0, ("setup",), None)]
        self._nows: dict[int, list[int]] = {}  # of each call, by its place
        self._latest = 0  # the place of the newest call
        self._blobs: dict[str, bytes] = {}

    def ticks(self) -> int:
        return max(int((self._clock.now() - self._zero) * TICKS), 0)

    def now(self) -> float:
        """As the session sees it: in whole ticks, which a replay returns."""
        now = self.ticks()
        nows = self._nows.setdefault(self._latest, [])
        nows.append(now - self._calls[self._latest].asked)
        return EPOCH + now / TICKS

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    # --- what a session does ----------------------------------------------------------------------
    def phone(self, driver: Driver, **facts: Any) -> Driver:
        """A driver that is recorded; ``facts`` are further fields of its ``RecordedPhone``."""
        known = RecordedPhone(
            driver.uri, driver.info, driver.capabilities, driver.traits, driver.system_dialogs
        )
        self.phones.append(replace(known, **facts))
        return RecordingDriver(driver, self, len(self.phones) - 1)

    def step(self, kind: str, title: str) -> None:
        """A step of the test begins."""
        self.hides, self.newest_step = False, title
        self._mark(STEP, kind, title)

    def phase(self, name: str) -> None:
        """A phase of pytest's begins."""
        if name not in REPORT:
            self.sends, self.newest_step = 0, ""
        self._mark(PHASE, name)

    def secret(self, value: str) -> str:
        """Notes a secret that a session is given; the session works with what this returns."""
        self._newest_secret = self.secrets.setdefault(value, len(self.secrets))
        return value

    def text(self, value: str) -> str:
        return value

    typed = text

    def value(self, name: str, make: Callable[[], Any]) -> Any:
        """What ``make`` returns, kept under the name; a name that was used before counts on."""
        return made_and_kept(self.values, f"{self.owner()}{name}", name, make)

    def _mark(self, method: str, *args: str) -> None:
        self._calls.append(Entry(0, method, self.ticks(), 0, args, None))

    @property
    def length(self) -> int:
        """How much was recorded, by which a part of it is cut out later."""
        return len(self._calls)

    def call(
        self, phone: int, method: str, args: Sequence[Any], named: AnyMapping, answer: Answer
    ) -> Any:
        """What ``answer`` returns or raises when it is given these arguments, as a call of that
        phone's driver."""
        given = plain_args(method, (*args, *named.values()))
        if self.hides and method in TYPES_TEXT:
            given = ({HIDDEN: self._newest_secret},)
        place = self._latest = len(self._calls)
        made = Entry(phone, method, self.ticks(), 0, given, None)
        self._calls.append(made)
        self.sends += METHODS[method].kind is Kind.SEND
        before: list[Any] = [None]  # what a cold start says was in front
        ended = named.get("ended")
        if ended:

            def note_front(front: object) -> None:
                before.append(front)
                ended(front)

            named = {**named, "ended": note_front}
        kept: Any = None
        try:
            answered = answer(args, named)
            kept = self._answer(method, answered)
            if ended:
                kept = {"ended": taped(before[-1]), "returned": kept}
        except ReplicantError as error:
            kept = {"error": error_facts(error)}
            raise
        except BaseException as error:
            kept = {"error": {"type": type(error).__name__, "message": ""}}
            raise
        finally:
            took = max(self.ticks() - made.asked, 0)
            self._calls[place] = made._replace(took=took, answer=kept)
        return answered

    def _answer(self, method: str, answer: Any) -> Any:
        kind, annotation, _ = METHODS[method]
        if kind is Kind.PICTURE:
            return None  # until whoever took it has painted over its secrets
        if annotation is bytes:
            if not isinstance(answer, bytes):
                answer = "\n".join(answer).encode("utf-8", "surrogatepass")
            return {"blob": self.keep(answer)}
        if method == "true_texts" and answer is not None:
            answer = map(tuple, answer)
            return list(map(taped, answer))
        return taped(answer)

    def keep(self, data: bytes) -> str:
        """The digest of a blob that the tape has from now on."""
        digest = digest_of(data)
        if digest not in self._blobs:
            self._blobs[digest] = zlib.compress(data, _PACKED)
        return digest

    def note(self, answer: AnyDict) -> None:
        """In place of the screenshot that was taken last: what may be kept of it, or what was made
        of it."""
        self._calls[self._latest] = self._calls[self._latest]._replace(answer=answer)

    # --- its content ------------------------------------------------------------------------------
    def entries(self, start: int = 0) -> tuple[Entry, ...]:
        """From that place on."""
        places = range(start, len(self._calls))
        return tuple(self._calls[at]._replace(nows=tuple(self._nows.get(at, ()))) for at in places)

    def blob(self, digest: str) -> bytes:
        return zlib.decompress(self._blobs[digest])

    def packed_blobs(self, entries: Iterable[Entry]) -> dict[str, bytes]:
        """Those of these calls, as ``blob_of`` reads them."""
        return {name: self._blobs[name] for name in blobs_in(entries)}

    def withdraw(self) -> None:
        """A recording has no end."""


def blobs_in(entries: Iterable[Entry]) -> list[str]:
    """The digests of their blobs, each once, in order."""
    return list(dict.fromkeys(one.answer["blob"] for one in entries if one.has("blob")))


def renumbered(entry: Entry, numbers: Sequence[int]) -> Entry:
    """The call with other numbers of the secrets that it typed."""
    args = [*entry.args]
    for at, one in enumerate(args):
        if isinstance(one, dict) and HIDDEN in one:
            args[at] = {HIDDEN: numbers[one[HIDDEN]]}
    return entry._replace(args=tuple(args))


class RecordingDriver(Relay):
    """A driver, with all that a session asks of it on a tape."""

    def __init__(self, driver: Driver, recording: Recording, phone: int) -> None:
        super().__init__(driver)
        self._recording = recording
        self._phone = phone

    def _ask(self, verb: str, args: Sequence[Any], named: AnyMapping) -> Any:
        return self._recording.call(self._phone, verb, args, named, partial(super()._ask, verb))

    @property
    def listener(self) -> PictureListener:
        return _Listener(self._driver, self._recording)


class _Listener(PictureListener):
    def __init__(self, driver: Driver, recording: Recording) -> None:
        super().__init__(driver)
        self._recording = recording

    def note_picture(self, png: bytes) -> None:
        self._recording.note({"blob": self._recording.keep(png)})

    def note_looks(self, pictures: Mapping[Rect, Picture] | None) -> None:
        self._recording.note({"looks": looks_facts(pictures)})


def looks_facts(pictures: Mapping[Rect, Picture] | None) -> Any:
    """Pictures of look-alikes as JSON: those of one screenshot share ``among`` and ``lit``."""
    if pictures is None:
        return None
    some = next(iter(pictures.values()), None)
    among = some.among if some else ()
    places = [place for _, place in among]
    return {
        "lit": some.lit.hex() if some else "",
        "among": [[list(place), look.hex()] for look, place in among],
        "own": [list(place) for place in pictures if place in places],
    }


def looks_of(facts: Any) -> dict[Rect, Picture] | None:
    """Those pictures again. Raises ``ValueError``, ``TypeError``, ``LookupError`` for anything
    else."""
    if facts is None:
        return None
    among = tuple((bytes.fromhex(look), Rect(*map(int, place))) for place, look in facts["among"])
    looks = {place: look for look, place in among}
    lit = bytes.fromhex(facts["lit"])
    own = [Rect(*map(int, place)) for place in facts["own"]]
    return {place: Picture(looks[place], place, among, lit) for place in own}
