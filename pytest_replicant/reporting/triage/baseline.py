"""Where the last pass of a test is found: among downloaded traces, or in what an earlier run kept for the purpose.

Files of either kind may be cut short or anybody's: what cannot be read is no pass, and says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from ...cassettes import REPLAYED
from ...model import TRACE_SCHEMA, Redactor, TestTrace
from ..artifacts.document import plain, read, script_json
from ..artifacts.folder_names import folder_name
from ..artifacts.storage import write_whole
from .divergence import Divergence, compared
from .recorded_run import RecordedRun, ScreenFacts, mapping_in, read_run, recorded, text_in

PASS_SCHEMA = "replicant.pass/4"
OLD_SCHEMA = "replicant.trace/1"
LARGEST_TRACE = 64_000_000
"""Bytes of a ``trace.json`` that is read at all."""
LARGEST_PASS = 512_000
"""Bytes that are kept of one pass: outlines beyond it are left out."""
_MOST_CANDIDATES = 200
_MOST_FOLDERS = 100_000
_LARGEST_OUTLINE = 2_000_000
_TEST_FOLDER = re.compile(r"-([0-9a-f]{8})(?:-retry\d+)?\Z")
_OUTLINE = re.compile(r"(?:\.\./)*(?:[\w.-]+/)*([0-9a-f]{32})\.txt\Z")


class OldSchema(ValueError):
    """A trace of an earlier version, without the fields that are read now."""


def _bytes_in(path: Path, largest: int) -> bytes:
    """Raises ``OSError``, and ``ValueError`` for a file that is too large."""
    if not path.is_file():  # a pipe of that name would never end
        raise ValueError("no file")
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"larger than {largest // 1_000_000} MB")
    return data


def read_json(path: Path, largest: int = LARGEST_TRACE) -> dict[str, Any]:
    """One JSON object. Raises ``OSError``, and ``ValueError`` for other content or a file that is too large."""
    data = _bytes_in(path, largest)
    try:
        value = json.loads(data)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    return value


def stored_outline(folder: Path, document: Mapping[str, Any]) -> Callable[[str], str]:
    """Reads outlines next to a ``trace.json`` in ``folder``. Only files named by the hash of their content: a
    trace from elsewhere names no other file of this machine."""
    snapshots = mapping_in(document.get("snapshots"))

    def read(name: str) -> str:
        path = text_in(mapping_in(snapshots.get(name)).get("outline"))
        named = _OUTLINE.match(path)
        if named is None:
            return ""
        try:
            data = _bytes_in(folder / path, _LARGEST_OUTLINE)
        except (OSError, ValueError):
            return ""
        genuine = hashlib.sha256(data).hexdigest()[:32] == named[1]
        return data.decode("utf-8", errors="replace") if genuine else ""

    return read


def trace_in(path: Path) -> dict[str, Any]:
    """A ``trace.json``. Raises ``OSError`` and ``ValueError``."""
    document = read_json(path)
    schema = str(document.get("schema"))
    if schema == OLD_SCHEMA:
        raise OldSchema(f"{OLD_SCHEMA}, written by an earlier version; this one reads {TRACE_SCHEMA}")
    if not schema.startswith(TRACE_SCHEMA):
        raise ValueError(f"no {TRACE_SCHEMA}")
    return document


def run_in(path: Path) -> RecordedRun:
    """What a ``trace.json`` says. Raises ``OSError`` and ``ValueError``."""
    document = trace_in(path)
    return read_run(document, stored_outline(path.parent, document), path.as_posix())


@dataclass(frozen=True)
class TraceFolders:
    """Every ``trace.json`` below some folders, found by the test's node id without being opened."""

    roots: tuple[Path, ...]
    old: set[Path] = field(default_factory=set, compare=False)  # of an earlier version, passed over

    def last_pass(self, digest: str, shown: str, before: str = "") -> RecordedRun | None:
        """The newest one, where there is one the newest ``before`` that moment. ``digest`` is of the test's node
        id, which ``shown`` is as traces spell it."""

        def nearness(run: RecordedRun) -> tuple[bool, str]:
            return bool(before) and run.started_at < before, run.started_at

        newest: RecordedRun | None = None
        known = self._by_digest.get(digest, [])
        for path in [*known, *self._by_digest.get("", [])][:_MOST_CANDIDATES]:
            try:
                found = run_in(path)
            except OldSchema:
                self.old.add(path)
                continue
            except (OSError, ValueError):
                continue
            if found.outcome == "passed" and found.nodeid == shown:
                newest = max(filter(None, (newest, found)), key=nearness)
        return newest

    @cached_property
    def _by_digest(self) -> dict[str, list[Path]]:
        """Newer runs first, as far as names of folders show."""
        found: dict[str, list[Path]] = {}
        paths = [path for root in self.roots for path in _traces(root)]
        for path in sorted(paths, key=lambda path: path.parts[-3:], reverse=True):
            found.setdefault(digest_of(path.parent.name), []).append(path)
        return found


def digest_of(folder: str) -> str:
    """Of the node id of the test whose folder has that name; "" where it is no such name."""
    named = _TEST_FOLDER.search(folder)
    return named[1] if named else ""


def _traces(root: Path) -> Iterator[Path]:
    for number, (folder, inner, names) in enumerate(os.walk(root)):
        if number >= _MOST_FOLDERS:
            return
        inner[:] = sorted(name for name in inner if name != "blobs" and not name.endswith(REPLAYED))
        if "trace.json" in names:
            yield Path(folder, "trace.json")


class Baselines:
    """The last pass of each test. ``folder`` is where the user said that earlier traces are, ``cache`` where runs
    keep their passes; either may be missing."""

    def __init__(self, folder: Path | None, cache: Path | None) -> None:
        self._folder = folder
        self._traces = TraceFolders((folder,) if folder is not None else ())
        self._cache = cache

    def compare(self, nodeid: str, now: RecordedRun, redactor: Redactor) -> Divergence:
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

    def _kept(self, nodeid: str, shown: str) -> RecordedRun | None:
        if self._cache is None:
            return None
        try:
            kept = read_json(self._cache / _file_name(nodeid), 4 * LARGEST_PASS)
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


def passed_over(reports: int) -> str:
    """The sentence about traces of an earlier version."""
    were = "trace was" if reports == 1 else "traces were"
    why = f"written by an earlier version ({OLD_SCHEMA}), this one reads {TRACE_SCHEMA}"
    return f"{reports} {were} passed over: {why}"


def _file_name(nodeid: str) -> str:
    return hashlib.sha256(nodeid.encode("utf-8", errors="backslashreplace")).hexdigest()[:32] + ".json"


def pass_json(run: RecordedRun) -> bytes:
    """A redacted run with each of its screens once; outlines beyond ``LARGEST_PASS`` are left out."""
    screens: dict[ScreenFacts, int] = {}
    steps = []
    for step in run.steps:
        places = {name: screens.setdefault(getattr(step, name), len(screens)) for name in ("before", "after")}
        steps.append(plain({**vars(step), **places}))
    left = LARGEST_PASS
    shown = []
    for screen in screens:
        left -= sum(len(line) + 4 for line in screen.outline)
        shown.append(plain(screen if left >= 0 else replace(screen, outline=())))
    bare_run = plain(replace(run, steps=(), last=ScreenFacts()))
    return script_json({"schema": PASS_SCHEMA, "run": bare_run, "steps": steps, "screens": shown}).encode("ascii")


def _kept_run(kept: Mapping[str, Any]) -> RecordedRun:
    """Raises ``ValueError``, ``LookupError``, ``TypeError`` and ``AttributeError`` for anything else."""
    screens = kept["screens"]
    steps = [{**one, "before": screens[one["before"]], "after": screens[one["after"]]} for one in kept["steps"]]
    run = {**kept["run"], "steps": steps, "origin": "the cache of an earlier run"}
    return cast("RecordedRun", read(RecordedRun, run))
