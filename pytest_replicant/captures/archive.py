"""``Capture``: the content of a capture file, ``replicant.capture/1``, written and read.

The file is a zip: ``capture.json`` with everything but the hierarchies and pictures, which are in ``screens/``,
one file for each form that the phone offers. A file may come from anyone.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from ..model import Rect

SCHEMA = "replicant.capture/1"
DOCUMENT = "capture.json"
FORMS = {"uiautomator2": "xml", "uiautomator": "xml", "wda-xml": "xml", "wda-json": "json"}
"""Forms of a hierarchy, with the ending of their files: that of uiautomator2's server, of the phone's own command
``uiautomator dump``, and WebDriverAgent's two."""

Verdict = Literal["holds", "broken", "not offered"]
Means = Literal["launch", "intent", "tap", "back", "home", "scroll", "type", "hand"]


@dataclass(frozen=True)
class Reached:
    """How a screen was reached: by what ``means``, from which screen, "" for none of the capture; ``bounds`` of
    what was tapped, in pixels, None where nothing was, or where it is unknown; ``intent`` is Android's action."""

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
class Timing:
    """How long calls of one kind took, in ms: ``calls`` of them."""

    calls: int
    median_ms: int
    slowest_ms: int


@dataclass(frozen=True)
class Answer:
    """What the phone printed to a command that a parser of ours reads."""

    command: str
    output: str
    errors: str = ""
    exit_code: int = 0


@dataclass(frozen=True)
class Refusal:
    """A call that the phone refused, and its raw answer."""

    call: str
    answer: str


@dataclass(frozen=True)
class ProofRow:
    """A clause of the proof, and the ``ms`` that it took. ``reason`` says why it is broken or not offered."""

    name: str
    claim: str
    verdict: Verdict
    ms: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Capture:
    """``made`` says by which command and version, and when; ``device`` are the fields of ``DeviceInfo`` but its
    serial, brand and release; ``timings`` are by kind of call, a field of the virtual phone's ``Latency``;
    ``redacted`` says for "texts" and "pictures" whether they were; ``unknown`` names what could not be asked."""

    made: Mapping[str, str]
    device: Mapping[str, Any]
    screens: tuple[CapturedScreen, ...] = ()
    timings: Mapping[str, Timing] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    proof: tuple[ProofRow, ...] = ()
    redacted: Mapping[str, bool] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)

    @property
    def platform(self) -> str:
        return str(self.device["platform"])


def write_capture(path: Path, capture: Capture) -> None:
    """Writes the file whole or not at all. Raises ``OSError``."""
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
    for name in ("answers", "refusals", "proof"):
        document[name] = [asdict(each) for each in document[name]]
    document["timings"] = {kind: asdict(timing) for kind, timing in capture.timings.items()}
    document["screens"] = [_without_content(screen) for screen in capture.screens]
    content = {DOCUMENT: json.dumps({"schema": SCHEMA, **document}, indent=1, ensure_ascii=False).encode()}
    for screen in capture.screens:
        content |= {_file(screen.name, form): source for form, source in screen.forms.items()}
        if screen.picture is not None:
            content[_file(screen.name, "png")] = screen.picture
    return content


def _file(screen: str, form: str) -> str:
    return f"screens/{screen}.png" if form == "png" else f"screens/{screen}.{form}.{FORMS[form]}"


def _without_content(screen: CapturedScreen) -> dict[str, Any]:
    row = {item.name: getattr(screen, item.name) for item in fields(screen)}
    bounds = screen.reached.bounds
    reached = {**asdict(screen.reached), "bounds": None if bounds is None else list(bounds)}
    return {**row, "reached": reached, "forms": list(screen.forms), "picture": screen.picture is not None}


def read_capture(path: Path) -> Capture:
    """Raises ``UsageError``, with the reason, for a file that is no capture, or that is harmful."""
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read(DOCUMENT))
        document.pop("schema")
        screens = tuple(_screen(row, archive.read) for row in document["screens"])
    kinds: dict[str, Any] = {"answers": Answer, "refusals": Refusal, "proof": ProofRow}
    lists = {name: tuple(kind(**row) for row in document[name]) for name, kind in kinds.items()}
    timings = {kind: Timing(**row) for kind, row in document["timings"].items()}
    return Capture(**{**document, **lists, "timings": timings, "screens": screens})


def _screen(row: dict[str, Any], read: Callable[[str], bytes]) -> CapturedScreen:
    step = row["reached"]
    bounds = None if step["bounds"] is None else Rect(*step["bounds"])
    reached = Reached(**{**step, "bounds": bounds})
    forms = {form: read(_file(row["name"], form)) for form in row["forms"]}
    picture = read(_file(row["name"], "png")) if row["picture"] else None
    return CapturedScreen(**{**row, "reached": reached, "forms": forms, "picture": picture})
