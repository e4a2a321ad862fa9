"""Reading cassettes: from a report's folder, from an archive of it, and from one that somebody sent.

They may be anybody's. What is read is bounded, no name leads out of its folder, and what does not fit is refused
whole, with the place.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from ..errors import UsageError
from ..json_fields import fitted, load_json
from .recording import looks_of
from .tape import CASSETTE_SCHEMA, FILE_NAME, METHODS, PHASE, STEP, Cassette, Entry, Kind, dialogs_of, error_of

LARGEST = 64_000_000
"""Bytes of a cassette, and of a blob, unpacked."""
_BLOB = re.compile(r"([0-9a-f]{32})\.(?:xml\.gz|json\.gz|txt\.gz|png)")
_TEST_FOLDER = re.compile(r"-([0-9a-f]{8})(?:-retry(\d+))?\Z")
_INTERRUPTED = ("KeyboardInterrupt", "SystemExit", "Exit")


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
            return zipfile.ZipFile(io.BytesIO(self.path.read_bytes()))
        except (zipfile.BadZipFile, OSError) as error:
            raise UsageError(f"{self.name}: no archive that could be read: {error}") from None

    def paths(self) -> Iterator[PurePosixPath]:
        found = sorted(name for name in self._zip.namelist() if PurePosixPath(name).name == FILE_NAME)
        yield from map(PurePosixPath, found)

    def read(self, path: PurePosixPath) -> bytes:
        try:
            info = self._zip.getinfo(path.as_posix())
            if info.file_size > LARGEST:
                raise ValueError(f"larger than {LARGEST // 1_000_000} MB")
            return self._zip.read(info)
        except (KeyError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
            raise ValueError(f"{path} cannot be read: {error}") from None


@dataclass(frozen=True)
class Stored:
    """One cassette of a report: ``path`` within it."""

    files: Files
    path: PurePosixPath

    @property
    def digest(self) -> str:
        """Of the node id of its test, "" where the folder does not say."""
        named = _TEST_FOLDER.search(self.path.parent.name)
        return named[1] if named else ""

    @property
    def attempt(self) -> int:
        named = _TEST_FOLDER.search(self.path.parent.name)
        return int(named[2] or 0) if named else 0

    def load(self) -> Cassette:
        """Raises ``OSError``, and ``ValueError`` with the reason for what is no cassette."""
        return read_cassette(self.files.read(self.path))

    def blob(self, name: str) -> bytes:
        """A blob, unpacked. Raises ``OSError``, ``ValueError``."""
        named = _BLOB.fullmatch(name)
        if named is None:
            raise ValueError(f"{name!r} names no blob")
        data = self.files.read(self._blobs / name)
        if hashlib.sha256(data).hexdigest()[:32] != named[1]:
            raise ValueError(f"{name} is not what it was")
        return data if name.endswith(".png") else unpacked(data)

    @property
    def _blobs(self) -> PurePosixPath:
        beside = self.path.parent.parent / "blobs"
        return beside if self.path.parent != PurePosixPath(".") else PurePosixPath("blobs")


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


def _check(cassette: Cassette) -> None:
    """Whether each call and answer is one that a driver makes. Raises ``ValueError`` with the place."""
    for name in cassette.blobs:
        if not _BLOB.fullmatch(name):
            raise ValueError(f"blobs: {name[:60]!r} names no blob")
    for at, phone in enumerate(cassette.phones):
        try:
            dialogs_of(phone.dialogs)
        except (ValueError, TypeError, AttributeError, LookupError, re.error) as error:
            raise ValueError(f"phones[{at}].dialogs: {error}") from None
    if not cassette.entries or cassette.entries[0].method != PHASE:
        raise ValueError("entries: the first one is no phase")
    _check_entries("entries", cassette.entries, cassette)
    for key, entries in cassette.fixtures.items():
        _check_entries(f"fixtures.{key[:60]}", entries, cassette)


def _check_entries(where: str, entries: tuple[Entry, ...], cassette: Cassette) -> None:
    before = -1
    for at, entry in enumerate(entries):
        place = f"{where}[{at}]"
        if entry.asked < before or entry.took < 0 or any(now < 0 for now in entry.nows):
            raise ValueError(f"{place}: time goes back")
        before = entry.asked
        if entry.method in (STEP, PHASE):
            if len(entry.args) != (2 if entry.method == STEP else 1):
                raise ValueError(f"{place}: no mark of ours")
            continue
        if entry.method not in METHODS or not 0 <= entry.phone < len(cassette.phones):
            raise ValueError(f"{place}: {entry.method[:40]!r} is no call of a phone of this cassette")
        try:
            _check_answer(entry, len(cassette.blobs))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise ValueError(f"{place} {entry.method}: {error}") from None


def _check_answer(entry: Entry, blobs: int) -> None:
    answer, (kind, annotation) = entry.answer, METHODS[entry.method]
    if isinstance(answer, dict) and "error" in answer:
        if answer["error"].get("type") not in _INTERRUPTED:
            error_of(answer["error"])
    elif isinstance(answer, dict) and "looks" in answer and kind is Kind.PICTURE:
        looks_of(answer["looks"])
    elif isinstance(answer, dict) and "blob" in answer:
        if annotation not in (bytes, bytes | None) or not 0 <= answer["blob"] < blobs:
            raise ValueError("no such blob")
    elif isinstance(answer, dict) and "ended" in answer and entry.method == "cold_start":
        fitted(annotation, answer["ended"], "ended")
        fitted(annotation, answer["returned"], "returned")
    elif annotation is bytes:
        raise ValueError("no blob")
    elif annotation is not None and kind is not Kind.PICTURE:
        fitted(annotation, answer, "answer")
    if entry.method in ("tap", "double_tap", "long_press", "swipe", "drag"):
        points = entry.args[: 2 if entry.method in ("swipe", "drag") else 1]
        if len(points) < 1 or not all(_is_point(one) for one in points):
            raise ValueError("no point of a screen")


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
