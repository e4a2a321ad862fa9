"""Reading cassettes: from a report's folder, from an archive of it, and from one that was sent.

They may be anybody's. Reading is bounded, no name leads out of its folder, and what does not fit is refused
whole, with the place.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, Protocol

from ..drivers import METHODS, Capability, DeviceInfo, Kind, Traits
from ..errors import UsageError
from ..json_fields import fitted, load_json
from ..model import PermissionPrompts, RecoveryMode
from .recording import HIDDEN, looks_of
from .tape import (
    CASSETTE_SCHEMA,
    FILE_NAME,
    LITERAL,
    PHASE,
    SHORTCUTS,
    STEP,
    TYPES_TEXT,
    VERBS,
    Cassette,
    Entry,
    Header,
    RecordedPhone,
    dialogs_of,
)
from .values import failure_of, of_data

LARGEST = 64_000_000
"""Bytes of a cassette, and of a blob, unpacked."""
LARGEST_ARCHIVE = 2_000_000_000
"""Bytes of an archive, which is read whole."""
LONGEST_SECRET = 10_000
"""Characters. A test's own secrets are shorter; what stands for them is made as long as the file says."""
MOST_SHOWN = 4_000_000
"""Characters that stand for secrets, in all and in one blob."""
_BLOB = re.compile(r"([0-9a-f]{32})\.(?:(?:xml|json|txt)\.gz|txt|png|webp)")
_TEST_FOLDER = re.compile(r"-([0-9a-f]{8})(?:-retry(\d+))?\Z")


class Files(Protocol):
    """The files of a report. ``name`` says in messages what it is."""

    @property
    def name(self) -> str: ...

    def paths(self) -> Iterator[PurePosixPath]:
        """Of every ``cassette.json.gz``."""

    def read(self, path: PurePosixPath) -> bytes:
        """Raises ``OSError``, and ``ValueError`` where it is too large."""


@dataclass
class Folder:
    root: Path

    @property
    def name(self) -> str:
        return self.root.as_posix()

    def paths(self) -> Iterator[PurePosixPath]:
        for found in sorted(self.root.glob(f"*/{FILE_NAME}")):
            yield PurePosixPath(found.relative_to(self.root).as_posix())
        if (self.root / FILE_NAME).is_file():
            yield PurePosixPath(FILE_NAME)

    def read(self, path: PurePosixPath) -> bytes:
        file = self.root / path
        if not file.is_file():
            raise FileNotFoundError(f"{path} is missing")
        if file.stat().st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST // 1_000_000} MB")
        return file.read_bytes()


@dataclass
class Archive:
    """A zip of a report, or of one cassette. ``inner`` is the folder in it that has them."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.as_posix()

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        try:
            if self.path.stat().st_size > LARGEST_ARCHIVE:
                raise ValueError(f"more than {LARGEST_ARCHIVE // 1_000_000} MB. Next: unpack it, name the folder")
            return zipfile.ZipFile(io.BytesIO(self.path.read_bytes()))
        except (*_DAMAGED, OSError) as error:
            raise UsageError(f"{self.name}: no archive that could be read: {error}") from None

    def paths(self) -> Iterator[PurePosixPath]:
        found = {name for name in self._zip.namelist() if PurePosixPath(name).name == FILE_NAME}
        yield from map(PurePosixPath, sorted(found))

    def read(self, path: PurePosixPath) -> bytes:
        try:
            info = self._zip.getinfo(path.as_posix())
            if info.file_size > LARGEST:
                raise ValueError(f"larger than {LARGEST // 1_000_000} MB")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(f"compressed by method {info.compress_type}, which no report uses")
            return self._zip.read(info)
        except KeyError:
            raise FileNotFoundError(f"{path} is missing") from None
        except (*_DAMAGED, OSError) as error:
            raise ValueError(f"{path} cannot be read: {error}") from None


_DAMAGED = (
    ValueError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError,
    NotImplementedError,
)  # fmt: skip
"""What reading an archive raises that is none, or is no more what it was."""


@dataclass(frozen=True)
class Stored:
    """One cassette of a report: ``path`` within it."""

    files: Files
    path: PurePosixPath

    @property
    def digest(self) -> str:
        """Of the node id of its test, "" where the folder does not say."""
        return self._named[0]

    @property
    def attempt(self) -> int:
        return int(self._named[1])

    @property
    def _named(self) -> tuple[str, str]:
        named = _TEST_FOLDER.search(self.path.parent.name)
        return (named[1], named[2] or "0") if named else ("", "0")

    def load(self) -> Cassette:
        """Raises ``OSError``, and ``ValueError`` with the reason where it is no cassette."""
        return read_cassette(self.files.read(self.path))

    def blob(self, name: str) -> bytes:
        """A blob, unpacked. Raises ``OSError``, ``ValueError``."""
        named = _BLOB.fullmatch(name)
        if named is None:
            raise ValueError(f"{name!r} names no blob")
        data = self.files.read(self._blobs / name)
        if hashlib.sha256(data).hexdigest()[:32] != named[1]:
            raise ValueError(f"{name} is not what it was")
        return unpacked(data) if name.endswith(".gz") else data

    @property
    def _blobs(self) -> PurePosixPath:
        shared = self.path.parent.parent / "blobs"
        return shared if self.path.parent != PurePosixPath(".") else PurePosixPath("blobs")


def unpacked(data: bytes) -> bytes:
    """Out of gzip. Raises ``ValueError``."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            found = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"not packed as it should be: {error}") from None
    if len(found) > LARGEST:
        raise ValueError(f"more than {LARGEST // 1_000_000} MB")
    return found


def read_cassette(data: bytes) -> Cassette:
    """The cassette of a file's content. Raises ``ValueError`` with the reason."""
    document = load_json(unpacked(data))
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != CASSETTE_SCHEMA:
        raise ValueError(f"schema {schema!r}, and this version reads {CASSETTE_SCHEMA}")
    cassette: Cassette = fitted(Cassette, document, "")
    _check(cassette)
    return cassette


# --- whether it is one that a session makes ----------------------------------------------------------------
_SETTINGS: Mapping[str, Any] = {
    "app": str | None,
    **dict.fromkeys(("action_timeout", "expect_timeout", "reconnect_timeout"), float),
    **dict.fromkeys(("window", "quiet", "read_on"), float),
    "interval": float | None,
    "screenshots": bool,
    "trace": bool,
    "recovery": RecoveryMode,
    "permission_prompts": PermissionPrompts,
    "source": Literal["hierarchy", "picture"],
    "missing_look": Literal["fail", "warn"],
    "looks": tuple[str, ...],
}
"""Those of a session that a replay takes over: others are not looked at."""
_ENDINGS = {"dump_hierarchy": (".xml.gz", ".json.gz"), "logs": (".txt.gz",), "screenshot": (".png",)}
_NO_VALUE = (
    ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError, re.error, UsageError,
)  # fmt: skip
"""What the makers of our values raise for anything else."""


def _check(cassette: Cassette) -> None:
    """Whether each call and answer is one that a driver makes. Raises ``ValueError`` with the place."""
    for name in cassette.blobs:
        if not _BLOB.fullmatch(name):
            raise ValueError(f"blobs: {name[:60]!r} names no blob")
    _check_header(cassette.header)
    _check_masks(cassette)
    for at, phone in enumerate(cassette.phones):
        _check_phone(f"phones[{at}]", phone)
    for key, value in cassette.values.items():
        try:
            failure_of(value) or of_data(value)
        except _NO_VALUE as error:
            raise ValueError(f"values.{key[:60]}: {error}") from None
    if not cassette.entries or cassette.entries[0].method != PHASE:
        raise ValueError("entries: the first one is no phase")
    _check_entries("entries", cassette.entries, cassette)
    for key, entries in cassette.fixtures.items():
        _check_entries(f"fixtures.{key[:60]}", entries, cassette)


def _check_header(header: Header) -> None:
    fitted(Annotated[int, range(10**14)], header.epoch_ms, "header.epoch_ms")
    fitted(Annotated[int, range(10**6)], header.attempt, "header.attempt")
    for length in header.secrets:
        fitted(Annotated[int, range(LONGEST_SECRET + 1)], length, "header.secrets")
    if sum(header.secrets) > MOST_SHOWN:
        raise ValueError(f"header.secrets: more than {MOST_SHOWN} characters")
    for name, value in header.settings.items():
        found = fitted(_SETTINGS.get(name, Any), value, f"header.settings.{name[:60]}")
        if isinstance(found, float) and found < 0:
            raise ValueError(f"header.settings.{name}: {found} is not a number of seconds from 0")


def _check_masks(cassette: Cassette) -> None:
    lengths = cassette.header.secrets
    for place, masks in cassette.masks.items():
        if not (place.isdecimal() and place.isascii() and int(place) < len(cassette.blobs)):
            raise ValueError(f"masks: {place[:60]!r} is the place of no blob")
        if any(not LITERAL <= one < len(lengths) for one in masks):
            raise ValueError(f"masks.{place}: no secret of this cassette")
        if sum(lengths[one] for one in masks if one >= 0) > MOST_SHOWN:
            raise ValueError(f"masks.{place}: more than {MOST_SHOWN} characters are hidden")


def _check_phone(where: str, phone: RecordedPhone) -> None:
    info = fitted(DeviceInfo, dict(phone.info), f"{where}.info")
    for name, longest in (("width", 100_000), ("height", 100_000), ("density", 100)):
        if not 0 < getattr(info, name) <= longest:
            raise ValueError(f"{where}.info.{name}: {getattr(info, name)} is not a number from 1 to {longest}")
    fitted(Traits, dict(phone.traits), f"{where}.traits")
    known = {"capabilities": Capability.__members__, "verbs": VERBS, "shortcuts": SHORTCUTS}
    for name, names in known.items():
        for one in getattr(phone, name):
            if one not in names:
                raise ValueError(f"{where}.{name}: {one[:60]!r} is not one of {', '.join(names)}")
    try:
        dialogs_of(phone.dialogs)
    except _NO_VALUE as error:
        raise ValueError(f"{where}.dialogs: {error}") from None


def _check_entries(where: str, entries: tuple[Entry, ...], cassette: Cassette) -> None:
    before = -1
    for at, entry in enumerate(entries):
        place = f"{where}[{at}]"
        if entry.asked < max(before, 0) or entry.took < 0 or any(now < 0 for now in entry.nows):
            raise ValueError(f"{place}: time goes back")
        before = entry.asked
        if entry.method in (STEP, PHASE):
            if where != "entries" and not 0 <= entry.phone < len(cassette.phones):
                raise ValueError(f"{place}: no phone of this cassette")
            fitted(tuple[str, str] if entry.method == STEP else tuple[str], list(entry.args), f"{place}.args")
            continue
        if entry.method not in METHODS or not 0 <= entry.phone < len(cassette.phones):
            raise ValueError(f"{place}: {entry.method[:40]!r} is no call of a phone of this cassette")
        try:
            _check_answer(entry, cassette.blobs)
            _check_args(entry)
        except _NO_VALUE as error:
            raise ValueError(f"{place} {entry.method}: {error}") from None


def _check_answer(entry: Entry, blobs: tuple[str, ...]) -> None:
    answer, (kind, annotation, _) = entry.answer, METHODS[entry.method]
    if isinstance(answer, dict) and "error" in answer:
        if not all(isinstance(answer["error"].get(name), str) for name in ("type", "message")):
            raise ValueError("an error has a type and a message")
    elif isinstance(answer, dict) and "looks" in answer and kind is Kind.PICTURE:
        looks_of(answer["looks"])
    elif isinstance(answer, dict) and "blob" in answer:
        number = fitted(int, answer["blob"], "blob")
        if annotation not in (bytes, bytes | None) or not 0 <= number < len(blobs):
            raise ValueError("no such blob")
        if not blobs[number].endswith(_ENDINGS.get(entry.method, "")):
            raise ValueError(f"{blobs[number]} is no blob of its kind")
    elif isinstance(answer, dict) and "ended" in answer:
        if entry.method != "cold_start":
            raise ValueError("nothing of it ended")
        fitted(annotation, answer["ended"], "ended")
        fitted(annotation, answer["returned"], "returned")
    elif annotation is bytes:
        raise ValueError("no blob")
    elif annotation is not None and kind is not Kind.PICTURE:
        fitted(annotation, answer, "answer")


def _check_args(entry: Entry) -> None:
    count = METHODS[entry.method].points
    points = entry.args[:count]
    if len(points) < count or not all(_is_point(one) for one in points):
        raise ValueError("no point of a screen")
    if entry.method in TYPES_TEXT:
        typed = entry.args[0] if entry.args else None
        if typed is None:
            raise ValueError("no text")
        fitted(int, typed[HIDDEN], HIDDEN) if isinstance(typed, dict) else fitted(str, typed, "text")


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)


# --- which report ------------------------------------------------------------------------------------------


def report_at(path: Path) -> Files:
    """The files of a run: of the newest one where the folder has several. Raises ``UsageError``."""
    if path.is_file():
        return Folder(path.parent) if path.name == FILE_NAME else Archive(path)
    if not path.is_dir():
        raise UsageError(f"{path}: there is no such report. Next: name a run's folder in replicant-report/")
    if (path / FILE_NAME).is_file():
        return Folder(path) if not (path.parent / "blobs").is_dir() else OneTest(path.parent, path.name)
    if any(path.glob(f"*/{FILE_NAME}")):
        return Folder(path)
    runs = [one for one in path.iterdir() if one.is_dir() and any(one.glob(f"*/{FILE_NAME}"))]
    recorded = [one for one in runs if not one.name.endswith(REPLAYED)]
    if not recorded:
        raise UsageError(f"{path}: no run in it has a cassette. Next: run the tests with their traces kept")
    return Folder(max(recorded, key=lambda one: one.name))


REPLAYED = "-replay"
"""How the folder of a run ends that was a replay itself, and has no cassettes."""


@dataclass
class OneTest(Folder):
    """One test's folder of a run."""

    test: str

    def paths(self) -> Iterator[PurePosixPath]:
        yield PurePosixPath(self.test, FILE_NAME)


def stored_in(files: Files) -> list[Stored]:
    """Every cassette of a report."""
    return [Stored(files, path) for path in files.paths()]
