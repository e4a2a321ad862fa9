"""``trace.json``: one attempt of one test, as the report keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .test_trace import DeathRecord, LogRecord, RaisedError, TestFacts, TraceEvent
from .trace import RecoveryRecord

TRACE_SCHEMA = "replicant.trace/2"


@dataclass(frozen=True)
class StoredPicture:
    """``width`` and ``height`` as it was taken, in pixels; the stored picture may be smaller."""

    blob: str
    width: int
    height: int


@dataclass(frozen=True)
class StoredSnapshot:
    """One read of a screen. ``blob`` is its hierarchy, packed with gzip, ``outline`` its text: paths relative to
    ``trace.json``, None if it could not be stored. ``screen_key`` says which screen it is, under any content,
    ``structure`` is a digest of what it is built of, ``dialog`` the title of a window over the app's own."""

    blob: str | None
    screen: str
    fingerprint: str
    outline: str | None
    captured_at_ms: int
    size: tuple[int, int]
    screenshot: StoredPicture | None
    screen_key: str = ""
    app: str = ""
    structure: str = ""
    dialog: str | None = None


@dataclass(frozen=True)
class StoredAttachment:
    """``path`` is relative to ``trace.json``, None if it could not be stored; ``bytes`` is its size."""

    name: str
    media_type: str
    path: str | None
    bytes: int


@dataclass(frozen=True)
class StoredEvidence:
    """Of the ``lines``, those that begin with + are of this run, with - of the pass."""

    kind: Literal["tree", "log", "timing", "screen", "target"]
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredDivergence:
    """How a failure differs from the last pass of its test. ``step`` is the anchor of the step in the trace page,
    ``source`` the line of the test that did it, ``baseline`` the pass that it was compared with."""

    sentence: str
    step: str = ""
    baseline: str = ""
    evidence: tuple[StoredEvidence, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class TraceFile:
    """One attempt of one test: what was done, what was checked, what the screens were. ``*_ms`` are integer
    milliseconds. ``events`` are in the order in which they began, ``failures`` those that failed the test,
    ``warnings`` what could not be recorded or stored. ``divergence`` is None if the test did not fail."""

    test: TestFacts
    device: Mapping[str, Any]
    events: tuple[TraceEvent, ...]
    snapshots: Mapping[str, StoredSnapshot]
    attachments: tuple[StoredAttachment, ...]
    failures: tuple[RaisedError, ...]
    warnings: tuple[str, ...]
    recoveries: tuple[RecoveryRecord, ...]
    deaths: tuple[DeathRecord, ...]
    logs: tuple[LogRecord, ...]
    divergence: StoredDivergence | None
    anrs: tuple[DeathRecord, ...] = ()
    schema: Literal["replicant.trace/2"] = "replicant.trace/2"
