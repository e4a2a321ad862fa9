"""Where the last pass of a test is found: among downloaded traces, or in what an earlier run kept for the purpose.

Files of either kind may be cut short or anybody's: what cannot be read is no pass, and says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...model import TRACE_SCHEMA
from ..artifacts.document import StoredParts, script_json, trace_document
from ..artifacts.folder_names import folder_name
from ..artifacts.storage import write_whole
from .divergence import Divergence, compared
from .recorded_run import RecordedRun, read_run, redacted_outlines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...model import Redactor, TestTrace

PASS_SCHEMA = "replicant.pass/2"
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


def read_json(path: Path, largest: int = LARGEST_TRACE) -> dict[str, Any]:
    """One JSON object. Raises ``OSError``, and ``ValueError`` for other content or a file that is too large."""
    if not path.is_file():  # a pipe of that name would never end
        raise ValueError("no file")
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"larger than {largest // 1_000_000} MB")
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
    snapshots = document.get("snapshots")

    def read(name: str) -> str:
        record = snapshots.get(name) if isinstance(snapshots, dict) else None
        path = record.get("outline") if isinstance(record, dict) else None
        named = _OUTLINE.match(path) if isinstance(path, str) else None
        if named is None or not isinstance(path, str):
            return ""
        try:
            if not (folder / path).is_file():
                return ""
            with (folder / path).open("rb") as file:
                data = file.read(_LARGEST_OUTLINE)
        except (OSError, ValueError):
            return ""
        genuine = hashlib.sha256(data).hexdigest()[:32] == named[1]
        return data.decode("utf-8", errors="replace") if genuine else ""

    return read


def run_in(path: Path, origin: str = "") -> RecordedRun:
    """What a ``trace.json`` says. Raises ``OSError`` and ``ValueError``."""
    document = read_json(path)
    schema = str(document.get("schema"))
    if schema == OLD_SCHEMA:
        raise OldSchema(f"{OLD_SCHEMA}, written by an earlier version; this one reads {TRACE_SCHEMA}")
    if not schema.startswith(TRACE_SCHEMA):
        raise ValueError(f"no {TRACE_SCHEMA}")
    return read_run(document, stored_outline(path.parent, document), origin or path.as_posix())


@dataclass(frozen=True)
class TraceFolders:
    """Every ``trace.json`` below some folders, found by the test's node id without being opened."""

    roots: tuple[Path, ...]
    old: set[Path] = field(default_factory=set, compare=False)  # of an earlier version, passed over

    def last_pass(self, digest: str, shown: str, before: str = "") -> RecordedRun | None:
        """The newest one, where there is one the newest ``before`` that moment. ``digest`` is of the test's node
        id, which ``shown`` is as traces spell it."""
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
                newest = found if newest is None or _is_nearer(found, newest, before) else newest
        return newest

    @cached_property
    def _by_digest(self) -> dict[str, list[Path]]:
        """Newer runs first, as far as names of folders show."""
        found: dict[str, list[Path]] = {}
        paths = [path for root in self.roots for path in _traces(root)]
        for path in sorted(paths, key=lambda path: path.parts[-3:], reverse=True):
            found.setdefault(digest_of(path.parent.name), []).append(path)
        return found


def _is_nearer(one: RecordedRun, other: RecordedRun, before: str) -> bool:
    if before:
        earlier = (one.started_at < before, other.started_at < before)
        if earlier[0] != earlier[1]:
            return earlier[0]
    return one.started_at > other.started_at


def digest_of(folder: str) -> str:
    """Of the node id of the test whose folder has that name; "" where it is no such name."""
    named = _TEST_FOLDER.search(folder)
    return named[1] if named else ""


def _traces(root: Path) -> Iterator[Path]:
    for number, (folder, inner, names) in enumerate(os.walk(root)):
        if number >= _MOST_FOLDERS:
            return
        inner[:] = sorted(name for name in inner if name != "blobs")
        if "trace.json" in names:
            yield Path(folder, "trace.json")


class Baselines:
    """The last pass of each test. ``folder`` is where the user said that earlier traces are, ``cache`` where runs
    keep their passes; either may be missing."""

    def __init__(self, folder: Path | None, cache: Path | None) -> None:
        self._folder = folder
        self._traces = TraceFolders((folder,)) if folder is not None else None
        self._cache = cache

    def compare(self, nodeid: str, now: RecordedRun, redactor: Redactor) -> Divergence:
        """A failure with the last pass of that test, redacted. ``nodeid`` is the test's, not redacted."""
        digest = digest_of(folder_name(nodeid, "", 0))
        then = self._traces.last_pass(digest, now.nodeid) if self._traces is not None else None
        then = then or self._kept(nodeid, now.nodeid)
        return compared(then, now, missing=self._missing()).redacted(redactor)

    def keep(self, trace: TestTrace, redactor: Redactor) -> None:
        """A pass, redacted, in place of an earlier one. Raises ``OSError``."""
        if self._cache is not None:
            document = trace_document(replace(trace, attachments=()), StoredParts(), redactor)
            outline = redacted_outlines(trace, redactor)
            kept = pass_json(document, {name: outline(name) for name in trace.snapshots})
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
        except (OSError, ValueError):
            return None
        document, outlines, texts = (kept.get(name) for name in ("trace", "outlines", "texts"))
        if kept.get("schema") != PASS_SCHEMA or not isinstance(document, dict):
            return None

        def outline(name: str) -> str:
            index = outlines.get(name) if isinstance(outlines, dict) else None
            known = isinstance(texts, list) and isinstance(index, int) and 0 <= index < len(texts)
            return str(texts[index]) if known else ""  # type: ignore[index]  # as `known` says

        found = read_run(document, outline, "the cache of an earlier run")
        return found if found.outcome == "passed" and found.nodeid == shown else None

    def _missing(self) -> str:
        if self._folder is None:
            return ""
        if not self._folder.is_dir():
            return f"{self._folder} is no folder"
        old = len(self._traces.old) if self._traces is not None else 0
        return f"none in {self._folder}{f'; {passed_over(old)}' if old else ''}"


def passed_over(reports: int) -> str:
    """The sentence about traces of an earlier version."""
    were = "trace was" if reports == 1 else "traces were"
    why = f"written by an earlier version ({OLD_SCHEMA}), this one reads {TRACE_SCHEMA}"
    return f"{reports} {were} passed over: {why}"


def _file_name(nodeid: str) -> str:
    return hashlib.sha256(nodeid.encode("utf-8", errors="backslashreplace")).hexdigest()[:32] + ".json"


def pass_json(document: Mapping[str, Any], outlines: Mapping[str, str]) -> bytes:
    """What of a redacted trace a later comparison needs."""
    texts: dict[str, int] = {}
    known: dict[str, int] = {}
    left = LARGEST_PASS
    for name, text in outlines.items():
        left -= 0 if text in texts else len(text) + 4
        if left < 0:
            break
        known[name] = texts.setdefault(text, len(texts))
    kept = {"schema": PASS_SCHEMA, "trace": _reduced(document), "outlines": known, "texts": list(texts)}
    return script_json(kept).encode("ascii")


def _reduced(document: Mapping[str, Any]) -> dict[str, Any]:
    events = (
        *("id", "kind", "title", "start_ms", "duration_ms", "before", "after", "source", "error"),
        *("failure", "diff"),
    )
    records = ("action_id", "action_type", "kind", "expected", "observed", "target", "trace")
    screens = ("screen", "screen_key", "app", "structure", "dialog")
    return {
        "test": document["test"],
        "device": document["device"],
        "events": [
            _only(one, events)
            | {part: _record(one[part], records) for part in ("result", "check") if one[part] is not None}
            for one in document["events"]
        ],
        "snapshots": {name: _only(one, screens) for name, one in document["snapshots"].items()},
        "logs": [one for one in document["logs"] if one["level"] in "WEF"],
    }


def _record(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    steps = (record.get("trace") or {}).get("steps", [])
    timed = {"trace": {"steps": [_only(step, ("stage", "duration_ms")) for step in steps]}}
    return {**_only(record, names), **timed}


def _only(record: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: record[name] for name in names if name in record}
