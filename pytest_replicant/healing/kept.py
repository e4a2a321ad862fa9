"""Attempts of tests as reports kept them, with their screens. What cannot be read is among the troubles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..cassettes import Stored
from ..drivers import scale_of
from ..model import HEALTHY
from ..reporting.screens_of_runs import TRACE, Shot, document_of, runs_at
from ..reporting.triage.recorded_run import RecordedRun, RecordedStep, read_run
from ..snapshots import Snapshot

_HIERARCHIES = (".xml.gz", ".json.gz")


@dataclass(frozen=True)
class Step:
    """``before`` and ``after`` are names of snapshots, "" where none was read; ``text`` is its line of code."""

    record: RecordedStep
    before: str = ""
    after: str = ""
    text: str = ""


@dataclass(frozen=True)
class Attempt:
    """One attempt of one test. ``blobs`` are where its snapshots are stored, by name."""

    stored: Stored
    run: RecordedRun
    steps: tuple[Step, ...]
    blobs: Mapping[str, str]
    scale: float = 1.0
    _parsed: dict[str, Snapshot | None] = field(default_factory=dict, compare=False)

    @property
    def nodeid(self) -> str:
        return self.run.nodeid

    @property
    def is_pass(self) -> bool:
        return self.run.outcome in HEALTHY

    def screen(self, name: str) -> Snapshot | None:
        """The snapshot of that name; None where it is missing or not what it was."""
        return self._read(self.blobs.get(name, ""))

    def screens(self) -> Iterator[Snapshot]:
        """Every hierarchy of the trace and of the cassette, each once."""
        found = dict.fromkeys((*self.blobs.values(), *self._taped()))
        yield from filter(None, map(self._read, found))

    def _taped(self) -> Iterable[str]:
        try:
            return [blob for blob in self.stored.load().blobs if blob.endswith(_HIERARCHIES)]
        except (OSError, ValueError):  # a trace without its cassette
            return []

    def _read(self, blob: str) -> Snapshot | None:
        if blob and blob not in self._parsed:
            self._parsed[blob] = Shot(self.stored, blob, self.scale).snapshot()
        return self._parsed.get(blob)


@dataclass(frozen=True)
class Kept:
    """The ``name`` of the run and its attempts, and where the tests of runs before it are."""

    name: str
    attempts: tuple[Attempt, ...]
    older: tuple[Stored, ...]
    troubles: list[str]

    def of(self, digest: str) -> list[Attempt]:
        """The attempts of runs before of the test that has that digest, the newest first."""
        found = _attempts([one for one in self.older if one.digest in (digest, "")], self.troubles)
        return sorted(found, key=lambda one: one.run.started_at, reverse=True)


def read_kept(report: str, older: str | None) -> Kept:
    """The newest run at ``report``: a run's folder, one test's, an output folder, or a zip of one. The runs before
    are those at ``older``, else those next to it. Raises ``UsageError`` where either is none."""
    newest, *before = runs_at(report)
    earlier = [one for run in runs_at(older) for one in run] if older is not None else []
    if older is None:
        earlier = [one for run in (*before, *_next_to(report)) for one in run]
    known = {_identity(one) for one in newest}
    troubles: list[str] = []
    name = f"{newest[0].files.name}/{newest[0].path.parent.parent}".removesuffix("/.")
    rest = tuple({_identity(one): one for one in earlier if _identity(one) not in known}.values())
    return Kept(name, tuple(_attempts(newest, troubles)), rest, troubles)


def _identity(stored: Stored) -> tuple[str, str]:
    return stored.files.name, stored.path.as_posix()


def _next_to(given: str) -> list[list[Stored]]:
    """The other runs in the output folder of a run that was named itself."""
    path = Path(given).absolute()
    run = path.parent if (path / TRACE).is_file() else path
    if not (run.is_dir() and any(run.glob(f"*/{TRACE}"))):
        return []
    return list(runs_at(str(run.parent)))


def _attempts(tests: Iterable[Stored], troubles: list[str]) -> list[Attempt]:
    found = []
    for one in tests:
        try:
            found.append(_attempt(one))
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            troubles.append(f"{one.files.name}/{one.path.parent}: {why}")
    return found


def _attempt(stored: Stored) -> Attempt:
    """Raises ``OSError`` and ``ValueError``."""
    document = document_of(stored)
    run = read_run(document, lambda _: "", stored.path.parent.as_posix())
    given = document.get("events")
    events = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    steps = tuple(
        Step(record, *(_text(event.get(name)) for name in ("before", "after", "source_text")))
        for record, event in zip(run.steps, events, strict=False)
    )
    return Attempt(stored, run, steps, _blobs(document.get("snapshots")), scale_of(document.get("device")))


def _blobs(given: object) -> dict[str, str]:
    records = given if isinstance(given, dict) else {}
    found = {name: one.get("blob") for name, one in records.items() if isinstance(one, dict)}
    return {name: blob.rpartition("/")[2] for name, blob in found.items() if isinstance(blob, str)}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
