"""``--replicant-shard I/N``: the tests of other parts are deselected, and how long each test took is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ..stash import ASKED, OPTIONS
from .durations import KEY, recorded_in, sound, updated
from .shard import Shard, plan

SHARD = pytest.StashKey[Shard]()
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
        """Of the last attempt, which begins with a setup."""
        if self._worker is None:
            before = 0.0 if report.when == "setup" else self._took.get(report.nodeid, 0.0)
            self._took[report.nodeid] = before + getattr(report, "duration", 0.0)
            self._about_phones |= bool(getattr(report, ASKED, False))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        shard = self._config.stash.get(SHARD, None)
        spare = shard is not None and shard.total and not shard.tests
        if spare and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK  # more parts than tests: this one has done all that it had to
        if self._worker is not None:
            self._tell(shard)
            return
        if shard is not None and len(self._took) < shard.tests:  # it was ended early: what is left ran nowhere
            self._config.stash[SHARD] = replace(shard, tests=len(self._took))
        if self._about_phones and self._took and not self._config.option.collectonly:
            fresh = {test: round(seconds * 1000) for test, seconds in self._took.items()}
            cache: pytest.Cache | None = getattr(self._config, "cache", None)
            if cache is not None:
                cache.set(KEY, updated(self._cached(), fresh, self._config.rootpath))

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_testnodedown(self, node: Any) -> None:
        told = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if told is not None:
            self._config.stash[SHARD] = Shard(**told)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Which part it was, where the workers alone knew it after collection."""
        shard = self._config.stash.get(SHARD, None)
        if shard is not None and self._config.pluginmanager.hasplugin("dsession"):
            terminalreporter.write_line(f"replicant: {shard}")

    def _tell(self, shard: Shard | None) -> None:
        output: dict[str, Any] | None = getattr(self._config, "workeroutput", None)
        if shard is not None and output is not None:
            output[_OUTPUT] = shard.to_dict()

    def _cached(self) -> dict[str, int]:
        cache: pytest.Cache | None = getattr(self._config, "cache", None)  # None with -p no:cacheprovider
        return sound(cache.get(KEY, {})) if cache is not None else {}
