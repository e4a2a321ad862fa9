"""Where runs lie, and the attempts in them: in folders and archives that may be anybody's.

Reading is bounded, and every file next to a trace is named by the hash of its content: a trace names no other file
of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from ..cassettes import FILE_NAME, REPLAYED, Folder, Stored, report_at, stored_in
from ..codec import WrongSchema, decode
from ..errors import UsageError
from ..model import TRACE_SCHEMA, Strings, TraceFile, grouped
from .attempt import RecordedAttempt, kept_attempt

TRACE = "trace.json"
RUN = "run.json"
LARGEST = 256_000_000
"""Bytes of a file that is read at all: the largest is the ``run.json`` of a very large run."""
_MOST_FOLDERS = 500_000


def is_of_another_version(error: Exception) -> bool:
    """Whether a file was ours, and is not read by this version."""
    return isinstance(error, WrongSchema) and error.ours


def passed_over(reports: int) -> str:
    """The sentence about traces of other versions."""
    were = "trace was" if reports == 1 else "traces were"
    return f"{reports} {were} passed over: written by another version, this one reads {TRACE_SCHEMA}"


def why_not_read(error: Exception) -> str:
    """Of what reading raised, for people."""
    return str(getattr(error, "strerror", None) or error)


def is_foreign(error: Exception) -> bool:
    """Whether a file is another tool's, of a name of ours."""
    return isinstance(error, WrongSchema) and not error.ours


def content_of(path: Path, largest: int = LARGEST) -> bytes:
    """Raises ``OSError``, and ``ValueError`` for a file that is too large."""
    if not path.is_file():  # a pipe of that name would never end
        raise ValueError("no file")
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"larger than {largest // 1_000_000} MB")
    return data


# --- one attempt ---------------------------------------------------------------------------------------------


def attempt_of(stored: Stored, *, outlines: bool = False) -> RecordedAttempt:
    """What a trace says; with the ``outlines`` of its screens, which are files of their own. Raises ``OSError``
    and ``ValueError``."""
    trace = decode(TraceFile, stored.files.read(stored.path.parent / TRACE))
    origin = f"{stored.files.name}/{stored.path.parent}/{TRACE}"
    if not outlines:
        return kept_attempt(trace, stored, origin)
    return kept_attempt(trace, stored, origin, partial(_outline, stored))


def attempt_in(trace: Path) -> RecordedAttempt:
    """The attempt of a ``trace.json``, with outlines. Raises ``OSError`` and ``ValueError``."""
    return attempt_of(stored_at(trace.parent), outlines=True)


def stored_at(folder: Path) -> Stored:
    """An attempt by its folder."""
    return Stored(Folder(folder.parent), PurePosixPath(folder.name, FILE_NAME))


def _outline(stored: Stored, name: str) -> Strings:
    """Nothing if it is missing, or not what it was."""
    with suppress(OSError, ValueError):
        return tuple(stored.blob(name).decode("utf-8", errors="replace").splitlines())
    return ()


def attempts_of(tests: Iterable[Stored], troubles: list[str]) -> Iterator[RecordedAttempt]:
    """Those that can be read; ``troubles`` says of the others why not."""
    for one in tests:
        try:
            yield attempt_of(one)
        except (OSError, ValueError) as error:
            troubles.append(f"{one.files.name}/{one.path.parent}: {why_not_read(error)}")


# --- runs ------------------------------------------------------------------------------------------------------


def files_below(root: Path, names: Iterable[str], troubles: list[str]) -> Iterator[Path]:
    """Every file of these names at any depth, but those of replays."""

    def unreadable(error: OSError) -> None:
        troubles.append(f"{error.filename}: {error.strerror}")

    for number, (folder, inner, found) in enumerate(os.walk(root, onerror=unreadable)):
        if number >= _MOST_FOLDERS:
            troubles.append(f"{root}: more than {_MOST_FOLDERS} folders; the rest is not looked at")
            return
        inner[:] = sorted(name for name in inner if name != "blobs" and not name.endswith(REPLAYED))
        yield from (Path(folder, name) for name in names if name in found)


def tests_at(given: str) -> tuple[str, list[Stored]]:
    """The name of the newest run at ``given`` and its tests; of an archive all. Raises ``UsageError`` for none."""
    newest, *others = runs_at(given) if given.endswith(".zip") else [next(runs_at(given))]
    if others:
        return given, [*newest, *(one for run in others for one in run)]
    return PurePosixPath(newest[0].files.name).name, newest


def runs_at(given: str) -> Iterator[list[Stored]]:
    """The tests of each run, the newest first: of a run's folder, of one test's, of an output folder, or of an
    archive. Raises ``UsageError`` if there is none."""
    path = Path(given)
    found = False
    try:
        for run in _runs_in(path.parent if path.name == TRACE else path):
            found = True
            yield run
    except (OSError, ValueError) as error:
        why = why_not_read(error)
        raise UsageError(f"{given!r}: {why}. Next: name a run's folder in replicant-report/") from None
    if not found:
        raise UsageError(f"{given!r} leads to no {TRACE}. Next: name a run's folder in replicant-report/")


def _runs_in(path: Path) -> Iterator[list[Stored]]:
    if path.is_file() and path.suffix == ".zip":
        runs = grouped((one.path.parent.parent, one) for one in stored_in(report_at(path)))
        yield from (runs[run] for run in sorted(runs, reverse=True))
        return
    if (path / TRACE).is_file():
        yield [stored_at(path.absolute())]
        return
    named = any(path.glob(f"*/{TRACE}"))
    for run in [path] if named else sorted(path.iterdir(), reverse=True):
        if named or not run.name.endswith(REPLAYED):
            tests = [stored_at(trace.parent.absolute()) for trace in sorted(run.glob(f"*/{TRACE}"))]
            yield from [tests] if tests else []


@dataclass(frozen=True)
class NewestRun:
    """The ``name`` of a run and its attempts, and where the tests of runs before it are."""

    name: str
    attempts: tuple[RecordedAttempt, ...]
    older: tuple[Stored, ...]
    troubles: list[str]

    def before(self, digest: str) -> list[RecordedAttempt]:
        """The attempts of runs before of the test that has that digest, the newest first."""
        found = attempts_of([one for one in self.older if one.digest in (digest, "")], self.troubles)
        return sorted(found, key=lambda one: one.started_at, reverse=True)


def newest_run(report: str, older: str | None) -> NewestRun:
    """The newest run at ``report``: a run's folder, one test's, an output folder, or a zip of one. The runs before
    are those at ``older``, else those next to it. Raises ``UsageError`` if either is none."""
    newest, *before = runs_at(report)
    earlier = runs_at(older) if older is not None else [*before, *_next_to(report)]
    known = {_identity(one) for one in newest}
    rest = {_identity(one): one for run in earlier for one in run if _identity(one) not in known}
    troubles: list[str] = []
    name = f"{newest[0].files.name}/{newest[0].path.parent.parent}".removesuffix("/.")
    return NewestRun(name, tuple(attempts_of(newest, troubles)), tuple(rest.values()), troubles)


def _identity(stored: Stored) -> tuple[str, str]:
    return stored.files.name, stored.path.as_posix()


def _next_to(given: str) -> Iterable[list[Stored]]:
    """The other runs in the output folder of a run that was named itself."""
    path = Path(given).absolute()
    run = path.parent if (path / TRACE).is_file() else path
    is_run = run.is_dir() and any(run.glob(f"*/{TRACE}"))
    return runs_at(str(run.parent)) if is_run else ()
