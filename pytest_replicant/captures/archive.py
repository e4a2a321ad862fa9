"""``Capture``: the content of a capture file, ``replicant.capture/2``, written and read.

The file is a zip: ``capture.json`` has everything but pictures, which are for people and not read back. A file may
come from anyone.
"""

from __future__ import annotations

import io
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from ..drivers import Orientation, scale_of
from ..errors import UsageError
from ..json_fields import fitted, load_json
from ..model import Rect
from ..snapshots import Snapshot

SCHEMA = "replicant.capture/2"
DOCUMENT = "capture.json"
README = "README.txt"  # for people; it is not read back
_README = """What a phone showed and said while it was proven or recorded by pytest-replicant.

capture.json  the phone's model and versions, facts that its commands printed, what it refused, how long calls
              took, the verdict of each clause, and each screen's hierarchy in every form that the phone gives;
              "redacted" says whether texts and pictures are as they were
screens/      each screen's picture, if that was asked for

Texts that are redacted have other letters and digits, the same ones for the same word. There is no log in it.
Any text editor reads it. `replicant virtual from-capture FILE.zip` makes a virtual phone of it.
"""
FORMS = ("uiautomator2", "uiautomator", "wda-xml", "wda-json")
"""Forms of a hierarchy: that of uiautomator2's server, of the phone's own command ``uiautomator dump``, and
WebDriverAgent's two."""

Verdict = Literal["holds", "broken", "not offered", "not reached"]
Means = Literal["launch", "intent", "tap", "back", "home", "scroll", "type", "hand"]


@dataclass(frozen=True)
class Reached:
    """How a screen was reached: by what ``means``, from which screen, "" for none of the capture; ``bounds`` of
    what was tapped, in pixels, None where nothing was, or where it is unknown; ``intent`` is Android's action, and
    ``-c`` with its category where it has one."""

    means: Means
    source: str = ""
    bounds: Rect | None = None
    intent: str = ""


@dataclass(frozen=True)
class CapturedScreen:
    """``name`` is unique in its capture, of a-z, 0-9 and "-". ``forms`` are hierarchies by name of ``FORMS``, the
    one that a session reads first; ``picture`` is a PNG. ``orientation`` as ``Driver.orientation`` gives it."""

    name: str
    app: str
    activity: str
    orientation: str
    keyboard: bool
    reached: Reached
    forms: Mapping[str, bytes]
    picture: bytes | None = None


@dataclass(frozen=True)
class ProofRow:
    """A clause of the proof, and the ``ms`` that it took. ``reason`` says why it does not
    hold. "not reached" is one of a proof that ended early."""

    name: str
    claim: str
    verdict: Verdict
    ms: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Capture:
    """``made`` says by which command and version, and when; ``device`` are the fields of ``DeviceInfo`` but its
    serial, brand and release; ``facts`` are those of a profile, by their source; ``redacted`` says for "texts" and
    "pictures" whether they were; ``unknown`` names what could not be asked."""

    made: Mapping[str, str]
    device: Mapping[str, Any]
    screens: tuple[CapturedScreen, ...] = ()
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    proof: tuple[ProofRow, ...] = ()
    redacted: Mapping[str, bool] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)

    @property
    def platform(self) -> str:
        return str(self.device["platform"])

    def snapshot_of(self, screen: CapturedScreen) -> Snapshot:
        """Of the form that a session reads. Raises ``SnapshotError``."""
        scale = scale_of(self.device)
        source = next(iter(screen.forms.values()), b"")
        return Snapshot.parse(source, self.platform, activity=screen.activity, scale=scale)  # type: ignore[arg-type]


def write_capture(path: Path, capture: Capture) -> None:
    """Writes the file whole or not at all, where a link leads to. Raises ``OSError``."""
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries(capture).items():
                archive.writestr(name, content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def entries(capture: Capture) -> dict[str, bytes]:
    """Content of the file's entries by name."""
    document = {item.name: getattr(capture, item.name) for item in fields(capture)}
    document["proof"] = [asdict(row) for row in capture.proof]
    document["screens"] = [_without_picture(screen) for screen in capture.screens]
    content = {
        DOCUMENT: json.dumps({"schema": SCHEMA, **document}, indent=1, ensure_ascii=False).encode(),
        README: _README.encode(),
    }
    for screen in capture.screens:
        if screen.picture is not None:
            content[f"screens/{screen.name}.png"] = screen.picture
    return content


def _without_picture(screen: CapturedScreen) -> dict[str, Any]:
    row = {item.name: getattr(screen, item.name) for item in fields(screen) if item.name != "picture"}
    forms = {form: source.decode("utf-8", "replace") for form, source in screen.forms.items()}
    return {**row, "reached": asdict(screen.reached), "forms": forms}


# --- reading a file of anyone's ------------------------------------------------------------------------------
MOST_ENTRIES = 2_000
LARGEST_FILE, LARGEST_LISTING = 64_000_000, 1_000_000  # bytes of the zip, and of its list of entries
LARGEST = 128_000_000  # bytes read of it
_END, _END_64, _END_SIZE, _LOCATOR_SIZE = b"PK\x05\x06", b"PK\x06\x07", 22, 20
_Side = Annotated[int, range(1, 20_001)]
_DEVICE: Mapping[str, Any] = {
    "platform": Literal["android", "ios"], "model": str, "os_version": str, "width": _Side, "height": _Side,
    "density": Annotated[float, range(1, 21)], "extra": Mapping[str, Any],
}  # fmt: skip


@dataclass(frozen=True)
class _Screen:
    """A row of ``screens``, by the fields of ``CapturedScreen``."""

    name: Annotated[str, re.compile(r"[a-z0-9][a-z0-9-]{0,99}")]
    app: Annotated[str, re.compile(r"[\w.-]{0,300}", re.ASCII)]
    activity: Annotated[str, re.compile(r"[\w.$/-]{0,300}")]
    orientation: Orientation
    keyboard: bool
    reached: Reached
    forms: Mapping[str, str]


@dataclass(frozen=True)
class _Document:
    """``DOCUMENT``, by the fields of ``Capture``."""

    schema: Annotated[str, (SCHEMA,)]
    made: Mapping[str, str]
    device: Mapping[str, Any]
    screens: tuple[_Screen, ...]
    facts: Mapping[str, Mapping[str, Any]]
    proof: tuple[ProofRow, ...]
    redacted: Mapping[str, bool]
    unknown: Mapping[str, str]


def read_capture(path: Path) -> Capture:
    """Raises ``UsageError``, with the reason, for a file that is no capture, or that is harmful."""
    try:
        with path.open("rb") as file:
            _check_end(file)
            with zipfile.ZipFile(file) as archive:
                return _capture(_document(archive))
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{path}: is damaged: {printable(error)}") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or printable(error)}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {printable(error)}") from None


def _check_end(file: IO[bytes]) -> None:
    """Looks at the end record before a library reads the list of entries, which may be of any size."""
    size = file.seek(0, io.SEEK_END)
    if size > LARGEST_FILE:
        raise ValueError(f"{size} bytes, and {LARGEST_FILE} are allowed")
    file.seek(max(size - _END_SIZE - _LOCATOR_SIZE, 0))
    tail = file.read()
    end = tail[-_END_SIZE:]
    if not end.startswith(_END) or end[-2:] != b"\0\0":
        raise ValueError("is no zip file that ends as one: it is cut off, or has something behind its end")
    count, listing = struct.unpack("<HI", end[10:16])
    if tail.startswith(_END_64):
        raise ValueError("is a zip file of the 64 bit kind, which no capture needs")
    if count > MOST_ENTRIES or listing > LARGEST_LISTING:
        raise ValueError(f"{count} entries, and {MOST_ENTRIES} are allowed")


def _document(archive: zipfile.ZipFile) -> bytes:
    """The one entry that is read. Raises ``ValueError``."""
    if DOCUMENT not in archive.namelist():
        raise ValueError(f"is no capture: it has no {DOCUMENT}")
    info = archive.getinfo(DOCUMENT)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"is compressed by method {info.compress_type}, which no capture uses")
    with archive.open(info) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"{DOCUMENT} has more than {LARGEST} bytes")
    return content


def _capture(content: bytes) -> Capture:
    try:
        read: _Document = fitted(_Document, load_json(content), "")
        _check(read)
    except ValueError as error:
        raise ValueError(f"{DOCUMENT}: {str(error).removeprefix(': ')}") from None
    values = {item.name: getattr(read, item.name) for item in fields(Capture)}
    return Capture(**{**values, "screens": tuple(map(_captured, read.screens))})


def _check(read: _Document) -> None:
    """Raises ``ValueError`` with the place."""
    if "platform" not in read.device:
        raise ValueError("device.platform is missing")
    for name, kind in _DEVICE.items():
        if name in read.device:
            fitted(kind, read.device[name], f"device.{name}")
    names = [screen.name for screen in read.screens]
    for number, screen in enumerate(read.screens):
        where = f"screens[{number}]"
        if screen.name in names[:number]:
            raise ValueError(f"{where}.name: {screen.name} is there twice")
        if screen.reached.source and screen.reached.source not in names:
            raise ValueError(f"{where}.reached.source: there is no screen {screen.reached.source!r}")
        for form in screen.forms:
            fitted(Annotated[str, FORMS], form, f"{where}.forms")


def _captured(row: _Screen) -> CapturedScreen:
    values = {item.name: getattr(row, item.name) for item in fields(_Screen)}
    forms = {form: text.encode() for form, text in row.forms.items()}
    return CapturedScreen(**{**values, "forms": forms})


def printable(text: object) -> str:
    """In one line, and not a long one; it may quote the file."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(text)[:400])
