"""The values that a cassette is made of, as they stand in ``cassette.json.gz``, and the methods of
a driver that it records. Everything here is plain JSON, and may be anybody's when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from .. import errors
from ..drivers import METHODS, Capability, DeviceInfo, Kind, SystemDialogs, Traits
from ..model import SHORT, AnyDict, AnyMapping, Redactor, Strings, encode, json_schema, plain
from ..redaction import KEY, Place, every_value, masked_value, masks_of, walked

FILE_NAME = "cassette.json.gz"
Blobs = Callable[[str], bytes]
"""The content of a blob of a cassette, by its file name. Raises ``OSError``, ``ValueError``."""
TICKS = 10_000
"""Of a second: times on a tape are whole ticks since it began."""

LONGEST_SECRET = 10_000
"""Characters. A test's own secrets are shorter; what stands for them is made as long as the file
says."""
BLOB = re.compile(r"([0-9a-f]{32})\.(?:xml\.gz|json\.gz|txt\.gz|png)")

VERBS: Mapping[str, Capability] = {
    "appearance": Capability.STYLE,
    "cold_start": Capability.COLD_START,
    "is_drawn": Capability.DRAWN,
    "replace_text": Capability.REPLACE_TEXT,
    "true_texts": Capability.NONE,
}
"""Methods that a phone of an earlier recording has where it names them, and now has by a
capability."""
SHORTCUTS = ("cold_start", "replace_text")
"""Those of them that it names twice, if a session used them."""
TYPES_TEXT = frozenset({"type_text", "replace_text", "check_typeable", "check_field_takes"})

HIDDEN_TEXT, LITERAL = -1, -2
"""In place of the number of a secret: of a mask that hides another text, and of dots that the phone
shows."""

STEP, PHASE = "#step", "#phase"
"""Marks between calls: a step of the test begins, with its kind and title; a phase of pytest's
begins."""
REPORT = ("report",)
"""What follows is read for the report, and is no part of what the phase before it did."""


class Entry(NamedTuple):
    """A call, or a mark. ``asked`` is ticks since the tape began, ``took`` ticks until the answer;
    ``nows`` are the readings of the session's clock from then until the next call, as ticks since
    ``asked``.

    ``answer`` is JSON: the value, ``{"blob": n}`` or ``{"error": {...}}``.
    """

    phone: int
    method: str
    asked: int
    took: int
    args: tuple[Any, ...]
    answer: Any
    nows: tuple[int, ...] = ()

    @property
    def is_mark(self) -> bool:
        return self.method.startswith("#")

    @property
    def is_send(self) -> bool:
        return not self.is_mark and METHODS[self.method].kind is Kind.SEND

    def has(self, name: str) -> bool:
        """Whether the answer is an object with that name: ``blob``, ``error``, ``looks``,
        ``ended``."""
        return isinstance(self.answer, dict) and name in self.answer

    @property
    def is_dump(self) -> bool:
        """Whether it was answered with a hierarchy."""
        return self.method == "dump_hierarchy" and self.has("blob")

    @property
    def end(self) -> int:
        return self.asked + self.took


@dataclass(frozen=True)
class HeldState:
    """A state that held when the session began, as ``Made`` of the states has it; ``key`` is whose
    it is."""

    name: str
    key: str
    app: str
    based_on: tuple[tuple[str, str], ...] = ()
    lost: int = 0
    left_by: str = ""
    passed: Strings | None = None


@dataclass(frozen=True)
class TakenOver:
    """What the session took over from the one before it on a shared phone: apps, by what became of
    them."""

    launched: Strings = ()
    touched: Strings = ()
    stopped: Strings = ()
    removed: Strings = ()
    led_to: Strings = ()


@dataclass(frozen=True)
class RecordedPhone:
    """A phone of the test, by what its driver says of it. ``verbs`` and ``shortcuts`` are the
    further methods that it had, of an earlier recording. ``test`` is the earlier test in which a
    fixture of a wider scope had it; "": this test. ``reading_on`` are the seconds that the run had
    left for reading on about failed checks as the session began; None: as many as it took."""

    uri: str
    info: DeviceInfo
    capabilities: Capability = Capability.NONE
    traits: Traits = field(default_factory=Traits)
    dialogs: SystemDialogs = field(default_factory=SystemDialogs)
    verbs: tuple[Annotated[str, tuple(VERBS)], ...] = ()
    shortcuts: tuple[Annotated[str, SHORTCUTS], ...] = ()
    taken_over: TakenOver | None = None
    states: tuple[HeldState, ...] = ()
    test: str = ""
    reading_on: float | None = None


@dataclass(frozen=True)
class RecordedFailure:
    """``step`` is the title of the step that failed, "" if none did; ``sends`` is how many calls
    that may change the phone came before it in that phase, or in the fixture of a wider scope that
    failed. ``line`` is the line of the test, "" if the message of one of our own errors says what
    was claimed."""

    exception: str
    message: str
    phase: str = "call"
    code: str = ""
    step: str = ""
    sends: int = 0
    line: str = ""


@dataclass(frozen=True)
class Header:
    """``recorded_at`` is ISO 8601 in UTC, ``epoch_ms`` the time at which the tape began; ``source``
    is a digest of the test's own code; ``secrets`` are the lengths of the secrets, in the order of
    their first use. ``facts`` are those of the run: app build, revision, versions. ``settings`` are
    those of its sessions that were set. ``ends`` are the node ids of the classes, modules and so on
    that ended with the test; it ``skips`` where it skipped itself."""

    nodeid: str
    outcome: str
    recorded_at: str
    epoch_ms: Annotated[int, range(10**14)]
    attempt: Annotated[int, range(10**6)] = 0
    source: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[Annotated[int, range(LONGEST_SECRET + 1)], ...] = ()
    settings: AnyMapping = field(default_factory=dict)
    failures: tuple[RecordedFailure, ...] = ()
    ends: Strings = ()
    skips: bool = False


@dataclass(frozen=True)
class Cassette:
    """What the phones of one attempt of one test showed and were sent.

    ``fixtures`` are the calls of fixtures of a wider scope, which may have been made in an earlier
    test, by their keys. ``blobs`` are file names in the run's ``blobs/``, or of this archive;
    ``masks`` say of a blob, by its place, which secret each mask in it stands for, or
    ``HIDDEN_TEXT``, or ``LITERAL``. ``values`` are those of ``recorded``.
    """

    header: Header
    phones: tuple[RecordedPhone, ...]
    entries: tuple[Entry, ...]
    fixtures: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    blobs: tuple[Annotated[str, BLOB], ...] = ()
    masks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    values: AnyMapping = field(default_factory=dict)
    schema: Literal["replicant.cassette/1"] = "replicant.cassette/1"

    def steps_until(self, phase: str) -> int:
        """Of the test and its fixtures, with those of its teardown once that is over."""
        count = 0
        for one in self.entries:
            if one.method == PHASE and one.args[:1] == ("teardown",) and phase != "teardown":
                break
            count += one.method == STEP
        return count

    @property
    def shown_phones(self) -> tuple[RecordedPhone, ...]:
        """The test's own; those of the fixtures that it stands on where it had none."""
        return tuple(one for one in self.phones if not one.test) or self.phones


def taped(value: Any) -> Any:
    """An argument or an answer as JSON."""
    return plain(value, _rest)


def _rest(value: object) -> Any:
    """A file of this computer is its name, a function is nothing."""
    if isinstance(value, bytes):
        return {"bytes": len(value), "digest": digest_of(value)}
    if isinstance(value, Path):
        return value.name
    return None if callable(value) else str(value)


def plain_args(method: str, args: Iterable[Any]) -> tuple[Any, ...]:
    """The arguments of a call. Of a file that is pushed the content counts: its name here may be
    any."""
    args = list(args)
    for at, one in enumerate(args):
        if method == "push_file" and isinstance(one, Path):
            with suppress(OSError):  # as the driver will say
                args[at] = one.read_bytes()
    return tuple(map(taped, args))


def digest_of(data: bytes) -> str:
    """By which the parts of a tape find each other before they are stored."""
    import xxhash

    return xxhash.xxh3_128_hexdigest(data)


_FLAGS = ("recoverable", "app_died", "never_sent", "look_again")
_ERROR_FACTS = ("advice", "device", "detail", "capability", "exchange", *_FLAGS)
_MADE_WITH: Mapping[type[errors.ReplicantError], Sequence[str]] = {
    errors.Unsupported: ("capability", "device"),
    errors.ProtocolError: ("exchange", "device", "detail"),
    errors.DeviceError: ("device", "detail"),
    errors.UsageError: (),
    errors.SnapshotError: (),
}
"""Errors that a driver raises, a derived one before its base, each with what it is made of besides
its message."""


def error_facts(error: BaseException) -> AnyDict:
    """An error that a driver raised, as JSON: by the nearest class that is ours, not one that a
    driver derives."""
    known = {name: getattr(error, name) for name in _ERROR_FACTS if hasattr(error, name)}
    message = error.what if isinstance(error, errors.ReplicantError) else str(error)
    for kind in type(error).__mro__:
        if getattr(errors, kind.__name__, None) is kind:
            break
    else:
        kind = type(error)
    return {"type": kind.__name__, "message": message, **known}


def error_of(facts: AnyMapping) -> errors.ReplicantError:
    """That error again. Raises ``ValueError`` for any other class."""
    kind, message = getattr(errors, str(facts.get("type")), None), facts.get("message")
    bases = [base for base in _MADE_WITH if isinstance(kind, type) and issubclass(kind, base)]
    if kind is None or not bases or not isinstance(message, str):
        raise ValueError(f"no error of a phone: {facts.get('type')!r}")
    given = {name: str(facts.get(name) or "") for name in _MADE_WITH[bases[0]]}
    made: errors.ReplicantError = kind(message, **given)
    made.advise(str(facts.get("advice") or ""))
    for name in _FLAGS:
        if isinstance(facts.get(name), bool) and hasattr(made, name):
            setattr(made, name, facts[name])
    return made


def between(parts: Sequence[str], text: str) -> list[str] | None:
    """What stands in a text between these parts of it, at least a letter each; None if they are not
    its parts. Linear: a text may be anybody's."""
    if not text.startswith(parts[0]):
        return None
    found, at = [], len(parts[0])
    for number, part in enumerate(parts[1:], 2):
        start = text.find(part, at + 1) if number < len(parts) else len(text) - len(part)
        if start <= at or not text.startswith(part, start):
            return None
        found.append(text[at:start])
        at = start + len(part)
    return found if at == len(text) else None


def cassette_schema() -> AnyDict:
    """The schema of ``cassette.json.gz`` (JSON Schema, draft 2020-12)."""
    return json_schema(Cassette)


def with_stand_ins(value: Any, secrets: Mapping[str, int]) -> Any:
    """A JSON value with each of the test's own secrets replaced by a letter that stands for its
    number: what was typed and asked for is compared, and not shown."""

    def changed(text: str) -> str:
        for secret in sorted(secrets, key=len, reverse=True):
            if text == secret or (len(secret) >= SHORT and secret in text):
                text = text.replace(secret, stand_in(secrets[secret]))
        return text

    return walked(value, every_value(changed))


def stand_in(number: int) -> str:
    """A letter for private use, in place of a secret: no screen shows it."""
    return chr(_FIRST + number % _LETTERS)


_FIRST, _LETTERS = 0xE000, 0x1000
STAND_INS = re.compile(f"[{chr(_FIRST)}-{chr(_FIRST + _LETTERS - 1)}]+")


def cassette_json(cassette: Cassette, redactor: Redactor) -> bytes:
    """The document, redacted: texts of apps and tests are, the words and numbers of this format
    stand."""
    clean, mask = partial(masked_value, redactor=redactor), masks_of(redactor)

    def in_answer(text: str, path: Place) -> str:
        if path == (KEY,) or path[:1] == ("looks",):
            return text
        return text if path[:1] == ("error",) and path[-1] not in _SAID else mask(text, path)

    def rows(entries: Iterable[Entry]) -> list[Entry]:
        return [
            one
            if one.method == PHASE
            else one._replace(args=clean(one.args), answer=walked(one.answer, in_answer))
            for one in entries
        ]

    header = plain(cassette.header)
    for name in header.keys() - _OURS:
        header[name] = clean(header[name])
    document = {
        "schema": cassette.schema,
        "header": header,
        "phones": clean(plain(cassette.phones)),
        "entries": rows(cassette.entries),
        "fixtures": {clean(key): rows(entries) for key, entries in cassette.fixtures.items()},
        "blobs": cassette.blobs,
        "masks": cassette.masks,
        "values": clean(cassette.values),
    }
    return encode(document)


_OURS = frozenset(
    {"outcome", "recorded_at", "epoch_ms", "attempt", "source", "secrets", "settings", "skips"}
)


_SAID = ("message", "detail", "exchange")
