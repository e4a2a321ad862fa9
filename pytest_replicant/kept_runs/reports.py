"""Where runs lie, and the attempts in them: in folders and archives that may be anybody's.

Reading is bounded, and every file next to a trace is named by the hash of its content: a trace
names no other file of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath

from ..cassettes import FILE_NAME, REPLAYED, Archive, Cassette, Folder, Stored
from ..errors import UsageError, did_you_mean
from ..model import TRACE_SCHEMA, TraceFile, WrongSchema, decode, grouped
from .attempt import TRACE, RecordedAttempt, kept_attempt

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
    return (
        f"{reports} {were} passed over: written by another version, this one reads {TRACE_SCHEMA}"
    )


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


# --- one attempt ----------------------------------------------------------------------------------


def attempt_of(stored: Stored, *, outlines: bool = False) -> RecordedAttempt:
    """What a trace says; with the ``outlines`` of its screens, which are files of their own. Raises
    ``OSError`` and ``ValueError``."""
    content = stored.files.read(stored.path.parent / TRACE)
    return kept_attempt(decode(TraceFile, content), stored, outlines=outlines)


def attempt_in(trace: Path) -> RecordedAttempt:
    """The attempt of a ``trace.json``, with outlines. Raises ``OSError`` and ``ValueError``."""
    return attempt_of(stored_at(trace.parent), outlines=True)


def stored_at(folder: Path) -> Stored:
    """An attempt by its folder: of a run, or of an archive that was unpacked."""
    if (folder / "blobs").is_dir():
        return Stored(Folder(folder), PurePosixPath(FILE_NAME))
    return Stored(Folder(folder.parent), PurePosixPath(folder.name, FILE_NAME))


def attempts_of(tests: Iterable[Stored], troubles: list[str]) -> Iterator[RecordedAttempt]:
    """Those that can be read; ``troubles`` says of the others why not."""
    for one in tests:
        try:
            yield attempt_of(one)
        except (OSError, ValueError) as error:
            troubles.append(f"{one.files.name}/{one.path.parent}: {why_not_read(error)}")


# --- runs -----------------------------------------------------------------------------------------


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


def newest_at(given: str, file: str = TRACE) -> list[Stored]:
    """The tests of the newest run at ``given`` that have that file; of an archive all. Raises
    ``UsageError`` for none."""
    runs = runs_at(given, file)
    return list(chain.from_iterable(runs)) if Path(given).is_file() else next(runs)


def runs_at(given: str, file: str = TRACE) -> Iterator[list[Stored]]:
    """The tests of each run that have that file, the newest first: of a run's folder, of one
    test's, of an output folder, or of an archive. Raises ``UsageError`` if there is none."""
    path = Path(given)
    run = None
    try:
        for run in _runs_in(path.parent if path.name == file else path, file):
            yield run
    except (OSError, ValueError) as error:
        why = why_not_read(error)
        if isinstance(error, FileNotFoundError):
            why = "there is no such report"
        raise UsageError(
            f"{given}: {why}. Next: name a run's folder in replicant-report/"
        ) from None
    if not run:
        raise UsageError(f"{given} leads to no {file}. Next: name a run whose traces were kept")


def _runs_in(path: Path, file: str) -> Iterator[list[Stored]]:
    if path.is_file():
        runs = grouped((one.path.parent.parent, one) for one in Archive(path).tests())
        yield from (runs[run] for run in sorted(runs, reverse=True))
        return
    if (path / file).is_file():
        yield [stored_at(path.absolute())]
        return
    inner = [one for one in path.iterdir() if not one.name.endswith(REPLAYED)]
    for run in [path] if any(path.glob(f"*/{file}")) else sorted(inner, reverse=True):
        tests = [stored_at(one.parent) for one in sorted(run.glob(f"*/{file}"))]
        if tests:
            yield tests


@dataclass(frozen=True)
class NewestRun:
    """The ``name`` of a run and its attempts, and where the tests of runs before it are."""

    name: str
    attempts: tuple[RecordedAttempt, ...]
    older: tuple[Stored, ...]
    troubles: list[str]

    def before(self, digest: str) -> list[RecordedAttempt]:
        """The attempts of runs before of the test that has that digest, the newest first."""
        tests = [one for one in self.older if one.digest in (digest, "")]
        attempts = attempts_of(tests, self.troubles)
        return sorted(attempts, key=lambda one: one.started_at, reverse=True)


def newest_run(report: str, older: str | None) -> NewestRun:
    """The newest run at ``report``: a run's folder, one test's, an output folder, or a zip of one.
    The runs before are those at ``older``, else those next to it. Raises ``UsageError`` if either
    is none."""
    newest, *before = runs_at(os.path.abspath(report))
    earlier = runs_at(os.path.abspath(older)) if older is not None else [*before, *_next_to(report)]
    known = set(newest)
    rest = dict.fromkeys(one for run in earlier for one in run if one not in known)
    troubles: list[str] = []
    name = f"{newest[0].files.name}/{newest[0].path.parent.parent}".removesuffix("/.")
    return NewestRun(name, tuple(attempts_of(newest, troubles)), tuple(rest), troubles)


def _next_to(given: str) -> Iterable[list[Stored]]:
    """The other runs in the output folder of a run that was named itself."""
    path = Path(given).absolute()
    run = path.parent if (path / TRACE).is_file() else path
    is_run = run.is_dir() and any(run.glob(f"*/{TRACE}"))
    return runs_at(str(run.parent)) if is_run else ()


# --- the recordings that ``REPORT[::TEST]`` names -------------------------------------------------

Recorded = tuple[Stored, Cassette]


def chosen(named: str) -> tuple[list[Recorded], list[str]]:
    """The recordings of a report, or of the test that is named by its id or its end, and why others
    cannot be read. Raises ``UsageError`` if there is none that can be."""
    place, _, test = named.partition("::")
    loaded: list[Recorded] = []
    problems: list[str] = []
    for one in newest_at(place, FILE_NAME):
        try:
            loaded.append((one, one.load()))
        except (OSError, ValueError) as error:
            problems.append(f"{one.path}: {error}")
    if not loaded:
        why = f"no cassette in it can be read. {problems[0]}"
        raise UsageError(f"{place}: {why}. Next: name a run of tests whose traces were kept")
    exact = [pair for pair in loaded if test in ("", pair[1].header.nodeid)]
    found = exact or [pair for pair in loaded if _ends(pair[1].header.nodeid, test)]
    if not found:
        known = {pair[1].header.nodeid: None for pair in loaded}
        near = (
            did_you_mean(test, known, 0.3) or f" Next: replicant cassette show {place} lists them"
        )
        raise UsageError(f"{place} has no test {test!r}.{near}")
    return found, problems


def one_chosen(named: str) -> Recorded:
    """One recording: of several attempts of a test the last one that failed, else the last. Raises
    ``UsageError`` if several tests are meant."""
    found, _ = chosen(named)
    tests = list(dict.fromkeys(cassette.header.nodeid for _, cassette in found))
    if len(tests) > 1:
        place = named.partition("::")[0]
        raise UsageError(
            f"{named} names {len(tests)} tests. Next: name one of them, such as {place}::{tests[0]}"
        )
    return best_attempt(found)


def best_attempt(attempts: Iterable[Recorded]) -> Recorded:
    """Of the attempts of one test, of which there is one at least, the last one that failed, else
    the last."""
    ordered = sorted(attempts, key=lambda pair: pair[1].header.attempt)
    return ([pair for pair in ordered if pair[1].header.failures] or ordered)[-1]


def _ends(nodeid: str, test: str) -> bool:
    bare = nodeid.partition("[")[0]
    return any(one == test or one.endswith((f"::{test}", f"/{test}")) for one in (nodeid, bare))
