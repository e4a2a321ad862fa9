"""Where the last pass of a test is found: among downloaded traces, or in what an earlier run kept
for the purpose.

Files of either kind may be cut short or anybody's: what cannot be read is no pass, and says so.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ...cassettes import unpacked
from ...kept_runs import (
    TRACE,
    RecordedAttempt,
    attempt_in,
    content_of,
    files_below,
    is_of_another_version,
    passed_over,
    recorded,
    stored_at,
)
from ...kept_runs.whole_file import write_whole
from ...model import Redactor, TestTrace, decode, encode, grouped, plain
from ...redaction import masked_record
from ..artifacts.storage import short_digest
from .divergence import Divergence, compared

LARGEST_PASS = 512_000
"""Bytes of a pass that is kept at all."""
_CACHE = "the cache of an earlier run"
_MOST_CANDIDATES = 200


@dataclass(frozen=True)
class TraceFolders:
    """Every ``trace.json`` below some folders, found by the test's node id without being opened."""

    roots: tuple[Path, ...]
    old: set[Path] = field(default_factory=set, compare=False)  # of an earlier version, passed over

    def last_pass(
        self, now: RecordedAttempt, digest: str, before: str = ""
    ) -> RecordedAttempt | None:
        """The newest one of that test on that platform, if there is one the newest ``before`` that
        moment. ``digest`` is of the test's node id."""

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
            if _is_pass_of(found, now):
                newest = max(filter(None, (newest, found)), key=nearness)
        return newest

    @cached_property
    def _by_digest(self) -> dict[str, list[Path]]:
        """Newer runs first, as far as names of folders show."""
        paths = [path for root in self.roots for path in files_below(root, (TRACE,), [])]
        newest = sorted(paths, key=lambda path: path.parts[-3:], reverse=True)
        return grouped((stored_at(path.parent).digest, path) for path in newest)


class Baselines:
    """The last pass of each test. ``folder`` is where the user said that earlier traces are,
    ``cache`` if runs keep their passes; either may be missing."""

    def __init__(self, folder: Path | None, cache: Path | None) -> None:
        self._folder = folder
        self._traces = TraceFolders((folder,) if folder else ())
        self._cache = cache

    def compare(self, nodeid: str, now: RecordedAttempt, redactor: Redactor) -> Divergence:
        """A failure with the last pass of that test. ``nodeid`` is the test's, not redacted. The
        difference is: the pass was written with the secrets that were known then, and there may be
        more now."""
        then = self._traces.last_pass(now, short_digest(nodeid)) or self._kept(nodeid, now)
        return masked_record(compared(then, now, missing=self._missing()), redactor)

    def keep(self, trace: TestTrace, redactor: Redactor) -> None:
        """A pass, redacted, in place of an earlier one. Raises ``OSError``."""
        kept = gzip.compress(encode(plain(recorded(trace, redactor))), mtime=0)
        if self._cache and len(kept) <= LARGEST_PASS:
            write_whole(self._cache / _file_name(trace.test.nodeid), kept)

    @property
    def asked_for(self) -> bool:
        """Whether the user named a folder, and so waits for an answer."""
        return self._folder is not None

    def _kept(self, nodeid: str, now: RecordedAttempt) -> RecordedAttempt | None:
        if not self._cache:
            return None
        try:
            found = decode(RecordedAttempt, unpacked(content_of(self._cache / _file_name(nodeid))))
        except (OSError, ValueError):
            return None
        return replace(found, origin=_CACHE) if _is_pass_of(found, now) else None

    def _missing(self) -> str:
        if not self._folder:
            return ""
        if not self._folder.is_dir():
            return f"{self._folder} is no folder"
        old = len(self._traces.old)
        return f"none in {self._folder}{f'; {passed_over(old)}' if old else ''}"


def _is_pass_of(found: RecordedAttempt, now: RecordedAttempt) -> bool:
    return (found.outcome, found.nodeid, found.platform) == ("passed", now.nodeid, now.platform)


def _file_name(nodeid: str) -> str:
    return (
        hashlib.sha256(nodeid.encode("utf-8", errors="backslashreplace")).hexdigest()[:32]
        + ".json.gz"
    )
