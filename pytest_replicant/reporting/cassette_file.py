"""``cassette.json.gz``: the tape of an attempt, next to its trace, redacted; its blobs are those of the run."""

from __future__ import annotations

import gzip
import linecache
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..cassettes import (
    FILE_NAME,
    HIDDEN_TEXT,
    LITERAL,
    TYPES_TEXT,
    Cassette,
    Entry,
    Header,
    RecordedFailure,
    Recording,
    between,
    blobs_in,
    cassette_json,
    is_recorded,
    renumbered,
    with_stand_ins,
)
from ..errors import skips
from ..model import MASK, SHORT, AnyMapping, Redactor, first_line, normal
from ..redaction import masked_attachment, masked_source
from ..stash import TestSession
from ..tapes import broken_fixtures, place_on
from .artifacts.storage import PartStorage
from .attempts.attempt import parts_of, raised

if TYPE_CHECKING:
    from ..cassettes import Replay
    from ..model import Phase as PhaseName
    from ..tapes import Segment

_TEXT = frozenset({"logs", "pull_file"})
_PNG = b"\x89PNG"


@dataclass(frozen=True)
class TapeParts:
    """What a cassette is made of. ``segments`` and ``values`` are of the fixtures that the test stands on,
    ``pictures``: those that the test itself took are kept."""

    recording: Recording
    header: Header
    segments: Mapping[str, Segment] = field(default_factory=dict)
    values: AnyMapping = field(default_factory=dict)
    pictures: bool = True


class CassetteWriting:
    """Of one cassette, with its blobs."""

    def __init__(self, parts: TapeParts, storage: PartStorage) -> None:
        self._parts = parts
        self._storage = storage
        self._redactor = storage.redactor
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._masks: dict[str, tuple[int, ...]] = {}
        self._secrets: dict[str, int] = {}

    def write(self) -> None:
        """Writes the file, once its blobs are stored; nothing where one of them could not be."""
        recording, segments = self._parts.recording, self._parts.segments
        for value in (*(one for each in segments.values() for one in each.secrets), *recording.secrets):
            self._secrets.setdefault(value, len(self._secrets))  # in the order in which a replay meets them
        entries = recording.entries()
        for value in self._others_typed([*entries, *(one for each in segments.values() for one in each.entries)]):
            self._secrets.setdefault(value, len(self._secrets))
        kept = [self._keep(recording.blob, entries)]
        kept += [self._keep(segment.blob, segment.entries) for segment in segments.values()]
        if not all(kept):
            return
        known = {(one.test, at): phone for one in segments.values() for at, phone in one.phones.items()}
        numbers = {place: number for number, place in enumerate(known, len(recording.phones))}
        fixtures = {
            key: self._stored(one.entries, one.secrets, {at: numbers[one.test, at] for at in one.phones})
            for key, one in segments.items()
        }
        made = Cassette(
            replace(self._parts.header, secrets=tuple(map(len, self._secrets))),
            (*recording.phones, *known.values()),
            self._stored(entries, tuple(recording.secrets), {}),
            fixtures,
            tuple(self._names),
            self._masks,
            {**recording.values, **self._parts.values},
        )
        self._storage.write(FILE_NAME, gzip.compress(cassette_json(made, self._redactor), mtime=0))

    def _others_typed(self, entries: Iterable[Entry]) -> list[str]:
        """Secrets of other tests, which this one types as plain text."""
        typed = {one.args[0] for one in entries if one.method in TYPES_TEXT and isinstance(one.args[0], str)}
        return sorted(
            value
            for value in self._redactor.known
            if any(value == text or (len(value) >= SHORT and value in text) for text in typed)
        )

    def _keep(self, blob: Callable[[str], bytes], entries: Iterable[Entry]) -> bool:
        text = {one.answer["blob"] for one in entries if one.method in _TEXT and one.has("blob")}
        return all(self._stored_blob(digest, blob(digest), plain=digest in text) for digest in blobs_in(entries))

    def _stored_blob(self, digest: str, data: bytes, *, plain: bool) -> bool:
        """Stores one, unless the trace has it already; whether it is stored."""
        if digest in self._numbers or (data.startswith(_PNG) and not self._parts.pictures):
            return True
        stored = self._storage.hierarchies.get(digest)
        if stored is not None:
            clean, path = stored.clean or data, stored.path
        else:
            clean = self._clean(data, plain=plain)
            kept = self._storage.keep_blob(clean, plain=plain)
            if kept is None:
                return False
            path = kept
        number = self._numbers[digest] = len(self._names)
        self._names.append(path.rpartition("/")[2])
        if clean is not data and clean != data:
            masks = masks_in(data, clean, self._secrets)
            self._masks |= {str(number): masks} if any(one != LITERAL for one in masks) else {}
        return True

    def _clean(self, data: bytes, *, plain: bool) -> bytes:
        if data.startswith(_PNG):  # whoever took it has painted over its secrets
            return data
        if plain:
            return masked_attachment(data, "text/plain", self._redactor)
        return masked_source(data, self._redactor)

    def _stored(
        self, entries: Iterable[Entry], secrets: Sequence[str], phones: Mapping[int, int]
    ) -> tuple[Entry, ...]:
        """``secrets`` are those of the tape that they are on, ``phones`` the numbers of phones by those there."""
        numbers = [self._secrets[value] for value in secrets]

        def stored(entry: Entry) -> Entry:
            answer = entry.answer
            if entry.has("blob"):
                blob = self._numbers.get(answer["blob"])
                answer = None if blob is None else {"blob": blob}
            if entry.is_mark:
                return entry._replace(phone=phones.get(entry.phone, entry.phone))
            own = renumbered(entry, numbers)
            number, args = phones.get(entry.phone, entry.phone), with_stand_ins(list(own.args), self._secrets)
            return own._replace(phone=number, answer=answer, args=tuple(args))

        return tuple(map(stored, entries))


def masks_in(data: bytes, clean: bytes, secrets: Mapping[str, int]) -> tuple[int, ...]:
    """Which secret each mask in the redacted text stands for, by its place: ``HIDDEN_TEXT`` for another text,
    ``LITERAL`` for dots that the phone itself shows."""
    parts = clean.decode("utf-8", "surrogateescape").split(MASK)
    found = between(parts, data.decode("utf-8", "surrogateescape"))
    if found is None:
        return (HIDDEN_TEXT,) * (len(parts) - 1)
    numbers = {**{normal(secret): number for secret, number in secrets.items()}, **secrets}
    return tuple(
        LITERAL if one == MASK else numbers.get(one, numbers.get(normal(one), HIDDEN_TEXT)) for one in found
    )


def failures_of(
    error: BaseException | None,
    phase: PhaseName,
    sessions: Sequence[TestSession],
    tape: Recording | Replay | None,
    redactor: Redactor,
) -> tuple[RecordedFailure, ...]:
    """What failed a phase, or a part of it, as a recording has it and a replay compares it. ``tape`` is None where
    the test had no phone. The reset of a phone is no part of its test, and by a skip no test fails."""
    if error is None:
        return ()
    every = parts_of(error) or (error,)
    parts = [one for one in every if not (getattr(one, "while_resetting", False) or isinstance(one, skips()))]
    broken = broken_fixtures(error)
    step, sends = broken[:2] if broken is not None else place_on(tape)
    return tuple(
        RecordedFailure(
            one.exception,
            redactor.text(one.title),
            phase,
            one.failure.code if one.failure is not None else "",
            redactor.text(step),
            sends,
            "" if one.failure is not None or is_recorded(error) else redactor.text(_line_at(one.source)),
        )
        for one in (raised(each, phase, sessions) for each in parts)
    )


def _line_at(source: str) -> str:
    path, _, number = source.rpartition(":")
    linecache.checkcache(path)
    return linecache.getline(path, int(number)).strip() if number.isdecimal() else ""


def passed_though_expected_to_fail(text: str, phase: PhaseName) -> RecordedFailure:
    """The failure of a test that raised nothing: a strict xfail."""
    return RecordedFailure("", first_line(text), phase)
