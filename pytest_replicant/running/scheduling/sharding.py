"""One part of the tests, as pytest-split divides them: kept in the report, so that all parts can be
checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ...kept_runs import Shard

SHARD: pytest.StashKey[Shard] = pytest.StashKey()
"""The part of the tests that this run is, once it is known: after collection, in a parallel run at
its end."""

_OUTPUT = "replicant_shard"
_FINGERPRINT = 8
"""Characters of a division's hash: enough to see that two divisions are not the same."""


class Sharding:
    """Registered in every process of a run that pytest-split divides, before that plugin's own
    hooks."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._ran: set[str] = set()

    @pytest.hookimpl(
        trylast=True
    )  # as pytest-split's own, which is the next: after -k, -m and the order of tests
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        from pytest_split.algorithms import Algorithms

        given = config.option
        durations = config.pluginmanager.getplugin("pytestsplitplugin").cached_durations
        groups = Algorithms[given.splitting_algorithm].value(given.splits, items, durations)
        division = [sorted(item.nodeid for item in group.selected) for group in groups]
        plan = hashlib.sha256(json.dumps(division).encode("ascii")).hexdigest()[:_FINGERPRINT]
        own = division[given.group - 1]
        from ...kept_runs import Shard

        config.stash[SHARD] = Shard(given.group, given.splits, len(own), len(items), plan)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        shard = self._config.stash.get(SHARD, None)
        if shard is None:
            return
        spare = (
            shard.total and not shard.tests
        )  # more parts than tests: this one has done all that it had to
        if spare and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
        output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_OUTPUT] = asdict(shard)
        elif len(self._ran) < shard.tests:  # it ended early: the rest ran nowhere
            self._config.stash[SHARD] = replace(shard, tests=len(self._ran))

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if output is not None:
            from ...kept_runs import Shard

            self._config.stash[SHARD] = Shard(**output)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        shard = self._config.stash.get(SHARD, None)
        if shard is not None:
            terminalreporter.write_line(f"replicant: {shard}")
