"""``Capture``: what a phone showed and said while it was proven or recorded. Its file is a cassette
of the tour, in an archive as ``replicant cassette redact`` makes it. A file may come from
anyone."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import SystemRandom
from typing import Any, Literal

from ..cassettes import (
    PHASE,
    STEP,
    Archive,
    Cassette,
    Entry,
    Header,
    RecordedPhone,
    Redacted,
    Stored,
    blob_name,
    steps_of,
)
from ..drivers import AppInFront, DeviceInfo, Orientation
from ..errors import SnapshotError, UsageError
from ..model import AnyMapping, Rect, Strings, convert, plain
from ..model.printable import printable
from ..redaction import ForStrangers, Words, rewritten, walked
from ..snapshots import Snapshot

README = """A recording by pytest-replicant: what a phone showed and said while it was proven.

cassette.json.gz  the phone's model and versions, facts that its commands printed, what it refused,
                  how long calls took, the verdict of each clause, each screen in the order of the
                  tour, and how it was reached
blobs/            the screens' hierarchies, each named by its digest

Texts that are redacted have other letters and digits, the same ones for the same word. There is no
log in it.
`replicant cassette show FILE.zip` prints it, and
`replicant virtual from-capture FILE.zip` makes a virtual phone of it.
"""
UNREADABLE = "left out: its hierarchy cannot be read, so it cannot be redacted"
LIBRARIES = ("pytest-replicant", "adbutils", "uiautomator2", "facebook-wda")
_MADE = ("command", "date", "phone", "python", *LIBRARIES)
_EXTRA = ("abi", "brand", "locale", "model", "release", "sdk", "simulator", "webdriveragent")

Verdict = Literal["holds", "broken", "not offered", "not reached"]
Means = Literal["launch", "intent", "tap", "back", "home", "scroll", "type", "hand"]


@dataclass(frozen=True)
class Reached:
    """How a screen was reached: by what ``means``, from which screen, "" for none of the capture;
    ``bounds`` of what was tapped, in pixels, None if nothing was, or where it is unknown;
    ``intent`` is Android's action, and ``-c`` with its category where it has one."""

    means: Means
    source: str = ""
    bounds: Rect | None = None
    intent: str = ""


@dataclass(frozen=True)
class CapturedScreen:
    """``name`` is unique in its capture. ``hierarchy`` is that of ``Driver.dump_hierarchy``. ``at``
    is in ticks since the tour began."""

    name: str
    app: str
    activity: str
    orientation: Orientation
    keyboard: bool
    reached: Reached
    hierarchy: bytes
    at: int = 0


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
    """``made`` says by which command and version, and when; ``device`` has no serial; ``facts`` are
    those of a profile, by their source; ``unknown`` names what could not be asked."""

    made: Mapping[str, str]
    device: DeviceInfo
    screens: tuple[CapturedScreen, ...] = ()
    facts: Mapping[str, AnyMapping] = field(default_factory=dict)
    proof: tuple[ProofRow, ...] = ()
    unknown: Mapping[str, str] = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """Pixels to one unit of a hierarchy's bounds: an iPhone's are in points."""
        return self.device.density if self.device.platform == "ios" else 1.0

    def snapshot_of(self, screen: CapturedScreen) -> Snapshot:
        """Raises ``SnapshotError``."""
        platform, activity = self.device.platform, screen.activity
        return Snapshot.parse(screen.hierarchy, platform, activity=activity, scale=self.scale)


def redacted(capture: Capture, secrets: Collection[str] = ()) -> Capture:
    """The capture for strangers: kept are the facts that are read from it, and words of our own.
    One word has the same substitute wherever it stands. ``secrets`` are in nothing of the result.
    Substitutes are new with each call. A screen that cannot be redacted is left out, and named in
    ``unknown``."""
    texts = ForStrangers(secrets, Words(SystemRandom()))
    kinds = {"made": texts.fact, "device": texts.fact, "facts": texts.fact, "screens": texts.name}

    def policy(text: str, path: Strings) -> str:
        return kinds.get(path[0], texts.message)(text)

    extra = {name: value for name, value in capture.device.extra.items() if name in _EXTRA}
    made = {name: value for name, value in capture.made.items() if name in _MADE}
    clean = walked(
        replace(capture, made=made, device=replace(capture.device, serial="", extra=extra)), policy
    )
    unknown, screens = dict(clean.unknown), []
    for seen in clean.screens:
        try:
            hierarchy = rewritten(seen.hierarchy, texts.screen, texts.name, clean.device.platform)
        except SnapshotError:
            unknown[f"screen {seen.name}"] = UNREADABLE
        else:
            screens.append(replace(seen, hierarchy=hierarchy))
    return replace(clean, screens=tuple(screens), unknown=unknown)


# --- its file -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Said:
    """Values of the cassette: ``ways`` are by the names of screens."""

    ways: Mapping[str, Reached]
    facts: Mapping[str, AnyMapping]
    proof: tuple[ProofRow, ...]
    unknown: Mapping[str, str]


@dataclass(frozen=True)
class _Shown:
    """The answers at one stop of the tour, by the methods of a driver. A blob is ``{"blob":
    place}``."""

    app_in_front: AppInFront
    orientation: Orientation
    keyboard_shown: bool
    dump_hierarchy: Mapping[str, int]


def taped(capture: Capture) -> Redacted:
    """The cassette, with its blobs."""
    blobs: dict[str, bytes] = {}
    entries = [Entry(0, PHASE, 0, 0, ("call",), None)]
    for screen in capture.screens:
        data = gzip.compress(screen.hierarchy, mtime=0)
        name = blob_name(data, ".xml.gz")
        blobs[name] = data
        answers: tuple[tuple[str, Any, Strings], ...] = (
            (STEP, None, (screen.reached.means, screen.name)),
            ("app_in_front", {"app": screen.app, "activity": screen.activity}, ()),
            ("orientation", screen.orientation, ()),
            ("keyboard_shown", screen.keyboard, ()),
            ("dump_hierarchy", {"blob": list(blobs).index(name)}, ()),
        )
        for method, answer, given in answers:
            entries.append(Entry(0, method, screen.at, 0, given, answer))
    made = dict(capture.made)
    ways = {screen.name: screen.reached for screen in capture.screens}
    cassette = Cassette(
        Header(
            made.get("command", ""), _outcome(capture.proof), made.get("date", ""), 0, facts=made
        ),
        (RecordedPhone(capture.device.platform, capture.device),),
        tuple(entries),
        blobs=tuple(blobs),
        values=plain(_Said(ways, capture.facts, capture.proof, capture.unknown)),
    )
    return Redacted(cassette, blobs)


def _outcome(proof: tuple[ProofRow, ...]) -> str:
    verdicts = {row.verdict for row in proof}
    if "broken" in verdicts:
        return "failed"
    if "not reached" in verdicts:
        return "interrupted"
    return "passed" if verdicts else "recorded"


def read_capture(path: Path) -> Capture:
    """Raises ``UsageError``, with the reason, for a file that is no capture, or that is harmful."""
    found = Archive(path).tests()
    try:
        if not found:
            raise UsageError(f"{path} is no capture: there is no recording in it")
        return _capture(found[0])
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {printable(str(error))}") from None


def _capture(stored: Stored) -> Capture:
    cassette = stored.load()
    if "ways" not in cassette.values:
        raise ValueError("is no capture, but the recording of a test")
    said = convert(_Said, cassette.values, "values")
    if not cassette.phones:
        raise ValueError("phones: there is none")
    screens: dict[str, CapturedScreen] = {}
    for step in steps_of(cassette):
        answers = {entry.method: entry.answer for entry in step.entries}
        shown = convert(_Shown, answers, f"the answers at {step.title}")
        if step.title not in said.ways:
            raise ValueError(f"values.ways: it is not said how {step.title} was reached")
        screens[step.title] = CapturedScreen(
            step.title,
            shown.app_in_front.app,
            shown.app_in_front.activity,
            shown.orientation,
            shown.keyboard_shown,
            said.ways[step.title],
            stored.blob(cassette.blobs[shown.dump_hierarchy["blob"]]),
            at=step.began,
        )
    made, device = cassette.header.facts, cassette.phones[0].info
    return Capture(made, device, tuple(screens.values()), said.facts, said.proof, said.unknown)
