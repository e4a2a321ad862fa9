"""Where the last pass of a test is found: among downloaded traces, or in what an earlier run kept for the purpose.

Files of either kind may be cut short or anybody's: what cannot be read is no pass, and says so.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from ...codec import decode, encode
from ...kept import (
    TRACE,
    RecordedAttempt,
    RecordedScreen,
    attempt_in,
    content_of,
    files_below,
    is_of_another_version,
    passed_over,
    recorded,
    stored_at,
)
from ...model import Redactor, TestTrace, grouped, plain
from ...redaction import masked_record
from ...whole_file import write_whole
from ..artifacts.storage import short_digest
from .divergence import Divergence, compared

LARGEST_PASS = 512_000
"""Bytes that are kept of one pass: outlines beyond it are left out."""
_MOST_CANDIDATES = 200


@dataclass(frozen=True)
class TraceFolders:
    """Every ``trace.json`` below some folders, found by the test's node id without being opened."""

    roots: tuple[Path, ...]
    old: set[Path] = field(default_factory=set, compare=False)  # of an earlier version, passed over

    def last_pass(self, digest: str, shown: str, before: str = "") -> RecordedAttempt | None:
        """The newest one, if there is one the newest ``before`` that moment. ``digest`` is of the test's node
        id, which ``shown`` is as traces spell it."""

        def nearness(run: RecordedAttempt) -> tuple[bool, str]:
            return bool(before) and run.started_at < before, run.started_at

        newest: RecordedAttempt | None = None
        known = self._by_digest.get(digest, [])
        for path in [*known, *self._by_digest.get("", [])][:_MOST_CANDIDATES]:
            try:
                found = attempt_in(path)
            except (OSError, ValueError) as error:
                if is_of_another_version(error):
                    self.old.add(path)
                continue
            if found.outcome == "passed" and found.nodeid == shown:
                newest = max(filter(None, (newest, found)), key=nearness)
        return newest

    @cached_property
    def _by_digest(self) -> dict[str, list[Path]]:
        """Newer runs first, as far as names of folders show."""
        paths = [path for root in self.roots for path in files_below(root, (TRACE,), [])]
        newest = sorted(paths, key=lambda path: path.parts[-3:], reverse=True)
        return grouped((stored_at(path.parent).digest, path) for path in newest)


class Baselines:
    """The last pass of each test. ``folder`` is where the user said that earlier traces are, ``cache`` if runs
    keep their passes; either may be missing."""

    def __init__(self, folder: Path | None, cache: Path | None) -> None:
        self._folder = folder
        self._traces = TraceFolders((folder,) if folder is not None else ())
        self._cache = cache

    def compare(self, nodeid: str, now: RecordedAttempt, redactor: Redactor) -> Divergence:
        """A failure with the last pass of that test. ``nodeid`` is the test's, not redacted. The difference
        is: the pass was written with the secrets that were known then, and there may be more now."""
        then = self._traces.last_pass(short_digest(nodeid), now.nodeid) or self._kept(nodeid, now.nodeid)
        return masked_record(compared(then, now, missing=self._missing()), redactor)

    def keep(self, trace: TestTrace, redactor: Redactor) -> None:
        """A pass, redacted, in place of an earlier one. Raises ``OSError``."""
        if self._cache is not None:
            kept = pass_json(recorded(trace, redactor))
            write_whole(self._cache / _file_name(trace.test.nodeid), kept)

    @property
    def asked_for(self) -> bool:
        """Whether the user named a folder, and so waits for an answer."""
        return self._folder is not None

    def _kept(self, nodeid: str, shown: str) -> RecordedAttempt | None:
        if self._cache is None:
            return None
        try:
            found = _attempt_of(decode(PassFile, content_of(self._cache / _file_name(nodeid))))
        except (OSError, ValueError, LookupError):
            return None
        return found if (found.outcome, found.nodeid) == ("passed", shown) else None

    def _missing(self) -> str:
        if self._folder is None:
            return ""
        if not self._folder.is_dir():
            return f"{self._folder} is no folder"
        old = len(self._traces.old)
        return f"none in {self._folder}{f'; {passed_over(old)}' if old else ''}"


def _file_name(nodeid: str) -> str:
    return hashlib.sha256(nodeid.encode("utf-8", errors="backslashreplace")).hexdigest()[:32] + ".json"


@dataclass(frozen=True)
class PassFile:
    """A pass, with each of its screens once: ``places`` are those of each step, before and after it."""

    attempt: RecordedAttempt
    places: tuple[tuple[int, int], ...]
    screens: tuple[RecordedScreen, ...]
    schema: Literal["replicant.pass/5"] = "replicant.pass/5"


_NO_SCREEN = RecordedScreen()


def pass_json(run: RecordedAttempt) -> bytes:
    """Of a redacted run; outlines beyond ``LARGEST_PASS`` are left out."""
    screens: dict[RecordedScreen, int] = {}
    places = []
    for step in run.steps:
        before = screens.setdefault(step.before, len(screens))
        places.append((before, screens.setdefault(step.after, len(screens))))
    left = LARGEST_PASS
    shown = []
    for screen in screens:
        left -= sum(len(line) + 4 for line in screen.outline)
        shown.append(screen if left >= 0 else replace(screen, outline=()))
    steps = tuple(replace(step, before=_NO_SCREEN, after=_NO_SCREEN) for step in run.steps)
    return encode(plain(PassFile(replace(run, steps=steps), tuple(places), tuple(shown))))


def _attempt_of(file: PassFile) -> RecordedAttempt:
    """Raises ``ValueError`` and ``LookupError`` for places that the file has not."""
    screens = file.screens
    steps = [
        replace(step, before=screens[before], after=screens[after])
        for step, (before, after) in zip(file.attempt.steps, file.places, strict=True)
    ]
    return replace(file.attempt, steps=tuple(steps), origin="the cache of an earlier run")
