"""Where the last pass of a test is found: among downloaded traces, or in what an earlier run kept for the purpose.

Files of either kind may be cut short or anybody's: what cannot be read is no pass, and says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from ...kept import (
    TRACE,
    RecordedAttempt,
    RecordedScreen,
    attempt_in,
    files_below,
    is_of_another_version,
    passed_over,
    read,
    read_json,
)
from ...model import Redactor, TestTrace
from ..artifacts.document import plain, script_json
from ..artifacts.folder_names import folder_name
from ..artifacts.recorded import recorded
from ..artifacts.storage import write_whole
from .divergence import Divergence, compared

PASS_SCHEMA = "replicant.pass/4"
LARGEST_PASS = 512_000
"""Bytes that are kept of one pass: outlines beyond it are left out."""
_MOST_CANDIDATES = 200
_TEST_FOLDER = re.compile(r"-([0-9a-f]{8})(?:-retry\d+)?\Z")


@dataclass(frozen=True)
class TraceFolders:
    """Every ``trace.json`` below some folders, found by the test's node id without being opened."""

    roots: tuple[Path, ...]
    old: set[Path] = field(default_factory=set, compare=False)  # of an earlier version, passed over

    def last_pass(self, digest: str, shown: str, before: str = "") -> RecordedAttempt | None:
        """The newest one, where there is one the newest ``before`` that moment. ``digest`` is of the test's node
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
        found: dict[str, list[Path]] = {}
        paths = [path for root in self.roots for path in files_below(root, (TRACE,), [])]
        for path in sorted(paths, key=lambda path: path.parts[-3:], reverse=True):
            found.setdefault(digest_of(path.parent.name), []).append(path)
        return found


def digest_of(folder: str) -> str:
    """Of the node id of the test whose folder has that name; "" where it is no such name."""
    named = _TEST_FOLDER.search(folder)
    return named[1] if named else ""


class Baselines:
    """The last pass of each test. ``folder`` is where the user said that earlier traces are, ``cache`` where runs
    keep their passes; either may be missing."""

    def __init__(self, folder: Path | None, cache: Path | None) -> None:
        self._folder = folder
        self._traces = TraceFolders((folder,) if folder is not None else ())
        self._cache = cache

    def compare(self, nodeid: str, now: RecordedAttempt, redactor: Redactor) -> Divergence:
        """A failure with the last pass of that test, redacted. ``nodeid`` is the test's, not redacted."""
        digest = digest_of(folder_name(nodeid, "", 0))
        then = self._traces.last_pass(digest, now.nodeid) or self._kept(nodeid, now.nodeid)
        return compared(then, now, missing=self._missing()).redacted(redactor)

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
            kept = read_json(self._cache / _file_name(nodeid))
            found = _kept_run(kept) if kept.get("schema") == PASS_SCHEMA else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None
        return found if found is not None and (found.outcome, found.nodeid) == ("passed", shown) else None

    def _missing(self) -> str:
        if self._folder is None:
            return ""
        if not self._folder.is_dir():
            return f"{self._folder} is no folder"
        old = len(self._traces.old)
        return f"none in {self._folder}{f'; {passed_over(old)}' if old else ''}"


def _file_name(nodeid: str) -> str:
    return hashlib.sha256(nodeid.encode("utf-8", errors="backslashreplace")).hexdigest()[:32] + ".json"


def pass_json(run: RecordedAttempt) -> bytes:
    """A redacted run with each of its screens once; outlines beyond ``LARGEST_PASS`` are left out."""
    screens: dict[RecordedScreen, int] = {}
    steps = []
    for step in run.steps:
        places = {name: screens.setdefault(getattr(step, name), len(screens)) for name in ("before", "after")}
        steps.append(plain({**vars(step), **places}))
    left = LARGEST_PASS
    shown = []
    for screen in screens:
        left -= sum(len(line) + 4 for line in screen.outline)
        shown.append(plain(screen if left >= 0 else replace(screen, outline=())))
    bare_run = plain(replace(run, steps=()))
    return script_json({"schema": PASS_SCHEMA, "run": bare_run, "steps": steps, "screens": shown}).encode("ascii")


def _kept_run(kept: Mapping[str, Any]) -> RecordedAttempt:
    """Raises ``ValueError``, ``LookupError``, ``TypeError`` and ``AttributeError`` for anything else."""
    screens = kept["screens"]
    steps = [{**one, "before": screens[one["before"]], "after": screens[one["after"]]} for one in kept["steps"]]
    run = {**kept["run"], "steps": steps, "origin": "the cache of an earlier run"}
    return cast("RecordedAttempt", read(RecordedAttempt, run))
