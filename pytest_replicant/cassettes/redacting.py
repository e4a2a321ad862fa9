"""A cassette that may be sent away: without texts that are to be hidden, without logs and pictures,
and still with the verdict that it had.

A hidden text has a stand-in of the same length and letters of the same kind, the same one wherever
it was: what a test reads on one screen is still there on the next. Where a text was typed or sent,
any text is accepted in its place.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from random import SystemRandom
from typing import Any

from .. import vision
from ..drivers import png_size
from ..errors import SnapshotError, UsageError
from ..model import Redactor, Strings
from ..model.secret import SHORT
from ..redaction import (
    ITEM,
    KEY,
    Place,
    StandIns,
    Words,
    every_value,
    rewritten,
    said_in,
    texts_in,
    walked,
)
from .tape import FILE_NAME, HIDDEN_TEXT, PHASE, STEP, Blobs, Cassette, Entry, Header, cassette_json

README = "README.txt"
_README = """A recording by pytest-replicant: what a phone showed and was sent in a test, redacted.

Run it on the test's code, with no phone:

    pytest --replicant-device=cassette:THIS.zip

cassette.json.gz  calls and answers in order; a hidden text has other letters in its place, or •••
blobs/            the screens as the phone gave them, each named by its digest
"""
_ON_SCREEN = frozenset({"true_texts", "last_toast", "focused_field", "accessibility_audit"})
_OUTPUTS = {"logs": "log", "shell": "command output", "pull_file": "pulled file"}
_OURS = frozenset(
    {
        "capabilities",
        "code",
        "outcome",
        "phase",
        "platform",
        "recorded_at",
        "shortcuts",
        "source",
        "verbs",
    }
)
"""Fields whose words are ours."""
_PICTURE = "picture"
_LARGEST_SIDE = 20_000


@dataclass(frozen=True)
class Hiding:
    """What to hide. Unless ``keep_texts``, so are mail addresses that the test does not name, and
    logs, outputs of commands and files are left out."""

    secrets: Strings = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    keep_texts: bool = False

    def __post_init__(self) -> None:
        for secret in self.secrets:
            if len(secret.strip()) < SHORT:
                raise UsageError(
                    f"--secret {secret!r}: fewer than {SHORT} characters are a part of too many "
                    "words. Next: "
                    r"--pattern '\bab\b' hides it as a word"
                )


@dataclass
class Redacted:
    """``blobs`` are the files of the archive by name. ``hidden`` counts the different texts that
    were hidden, ``left_out`` what was dropped, by what one is called. In the steps ``named`` the
    test itself names a hidden text, so that it may end in another way; ``named_itself`` is whether
    the test's own name has one."""

    cassette: Cassette
    blobs: Mapping[str, bytes]
    hidden: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    named: Strings = ()
    named_itself: bool = False


class Redacting:
    """Redacts the cassettes of one archive: one text has the same stand-in in all of them."""

    def __init__(self, hiding: Hiding) -> None:
        self._hiding = hiding
        self._words = Words(SystemRandom())

    def redacted(self, cassette: Cassette, blobs: Blobs) -> Redacted:
        """Raises ``OSError`` and ``ValueError`` for a blob that cannot be read, and ``UsageError``
        where a secret would still be in the archive."""
        hiding = self._hiding
        secrets = {*hiding.secrets}
        for phone in cassette.phones:
            if not phone.uri.startswith("virtual") and len(phone.info.serial) > SHORT:
                secrets.add(phone.info.serial)
        named = None if hiding.keep_texts else _named_by_test(cassette)
        texts = StandIns(tuple(secrets), hiding.patterns, self._words, named)
        return _Redaction(cassette, blobs, texts, hiding.keep_texts).made()


def _named_by_test(cassette: Cassette) -> str:
    """Texts that the test's own code names, as far as the recording shows."""
    found: list[str] = [cassette.header.nodeid]
    for entry in chain(cassette.entries, *cassette.fixtures.values()):
        if entry.method == STEP:
            found.append(str(entry.args[1]))
        elif entry.is_send:
            found += texts_in(entry.args)
    return "\n".join(found).casefold()


@dataclass
class _Redaction:
    """Of one cassette."""

    cassette: Cassette
    read: Blobs
    texts: StandIns
    keeps_texts: bool

    def __post_init__(self) -> None:
        self._names: list[str] = []
        self._masks: dict[str, tuple[int, ...]] = {}
        self._places: dict[tuple[int, str], int] = {}  # by the place before, and how it is treated
        self._files: dict[str, bytes] = {}
        self._left_out: Counter[str] = Counter()
        self._named: list[str] = []
        self._title = ""
        # which a replay gives the test as it is here
        self._from_data = self.texts.found(self.cassette.values)

    def made(self) -> Redacted:
        old = self.cassette
        texts = self.texts.text
        made = replace(
            old,
            header=walked(old.header, self._in_header),
            phones=walked(old.phones, self._in_header),
            entries=tuple(map(self._entry, old.entries)),
            fixtures={
                texts(key): tuple(map(self._entry, one)) for key, one in old.fixtures.items()
            },
            values=walked(old.values, self._in_values),
        )
        made = replace(made, blobs=tuple(self._names), masks=self._masks)
        self._check(made)
        return Redacted(
            made,
            self._files,
            len(self.texts.hidden),
            dict(self._left_out),
            tuple(dict.fromkeys(self._named)),
            made.header.nodeid != old.header.nodeid,
        )

    def _in_header(self, text: str, path: Place) -> str:
        """The words of this format stand."""
        return text if path[-1] == KEY or not _OURS.isdisjoint(path) else self.texts.text(text)

    def _in_values(self, text: str, path: Place) -> str:
        """Of recorded data, bytes are kept in base64."""
        if path[-1:] == ("of",):
            with suppress(ValueError):
                held = base64.b64decode(text, validate=True)
                clean = _changed(held, self.texts.text)
                if clean != held:
                    return base64.b64encode(clean).decode("ascii")
        return self.texts.text(text)

    # --- calls ------------------------------------------------------------------------------------
    def _entry(self, entry: Entry) -> Entry:
        if entry.method == PHASE:
            self._title = ""
            return entry
        is_step = entry.method == STEP
        if is_step:
            self._title = self.texts.text(str(entry.args[1]))
        if (is_step or entry.is_send) and self.texts.found(entry.args) - self._from_data:
            self._named.append(self._title or "its setup")
        if is_step:
            return entry._replace(args=(entry.args[0], self._title))
        return entry._replace(
            args=walked(entry.args, self._in_argument), answer=self._answer(entry)
        )

    def _in_argument(self, text: str, path: Place) -> str:
        """What the test's code says has to be accepted; what comes from an answer is as it is
        there."""
        if path[-1:] == (KEY,):
            return text
        return self.texts.loose(text) if {*path} <= {ITEM} else self.texts.text(text)

    def _answer(self, entry: Entry) -> Any:
        answer = entry.answer
        if entry.has("error"):
            error = answer["error"]
            if error.get("exchange") and not self.keeps_texts:
                error = {**error, "exchange": ""}
            return {"error": walked(error, every_value(self.texts.text))}
        if entry.has("looks"):
            return answer
        if entry.has("blob"):
            return {"blob": self._blob(entry.method, answer["blob"])}
        hides = entry.method == "shell" and not self.keeps_texts
        if hides and any(map(answer.get, ("stdout", "stderr"))):
            self._left_out[_OUTPUTS["shell"]] += 1
            return {**answer, "stdout": "", "stderr": "", "hints": [], "parsed": None}
        change = self.texts.screen if entry.method in _ON_SCREEN else self.texts.text
        return walked(answer, every_value(change))

    # --- blobs ------------------------------------------------------------------------------------
    def _blob(self, method: str, place: int) -> int:
        """The new place of a blob that this call was answered with."""
        how = "screen"
        if method in _OUTPUTS:
            is_looked_for = method == "logs" and self._title.startswith("expect_log")
            how = "log" if self.keeps_texts or is_looked_for else "drop"
        if (place, how) not in self._places:
            self._places[place, how] = len(self._names)
            self._names.append(self._stored(self.cassette.blobs[place], place, how, method))
        return self._places[place, how]

    def _stored(self, name: str, place: int, how: str, method: str) -> str:
        extension = name[name.index(".") :]
        data = self.read(name)
        if extension == ".png":
            self._left_out[_PICTURE] += 1
            return self._keep(_blank(data), extension)
        if how == "drop":
            self._left_out[_OUTPUTS[method]] += bool(data)
            return self._keep(gzip.compress(b"", mtime=0), extension)
        clean = _changed(data, self.texts.text) if how == "log" else self._screen(data)
        masks = self.cassette.masks.get(str(place), ())
        if how == "screen" and _texts_in(data) != _texts_in(clean):
            masks = (*masks, HIDDEN_TEXT)
        if masks:
            self._masks[str(len(self._names))] = masks
        extension = ".txt.gz" if how == "log" else ".xml.gz"
        return self._keep(gzip.compress(clean, mtime=0), extension)

    def _screen(self, data: bytes) -> bytes:
        change = self.texts.screen
        try:
            return rewritten(data, change, change)
        except SnapshotError:  # no screen, which a session does not read either
            clean = _changed(data, change)
            plain = html.unescape(clean.decode("utf-8", "surrogateescape"))
            if self.texts.still_in([plain]):  # spelled by its numbers
                return change(plain).encode("utf-8", "surrogateescape")
            return clean

    def _keep(self, packed: bytes, extension: str) -> str:
        name = blob_name(packed, extension)
        self._files[name] = packed
        return name

    # --- what remains -----------------------------------------------------------------------------
    def _check(self, made: Cassette) -> None:
        """Raises ``UsageError`` if a secret is still there."""
        calls = chain(made.entries, *made.fixtures.values())
        parts: dict[str, Iterable[str]] = {
            "the calls": texts_in([(one.args, one.answer) for one in calls]),
            "the header": texts_in(made.header),
            "the phones": texts_in([(one.uri, one.info) for one in made.phones]),
            "the recorded data": texts_in(made.values),
        }
        for name, packed in self._files.items():
            if name.endswith(".txt.gz"):
                parts[f"blobs/{name}"] = [gzip.decompress(packed).decode("utf-8", "replace")]
            elif not name.endswith(".png"):
                parts[f"blobs/{name}"] = _texts_in(gzip.decompress(packed))
        for where, texts in parts.items():
            if self.texts.still_in(texts):
                raise UsageError(
                    f"a secret would still be in {where}, and nothing was written: a replay needs "
                    "that text. Next: name more than a word of the platform or the app as --secret"
                )


def _changed(data: bytes, change: Callable[[str], str]) -> bytes:
    """Bytes that may be no text, changed as one."""
    return change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _texts_in(data: bytes) -> set[str]:
    """The texts of a screen, or of anything else the whole."""
    try:
        return said_in(data)
    except SnapshotError:
        text = data.decode("utf-8", "surrogateescape")
        return {text, html.unescape(text)}


def _blank(png: bytes) -> bytes:
    """A grey picture of the same size."""
    from PIL import Image  # heavy, and of no use without pictures

    size = (1, 1)
    if png.startswith(b"\x89PNG"):
        size = png_size(png)
    width, height = size
    grey = Image.new("L", (min(width, _LARGEST_SIDE) or 1, min(height, _LARGEST_SIDE) or 1), 128)
    return vision.packed(grey)


def blob_name(packed: bytes, ending: str) -> str:
    return f"{hashlib.sha256(packed).hexdigest()[:32]}{ending}"


def archive_of(found: Sequence[Redacted], readme: str = _README) -> bytes:
    """A zip that is replayed as a report is. One cassette is at its top; of several, each has a
    folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, data: bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

        put(README, readme.encode())
        blobs: dict[str, bytes] = {}
        for number, one in enumerate(found, 1):
            blobs.update(one.blobs)
            folder = "" if len(found) == 1 else f"{_folder(number, one.cassette.header)}/"
            document = cassette_json(one.cassette, Redactor())
            put(f"{folder}{FILE_NAME}", gzip.compress(document, mtime=0))
        for name, packed in sorted(blobs.items()):
            put(f"blobs/{name}", packed)
    return made.getvalue()


def _folder(number: int, header: Header) -> str:
    """As a report names the folder of a test: by its id, and the attempt."""
    digest = hashlib.sha256(header.nodeid.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{number}-{digest}{f'-retry{header.attempt}' if header.attempt else ''}"
