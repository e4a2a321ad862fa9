"""The last runs of each test in one small file, which CI caches as it caches anything else; the
flaky tests that a project knows stand in such a file too.

A letter for each test and run, and of each attempt that failed its cause and phone. A file may be
cut short or anybody's: one that is not as it should be counts as absent, whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from ...kept_runs import (
    ActionCause,
    AnyCause,
    CheckCause,
    PhoneCause,
    RunRow,
    Shard,
    content_of,
    is_foreign,
    masked,
    results_of,
    test_of,
    why_not_read,
)
from ...kept_runs.whole_file import write_whole
from ...model import HEALTHY, UNSOUND, Strings, decode, encode, grouped
from ...model.printable import printable
from ...pool import kind_of_phone
from ..artifacts.storage import epoch_ms, short_digest
from .grouping import acted, group

FILE_NAME = "history.json"
MOST_RUNS = 20
ABSENT = "-"
"""The letter of a test that did not run."""
LETTERS = {
    "passed": "p", "recovered": "r", "failed": "f", "error": "e", "infra": "i", "flaky": "k",
    "requeued": "q", "known flaky": "n", "skipped": "s", "xfailed": "x", "xpassed": "x",
}  # fmt: skip
LARGEST = 16_000_000
"""Bytes of a file that is read at all."""

_LONGEST, _LONGEST_TITLE = 160, 120
_SECONDS_TO_WAIT = 10
_A_DAY_MS = 86_400_000
_INTERRUPTIONS = frozenset({"KeyboardInterrupt", "Exit"})
_PHONES = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class FailedAttempt:
    """``key`` and ``title`` are of its cause, ``kind`` is what it looks like: "timing", "data",
    "phone" or "". ``parts`` says where it parted from the last pass, "" if that is not known."""

    key: str
    title: str
    kind: str = ""
    phone: str = ""
    parts: str = ""


@dataclass(frozen=True)
class TestInRun:
    """What became of a test in one run, by its letter. ``phone`` had the last attempt; an attempt
    that lost its phone is none of ``failures``."""

    __test__ = False  # the name looks like a test class to pytest

    letter: str
    phone: str = ""
    failures: tuple[FailedAttempt, ...] = ()


@dataclass(frozen=True)
class KeptRun:
    """``ids`` are those of the parts where it ran in several, ``parts`` which of them are known, of
    ``plan``. ``started_at`` is ISO 8601 in UTC, ``revision`` of the code, "" if that is not
    known."""

    ids: Strings
    started_at: str
    revision: str = ""
    plan: str = ""
    parts: Strings = ()
    tests: Mapping[str, TestInRun] = field(default_factory=dict)


# --- a run as the history keeps it ----------------------------------------------------------------


def kept_run(
    run_id: str,
    started_at: str,
    rows: Sequence[RunRow],
    *,
    revision: str = "",
    shard: Shard | None = None,
    passes: Mapping[str, Sequence[RunRow]] | None = None,
) -> KeptRun:
    """``passes`` are attempts of each test that passed, in any run; None for those of this one."""
    if passes is None:
        passes = grouped((test_of(row), row) for row in rows if row.outcome in HEALTHY)
    tests = {}
    for result in results_of(rows):
        own = [rows[at] for at in result.attempts]
        if own[-1].cause and own[-1].cause.exception in _INTERRUPTIONS:
            continue  # it did not run to its end
        failures = tuple(_failures(own, passes.get(result.nodeid, ())))
        letter = LETTERS.get(result.outcome, ABSENT)
        tests[result.nodeid] = TestInRun(letter, phone_of(own[-1]), failures)
    made = KeptRun((run_id,), started_at, revision[:12], tests=tests)
    if not shard:
        return made
    return replace(made, plan=f"{shard.count} {shard.plan}", parts=(str(shard.index),))


def _failures(rows: Sequence[RunRow], healthy: Sequence[RunRow]) -> Iterator[FailedAttempt]:
    for failed in grouped((row.attempt, row) for row in rows if row.outcome in UNSOUND).values():
        if any(row.lost for row in failed):
            continue
        causes = [row.cause for row in failed if row.cause]
        title = printable(failed[0].failure or failed[0].outcome)
        key = short_digest(masked(title))
        if causes:
            key, title = cause_id(causes)
        kind = next(filter(None, (kind_of(cause, healthy) for cause in causes)), "")
        parts = printable(next(filter(None, (row.divergence for row in failed)), ""), _LONGEST)
        title = printable(title, _LONGEST_TITLE)
        yield FailedAttempt(key, title, kind, phone_of(failed[0]), parts)


def cause_id(causes: Sequence[AnyCause]) -> tuple[str, str]:
    """The key and the title of the cause of one attempt, which has a cause a phone, by itself: in
    other runs other tests may fail with it."""
    rows = []
    for cause in causes:  # whichever pass was at hand
        cause = replace(cause, signals=(), reason="", instead="")
        rows.append(RunRow("", 0, "failed", "", 0, "", cause=cause))
    (found,) = group(rows)
    return found.key, printable(found.title)


def phone_of(row: RunRow) -> str:
    """``"android:R58M (Pixel 7, Android 14)"``."""
    phone = kind_of_phone(row.phone)
    named = f"{phone} ({row.device})" if phone and row.device else phone or row.device
    return printable(named, _LONGEST_TITLE)


_SLOW_MS, _THREEFOLD = 1_000, 3


def kind_of(cause: AnyCause, passes: Sequence[RunRow]) -> str:
    """What a failure looks like, as far as the evidence goes. Timing: it came after the verdict, or
    its step took long in one attempt that passed, and no time in another. Data: another value,
    something else in its place, or a message that the last pass did not have."""
    if isinstance(cause, PhoneCause):
        return "phone"
    if isinstance(cause, CheckCause) and cause.late:
        return "timing"
    if cause.step and isinstance(cause, ActionCause):
        took = [
            max((step.duration_ms for step in row.slowest if step.step == cause.step), default=0)
            for row in passes
        ]
        if max(took, default=0) >= max(_SLOW_MS, _THREEFOLD * min(took, default=0)):
            return "timing"
    return "data" if acted(cause).trouble == "value" or cause.signals or cause.instead else ""


# --- several runs ---------------------------------------------------------------------------------


def joined_history(runs: Iterable[KeptRun], most: int | None = MOST_RUNS) -> tuple[KeptRun, ...]:
    """Each run once, the oldest first, the last ``most`` or all of them; parts of one plan are one
    run. Of a test that is known twice in a run the later one counts."""
    found: list[KeptRun] = []
    for run in sorted(runs, key=lambda one: (one.started_at, one.ids)):
        for at, known in reversed([*enumerate(found)]):
            if _is_one_run(known, run):
                found[at] = replace(
                    known,
                    ids=tuple(dict.fromkeys(known.ids + run.ids)),
                    parts=tuple(dict.fromkeys(known.parts + run.parts)),
                    tests={**known.tests, **run.tests},
                )
                break
        else:
            found.append(run)
    return tuple(found if most is None else found[-most:])


def _is_one_run(one: KeptRun, other: KeptRun) -> bool:
    if not {*one.ids}.isdisjoint(other.ids):
        return True
    is_one_plan = one.plan == other.plan != ""
    if not is_one_plan or not {*one.parts}.isdisjoint(other.parts):
        return False
    return within_a_day(one.started_at, other.started_at)


def within_a_day(one: str, other: str) -> bool:
    """Of two dates in ISO 8601; False if one is no date."""
    try:
        return abs(epoch_ms(one) - epoch_ms(other)) < _A_DAY_MS
    except (ValueError, OverflowError):
        return False


def letters(runs: Sequence[KeptRun], test: str) -> str:
    """One for each of the last runs, the oldest first; "" if the test is in none of them."""
    own = "".join(
        run.tests[test].letter if test in run.tests else ABSENT for run in runs[-MOST_RUNS:]
    )
    return own if own.strip(ABSENT) else ""


# --- the file -------------------------------------------------------------------------------------


_FEWEST = 4  # letters and digits of a cause: less of it would be a part of many titles


@dataclass(frozen=True)
class KnownEntry:
    """What a project knows to be flaky until its ``ticket`` is done: the ids of ``tests``, in which
    ``*`` and ``?`` stand for anything, and ``causes``, each the key of one or a part of its title,
    with the same wildcards. It counts up to the day ``expires``. Raises ``ValueError`` if it would
    excuse anything."""

    ticket: str
    tests: Strings
    causes: Strings
    expires: date

    def __post_init__(self) -> None:
        if not self.tests or not self.causes:
            raise ValueError(f"{self.ticket}: give its tests and causes")
        for cause in self.causes:
            if len(re.sub(r"[\W_]", "", cause)) < _FEWEST:
                raise ValueError(f"{self.ticket}: cause {cause!r}: say more of it, or any would do")

    @property
    def has_expired(self) -> bool:
        return date.today() > self.expires

    def is_about(self, nodeid: str) -> bool:
        return any(names(test, nodeid) for test in self.tests)

    def explains(self, key: str, title: str) -> bool:
        for cause in self.causes:
            if re.fullmatch(r"[0-9a-f]{8}", cause):
                if cause == key:
                    return True
            elif re.search(_pattern(cause.removesuffix("…"), '[^"]*'), title, re.IGNORECASE):
                return True
        return False

    def __str__(self) -> str:
        return f"{self.ticket}, until {self.expires.isoformat()}"


def names(test: str, nodeid: str) -> bool:
    """Brackets are brackets: ids of parametrised tests have them."""
    return re.fullmatch(_pattern(test), nodeid, re.DOTALL) is not None


def _pattern(text: str, anything: str = ".*") -> str:
    return re.escape(text).replace(r"\*", anything).replace(r"\?", ".")


@dataclass(frozen=True)
class HistoryFile:
    """``runs``: ids, when it began, revision, plan, parts. ``causes``: key, title, kind. ``tests``:
    id, letters, phones as letters too, and a run, a cause, a phone and a text by their places for
    each attempt that failed. ``known`` is written by hand."""

    runs: tuple[tuple[Strings, str, str, str, Strings], ...] = ()
    phones: Strings = ()
    causes: tuple[tuple[str, str, str], ...] = ()
    texts: Strings = ()
    tests: tuple[tuple[str, str, str, tuple[tuple[int, int, int, int], ...]], ...] = ()
    known: tuple[KnownEntry, ...] = ()
    schema: Literal["replicant.history/1"] = "replicant.history/1"


def history_json(runs: Sequence[KeptRun], known_flaky: Sequence[KnownEntry] = ()) -> bytes:
    """Of the last ``MOST_RUNS``."""
    runs = runs[-MOST_RUNS:]
    phones: dict[str, int] = {"": 0}
    causes: dict[tuple[str, str, str], int] = {}
    texts: dict[str, int] = {"": 0}
    tests: list[Any] = []
    for test in sorted({test for run in runs for test in run.tests}):
        failures, on = [], ""
        for at, run in enumerate(runs):
            own = run.tests.get(test)
            if not own:
                on += ABSENT
                continue
            on += _PHONES[_place(phones, own.phone)]
            for one in own.failures:
                cause = causes.setdefault((one.key, one.title, one.kind), len(causes))
                text = texts.setdefault(one.parts, len(texts))
                failures.append((at, cause, _place(phones, one.phone), text))
        tests.append((test, letters(runs, test), on, failures))
    shown = [(run.ids, run.started_at, run.revision, run.plan, run.parts) for run in runs]
    return encode(
        HistoryFile(
            tuple(shown),
            tuple(phones),
            tuple(causes),
            tuple(texts),
            tuple(tests),
            tuple(known_flaky),
        )
    )


def _place(phones: dict[str, int], phone: str) -> int:
    """Of more phones than there are letters the name is not kept."""
    if len(phones) < len(_PHONES):
        phones.setdefault(phone, len(phones))
    return phones.get(phone, 0)


def history_in(path: Path) -> HistoryFile:
    """Raises ``OSError``, and ``ValueError`` for a file that is not whole, or another tool's."""
    return decode(HistoryFile, content_of(path, LARGEST))


def read_history(path: Path) -> tuple[KeptRun, ...]:
    """As ``history_in``, of the runs in it."""
    return _runs_of(history_in(path))


def _runs_of(file: HistoryFile) -> tuple[KeptRun, ...]:
    """Raises ``ValueError`` for places that the file has not."""
    tests: list[dict[str, TestInRun]] = [{} for _ in file.runs]
    try:
        for test, own, on, failures in file.tests:
            failed: dict[int, list[FailedAttempt]] = {}
            for at, cause, phone, text in failures:
                if min(at, cause, phone, text) < 0 or own[at] == ABSENT:
                    raise ValueError("an attempt of no run")
                one = FailedAttempt(*file.causes[cause], file.phones[phone], file.texts[text])
                failed.setdefault(at, []).append(one)
            for at, (run, letter, had) in enumerate(zip(tests, own, on, strict=True)):
                if letter in LETTERS.values():
                    phone_name = file.phones[_PHONES.index(had)]
                    run[test] = TestInRun(letter, phone_name, tuple(failed.get(at, ())))
                elif letter != ABSENT:
                    raise ValueError(f"no letter {letter!r}")
    except LookupError:
        raise ValueError("it names a place that it has not") from None
    found = [KeptRun(*run, own) for run, own in zip(file.runs, tests, strict=True)]
    every = [*chain.from_iterable(run.ids for run in found)]
    if not all(run.ids for run in found) or len({*every}) < len(every) or len(found) > MOST_RUNS:
        raise ValueError("its runs are no history")
    return tuple(found)


def remember(own: Iterable[KeptRun], path: Path) -> tuple[tuple[KeptRun, ...], str]:
    """The history with these runs, as it was written to ``path``, and why an earlier file could not
    be read, or "". Of several processes that end at once each waits for its turn. Raises
    ``OSError``, and ``WrongSchema`` for another tool's file."""
    from filelock import FileLock

    path.parent.mkdir(parents=True, exist_ok=True)
    problem = ""
    file = HistoryFile()
    known: tuple[KeptRun, ...] = ()
    with FileLock(path.with_name(f"{path.stem}.lock"), timeout=_SECONDS_TO_WAIT):
        try:
            file = history_in(path) if path.exists() else file
            known = _runs_of(file)
        except (OSError, ValueError) as error:
            if is_foreign(error):
                raise
            problem = (
                f"{path.name} could not be read ({why_not_read(error)}): it begins again with "
                "this run"
            )
        runs = joined_history([*known, *own])
        write_whole(path, history_json(runs, file.known))
    return runs, problem
