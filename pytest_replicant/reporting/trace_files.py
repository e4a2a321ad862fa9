"""One test's folder: ``<output>/<run-id>/<slug>-<hash8>[-retryN]/{trace.json, trace.html,
trace.zip}``.

The page and the archive of a test that people look into carry their pictures. Of another one the
page shows those that lie once in the run's ``blobs/``, and the archive is made where it is wanted.
"""

from __future__ import annotations

import gzip
import json
import linecache
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

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
from ..kept_runs import content_of
from ..model import (
    MASK,
    SHORT,
    AnyDict,
    AnyMapping,
    Phase,
    Rect,
    Redactor,
    ShownElement,
    Strings,
    TestTrace,
    TraceFile,
    decode,
    encode,
    first_line,
    normal,
)
from ..redaction import masked_attachment, masked_record, masked_source
from ..running import Segment, TestSession, broken_fixtures, place_on
from .artifacts.pictures import Packed, address, carried_pictures, pack
from .artifacts.storage import (
    NEWS,
    ArtifactBound,
    Excerpt,
    PartStorage,
    digest_of,
    excerpts,
    folder_name,
    trace_document,
)
from .attempts.attempt import parts_of, raised
from .pages.index_page import LITTLE_ROOM, ROOM, nav_block
from .pages.page import page, page_data
from .playwright.trace_zip import trace_zip

if TYPE_CHECKING:
    from ..cassettes import Replay


T = TypeVar("T", bound=Hashable)
Elements = Mapping[str, tuple[ShownElement, ...]]


@dataclass(frozen=True)
class TraceFiles:
    """What was written for one test. A path is None if it could not be; ``warnings`` say why.

    ``screenshots`` are the stored pictures by snapshot id, ``trace_zip`` is the trace for
    Playwright's viewer, or None for a plain pass: ``replicant zip`` makes it.
    """

    folder: Path
    trace_json: Path | None
    trace_html: Path | None
    screenshots: tuple[tuple[str, Path], ...] = ()
    warnings: Strings = ()
    trace_zip: Path | None = None


def write_trace(
    trace: TestTrace,
    output: Path,
    run_id: str,
    redactor: Redactor,
    divergence: AnyMapping | None = None,
    *,
    bound: ArtifactBound | None = None,
    packed: Callable[[bytes], Packed] = pack,
    tape: TapeParts | None = None,
) -> TraceFiles:
    """Write everything about one attempt of one test. Never raises for a full disk or a closed
    folder.

    ``output`` is ``--replicant-output``. A second call for the same attempt overwrites the first.
    ``divergence`` is how a failure differs from the last pass, redacted. ``bound`` limits the files
    of the run, ``packed`` turns a PNG into the stored picture. ``tape`` is what the attempt can be
    replayed from.
    """
    folder = output / run_id / folder_name(trace.test.nodeid, trace.test.attempt, redactor)
    news = trace.test.outcome in NEWS
    whole = news or trace.test.attempt > 0  # a flaky or requeued test is looked into as well
    storage = PartStorage(
        folder, output / run_id / "blobs", redactor, bound or ArtifactBound(), packed, news
    )
    storage.warnings.extend(map(redactor.text, trace.losses))
    stored = storage.store(trace)
    if tape is not None:
        CassetteWriting(tape, storage).write()
    document = trace_document(trace, stored, redactor, tuple(storage.warnings), divergence)
    json_path = storage.write("trace.json", encode(document, indent=int(whole)))
    outlines = {name: redactor.text(record.outline) for name, record in trace.snapshots.items()}
    elements = masked_record(
        {name: record.elements for name, record in trace.snapshots.items()}, redactor
    )
    sources = excerpts(document, redactor)
    parts = _Parts(document, outlines, elements, sources)
    page = parts.page({**storage.pictures, **storage.compared}) if whole else b""
    reason = storage.bound.refusal(len(page), news=news)
    if whole and reason:  # no room for its pictures, which are named by their path
        storage.warnings.append(f"trace.html does not carry its pictures: {reason}")
    if reason or not whole:
        page = parts.page({}, packed=not whole)
    html_path = storage.write("trace.html", page)
    zip_path = _write_zip(parts, storage) if whole else None
    screenshots = tuple((name, folder / path) for name, path in stored.screenshots.items())
    return TraceFiles(
        folder, json_path, html_path, screenshots, _few(storage.warnings, folder), zip_path
    )


def write_cassette(tape: TapeParts, run: Path, redactor: Redactor, bound: ArtifactBound) -> Strings:
    """Of a test that has no trace, since it used no phone itself; what could not be written.
    ``run`` is the folder of the run."""
    header = tape.header
    folder = run / folder_name(header.nodeid, header.attempt, redactor)
    storage = PartStorage(folder, run / "blobs", redactor, bound, news=True)
    CassetteWriting(tape, storage).write()
    return _few(storage.warnings, folder)


@dataclass(frozen=True)
class _Parts:
    """What the page and the archive are made of, redacted: ``outlines`` and ``elements`` by
    snapshot id, ``sources`` by the line that failed."""

    document: AnyDict
    outlines: Mapping[str, str]
    elements: Elements
    sources: Mapping[str, Excerpt]

    def page(self, pictures: Mapping[str, bytes], *, packed: bool = False) -> bytes:
        """``trace.html``: one test, read step by step, from a single file. ``pictures`` are by the
        path that the document gives a screenshot. Those of failed steps are carried first; those
        beyond ``PICTURE_BUDGET`` are shown from where they lie. ``packed`` as for ``page``."""
        outline_places, texts = _shared(self.outlines)
        marks, shown = _shared(self.elements)
        carried = carried_pictures(
            self.document, pictures, PICTURE_BUDGET, lambda one: len(one) * 4 // 3
        )
        data = {
            "trace": self.document,
            "outlines": outline_places,
            "texts": texts,
            "marks": marks,
            "elements": [
                [[one.ref, one.class_name, one.label[:LONGEST_LABEL], *one.bounds] for one in each]
                for each in shown
            ],
            "sources": self.sources,
            "pictures": {path: address(path, picture) for path, picture in carried.items()},
        }
        test = self.document["test"]
        title = test["nodeid"].rpartition("::")[2] or test["nodeid"]
        heading = f"{title} · {test['outcome']}"
        links = nav_block(LITTLE_ROOM if packed else ROOM)
        made = page(heading, "trace.html", data, "trace.json", links, packed=packed)
        return made.encode("utf-8")


def _write_zip(parts: _Parts, storage: PartStorage) -> Path | None:
    """Next to the others, which stand if this one fails."""
    try:
        data = trace_zip(
            parts.document, parts.elements, storage.pictures, storage.folder, parts.sources
        )
    except Exception as error:
        storage.warnings.append(f"trace.zip not made: {type(error).__name__}: {error}")
        return None
    reason = storage.bound.refusal(len(data), news=True) if storage.news else ""
    if reason:  # trace.json and trace.html are always tried; they say the same
        storage.warnings.append(f"trace.zip not stored: {reason}")
        return None
    return storage.write("trace.zip", data)


LONGEST_LABEL = 200
"""Characters of an element's label next to its mark; the outline has all of it."""

PICTURE_BUDGET = 32_000_000
"""Bytes of pictures that one page carries: beyond it a browser on a laptop starts to stall."""


def _shared(values: Mapping[str, T]) -> tuple[dict[str, int], list[T]]:
    """Most steps leave a screen as it was: each value once, and which one belongs to a name."""
    places: dict[T, int] = {}
    return {name: places.setdefault(value, len(places)) for name, value in values.items()}, list(
        places
    )


# --- the archive of a trace that is on disk -------------------------------------------------------


def zip_of(folder: Path) -> bytes:
    """``trace.zip`` out of the other files of a test's folder. They may be anybody's: no other file
    of this machine gets into it. Raises ``OSError``, and ``ValueError`` if they are no trace."""
    content = content_of(folder / "trace.json")
    decode(TraceFile, content)
    document = json.loads(content)
    try:
        data = page_data((folder / "trace.html").read_text(encoding="utf-8"))
        elements = {
            name: tuple(
                ShownElement(ref, class_name, label, Rect(*box))
                for ref, class_name, label, *box in data["elements"][place]
            )
            for name, place in data["marks"].items()
        }
        for one in document["attachments"]:
            one["path"] = (
                one["path"] if re.fullmatch(r"attachments/[\w-]+\.\w+", one["path"] or "") else None
            )
        return trace_zip(document, elements, _pictures(document, folder), folder, data["sources"])
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no trace of ours: {type(error).__name__}: {error}") from None


def _pictures(document: AnyMapping, folder: Path) -> dict[str, bytes]:
    """By path, those that are at hand: files that are named by the hash of what they hold."""
    found: dict[str, bytes] = {}
    for record in document["snapshots"].values():
        path = (record["screenshot"] or {}).get("blob", "")
        named = re.fullmatch(r"(?:\.\./)*(?:[\w.-]+/)*([0-9a-f]{32})\.(?:webp|png)", path)
        if named is not None and path not in found and (folder / path).is_file():
            data = (folder / path).read_bytes()
            if digest_of(data) == named[1]:
                found[path] = data
    return found


def _few(warnings: list[str], folder: Path) -> Strings:
    """One cause usually stops every file: the first says it, the rest are counted."""
    if not warnings:
        return ()
    more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return (f"{folder}: {warnings[0]}{more}; the test's result stands",)


# --- cassette.json.gz: the redacted tape of an attempt; its blobs are those of the run ---

_TEXT = frozenset({"logs", "pull_file"})
_PNG = b"\x89PNG"


@dataclass(frozen=True)
class TapeParts:
    """What a cassette is made of. ``segments`` and ``values`` are of the fixtures that the test
    stands on, ``pictures``: those that the test itself took are kept."""

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
        """Writes the file, once its blobs are stored; nothing if one of them could not be."""
        recording, segments = self._parts.recording, self._parts.segments
        entries = recording.entries()
        every, secrets = [*entries], list[str]()
        for one in segments.values():
            every += one.entries
            secrets += one.secrets
        # In the order in which a replay meets them.
        met = dict.fromkeys((*secrets, *recording.secrets, *self._others_typed(every)))
        self._secrets = {value: number for number, value in enumerate(met)}
        kept = [self._keep(one.blob, one.entries) for one in segments.values()]
        kept.append(self._keep(recording.blob, entries))
        if not all(kept):
            return
        known = {
            (one.test, at): phone for one in segments.values() for at, phone in one.phones.items()
        }
        numbers = {place: number for number, place in enumerate(known, len(recording.phones))}
        fixtures = {}
        for key, one in segments.items():
            places = {at: numbers[one.test, at] for at in one.phones}
            fixtures[key] = self._stored(one.entries, one.secrets, places)
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
        typed = [str(one.args[0]) for one in entries if one.method in TYPES_TEXT]
        found = []
        for value in self._redactor.known:
            if value in typed or (len(value) >= SHORT and any(value in text for text in typed)):
                found.append(value)
        return sorted(found)

    def _keep(self, blob: Callable[[str], bytes], entries: Iterable[Entry]) -> bool:
        text = {one.answer["blob"] for one in entries if one.method in _TEXT and one.has("blob")}
        return all(
            self._stored_blob(digest, blob(digest), plain=digest in text)
            for digest in blobs_in(entries)
        )

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
        if clean != data:
            masks = masks_in(data, clean, self._secrets)
            if {*masks} - {LITERAL}:
                self._masks[str(number)] = masks
        return True

    def _clean(self, data: bytes, *, plain: bool) -> bytes:
        """A text or a hierarchy without secrets; over those of a picture was painted as it was
        taken."""
        if plain:
            return masked_attachment(data, "text/plain", self._redactor)
        return data if data.startswith(_PNG) else masked_source(data, self._redactor)

    def _stored(
        self, entries: Iterable[Entry], secrets: Sequence[str], phones: Mapping[int, int]
    ) -> tuple[Entry, ...]:
        """``secrets`` are those of the tape that they are on, ``phones`` the numbers of phones by
        those there."""
        numbers = [self._secrets[value] for value in secrets]

        def stored(entry: Entry) -> Entry:
            answer = entry.answer
            if entry.has("blob"):
                blob = self._numbers.get(answer["blob"])
                answer = None if blob is None else {"blob": blob}
            if entry.is_mark:
                return entry._replace(phone=phones.get(entry.phone, entry.phone))
            own = renumbered(entry, numbers)
            number = phones.get(entry.phone, entry.phone)
            args = with_stand_ins(list(own.args), self._secrets)
            return own._replace(phone=number, answer=answer, args=tuple(args))

        return tuple(map(stored, entries))


def masks_in(data: bytes, clean: bytes, secrets: Mapping[str, int]) -> tuple[int, ...]:
    """Which secret each mask in the redacted text stands for, by its place: ``HIDDEN_TEXT`` for
    another text, ``LITERAL`` for dots that the phone itself shows."""
    parts = clean.decode("utf-8", "surrogateescape").split(MASK)
    found = between(parts, data.decode("utf-8", "surrogateescape"))
    if found is None:
        return (HIDDEN_TEXT,) * (len(parts) - 1)
    numbers = {**{normal(secret): number for secret, number in secrets.items()}, **secrets}
    return tuple(
        LITERAL if one == MASK else numbers.get(one, numbers.get(normal(one), HIDDEN_TEXT))
        for one in found
    )


def failures_of(
    error: BaseException | None,
    phase: Phase,
    sessions: Sequence[TestSession],
    tape: Recording | Replay | None,
    redactor: Redactor,
) -> tuple[RecordedFailure, ...]:
    """What failed a phase, or a part of it, as a recording has it and a replay compares it.
    ``tape`` is None if the test had no phone. The reset of a phone is no part of its test, and by a
    skip no test fails."""
    if error is None:
        return ()
    broken = broken_fixtures(error)
    step, sends = broken[:2] if broken is not None else place_on(tape)
    found = []
    for part in parts_of(error) or (error,):
        if getattr(part, "while_resetting", False) or isinstance(part, skips()):
            continue
        one = raised(part, phase, sessions)
        code = one.failure.code if one.failure is not None else ""
        path, _, number = one.source.rpartition(":")
        line = ""
        if number.isdecimal() and not code and not is_recorded(error):
            linecache.checkcache(path)
            line = redactor.text(linecache.getline(path, int(number)).strip())
        title = redactor.text(one.title)
        found.append(
            RecordedFailure(one.exception, title, phase, code, redactor.text(step), sends, line)
        )
    return tuple(found)


def passed_though_expected_to_fail(text: str, phase: Phase) -> RecordedFailure:
    """The failure of a test that raised nothing: a strict xfail."""
    return RecordedFailure("", first_line(text), phase)
