"""Reading cassettes: from a report's folder, from an archive of it, and from one that was sent.

They may be anybody's. Reading is bounded, no name leads out of its folder, and what does not fit is
refused whole, with the place.
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
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from ..drivers import METHODS, Kind, Method
from ..errors import UsageError
from ..model import AnyMapping, PermissionPrompts, RecoveryMode, Strings, convert, decode
from .recording import HIDDEN, looks_of
from .tape import FILE_NAME, LITERAL, PHASE, STEP, TYPES_TEXT, Cassette, Entry
from .values import failure_of, of_data

REPLAYED = "-replay"
"""How the folder of a run ends that was a replay itself, and has no cassettes."""
LARGEST = 64_000_000
"""Bytes of a cassette, and of a blob, unpacked."""
LARGEST_ARCHIVE = 2_000_000_000
"""Bytes of an archive, which is read whole."""
MOST_SHOWN = 4_000_000
"""Characters that stand for secrets, in all and in one blob."""


@dataclass(frozen=True)
class Folder:
    """A report. ``name`` says in messages what it is."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.as_posix()

    def read(self, path: PurePosixPath) -> bytes:
        """Raises ``OSError``, and ``ValueError`` if it is too large."""
        file = self.path / path
        if not file.is_file():
            raise FileNotFoundError(f"{path} is missing")
        if file.stat().st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST // 1_000_000} MB")
        return file.read_bytes()


class Archive(Folder):
    """A zip of a report, or of one cassette."""

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        try:
            if self.path.stat().st_size > LARGEST_ARCHIVE:
                raise ValueError(
                    f"more than {LARGEST_ARCHIVE // 1_000_000} MB. Next: unpack it, name the folder"
                )
            return zipfile.ZipFile(io.BytesIO(self.path.read_bytes()))
        except (*_DAMAGED, OSError) as error:
            raise UsageError(f"{self.name}: no archive that could be read: {error}") from None

    def tests(self) -> list[Stored]:
        """Every cassette in it. Raises ``UsageError`` if it is no archive."""
        found = {name for name in self._zip.namelist() if PurePosixPath(name).name == FILE_NAME}
        return [Stored(self, PurePosixPath(name)) for name in sorted(found)]

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
    ValueError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError,
    RuntimeError, NotImplementedError,
)  # fmt: skip
"""What reading an archive raises that is none, or is no more what it was."""


@dataclass(frozen=True)
class Stored:
    """One cassette of a report: ``path`` within it."""

    files: Folder
    path: PurePosixPath

    @property
    def digest(self) -> str:
        """Of the node id of its test, "" if the folder does not say."""
        return self._named[0]

    @property
    def attempt(self) -> int:
        return int(self._named[1] or 0)

    @property
    def _named(self) -> tuple[str, str]:
        found = re.findall(r"(?:-([0-9a-f]{8})(?:-retry(\d+))?)?\Z", self.path.parent.name)
        digest, attempt = found[0]
        return digest, attempt

    def load(self) -> Cassette:
        """Raises ``OSError``, and ``ValueError`` with the reason where it is no cassette."""
        return read_cassette(self.files.read(self.path))

    def blob(self, name: str) -> bytes:
        """A blob, unpacked. Raises ``OSError``, ``ValueError``."""
        named = re.fullmatch(r"([0-9a-f]{32})\.(?:(?:xml|json|txt)\.gz|txt|png|webp)", name)
        if not named:
            raise ValueError(f"{name!r} names no blob")
        run = self.path.parent.parent  # of an archive's only cassette, the top as well
        data = self.files.read(run / "blobs" / name)
        if hashlib.sha256(data).hexdigest()[:32] != named[1]:
            raise ValueError(f"{name} is not what it was")
        return unpacked(data) if name.endswith(".gz") else data


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
    cassette = decode(Cassette, unpacked(data))
    _check(cassette)
    return cassette


# --- whether it is one that a session makes -------------------------------------------------------
_SECONDS = Annotated[float, range(10**9)]
_SETTINGS: AnyMapping = {
    "app": str | None,
    **dict.fromkeys(("action_timeout", "expect_timeout", "reconnect_timeout"), _SECONDS),
    **dict.fromkeys(("window", "quiet", "read_on"), _SECONDS),
    "interval": _SECONDS | None,
    "screenshots": bool,
    "trace": bool,
    "recovery": RecoveryMode,
    "permission_prompts": PermissionPrompts,
    "source": Literal["hierarchy", "picture"],
    "missing_look": Literal["fail", "warn"],
    "looks": tuple[str, ...],
}
"""Those of a session that a replay takes over: others are not looked at."""
_ENDINGS = {
    "dump_hierarchy": (".xml.gz", ".json.gz"),
    "logs": (".txt.gz",),
    "screenshot": (".png",),
}
_NO_VALUE = (
    ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError, re.error,
    UsageError,
)  # fmt: skip
"""What the makers of our values raise for anything else."""


def _check(cassette: Cassette) -> None:
    """Whether each call and answer is one that a driver makes. Raises ``ValueError`` with the
    place."""
    _check_header(cassette)
    for at, phone in enumerate(cassette.phones):
        for name, longest in (("width", 100_000), ("height", 100_000), ("density", 100)):
            size = getattr(phone.info, name)
            if not 0 < size <= longest:
                raise ValueError(
                    f"phones[{at}].info.{name}: {size} is not a number from 1 to {longest}"
                )
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


def _check_header(cassette: Cassette) -> None:
    """With the masks of the secrets that it counts."""
    lengths = cassette.header.secrets
    if sum(lengths) > MOST_SHOWN:
        raise ValueError(f"header.secrets: more than {MOST_SHOWN} characters")
    for name, value in cassette.header.settings.items():
        convert(_SETTINGS.get(name, Any), value, f"header.settings.{name[:60]}")
    places = {*map(str, range(len(cassette.blobs)))}
    for place, masks in cassette.masks.items():
        if place not in places:
            raise ValueError(f"masks: {place[:60]!r} is the place of no blob")
        if any(not LITERAL <= one < len(lengths) for one in masks):
            raise ValueError(f"masks.{place}: no secret of this cassette")
        if sum(lengths[one] for one in masks if one >= 0) > MOST_SHOWN:
            raise ValueError(f"masks.{place}: more than {MOST_SHOWN} characters are hidden")


_MARKS: AnyMapping = {STEP: tuple[str, str], PHASE: tuple[str]}
"""The words of each mark."""
_LATEST = 2**53
"""A time that is still exact where numbers are floats."""


def _check_entries(where: str, entries: tuple[Entry, ...], cassette: Cassette) -> None:
    before = 0
    for at, entry in enumerate(entries):
        method, place = entry.method, f"{where}[{at}]"
        times = (entry.took, *entry.nows)
        if min(entry.asked - before, *times) < 0 or entry.asked + max(times) > _LATEST:
            raise ValueError(f"{place}: time goes back")
        before = entry.asked
        kind, value = _MARKS.get(method), entry.args
        if kind is None:
            if method not in METHODS:
                raise ValueError(f"{place}: {method[:40]!r} is no call of a phone")
            try:
                kind, value = _checked(entry, METHODS[method], cassette.blobs)
            except _NO_VALUE as error:
                raise ValueError(f"{place} {method}: {error}") from None
        convert(kind, value, f"{place} {method}")
        has_phone = method in METHODS or where != "entries"
        if has_phone and not 0 <= entry.phone < len(cassette.phones):
            raise ValueError(f"{place}: no phone of this cassette")


_BLOBS = (bytes, bytes | None)


def _checked(entry: Entry, method: Method, blobs: Strings) -> tuple[Any, Any]:
    """The type and the value of an answer that its method has to have; arguments, blobs, errors and
    looks are checked here."""
    _check_args(entry, method.points)
    answer = entry.answer
    kind: Any = method.answer
    names = answer.keys() if isinstance(answer, dict) else ()
    if "blob" in names:
        number = answer["blob"]
        if kind not in _BLOBS or type(number) is not int or not 0 <= number < len(blobs):
            raise ValueError("no such blob")
        if not blobs[number].endswith(_ENDINGS.get(entry.method, "")):
            raise ValueError(f"{blobs[number]} is no blob of its kind")
    elif "error" in names:
        if not all(isinstance(answer["error"].get(name), str) for name in ("type", "message")):
            raise ValueError("an error has a type and a message")
    elif "looks" in names and method.kind is Kind.PICTURE:
        looks_of(answer["looks"])
    elif "ended" in names:
        if entry.method != "cold_start":
            raise ValueError("nothing of it ended")
        return tuple[kind, kind], (answer["ended"], answer["returned"])
    elif kind is bytes:
        raise ValueError("no blob")
    elif kind is not None and method.kind is not Kind.PICTURE:
        return kind, answer
    return Any, None


def _check_args(entry: Entry, count: int) -> None:
    _check_depth(entry.args)
    points = entry.args[:count]
    if len(points) < count or not all(map(_is_point, points)):
        raise ValueError("no point of a screen")
    if entry.method in TYPES_TEXT:
        if not entry.args:
            raise ValueError("no text")
        typed = entry.args[0]
        convert(int, typed[HIDDEN]) if isinstance(typed, dict) else convert(str, typed)


def _check_depth(values: Iterable[Any], levels: int = 6) -> None:
    """Nothing that a session sends is deeper."""
    if not levels:
        raise ValueError("too many levels")
    for one in values:
        if isinstance(one, (list, dict)):
            _check_depth(one.values() if isinstance(one, dict) else one, levels - 1)


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)
