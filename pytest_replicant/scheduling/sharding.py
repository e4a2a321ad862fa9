"""``--replicant-shard I/N``: one part of the tests, planned by recorded durations, the same on every machine."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ..stash import ASKED, OPTIONS, REPLAYED_PHONES

SHARD = pytest.StashKey["Shard"]()
"""The part of the tests that this run is, once it is known: after collection, in a parallel run at its end."""

_INPUT = "replicant_durations"
_OUTPUT = "replicant_shard"


class Sharding:
    """Registered in every process. The controller reads the durations, once: a worker that read them for itself
    might plan by others, and xdist wants the same tests of all."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = config.stash[OPTIONS]
        self._worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        self._known: dict[str, int] = {}
        self._took: dict[str, float] = {}
        self._about_phones = self._options.shard is not None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        if self._options.shard is None:
            return
        if self._worker is not None:
            self._known = self._worker.get(_INPUT, {})
        elif self._options.baseline is not None:  # what this machine alone remembers would make its own plan
            self._known = recorded_in(self._options.baseline)
        else:
            self._known = self._cached()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[_INPUT] = self._known

    @pytest.hookimpl(trylast=True)  # after -k, -m and whatever else leaves tests out on every machine alike
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self._options.shard is None:
            return
        index, count = self._options.shard
        planned = plan((item.nodeid for item in items), count, self._known)
        own = planned.shards[index - 1]
        others = [item for item in items if item.nodeid not in own]
        total = len(items)
        items[:] = [item for item in items if item.nodeid in own]
        if others:
            config.hook.pytest_deselected(items=others)
        config.stash[SHARD] = Shard(index, count, len(items), total, planned.fingerprint)

    def pytest_report_collectionfinish(self) -> str | None:
        shard = self._config.stash.get(SHARD, None)
        return f"replicant: {shard}" if shard is not None else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds up the last attempt, which begins with a setup."""
        if self._worker is None:
            before = 0.0 if report.when == "setup" else self._took.get(report.nodeid, 0.0)
            self._took[report.nodeid] = before + getattr(report, "duration", 0.0)
            self._about_phones |= hasattr(report, ASKED)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        shard = self._config.stash.get(SHARD, None)
        spare = shard is not None and shard.total and not shard.tests
        if spare and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK  # more parts than tests: this one has done all that it had to
        if self._worker is not None:
            output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
            if shard is not None and output is not None:
                output[_OUTPUT] = asdict(shard)
            return
        if shard is not None and len(self._took) < shard.tests:  # it ended early: the rest ran nowhere
            self._config.stash[SHARD] = replace(shard, tests=len(self._took))
        is_measure = not self._config.option.collectonly and REPLAYED_PHONES not in self._config.stash
        if self._about_phones and self._took and is_measure:
            fresh = {test: round(seconds * 1000) for test, seconds in self._took.items()}
            if self._cache is not None:
                self._cache.set(KEY, updated(self._cached(), fresh, self._config.rootpath))

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if output is not None:
            self._config.stash[SHARD] = Shard(**output)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Names the part, where only the workers knew it after collection."""
        shard = self._config.stash.get(SHARD, None)
        if shard is not None and self._config.pluginmanager.hasplugin("dsession"):
            terminalreporter.write_line(f"replicant: {shard}")

    @property
    def _cache(self) -> pytest.Cache | None:
        return getattr(self._config, "cache", None)  # None with -p no:cacheprovider

    def _cached(self) -> dict[str, int]:
        return sound(self._cache.get(KEY, {})) if self._cache is not None else {}


FINGERPRINT = 8
"""Characters of a plan's hash: enough to see that two plans are not the same."""


@dataclass(frozen=True)
class Plan:
    """``shards`` are the node ids of each part. ``fingerprint`` is the same where everything is that the plan was
    made of: then each test is in one part and no other."""

    shards: tuple[frozenset[str], ...]
    fingerprint: str


@dataclass(frozen=True)
class Shard:
    """The ``index``-th part of ``count``, counted from one: ``tests`` of ``total``, by the plan of that
    fingerprint."""

    index: int
    count: int
    tests: int
    total: int
    plan: str

    def __str__(self) -> str:
        return f"shard {self.index}/{self.count}: {self.tests} of {self.total} tests, plan {self.plan}"

    @property
    def makes_sense(self) -> bool:
        """Of one that was read from a file."""
        return 1 <= self.index <= self.count <= 9999 and min(self.tests, self.total) >= 0


def plan(tests: Iterable[str], count: int, durations: Mapping[str, int]) -> Plan:
    """The longest test first, each to the part that has least to do so far. ``durations`` are milliseconds by node
    id; a test without one is as long as most are, and where there is none at all each part gets as many tests."""
    known = sorted(set(tests))
    lengths = {test: durations[test] for test in known if test in durations}
    shards = _by_length(known, count, lengths) if lengths else [frozenset(known[at::count]) for at in range(count)]
    plan_text = json.dumps([count, known, sorted(lengths.items())]).encode("ascii")
    return Plan(tuple(shards), hashlib.sha256(plan_text).hexdigest()[:FINGERPRINT])


def _by_length(tests: list[str], count: int, lengths: Mapping[str, int]) -> list[frozenset[str]]:
    from statistics import median

    usual = round(median(lengths.values()))
    taken: list[list[str]] = [[] for _ in range(count)]
    loads = [(0, 0, at) for at in range(count)]
    for test in sorted(tests, key=lambda one: (-lengths.get(one, usual), one)):
        load, number, at = min(loads)
        taken[at].append(test)
        loads[at] = load + lengths.get(test, usual), number + 1, at
    return [frozenset(own) for own in taken]


KEY = "replicant/durations"
"""Where pytest's cache keeps them: node id to milliseconds."""

MOST = 50_000
LARGEST_RUN = 256_000_000
"""Bytes of a ``run.json`` that is read at all."""
_LONGEST = 1 << 40


def recorded_in(folder: Path) -> dict[str, int]:
    """The newest duration of each test, in ms, from every ``run.json`` below a folder; unreadable files are left
    out, on every machine alike."""
    newest: dict[str, tuple[str, int, int]] = {}
    for path in sorted(_runs(folder)):
        for test, began, attempt, took in _rows(path):
            newest[test] = max(newest.get(test, ("", 0, 0)), (began, attempt, took))
    return {test: took for test, (_, _, took) in newest.items()}


def _runs(folder: Path) -> Iterator[Path]:
    for place, inner, names in os.walk(folder):
        inner[:] = [name for name in inner if name != "blobs"]
        if "run.json" in names:
            yield Path(place) / "run.json"


def _rows(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """Rows of tests that ended by themselves: the time until a phone was lost says nothing, nor does a replay."""
    try:
        with path.open("rb") as file:
            document = json.loads(file.read(LARGEST_RUN))
        is_run = str(document["schema"]).startswith("replicant.run/") and "replay" not in document
        rows = document["tests"] if is_run else []
        for row in rows:
            if not row.get("lost") and _is_duration(row["duration_ms"]):
                yield str(row["test"]), str(row["started_at"]), int(row["attempt"]), row["duration_ms"]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _is_duration(value: object) -> bool:
    return type(value) is int and 0 <= value < _LONGEST


def sound(value: Any) -> dict[str, int]:
    """The valid entries of a cache."""
    known = value.items() if isinstance(value, Mapping) else ()
    return {test: took for test, took in known if isinstance(test, str) and _is_duration(took)}


def updated(known: Mapping[str, int], fresh: Mapping[str, int], root: Path) -> dict[str, int]:
    """The known durations with those of this run, without tests of files that are gone."""
    together = {**known, **fresh}
    fresh_files = {_file_of(test) for test in fresh}
    files = {_file_of(test) for test in together}
    there = {file for file in files if file in fresh_files or (root / file).is_file()}
    kept = [test for test in together if _file_of(test) in there]
    return {test: together[test] for test in sorted(kept[-MOST:])}


def _file_of(test: str) -> str:
    return test.partition("::")[0]
